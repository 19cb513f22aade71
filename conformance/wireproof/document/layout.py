"""The layout part of a protocol's page: head, messages, records and types, from the definitions alone.

What a profile changes is found by comparing: the rows of `standard` with the rows of
every profile that differs from it in one parameter.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wireproof.codec import protocol
from wireproof.definition import Plan, plan
from wireproof.document.rows import Row, inner_rows, rows, same_names
from wireproof.document.words import on_the_wire, parts
from wireproof.profile import Parameter, parameters, settings
from wireproof.values import Shape
from wireproof.wire.base import resolve
from wireproof.wire.heads import Magic
from wireproof.wire.numbers import Number
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Struct
from wireproof.wire.runs import Run
from wireproof.wire.var import Bool, VarType


@dataclass(frozen=True)
class Variant:
    """A profile that differs from `standard` in one parameter."""

    parameter: Parameter
    value: Any
    plan: Plan

    def says(self, difference: str) -> str:
        if self.parameter.values is None:
            return f"{SET_BY}`{self.parameter.name}`"
        return f"{self.label}: {difference}"

    @property
    def label(self) -> str:
        return f"`{self.parameter.name}={self.value}`"

    @property
    def meaning(self) -> str:
        return (self.parameter.values or {}).get(self.value, "")


SET_BY = "set by "


def merged(notes: list[str]) -> list[str]:
    """Notes of which at most one says which numbers of the profile are behind a row."""
    setting = [note.removeprefix(SET_BY) for note in notes if note.startswith(SET_BY)]
    others = [note for note in notes if not note.startswith(SET_BY)]
    return others + ([SET_BY + ", ".join(setting)] if setting else [])


class Layout:
    """A protocol in one direction under `standard`, with all that a parameter can change."""

    def __init__(self, name: str, direction: str) -> None:
        self.protocol = protocol(name)
        self.direction = direction
        self.plan = plan(self.protocol, settings(name), direction)

    @cached_property
    def variants(self) -> list[Variant]:
        name = self.protocol.name
        return [
            Variant(parameter, value, plan(self.protocol, settings(name, {parameter.name: value}), self.direction))
            for parameter in parameters(name).values()
            for value in other_values(parameter)
        ]

    def head_rows(self) -> list[Row]:
        return with_variants(rows(self.plan.head.steps), [(each, rows(each.plan.head.steps)) for each in self.variants])

    def message_rows(self, message: MessagePlan) -> list[Row]:
        others = [(each, inner_rows(other)) for each, other in self.twins(message) if same_names(message, other)]
        return with_variants(inner_rows(message), others)

    def message_notes(self, message: MessagePlan) -> Iterator[str]:
        """Profiles under which the message has other fields altogether."""
        for each, other in self.twins(message):
            if not same_names(message, other):
                fields = ", ".join(f"`{row.name}` ({row.type}, {row.bytes})" for row in inner_rows(other))
                yield each.says(f"{fields or 'nothing'} instead")

    def twins(self, message: MessagePlan) -> Iterator[tuple[Variant, MessagePlan]]:
        for each in self.variants:
            for other in each.plan.messages:
                if other.code == message.code:
                    yield each, other

    def records(self) -> list[Struct]:
        return list(structs(self.plan).values())

    def record_rows(self, struct: Struct) -> list[Row]:
        others = [(each, structs(each.plan)) for each in self.variants]
        return with_variants(
            rows(list(struct.steps)), [(each, rows(list(found[struct.record].steps))) for each, found in others]
        )

    def types(self) -> dict[str, list[str]]:
        """Every basic type that is used: its line, then what other profiles make of it."""
        standard = type_lines(self.plan)
        lines = {label: [line] for label, line in standard.items()}
        for each in self.variants:
            for label, line in type_lines(each.plan).items():
                if label not in standard:
                    lines.setdefault(label, [f"{line}; only under {each.label}"])
                elif line != standard[label]:
                    lines[label].append(each.says(line))
        return lines

    def wires(self) -> Iterator[Any]:
        return wires(self.plan)

    def var(self) -> VarType | None:
        return var_of(self.plan)

    def var_notes(self) -> Iterator[str]:
        """What other profiles make of the counts and keys of a Var."""
        for each in self.variants:
            standard, other = self.var(), var_of(each.plan)
            if standard and other:
                same_count = standard.count.label == other.count.label
                if not same_count or standard.dup_keys != other.dup_keys:
                    yield each.says(each.meaning)

    def blocks(self) -> list[str]:
        return blocks(self.plan)

    def block_notes(self) -> Iterator[str]:
        for each in self.variants:
            if blocks(each.plan) != self.blocks():
                yield each.says(" / ".join(blocks(each.plan)))

    def container_notes(self) -> Iterator[str]:
        """What stands in which of several containers, where there are several."""
        names = [step.wire.of for step in self.plan.head.lengths()]
        standard = resolve(self.protocol.unit.containers, self.plan.settings)
        if len(names) > 1:
            yield _containers(names, standard)
            for each in self.variants:
                other = resolve(self.protocol.unit.containers, each.plan.settings)
                if other != standard:
                    yield each.says(_containers(names, other))

    def skeleton(self, message: MessagePlan) -> str:
        """The JSON form of a message, its fields left blank."""
        layout = Shape(self.plan, message).layout
        pairs = [f'"{key}": {json.dumps(constant) if wire is None else "…"}' for key, constant, wire in layout]
        inside = "{" + ", ".join(pairs) + "}"
        return f'{{"{self.plan.key}": {inside}}}' if self.plan.key else inside


def other_values(parameter: Parameter) -> list[Any]:
    """The alternatives of a parameter; for a number one other value is enough to see what it sets."""
    if parameter.map is not None:
        low, high = parameter.map.keys
        return [dict.fromkeys(range(low, high + 1), parameter.map.values[0])]
    if parameter.range is not None:
        low, high = parameter.range
        return [low if parameter.default != low else high]
    return parameter.alternatives()


def with_variants(standard: list[Row], others: list[tuple[Variant, list[Row]]]) -> list[Row]:
    """The rows of `standard`, each with what other profiles say of it."""
    extra: dict[str, list[str]] = {row.name: [] for row in standard}
    by_name = {row.name: row for row in standard}
    for variant, found in others:
        for row in found:
            if row.name in by_name and (difference := by_name[row.name].difference(row)):
                extra[row.name].append(variant.says(difference))
    for row in standard:
        row.notes += merged(extra[row.name])
    return standard


def wires(plan: Plan) -> Iterator[Any]:
    """Every wire type of a plan, in the order of first use."""
    for step in plan.head.steps:
        yield from parts(step.wire)
    for message in plan.messages:
        for container in message.containers:
            for step in container:
                yield from parts(step.wire)


def var_of(plan: Plan) -> VarType | None:
    return next((wire for wire in wires(plan) if isinstance(wire, VarType)), None)


def containers(plan: Plan) -> str:
    return " and ".join(f"`{step.wire.of}`" for step in plan.head.lengths())


def blocks(plan: Plan) -> list[str]:
    """What is waited for together, in order."""
    found = []
    for section in plan.head.sections[:-1]:
        magic = ", each byte by itself" if isinstance(section[0].wire, Magic) else ""
        unless = getattr(section[-1].wire, "unless", "")
        absent = f", not there if {unless.replace('!=', 'is not')}" if unless else ""
        found.append(", ".join(f"`{step.name}`" for step in section) + magic + absent)
    last = [f"`{step.name}`" for step in plan.head.sections[-1]] + [containers(plan)]
    return [*found, ", ".join(last)]


def structs(plan: Plan) -> dict[type, Struct]:
    return {wire.record: wire for wire in wires(plan) if isinstance(wire, Struct)}


def type_lines(plan: Plan) -> dict[str, str]:
    """What each label stands for; a document may use a word like bytes in two ways."""
    lines: dict[str, list[str]] = {}
    for wire in wires(plan):
        if isinstance(wire, Number | Run | Bool | VarType):
            lines.setdefault(wire.label, []).append(on_the_wire(wire))
    return {label: "; elsewhere ".join(dict.fromkeys(found)) for label, found in lines.items()}


def _containers(names: list[str], layout: tuple[tuple[str, ...], ...]) -> str:
    words = []
    for name, fields in zip(names, layout, strict=True):
        inside = ["the fields of the message" if inner == "*" else f"the field `{inner}`" for inner in fields]
        words.append(f"`{name}` holds {' and then '.join(inside)}")
    return ", ".join(words)
