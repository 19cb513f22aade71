"""What both revisions of ESNP share, in construct; widths and the order of lines are left out, which favours it."""

from __future__ import annotations

from typing import Any

from construct import (
    Bytes,
    Construct,
    Error,
    Flag,
    GreedyBytes,
    Int8ub,
    Int24ub,
    LazyBound,
    PascalString,
    Pass,
    Prefixed,
    PrefixedArray,
    RepeatUntil,
    Struct,
    Switch,
    VarInt,
    ZigZag,
    obj_,
    this,
)

from bench.construct_shapes import plain
from wireproof.wire.var import Var

STRING = PascalString(ZigZag, "utf8")

INTEGERS = ("int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64")
CODES = {
    "null": 0,
    "bool": 1,
    **{name: code for code, name in enumerate(INTEGERS, 2)},
    "float32": 13,
    "float64": 14,
    "bytes": 17,
    "map": 21,
    "list": 23,
    "string": 24,
}


def var_type(int8: Construct) -> Any:
    """Var, with the Int8 of a revision."""
    inside = LazyBound(lambda: var)
    values = {
        0: Pass,
        1: Flag,
        3: int8,
        **dict.fromkeys((2, 4, 5, 6), ZigZag),
        **dict.fromkeys((7, 9, 10, 11), VarInt),
        8: Int8ub,
        13: Bytes(4),
        14: Bytes(8),
        17: Prefixed(ZigZag, GreedyBytes),
        21: PrefixedArray(ZigZag, Struct("key" / STRING, "value" / inside)),
        23: PrefixedArray(ZigZag, inside),
        24: STRING,
    }
    var: Any = Struct("t" / Int8ub, "v" / Switch(this.t, values, default=Error))
    return var


def message_type(bodies: dict[int, Any]) -> Any:
    """Units up to the end unit; a unit of a type not listed keeps its bytes."""
    unit = Struct("type" / Int8ub, "body" / Prefixed(Int24ub, Switch(this.type, bodies, default=GreedyBytes)))
    return RepeatUntil(obj_.type == 0, unit)


def unit_shape(unit: Any) -> dict[str, Any]:
    if type(unit).__name__ == "Opaque":
        return {"type": unit.type, "body": unit.body}
    body = {name: field_shape(getattr(unit, name)) for name in unit.__struct_fields__}
    return {"type": unit.keywords["type"], "body": body or b""}


def field_shape(value: Any) -> Any:
    return var_shape(value) if isinstance(value, Var) else plain(value)


def var_shape(var: Var) -> dict[str, Any]:
    value = var.v
    if var.t == "map":
        value = [{"key": key, "value": var_shape(item)} for key, item in value]
    elif var.t == "list":
        value = [var_shape(item) for item in value]
    return {"t": CODES[var.t], "v": value}


def message_shape(units: tuple[Any, ...]) -> list[dict[str, Any]]:
    return [*(unit_shape(unit) for unit in units), {"type": 0, "body": b""}]
