"""Fields as rows of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from wireproof.document.words import bits, in_json, named, rule_in_words, rules, size, width
from wireproof.wire.bits import Bits
from wireproof.wire.checks import CheckCode
from wireproof.wire.heads import HeadNumber, Length, Magic, Select, number_of
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Step


@dataclass
class Row:
    """A field in a table. What a profile may change is in `type`, `bytes` and `notes`."""

    name: str
    type: str
    bytes: str
    json: str
    clause: str
    notes: list[str] = field(default_factory=list)

    def difference(self, other: Row) -> str:
        """What `other` says instead."""
        changed = [new for old, new in ((self.type, other.type), (self.bytes, other.bytes)) if old != new]
        if self.notes != other.notes:
            changed += [note for note in other.notes if note not in self.notes] or ["any value"]
        return ", ".join(changed)


def rows(steps: list[Step]) -> list[Row]:
    return [row for step in steps if (row := _row(step, steps)) is not None]


def _row(step: Step, steps: list[Step]) -> Row | None:
    wire = step.wire
    match wire:
        case None:
            return _held(step, steps)
        case Magic():
            shown = f"`{wire.text.decode()}`, bytes {wire.text.hex(' ')}"
            return Row(step.name, shown, str(len(wire.text)), "", step.clause)
        case Bits():
            return Row(step.name, "bits", "1", "", step.clause, [rule_in_words(rule) for rule in wire.rules])
        case CheckCode():
            return None
        case HeadNumber():
            return Row(step.name, named(wire.wire), size(wire.wire), "", step.clause, list(_head_notes(step, steps)))
    notes = list(rules(wire))
    if step.optional:
        notes.insert(0, "optional")
    return Row(step.name, named(wire), size(wire), in_json(wire), step.clause, notes)


def _held(step: Step, steps: list[Step]) -> Row:
    """A field that lives in another step."""
    holder = next(other for other in steps if step.name in getattr(other.wire, "holds", dict)())
    wire = holder.wire.holds()[step.name]
    if not isinstance(holder.wire, CheckCode):
        return Row(step.name, f"{width(wire)} of `{holder.name}`", "", in_json(wire), holder.clause)
    covered = [other.name for other in steps[steps.index(holder) + 1 :] if other.wire is not None]
    over = " and ".join(f"`{name}`" for name in covered)
    notes = [f"only if `{holder.wire.when}` is 1", f"over the bytes of {over}, and judged before them", "computed"]
    return Row(step.name, named(wire), str(holder.wire.number.width), in_json(wire), holder.clause, notes)


def _head_notes(step: Step, steps: list[Step]) -> Iterator[str]:
    wire = step.wire
    if isinstance(wire, Length):
        yield f"size of `{wire.of}`{_counted_too(step, steps)}"
        if wire.limit is not None:
            yield f"at most {wire.limit}"
        if wire.unless:
            yield f"not there if {wire.unless.replace('!=', 'is not')}"
    if isinstance(wire, Select):
        yield "says what message this is"
        yield from (rule_in_words(rule) for rule in wire.rules)


def _counted_too(step: Step, steps: list[Step]) -> str:
    """What a length counts beside its container."""
    counts = step.wire.counts
    if counts == "0":
        return ""
    sizes = [len(each.wire.text) if isinstance(each.wire, Magic) else _width(each) for each in steps]
    after = sum(sizes[steps.index(step) + 1 :])
    named = {str(sum(sizes)): "the whole of this head", str(after): "the rest of this head"}
    words = [f"{term} ({named[term]})" if term in named else term for term in counts.split(" + ")]
    return " + " + " + ".join(words).replace("head_size", "size of `head`")


def _width(step: Step) -> int:
    return 0 if step.wire is None else number_of(step).width


def inner_rows(message: MessagePlan) -> list[Row]:
    return [row for container in message.containers for row in rows(container)]


def same_names(message: MessagePlan, other: MessagePlan) -> bool:
    return {row.name for row in inner_rows(message)} == {row.name for row in inner_rows(other)}


def bit_lines(steps: list[Step]) -> dict[str, list[str]]:
    return {step.name: list(bits(step.wire)) for step in steps if isinstance(step.wire, Bits)}
