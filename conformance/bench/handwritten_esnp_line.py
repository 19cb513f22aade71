"""ESNP of document 001 by hand."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from bench.handwritten_esnp_read import VarTable, read_signed, read_string
from bench.handwritten_esnp_write import VarWriters, append_signed, append_string, encoded
from wireproof.errors import Malformed, Refused
from wireproof.protocols import esnp_line as lines
from wireproof.protocols.esnp_line import IDS
from wireproof.results import Decoded
from wireproof.wire.var import Var

HEAD = Struct(">I")
LONG = Struct(">Q")
INT_BITS = 32
MAX_FRAME = 16777215
MAX_MESSAGE = 33554432
NEUTRAL, HEADER, BODY = 0, 1, 2


def read_var_int8(buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
    if pos >= end:
        raise Malformed("overrun", "ESNPL-2.29", pos, "", "1 byte of Int8")
    byte = buf[pos]
    return Var("int8", byte - 256 if byte > 127 else byte), pos + 1


VAR = VarTable(IDS, INT_BITS, read_var_int8)


def trailing(pos: int, clause: str) -> Malformed:
    return Malformed("trailing-bytes", clause, pos, "", "nothing after the last field")


def read_session_info(buf: bytes, pos: int, end: int) -> lines.SessionInfo:
    key, value = VAR.read_pair(buf, pos, end, "ESNPL-3.6")
    return lines.SessionInfo(key, value)


def read_header(buf: bytes, pos: int, end: int) -> lines.Header:
    key, value = VAR.read_pair(buf, pos, end, "ESNPL-3.23")
    return lines.Header(key, value)


def read_data(buf: bytes, pos: int, end: int) -> lines.Data:
    key, value = VAR.read_pair(buf, pos, end, "ESNPL-3.26")
    return lines.Data(key, value)


def read_message_id(buf: bytes, pos: int, end: int) -> lines.MessageId:
    return lines.MessageId(LONG.unpack_from(buf, pos)[0])


def read_source_message_id(buf: bytes, pos: int, end: int) -> lines.SourceMessageId:
    return lines.SourceMessageId(LONG.unpack_from(buf, pos)[0])


def read_message_kind(buf: bytes, pos: int, end: int) -> lines.MessageKind:
    return lines.MessageKind(buf[pos])


def read_payload(buf: bytes, pos: int, end: int) -> lines.Payload:
    return lines.Payload(buf[pos:end])


def read_address_fields(buf: bytes, pos: int, end: int, clause: str) -> tuple[int, str]:
    address_type, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".address_type")
    value, pos = read_string(buf, pos, end, IDS, INT_BITS, ".value")
    if pos != end:
        raise trailing(pos, clause)
    return address_type, value


def read_address(buf: bytes, pos: int, end: int) -> lines.Address:
    address_type, value = read_address_fields(buf, pos, end, "ESNPL-3.32")
    return lines.Address(address_type, value)


def read_source_address(buf: bytes, pos: int, end: int) -> lines.SourceAddress:
    address_type, value = read_address_fields(buf, pos, end, "ESNPL-3.43")
    return lines.SourceAddress(address_type, value)


def read_trace(buf: bytes, pos: int, end: int) -> lines.Trace:
    return lines.Trace()


def read_trace_resp(buf: bytes, pos: int, end: int) -> lines.TraceResp:
    return lines.TraceResp()


def read_seq_no(buf: bytes, pos: int, end: int) -> lines.SeqNo:
    current, after = read_signed(buf, pos, end, IDS, INT_BITS, ".current")
    if current < 1:
        raise Malformed("invalid-value", "ESNPL-3.51", pos, ".current", "numbering from 1")
    last, stop = read_signed(buf, after, end, IDS, INT_BITS, ".max")
    if last < 0 or 0 < last < current:
        raise Malformed("invalid-value", "ESNPL-S17", after, ".max", "0 for unknown, or at least current")
    if stop != end:
        raise trailing(stop, "ESNPL-3.50")
    return lines.SeqNo(current, last)


def read_xdata(buf: bytes, pos: int, end: int) -> lines.Xdata:
    number, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".id")
    return lines.Xdata(number, buf[pos:end])


def read_error(buf: bytes, pos: int, end: int) -> lines.Error:
    try:
        return lines.Error(buf[pos:end].decode())
    except UnicodeDecodeError:
        raise Malformed("invalid-utf8", IDS.utf8, pos, ".text", "well-formed UTF-8") from None


def read_flag(buf: bytes, pos: int, end: int) -> lines.Flag:
    flag, pos = read_signed(buf, pos, end, IDS, 32, ".flag")
    if pos != end:
        raise trailing(pos, "ESNPL-3.62")
    return lines.Flag(flag)


def read_version(buf: bytes, pos: int, end: int) -> lines.Version:
    return lines.Version(tuple(buf[pos:end]))


# How to read a line type, its place in the order, the only size it can have (-1: any), and the clause of that size.
KINDS: dict[int, tuple[Callable[[bytes, int, int], Any], int, int, str]] = {
    0x10: (read_session_info, BODY, -1, ""),
    0x11: (read_message_id, HEADER, 8, "ESNPL-3.9"),
    0x12: (read_source_message_id, HEADER, 8, "ESNPL-3.12"),
    0x13: (read_message_kind, NEUTRAL, 1, "ESNPL-3.20"),
    0x14: (read_header, BODY, -1, ""),
    0x15: (read_data, BODY, -1, ""),
    0x16: (read_payload, BODY, -1, ""),
    0x17: (read_address, HEADER, -1, ""),
    0x18: (read_source_address, HEADER, -1, ""),
    0x19: (read_trace, NEUTRAL, 0, "ESNPL-3.46"),
    0x1A: (read_trace_resp, NEUTRAL, 0, "ESNPL-3.48"),
    0x1B: (read_seq_no, HEADER, -1, ""),
    0x1C: (read_xdata, BODY, -1, ""),
    0x1D: (read_error, HEADER, -1, ""),
    0x1E: (read_flag, HEADER, -1, ""),
    0x1F: (read_version, HEADER, 4, "ESNPL-3.72"),
}


def wrong_size(pos: int, clause: str, size: int) -> Malformed:
    return Malformed("length-mismatch", clause, pos + 1, ".size", f"size {size}")


def read_message(buf: bytes, start: int, end: int, units: list[Any]) -> int:
    """Append the lines of one message to `units`; where the message ends."""
    pos = start
    body_begun = False
    while True:
        if end - pos < 4:
            raise Malformed("truncated", "ESNPL-1.2", end, ".size", "a head, or the end of the message")
        (head,) = HEAD.unpack_from(buf, pos)
        if head == 0:
            break
        code, size = head >> 24, head & 0xFFFFFF
        kind = KINDS.get(code)
        reader = None
        if kind is not None:
            reader, category, only_size, clause = kind
            if category == BODY:
                body_begun = True
            elif category == HEADER and body_begun:
                raise Malformed("bad-order", "ESNPL-1.6", pos, ".type", "header lines before all body lines")
            if size != only_size >= 0:
                raise wrong_size(pos, clause, only_size)
        elif code == 0:
            raise wrong_size(pos, "ESNPL-3.1", 0)
        body = pos + 4
        stop = body + size
        if stop - start > MAX_MESSAGE:
            raise Malformed("limit-exceeded", "ESNPL-S26", pos + 1, ".size", f"a message of at most {MAX_MESSAGE}")
        if stop > end:
            raise Malformed("truncated", "ESNPL-1.2", end, ".size", "the rest of the unit")
        units.append(lines.Opaque(code, buf[body:stop]) if reader is None else reader(buf, body, stop))
        pos = stop
    if pos + 4 - start > MAX_MESSAGE:
        raise Malformed("limit-exceeded", "ESNPL-S26", pos + 1, ".size", f"a message of at most {MAX_MESSAGE}")
    return pos + 4


def decode(buf: bytes) -> Decoded:
    pos = 0
    end = len(buf)
    messages: list[Any] = []
    units: list[Any] = []
    try:
        while pos < end:
            units = []
            pos = read_message(buf, pos, end, units)
            messages.append(lines.Message(tuple(units)))
    except Malformed as error:
        error.under(f"lines[{len(units)}]")
        return Decoded(messages, pos, error)
    return Decoded(messages, end)


def write_var_int8(out: bytearray, v: Any, depth: int) -> None:
    if not -128 <= v <= 127:
        raise Refused("out-of-range", "ESNPL-2.29", "", "-128 to 127")
    out.append(3)
    out.append(v & 0xFF)


VARS = VarWriters(IDS, INT_BITS, write_var_int8)


def write_pair(out: bytearray, m: Any) -> None:
    VARS.write_pair(out, m.key, m.value)


def write_message_id(out: bytearray, m: lines.MessageId) -> None:
    if not 0 <= m.id < 1 << 64:
        raise Refused("out-of-range", "ESNPL-3.9", ".id", "a number of 64 bits")
    out += LONG.pack(m.id)


def write_source_message_id(out: bytearray, m: lines.SourceMessageId) -> None:
    if not 0 <= m.id < 1 << 64:
        raise Refused("out-of-range", "ESNPL-3.12", ".id", "a number of 64 bits")
    out += LONG.pack(m.id)


def write_body(out: bytearray, m: Any) -> None:
    out += m.body


def write_address(out: bytearray, m: lines.Address) -> None:
    append_signed(out, m.address_type, INT_BITS, "ESNPL-3.32", ".address_type")
    append_string(out, m.value, IDS, ".value")


def write_source_address(out: bytearray, m: lines.SourceAddress) -> None:
    append_signed(out, m.address_type, INT_BITS, "ESNPL-3.43", ".address_type")
    append_string(out, m.value, IDS, ".value")


def write_seq_no(out: bytearray, m: lines.SeqNo) -> None:
    append_signed(out, m.current, INT_BITS, "ESNPL-3.50", ".current")
    if m.current < 1:
        raise Refused("invalid-value", "ESNPL-3.51", ".current", "numbering from 1")
    append_signed(out, m.max, INT_BITS, "ESNPL-3.50", ".max")
    if m.max < 0 or 0 < m.max < m.current:
        raise Refused("invalid-value", "ESNPL-S17", ".max", "0 for unknown, or at least current")


def write_xdata(out: bytearray, m: lines.Xdata) -> None:
    append_signed(out, m.id, INT_BITS, "ESNPL-3.56", ".id")
    out += m.body


def write_error(out: bytearray, m: lines.Error) -> None:
    out += encoded(m.text, IDS, ".text")


def write_flag(out: bytearray, m: lines.Flag) -> None:
    append_signed(out, m.flag, 32, "ESNPL-3.62", ".flag")


def write_version(out: bytearray, m: lines.Version) -> None:
    if len(m.version) != 4:
        raise Refused("length-mismatch", "ESNPL-3.72", ".version", "exactly 4 numbers")
    try:
        out += bytes(m.version)
    except ValueError:
        bad = next(index for index, part in enumerate(m.version) if not 0 <= part <= 255)
        raise Refused("out-of-range", "ESNPL-3.72", f".version[{bad}]", "0 to 255") from None


def cancelled(clause: str) -> Callable[[bytearray, Any], None]:
    def refuse(out: bytearray, m: Any) -> None:
        raise Refused("forbidden-type", clause, ".type", "no cancelled line: FLAG took its place")

    return refuse


# Type, place in the order, and how to write it.
WRITERS: dict[type, tuple[int, int, Callable[[bytearray, Any], None]]] = {
    lines.SessionInfo: (0x10, BODY, write_pair),
    lines.MessageId: (0x11, HEADER, write_message_id),
    lines.SourceMessageId: (0x12, HEADER, write_source_message_id),
    lines.MessageKind: (0x13, NEUTRAL, cancelled("ESNPL-3.13")),
    lines.Header: (0x14, BODY, write_pair),
    lines.Data: (0x15, BODY, write_pair),
    lines.Payload: (0x16, BODY, write_body),
    lines.Address: (0x17, HEADER, write_address),
    lines.SourceAddress: (0x18, HEADER, write_source_address),
    lines.Trace: (0x19, NEUTRAL, cancelled("ESNPL-3.44")),
    lines.TraceResp: (0x1A, NEUTRAL, cancelled("ESNPL-3.47")),
    lines.SeqNo: (0x1B, HEADER, write_seq_no),
    lines.Xdata: (0x1C, BODY, write_xdata),
    lines.Error: (0x1D, HEADER, write_error),
    lines.Flag: (0x1E, HEADER, write_flag),
    lines.Version: (0x1F, HEADER, write_version),
    lines.Opaque: (-1, NEUTRAL, write_body),
}


def opaque_type(line: lines.Opaque) -> int:
    code = line.type
    if not 0 <= code <= 255:
        raise Refused("out-of-range", "ESNPL-1.2", ".type", "0 to 255")
    if code == 0:
        raise Refused("unknown-type", "ESNPL-3.1", ".type", "a type other than the end's")
    if code < 0x10:
        raise Refused("forbidden-type", "ESNPL-3.2", ".type", "no line of the reserved range")
    return code


def encode(message: lines.Message) -> bytes:
    out = bytearray()
    index = 0
    body_begun = False
    try:
        for index, line in enumerate(message.lines):  # noqa: B007 - an error says which line
            code, category, writer = WRITERS[type(line)]
            if code < 0:
                code = opaque_type(line)
            if category == BODY:
                body_begun = True
            elif category == HEADER and body_begun:
                raise Refused("bad-order", "ESNPL-1.6", ".type", "header lines before all body lines")
            start = len(out)
            out += b"\x00\x00\x00\x00"
            writer(out, line)
            size = len(out) - start - 4
            if size > MAX_FRAME:
                raise Refused("limit-exceeded", "ESNPL-S26", ".size", f"at most {MAX_FRAME} bytes")
            if len(out) + 4 > MAX_MESSAGE:
                raise Refused("limit-exceeded", "ESNPL-S26", ".size", f"at most {MAX_MESSAGE} bytes")
            HEAD.pack_into(out, start, code << 24 | size)
    except Refused as error:
        raise error.under(f"lines[{index}]") from None
    out += b"\x00\x00\x00\x00"
    return bytes(out)
