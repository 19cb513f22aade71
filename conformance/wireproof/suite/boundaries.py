"""The boundary values of every field, derived from the definitions, and which of them vectors take.

A boundary is a pair of texts: the path of a field within its message, and a label of
the value. What a definition demands and what a decoded message shows are written in the
same way, so that covering is nothing but membership. `Var` is one type wherever it
stands: its own boundaries are asked for once in a codec, under paths that begin with
`Var`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from typing import Any, Final

from wireproof.wire.base import Rule, Wire
from wireproof.wire.bits import Flag, Small
from wireproof.wire.lists import Counted, Items
from wireproof.wire.numbers import Number, Varint
from wireproof.wire.records import Struct, field_wires
from wireproof.wire.runs import Block, Prefixed, Run, Text
from wireproof.wire.var import Bool, VarType

Boundary = tuple[str, str]
NOT_ASCII: Final = "not ASCII"
ABSENT: Final = "absent"
ANY: Final = "any value"


class _ZeroElsewhere(dict[str, Any]):
    """Names for a rule to speak of: fields that are not looked at are zero."""

    def __missing__(self, name: str) -> int:
        return 0


def keeps(rules: Iterable[Rule], value: Any, names: Mapping[str, Any]) -> bool:
    known = _ZeroElsewhere({**names, "it": value})
    return not any(eval(rule.broken.format("it", *rule.given), {}, known) for rule in rules)


def label(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _length_edges(length: Number) -> list[int]:
    """Lengths and counts where their own encoding changes, as far as a short vector can go."""
    if isinstance(length, Varint):
        group = 64 if length.form == "zigzag" else 128
        return [0, 1, group - 1, group]
    return [edge for edge in (0, 1, 127, 128, 255, 256) if edge <= length.high]


# What the value of a wire type can be at its boundaries.


@singledispatch
def values(wire: Wire) -> Iterator[Any]:
    """The telling values of a type with values that stand for themselves."""
    yield from ()


@values.register
def _(wire: Number) -> Iterator[int]:
    edges = range(wire.low, wire.high + 1) if wire.rules and wire.bits == 8 else (wire.low, 0, 1, wire.high)
    yield from dict.fromkeys(edge for edge in edges if keeps(wire.rules, edge, {}))


@values.register
def _(wire: Small) -> Iterator[int]:
    yield from range(wire.values)


@values.register(Flag)
@values.register(Bool)
def _(wire: Wire) -> Iterator[bool]:
    yield from (False, True)


# What a definition asks for.


@singledispatch
def demanded(wire: Wire, path: str) -> Iterator[Boundary]:
    """The boundaries of a field of this type."""
    found = [(path, label(value)) for value in values(wire)]
    yield from found or [(path, ANY)]


@demanded.register
def _(wire: Run, path: str) -> Iterator[Boundary]:
    if isinstance(wire, Block):
        yield path, ANY
        return
    sizes = _length_edges(wire.length) if isinstance(wire, Prefixed) else [0, 1]
    empty: Any = "" if isinstance(wire.content, Text) else b""
    for size in sizes:
        if size or keeps(wire.content.rules, empty, {}):
            yield path, _sized(size)
    if isinstance(wire.content, Text):
        yield path, NOT_ASCII


@demanded.register
def _(wire: Items, path: str) -> Iterator[Boundary]:
    if isinstance(wire, Counted):
        most = [wire.count.high] if wire.count.bits == 8 else []
        yield from ((path, _counted(count)) for count in (0, 1, 2, *most))
    yield from demanded(wire.item, f"{path}[]")


@demanded.register
def _(wire: Struct, path: str) -> Iterator[Boundary]:
    optional = {step.name for step in wire.steps if step.optional}
    for name, inner in field_wires(list(wire.steps)).items():
        if name in optional:
            yield f"{path}.{name}", ABSENT
        yield from demanded(inner, f"{path}.{name}")


@demanded.register
def _(wire: VarType, path: str) -> Iterator[Boundary]:
    yield path, ANY


def demanded_of_var(wire: VarType) -> Iterator[Boundary]:
    for tag in wire.tags:
        path = f"Var {tag.name}"
        if not isinstance(tag.wire, str):
            yield from demanded(tag.wire, path)
            continue
        yield from ((path, _counted(count)) for count in (0, 1, 2, *_length_edges(wire.count)[2:]))
        if tag.wire == "map":
            yield from demanded(wire.key, f"{path} key")


# What a decoded value shows.


@singledispatch
def observed(wire: Wire, path: str, value: Any) -> Iterator[Boundary]:
    """The labels of a decoded value, boundary or not."""
    yield path, ANY
    if not isinstance(value, bytes):
        yield path, label(value)


@observed.register
def _(wire: Run, path: str, value: Any) -> Iterator[Boundary]:
    content = value if isinstance(value, bytes) else value.encode()
    yield path, ANY
    yield path, _sized(len(content))
    if not content.isascii():
        yield path, NOT_ASCII


@observed.register
def _(wire: Items, path: str, value: Any) -> Iterator[Boundary]:
    yield path, _counted(len(value))
    for item in value:
        yield from observed(wire.item, f"{path}[]", item)


@observed.register
def _(wire: Struct, path: str, value: Any) -> Iterator[Boundary]:
    yield from observed_fields(field_wires(list(wire.steps)), path, value)


@observed.register
def _(wire: VarType, path: str, value: Any) -> Iterator[Boundary]:
    yield path, ANY
    inner = next(tag.wire for tag in wire.tags if tag.name == value.t)
    here = f"Var {value.t}"
    if not isinstance(inner, str):
        yield from observed(inner, here, value.v)
        return
    yield here, _counted(len(value.v))
    for item in value.v:
        if inner == "map":
            yield from observed(wire.key, f"{here} key", item[0])
        yield from observed(wire, here, item[1] if inner == "map" else item)


def observed_fields(wires: Mapping[str, Wire], path: str, record: Any) -> Iterator[Boundary]:
    for name, wire in wires.items():
        value = getattr(record, name)
        if value is None:
            yield f"{path}.{name}", ABSENT
        else:
            yield from observed(wire, f"{path}.{name}", value)


def _sized(size: int) -> str:
    return "1 byte" if size == 1 else f"{size} bytes"


def _counted(count: int) -> str:
    return "1 item" if count == 1 else f"{count} items"
