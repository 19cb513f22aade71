"""The first place where two values differ, and what an adapter may write differently."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import msgspec

EXACT: Final = (1 << 53) - 1
"""Up to here a JSON number is a number in every language."""
_MISSING: Final = object()

canonical = msgspec.json.Encoder(order="sorted").encode


class Difference(NamedTuple):
    """Where two values differ; a missing one is told as such."""

    path: str
    expected: str
    given: str


class Comparison:
    """Compares messages as the contract says; `loose` notes what was right in another form."""

    def __init__(self, *, map_order: bool = True) -> None:
        self.map_order = map_order
        self.loose = False

    def first(self, expected: Any, given: Any, path: str = "") -> Difference | None:
        """The first difference in the order of the expected value."""
        return next(self._all(expected, given, path), None)

    def _all(self, expected: Any, given: Any, path: str) -> Iterator[Difference]:
        if isinstance(expected, dict) and isinstance(given, dict):
            yield from self._objects(expected, given, path)
        elif isinstance(expected, list) and isinstance(given, list):
            yield from self._lists(expected, given, path)
        elif not self._same(expected, given):
            yield Difference(path, shown(expected), shown(given))

    def _objects(self, expected: dict[str, Any], given: dict[str, Any], path: str) -> Iterator[Difference]:
        if not self.map_order and expected.get("t") == "map" == given.get("t"):
            expected, given = _sorted_map(expected), _sorted_map(given)
        for key, item in expected.items():
            if key != "name" or not _named(expected):
                yield from self._all(item, given.get(key, _MISSING), f"{path}.{key}" if path else key)
        for key in given:
            ignored = (key == "name" and _named(expected)) or (key == "v" and "bits" in expected)
            if key not in expected and not ignored:
                yield Difference(f"{path}.{key}" if path else key, shown(_MISSING), shown(given[key]))

    def _lists(self, expected: list[Any], given: list[Any], path: str) -> Iterator[Difference]:
        for index, item in enumerate(expected):
            yield from self._all(item, given[index] if index < len(given) else _MISSING, f"{path}[{index}]")
        for index in range(len(expected), len(given)):
            yield Difference(f"{path}[{index}]", shown(_MISSING), shown(given[index]))

    def _same(self, expected: Any, given: Any) -> bool:
        if type(expected) is type(given):
            return bool(expected == given)
        if isinstance(expected, str) and type(given) is int and abs(given) <= EXACT and expected == str(given):
            self.loose = True
            return True
        if type(expected) is int and isinstance(given, str) and given == str(expected):
            self.loose = True
            return True
        return False


def _named(value: dict[str, Any]) -> bool:
    """Whether `name` is the informative name of a type here."""
    return "type" in value or "cmd" in value


def _sorted_map(value: dict[str, Any]) -> dict[str, Any]:
    entries = value.get("v")
    return {**value, "v": sorted(entries, key=canonical)} if isinstance(entries, list) else value


def shown(value: Any) -> str:
    """A value for people, cut where it is long."""
    if value is _MISSING:
        return "nothing"
    try:
        text = msgspec.json.encode(value).decode()
    except (UnicodeEncodeError, OverflowError):
        text = ascii(value)
    return text if len(text) <= 200 else f"{text[:200]}... ({len(text):,} characters)"
