"""Records: what a decoded message is, and the steps its bytes are read in.

A record class is both the light object a decoder yields and the definition it is
compiled from. Its annotations, in order, are the steps on the wire:

    topics: Annotated[tuple[str, ...], Counted(...), "COMET-3.9"]   a field with its wire type and clause
    mode: int                                                       a field that lives in the bits of another step
    option: ClassVar[Bits] = Bits(...)                              a step that is no field
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, dataclass_transform, get_args, get_origin

import msgspec

from wireproof.errors import BadValue, Malformed
from wireproof.wire.base import Json, Settings, Settling, Wire, resolve
from wireproof.wire.packing import cached_struct, struct_name
from wireproof.wire.source import Site, Source


class Element(Settling):
    """A step that is not a field of the record: it reads into, or computes from, other names."""

    clause: str

    def read(self, out: Source, name: str, site: Site) -> None:
        raise NotImplementedError

    def write(self, out: Source, name: str, site: Site) -> None:
        raise NotImplementedError

    def finish(self, out: Source, name: str, site: Site) -> None:
        """Emitted after the last step of the record has been written."""

    def holds(self) -> dict[str, Wire]:
        """The record's fields that live inside this step."""
        return {}

    def presence(self) -> frozenset[str]:
        """The optional fields whose presence this step announces."""
        return frozenset()


@dataclass_transform(frozen_default=True, field_specifiers=(msgspec.field,))
class RecordMeta(msgspec.StructMeta):
    """Takes the definition's own class keywords beside those of msgspec."""

    def __new__(mcls, name: str, bases: tuple[type, ...], space: dict[str, Any], /, **keywords: Any) -> Any:
        own = {key: keywords.pop(key) for key in tuple(keywords) if key not in _MSGSPEC_KEYWORDS}
        cls: Any = super().__new__(mcls, name, bases, space, **keywords)
        cls.keywords = {**getattr(cls, "keywords", {}), **own}
        return cls


_MSGSPEC_KEYWORDS = frozenset({"frozen", "gc", "eq", "order", "kw_only"})


class Record(msgspec.Struct, metaclass=RecordMeta, frozen=True, gc=False):
    """A decoded thing with named fields."""

    keywords: ClassVar[dict[str, Any]]


@dataclass(frozen=True)
class Step:
    """One annotation of a record class."""

    name: str
    wire: Any
    """A `Wire` for a field on the wire, an `Element` for a step that is no field, None for a field inside one."""
    clause: str
    optional: bool = False

    @property
    def is_field(self) -> bool:
        return not isinstance(self.wire, Element)


def steps_of(record: type, settings: Settings) -> list[Step]:
    """The steps of a record class, base classes first, settled for a profile."""
    steps: list[Step] = []
    for cls in reversed(record.__mro__):
        for name, annotation in getattr(cls, "__annotations__", {}).items() if issubclass(cls, Record) else ():
            if isinstance(annotation, str):
                if annotation.startswith("ClassVar"):
                    continue  # of Record and Unit themselves
                raise TypeError(f"{cls.__name__}.{name}: a definition's annotations must not be postponed")
            if get_origin(annotation) is ClassVar:
                wire = resolve(vars(cls).get(name), settings)
                if isinstance(wire, Element):
                    steps.append(Step(name, wire, wire.clause))
            elif get_origin(annotation) is Annotated:
                _, wire, clause = get_args(annotation)
                steps.append(Step(name, resolve(wire, settings), clause))
            else:
                steps.append(Step(name, None, ""))
    present = frozenset[str]().union(*(step.wire.presence() for step in steps if isinstance(step.wire, Element)))
    return [replace(step, optional=step.name in present) for step in steps]


def field_wires(steps: list[Step]) -> dict[str, Wire]:
    """The wire type of every field of a record, wherever it lives."""
    inside: dict[str, Wire] = {}
    for step in steps:
        if isinstance(step.wire, Element):
            inside.update(step.wire.holds())
    return {step.name: step.wire or inside[step.name] for step in steps if step.is_field}


def read_steps(out: Source, steps: list[Step], prefix: str) -> None:
    """Emit code that reads the steps into variables of the fields' names."""
    for step in _grouped(out, steps, prefix):
        site = Site(prefix + step.name, step.clause)
        if step.wire is None:
            continue
        if step.optional:
            with out.block(f"if has_{step.name}:"):
                step.wire.read(out, step.name, site)
            with out.block("else:"):
                out(f"{step.name} = None")
        else:
            step.wire.read(out, step.name, site)


def _grouped(out: Source, steps: list[Step], prefix: str) -> Iterator[Step]:
    """Read neighbouring fields of fixed size in one go; what is left is to be read one by one."""
    group: list[Step] = []
    for step in [*steps, Step("", None, "")]:
        together = step.wire is not None and not out.traced and _can_be_grouped(step)
        if together and (not group or len({each.wire.order for each in [*group, step]} - {""}) == 1):
            group.append(step)
            continue
        if len(group) > 1:
            _read_group(out, group, prefix)
        else:
            yield from group
        group = [step] if together else []
        if not together and step.name:
            yield step


def _can_be_grouped(step: Step) -> bool:
    return isinstance(step.wire, Wire) and bool(step.wire.letter) and not step.wire.rules and not step.optional


def _read_group(out: Source, group: list[Step], prefix: str) -> None:
    code = {"little": "<"}.get(next((s.wire.order for s in group if s.wire.order), ""), ">")
    code += "".join(step.wire.letter for step in group)
    out(f"stop = pos + {sum(step.wire.width for step in group)}")
    if not out.fits:
        with out.block(f"if stop > {out.end}:"):
            fields = (_misfit(step, prefix) for step in group)
            out(f"raise {out.const('first_overrun', first_overrun)}(pos, {out.end}, {', '.join(fields)})")
    unpack = out.const("unpack_" + struct_name(code), cached_struct(code).unpack_from)
    out(f"{', '.join(step.name for step in group)} = {unpack}(buf, pos)", "pos = stop")


def _misfit(step: Step, prefix: str) -> str:
    site = step.wire.site(Site(prefix + step.name, step.clause))
    return f'({step.wire.width}, "{site.clause}", {site.literal}, "{step.wire.label}")'


def first_overrun(pos: int, end: int, *fields: tuple[int, str, str, str]) -> Malformed:
    """The error of the first of several fields that does not fit."""
    for size, clause, path, label in fields:
        if pos + size > end:
            return Malformed("overrun", clause, pos, path, f"{size} bytes of {label}")
        pos += size
    raise ValueError("all the fields fit")


def write_steps(out: Source, steps: list[Step], prefix: str) -> None:
    """Emit code that writes the fields' variables."""
    for step in steps:
        site = Site(prefix + step.name, step.clause)
        if step.wire is None:
            continue
        if step.optional:
            with out.branch(f"if {step.name} is not None:"):
                step.wire.write(out, step.name, site)
        else:
            step.wire.write(out, step.name, site)
    for step in steps:
        if isinstance(step.wire, Element):
            step.wire.finish(out, step.name, Site(prefix + step.name, step.clause))


@dataclass(frozen=True, kw_only=True)
class Struct(Wire):
    """A record inside a message: its fields, one after the other."""

    record: type[Record]
    steps: tuple[Step, ...] = ()

    def settle(self, settings: Settings) -> Struct:
        return replace(self, steps=tuple(steps_of(self.record, settings)))

    @property
    def label(self) -> str:
        return self.name or self.record.__name__

    @property
    def width(self) -> int | None:
        return width_of(list(self.steps))

    def read(self, out: Source, target: str, site: Site) -> None:
        read_steps(out, list(self.steps), site.path + ".")
        names = ", ".join(step.name for step in self.steps if step.is_field)
        out(f"{target} = {out.const(self.record.__name__, self.record)}({names})")

    def write(self, out: Source, value: str, site: Site) -> None:
        for step in self.steps:
            if step.is_field:
                out(f"{step.name} = {value}.{step.name}")
        write_steps(out, list(self.steps), site.path + ".")

    def render(self, value: Any) -> Json:
        return render_fields(field_wires(list(self.steps)), value)

    def parse(self, value: Json, path: str) -> Any:
        return self.record(**parse_fields(list(self.steps), value, path))


def width_of(steps: list[Step]) -> int | None:
    total = 0
    for step in steps:
        size = step.wire.width if isinstance(step.wire, Wire) else 0 if step.wire is None else 1
        if size is None or step.optional:
            return None
        total += size
    return total


def render_fields(wires: dict[str, Wire], record: Any) -> dict[str, Json]:
    values = ((name, wire, getattr(record, name)) for name, wire in wires.items())
    return {name: wire.render(value) for name, wire, value in values if value is not None}


def parse_fields(steps: list[Step], value: Json, path: str, ignored: frozenset[str] = frozenset()) -> dict[str, Any]:
    """The fields of a record from a JSON object that must have exactly their keys."""
    if not isinstance(value, dict):
        raise BadValue(path, "expected an object")
    wires = field_wires(steps)
    optional = {step.name for step in steps if step.optional}
    for key in value:
        if key not in wires and key not in ignored:
            raise BadValue(f"{path}.{key}" if path else key, f"no such key; known are {', '.join(wires) or 'none'}")
    for key in wires:
        if key not in value and key not in optional:
            raise BadValue(path, f"the key {key!r} is missing")
    return {
        key: wire.parse(value[key], f"{path}.{key}" if path else key) if key in value else None
        for key, wire in wires.items()
    }
