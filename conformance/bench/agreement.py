"""Before anything is timed: all contenders give the same answers, so that they do the same work."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from construct import Array

from bench.construct_shapes import covers
from bench.contenders import Construct, Handwritten
from bench.workloads import Workload
from wireproof.errors import Refused
from wireproof.results import Decoded
from wireproof.wire.var import Var

SEED = 20200913
MUTANTS = 400


class Disagreement(Exception):
    """Two contenders differ: a comparison of their speed would mean nothing."""


def agree(workload: Workload, hand: Handwritten, built: Construct) -> None:
    """Raise Disagreement unless all contenders decode and encode the workload alike."""
    found = workload.codec
    written = [found.encode(message) for message in workload.messages]
    buffer = b"".join(written)
    _same(workload, "decoded messages", answer(hand.decode(buffer)), answer(found.decode(buffer)))
    _same(workload, "encoded bytes", [hand.encode(message) for message in workload.messages], written)
    shapes = [built.shape(message) for message in workload.messages]
    for form, message in (("construct", built.message), ("construct, compiled", built.compiled)):
        parsed = Array(len(shapes), message).parse(buffer)
        _same(workload, f"{form}: decoded messages", covers(parsed, shapes), True)
        _same(workload, f"{form}: encoded bytes", [message.build(value) for value in shapes], written)


def agree_on_faults(workload: Workload, hand: Handwritten) -> None:
    """Raise Disagreement unless the hand-written code makes the same checks as the generated."""
    found = workload.codec
    for case in workload.cases:
        if not case.answer["ok"]:
            error = hand.decode(case.data).error
            got = error and (error.error, error.offset)
            _same(workload, case.hex, got, (case.answer["error"], case.answer["offset"]))
    for data in mutants([found.encode(message) for message in workload.messages]):
        _same(workload, data.hex(), answer(hand.decode(data)), answer(found.decode(data)))
    for message in workload.messages:
        for broken in broken_values(message):
            _same(workload, repr(broken)[:200], outcome(hand.encode, broken), outcome(found.encode, broken))


def answer(decoded: Decoded) -> Any:
    """What two decoders have to agree on; the clause and the path of an error are told to people only."""
    error = decoded.error
    return decoded.messages, decoded.consumed, error and (error.error, error.offset)


def outcome(encode: Callable[[Any], bytes], message: Any) -> bytes | str:
    try:
        return encode(message)
    except Refused as error:
        return error.error


def mutants(units: list[bytes]) -> Iterator[bytes]:
    """Messages cut short, with a byte changed, put in or taken out; the seed is fixed."""
    random = Random(SEED)
    for _ in range(MUTANTS):
        data = bytearray(random.choice(units))
        place = random.randrange(len(data))
        value = random.choice((0, 1, 2, 0x7F, 0x80, 0xFF, random.randrange(256)))
        match random.randrange(4):
            case 0:
                del data[place:]
            case 1:
                data[place] = value
            case 2:
                data.insert(place, value)
            case _:
                del data[place]
        yield bytes(data)


def broken_values(message: Any) -> Iterator[Any]:
    """The message with one field, at any depth, changed to something that may be refused."""
    for name in message.__struct_fields__:
        for value in variants(getattr(message, name)):
            yield msgspec.structs.replace(message, **{name: value})


def variants(value: Any) -> Iterator[Any]:
    if isinstance(value, msgspec.Struct):
        yield from broken_values(value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (-1, 0, 2, 3, 255, 256, -(1 << 31) - 1, 1 << 31, 1 << 32, 1 << 63, 1 << 64)
    elif isinstance(value, str):
        yield from ("", "plain", "\ud800", "x" * 65536)
    elif isinstance(value, bytes):
        yield from (b"", bytes(17), bytes(65536))
    elif isinstance(value, tuple) and value:
        yield from other_tuples(value)


def other_tuples(value: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    is_pair = isinstance(value[-1], Var) and not isinstance(value[0], Var)
    if not is_pair:  # the pairs of a map keep their shape
        yield from (value[:1] * 256, value[::-1])
    for index in (0, 1) if is_pair else (0,):
        for changed in variants(value[index]):
            yield (*value[:index], changed, *value[index + 1 :])


def _same(workload: Workload, what: str, got: Any, wanted: Any) -> None:
    if got != wanted:
        raise Disagreement(f"{workload.title}: {what}: expected {wanted!r}, got {got!r}")
