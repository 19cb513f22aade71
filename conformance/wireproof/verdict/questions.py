"""What a vector is asked: whole, in pieces, with company, and back.

A question is what gets a verdict; it takes one request or, at every split point, many.
Expectations come from the vector; where a message ends inside several is the reference's word.
"""

from __future__ import annotations

from binascii import hexlify
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import msgspec

from wireproof.suite.model import LARGE, Vector

EVERY_SPLIT: Final = 256
"""Up to this size an input is split at every byte; beyond it at the borders of its fields."""
BYTE_BY_BYTE: Final = 2048
SMALL_PIECE: Final = 257
"""Longer inputs than `BYTE_BY_BYTE` come in pieces of so many bytes, which no length or power of two divides."""
SPLIT_BUDGET: Final = 1 << 20
"""Bytes of input that the splits of one vector may add up to; with more, split points are left out evenly."""

MODES: Final[dict[str, str]] = {
    "decode": "the whole input",
    "encode": "each message back to bytes, or refused",
    "bytes": "one byte at a time, or in small pieces",
    "splits": "in two pieces, at every split point",
    "two": "twice in one buffer",
    "half": "once and a half, the stream still open",
}


class Request(NamedTuple):
    """One request without id, protocol, direction and profile, and the answer it must get."""

    op: str
    pieces: tuple[bytes, ...] = ()
    """Hex digits: the input of a decode, or the chunks of a stream. ASCII, since they go into a line as they are."""
    value: Any = None
    eof: bool = True
    hex: str = ""
    """What an encode must give."""
    after: tuple[int, ...] | None = None
    """What a stream must say of each message."""
    times: int = 1
    """How often the vector's input stands in it."""


class Question(msgspec.Struct, frozen=True, dict=True):
    """A vector, asked in one way."""

    vector: Vector
    mode: str

    @property
    def id(self) -> str:
        return f"{self.vector.id}/{self.mode}"

    @property
    def operation(self) -> str:
        """What an implementation must be able to do for it."""
        return OPERATIONS[self.mode]

    def requests(self) -> Iterator[Request]:
        return _REQUESTS[self.mode](self.vector)


OPERATIONS: Final = {
    "decode": "decode",
    "encode": "encode",
    "bytes": "stream",
    "splits": "stream",
    "two": "decode",
    "half": "stream",
}


def questions(vector: Vector) -> list[Question]:
    """Every way to ask about a vector, in a fixed order."""
    return [Question(vector, mode) for mode in modes(vector)]


def modes(vector: Vector) -> Iterator[str]:
    if vector.kind == "refuse":
        yield "encode"
        return
    yield "decode"
    small = 0 < vector.size <= LARGE
    if vector.kind == "accept":
        if vector.canonical and vector.expect.accept:
            yield "encode"
        if small:
            yield "two"
    if small:
        yield "bytes"
    if small and vector.size > 1:
        yield "splits"
        if vector.kind == "accept" and len(vector.expect.accept or ()) == 1:
            yield "half"


def _decode(vector: Vector) -> Iterator[Request]:
    yield Request("decode", (hexlify(vector.data),))


def _two(vector: Vector) -> Iterator[Request]:
    yield Request("decode", (hexlify(vector.data) * 2,), times=2)


def _encode(vector: Vector) -> Iterator[Request]:
    if vector.kind == "refuse":
        yield Request("encode", value=vector.message)
        return
    start, text = 0, vector.data.hex()
    for message, end in zip(vector.messages, ends(vector), strict=True):
        yield Request("encode", value=message, hex=text[2 * start : 2 * end])
        start = end


def _bytes(vector: Vector) -> Iterator[Request]:
    text = hexlify(vector.data)
    size = 1 if vector.size <= BYTE_BY_BYTE else SMALL_PIECE
    pieces = tuple([text[place : place + 2 * size] for place in range(0, len(text), 2 * size)])
    yield Request("stream", pieces, after=tuple((end - 1) // size for end in ends(vector)))


def _splits(vector: Vector) -> Iterator[Request]:
    text, ended = hexlify(vector.data), ends(vector)
    for place in split_points(vector):
        after = tuple(0 if end <= place else 1 for end in ended)
        yield Request("stream", (text[: 2 * place], text[2 * place :]), after=after)


def _half(vector: Vector) -> Iterator[Request]:
    text, size = hexlify(vector.data), vector.size
    yield Request("stream", (text + text[: size // 2 * 2],), eof=False, after=(0,))


_REQUESTS: Final[dict[str, Callable[[Vector], Iterator[Request]]]] = {
    "decode": _decode,
    "encode": _encode,
    "bytes": _bytes,
    "splits": _splits,
    "two": _two,
    "half": _half,
}


def ends(vector: Vector) -> list[int]:
    """Where each message that is delivered ends in the input."""
    count = len(vector.expect.messages if vector.expect.accept is None else vector.expect.accept)
    if count == 0:
        return []
    if count == 1 and vector.kind == "accept":
        return [vector.size]
    codec = vector.codec
    if vector.size > LARGE:
        sizes = [len(codec.encode(codec.message(message))) for message in vector.messages]
        return [sum(sizes[: number + 1]) for number in range(len(sizes))]
    stream, data = codec.stream(), vector.data
    return [index + 1 for index in range(len(data)) for _ in stream.feed(data[index : index + 1])]


def split_points(vector: Vector) -> Iterable[int]:
    """Where an input is cut in two: everywhere, or around the borders of its fields."""
    size = vector.size
    if size <= EVERY_SPLIT:
        return range(1, size)
    spans = vector.codec.trace(vector.data).spans
    borders = {border for span in spans for border in (span.start, span.stop)}
    points = sorted({border + near for border in borders for near in (-1, 0, 1) if 0 < border + near < size})
    room = max(3, SPLIT_BUDGET // size)
    if len(points) <= room:
        return points
    return sorted({points[number * (len(points) - 1) // (room - 1)] for number in range(room)})
