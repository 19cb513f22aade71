"""What both revisions of ESNP read alike, by hand: varints, strings, Var."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wireproof.errors import Malformed
from wireproof.protocols.esnp import Ids
from wireproof.wire.var import Var

MAX_DEPTH = 64

VarReader = Callable[[bytes, int, int, int], tuple[Var, int]]


def read_varint(buf: bytes, start: int, end: int, ids: Ids, path: str) -> tuple[int, int]:
    """An unsigned number of 64 bits, and where it ends."""
    if start < end and buf[start] < 0x80:
        return buf[start], start + 1
    value = shift = 0
    for pos in range(start, min(start + 10, end)):
        byte = buf[pos]
        if byte < 0x80:
            if byte > 1 and pos == start + 9:
                raise Malformed("varint-overflow", ids.overflow, start, path, "at most 64 bits")
            return value | byte << shift, pos + 1
        value |= (byte & 0x7F) << shift
        shift += 7
    if end < start + 10:
        raise Malformed("overrun", ids.cut, start, path, "the rest of a varint")
    raise Malformed("varint-overflow", ids.overflow, start, path, "at most 10 bytes")


def read_signed(buf: bytes, pos: int, end: int, ids: Ids, bits: int, path: str) -> tuple[int, int]:
    """A zigzag number that must fit `bits`, and where it ends."""
    if pos < end and buf[pos] < 0x80:
        value = buf[pos]
        return value >> 1 ^ -(value & 1), pos + 1
    value, stop = read_varint(buf, pos, end, ids, path)
    value = value >> 1 ^ -(value & 1)
    if bits < 64 and not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Malformed("out-of-range", ids.width, pos, path, f"a signed number of {bits} bits")
    return value, stop


def read_size(buf: bytes, pos: int, end: int, ids: Ids, bits: int, clause: str, path: str) -> tuple[int, int]:
    """A length or a count, and where it ends."""
    size, stop = read_signed(buf, pos, end, ids, bits, path)
    if size < 0:
        raise Malformed("negative-length", clause, pos, path, "a length or count of 0 or more")
    return size, stop


def read_string(buf: bytes, pos: int, end: int, ids: Ids, bits: int, path: str) -> tuple[str, int]:
    """LenString: its length is an Int, of `bits`."""
    if pos < end and buf[pos] < 0x80 and not buf[pos] & 1:
        start = pos + 1
        stop = start + (buf[pos] >> 1)
    else:
        size, start = read_size(buf, pos, end, ids, bits, ids.len_string, f"{path}.length")
        stop = start + size
    if stop > end:
        raise Malformed("overrun", ids.len_string, start, path, "as many bytes as the length before it says")
    try:
        return buf[start:stop].decode(), stop
    except UnicodeDecodeError:
        raise Malformed("invalid-utf8", ids.utf8, start, path, "well-formed UTF-8") from None


class VarTable:
    """Readers of Var by type byte; `bits` is the width of Int and Uint, `int8` differs between revisions."""

    def __init__(self, ids: Ids, bits: int, int8: VarReader) -> None:
        self.ids, self.bits = ids, bits
        self.table: list[VarReader] = [self.undefined] * 256
        self.table[0] = self.read_null
        self.table[1] = self.read_bool
        self.table[2] = self.signed("int", bits)
        self.table[3] = int8
        for code, width in ((4, 16), (5, 32), (6, 64)):
            self.table[code] = self.signed(f"int{width}", width)
        self.table[7] = self.unsigned("uint", bits)
        self.table[8] = self.read_uint8
        for code, width in ((9, 16), (10, 32), (11, 64)):
            self.table[code] = self.unsigned(f"uint{width}", width)
        self.table[13] = self.read_float32
        self.table[14] = self.read_float64
        self.table[17] = self.read_bytes
        self.table[21] = self.read_map
        self.table[23] = self.read_list
        self.table[24] = self.read_var_string

    def read_pair(self, buf: bytes, pos: int, end: int, clause: str) -> tuple[str, Var]:
        """A key and a Var that fill a body; `clause` is the body's."""
        key, pos = read_string(buf, pos, end, self.ids, self.bits, ".key")
        if pos >= end:
            raise Malformed("overrun", self.ids.var, pos, ".value", "a type byte of Var")
        try:
            value, pos = self.table[buf[pos]](buf, pos + 1, end, 0)
        except Malformed as error:
            raise error.under(".value") from None
        if pos != end:
            raise Malformed("trailing-bytes", clause, pos, "", "nothing after the last field")
        return key, value

    def undefined(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        raise Malformed("unknown-type", self.ids.var, pos - 1, "", "a Var type the document defines")

    def read_null(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        return Var("null"), pos

    def read_bool(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        if pos >= end:
            raise Malformed("overrun", self.ids.var_types(1), pos, "", "a byte of Bool")
        return Var("bool", buf[pos] != 0), pos + 1

    def read_uint8(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        if pos >= end:
            raise Malformed("overrun", self.ids.var_types(8), pos, "", "1 byte")
        return Var("uint8", buf[pos]), pos + 1

    def signed(self, name: str, bits: int) -> VarReader:
        ids = self.ids

        def read(buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
            value, stop = read_signed(buf, pos, end, ids, bits, "")
            return Var(name, value), stop

        return read

    def unsigned(self, name: str, bits: int) -> VarReader:
        ids = self.ids

        def read(buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
            value, stop = read_varint(buf, pos, end, ids, "")
            if value >> bits:
                raise Malformed("out-of-range", ids.width, pos, "", f"a number of {bits} bits")
            return Var(name, value), stop

        return read

    def read_float32(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        stop = pos + 4
        if stop > end:
            raise Malformed("overrun", self.ids.var_types(12), pos, "", "4 bytes of Float32")
        return Var("float32", buf[pos:stop]), stop

    def read_float64(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        stop = pos + 8
        if stop > end:
            raise Malformed("overrun", self.ids.var_types(13), pos, "", "8 bytes of Float64")
        return Var("float64", buf[pos:stop]), stop

    def read_bytes(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        size, start = read_size(buf, pos, end, self.ids, self.bits, self.ids.len_bytes, ".length")
        stop = start + size
        if stop > end:
            raise Malformed("overrun", self.ids.len_bytes, start, "", "as many bytes as the length before it says")
        return Var("bytes", buf[start:stop]), stop

    def read_var_string(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        value, stop = read_string(buf, pos, end, self.ids, self.bits, "")
        return Var("string", value), stop

    def read_count(self, buf: bytes, pos: int, end: int, depth: int, clause: str) -> tuple[int, int]:
        """How many items follow, unless they would be too deep."""
        if depth >= MAX_DEPTH:
            raise Malformed("limit-exceeded", self.ids.depth, pos - 1, "", f"at most {MAX_DEPTH} maps and lists")
        return read_size(buf, pos, end, self.ids, self.bits, clause, ".count")

    def read_list(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        count, pos = self.read_count(buf, pos, end, depth, self.ids.list)
        table = self.table
        items: Any = []
        try:
            for _ in range(count):
                if pos >= end:
                    raise Malformed("overrun", self.ids.list, pos, "", "a type byte of Var")
                item, pos = table[buf[pos]](buf, pos + 1, end, depth + 1)
                items.append(item)
        except Malformed as error:
            raise error.under(f".v[{len(items)}]") from None
        return Var("list", tuple(items)), pos

    def read_map(self, buf: bytes, pos: int, end: int, depth: int) -> tuple[Var, int]:
        count, pos = self.read_count(buf, pos, end, depth, self.ids.map)
        ids, bits, table = self.ids, self.bits, self.table
        pairs: Any = []
        try:
            for _ in range(count):
                key, pos = read_string(buf, pos, end, ids, bits, "[0]")
                if pos >= end:
                    raise Malformed("overrun", ids.map, pos, "[1]", "a type byte of Var")
                item, pos = table[buf[pos]](buf, pos + 1, end, depth + 1)
                pairs.append((key, item))
        except Malformed as error:
            raise error.under(f".v[{len(pairs)}]") from None
        return Var("map", tuple(pairs)), pos
