"""Which boundaries the messages of a codec have, and which vectors take them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from wireproof.codec import Codec
from wireproof.suite.boundaries import (
    ANY,
    Boundary,
    demanded,
    demanded_of_var,
    keeps,
    label,
    observed_fields,
    values,
)
from wireproof.suite.model import Vector
from wireproof.wire.base import Wire
from wireproof.wire.bits import Bits
from wireproof.wire.heads import Length, Select
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Step, field_wires
from wireproof.wire.units import entries
from wireproof.wire.var import VarType

HEAD: Final = "head"
"""Where fields stand that all messages share: they are asked for once, not in each message."""
LIMIT: Final = "the declared limit"
UNIT_LENGTH: Final = re.compile(r"\w+(?:\[\d+\])?\.(\w+)")


def demands(codec: Codec) -> list[Boundary]:
    """Every boundary that the definitions of a codec have, in their order."""
    found = [*_head(codec), *(boundary for plan in codec.plan.messages for boundary in _message(codec, plan))]
    for wire in _var_types(codec):
        found += demanded_of_var(wire)
    return list(dict.fromkeys(found))


def taken(codec: Codec, vectors: Iterable[Vector]) -> dict[Boundary, str]:
    """The boundaries (and other values) that accepted vectors take, with the first vector that does.

    A limit is reached as well under a profile that makes it small.
    """
    found: dict[Boundary, str] = {}
    for vector in vectors:
        boundaries = _lengths(vector.codec, vector.data) if vector.profile else _observed(codec, vector.data)
        for boundary in boundaries:
            if not vector.profile or boundary[1] == LIMIT:
                found.setdefault(boundary, vector.id)
    return found


def _shared(codec: Codec) -> frozenset[str]:
    return frozenset(codec.plan.protocol.unit.__struct_fields__)


def _steps(codec: Codec, plan: MessagePlan) -> list[Step]:
    return codec.plan.head.steps + [step for container in plan.containers for step in container]


def _wires(codec: Codec, plan: MessagePlan) -> dict[str, Wire]:
    wires = field_wires(_steps(codec, plan))
    return {name: wires[name] for name in plan.fields}


def _head(codec: Codec) -> Iterator[Boundary]:
    """The lengths in the head, the fields that every message has, and numbers without a message."""
    for step in codec.plan.head.steps:
        if isinstance(step.wire, Length):
            edges = _length_values(step.wire, _least_size(codec, step.wire))
            yield from ((f"{HEAD}.{step.name}", edge) for edge in edges)
    shared, chosen = _shared(codec), set(_chosen_by_number(codec))
    for name, wire in _wires(codec, codec.plan.messages[0]).items():
        if name in shared and name not in chosen:
            yield from demanded(wire, f"{HEAD}.{name}")
    if codec.plan.protocol.sequence is not None:
        yield from ((f"{HEAD}.type", str(code)) for code in _ends_of_ranges(codec))


def _length_values(length: Length, least: int) -> Iterator[str]:
    """From the least to the most a length can say, and where a byte of it is full."""
    edges = [least, 255, 256, 65535, 65536] + [length.most] * (length.limit is None)
    yield from dict.fromkeys(str(edge) for edge in edges if edge <= length.most)
    if length.limit is not None:
        yield LIMIT


def _least_size(codec: Codec, length: Length) -> int:
    """What a length says of the smallest message there is."""
    place = 0 if length.of == "head" else -1
    containers = [plan.containers[place] for plan in codec.plan.messages]
    sizes = [sum(step.wire.width or 0 for step in steps if isinstance(step.wire, Wire)) for steps in containers]
    return min(sizes) + (int(length.counts) if length.counts.isdigit() else 0)


def _ends_of_ranges(codec: Codec) -> Iterator[int]:
    """The first and the last number of each range of types that are kept as they are."""
    table = entries(codec.plan)
    kept = [code for code, entry in sorted(table.items()) if entry.reader == "read_opaque"]
    for span in codec.plan.protocol.sequence.spans:
        yield from (code for code in (span.first, span.last) if code in kept)


def _chosen_by_number(codec: Codec) -> Iterator[str]:
    """Fields of the head whose values depend on which message it is."""
    for step in codec.plan.head.steps:
        if isinstance(step.wire, Bits | Select):
            yield from (name for rule in step.wire.rules for name in rule.mends)


def _message(codec: Codec, plan: MessagePlan) -> Iterator[Boundary]:
    yield plan.title, ANY
    shared, chosen = _shared(codec), set(_chosen_by_number(codec))
    optional = {step.name for step in _steps(codec, plan) if step.optional}
    for name, wire in _wires(codec, plan).items():
        path = f"{plan.title}.{name}"
        if name in chosen:
            yield from ((path, label(value)) for value in values(wire) if _allowed(codec, plan, name, value))
        elif name not in shared:
            yield from ((path, "absent"),) if name in optional else ()
            yield from demanded(wire, path)


def _allowed(codec: Codec, plan: MessagePlan, name: str, value: Any) -> bool:
    names = {codec.plan.code: plan.code, name: value}
    rules = [rule for step in codec.plan.head.steps if isinstance(step.wire, Bits | Select) for rule in step.wire.rules]
    return keeps(rules, plan.code, names)


def _var_types(codec: Codec) -> list[VarType]:
    wires = [wire for plan in codec.plan.messages for wire in _wires(codec, plan).values()]
    return [wire for wire in wires if isinstance(wire, VarType)]


def _lengths(codec: Codec, data: bytes) -> Iterator[Boundary]:
    lengths = {step.name: step.wire for step in codec.plan.head.steps if isinstance(step.wire, Length)}
    for span in codec.trace(data).spans:
        match = UNIT_LENGTH.fullmatch(span.path)
        if match is not None and match[1] in lengths:
            yield f"{HEAD}.{match[1]}", str(span.value)
            if span.value == lengths[match[1]].limit:
                yield f"{HEAD}.{match[1]}", LIMIT


def _observed(codec: Codec, data: bytes) -> Iterator[Boundary]:
    yield from _lengths(codec, data)
    plans = {plan.record: plan for plan in codec.plan.messages}
    sequence = codec.plan.protocol.sequence
    for message in codec.decode(data).messages:
        for unit in [message] if sequence is None else getattr(message, sequence.key):
            plan = plans.get(type(unit))
            yield from ((f"{HEAD}.type", str(unit.type)),) if plan is None else _unit(codec, plan, unit)


def _unit(codec: Codec, plan: MessagePlan, unit: Any) -> Iterator[Boundary]:
    yield plan.title, ANY
    shared, chosen = _shared(codec), set(_chosen_by_number(codec))
    for name, wire in _wires(codec, plan).items():
        place = HEAD if name in shared and name not in chosen else plan.title
        yield from observed_fields({name: wire}, place, unit)
