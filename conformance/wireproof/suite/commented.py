"""The bytes of a message as a vector file shows them: a line for each field, with a comment."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from wireproof.annotate import Field, annotate
from wireproof.codec import Codec

PER_LINE: Final = 16
RUN: Final = 24
"""A run of so many bytes is abbreviated: one to four of them, again and again."""
RUNS: Final = re.compile(rb"(.{1,4}?)\1{5,}", re.DOTALL)
WIDEST: Final = 60
COLUMN: Final = 24


def annotated_hex(codec: Codec, data: bytes) -> str:
    """The commented hex of a buffer, whether or not it decodes."""
    rows: list[tuple[str, str]] = []
    items = annotate(codec, codec.trace(data))
    several = sum(not isinstance(item, Field) and item.depth == 0 for item in items) > 1
    for item in items:
        if isinstance(item, Field):
            rows += _field(data, item)
        elif several or item.depth:
            rows.append(("", printable(f"{item.title} {item.name}".strip())))
    return align(rows)


def align(rows: list[tuple[str, str]]) -> str:
    """Rows of hex and comment, the comments under one another where the hex is short."""
    width = max((len(content) for content, _ in rows if len(content) <= COLUMN), default=0)
    lines = []
    for content, comment in rows:
        padded = content.ljust(width) + ("  " if content else "") if content else ""
        lines.append(f"{padded}# {comment}" if comment else content)
    return "".join(f"{line}\n" for line in lines)


def _field(data: bytes, field: Field) -> Iterator[tuple[str, str]]:
    meaning = printable(f"{field.name} {field.value}".strip() if field.type else field.value)
    for index, content in enumerate(pieces(data[field.start : field.stop])):
        yield content, meaning if index == 0 else f"{field.name or 'undecoded'}, going on"


def pieces(content: bytes) -> Iterator[str]:
    """Bytes as words of hex, a line each, with long runs abbreviated."""
    position = 0
    for run in RUNS.finditer(content):
        if len(run[0]) >= RUN:
            yield from _lines(content[position : run.start()])
            yield f"repeat:{run[1].hex()}:{len(run[0]) // len(run[1])}"
            position = run.end()
    yield from _lines(content[position:])


def _lines(content: bytes) -> Iterator[str]:
    for start in range(0, len(content), PER_LINE):
        yield content[start : start + PER_LINE].hex(" ")


def printable(text: str) -> str:
    """Text that can stand in a comment."""
    safe = "".join(letter if letter.isprintable() else ascii(letter)[1:-1] for letter in text)
    return safe if len(safe) <= WIDEST else safe[: WIDEST - 3] + "..."
