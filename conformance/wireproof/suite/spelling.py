"""Numbers in the bytes that a wire type gives them, and the same numbers in those of another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from typing import Any

from wireproof.codec import Codec
from wireproof.suite.adapt import Unspellable
from wireproof.wire.numbers import Fixed, Number, Varint, varint_bytes
from wireproof.wire.packing import BYTE


@lru_cache(maxsize=64)
def numbers(codec: Codec) -> dict[str, Number]:
    """The ways of writing numbers that a codec has, by what a trace calls them."""
    found = {number.label: number for number in _numbers([codec.plan.head.steps, codec.plan.messages])}
    return {label: replace(number, rules=(), clause="") for label, number in found.items()}


def _numbers(thing: Any) -> Iterator[Number]:
    if isinstance(thing, Number):
        yield thing
    elif isinstance(thing, list | tuple):
        for item in thing:
            yield from _numbers(item)
    elif is_dataclass(thing) and not isinstance(thing, type):
        for part in fields(thing):
            yield from _numbers(getattr(thing, part.name))


def spelled(wire: Number, value: int) -> bytes | None:
    """A number as a field of this type holds it, even one that the field must not have; None without room for it."""
    if isinstance(wire, Fixed):
        fits = wire.low <= value <= wire.high
        return value.to_bytes(wire.width, wire.order, signed=wire.signed) if fits else None
    assert isinstance(wire, Varint)
    carried = replace(wire, bits=wire.carrier)
    if not carried.low <= value <= carried.high:
        return None
    if wire.form == "zigzag":
        value = value << 1 if value >= 0 else ~(value << 1)
    value &= (1 << wire.carrier) - 1
    return BYTE[value] if value < 0x80 else varint_bytes(value)


def meant(wire: Number, data: bytes) -> int | None:
    """The number that bytes spell, padded or not; None if they spell none."""
    if isinstance(wire, Fixed):
        return int.from_bytes(data, wire.order, signed=wire.signed) if len(data) == wire.width else None
    assert isinstance(wire, Varint)
    raw = sum((byte & 0x7F) << 7 * place for place, byte in enumerate(data))
    ends = bool(data) and data[-1] < 0x80 and all(byte >= 0x80 for byte in data[:-1])
    if not ends or len(data) > wire.most or raw >> wire.carrier:
        return None
    if wire.form == "zigzag":
        return raw >> 1 ^ -(raw & 1)
    return raw - (1 << wire.carrier) if wire.form == "twos" and raw >> wire.carrier - 1 else raw


def respelled(old: Number | None, new: Number | None, data: bytes, shift: int = 0) -> bytes:
    """The bytes of a field of the new type that mean what `data` meant in one of the old, `shift` added."""
    if old is None or new is None or (old == new and not shift):
        return data
    value = meant(old, data)
    if value is None:
        if old == new or _spell_none_alike(old, new):
            return data
        raise Unspellable("bytes that spell no number have no counterpart in another spelling")
    there = spelled(new, value + shift)
    there = spelled(new, value) if there is None else there
    if there is None:
        raise Unspellable(f"{value} is beyond the range of the field")
    return there if isinstance(old, Fixed) or spelled(old, value) == data else _padded(new, there, len(data))


def _spell_none_alike(old: Number, new: Number) -> bool:
    """Whether bytes that are no number of one type are none of the other: their form is judged before their meaning."""
    if isinstance(old, Fixed) and isinstance(new, Fixed):
        return old.width == new.width
    return isinstance(old, Varint) and isinstance(new, Varint) and old.carrier == new.carrier


def _padded(wire: Number, shortest: bytes, size: int) -> bytes:
    if not isinstance(wire, Varint) or not len(shortest) < size <= wire.most:
        raise Unspellable("its padding has no counterpart")
    return shortest[:-1] + bytes([shortest[-1] | 0x80]) + b"\x80" * (size - len(shortest) - 1) + b"\x00"
