"""tny in construct, the CRC-32 included."""

from __future__ import annotations

import zlib
from typing import Any

from construct import (
    BitsInteger,
    BitStruct,
    Bytes,
    Checksum,
    Const,
    ExprAdapter,
    Flag,
    GreedyBytes,
    If,
    Int32ul,
    Padding,
    Prefixed,
    RawCopy,
    Struct,
    Switch,
    VarInt,
    this,
)

from bench.construct_shapes import plain


def signed_varint(bits: int) -> Any:
    """A varint of the two's complement."""
    return ExprAdapter(
        VarInt,
        lambda value, _: value - (1 << bits) if value >> bits - 1 else value,
        lambda value, _: value & (1 << bits) - 1,
    )


VARINT32, VARINT64 = signed_varint(32), signed_varint(64)
BYTES = Prefixed(VARINT32, GreedyBytes)

INNER = Struct(
    "message_id" / VARINT64,
    "option"
    / BitStruct(Padding(1), "has_header" / Flag, "line" / BitsInteger(3), "has_body" / Flag, "mode" / BitsInteger(2)),
    "protocol_id" / VARINT32,
    "result_code" / VARINT32,
    "to_message" / VARINT64,
    "time" / VARINT64,
    "forward_header" / If(this.option.has_header, BYTES),
    "body" / If(this.option.has_body, BYTES),
)
PAYLOAD = Struct(
    "access_id" / VARINT64,
    "number" / VARINT32,
    "message" / RawCopy(INNER),
    "check"
    / If(
        this._.option.verify,
        Checksum(Bytes(4), lambda data: zlib.crc32(data).to_bytes(4, "little"), this.message.data),
    ),
)
MESSAGE = Struct(
    "head" / Const(b"tny."),
    "option" / BitStruct(Padding(3), "waste" / Flag, "encrypt" / Flag, "verify" / Flag, "type" / BitsInteger(2)),
    "payload" / Prefixed(Int32ul, Switch(this.option.type, {0: PAYLOAD}, default=GreedyBytes)),
)


def shape(m: Any) -> dict[str, Any]:
    kind = m.keywords["type"]
    option = {"waste": m.waste, "encrypt": m.encrypt, "verify": m.verify, "type": kind}
    return {"option": option, "payload": m.payload_raw if kind else payload_shape(m.payload)}


def payload_shape(payload: Any) -> dict[str, Any]:
    inner = plain(payload.message)
    inner["option"] = {
        "has_header": inner["forward_header"] is not None,
        "line": inner.pop("line"),
        "has_body": inner["body"] is not None,
        "mode": inner.pop("mode"),
    }
    return {"access_id": payload.access_id, "number": payload.number, "message": {"value": inner}}
