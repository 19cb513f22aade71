"""The annotated dump: a line for each field, laid out in columns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Final

from wireproof.annotate import Field, Heading, Item
from wireproof_harness.terminal import Segment, cells, clean, fit

PER_LINE: Final = 8
BYTES_WIDTH: Final = 3 * PER_LINE - 1
WHOLE_LINES: Final = 4
"""A field of up to so many lines of bytes is shown whole; of a longer one, a line less and how much is left."""
LONGEST_NAME: Final = 32
LEAST_VALUE: Final = 16
GAP: Final = Segment("  ")

Line = list[Segment]


def dump(data: bytes, items: list[Item], width: int) -> Iterator[Line]:
    """The lines of an annotated input."""
    columns = _Columns(items, len(data), width)
    for index, item in enumerate(items):
        if isinstance(item, Field):
            yield from columns.lines(data, item)
        else:
            if item.depth == 0 and index:
                yield []
            yield _heading(item)


def _heading(heading: Heading) -> Line:
    line = [Segment("  " * heading.depth), Segment(heading.title, "label" if heading.depth else "heading")]
    if heading.name:
        line += [GAP, Segment(heading.name, "name")]
    if heading.clause:
        line += [GAP, Segment(heading.clause, "clause")]
    return line


class _Columns:
    """How wide the columns are, so that all the fields of an input stand under one another."""

    def __init__(self, items: list[Item], size: int, width: int) -> None:
        fields = [item for item in items if isinstance(item, Field)]
        self.indent = 4 if any(isinstance(item, Heading) and item.depth for item in items) else 2
        self.offset = max(4, len(f"{size:x}"))
        self.bytes = self.indent + self.offset + 2
        self.name = min(LONGEST_NAME, max((len(field.name) for field in fields), default=0))
        self.type = max((len(field.type) for field in fields), default=0)
        clause = max((len(field.clause) for field in fields), default=0)
        before = self.bytes + BYTES_WIDTH + 2 + self.name + 2 + self.type + 2
        widest = max((cells(clean(field.value)) for field in fields if field.type), default=0)
        self.value = min(widest, max(LEAST_VALUE, width - before - 2 - clause))

    def lines(self, data: bytes, field: Field) -> Iterator[Line]:
        starts = list(_shown(field))
        for start, meaning in zip_longest(starts, self._meaning(field)):
            if start is None:
                yield [Segment(" " * (self.bytes + BYTES_WIDTH)), *meaning]
                continue
            stop = min(start + PER_LINE, field.stop)
            yield [
                Segment(" " * self.indent),
                Segment(f"{start:0{self.offset}x}", "offset"),
                GAP,
                Segment(data[start:stop].hex(" ").ljust(BYTES_WIDTH), "bytes" if field.type else "undecoded"),
                *(meaning or []),
            ]
            if field.fault is not None and _holds(start, field, field.fault):
                yield self._marker(field, start, field.fault)
            if stop < field.stop and stop not in starts:
                yield self._left_out(min([later for later in starts if later > start], default=field.stop) - stop)

    def _meaning(self, field: Field) -> list[Line]:
        """What stands beside the bytes, on one line or, for bits with many names, on several."""
        if not field.type:
            return [[GAP, Segment(field.value, "undecoded")]]
        first, *others = self._value(field)
        name = field.name if len(field.name) <= self.name else "..." + field.name[3 - self.name :]
        columns = [(name.ljust(self.name), "field"), (field.type.ljust(self.type), "type")]
        columns += [(fit(first, self.value), "value"), (field.clause, "clause")]
        beside = [Segment(" " * (self.name + self.type + 6))]
        return [
            [piece for text, role in columns for piece in (GAP, Segment(text, role))],
            *([*beside, Segment(other, "value")] for other in others),
        ]

    def _value(self, field: Field) -> list[str]:
        value = clean(field.value)
        if field.type != "bits" or cells(value) <= self.value:
            return [value]
        lines = [""]
        for word in value.split(", "):
            if lines[-1] and len(lines[-1]) + len(word) + 2 > self.value:
                lines.append("")
            lines[-1] += f"{word}, "
        return [line.rstrip(" ") for line in lines[:-1]] + [lines[-1].rstrip(", ")]

    def _left_out(self, size: int) -> Line:
        more = "1 more byte" if size == 1 else f"{size:,} more bytes"
        return [Segment(" " * self.bytes), Segment(f"... {more}", "undecoded")]

    def _marker(self, field: Field, start: int, fault: int) -> Line:
        """Under the byte that is wrong, or under the whole field if that is where it begins."""
        whole = bool(field.type) and fault == field.start
        size = min(PER_LINE, max(1, field.stop - field.start)) if whole else 1
        return [Segment(" " * (self.bytes + 3 * (fault - start))), Segment("^" * (3 * size - 1), "fault")]


def _shown(field: Field) -> Iterator[int]:
    """Where the lines of a field begin that are not left out."""
    starts = range(field.start, field.stop, PER_LINE) or range(field.start, field.start + 1)
    kept = len(starts) if len(starts) <= WHOLE_LINES else WHOLE_LINES - 1
    yield from starts[:kept]
    if field.fault is not None:
        line = min((field.fault - field.start) // PER_LINE, len(starts) - 1)
        yield from starts[max(line, kept) : line + 1]


def _holds(start: int, field: Field, fault: int) -> bool:
    """Whether the fault is in the line that begins at `start`, or just past the end of the last one."""
    last = start + PER_LINE >= field.stop
    return start <= fault < start + PER_LINE or (last and fault == start + PER_LINE)
