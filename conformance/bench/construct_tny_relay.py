"""tny-relay in construct."""

from __future__ import annotations

from typing import Any

from construct import BitsInteger, BitStruct, Const, GreedyBytes, Int32ul, Int64sl, Padding, Prefixed, Struct

MESSAGE = Struct(
    "head" / Const(b"rpk"),
    "packet"
    / Prefixed(
        Int32ul,
        Struct(
            "pack_id" / Int32ul,
            "option" / BitStruct(Padding(3), "mark" / BitsInteger(1), "sub_id" / BitsInteger(4)),
            "time" / Int64sl,
            "args" / GreedyBytes,
        ),
    ),
)


def shape(m: Any) -> dict[str, Any]:
    option = {"mark": m.mark, "sub_id": m.sub_id}
    return {"packet": {"pack_id": m.pack_id, "option": option, "time": m.time, "args": m.args}}
