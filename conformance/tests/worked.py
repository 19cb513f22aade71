"""The worked cases, loaded: used by the tests of the codec and of the command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import yaml

REPEAT = re.compile(r"\b([0-9a-f]{2}) x (\d+)")


class Case(NamedTuple):
    protocol: str
    direction: str | None
    hex: str
    answer: dict[str, Any]
    canonical: bool

    @property
    def data(self) -> bytes:
        return bytes.fromhex(self.hex)

    @property
    def id(self) -> str:
        return f"{self.protocol} {self.hex[:40]}"


def expand(thing: Any) -> Any:
    """`11 x 32` written out, wherever it stands."""
    if isinstance(thing, str):
        return REPEAT.sub(lambda match: match[1] * int(match[2]), thing)
    if isinstance(thing, list):
        return [expand(item) for item in thing]
    if isinstance(thing, dict):
        return {key: expand(item) for key, item in thing.items()}
    return thing


def load() -> list[Case]:
    path = Path(__file__).with_name("worked_cases.yaml")
    cases = []
    for name, rows in yaml.safe_load(path.read_text(encoding="utf-8")).items():
        protocol, _, direction = name.partition(" ")
        for row in rows:
            hexes = expand(row["hex"]).replace(" ", "")
            if "accept" in row:
                answer = {"ok": True, "messages": expand(row["accept"]), "consumed": len(hexes) // 2}
            else:
                after = expand(row.get("after", []))
                answer = {"ok": False, "error": row["reject"], "offset": row["at"], "messages": after}
            cases.append(Case(protocol, direction or None, hexes, answer, row.get("canonical", "accept" in row)))
    return cases


CASES = load()
