"""What both revisions of ESNP write alike, by hand: varints, strings, Var."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wireproof.errors import Refused
from wireproof.protocols.esnp import Ids
from wireproof.wire.var import Var

MAX_DEPTH = 64

VarWriter = Callable[[bytearray, Any, int], None]


def append_varint(out: bytearray, value: int) -> None:
    """The shortest varint of an unsigned number."""
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)


def append_signed(out: bytearray, value: int, bits: int, clause: str, path: str) -> None:
    """A zigzag number that must fit `bits`."""
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Refused("out-of-range", clause, path, f"a signed number of {bits} bits")
    append_varint(out, value << 1 ^ value >> 63)


def encoded(text: str, ids: Ids, path: str) -> bytes:
    try:
        return text.encode()
    except (UnicodeEncodeError, AttributeError):
        raise Refused("invalid-utf8", ids.utf8, path, "text without lone surrogates") from None


def append_string(out: bytearray, text: str, ids: Ids, path: str) -> None:
    """LenString; no length of a Python string that fits a frame is too large for its Int."""
    raw = encoded(text, ids, path)
    append_varint(out, len(raw) << 1)
    out += raw


class VarWriters:
    """Writers of Var by name; `bits` is the width of Int and Uint, `int8` differs between revisions."""

    def __init__(self, ids: Ids, bits: int, int8: VarWriter) -> None:
        self.ids = ids
        self.by_name: dict[str, VarWriter] = {
            "null": self.write_null,
            "bool": self.write_bool,
            "int": self.signed(2, bits, 2),
            "int8": int8,
            "int16": self.signed(4, 16, 4),
            "int32": self.signed(5, 32, 5),
            "int64": self.signed(6, 64, 6),
            "uint": self.unsigned(7, bits, 7),
            "uint8": self.write_uint8,
            "uint16": self.unsigned(9, 16, 9),
            "uint32": self.unsigned(10, 32, 10),
            "uint64": self.unsigned(11, 64, 11),
            "float32": self.write_float32,
            "float64": self.write_float64,
            "bytes": self.write_bytes,
            "map": self.write_map,
            "list": self.write_list,
            "string": self.write_string,
        }

    def write_pair(self, out: bytearray, key: str, value: Var) -> None:
        append_string(out, key, self.ids, ".key")
        try:
            self.write(out, value, 0)
        except Refused as error:
            raise error.under(".value") from None

    def write(self, out: bytearray, var: Var, depth: int) -> None:
        writer = self.by_name.get(var.t)
        if writer is None:
            raise Refused("unknown-type", self.ids.var, "", "a Var type the document defines")
        writer(out, var.v, depth)

    def write_null(self, out: bytearray, v: Any, depth: int) -> None:
        out.append(0)

    def write_bool(self, out: bytearray, v: Any, depth: int) -> None:
        out += b"\x01\x01" if v else b"\x01\x00"

    def write_uint8(self, out: bytearray, v: Any, depth: int) -> None:
        if not 0 <= v <= 255:
            raise Refused("out-of-range", self.ids.var_types(8), "", "0 to 255")
        out.append(8)
        out.append(v)

    def signed(self, code: int, bits: int, place: int) -> VarWriter:
        clause = self.ids.var_types(place)
        low, high = -(1 << bits - 1), (1 << bits - 1) - 1

        def write(out: bytearray, v: Any, depth: int) -> None:
            if not low <= v <= high:
                raise Refused("out-of-range", clause, "", f"{low} to {high}")
            out.append(code)
            append_varint(out, v << 1 ^ v >> 63)

        return write

    def unsigned(self, code: int, bits: int, place: int) -> VarWriter:
        clause = self.ids.var_types(place)
        high = (1 << bits) - 1

        def write(out: bytearray, v: Any, depth: int) -> None:
            if not 0 <= v <= high:
                raise Refused("out-of-range", clause, "", f"0 to {high}")
            out.append(code)
            append_varint(out, v)

        return write

    def write_float32(self, out: bytearray, v: Any, depth: int) -> None:
        if len(v) != 4:
            raise Refused("length-mismatch", self.ids.var_types(12), "", "exactly 4 bytes")
        out.append(13)
        out += v

    def write_float64(self, out: bytearray, v: Any, depth: int) -> None:
        if len(v) != 8:
            raise Refused("length-mismatch", self.ids.var_types(13), "", "exactly 8 bytes")
        out.append(14)
        out += v

    def write_bytes(self, out: bytearray, v: Any, depth: int) -> None:
        out.append(17)
        append_varint(out, len(v) << 1)
        out += v

    def write_string(self, out: bytearray, v: Any, depth: int) -> None:
        out.append(24)
        append_string(out, v, self.ids, "")

    def write_count(self, out: bytearray, code: int, items: Any, depth: int) -> None:
        if depth >= MAX_DEPTH:
            raise Refused("limit-exceeded", self.ids.depth, "", f"at most {MAX_DEPTH} maps and lists")
        out.append(code)
        append_varint(out, len(items) << 1)

    def write_list(self, out: bytearray, v: Any, depth: int) -> None:
        self.write_count(out, 23, v, depth)
        index = 0
        try:
            for index, item in enumerate(v):  # noqa: B007 - an error says which item
                self.write(out, item, depth + 1)
        except Refused as error:
            raise error.under(f".v[{index}]") from None

    def write_map(self, out: bytearray, v: Any, depth: int) -> None:
        self.write_count(out, 21, v, depth)
        index = 0
        try:
            for index, (key, item) in enumerate(v):  # noqa: B007 - an error says which pair
                append_string(out, key, self.ids, "[0]")
                self.write(out, item, depth + 1)
        except Refused as error:
            raise error.under(f".v[{index}]") from None
