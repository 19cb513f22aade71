"""What a protocol file declares, and what that comes to under a profile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar

from wireproof.wire.base import Settings, resolve
from wireproof.wire.bits import Bits
from wireproof.wire.heads import Head, Select
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Record, Step, steps_of


class Unit(Record):
    """The base of a protocol's messages: its annotations are the head every message has.

    Class keywords of a unit: `key`, the name of the unit in JSON; `blocks`, the steps
    that end a block; `code`, the name of the number that selects the message
    (`type` unless said otherwise); `contained`, fields that are not in the head;
    `containers`, which fields stand in which of the containers the head announces
    ("*" for those not named). Of a message: its number under the name `code` gives,
    `name`, `clause`, `sender` where direction matters, and `when`, a condition on the
    profile.
    """

    containers: ClassVar[Any] = (("*",),)


@dataclass(frozen=True)
class Protocol:
    """A document's codec: where its definitions are and what they are called."""

    name: str
    document: str
    title: str
    unit: type[Unit]
    senders: tuple[tuple[str, str], ...] = ()
    """Direction to the sender of its messages, where the same number means two things."""
    sequence: Any = None
    """For protocols whose message is a series of units: the `Sequence` rules."""

    @property
    def directions(self) -> tuple[str, ...]:
        return tuple(direction for direction, _ in self.senders)


@dataclass
class Plan:
    """A protocol under a profile, in one direction: all that code is generated from."""

    protocol: Protocol
    settings: Settings
    direction: str
    head: Head
    code: str
    messages: list[MessagePlan]
    head_fields: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.head.key

    @property
    def selector(self) -> Step | None:
        """The step that tells messages apart, if there is more than one."""
        return next((step for step in self.head.steps if is_selector(step)), None)


def is_selector(step: Step) -> bool:
    return isinstance(step.wire, Select) or (isinstance(step.wire, Bits) and step.wire.selector() is not None)


def plan(protocol: Protocol, settings: Settings, direction: str) -> Plan:
    unit = protocol.unit
    steps = steps_of(unit, settings)
    head_steps = [step for step in steps if not _in_container(step, unit)]
    code = unit.keywords.get("code", "type")
    head = Head(head_steps, unit.keywords["blocks"], unit.keywords["key"])
    names = [step.name for step in head_steps if step.is_field]
    sender = dict(protocol.senders).get(direction)
    messages = [
        _message(record, code, settings, names, {step.name for step in head_steps})
        for record in messages_of(unit)
        if record.keywords.get("sender") == sender
        and all(settings[name] == value for name, value in record.keywords.get("when", {}).items())
    ]
    return Plan(protocol, settings, direction, head, code, messages, names)


def messages_of(unit: type[Unit]) -> list[type[Unit]]:
    """Every message defined on a unit, in the order of definition."""
    return unit.__subclasses__()


def _in_container(step: Step, unit: type[Unit]) -> bool:
    """A field of the unit itself that stands in a container, not in the head (magline's msg header)."""
    return step.name in unit.keywords.get("contained", ())


def _message(record: type[Unit], code: str, settings: Settings, head_fields: list[str], head: set[str]) -> MessagePlan:
    steps = steps_of(record, settings)
    inside = {step.name: step for step in steps if step.name not in head}
    layout = resolve(record.containers, settings)
    named = {name for names in layout for name in names}
    containers = []
    for names in layout:
        container: list[Step] = []
        for name in names:
            if name == "*":
                container += [step for step in inside.values() if step.name not in named]
            elif name in inside:
                container.append(inside[name])
        containers.append(container)
    keywords = record.keywords
    return MessagePlan(
        record=record,
        code=keywords.get(code, 0),
        title=keywords.get("name", record.__name__),
        clause=keywords["clause"],
        empty=keywords.get("empty", keywords["clause"]),
        head_fields=head_fields,
        containers=containers,
        fields=[step.name for step in steps if step.is_field],
    )
