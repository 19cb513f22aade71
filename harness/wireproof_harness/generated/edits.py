"""Simpler questions, made with the codec: messages, items and letters left out with all the lengths that count them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, Final, Literal, NamedTuple

from wireproof import BadValue, Codec, Refused
from wireproof.generate import typical
from wireproof.suite.patch import Fields
from wireproof.trace import Span
from wireproof_harness.reference import codec_for
from wireproof_harness.shrink import plainer, shorter, simpler

Question = dict[str, Any]
ITEM: Final = re.compile(r".*\[\d+\]")
LENGTHS: Final = re.compile(r"(^|[._])(length|size)$")
LONG: Final = 4096
"""Longer inputs are not taken apart byte by byte."""


class Edit(NamedTuple):
    """Bytes that are replaced."""

    start: int
    stop: int
    new: bytes = b""


def candidates(question: Question) -> Iterator[Question]:
    """Simpler questions, the boldest steps first; the profile stays what it is declared to be."""
    if "value" in question:
        for value in simpler(question["value"]):
            yield {**question, "value": value}
        return
    if "eof" in question:
        yield {key: value for key, value in question.items() if key != "eof"}
    if "chunks" in question:
        yield from _other_cuts(question)
    data, cuts = _taken_apart(question)
    for edits in _edits(codec_for(question), data):
        yield _put_together(question, *_edited(data, cuts, edits))
    if "chunks" in question:
        yield from _moved_cuts(question, data, cuts)


def _taken_apart(question: Question) -> tuple[bytes, list[int]]:
    """The bytes, and where the pieces of a stream end."""
    if "hex" in question:
        return bytes.fromhex(question["hex"]), []
    pieces = [bytes.fromhex(chunk) for chunk in question["chunks"]]
    return b"".join(pieces), list(accumulate(map(len, pieces)))[:-1]


def _put_together(question: Question, data: bytes, cuts: list[int]) -> Question:
    if "hex" in question:
        return {**question, "hex": data.hex()}
    pieces = [data[start:stop].hex() for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    return {**question, "chunks": pieces}


def _edited(data: bytes, cuts: list[int], edits: list[Edit]) -> tuple[bytes, list[int]]:
    """Bytes after edits from the last to the first; cuts stay with what they stand behind."""
    for edit in sorted(edits, reverse=True):
        data = data[: edit.start] + edit.new + data[edit.stop :]
        shift = len(edit.new) - (edit.stop - edit.start)
        last = edit.start + len(edit.new)
        cuts = [cut if cut <= edit.start else min(cut, last) if cut < edit.stop else cut + shift for cut in cuts]
    return data, cuts


def _other_cuts(question: Question) -> Iterator[Question]:
    chunks = question["chunks"]
    size = len(chunks)
    while size > 1:
        for start in range(0, len(chunks) - 1, max(1, size - 1)):
            joined = "".join(chunks[start : start + size])
            yield {**question, "chunks": [*chunks[:start], joined, *chunks[start + size :]]}
        size = (size + 1) // 2 if size > 2 else 1


def _moved_cuts(question: Question, data: bytes, cuts: list[int]) -> Iterator[Question]:
    """A cut as late as possible: most often the place that matters is the end of something."""
    for index, cut in enumerate(cuts):
        for place in (len(data), cut + 1):
            if place <= len(data):
                yield _put_together(question, data, sorted([*cuts[:index], place, *cuts[index + 1 :]]))


def _edits(codec: Codec, data: bytes) -> Iterator[list[Edit]]:
    fields = Fields(codec, data)
    starts = [min(span.start for span in spans) for spans in fields.messages]
    yield from _without_messages(starts, len(data))
    yield from _plain_messages(codec, starts, len(data))
    yield from _simpler_messages(codec, data)
    for spans in fields.messages:
        yield from _without_items(data, spans)
        yield from _shorter_fields(data, spans)
    changed = shorter(data) if len(data) <= LONG else plainer(data[:0])
    yield from ([Edit(*_changed(data, new))] for new in changed)


def _changed(data: bytes, new: bytes) -> tuple[int, int, bytes]:
    """The one place in which two inputs differ."""
    most = min(len(data), len(new))
    start = next((place for place in range(most) if data[place] != new[place]), most)
    end = next((n for n in range(most - start) if data[len(data) - 1 - n] != new[len(new) - 1 - n]), most - start)
    return start, len(data) - end, new[start : len(new) - end]


def _without_messages(starts: list[int], end: int) -> Iterator[list[Edit]]:
    stops = [*starts[1:], end]
    size = len(starts)
    while size:
        for first in range(0, len(starts), size):
            last = min(first + size, len(starts)) - 1
            yield [Edit(starts[first], stops[last])]
        size //= 2


def _plain_messages(codec: Codec, starts: list[int], end: int) -> Iterator[list[Edit]]:
    """One message replaced by the shortest there is: what matters may only be that there is one."""
    plain = shortest_message(codec)
    for start, stop in pairwise([*starts, end]):
        if len(plain) <= stop - start:
            yield [Edit(start, stop, plain)]


@lru_cache(maxsize=64)
def shortest_message(codec: Codec) -> bytes:
    return min((codec.encode(message) for message in typical(codec)), key=lambda data: (len(data), data))


def _simpler_messages(codec: Codec, data: bytes) -> Iterator[list[Edit]]:
    """Messages that decode, written again with a simpler value: every length is then right by itself."""
    start = 0
    for message, stop in zip(codec.decode(data).messages, _ends(codec, data), strict=False):
        for value in simpler(codec.value(message)):
            try:
                yield [Edit(start, stop, codec.encode(codec.message(value)))]
            except (Refused, BadValue):
                continue
        start = stop


def _ends(codec: Codec, data: bytes) -> Iterator[int]:
    stream = codec.stream()
    for index in range(len(data)):
        for _ in stream.feed(data[index : index + 1]):
            yield index + 1


def _without_items(data: bytes, spans: list[Span]) -> Iterator[list[Edit]]:
    """An item of a list left out; its count and the lengths around it are told."""
    for name in dict.fromkeys(match[0] for span in spans if (match := ITEM.match(span.path))):
        inside = [span for span in spans if span.path.startswith(name)]
        start, stop = inside[0].start, inside[-1].stop
        counts = [span for span in spans if span.path == f"{name.rpartition('[')[0]}.count"]
        lowered = [edit for span in counts for edit in _lowered(data, span, 1)]
        around = _lengths(data, spans, start, stop, stop - start)
        yield [Edit(start, stop), *lowered, *around]
        yield [Edit(start, stop), *around]


def _shorter_fields(data: bytes, spans: list[Span]) -> Iterator[list[Edit]]:
    for span in spans:
        size = span.stop - span.start
        while size:
            start = span.stop - size
            yield [Edit(start, span.stop), *_lengths(data, spans, start, span.stop, size)]
            size //= 2


def _lengths(data: bytes, spans: list[Span], start: int, stop: int, less: int) -> list[Edit]:
    """The lengths that count some bytes, lowered."""
    around = [span for span in spans if span.stop <= start and LENGTHS.search(span.path) and type(span.value) is int]
    return [edit for span in around if span.stop + span.value >= stop for edit in _lowered(data, span, less)]


def _lowered(data: bytes, span: Span, less: int) -> Iterator[Edit]:
    """A number written in the same width; zigzag numbers of one byte count double."""
    raw, size = data[span.start : span.stop], span.stop - span.start
    orders: tuple[Literal["big", "little"], ...] = ("big", "little")
    for order in orders:
        for factor in (1, 2):
            number = factor * span.value
            if int.from_bytes(raw, order) == number and number >= factor * less and (factor == 1 or size == 1):
                yield Edit(span.start, span.stop, (number - factor * less).to_bytes(size, order))
                return
