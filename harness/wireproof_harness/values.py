"""Values that are almost messages, to ask an encoder about."""

from __future__ import annotations

from random import Random
from typing import Any

SMALL = (-1, 0, 1, 3, 8, 9, 10, 15, 19, 25, 26, 127, 128, 255, 256)
LARGE = (32768, 65535, 65536, 2**31 - 1, 2**31, 2**32, -(2**31) - 1)
DECIMALS = ("0", "-1", "9223372036854775807", "9223372036854775808", "-9223372036854775809", "18446744073709551616")
STRINGS = ("", "@", "a", "@\x00", "x" * 130, "\ud800", "@\udfff", "bogus", "null", "int8")


def disturbed(value: Any, random: Random) -> Any:
    """A copy with one leaf changed, or one key or item added, doubled or taken away."""
    places = list(_places(value, ()))
    path = random.choice(places)
    return _changed(value, path, random)


def _places(value: Any, path: tuple[Any, ...]) -> Any:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _changed(value: Any, path: tuple[Any, ...], random: Random) -> Any:
    if path:
        copy = dict(value) if isinstance(value, dict) else list(value)
        copy[path[0]] = _changed(value[path[0]], path[1:], random)
        return copy
    return _other(value, random)


def _other(value: Any, random: Random) -> Any:
    if random.random() < 0.03:
        return random.choice((None, True, 1, "x", [], {}))
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return random.choice(SMALL + LARGE)
    if isinstance(value, str):
        return _other_text(value, random)
    if isinstance(value, list):
        return _other_list(value, random)
    copy = dict(value)
    if copy and random.random() < 0.7:
        del copy[random.choice(list(copy))]
    else:
        copy[random.choice(("name", "v", "hex", "check", "extra"))] = random.choice((1, "x"))
    return copy


def _other_text(value: str, random: Random) -> Any:
    if random.random() < 0.15:
        return {"hex": random.choice(("ff", "61", "40", ""))}
    if value.lstrip("-").isdigit() and random.random() < 0.6:
        return random.choice(DECIMALS)
    if len(value) % 2 == 0 and set(value) <= set("0123456789abcdef") and random.random() < 0.6:
        return random.choice((value + "00", value[2:], value + "0", value.upper(), "ab" * 70))
    return random.choice(STRINGS)


def _other_list(value: list[Any], random: Random) -> list[Any]:
    how = random.random()
    if how < 0.3 and value:
        return value[:-1]
    if how < 0.6 and value:
        return [*value, random.choice(value)]
    if how < 0.8 and len(value) > 1:
        return random.sample(value, len(value))
    return value * 130 if len(value) < 5 else value[::-1]
