"""Messages as JSON values, and back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wireproof.definition import Plan, is_selector
from wireproof.errors import BadValue
from wireproof.wire.base import Json, Wire
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import field_wires, parse_fields
from wireproof.wire.runs import parse_hex
from wireproof.wire.units import Reject

Layout = list[tuple[str, Any, Wire | None]]


class Shape:
    """The JSON form of one unit: its keys in order, each a constant or a field."""

    def __init__(self, plan: Plan, message: MessagePlan) -> None:
        self.record = message.record
        inside = {step.name: step for container in message.containers for step in container}
        self.steps = plan.head.steps + list(inside.values())
        wires = field_wires(self.steps)
        head = {step.name for step in plan.head.steps}
        later: Layout = [(name, None, wires[name]) for name in message.fields if name not in head]
        self.layout = list(self._head(plan, message, wires)) + later
        self.constants = frozenset(key for key, _, wire in self.layout if wire is None)

    @staticmethod
    def _head(plan: Plan, message: MessagePlan, wires: dict[str, Wire]) -> Iterator[tuple[str, Any, Wire | None]]:
        if plan.direction:
            yield "dir", plan.direction, None
        for step in plan.head.steps:
            if is_selector(step):
                yield plan.code, message.code, None
                if "name" in message.record.keywords:
                    yield "name", message.title, None
            if step.is_field:
                yield step.name, None, wires[step.name]

    def render(self, message: Any) -> dict[str, Json]:
        value = {}
        for key, constant, wire in self.layout:
            if wire is None:
                value[key] = constant
            elif (field := getattr(message, key)) is not None:
                value[key] = wire.render(field)
        return value

    def parse(self, value: dict[str, Json], path: str) -> Any:
        return self.record(**parse_fields(self.steps, value, path, self.constants))


class Shapes:
    """The JSON form of every message of a codec whose messages are single units."""

    def __init__(self, plan: Plan, undefined: type) -> None:
        self.plan = plan
        self.undefined = undefined
        self.by_record = {message.record: Shape(plan, message) for message in plan.messages}
        self.by_code = {message.code: self.by_record[message.record] for message in plan.messages}

    def render(self, message: Any) -> Json:
        return {self.plan.key: self.by_record[type(message)].render(message)}

    def parse(self, value: Json) -> Any:
        unit = self._inside(value, self.plan.key)
        if self.plan.direction and isinstance(unit, dict) and unit.get("dir") != self.plan.direction:
            raise BadValue(f"{self.plan.key}.dir", f"expected {self.plan.direction!r} in this direction")
        return self._unit(unit, self.plan.key)

    @staticmethod
    def _inside(value: Json, key: str) -> Json:
        if not isinstance(value, dict) or set(value) != {key}:
            raise BadValue("", f"a message is an object with the one key {key!r}")
        return value[key]

    def _unit(self, value: Json, path: str) -> Any:
        if not isinstance(value, dict):
            raise BadValue(path, "expected an object")
        if self.plan.selector is None:
            return self.by_code[0].parse(value, path)
        number = value.get(self.plan.code)
        if type(number) is not int:
            raise BadValue(path, f"the key {self.plan.code!r} is missing or not an integer")
        shape = self.by_code.get(number)
        return self._other(value, number, path) if shape is None else shape.parse(value, path)

    def _other(self, value: dict[str, Json], number: int, path: str) -> Any:
        """A number nobody defined: only the head has a known shape, and the encoder refuses it."""
        steps = self.plan.head.steps
        known = set(field_wires(steps))
        head = {name: value[name] for name in value if name in known}
        return self.undefined(**{self.plan.code: number}, **parse_fields(steps, head, path))


class SequenceShapes(Shapes):
    """The JSON form of messages that are a series of units."""

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan, object)
        self.rules = plan.protocol.sequence
        never = (span for span in self.rules.spans if isinstance(span.handling, Reject))
        self.shapeless = {0, *(code for span in never for code in range(span.first, span.last + 1))}

    def render(self, message: Any) -> Json:
        return {self.rules.key: [self._render_unit(unit) for unit in getattr(message, self.rules.key)]}

    def _render_unit(self, unit: Any) -> Json:
        if type(unit) is self.rules.opaque:
            return {"type": unit.type, "body": unit.body.hex()}
        return self.by_record[type(unit)].render(unit)

    def parse(self, value: Json) -> Any:
        key = self.rules.key
        units = self._inside(value, key)
        if not isinstance(units, list):
            raise BadValue(key, "expected a list")
        return self.rules.record(tuple(self._unit(unit, f"{key}[{i}]") for i, unit in enumerate(units)))

    def _other(self, value: dict[str, Json], number: int, path: str) -> Any:
        if number in self.shapeless or not 0 <= number <= 255:
            return self.rules.opaque(number, b"")  # the encoder refuses it, whatever else it says
        if set(value) - {"name"} != {"type", "body"}:
            raise BadValue(path, "a unit of this type has exactly the keys type, body")
        return self.rules.opaque(number, parse_hex(value["body"], f"{path}.body"))


def shapes(plan: Plan, undefined: type) -> Shapes:
    return Shapes(plan, undefined) if plan.protocol.sequence is None else SequenceShapes(plan)
