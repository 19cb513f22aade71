"""Explanations that stay readable: the beginning, the end, and what is marked as wrong in between."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from wireproof_harness.terminal import Segment

LONGEST_LINE: Final = 400
FIRST: Final = 24
LAST: Final = 36
"""Expectation, answer, rule, advice and command stand at the end, and are what a reader needs most."""
MARKED: Final = 4
NEAR: Final = 2


def shortened(lines: Sequence[Sequence[Segment]]) -> Iterator[list[Segment]]:
    """The lines, without the middle of a long explanation except around the first faults in it."""
    kept = _kept(lines)
    before = -1
    for number in kept:
        if number > before + 1:
            yield [Segment(f"  ... {number - before - 1:,} lines left out", "label")]
        yield [Segment(cut(text, LONGEST_LINE), role) for text, role in lines[number] if text]
        before = number


def cut(text: str, longest: int) -> str:
    """A text, or its beginning and how long it is."""
    return text if len(text) <= longest else f"{text[:longest]}… ({len(text):,} characters)"


def _kept(lines: Sequence[Sequence[Segment]]) -> list[int]:
    count = len(lines)
    if count <= FIRST + LAST:
        return list(range(count))
    middle = range(FIRST, count - LAST)
    marked = [number for number in middle if any(role == "fault" for _, role in lines[number])][:MARKED]
    near = {other for number in marked for other in range(number - NEAR, number + NEAR + 1)}
    return sorted({*range(FIRST), *range(count - LAST, count), *near})
