"""Two inputs side by side, with the bytes marked that differ."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import count
from typing import Final, NamedTuple

from wireproof_harness.cli.dump import Line
from wireproof_harness.terminal import Segment

PER_LINE: Final = 8
AROUND: Final = 2 * PER_LINE
"""So many equal bytes are shown before the first and after the last that differs."""
LONGEST: Final = 256
"""Of a longer stretch between the first and the last difference only the beginning is shown."""
COLUMN: Final = 3 * PER_LINE + 8


class Cell(NamedTuple):
    """A byte of each side at the same place; None where a side has none."""

    left: int | None
    right: int | None

    @property
    def differs(self) -> bool:
        return self.left != self.right


def side_by_side(left: bytes, right: bytes, titles: tuple[str, str]) -> Iterator[Line]:
    """Lines of eight bytes of each, with a mark under every difference."""
    start = _common(left, right)
    same_end = _common(left[start:][::-1], right[start:][::-1])
    ends = len(left) - same_end, len(right) - same_end
    first = max(0, (start - AROUND) // PER_LINE * PER_LINE)
    cells = [Cell(byte, byte) for byte in left[first:start]]
    cells += _middle(left[start : min(ends[0], start + LONGEST)], right[start : min(ends[1], start + LONGEST)])
    whole = max(ends) - start <= LONGEST
    cells += [Cell(byte, byte) for byte in left[ends[0] : ends[0] + AROUND]] if whole else []
    yield [Segment(f"  {titles[0]:<{COLUMN - 2}}  {titles[1]}", "label")]
    yield from _left_out(first, "equal bytes")
    yield from _rows(cells, first)
    yield from _left_out(same_end - AROUND, "equal bytes") if whole else _left_out(max(ends) - LONGEST, "more bytes")


def _common(left: bytes, right: bytes) -> int:
    """How many bytes are the same from the beginning on."""
    low, high = 0, min(len(left), len(right))
    while low < high:  # comparing slices is much faster than comparing bytes, and inputs may be long
        middle = (low + high + 1) // 2
        low, high = (middle, high) if left[:middle] == right[:middle] else (low, middle - 1)
    return low


def _middle(left: bytes, right: bytes) -> Iterator[Cell]:
    for _, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        for place in range(max(b - a, d - c)):
            yield Cell(left[a + place] if a + place < b else None, right[c + place] if c + place < d else None)


def _left_out(number: int, what: str) -> Iterator[Line]:
    if number > 0:
        yield [Segment(f"  ... {number:,} {what}", "undecoded")]


def _rows(cells: list[Cell], first: int) -> Iterator[Line]:
    places = [first, first]
    for start in count(0, PER_LINE):
        row = cells[start : start + PER_LINE]
        if not row:
            return
        yield _row(row, places)
        if any(cell.differs for cell in row):
            marks = "".join("^^ " if cell.differs else "   " for cell in row).ljust(3 * PER_LINE)
            yield [Segment(f"        {marks}        {marks}", "fault")]
        places[0] += sum(cell.left is not None for cell in row)
        places[1] += sum(cell.right is not None for cell in row)


def _row(row: list[Cell], places: list[int]) -> Line:
    line: Line = []
    for side, place in enumerate(places):
        line.append(Segment(f"  {place:04x}  ", "offset"))
        for cell in row:
            byte = cell[side]
            line.append(Segment("   " if byte is None else f"{byte:02x} ", "fault" if cell.differs else "bytes"))
        line.append(Segment("   " * (PER_LINE - len(row))))
    return line
