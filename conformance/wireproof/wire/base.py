"""The idea of a wire type, and how a profile chooses among them.

A wire type knows how to emit the code that reads and writes it, how its values look in
JSON, and what to call itself. Definitions may hold `Choice` and `Param` in place of a
wire type or a number; `resolve` settles them for a profile before anything is emitted,
so that no definition ever asks what the profile is.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, Self

from wireproof.wire.source import Site, Source

Json = Any
Settings = Mapping[str, Any]


@dataclass(frozen=True)
class Param:
    """What a profile parameter gives, a number or a word."""

    name: str


@dataclass(frozen=True)
class Choice:
    """What a profile parameter selects."""

    name: str
    options: tuple[tuple[Any, Any], ...]

    def pick(self, settings: Settings) -> Any:
        return dict(self.options)[settings[self.name]]


def by(parameter: str, /, options: Mapping[Any, Any] | None = None, **named: Any) -> Any:
    """The alternative that the profile's `parameter` names."""
    return Choice(parameter, tuple({**(options or {}), **named}.items()))


def where(wire: Any, rule: Rule) -> Any:
    """A wire type, or every alternative of a choice, with a rule about its values."""
    if isinstance(wire, Choice):
        return Choice(wire.name, tuple((value, where(option, rule)) for value, option in wire.options))
    return wire.where(rule)


def param(name: str) -> Any:
    """What the profile's parameter `name` gives."""
    return Param(name)


def resolve(thing: Any, settings: Settings) -> Any:
    """`thing` with every choice and parameter in it settled."""
    if isinstance(thing, Choice):
        return resolve(thing.pick(settings), settings)
    if isinstance(thing, Param):
        return settings[thing.name]
    if isinstance(thing, tuple):
        return tuple(resolve(item, settings) for item in thing)
    if isinstance(thing, Settling):
        return thing.settle(settings)
    return thing


class Settling:
    """A part of a definition whose own parts may depend on the profile (always a dataclass)."""

    def settle(self, settings: Settings) -> Any:
        parts = {part.name: getattr(self, part.name) for part in fields(self)}  # type: ignore[arg-type]
        settled = {name: resolve(part, settings) for name, part in parts.items()}
        return replace(self, **settled)  # type: ignore[type-var]


@dataclass(frozen=True)
class Rule(Settling):
    """A rule about the meaning of a value.

    `broken` is a Python condition in which `{0}` stands for the value and `{1}`, `{2}`
    for profile parameters in `given`; it may name fields read before it. `at` is where
    a rejection points, if not at the value: `start` is the first byte of the unit.
    `mend` is an expression for a value that keeps the rule, used to generate values; it
    goes to the fields in `mends` if the rule is not about one field alone.
    """

    broken: str
    error: str
    clause: str
    expected: str
    given: tuple[Any, ...] = ()
    at: str = ""
    mend: str = ""
    mends: tuple[str, ...] = ()

    def mended(self, value: Any, context: Mapping[str, Any]) -> Any:
        """`value` if it keeps the rule, else one that does; `context` holds the fields before it."""
        names = {**context, "it": value}
        if not eval(self.broken.format("it", *self.given), {}, names):
            return value
        return eval(self.mend.format("it", *self.given), {}, names)

    def read(self, out: Source, value: str, site: Site, position: str = "pos") -> None:
        with out.block(f"if {self.broken.format(value, *self.given)}:"):
            out.malformed(self.error, site.sub("", self.clause), self.expected, self.at or position)

    def write(self, out: Source, value: str, site: Site) -> None:
        with out.block(f"if {self.broken.format(value, *self.given)}:"):
            out.refused(self.error, site.sub("", self.clause), self.expected)


@dataclass(frozen=True, kw_only=True)
class Wire(Settling):
    """One way of putting a value on the wire.

    Emitted code works on `buf`, reads at `pos`, must stay before `end`, and leaves
    `pos` after the value. An error is raised while `pos` still points at the value.
    """

    name: str = ""
    clause: str = ""
    rules: tuple[Rule, ...] = ()

    @property
    def label(self) -> str:
        return self.name or type(self).__name__.lower()

    @property
    def width(self) -> int | None:
        """The number of bytes, where it is the same for every value."""
        return None

    @property
    def letter(self) -> str:
        """What the `struct` module calls it, if it knows it: such fields are read together."""
        return ""

    def where(self, *rules: Rule) -> Self:
        """The same wire type with rules about its values."""
        return replace(self, rules=self.rules + rules)

    def read(self, out: Source, target: str, site: Site) -> None:
        raise TypeError(f"{self.label} cannot be read by itself")

    def write(self, out: Source, value: str, site: Site) -> None:
        raise TypeError(f"{self.label} cannot be written by itself")

    def render(self, value: Any) -> Json:
        """A value as it stands in a message's JSON form."""
        return value

    def parse(self, value: Json, path: str) -> Any:
        """The reverse of `render`; `BadValue` for the wrong shape."""
        raise TypeError(f"{self.label} has no JSON form")

    def site(self, site: Site) -> Site:
        """Errors of this type's own making cite its clause, if it has one."""
        return site.sub("", self.clause)

    def check(self, out: Source, target: str, site: Site, position: str = "pos") -> None:
        for rule in self.rules:
            rule.read(out, target, site, position)

    def check_written(self, out: Source, value: str, site: Site) -> None:
        for rule in self.rules:
            rule.write(out, value, site)
