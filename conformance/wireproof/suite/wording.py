"""Patches and expectations in words."""

from __future__ import annotations

from typing import Any, Final

from wireproof.suite.commented import pieces, printable
from wireproof.suite.model import Vector
from wireproof.suite.patch import Fields, PatchProblem
from wireproof.suite.written import flow

LONGEST: Final = 48


def expectation_words(vector: Vector) -> str:
    """The answer a vector demands, on one line."""
    expect = vector.expect
    if expect.refuse:
        return f"refused as {expect.refuse}"
    count = len(vector.expect.messages if expect.accept is None else expect.accept)
    messages = "1 message" if count == 1 else f"{count} messages"
    if expect.accept is not None:
        return f"accepted: {messages}"
    before = f", after {messages}" if count else ""
    return f"rejected as {expect.reject} at byte {expect.offset}{before}"


def patch_words(vector: Vector, twin: Vector) -> list[str]:
    """What has to be done to the twin, edit by edit."""
    fields = Fields(twin.codec, twin.data)
    return [_edit(edit, fields, twin) for edit in vector.patch]


def _edit(edit: dict[str, Any], fields: Fields, twin: Vector) -> str:
    match edit:
        case {"at": start, "set": text}:
            return f"the bytes from {start} on become {_short(text)}"
        case {"set": path, "to": text}:
            return f"{path} becomes {_short(text) or 'nothing'}{_was(fields, path)}"
        case {"drop": path}:
            return f"{path} is taken out{_was(fields, path)}"
        case {"before": path, "add": text}:
            return f"{_short(text)} is put before {path}"
        case {"after": path, "add": text}:
            return f"{_short(text)} is put after {path}"
        case {"append": text}:
            return f"{_short(text)} is added at the very end"
        case {"cut": length}:
            return f"only the first {length} of {len(twin.data)} bytes are left"
        case {"put": path, "value": value}:
            return f"{path} becomes {_short(flow(value))}"
        case {"remove": path}:
            return f"{path} is taken out"
        case {"add": path, "value": value}:
            return f"{_short(flow(value))} is added to {path}"
    return flow(edit)


def _was(fields: Fields, path: str) -> str:
    try:
        start, stop = fields.find(path)
    except PatchProblem:  # a broken patch is lint's to tell
        return ""
    return f" (it was {_short(' '.join(pieces(fields.data[start:stop])))})" if start < stop else ""


def _short(text: str) -> str:
    safe = printable(" ".join(text.split()))
    return safe if len(safe) <= LONGEST else safe[: LONGEST - 3] + "..."
