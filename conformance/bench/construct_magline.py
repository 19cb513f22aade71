"""magline in construct; which CMD goes under which magic is left out, which favours it."""

from __future__ import annotations

from typing import Any

from construct import (
    Bytes,
    Const,
    Error,
    FixedSized,
    GreedyBytes,
    Int8ub,
    Int16ub,
    Int32ub,
    OneOf,
    Struct,
    Switch,
    this,
)

from bench.construct_shapes import plain

HELLO = ("random" / Bytes(32), "public_key" / Bytes(32))
BUSINESS = Struct("business_cmd" / Int32ub, "hmac" / Bytes(16), "data" / GreedyBytes)
BODIES = {
    1: Struct(*HELLO),
    2: Struct(*HELLO, "cipher" / GreedyBytes),
    3: Struct("business_cmd" / Int32ub, "error" / Int32ub),
    4: Struct("number" / Int32ub),
    5: Struct("number" / Int32ub),
    6: BUSINESS,
    7: BUSINESS,
    8: BUSINESS,
    9: Struct("reason" / Int32ub),
}
MESSAGE = Struct(
    "magic" / OneOf(Int8ub, (0xC1, 0xD1)),
    "version" / Const(1, Int8ub),
    "cmd" / Int16ub,
    "head_optional" / Int16ub,
    # Neither length stands before what it counts, so that construct cannot compute them: they are given.
    "head_length" / Int16ub,
    "seq" / Int32ub,
    "message_length" / Int32ub,
    "head" / Bytes(this.head_length),
    "body" / FixedSized(this.message_length, Switch(this.cmd, BODIES, default=Error)),
)

HEAD_FIELDS = ("magic", "version", "head_optional", "seq", "head")


def shape(m: Any) -> dict[str, Any]:
    body = plain(m)
    frame = {name: body.pop(name) for name in HEAD_FIELDS}
    cmd = m.keywords["cmd"]
    sizes = {"head_length": len(m.head), "message_length": len(BODIES[cmd].build(body))}
    return {**frame, "cmd": cmd, **sizes, "body": body}
