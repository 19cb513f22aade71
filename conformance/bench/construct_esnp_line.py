"""ESNP of document 001 in construct."""

from __future__ import annotations

from typing import Any

from construct import Array, GreedyBytes, GreedyString, Int8sb, Int8ub, Int64ub, Struct, ZigZag

from bench.construct_esnp import STRING, message_shape, message_type, var_type

PAIR = Struct("key" / STRING, "value" / var_type(Int8sb))
ADDRESS = Struct("address_type" / ZigZag, "value" / STRING)
MESSAGE = message_type(
    {
        0x10: PAIR,
        0x11: Struct("id" / Int64ub),
        0x12: Struct("id" / Int64ub),
        0x13: Struct("kind" / Int8ub),
        0x14: PAIR,
        0x15: PAIR,
        0x16: Struct("body" / GreedyBytes),
        0x17: ADDRESS,
        0x18: ADDRESS,
        0x1B: Struct("current" / ZigZag, "max" / ZigZag),
        0x1C: Struct("id" / ZigZag, "body" / GreedyBytes),
        0x1D: Struct("text" / GreedyString("utf8")),
        0x1E: Struct("flag" / ZigZag),
        0x1F: Struct("version" / Array(4, Int8ub)),
    }
)


def shape(message: Any) -> list[dict[str, Any]]:
    return message_shape(message.lines)
