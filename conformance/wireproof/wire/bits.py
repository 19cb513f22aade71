"""Bit fields: one byte, most significant bit first."""

from __future__ import annotations

from dataclasses import dataclass

from wireproof.errors import BadValue
from wireproof.wire.base import Json, Rule, Wire
from wireproof.wire.heads import emit_select
from wireproof.wire.records import Element
from wireproof.wire.source import Site, Source


@dataclass(frozen=True, kw_only=True)
class Flag(Wire):
    """A bit that is a field: true or false."""

    def render(self, value: bool) -> Json:
        return value

    def parse(self, value: Json, path: str) -> bool:
        if not isinstance(value, bool):
            raise BadValue(path, "expected true or false")
        return value


@dataclass(frozen=True, kw_only=True)
class Small(Wire):
    """A number of a few bits, of which `values` are defined."""

    bits: int
    values: int

    def parse(self, value: Json, path: str) -> int:
        if type(value) is not int:
            raise BadValue(path, "expected an integer")
        return value


@dataclass(frozen=True)
class Part:
    """Some bits of the byte; a part without a name is fixed to 0."""

    bits: int
    name: str = ""
    kind: str = "zero"
    values: int = 0
    """For an enumeration: values from this one up are not defined."""
    clause: str = ""


def _small(part: Part) -> Small:
    return Small(bits=part.bits, values=part.values or 1 << part.bits, name=f"{part.bits} bits")


def zero(bits: int) -> Part:
    return Part(bits)


def flag(name: str) -> Part:
    """A bit that is a field of the record."""
    return Part(1, name, "flag")


def exists(name: str) -> Part:
    """A bit that says whether an optional field follows."""
    return Part(1, name, "exists")


def number(name: str, bits: int, values: int = 0, clause: str = "") -> Part:
    """A few bits that are a field of the record, all of them or an enumeration."""
    return Part(bits, name, "number", values, clause)


def selector(name: str, bits: int, clause: str = "") -> Part:
    """A few bits that say which message this is."""
    return Part(bits, name, "selector", clause=clause)


@dataclass(frozen=True)
class Bits(Element):
    """The parts of a byte, written as the documents write them: most significant first."""

    clause: str
    parts: tuple[Part, ...]
    rules: tuple[Rule, ...] = ()
    label: str = "bits"
    width: int = 1

    def placed(self) -> list[tuple[Part, int]]:
        """Each part with how far it stands from the least significant bit."""
        assert sum(part.bits for part in self.parts) == 8
        left = 8
        places = []
        for part in self.parts:
            left -= part.bits
            places.append((part, left))
        return places

    def holds(self) -> dict[str, Wire]:
        fields = {part.name: part for part in self.parts if part.kind in ("flag", "number")}
        return {name: Flag(name="bit") if part.kind == "flag" else _small(part) for name, part in fields.items()}

    def selector(self) -> Part | None:
        return next((part for part in self.parts if part.kind == "selector"), None)

    @property
    def code_clause(self) -> str:
        part = self.selector()
        return part.clause if part else self.clause

    @property
    def code_range(self) -> tuple[int, int]:
        part = self.selector()
        return 0, (1 << part.bits) - 1 if part else 0

    def presence(self) -> frozenset[str]:
        return frozenset(part.name for part in self.parts if part.kind == "exists")

    def read(self, out: Source, name: str, site: Site) -> None:
        out.room("1", site, f"a byte of {name}")
        out(f"{name} = buf[pos]")
        out.trace(site, self.label, name)
        self.examine(out, name, site, "pos")
        out("pos = stop")

    def write(self, out: Source, name: str, site: Site) -> None:
        self.prepare(out, name, site)
        out.put(self.packed_value(), "1", "B")

    def examine(self, out: Source, name: str, site: Site, position: str) -> None:
        """Take the byte in variable `name` apart and check its parts."""
        zeros = sum((1 << part.bits) - 1 << shift for part, shift in self.placed() if part.kind == "zero")
        if zeros:
            with out.block(f"if {name} & {zeros:#04x}:"):
                out.malformed("reserved-bits", site, f"the bits {zeros:#04x} to be 0", position)
        for part, shift in self.placed():
            mask = (1 << part.bits) - 1
            if part.kind == "flag":
                out(f"{part.name} = {name} & {mask << shift:#04x} != 0")
            elif part.kind == "exists":
                out(f"has_{part.name} = {name} & {mask << shift:#04x}")
            elif part.name:
                out(f"{part.name} = {name} >> {shift} & {mask}" if shift else f"{part.name} = {name} & {mask}")
                if part.kind == "selector":
                    emit_select(out, part.name, site.sub("", part.clause), position)
                elif part.values:
                    with out.block(f"if {part.name} >= {part.values}:"):
                        enum = site.sub("", part.clause)
                        out.malformed("unknown-enum", enum, f"{part.name} from 0 to {part.values - 1}", position)
        for rule in self.rules:
            rule.read(out, name, site, position)

    def prepare(self, out: Source, name: str, site: Site) -> None:
        """Check the parts that come from the value."""
        for part in self.parts:
            if part.kind == "number":
                with out.block(f"if not 0 <= {part.name} < {1 << part.bits}:"):
                    out.refused("out-of-range", site, f"{part.name} from 0 to {(1 << part.bits) - 1}")
                if part.values:
                    with out.block(f"if {part.name} >= {part.values}:"):
                        enum = site.sub("", part.clause)
                        out.refused("unknown-enum", enum, f"{part.name} from 0 to {part.values - 1}")
        for rule in self.rules:
            rule.write(out, name, site)

    def packed_value(self) -> str:
        terms = []
        for part, shift in self.placed():
            if part.kind == "flag":
                terms.append(f"({1 << shift:#04x} if {part.name} else 0)")
            elif part.kind == "exists":
                terms.append(f"({1 << shift:#04x} if {part.name} is not None else 0)")
            elif part.name:
                terms.append(f"{part.name} << {shift}" if shift else part.name)
        return " | ".join(terms)
