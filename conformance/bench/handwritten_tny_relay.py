"""tny-relay by hand."""

from __future__ import annotations

from struct import Struct
from typing import Any

from wireproof.errors import BadValue, Malformed, Refused
from wireproof.protocols.tny_relay import Relay
from wireproof.results import Decoded

MAGIC = b"rpk"
LENGTH = Struct("<I")
FIXED = Struct("<IBq")
WHOLE_HEAD = Struct("<3sIIBq")
MOST = 16777216


def wrong_magic(buf: bytes, pos: int) -> Malformed:
    """Each byte of the magic is examined as it comes: the first that differs, or the end of the input."""
    for at, byte in enumerate(MAGIC, pos):
        if at >= len(buf):
            break
        if buf[at] != byte:
            return Malformed("bad-magic", "RPK-1.3", at, "relay.head", "the bytes of 'rpk'")
    return Malformed("truncated", "RPK-1.3", len(buf), "relay.head", "the rest of the unit")


def read_relay(buf: bytes, pos: int, end: int) -> Relay:
    pack_id, option, time = FIXED.unpack_from(buf, pos)
    if option & 0xE0:
        raise Malformed("reserved-bits", "RPK-1.6", pos + 4, "relay.option", "the bits 0xe0 to be 0")
    return Relay(pack_id, option >> 4, option & 15, time, buf[pos + 13 : end])


def decode(buf: bytes) -> Decoded:
    pos = start = 0
    end = len(buf)
    messages: list[Any] = []
    try:
        while pos < end:
            start = pos
            if not buf.startswith(MAGIC, pos):
                raise wrong_magic(buf, pos)
            pos += 3
            if end - pos < 4:
                raise Malformed("truncated", "RPK-1.4", end, "relay.packet_length", "the rest of the unit")
            (length,) = LENGTH.unpack_from(buf, pos)
            if length < 13:
                raise Malformed("length-mismatch", "RPK-1.4", pos, "relay.packet_length", "at least 13")
            if length > MOST:
                raise Malformed("limit-exceeded", "RPK-1.4", pos, "relay.packet_length", f"at most {MOST}")
            pos += 4
            stop = pos + length
            if stop > end:
                raise Malformed("truncated", "RPK-1.4", end, "relay", "the rest of the unit")
            messages.append(read_relay(buf, pos, stop))
            pos = stop
    except Malformed as error:
        return Decoded(messages, start, error)
    return Decoded(messages, end)


def encode(message: Any) -> bytes:
    if type(message) is not Relay:
        raise BadValue("", f"{type(message).__name__} is no relay pack")
    if not 0 <= message.pack_id <= 0xFFFFFFFF:
        raise Refused("out-of-range", "RPK-1.5", "relay.pack_id", "0 to 4294967295")
    if not 0 <= message.mark <= 1:
        raise Refused("out-of-range", "RPK-1.6", "relay.option", "mark 0 or 1")
    if not 0 <= message.sub_id <= 15:
        raise Refused("out-of-range", "RPK-1.6", "relay.option", "sub_id from 0 to 15")
    if not -(1 << 63) <= message.time < 1 << 63:
        raise Refused("out-of-range", "RPK-1.10", "relay.time", "a signed number of 64 bits")
    length = 13 + len(message.args)
    if length > MOST:
        raise Refused("limit-exceeded", "RPK-1.4", "relay.packet_length", f"at most {MOST}")
    option = message.mark << 4 | message.sub_id
    return WHOLE_HEAD.pack(MAGIC, length, message.pack_id, option, message.time) + message.args
