"""The heads of units: magic, lengths, selectors, and numbers among them.

A head is read in blocks: nothing in a block is examined until all of it is there, and
everything that can be decided from it is decided before the next is waited for. The
elements of a block are numbers of fixed width, taken apart in one go.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from wireproof.wire.base import Rule
from wireproof.wire.numbers import Fixed
from wireproof.wire.packing import cached_struct, struct_name
from wireproof.wire.pieces import Piece
from wireproof.wire.records import Element, Step
from wireproof.wire.source import Site, Source


@dataclass(frozen=True)
class Magic(Element):
    """Fixed bytes at the start of a unit, each examined as it comes."""

    text: bytes
    clause: str
    label: str = "magic"


@dataclass(frozen=True)
class HeadNumber(Element):
    """A number in a head that is not a field of the record."""

    wire: Fixed
    clause: str

    @property
    def label(self) -> str:
        return self.wire.label

    def examine(self, out: Source, name: str, site: Site, position: str) -> None:
        raise NotImplementedError

    def prepare(self, out: Source, name: str, site: Site) -> None:
        """Check, before anything is written, what of this element comes from the value."""


@dataclass(frozen=True)
class Select(HeadNumber):
    """The number that says which message this is."""

    rules: tuple[Rule, ...] = ()

    @property
    def code_clause(self) -> str:
        return self.clause

    @property
    def code_range(self) -> tuple[int, int]:
        return self.wire.low, self.wire.high

    def examine(self, out: Source, name: str, site: Site, position: str) -> None:
        emit_select(out, name, site, position)
        for rule in self.rules:
            rule.read(out, name, site, position)

    def prepare(self, out: Source, name: str, site: Site) -> None:
        for rule in self.rules:
            rule.write(out, name, site)


def emit_select(out: Source, name: str, site: Site, position: str) -> None:
    inside = f" if {name} < {out.codes} else None" if out.codes else ""
    out(f"reader = READ[{name}]{inside}")
    with out.block("if reader is None:"):
        out.malformed("unknown-type", site, out.names["KNOWN_TYPES"], position)


@dataclass(frozen=True)
class Length(HeadNumber):
    """The size of a container that comes later in the unit.

    `counts` is what the number counts beside that container: a Python expression over
    names of the head. Below it no size is left, which is a length-mismatch.
    """

    of: str = "content"
    counts: str = "0"
    limit: Any = None
    unless: str = ""
    """A condition under which this length is not on the wire and the container is empty."""

    def examine(self, out: Source, name: str, site: Site, position: str) -> None:
        if self.wire.signed:
            with out.block(f"if {name} < 0:"):
                out.malformed("negative-length", site, "a length of 0 or more", position)
        if self.counts != "0":
            with out.block(f"if {name} < {self.counts}:"):
                out.malformed("length-mismatch", site, f"at least {self.counts}", position)
        if self.limit is not None:
            with out.block(f"if {name} > {self.limit}:"):
                out.malformed("limit-exceeded", site, f"at most {self.limit}", position)

    def container_size(self, name: str) -> str:
        """An expression for the size of the container."""
        return name if self.counts == "0" else f"{name} - {_operand(self.counts)}"

    def compute(self, out: Source, name: str, size: str, site: Site) -> None:
        """Set `name` from the size of the written container."""
        plus = "" if self.counts == "0" else f" + {self.counts}"
        out(f"{name} = {size}{plus}")
        with out.block(f"if {name} > {self.most}:"):
            out.refused("limit-exceeded", site, f"at most {self.most}")

    @property
    def most(self) -> int:
        return min(self.wire.high, self.limit if self.limit is not None else self.wire.high)

    def constant(self, size: str) -> str:
        """The number itself, where the size of the container is always the same and allowed."""
        if not size.isdigit() or not self.counts.isdigit():
            return ""
        number = int(size) + int(self.counts)
        return str(number) if number <= self.most else ""


def _operand(expression: str) -> str:
    return f"({expression})" if " " in expression else expression


@dataclass
class Head:
    """The head steps of a unit, cut into blocks."""

    steps: list[Step]
    blocks: tuple[str, ...]
    key: str
    sections: list[list[Step]] = field(init=False)
    """The blocks in order; the last one is read together with the containers."""

    def __post_init__(self) -> None:
        self.sections = [[]]
        for step in self.steps:
            if step.wire is None:
                continue
            if isinstance(step.wire, Length) and step.wire.unless:
                self.sections += [[step], []]
                continue
            self.sections[-1].append(step)
            if step.name in self.blocks:
                self.sections.append([])
        self.sections = [section for section in self.sections[:-1] if section] + [self.sections[-1]]

    def site(self, step: Step) -> Site:
        return Site(f"{self.key}.{step.name}", step.clause)

    def lengths(self) -> list[Step]:
        return [step for step in self.steps if isinstance(step.wire, Length)]

    def is_plain(self) -> bool:
        """Whether the blocks before the last are numbers and nothing else."""
        steps = [step for section in self.sections[:-1] for step in section]
        return all(not isinstance(step.wire, Magic) and not getattr(step.wire, "unless", "") for step in steps)

    def total(self) -> str:
        """How many bytes the rest of the unit has after the last block: often just what its one length says."""
        lengths = self.lengths()
        fixed = self.size(self.sections[-1])
        if len(lengths) == 1 and lengths[0].wire.counts == str(fixed) and not lengths[0].wire.unless:
            return lengths[0].name
        return " + ".join(([str(fixed)] if fixed else []) + [self.size_name(step) for step in lengths])

    def size_name(self, step: Step) -> str:
        """The variable that holds the size of a container: its length itself, if that counts nothing else."""
        name = f"{step.wire.of}_size"
        named = step.wire.counts != "0" or step.wire.unless or any(name in s.wire.counts for s in self.lengths())
        return name if named else step.name

    def size(self, section: list[Step]) -> int:
        return sum(number_of(step).width for step in section)

    def read(self, out: Source, section: list[Step]) -> None:
        """Emit code that takes a block apart and examines it; its bytes are there."""
        numbers = [number_of(step) for step in section]
        if all(number.letter for number in numbers):
            unpack_together(out, [step.name for step in section], numbers)
        else:
            self._unpack_one_by_one(out, section, numbers)
        place = 0
        for step, number in zip(section, numbers, strict=True):
            position = f"pos + {place}" if place else "pos"
            place += number.width
            if out.traced:
                path, clause = self.site(step).literal, step.clause
                out(f'note({position}, pos + {place}, {path}, "{step.wire.label}", {step.name}, "{clause}")')
            if isinstance(step.wire, Element):
                step.wire.examine(out, step.name, self.site(step), position)  # type: ignore[attr-defined]
                if isinstance(step.wire, Length) and step.name not in (self.total(), self.size_name(step)):
                    out(f"{step.wire.of}_size = {step.wire.container_size(step.name)}")
            else:
                step.wire.check(out, step.name, self.site(step), position)
        if place:
            out(f"pos += {place}")

    def _unpack_one_by_one(self, out: Source, section: list[Step], numbers: list[Fixed]) -> None:
        place = 0
        for step, number in zip(section, numbers, strict=True):
            start, place = place, place + number.width
            out(f'{step.name} = int.from_bytes(buf[pos + {start}:pos + {place}], "{number.order}")')

    def pieces(self, constants: dict[str, str]) -> list[Piece]:
        """The bytes of the head, all names being set."""
        pieces = []
        for step in self.steps:
            if isinstance(step.wire, Magic):
                size = len(step.wire.text)
                pieces.append(Piece(repr(step.wire.text), str(size), f"{size}s"))
            elif step.wire is not None and _is_written(step, constants):
                number = number_of(step)
                value = constants.get(step.name, _value(step))
                pieces.append(Piece(value, str(number.width), number.letter, number.order if number.width > 1 else ""))
        return pieces


def _is_written(step: Step, constants: dict[str, str]) -> bool:
    """A length may be left out for some messages."""
    if isinstance(step.wire, Length) and step.wire.unless:
        return not eval(step.wire.unless, {}, {name: int(value) for name, value in constants.items()})
    return True


def number_of(step: Step) -> Fixed:
    """The number a head step is on the wire."""
    if isinstance(step.wire, Fixed):
        return step.wire
    return step.wire.wire if isinstance(step.wire, HeadNumber) else Fixed(bits=8)


def _value(step: Step) -> str:
    packed = getattr(step.wire, "packed_value", None)
    return packed() if packed else step.name


def unpack_together(out: Source, names: list[str], numbers: list[Fixed]) -> None:
    if len(numbers) == 1 and numbers[0].letter == "B":
        out(f"{names[0]} = buf[pos]")
    elif numbers:
        order = next((number.order for number in numbers if number.width > 1), "big")
        code = (">" if order == "big" else "<") + "".join(number.letter for number in numbers)
        unpack = out.const(f"unpack_{struct_name(code)}", cached_struct(code).unpack_from)
        targets = f"({names[0]},)" if len(names) == 1 else ", ".join(names)
        out(f"{targets} = {unpack}(buf, pos)")
