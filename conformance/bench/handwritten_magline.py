"""magline by hand."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from wireproof.errors import BadValue, Malformed, Refused
from wireproof.protocols import magline
from wireproof.results import Decoded

CONTROL, DATA = 0xC1, 0xD1
VERSION = 1
MOST = 16777216
HEAD = Struct(">BBHHHII")
NUMBER = Struct(">I")
TWO_NUMBERS = Struct(">II")
HELLO = Struct("32s32s")
BUSINESS = Struct(">I16s")

# The CMDs that belong to one magic only; ERR (3) and FIN (9) go under either.
MAGIC_OF = {1: CONTROL, 2: CONTROL, 4: CONTROL, 5: CONTROL, 6: DATA, 7: DATA, 8: DATA}


def overrun(pos: int, end: int, fields: tuple[tuple[int, str, str], ...]) -> Malformed:
    """Which of the fields of a body, each a size, clause and path, is the first that does not fit."""
    for size, clause, path in fields:
        if pos + size > end:
            return Malformed("overrun", clause, pos, path, f"{size} bytes")
        pos += size
    raise ValueError("all fields fit")


def trailing(pos: int, clause: str) -> Malformed:
    return Malformed("trailing-bytes", clause, pos, "frame", "nothing after the last field")


def read_syn(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Syn:
    if end - pos < 64:
        raise overrun(pos, end, ((32, "MAG-4.1", "frame.random"), (32, "MAG-4.2", "frame.public_key")))
    if end - pos > 64:
        raise trailing(pos + 64, "MAG-4.2")
    random, public_key = HELLO.unpack_from(buf, pos)
    return magline.Syn(magic, VERSION, optional, seq, head, random, public_key)


def read_ack(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Ack:
    if end - pos < 64:
        raise overrun(pos, end, ((32, "MAG-4.3", "frame.random"), (32, "MAG-4.4", "frame.public_key")))
    random, public_key = HELLO.unpack_from(buf, pos)
    return magline.Ack(magic, VERSION, optional, seq, head, random, public_key, buf[pos + 64 : end])


def read_err(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Err:
    if end - pos < 8:
        raise overrun(pos, end, ((4, "MAG-4.6", "frame.business_cmd"), (4, "MAG-4.7", "frame.error")))
    if end - pos > 8:
        raise trailing(pos + 8, "MAG-4.7")
    business_cmd, error = TWO_NUMBERS.unpack_from(buf, pos)
    return magline.Err(magic, VERSION, optional, seq, head, business_cmd, error)


def read_number(buf: bytes, pos: int, end: int, clause: str, path: str) -> int:
    """The one number that is all there is in a body."""
    if end - pos < 4:
        raise Malformed("overrun", clause, pos, path, "4 bytes")
    if end - pos > 4:
        raise trailing(pos + 4, clause)
    number: int = NUMBER.unpack_from(buf, pos)[0]
    return number


def read_pin(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Pin:
    number = read_number(buf, pos, end, "MAG-4.8", "frame.number")
    return magline.Pin(magic, VERSION, optional, seq, head, number)


def read_pon(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Pon:
    number = read_number(buf, pos, end, "MAG-4.9", "frame.number")
    return magline.Pon(magic, VERSION, optional, seq, head, number)


def read_fin(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Fin:
    reason = read_number(buf, pos, end, "MAG-4.10", "frame.reason")
    return magline.Fin(magic, VERSION, optional, seq, head, reason)


def read_req(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Req:
    if end - pos < 20:
        raise overrun(pos, end, ((4, "MAG-4.11", "frame.business_cmd"), (16, "MAG-4.12", "frame.hmac")))
    business_cmd, hmac = BUSINESS.unpack_from(buf, pos)
    return magline.Req(magic, VERSION, optional, seq, head, business_cmd, hmac, buf[pos + 20 : end])


def read_rep(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Rep:
    if end - pos < 20:
        raise overrun(pos, end, ((4, "MAG-4.14", "frame.business_cmd"), (16, "MAG-4.15", "frame.hmac")))
    business_cmd, hmac = BUSINESS.unpack_from(buf, pos)
    return magline.Rep(magic, VERSION, optional, seq, head, business_cmd, hmac, buf[pos + 20 : end])


def read_psh(buf: bytes, pos: int, end: int, magic: int, optional: int, seq: int, head: bytes) -> magline.Psh:
    if end - pos < 20:
        raise overrun(pos, end, ((4, "MAG-4.17", "frame.business_cmd"), (16, "MAG-4.18", "frame.hmac")))
    business_cmd, hmac = BUSINESS.unpack_from(buf, pos)
    return magline.Psh(magic, VERSION, optional, seq, head, business_cmd, hmac, buf[pos + 20 : end])


READERS: dict[int, Callable[..., Any]] = {
    1: read_syn,
    2: read_ack,
    3: read_err,
    4: read_pin,
    5: read_pon,
    6: read_req,
    7: read_rep,
    8: read_psh,
    9: read_fin,
}


def decode(buf: bytes) -> Decoded:
    pos = start = 0
    end = len(buf)
    messages: list[Any] = []
    try:
        while pos < end:
            start = pos
            if buf[pos] != CONTROL and buf[pos] != DATA:
                raise Malformed("bad-magic", "MAG-2.1", pos, "frame.magic", "one of the two magic bytes")
            if end - pos < 16:
                raise Malformed("truncated", "MAG-1.7", end, "frame.version", "the rest of the unit")
            magic, version, cmd, optional, head_size, seq, size = HEAD.unpack_from(buf, pos)
            if version != VERSION:
                raise Malformed("bad-version", "MAG-S05", pos + 1, "frame.version", "the declared version")
            reader = READERS.get(cmd)
            if reader is None:
                raise Malformed("unknown-type", "MAG-1.7", pos + 2, "frame.cmd", f"one of {sorted(READERS)}")
            if MAGIC_OF.get(cmd, magic) != magic:
                raise Malformed("bad-magic", "MAG-S04", pos, "frame.cmd", "the magic of its class")
            if size > MOST:
                raise Malformed("limit-exceeded", "MAG-1.10", pos + 12, "frame.message_length", f"at most {MOST}")
            pos += 16
            body = pos + head_size
            stop = body + size
            if stop > end:
                raise Malformed("truncated", "MAG-1.10", end, "frame", "the rest of the unit")
            messages.append(reader(buf, body, stop, magic, optional, seq, buf[pos:body]))
            pos = stop
    except Malformed as error:
        return Decoded(messages, start, error)
    return Decoded(messages, end)


def check_head(m: Any, cmd: int) -> None:
    """What of the frame head comes from the value, in the order of the wire."""
    magic = m.magic
    if magic != CONTROL and magic != DATA:
        if not 0 <= magic <= 255:
            raise Refused("out-of-range", "MAG-1.7", "frame.magic", "0 to 255")
        raise Refused("bad-magic", "MAG-2.1", "frame.magic", "one of the two magic bytes")
    if m.version != VERSION:
        if not 0 <= m.version <= 255:
            raise Refused("out-of-range", "MAG-1.7", "frame.version", "0 to 255")
        raise Refused("bad-version", "MAG-S05", "frame.version", "the declared version")
    if MAGIC_OF.get(cmd, magic) != magic:
        raise Refused("bad-magic", "MAG-S04", "frame.cmd", "the magic of its class")
    if not 0 <= m.head_optional <= 0xFFFF:
        raise Refused("out-of-range", "MAG-1.8", "frame.head_optional", "0 to 65535")
    if not 0 <= m.seq <= 0xFFFFFFFF:
        raise Refused("out-of-range", "MAG-1.9", "frame.seq", "0 to 4294967295")


def frame(m: Any, cmd: int, body: bytes) -> bytes:
    """Head, msg header and msg body; the head has been checked."""
    if len(m.head) > 0xFFFF:
        raise Refused("limit-exceeded", "MAG-1.8", "frame.head_length", "at most 65535")
    if len(body) > MOST:
        raise Refused("limit-exceeded", "MAG-1.10", "frame.message_length", f"at most {MOST}")
    packed = HEAD.pack(m.magic, m.version, cmd, m.head_optional, len(m.head), m.seq, len(body))
    return packed + m.head + body if m.head else packed + body


def number_bytes(value: int, clause: str, path: str) -> bytes:
    if not 0 <= value <= 0xFFFFFFFF:
        raise Refused("out-of-range", clause, path, "0 to 4294967295")
    return NUMBER.pack(value)


def sized(raw: bytes, size: int, clause: str, path: str) -> bytes:
    if len(raw) != size:
        raise Refused("length-mismatch", clause, path, f"exactly {size} bytes")
    return raw


def write_syn(m: magline.Syn) -> bytes:
    check_head(m, 1)
    random = sized(m.random, 32, "MAG-4.1", "frame.random")
    return frame(m, 1, random + sized(m.public_key, 32, "MAG-4.2", "frame.public_key"))


def write_ack(m: magline.Ack) -> bytes:
    check_head(m, 2)
    random = sized(m.random, 32, "MAG-4.3", "frame.random")
    return frame(m, 2, random + sized(m.public_key, 32, "MAG-4.4", "frame.public_key") + m.cipher)


def write_err(m: magline.Err) -> bytes:
    check_head(m, 3)
    business_cmd = number_bytes(m.business_cmd, "MAG-4.6", "frame.business_cmd")
    return frame(m, 3, business_cmd + number_bytes(m.error, "MAG-4.7", "frame.error"))


def write_pin(m: magline.Pin) -> bytes:
    check_head(m, 4)
    return frame(m, 4, number_bytes(m.number, "MAG-4.8", "frame.number"))


def write_pon(m: magline.Pon) -> bytes:
    check_head(m, 5)
    return frame(m, 5, number_bytes(m.number, "MAG-4.9", "frame.number"))


def write_fin(m: magline.Fin) -> bytes:
    check_head(m, 9)
    return frame(m, 9, number_bytes(m.reason, "MAG-4.10", "frame.reason"))


def write_req(m: magline.Req) -> bytes:
    check_head(m, 6)
    business_cmd = number_bytes(m.business_cmd, "MAG-4.11", "frame.business_cmd")
    return frame(m, 6, business_cmd + sized(m.hmac, 16, "MAG-4.12", "frame.hmac") + m.data)


def write_rep(m: magline.Rep) -> bytes:
    check_head(m, 7)
    business_cmd = number_bytes(m.business_cmd, "MAG-4.14", "frame.business_cmd")
    return frame(m, 7, business_cmd + sized(m.hmac, 16, "MAG-4.15", "frame.hmac") + m.data)


def write_psh(m: magline.Psh) -> bytes:
    check_head(m, 8)
    business_cmd = number_bytes(m.business_cmd, "MAG-4.17", "frame.business_cmd")
    return frame(m, 8, business_cmd + sized(m.hmac, 16, "MAG-4.18", "frame.hmac") + m.data)


WRITERS: dict[type, Callable[[Any], bytes]] = {
    magline.Syn: write_syn,
    magline.Ack: write_ack,
    magline.Err: write_err,
    magline.Pin: write_pin,
    magline.Pon: write_pon,
    magline.Fin: write_fin,
    magline.Req: write_req,
    magline.Rep: write_rep,
    magline.Psh: write_psh,
}


def encode(message: Any) -> bytes:
    writer = WRITERS.get(type(message))
    if writer is None:
        raise BadValue("", f"{type(message).__name__} is no frame")
    return writer(message)
