"""How a decode or an encode ended, told to people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wireproof.annotate import title_of
from wireproof.clauses import rule_text
from wireproof.codec import Codec
from wireproof.errors import ERROR_CLASSES, Malformed, Refused, WireError
from wireproof.results import Decoded
from wireproof_harness.cli.dump import Line
from wireproof_harness.terminal import Segment, entry

MOST_NAMES: Final = 8


def counted(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def accepted(decoded: Decoded) -> Line:
    found = f"{counted(len(decoded.messages), 'message')} in {counted(decoded.consumed, 'byte')}"
    return [Segment("accepted", "good"), Segment(f"  {found}")]


def rejected(codec: Codec, decoded: Decoded, error: Malformed, width: int) -> Iterator[Line]:
    where = f"at byte {error.offset} ({error.offset:#06x})"
    yield [Segment(f"rejected  {error.error}", "fault"), Segment(f"  {where}")]
    yield from _reasons(codec, error, width)
    names = [title_of(codec, message) for message in decoded.messages[:MOST_NAMES]]
    more = len(decoded.messages) - len(names)
    listed = ", ".join(names) + (f" and {more} more" if more else "")
    yield from entry(
        "delivered",
        f"{counted(len(decoded.messages), 'message')} before it: {listed}" if names else "nothing before it",
        width,
    )


def refused(codec: Codec, error: Refused, width: int) -> Iterator[Line]:
    yield [Segment(f"refused  {error.error}", "fault")]
    yield from _reasons(codec, error, width)


def _reasons(codec: Codec, error: WireError, width: int) -> Iterator[Line]:
    yield from entry("meaning", ERROR_CLASSES[error.error], width)
    yield from entry("field", error.path, width)
    yield from entry("expected", error.expected, width)
    yield from entry("rule", f"{error.clause}  {rule_text(codec.name, error.clause)}", width)
