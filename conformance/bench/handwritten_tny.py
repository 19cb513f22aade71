"""tny by hand."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any
from zlib import crc32

from wireproof.errors import BadValue, Malformed, Refused
from wireproof.protocols.tny import Message, MessagePacket, Payload, Ping, Pong
from wireproof.results import Decoded

MAGIC = b"tny."
HEAD = Struct("<BI")
WHOLE_HEAD = Struct("<4sBI")
CHECK = Struct("<I")
MOST = 16777216
BYTE = [bytes([number]) for number in range(256)]


def read_varint32(buf: bytes, pos: int, end: int, clause: str, path: str) -> tuple[int, int]:
    """A signed number of 32 bits, and where it ends."""
    if pos < end and buf[pos] < 0x80:
        return buf[pos], pos + 1
    value, stop = read_long_varint(buf, pos, end, 5, 0x0F, clause, path)
    return (value - (1 << 32) if value >> 31 else value), stop


def read_varint64(buf: bytes, pos: int, end: int, clause: str, path: str) -> tuple[int, int]:
    """A signed number of 64 bits, and where it ends."""
    if pos < end and buf[pos] < 0x80:
        return buf[pos], pos + 1
    value, stop = read_long_varint(buf, pos, end, 10, 0x01, clause, path)
    return (value - (1 << 64) if value >> 63 else value), stop


def read_long_varint(buf: bytes, start: int, end: int, most: int, last: int, clause: str, path: str) -> tuple[int, int]:
    """An unsigned varint of at most `most` bytes, the last of them at most `last`."""
    value = shift = 0
    pos = start
    for pos in range(start, min(start + most, end)):
        byte = buf[pos]
        if byte < 0x80:
            if byte > last and pos == start + most - 1:
                raise Malformed("out-of-range", "TNY-S12", start, path, "no more bits than the type has")
            return value | byte << shift, pos + 1
        value |= (byte & 0x7F) << shift
        shift += 7
    if end < start + most:
        raise Malformed("overrun", clause, start, path, "the rest of a varint")
    raise Malformed("varint-overflow", "TNY-S12", start, path, f"at most {most} bytes")


def read_bytes(buf: bytes, pos: int, end: int, clause: str, path: str) -> tuple[bytes, int]:
    if pos < end and buf[pos] < 0x80:
        size, start = buf[pos], pos + 1
    else:
        size, start = read_varint32(buf, pos, end, clause, f"{path}.length")
    if size < 0:
        raise Malformed("negative-length", clause, pos, f"{path}.length", "a length of 0 or more")
    stop = start + size
    if stop > end:
        raise Malformed("overrun", clause, start, path, "as many bytes as the length before it says")
    return buf[start:stop], stop


def read_message(buf: bytes, pos: int, end: int) -> tuple[Message, int]:
    message_id, pos = read_varint64(buf, pos, end, "TNY-3.3", "packet.payload.message.message_id")
    if pos >= end:
        raise Malformed("overrun", "TNY-3.4", pos, "packet.payload.message.option", "a byte of option")
    option = buf[pos]
    if option & 0x80:
        raise Malformed("reserved-bits", "TNY-3.4", pos, "packet.payload.message.option", "the bit 0x80 to be 0")
    mode = option & 3
    if mode == 3:
        raise Malformed("unknown-enum", "TNY-3.10", pos, "packet.payload.message.option", "mode from 0 to 2")
    protocol_id, pos = read_varint32(buf, pos + 1, end, "TNY-3.13", "packet.payload.message.protocol_id")
    result_code, pos = read_varint32(buf, pos, end, "TNY-3.14", "packet.payload.message.result_code")
    to_message, pos = read_varint64(buf, pos, end, "TNY-3.15", "packet.payload.message.to_message")
    time, pos = read_varint64(buf, pos, end, "TNY-3.16", "packet.payload.message.time")
    forward_header = body = None
    if option & 0x40:
        forward_header, pos = read_bytes(buf, pos, end, "TNY-3.17", "packet.payload.message.forward_header")
    if option & 0x04:
        body, pos = read_bytes(buf, pos, end, "TNY-3.19", "packet.payload.message.body")
    line = option >> 3 & 7
    return (
        Message(message_id, mode, line, protocol_id, result_code, to_message, time, forward_header, body),
        pos,
    )


def read_packet(buf: bytes, pos: int, end: int, verify: bool) -> MessagePacket:
    access_id, pos = read_varint64(buf, pos, end, "TNY-2.2", "packet.payload.access_id")
    number, pos = read_varint32(buf, pos, end, "TNY-2.3", "packet.payload.number")
    check = None
    if verify:
        if end - pos < 4:
            raise Malformed("overrun", "TNY-2.6", pos, "packet.payload.code", "4 bytes of check code")
        check = buf[end - 4 : end]
        end -= 4
        if CHECK.pack(crc32(buf[pos:end])) != check:
            raise Malformed("checksum-mismatch", "TNY-2.6", end, "packet.payload.code", "the CRC-32 of the message")
    message, pos = read_message(buf, pos, end)
    if pos != end:
        raise Malformed("trailing-bytes", "TNY-1.12", pos, "packet", "nothing after the last field")
    return MessagePacket(False, False, verify, Payload(access_id, number, message, check))


def wrong_magic(buf: bytes, pos: int) -> Malformed:
    """Each byte of the magic is examined as it comes: the first that differs, or the end of the input."""
    for at, byte in enumerate(MAGIC, pos):
        if at >= len(buf):
            break
        if buf[at] != byte:
            return Malformed("bad-magic", "TNY-1.3", at, "packet.head", "the bytes of 'tny.'")
    return Malformed("truncated", "TNY-1.3", len(buf), "packet.head", "the rest of the unit")


def check_head(option: int, length: int, pos: int) -> None:
    if option & 0xE0:
        raise Malformed("reserved-bits", "TNY-1.4", pos, "packet.option", "the bits 0xe0 to be 0")
    if option & 3 == 3:
        raise Malformed("unknown-type", "TNY-1.5", pos, "packet.option", "type 0, 1 or 2")
    if option & 0x18 and option & 3 == 0:
        raise Malformed("unsupported", "TNY-S14", pos, "packet.option", "neither waste bytes nor encryption")
    if length > MOST:
        raise Malformed("limit-exceeded", "TNY-1.11", pos + 1, "packet.payload_length", f"at most {MOST}")


def decode(buf: bytes) -> Decoded:
    pos = start = 0
    end = len(buf)
    messages: list[Any] = []
    try:
        while pos < end:
            start = pos
            if not buf.startswith(MAGIC, pos):
                raise wrong_magic(buf, pos)
            pos += 4
            if end - pos < 5:
                raise Malformed("truncated", "TNY-1.4", end, "packet.option", "the rest of the unit")
            option, length = HEAD.unpack_from(buf, pos)
            check_head(option, length, pos)
            pos += 5
            stop = pos + length
            if stop > end:
                raise Malformed("truncated", "TNY-1.11", end, "packet", "the rest of the unit")
            if option & 3:
                record = Ping if option & 3 == 1 else Pong
                messages.append(record(option & 16 != 0, option & 8 != 0, option & 4 != 0, buf[pos:stop]))
            else:
                messages.append(read_packet(buf, pos, stop, option & 4 != 0))
            pos = stop
    except Malformed as error:
        return Decoded(messages, start, error)
    return Decoded(messages, end)


def varint(value: int) -> bytes:
    """The shortest varint of an unsigned number."""
    if value < 0x80:
        return BYTE[value]
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint32(value: int, clause: str, path: str) -> bytes:
    if 0 <= value < 0x80:
        return BYTE[value]
    if not -(1 << 31) <= value < 1 << 31:
        raise Refused("out-of-range", clause, path, "a signed number of 32 bits")
    return varint(value & 0xFFFFFFFF)


def varint64(value: int, clause: str, path: str) -> bytes:
    if 0 <= value < 0x80:
        return BYTE[value]
    if not -(1 << 63) <= value < 1 << 63:
        raise Refused("out-of-range", clause, path, "a signed number of 64 bits")
    return varint(value & 0xFFFFFFFFFFFFFFFF)


def option_byte(m: Message) -> bytes:
    if not 0 <= m.line <= 7:
        raise Refused("out-of-range", "TNY-3.4", "packet.payload.message.option", "line from 0 to 7")
    if not 0 <= m.mode <= 3:
        raise Refused("out-of-range", "TNY-3.4", "packet.payload.message.option", "mode from 0 to 3")
    if m.mode == 3:
        raise Refused("unknown-enum", "TNY-3.10", "packet.payload.message.option", "mode from 0 to 2")
    option = m.line << 3 | m.mode
    if m.forward_header is not None:
        option |= 0x40
    if m.body is not None:
        option |= 0x04
    return BYTE[option]


def message_bytes(m: Message) -> bytes:
    parts = [
        varint64(m.message_id, "TNY-3.3", "packet.payload.message.message_id"),
        option_byte(m),
        varint32(m.protocol_id, "TNY-3.13", "packet.payload.message.protocol_id"),
        varint32(m.result_code, "TNY-3.14", "packet.payload.message.result_code"),
        varint64(m.to_message, "TNY-3.15", "packet.payload.message.to_message"),
        varint64(m.time, "TNY-3.16", "packet.payload.message.time"),
    ]
    # No run can be too long for its VarInt32: the payload as a whole is held to less.
    if m.forward_header is not None:
        parts += (varint(len(m.forward_header)), m.forward_header)
    if m.body is not None:
        parts += (varint(len(m.body)), m.body)
    return b"".join(parts)


def packet(option: int, payload: bytes) -> bytes:
    if len(payload) > MOST:
        raise Refused("limit-exceeded", "TNY-1.11", "packet.payload_length", f"at most {MOST}")
    return WHOLE_HEAD.pack(MAGIC, option, len(payload)) + payload


def write_message_packet(m: MessagePacket) -> bytes:
    if m.waste or m.encrypt:
        raise Refused("unsupported", "TNY-S14", "packet.option", "neither waste bytes nor encryption")
    payload = m.payload
    start = varint64(payload.access_id, "TNY-2.2", "packet.payload.access_id") + varint32(
        payload.number, "TNY-2.3", "packet.payload.number"
    )
    message = message_bytes(payload.message)
    if m.verify:
        return packet(4, start + message + CHECK.pack(crc32(message)))
    return packet(0, start + message)


def flags(m: Ping | Pong) -> int:
    return (16 if m.waste else 0) | (8 if m.encrypt else 0) | (4 if m.verify else 0)


def write_ping(m: Ping) -> bytes:
    return packet(flags(m) | 1, m.payload_raw)


def write_pong(m: Pong) -> bytes:
    return packet(flags(m) | 2, m.payload_raw)


WRITERS: dict[type, Callable[[Any], bytes]] = {
    MessagePacket: write_message_packet,
    Ping: write_ping,
    Pong: write_pong,
}


def encode(message: Any) -> bytes:
    writer = WRITERS.get(type(message))
    if writer is None:
        raise BadValue("", f"{type(message).__name__} is no packet")
    return writer(message)
