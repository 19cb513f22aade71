"""Adapters for tests: the reference as a program, with one thing changed in what it answers."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

BEGIN = """\
import json, sys
from wireproof_harness.reference import answer
for line in sys.stdin:
    request = json.loads(line)
    op, text = request.get("op"), request.get("hex", "".join(request.get("chunks", [])))
    given = answer(request)
"""
END = """\
    print(json.dumps(given), flush=True)
"""


def adapter(folder: Path, *changes: str, name: str = "adapter.py") -> str:
    """The command of an adapter; `changes` are lines that may change `given`, the right answer to `request`."""
    path = folder / name
    path.write_text(BEGIN + "".join(f"    {change}\n" for change in changes) + END, encoding="utf-8")
    return shlex.join([sys.executable, str(path)])


CLAIM = 'if op == "hello": given["ok"]["protocols"] = {claims}'
"""A change that makes an adapter claim something else; `claims` is Python."""
ACCEPTS = (
    'if given.get("reject", {}).get("error") == "overrun" and "offset" in given["reject"]: '
    'given = {"id": request["id"], "ok": {"messages": [], "consumed": len(text) // 2, "after": []}}'
)
"""A decoder that accepts what overruns its container."""
