"""The rules page, taken apart: its examples, its tables, what it cites.

A line of a `wire` block reads `codec [direction] [name=value]... [open]: question -> answer`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from wireproof import Codec, codec
from wireproof.profile import changes_from_text

from worked import expand

PAGE = Path(__file__).parents[2] / "docs" / "rules.md"
TEXT = PAGE.read_text(encoding="utf-8")

BLOCK = re.compile(r"^```wire\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"(?P<codec>[^:]+(?::[^ ]+)?): (?P<question>.*?) (?P<arrow><?->) (?P<answer>.*?)(?: +# .*)?")
CITED = re.compile(r"\b(?:ESNPF|ESNPL|TNY|RPK|MAG|COMET)-(?:S?\d[\d.]*\d|S?\d)")


class Example(NamedTuple):
    """One line of a `wire` block."""

    codec: Codec
    is_open: bool
    question: str
    both_ways: bool
    answer: str
    id: str

    @property
    def encodes(self) -> bool:
        return self.question.startswith("{")

    @property
    def data(self) -> bytes:
        return as_bytes(self.question.strip('"'))


def as_bytes(text: str) -> bytes:
    return bytes.fromhex(expand(text))


def as_json(text: str) -> Any:
    return expand(json.loads(text))


def examples(text: str) -> list[Example]:
    """Every example, in the order of the page; ValueError for a line that is none."""
    return [_example(line) for block in BLOCK.findall(text) for line in block.splitlines()]


def _example(line: str) -> Example:
    match = LINE.fullmatch(line)
    if match is None:
        raise ValueError(f"not an example: {line}")
    name, *words = match["codec"].split()
    directions = [word for word in words if word in ("c2s", "s2c")]
    changes = changes_from_text(name, tuple(word for word in words if word not in ("open", *directions)))
    found = codec(name, direction=directions[0] if directions else None, profile=changes)
    return Example(found, "open" in words, match["question"], match["arrow"] == "<->", match["answer"], line[:70])


def table(text: str, first_header: str) -> list[list[str]]:
    """The rows of the table whose header begins with a cell, without header and rule."""
    start = text.index(f"\n| {first_header} |") + 1
    lines = text[start:].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def section(text: str, number: int) -> str:
    """A numbered section, without its title."""
    return re.split(r"^## \d+\. .*$", text, flags=re.MULTILINE)[number]


def quoted(cell: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", cell)
