"""A decode, explained: what every byte of an input is, in the order of the wire.

Nothing is printed here and nothing is made safe for a terminal: names and values are
as they were read, and whoever shows them cleans them.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple

from wireproof.codec import Codec
from wireproof.definition import Plan
from wireproof.trace import Span, Trace
from wireproof.wire.bits import Bits
from wireproof.wire.lists import Items
from wireproof.wire.records import Step, Struct

NOT_DECODED: Final = "not decoded"
FLOATS: Final = {"Float32": ">f", "Float64": ">d"}
LONGEST_TEXT: Final = 256
INDEX: Final = re.compile(r"\[\d+\]")


class Heading(NamedTuple):
    """The beginning of a message (`depth` 0), or of a record or unit inside one (1)."""

    depth: int
    title: str
    name: str = ""
    clause: str = ""


class Field(NamedTuple):
    """Bytes and what they mean; without a `type` they were not decoded."""

    start: int
    stop: int
    name: str
    type: str
    value: str
    clause: str
    fault: int | None = None
    """The offset a rejection names, if it is one of these bytes or the end of the input after them."""


Item = Heading | Field


def annotate(codec: Codec, trace: Trace) -> list[Item]:
    """Headings and fields that account for every byte of the input once."""
    items = list(_Annotator(codec.plan, trace).items())
    return _with_fault(items, trace)


def title_of(codec: Codec, message: Any) -> str:
    """What a decoded message is called: its own name, or those of its units."""
    plan = codec.plan
    titles = {plan_.record: plan_.title for plan_ in plan.messages}
    if plan.protocol.sequence is None:
        return titles[type(message)]
    units = getattr(message, plan.protocol.sequence.key)
    return " ".join(titles.get(type(unit)) or f"type {unit.type}" for unit in units) or "END alone"


class _Annotator:
    def __init__(self, plan: Plan, trace: Trace) -> None:
        self.plan = plan
        self.trace = trace
        self.sequence = plan.protocol.sequence
        self.titles = {message.code: (message.title, message.clause) for message in plan.messages}
        if self.sequence is not None:
            self.titles[0] = ("END", self.sequence.end_clause)
        self.prefix = "" if self.sequence else f"{plan.key}."
        self.selector = f"{self.prefix}{plan.selector.name}" if plan.selector else ""
        self.bits: dict[str, Bits] = {}
        self.containers = {""}
        self._learn(plan.head.steps, self.prefix)
        for message in plan.messages:
            for container in message.containers:
                self._learn(container, self.prefix)
        self.messages = 0
        self.container = ""
        self.ended = False

    def _learn(self, steps: Iterable[Step], prefix: str) -> None:
        """Note which paths are bit fields, and which are records with fields of their own."""
        for step in steps:
            path, wire = prefix + step.name, step.wire
            if isinstance(wire, Bits):
                self.bits[path] = wire
            while isinstance(wire, Items):
                path, wire = path + "[]", wire.item
            if isinstance(wire, Struct):
                self.containers.add(path)
                self._learn(wire.steps, path + ".")

    def items(self) -> Iterator[Item]:
        spans = sorted(self.trace.spans, key=lambda span: (span.start, span.stop))
        position = 0
        for index, span in enumerate(spans):
            yield from self._undecoded(position, span.start)
            yield from self._headings(span, spans[index : index + len(self.plan.head.steps)])
            yield self._field(span)
            position = span.stop
        yield from self._undecoded(position, len(self.trace.data))

    def _undecoded(self, start: int, stop: int) -> Iterator[Item]:
        """The bytes between two fields, and the heading of a message rejected before its first field."""
        if start == stop:
            return
        decoded = self.trace.decoded
        if decoded.error is not None and start == decoded.consumed:
            yield self._message("", "")
        yield Field(start, stop, "", "", NOT_DECODED, "")

    def _headings(self, span: Span, head: list[Span]) -> Iterator[Item]:
        if self.sequence is not None:
            yield from self._unit_headings(span)
        elif span.path == self.prefix + self.plan.head.steps[0].name:
            yield self._message(*self._named(head))
        elif (container := self._container(span.path)) != self.container:
            self.container = container
            if container:
                yield Heading(1, container.removeprefix(self.prefix))

    def _unit_headings(self, span: Span) -> Iterator[Item]:
        unit, _, field = span.path.partition(".")
        if field != "type":
            return
        if self.messages == 0 or self.ended:
            yield self._message("", "")
        self.ended = span.value == 0
        yield Heading(1, unit, *self.titles.get(span.value, ("", "")))

    def _message(self, name: str, clause: str) -> Heading:
        self.messages += 1
        self.container = ""
        return Heading(0, f"message {self.messages}", name, clause)

    def _named(self, head: list[Span]) -> tuple[str, str]:
        """Which message begins with these spans: what the selector among them says."""
        if not self.selector:
            return self.titles[0]
        found = next((span for span in head if span.path == self.selector), None)
        return ("", "") if found is None else self.titles.get(self._code(found.value), ("", ""))

    def _code(self, value: int) -> int:
        bits = self.bits.get(self.selector)
        if bits is None:
            return value
        part, shift = next((part, shift) for part, shift in bits.placed() if part.kind == "selector")
        return value >> shift & (1 << part.bits) - 1

    def _container(self, path: str) -> str:
        """The longest part of a path that is a record."""
        while path:
            path = path.rpartition(".")[0]
            if INDEX.sub("[]", path) in self.containers:
                return path
        return ""

    def _field(self, span: Span) -> Field:
        name = span.path.removeprefix(self.prefix)
        if self.sequence is not None:
            name = name.partition(".")[2]
        elif self.container:
            name = span.path.removeprefix(f"{self.container}.")
        return Field(span.start, span.stop, name, span.type, self._value(span), span.clause)

    def _value(self, span: Span) -> str:
        if span.path in self.bits:
            return self._bits(self.bits[span.path], span.value)
        if span.path == self.selector or (self.sequence is not None and span.path.endswith("].type")):
            return f"{span.value} {self.titles.get(span.value, ('',))[0]}".rstrip()
        return describe(span.type, span.value)

    def _bits(self, bits: Bits, value: int) -> str:
        words = []
        for part, shift in bits.placed():
            number = value >> shift & (1 << part.bits) - 1
            if part.kind in ("flag", "exists"):
                words += [part.name] if number else []
            elif part.name:
                title = self.titles.get(number, ("",))[0] if part.kind == "selector" else ""
                words.append(f"{part.name} {number} {title}".rstrip())
            elif number:
                words.append("reserved bits set")
        return ", ".join(words)


def describe(label: str, value: Any) -> str:
    """A value in a few words."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value if label == "Var type" else quote(value)
    if not isinstance(value, bytes):
        return str(value)
    if label in FLOATS:
        return repr(struct.unpack(FLOATS[label], value)[0])
    if label == "magic":
        return quote(value.decode("ascii"))
    size = "1 byte" if len(value) == 1 else f"{len(value)} bytes" if value else "empty"
    legible = label.lower() == "bytes" and value.isascii() and (text := value.decode("ascii")).isprintable()
    return f"{size}, {quote(text)}" if value and legible else size


def quote(text: str) -> str:
    """Text in quotes, so that its end is seen; the end of a very long one is left out."""
    short = text[:LONGEST_TEXT].replace("\\", "\\\\").replace('"', '\\"')
    return f'"{short}"' if len(text) <= LONGEST_TEXT else f'"{short}"...'


def _with_fault(items: list[Item], trace: Trace) -> list[Item]:
    """Mark the field whose bytes hold the offset of the rejection, or end just before it."""
    error = trace.decoded.error
    if error is None:
        return items
    offset, at_end = error.offset, error.offset == len(trace.data)
    for index in range(len(items) - 1, -1, -1):
        item = items[index]
        if isinstance(item, Field) and (item.start <= offset < item.stop or (at_end and item.stop == offset)):
            items[index] = item._replace(fault=offset)
            break
    return items
