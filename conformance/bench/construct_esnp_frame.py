"""ESNP of document 000 in construct."""

from __future__ import annotations

from typing import Any

from construct import GreedyBytes, Int8ub, Int64ub, Struct, ZigZag

from bench.construct_esnp import STRING, message_shape, message_type, var_type

PAIR = Struct("key" / STRING, "value" / var_type(ZigZag))
ADDRESS = Struct("address_type" / ZigZag, "value" / STRING)
MESSAGE = message_type(
    {
        0x10: PAIR,
        0x11: Struct("id" / Int64ub),
        0x12: Struct("kind" / Int8ub),
        0x13: PAIR,
        0x14: PAIR,
        0x15: Struct("body" / GreedyBytes),
        0x16: ADDRESS,
        0x17: ADDRESS,
        0x18: Struct("id" / Int64ub),
        0x1B: Struct("current" / ZigZag, "max" / ZigZag),
        0x1C: Struct("id" / ZigZag, "body" / GreedyBytes),
    }
)


def shape(message: Any) -> list[dict[str, Any]]:
    return message_shape(message.frames)
