"""Inputs that are almost messages: structural and bytewise changes to valid bytes.

Structural changes use the trace of a decode: they know which bytes are a length, a
count, a type or a run, and change one of them as a faulty sender would.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

from wireproof.codec import Codec
from wireproof.trace import Span

EDGE_BYTES = (0x00, 0x01, 0x02, 0x03, 0x0F, 0x10, 0x40, 0x7F, 0x80, 0x81, 0xC0, 0xED, 0xFE, 0xFF)
RUNS = (
    b"\x80" * 9 + b"\x02",
    b"\xff" * 10,
    b"\x80" * 11,
    b"\x80\x00",
    b"\xff\xff\xff\xff\x0f",
    b"\xff\xff\xff\xff\x1f",
    b"\xff\xff\xff\xff\x8f\x01",
    b"\xff" * 9 + b"\x01",
    b"\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01",
    b"\xc0\x80",
    b"\xed\xa0\x80",
)

UNIT_LENGTHS = frozenset({"length", "size", "payload_length", "packet_length", "head_length", "message_length"})

Mutation = Callable[[Random, bytes, list[Span]], bytes]


def mutate(codec: Codec, data: bytes, random: Random) -> bytes:
    """One to three changes, mostly structural."""
    spans = [span for span in codec.trace(data).spans if span.stop > span.start]
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        mutation = random.choice(STRUCTURAL if spans and random.random() < 0.7 else BYTEWISE)
        changed = mutation(random, data, spans)
        if random.random() < 0.7:
            changed = _with_length(data, changed, spans)
        data = changed
    return data


def break_once(codec: Codec, data: bytes, random: Random, tries: int = 8) -> tuple[str, bytes]:
    """One change after which the bytes are no valid input any more, and what it is called.

    Many changes give other valid bytes; if none of so many tries breaks a rule, the last byte is cut off.
    """
    spans = [span for span in codec.trace(data).spans if span.stop > span.start]
    for _ in range(tries):
        mutation = random.choice(STRUCTURAL if spans and random.random() < 0.7 else BYTEWISE)
        changed = mutation(random, data, spans)
        if random.random() < 0.7:
            changed = _with_length(data, changed, spans)
        if codec.decode(changed).error is not None:
            return mutation.__name__.strip("_").replace("_", "-"), changed
    return "truncate", data[:-1]


def _with_length(before: bytes, after: bytes, spans: list[Span]) -> bytes:
    """Correct the length of the unit that grew or shrank, so that only the inside is wrong."""
    same = next((index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new), len(after))
    lengths = [span for span in spans if span.path.rpartition(".")[2] in UNIT_LENGTHS and span.stop <= same]
    if not lengths or len(before) == len(after):
        return after
    span = lengths[-1]
    size = span.stop - span.start
    order: Literal["big", "little"] = "big"
    if int.from_bytes(before[span.start : span.stop], "big") != span.value:
        order = "little"
    number = span.value + len(after) - len(before)
    if not 0 <= number < 1 << 8 * size:
        return after
    return _replace(after, span.start, span.stop, number.to_bytes(size, order))


def _replace(data: bytes, start: int, stop: int, new: bytes) -> bytes:
    return data[:start] + new + data[stop:]


def _edge_field(random: Random, data: bytes, spans: list[Span]) -> bytes:
    """A field of the same width with another, telling value."""
    span = random.choice(spans)
    size = span.stop - span.start
    if size > 8:
        return _replace(data, span.start, span.start + 1, bytes([random.choice(EDGE_BYTES)]))
    patterns = (bytes(size), b"\xff" * size, b"\x80" + bytes(size - 1), bytes(size - 1) + b"\x80")
    return _replace(data, span.start, span.stop, random.choice((*patterns, random.randbytes(size))))


def _off_by_one(random: Random, data: bytes, spans: list[Span]) -> bytes:
    """A number one or two too large or too small, in either byte order."""
    span = random.choice(spans)
    place = random.choice((span.start, span.stop - 1))
    if place >= len(data):
        return data
    return _replace(data, place, place + 1, bytes([(data[place] + random.choice((-2, -1, 1, 2))) & 0xFF]))


def _long_varint(random: Random, data: bytes, spans: list[Span]) -> bytes:
    span = random.choice(spans)
    return _replace(data, span.start, span.stop, random.choice(RUNS))


def _drop(random: Random, data: bytes, spans: list[Span]) -> bytes:
    span = random.choice(spans)
    return _replace(data, span.start, span.stop, b"")


def _double(random: Random, data: bytes, spans: list[Span]) -> bytes:
    span = random.choice(spans)
    return _replace(data, span.stop, span.stop, data[span.start : span.stop])


def _swap(random: Random, data: bytes, spans: list[Span]) -> bytes:
    first, second = sorted(random.choices(spans, k=2), key=lambda span: span.start)
    if first.stop > second.start:
        return data
    middle = data[first.stop : second.start]
    moved = data[second.start : second.stop] + middle + data[first.start : first.stop]
    return _replace(data, first.start, second.stop, moved)


def _bad_run(random: Random, data: bytes, spans: list[Span]) -> bytes:
    """Bytes inside a run that are not UTF-8."""
    span = random.choice(spans)
    return _replace(data, span.start, min(span.stop, span.start + 1), random.choice((b"\xff", b"\xc0", b"\x80")))


def _flip(random: Random, data: bytes, spans: list[Span]) -> bytes:
    if not data:
        return data
    place = random.randrange(len(data))
    return _replace(data, place, place + 1, bytes([data[place] ^ 1 << random.randrange(8)]))


def _set(random: Random, data: bytes, spans: list[Span]) -> bytes:
    if not data:
        return data
    place = random.randrange(len(data))
    return _replace(data, place, place + 1, bytes([random.choice(EDGE_BYTES)]))


def _insert(random: Random, data: bytes, spans: list[Span]) -> bytes:
    place = random.randint(0, len(data))
    return _replace(data, place, place, random.randbytes(random.randint(1, 4)))


def _delete(random: Random, data: bytes, spans: list[Span]) -> bytes:
    place = random.randint(0, len(data))
    return _replace(data, place, place + random.randint(1, 4), b"")


def _truncate(random: Random, data: bytes, spans: list[Span]) -> bytes:
    return data[: random.randint(0, len(data))]


STRUCTURAL: tuple[Mutation, ...] = (
    _edge_field,
    _edge_field,
    _off_by_one,
    _off_by_one,
    _long_varint,
    _drop,
    _double,
    _swap,
    _bad_run,
)
BYTEWISE: tuple[Mutation, ...] = (_flip, _set, _insert, _delete, _truncate)
