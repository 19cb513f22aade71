"""Wire types in words: what stands on the wire, how many bytes, how it looks in JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wireproof.wire.base import Rule, Wire
from wireproof.wire.bits import Bits, Flag, Part, Small
from wireproof.wire.checks import CheckCode, Computed
from wireproof.wire.heads import HeadNumber
from wireproof.wire.lists import Counted, Items, Several, UntilEnd
from wireproof.wire.numbers import Fixed, Number, Varint
from wireproof.wire.records import Struct
from wireproof.wire.runs import Block, Content, Prefixed, Rest, Run, Text
from wireproof.wire.var import Bool, Null, VarType

VARINT = (
    "A varint has seven bits of the number in each byte, the least significant first, and the high bit set on all "
    "bytes but the last. Padding with zero bits is accepted and never written."
)
FORMS = {
    "zigzag": ("zigzag varint", "Zigzag puts the sign into the lowest bit: 0, -1, 1, -2 become 0, 1, 2, 3."),
    "twos": ("varint of the two's complement", "A negative number is written as its two's complement."),
    "unsigned": ("plain varint", ""),
}
"""The forms of varints: what they are called, and what that means."""


def named(wire: Wire) -> str:
    """A field's type in a few words; `on_the_wire` explains it."""
    match wire:
        case Counted():
            return f"`{wire.count.label}` count, then `{wire.item.label}` each"
        case UntilEnd():
            return f"`{wire.item.label}`, as many as there are"
        case Several():
            return f"{wire.count} × `{wire.item.label}`"
        case _:
            return f"`{wire.label}`"


def on_the_wire(wire: Wire) -> str:
    """One line on how a type is encoded."""
    match wire:
        case Fixed():
            return _fixed(wire)
        case Varint():
            form = FORMS[wire.form][0]
            return f"{form}, 1 to {wire.most} bytes, from {_power(wire.low)} to {_power(wire.high)}"
        case Prefixed():
            return f"`{wire.length.label}` with the number of bytes, then so many bytes of {_content(wire.content)}"
        case Rest():
            return f"all bytes left where it stands, {_content(wire.content)}"
        case Block():
            return f"{wire.size} bytes"
        case Bool():
            return "1 byte: 0 is false, anything else true; true is written as 1"
        case Null():
            return "no bytes"
        case VarType():
            return "1 byte with the type of the value, then the value in that type"
        case Struct():
            return "the fields of the record, one after the other"
        case _:
            return wire.label


def size(wire: Wire) -> str:
    """The number of bytes a type takes."""
    match wire:
        case Varint():
            return f"1–{wire.most}"
        case Prefixed():
            return f"{size(wire.length)} + n"
        case Rest():
            return "the rest"
        case Counted():
            return f"{size(wire.count)} + items"
        case UntilEnd():
            return "the rest"
        case VarType():
            return "1 + value"
        case Struct() if wire.width is None:
            return "its fields"
        case _:
            return str(wire.width) if wire.width is not None else ""


def in_json(wire: Wire) -> str:
    match wire:
        case Number():
            return "decimal string" if wire.bits == 64 else "integer"
        case Small():
            return "integer"
        case Flag() | Bool():
            return "true, false"
        case Computed():
            return "hex"
        case Run():
            return in_json(wire.content)
        case Text():
            return "string" if wire.strict else 'string or {"hex"}'
        case Content():
            return "hex"
        case Items():
            return f"list of {in_json(wire.item)}"
        case Struct():
            return "object"
        case VarType():
            return "Var"
        case _:
            return ""


def rules(wire: Any) -> Iterator[str]:
    """The rules about a value, wherever in its type they are stated."""
    if isinstance(wire, Items):
        yield from (f"each: {text}" for text in rules(wire.item))
        return
    for rule in getattr(wire, "rules", ()):
        yield rule_in_words(rule)
    if isinstance(wire, Run):
        yield from rules(wire.content)


def rule_in_words(rule: Rule) -> str:
    given = f" ({', '.join(map(str, rule.given))})" if rule.given else ""
    return f"{rule.expected}{given}, else `{rule.error}` ({rule.clause})"


def width(wire: Wire) -> str:
    """The width of a field that lives in a byte."""
    count = wire.bits if isinstance(wire, Small) else 1
    return "1 bit" if count == 1 else f"{count} bits"


def bits(element: Bits) -> Iterator[str]:
    """The parts of a byte, most significant first."""
    for part, shift in element.placed():
        top = shift + part.bits - 1
        place = f"bit {shift}" if part.bits == 1 else f"bits {top} to {shift}"
        yield f"{place}: {_part(part)}"


def _part(part: Part) -> str:
    match part.kind:
        case "zero":
            return "fixed to 0, else `reserved-bits`"
        case "exists":
            return f"1 if `{part.name}` follows"
        case "selector":
            return f"`{part.name}`, which says what message this is ({part.clause})"
        case "number" if part.values:
            return f"`{part.name}`, 0 to {part.values - 1}, else `unknown-enum` ({part.clause})"
        case _:
            return f"`{part.name}`"


def parts(wire: Any) -> Iterator[Wire]:
    """A wire type and every type it is made of."""
    if isinstance(wire, HeadNumber):
        yield from parts(wire.wire)
    if isinstance(wire, CheckCode):
        yield from parts(wire.number)
    if not isinstance(wire, Wire):
        return
    yield wire
    inner: list[Any] = [getattr(wire, name, None) for name in ("length", "count", "item", "key")]
    if isinstance(wire, VarType):
        inner += [tag.wire for tag in wire.tags]
    if isinstance(wire, Struct):
        inner += [step.wire for step in wire.steps]
    for part in inner:
        yield from parts(part)


def _fixed(number: Fixed) -> str:
    sign = "two's complement" if number.signed else "unsigned"
    if number.width == 1:
        return f"1 byte, {sign}"
    first = "most" if number.order == "big" else "least"
    return f"{number.width} bytes, {sign}, {first} significant first"


def _content(content: Content) -> str:
    if not isinstance(content, Text):
        return "any content"
    return "UTF-8" if content.strict else 'UTF-8, or other bytes, which are `{"hex": …}` in JSON'


def _power(number: int) -> str:
    """A bound of a range, as people write it."""
    if abs(number) < 1 << 16:
        return str(number)
    if number < 0:
        return f"-2^{(-number).bit_length() - 1}"
    return f"2^{(number + 1).bit_length() - 1} - 1"
