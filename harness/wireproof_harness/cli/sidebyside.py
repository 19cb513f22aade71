"""Two inputs side by side, with the bytes marked that differ."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Final, NamedTuple

from wireproof_harness.cli.dump import Line
from wireproof_harness.terminal import Segment

PER_LINE: Final = 8
AROUND: Final = 2
"""So many equal lines are shown before and after one that differs."""
MATCHED: Final = 4096
"""Longer differences are not searched for what they have in common."""
COLUMN: Final = 3 * PER_LINE + 8


class Cell(NamedTuple):
    """A byte of each side at the same place; None where a side has none."""

    left: int | None
    right: int | None

    @property
    def differs(self) -> bool:
        return self.left != self.right


def aligned(left: bytes, right: bytes) -> list[Cell]:
    """The bytes of two inputs, those that belong together in one cell."""
    start = _common(left, right)
    end = _common(left[start:][::-1], right[start:][::-1])
    middle_left, middle_right = left[start : len(left) - end], right[start : len(right) - end]
    cells = [Cell(byte, byte) for byte in left[:start]]
    cells += _middle(middle_left, middle_right)
    return cells + [Cell(byte, byte) for byte in left[len(left) - end :]]


def _common(left: bytes, right: bytes) -> int:
    return next((place for place, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


def _middle(left: bytes, right: bytes) -> Iterator[Cell]:
    if max(len(left), len(right)) > MATCHED:
        yield from _pairs(left, right)
        return
    for _, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        yield from _pairs(left[a:b], right[c:d])


def _pairs(left: bytes, right: bytes) -> Iterator[Cell]:
    for place in range(max(len(left), len(right))):
        yield Cell(left[place] if place < len(left) else None, right[place] if place < len(right) else None)


def side_by_side(left: bytes, right: bytes, titles: tuple[str, str]) -> Iterator[Line]:
    """Lines of eight bytes of each, with a mark under every difference."""
    cells = aligned(left, right)
    rows = [cells[place : place + PER_LINE] for place in range(0, len(cells), PER_LINE)]
    shown = _near_differences(rows)
    yield [Segment(f"  {titles[0]:<{COLUMN}}", "label"), Segment(titles[1], "label")]
    places, left_out = [0, 0], 0
    for number, row in enumerate(rows):
        if number in shown:
            if left_out:
                yield [Segment(f"  ... {left_out} equal lines", "undecoded")]
            left_out = 0
            yield from _row(row, places)
        else:
            left_out += 1
        places[0] += sum(cell.left is not None for cell in row)
        places[1] += sum(cell.right is not None for cell in row)
    if left_out:
        yield [Segment(f"  ... {left_out} equal lines", "undecoded")]


def _near_differences(rows: list[list[Cell]]) -> set[int]:
    changed = [number for number, row in enumerate(rows) if any(cell.differs for cell in row)]
    # a long run that was taken out is all difference: its ends are enough
    ends = [number for number in changed if not {number - 3, number + 3} <= set(changed[:0])] if len(changed) < 64 else [
        number for place, number in enumerate(changed) if place < 8 or place >= len(changed) - 8
    ]
    return {near for number in ends for near in range(number - AROUND, number + AROUND + 1)}


def _row(row: list[Cell], places: list[int]) -> Iterator[Line]:
    line: Line = []
    for place, bytes_ in zip(places, ([cell.left for cell in row], [cell.right for cell in row]), strict=True):
        line += [Segment(f"  {place:04x}  ", "offset")]
        for byte, cell in zip(bytes_, row, strict=True):
            text = "  " if byte is None else f"{byte:02x}"
            line.append(Segment(f"{text} ", "fault" if cell.differs else "bytes"))
        line.append(Segment(" " * (3 * (PER_LINE - len(row)))))
    yield line
    if any(cell.differs for cell in row):
        marks = "".join("^^ " if cell.differs else "   " for cell in row).ljust(3 * PER_LINE)
        yield [Segment(f"        {marks}        {marks}", "fault")]
