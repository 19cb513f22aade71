"""comet in construct; the rule about topic names is left out, which favours it."""

from __future__ import annotations

from typing import Any

from construct import (
    Error,
    GreedyBytes,
    Int8ub,
    Int16ub,
    Int64sb,
    PascalString,
    Pass,
    Prefixed,
    PrefixedArray,
    Struct,
    Switch,
    this,
)

from bench.construct_shapes import plain

STRING = PascalString(Int16ub, "utf8")
STRINGS = PrefixedArray(Int8ub, STRING)
BYTES = Prefixed(Int16ub, GreedyBytes)
NOTIFICATION = Struct("msg_type" / Int8ub, "msg_id" / STRING, "content" / STRING, "ts" / Int64sb)


def command(contents: dict[int, Any]) -> Any:
    return Prefixed(Int16ub, Struct("type" / Int8ub, "content" / Switch(this.type, contents, default=Error)))


CLIENT_COMMAND = command(
    {
        0: Struct("client_id" / STRING, "token" / STRING),
        1: Struct("secret_key" / BYTES),
        2: Pass,
        3: Struct("topics" / STRINGS),
        4: Struct("topics" / STRINGS),
        5: Pass,
        6: Pass,
        7: Struct("msg_ids" / STRINGS),
        8: Struct("network_type" / Int8ub, "isp" / Int8ub, "phone_type" / STRING, "extra" / STRINGS),
    }
)
SERVER_COMMAND = command(
    {
        0: Pass,
        1: Struct("error_code" / Int8ub, "reason" / STRING),
        2: Struct("encrypt_key" / BYTES),
        3: Struct("topics" / STRINGS),
        4: Struct("notifications" / PrefixedArray(Int8ub, NOTIFICATION)),
        5: Struct("notification" / NOTIFICATION),
    }
)


def shape(message: Any) -> dict[str, Any]:
    return {"type": message.keywords["type"], "content": plain(message) or None}
