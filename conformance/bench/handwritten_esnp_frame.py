"""ESNP of document 000 by hand."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from bench.handwritten_esnp_read import VarTable, read_signed, read_string
from bench.handwritten_esnp_write import VarWriters, append_signed, append_string
from wireproof.errors import Malformed, Refused
from wireproof.protocols import esnp_frame as frames
from wireproof.protocols.esnp_frame import IDS
from wireproof.results import Decoded
from wireproof.wire.var import Var

HEAD = Struct(">I")
LONG = Struct(">Q")
INT_BITS = 64
MAX_FRAME = 16777215
MAX_MESSAGE = 33554432
CLOSE_CHANNEL = 0x09


def read_var_int8(buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
    value, stop = read_signed(buf, pos, end, IDS, 8, "")
    return Var("int8", value), stop


VAR = VarTable(IDS, INT_BITS, read_var_int8)


def trailing(pos: int, clause: str) -> Malformed:
    return Malformed("trailing-bytes", clause, pos, "", "nothing after the last field")


def read_session_info(buf: bytes, pos: int, end: int) -> frames.SessionInfo:
    key, value = VAR.read_pair(buf, pos, end, "ESNPF-4.6")
    return frames.SessionInfo(key, value)


def read_header(buf: bytes, pos: int, end: int) -> frames.Header:
    key, value = VAR.read_pair(buf, pos, end, "ESNPF-4.18")
    return frames.Header(key, value)


def read_data(buf: bytes, pos: int, end: int) -> frames.Data:
    key, value = VAR.read_pair(buf, pos, end, "ESNPF-4.19")
    return frames.Data(key, value)


def read_message_id(buf: bytes, pos: int, end: int) -> frames.MessageId:
    return frames.MessageId(LONG.unpack_from(buf, pos)[0])


def read_source_message_id(buf: bytes, pos: int, end: int) -> frames.SourceMessageId:
    return frames.SourceMessageId(LONG.unpack_from(buf, pos)[0])


def read_message_kind(buf: bytes, pos: int, end: int) -> frames.MessageKind:
    return frames.MessageKind(buf[pos])


def read_payload(buf: bytes, pos: int, end: int) -> frames.Payload:
    return frames.Payload(buf[pos:end])


def read_address_fields(buf: bytes, pos: int, end: int, clause: str) -> tuple[int, str]:
    address_type, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".address_type")
    value, pos = read_string(buf, pos, end, IDS, INT_BITS, ".value")
    if pos != end:
        raise trailing(pos, clause)
    return address_type, value


def read_address(buf: bytes, pos: int, end: int) -> frames.Address:
    address_type, value = read_address_fields(buf, pos, end, "ESNPF-4.21")
    return frames.Address(address_type, value)


def read_source_address(buf: bytes, pos: int, end: int) -> frames.SourceAddress:
    address_type, value = read_address_fields(buf, pos, end, "ESNPF-4.22")
    return frames.SourceAddress(address_type, value)


def read_trace(buf: bytes, pos: int, end: int) -> frames.Trace:
    return frames.Trace()


def read_trace_resp(buf: bytes, pos: int, end: int) -> frames.TraceResp:
    return frames.TraceResp()


def read_seq_no(buf: bytes, pos: int, end: int) -> frames.SeqNo:
    current, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".current")
    last, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".max")
    if pos != end:
        raise trailing(pos, "ESNPF-4.26")
    return frames.SeqNo(current, last)


def read_xdata(buf: bytes, pos: int, end: int) -> frames.Xdata:
    number, pos = read_signed(buf, pos, end, IDS, INT_BITS, ".id")
    return frames.Xdata(number, buf[pos:end])


# How to read a frame type, the only size it can have (-1: any), and the clause of that size.
KINDS: dict[int, tuple[Callable[[bytes, int, int], Any], int, str]] = {
    0x10: (read_session_info, -1, ""),
    0x11: (read_message_id, 8, "ESNPF-4.9"),
    0x12: (read_message_kind, 1, "ESNPF-4.16"),
    0x13: (read_header, -1, ""),
    0x14: (read_data, -1, ""),
    0x15: (read_payload, -1, ""),
    0x16: (read_address, -1, ""),
    0x17: (read_source_address, -1, ""),
    0x18: (read_source_message_id, 8, "ESNPF-4.23"),
    0x19: (read_trace, 0, "ESNPF-4.24"),
    0x1A: (read_trace_resp, 0, "ESNPF-4.25"),
    0x1B: (read_seq_no, -1, ""),
    0x1C: (read_xdata, -1, ""),
}


def wrong_size(pos: int, clause: str, size: int) -> Malformed:
    return Malformed("length-mismatch", clause, pos + 1, ".size", f"size {size}")


def read_message(buf: bytes, start: int, end: int, units: list[Any]) -> int:
    """Append the frames of one message to `units`; where the message ends."""
    pos = start
    while True:
        if end - pos < 4:
            raise Malformed("truncated", "ESNPF-1.4", end, ".size", "a head, or the end of the message")
        (head,) = HEAD.unpack_from(buf, pos)
        if head == 0:
            break
        code, size = head >> 24, head & 0xFFFFFF
        kind = KINDS.get(code)
        reader = None
        if kind is not None:
            reader, only_size, clause = kind
            if size != only_size >= 0:
                raise wrong_size(pos, clause, only_size)
        elif code == CLOSE_CHANNEL:
            raise Malformed("forbidden-type", "ESNPF-4.3", pos, ".type", "no CLOSE_CHANNEL frame")
        elif code == 0:
            raise wrong_size(pos, "ESNPF-4.1", 0)
        body = pos + 4
        stop = body + size
        if stop - start > MAX_MESSAGE:
            raise Malformed("limit-exceeded", "ESNPF-S25", pos + 1, ".size", f"a message of at most {MAX_MESSAGE}")
        if stop > end:
            raise Malformed("truncated", "ESNPF-1.4", end, ".size", "the rest of the unit")
        units.append(frames.Opaque(code, buf[body:stop]) if reader is None else reader(buf, body, stop))
        pos = stop
    if pos + 4 - start > MAX_MESSAGE:
        raise Malformed("limit-exceeded", "ESNPF-S25", pos + 1, ".size", f"a message of at most {MAX_MESSAGE}")
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
            messages.append(frames.Message(tuple(units)))
    except Malformed as error:
        error.under(f"frames[{len(units)}]")
        return Decoded(messages, pos, error)
    return Decoded(messages, end)


def write_var_int8(out: bytearray, v: Any, depth: int) -> None:
    out.append(3)
    append_signed(out, v, 8, "ESNPF-3.29", "")


VARS = VarWriters(IDS, INT_BITS, write_var_int8)


def write_pair(out: bytearray, m: Any) -> None:
    VARS.write_pair(out, m.key, m.value)


def write_message_id(out: bytearray, m: frames.MessageId) -> None:
    if not 0 <= m.id < 1 << 64:
        raise Refused("out-of-range", "ESNPF-4.9", ".id", "a number of 64 bits")
    out += LONG.pack(m.id)


def write_source_message_id(out: bytearray, m: frames.SourceMessageId) -> None:
    if not 0 <= m.id < 1 << 64:
        raise Refused("out-of-range", "ESNPF-4.23", ".id", "a number of 64 bits")
    out += LONG.pack(m.id)


def write_message_kind(out: bytearray, m: frames.MessageKind) -> None:
    if not 0 <= m.kind <= 255:
        raise Refused("out-of-range", "ESNPF-4.16", ".kind", "0 to 255")
    out.append(m.kind)


def write_body(out: bytearray, m: Any) -> None:
    out += m.body


def write_address(out: bytearray, m: frames.Address) -> None:
    append_signed(out, m.address_type, INT_BITS, "ESNPF-4.21", ".address_type")
    append_string(out, m.value, IDS, ".value")


def write_source_address(out: bytearray, m: frames.SourceAddress) -> None:
    append_signed(out, m.address_type, INT_BITS, "ESNPF-4.22", ".address_type")
    append_string(out, m.value, IDS, ".value")


def write_nothing(out: bytearray, m: Any) -> None:
    pass


def write_seq_no(out: bytearray, m: frames.SeqNo) -> None:
    append_signed(out, m.current, INT_BITS, "ESNPF-4.26", ".current")
    append_signed(out, m.max, INT_BITS, "ESNPF-4.26", ".max")


def write_xdata(out: bytearray, m: frames.Xdata) -> None:
    append_signed(out, m.id, INT_BITS, "ESNPF-4.27", ".id")
    out += m.body


WRITERS: dict[type, tuple[int, Callable[[bytearray, Any], None]]] = {
    frames.SessionInfo: (0x10, write_pair),
    frames.MessageId: (0x11, write_message_id),
    frames.MessageKind: (0x12, write_message_kind),
    frames.Header: (0x13, write_pair),
    frames.Data: (0x14, write_pair),
    frames.Payload: (0x15, write_body),
    frames.Address: (0x16, write_address),
    frames.SourceAddress: (0x17, write_source_address),
    frames.SourceMessageId: (0x18, write_source_message_id),
    frames.Trace: (0x19, write_nothing),
    frames.TraceResp: (0x1A, write_nothing),
    frames.SeqNo: (0x1B, write_seq_no),
    frames.Xdata: (0x1C, write_xdata),
    frames.Opaque: (-1, write_body),
}


def opaque_type(frame: frames.Opaque) -> int:
    code = frame.type
    if not 0 <= code <= 255:
        raise Refused("out-of-range", "ESNPF-1.3", ".type", "0 to 255")
    if code == 0:
        raise Refused("unknown-type", "ESNPF-4.1", ".type", "a type other than the end's")
    if code == CLOSE_CHANNEL:
        raise Refused("forbidden-type", "ESNPF-4.3", ".type", "no CLOSE_CHANNEL frame")
    return code


def encode(message: frames.Message) -> bytes:
    out = bytearray()
    index = 0
    try:
        for index, frame in enumerate(message.frames):  # noqa: B007 - an error says which frame
            code, writer = WRITERS[type(frame)]
            if code < 0:
                code = opaque_type(frame)
            start = len(out)
            out += b"\x00\x00\x00\x00"
            writer(out, frame)
            size = len(out) - start - 4
            if size > MAX_FRAME:
                raise Refused("limit-exceeded", "ESNPF-S25", ".size", f"at most {MAX_FRAME} bytes")
            if len(out) + 4 > MAX_MESSAGE:
                raise Refused("limit-exceeded", "ESNPF-S25", ".size", f"at most {MAX_MESSAGE} bytes")
            HEAD.pack_into(out, start, code << 24 | size)
    except Refused as error:
        raise error.under(f"frames[{index}]") from None
    out += b"\x00\x00\x00\x00"
    return bytes(out)
