"""Messages as JSON values, and back."""

from __future__ import annotations

from typing import Any

from wireproof.definition import Plan, is_selector
from wireproof.errors import BadValue
from wireproof.wire.base import Json, Wire
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Step, field_wires, parse_fields


class Shapes:
    """The JSON form of every message of a codec."""

    def __init__(self, plan: Plan, undefined: type) -> None:
        self.plan = plan
        self.undefined = undefined
        self._by_record = {message.record: Shape(plan, message) for message in plan.messages}
        self._by_code = {message.code: self._by_record[message.record] for message in plan.messages}

    def render(self, message: Any) -> Json:
        return {self.plan.key: self._by_record[type(message)].render(message)}

    def parse(self, value: Json) -> Any:
        key = self.plan.key
        if not isinstance(value, dict) or set(value) != {key}:
            raise BadValue("", f"a message is an object with the one key {key!r}")
        return self.parse_unit(value[key], key)

    def parse_unit(self, value: Json, path: str) -> Any:
        code = self.plan.code
        if not isinstance(value, dict):
            raise BadValue(path, "expected an object")
        number = value.get(code)
        if type(number) is not int:
            raise BadValue(path, f"the key {code!r} is missing or no integer")
        if self.plan.direction and value.get("dir") != self.plan.direction:
            raise BadValue(path, f"dir is {self.plan.direction!r} in this direction")
        shape = self._by_code.get(number)
        if shape is not None:
            return shape.parse(value, path)
        return self._undefined(value, number, path)

    def _undefined(self, value: dict[str, Json], number: int, path: str) -> Any:
        """A number nobody defined: only the head has a known shape, and the encoder refuses it."""
        steps = self.plan.head.steps
        known = {step.name for step in steps}
        head = {name: value[name] for name in value if name in known and name != self.plan.code}
        fields = parse_fields(steps, head, path)
        return self.undefined(**{self.plan.code: number}, **fields)


class Shape:
    """The JSON form of one message."""

    def __init__(self, plan: Plan, message: MessagePlan) -> None:
        self.plan = plan
        self.message = message
        steps = plan.head.steps + [step for container in message.containers for step in container]
        self.steps = sorted(steps, key=lambda step: _place(step, message.fields, plan.head.steps))
        self.wires = field_wires(self.steps)
        self._keys = list(self._layout())

    def _layout(self) -> Any:
        """The keys in order, each with its constant or its wire type."""
        if self.plan.direction:
            yield "dir", self.plan.direction, None
        shown: set[str] = set()
        for step in self.steps:
            if is_selector(step):
                yield self.plan.code, self.message.code, None
                if "name" in self.message.record.keywords:
                    yield "name", self.message.title, None
            if step.is_field and step.name not in shown:
                shown.add(step.name)
                yield step.name, None, self.wires[step.name]

    def render(self, message: Any) -> dict[str, Json]:
        value = {}
        wire: Wire | None
        for key, constant, wire in self._keys:
            if wire is None:
                value[key] = constant
            elif (field := getattr(message, key)) is not None:
                value[key] = wire.render(field)
        return value

    def parse(self, value: dict[str, Json], path: str) -> Any:
        constants = frozenset(key for key, _, wire in self._keys if wire is None) | {"name"}
        return self.message.record(**parse_fields(self.steps, value, path, constants))


def _place(step: Step, fields: list[str], head: list[Step]) -> int:
    """Fields stand in the order of the record, other steps where the head has them."""
    for index, known in enumerate(head):
        if known.name == step.name:
            return index
    return len(head) + (fields.index(step.name) if step.name in fields else 0)
