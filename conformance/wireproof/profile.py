"""Profiles: what an implementation declares where its document leaves a choice.

`vectors/<protocol>/profile.yaml` names each parameter once, with its values, its
default and why; the defaults together are the profile `standard`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec

from wireproof.data import read_yaml
from wireproof.errors import BadProfile

Settings = dict[str, Any]


class MapRange(msgspec.Struct, frozen=True):
    """A parameter that gives words to numbers."""

    keys: tuple[int, int]
    values: tuple[str, ...]


class Parameter(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One choice: enumerated `values`, an integer `range`, or a `map` from numbers to words."""

    name: str
    default: Any
    basis: str
    effect: str
    settles: list[str]
    reason: str
    values: dict[str | int, str] | None = None
    range: tuple[int, int] | None = None
    map: MapRange | None = None
    meaning: str = ""

    def accept(self, value: Any) -> Any:
        """`value` in the form the codecs use, or BadProfile."""
        if self.map is not None:
            return self._accept_map(value, self.map)
        if self.values is not None:
            if type(value) in (str, int) and value in self.values:
                return value
            raise BadProfile(f"{self.name} is one of {', '.join(map(str, self.values))}, not {value!r}")
        low, high = self.range or (0, 0)
        if type(value) is int and low <= value <= high:
            return value
        raise BadProfile(f"{self.name} is an integer from {low} to {high}, not {value!r}")

    def _accept_map(self, value: Any, allowed: MapRange) -> tuple[tuple[int, str], ...]:
        low, high = allowed.keys
        if not isinstance(value, Mapping):
            raise BadProfile(f"{self.name} maps numbers to {' or '.join(allowed.values)}")
        pairs = []
        for key, word in value.items():
            number = _number(key) if isinstance(key, str) else key
            if type(number) is not int or not low <= number <= high or word not in allowed.values:
                raise BadProfile(f"{self.name} maps {low} to {high} to {' or '.join(allowed.values)}, not {key!r}")
            pairs.append((number, str(word)))
        return tuple(sorted(pairs))

    def from_text(self, text: str) -> Any:
        """The value written as text (`little`, `64`, `0xC1`, `128:header,129:body`)."""
        if self.map is not None:
            pairs = [pair.partition(":") for pair in text.split(",") if pair]
            named = {key.strip(): word.strip() for key, _, word in pairs}
            self.accept(named)
            return named
        if self.values is not None and text in self.values:
            return text
        try:
            return self.accept(int(text, 0))
        except ValueError:
            return self.accept(text)

    def alternatives(self) -> list[Any]:
        """The enumerated values other than the default."""
        return [value for value in self.values or () if value != self.default]


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


class OpenPoint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something a document leaves open, and what this suite makes of it."""

    id: str
    title: str
    clauses: list[str]
    question: str
    handling: str
    level: str
    reading: str
    reason: str
    parameter: str | list[str] | None = None
    inferred: bool = False


class ProfileFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a `profile.yaml`."""

    protocol: str
    parameters: list[Parameter]
    open_points: list[OpenPoint]


@cache
def profile_file(protocol: str) -> ProfileFile:
    return msgspec.convert(read_yaml(protocol, "profile.yaml"), ProfileFile)


def parameters(protocol: str) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in profile_file(protocol).parameters}


def settings(protocol: str, changes: Mapping[str, Any] | None = None) -> Settings:
    """The profile `standard` with some parameters changed; BadProfile for what does not exist."""
    known = parameters(protocol)
    chosen = {name: parameter.accept(parameter.default) for name, parameter in known.items()}
    for name, value in (changes or {}).items():
        chosen[name] = _parameter(protocol, known, name).accept(value)
    return chosen


def alternatives(protocol: str) -> list[Settings]:
    """Every way to differ from `standard` in one enumerated parameter that changes the bytes."""
    return [
        {parameter.name: value}
        for parameter in profile_file(protocol).parameters
        if parameter.effect == "codec"
        for value in parameter.alternatives()
    ]


def changes_from_text(protocol: str, assignments: tuple[str, ...]) -> Settings:
    """What `--set name=value` options say."""
    known = parameters(protocol)
    changes = {}
    for assignment in assignments:
        name, equals, text = assignment.partition("=")
        if not equals:
            raise BadProfile(f"write --set parameter=value, not {assignment!r}")
        changes[name] = _parameter(protocol, known, name).from_text(text)
    return changes


def _parameter(protocol: str, known: dict[str, Parameter], name: str) -> Parameter:
    if name not in known:
        raise BadProfile(f"{protocol} has no parameter {name!r}; it has {', '.join(known)}")
    return known[name]
