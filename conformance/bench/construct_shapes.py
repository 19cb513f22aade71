"""Records as the dictionaries construct builds from, and a comparison with what it parses."""

from __future__ import annotations

from typing import Any

import msgspec


def plain(thing: Any) -> Any:
    """A record as a dictionary, all the way down."""
    if isinstance(thing, msgspec.Struct):
        return {name: plain(getattr(thing, name)) for name in thing.__struct_fields__}
    if isinstance(thing, tuple):
        return [plain(item) for item in thing]
    return thing


def covers(parsed: Any, expected: Any) -> bool:
    """Whether construct found everything that is expected; it may have kept lengths and the like besides."""
    if isinstance(expected, dict):
        return all(covers(parsed[key], item) for key, item in expected.items())
    if isinstance(expected, list):
        return len(parsed) == len(expected) and all(map(covers, parsed, expected))
    return bool(parsed == expected)
