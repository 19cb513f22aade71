"""Integers: of fixed width, and as varints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wireproof.errors import BadValue
from wireproof.wire.base import Json, Wire, by
from wireproof.wire.packing import BYTE, FORMATS, cached_struct, struct_name
from wireproof.wire.source import Site, Source

Order = Literal["big", "little"]
Form = Literal["unsigned", "zigzag", "twos"]

MORE_THAN_64_BITS = 40
"""So many digits are out of any range, however many more follow: no need to convert them."""


@dataclass(frozen=True, kw_only=True)
class Number(Wire):
    """What integers have in common: a range, and two ways of standing in JSON."""

    bits: int = 8
    signed: bool = False

    @property
    def low(self) -> int:
        return -(1 << self.bits - 1) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << self.bits - (1 if self.signed else 0)) - 1

    @property
    def range(self) -> str:
        return f"{self.low} to {self.high}"

    def render(self, value: int) -> Json:
        """64-bit fields are decimal strings: JSON numbers lose precision above 2^53."""
        return str(value) if self.bits == 64 else value

    def parse(self, value: Json, path: str) -> int:
        if self.bits == 64:
            if not isinstance(value, str) or not is_decimal(value):
                raise BadValue(path, "a 64-bit number is a decimal string without leading zeros")
            return int(value[:MORE_THAN_64_BITS])
        if type(value) is not int:
            raise BadValue(path, "expected an integer")
        return value

    def read_length(self, out: Source, target: str, site: Site) -> None:
        """Read it as a length or a count, which cannot be below zero."""
        self.read_number(out, target, site.sub("", self.clause))
        out.trace(site, self.label, target)
        if self.signed:
            with out.block(f"if {target} < 0:"):
                out.malformed("negative-length", site, "a length or count of 0 or more")
        out("pos = stop")

    def write_length(self, out: Source, value: str, site: Site) -> None:
        self.check_length(out, value, site)
        self.put(out, value)

    def check_length(self, out: Source, value: str, site: Site) -> None:
        with out.block(f"if {value} > {self.high}:"):
            out.refused("limit-exceeded", site, f"a length or count of at most {self.high}")

    def read(self, out: Source, target: str, site: Site) -> None:
        self.read_number(out, target, site.sub("", self.clause))
        out.trace(site, self.label, target)
        self.check(out, target, site)
        out("pos = stop")

    def write(self, out: Source, value: str, site: Site) -> None:
        self.check_written(out, value, site)
        self.put(out, value)

    def check_written(self, out: Source, value: str, site: Site) -> None:
        with out.block(f"if not {self.low} <= {value} <= {self.high}:"):
            out.refused("out-of-range", site, self.range)
        super().check_written(out, value, site)

    def read_number(self, out: Source, target: str, site: Site) -> None:
        """Emit code that sets `target` and `stop`, and leaves `pos` where it is."""
        raise NotImplementedError

    def put(self, out: Source, value: str) -> None:
        """Write a value known to be in range."""
        raise NotImplementedError


def is_decimal(text: str) -> bool:
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdigit():
        return False
    return text == "0" or digits[0] != "0"


@dataclass(frozen=True, kw_only=True)
class Fixed(Number):
    """An integer of a fixed number of bytes."""

    order: Order = "big"

    @property
    def width(self) -> int:
        return self.bits // 8

    def read_number(self, out: Source, target: str, site: Site) -> None:
        size = self.width
        out.room(str(size), site, f"{size} byte{'s' * (size > 1)} of {self.label}")
        if size == 1 and not self.signed:
            out(f"{target} = buf[pos]")
        elif self.letter:
            unpack = out.const("unpack_" + struct_name(self.code), cached_struct(self.code).unpack_from)
            out(f"({target},) = {unpack}(buf, pos)")
        else:
            signed = ", signed=True" if self.signed else ""
            out(f'{target} = int.from_bytes(buf[pos:stop], "{self.order}"{signed})')

    def put(self, out: Source, value: str) -> None:
        if self.letter:
            out.put(value, str(self.width), self.letter, self.order if self.width > 1 else "")
        else:
            signed = ", signed=True" if self.signed else ""
            out.put(f'{value}.to_bytes({self.width}, "{self.order}"{signed})', str(self.width))

    @property
    def code(self) -> str:
        return (">" if self.order == "big" else "<") + self.letter

    @property
    def letter(self) -> str:
        """What `struct` calls it; empty for a width it does not have."""
        letter = FORMATS.get(self.width, "")
        return letter if self.signed else letter.upper()


def ordered(bits: int, *, signed: bool = False, name: str = "", clause: str = "", parameter: str = "order") -> Fixed:
    """A fixed integer whose byte order is a profile parameter."""
    wire: Fixed = by(
        parameter,
        big=Fixed(bits=bits, signed=signed, order="big", name=name, clause=clause),
        little=Fixed(bits=bits, signed=signed, order="little", name=name, clause=clause),
    )
    return wire


@dataclass(frozen=True, kw_only=True)
class Varint(Number):
    """Seven bits a byte, least significant first, high bit set on all but the last.

    `carrier` is the width the bytes are read in and thereby their greatest number;
    `bits` is the width the value must fit. A last possible byte with too many bits is
    an `excess`: the two families of documents name it differently.
    """

    form: Form = "unsigned"
    carrier: int = 64
    excess: str = "varint-overflow"
    overflow_clause: str = ""
    range_clause: str = ""

    @property
    def most(self) -> int:
        return -(-self.carrier // 7)

    def read_number(self, out: Source, target: str, site: Site) -> None:
        if not out.fits:
            with out.block(f"if pos >= {out.end}:"):
                out.malformed("overrun", site, f"a {self.label}")
        out(f"{target} = buf[pos]")
        with out.block(f"if {target} < 128:"):
            out("stop = pos + 1")
            if self.form == "zigzag":
                out(f"{target} = {target} >> 1 ^ -({target} & 1)")
        with out.block("else:"):
            last = (1 << self.carrier - 7 * (self.most - 1)) - 1
            out(f"{target}, stop = {out.const('long_varint', long_varint)}(buf, pos, {out.end}, {self.most}, {last})")
            with out.block(f"if {target} < 0:"):
                with out.block(f"if {target} == -1:"):
                    out.malformed("overrun", site, f"the rest of a {self.label}")
                over = site.sub("", self.overflow_clause)
                if self.excess != "varint-overflow":
                    with out.block(f"if {target} == -3:"):
                        out.malformed(self.excess, site.sub("", self.range_clause), f"at most {self.carrier} bits")
                out.malformed("varint-overflow", over, f"at most {self.most} bytes and {self.carrier} bits")
            self._convert(out, target)
            if self.bits < self.carrier:
                with out.block(f"if not {self.low} <= {target} <= {self.high}:"):
                    out.malformed("out-of-range", site.sub("", self.range_clause), f"{self.label}: {self.range}")

    def _convert(self, out: Source, target: str) -> None:
        if self.form == "zigzag":
            out(f"{target} = {target} >> 1 ^ -({target} & 1)")
        elif self.form == "twos":
            with out.block(f"if {target} > {(1 << self.carrier - 1) - 1}:"):
                out(f"{target} -= {1 << self.carrier}")

    def write(self, out: Source, value: str, site: Site) -> None:
        self._put(out, value, "out-of-range", site, self.range)
        for rule in self.rules:
            rule.write(out, value, site)

    def write_length(self, out: Source, value: str, site: Site) -> None:
        self._put(out, value, "limit-exceeded", site, f"a length or count of at most {self.high}")

    def _put(self, out: Source, value: str, error: str, site: Site, expected: str) -> None:
        """One byte for the small values most fields have, all their bytes for others in range."""
        varint = out.local("varint")
        small = "-64 <= {0} < 64" if self.form == "zigzag" else "0 <= {0} < 128"
        table = out.const(*(("ZIGZAG", ZIGZAG) if self.form == "zigzag" else ("BYTE", BYTE)))
        with out.block(f"if {small.format(value)}:"):
            out(f"{varint} = {table}[{value}]")
        with out.block(f"elif {self.low} <= {value} <= {self.high}:"):
            raw = {
                "unsigned": value,
                "zigzag": f"{value} << 1 ^ {value} >> {self.carrier - 1}",
                "twos": f"{value} & {(1 << self.carrier) - 1:#x}",
            }[self.form]
            out(f"{varint} = {out.const('varint_bytes', varint_bytes)}({raw})")
        with out.block("else:"):
            out.refused(error, site, expected)
        out.put(varint, f"len({varint})")


def long_varint(buf: bytes, pos: int, end: int, most: int, last: int) -> tuple[int, int]:
    """A varint of two bytes or more, and where it ends.

    Instead of a value: -1 if the container ends first, -2 if the last possible byte
    says that more follow, -3 if that byte holds more than `last`.
    """
    value = buf[pos] & 0x7F
    shift = 7
    stop = pos + most
    pos += 1
    while pos < stop:
        if pos >= end:
            return -1, pos
        byte = buf[pos]
        pos += 1
        if byte < 0x80:
            if pos == stop and byte > last:
                return -3, pos
            return value | byte << shift, pos
        value |= (byte & 0x7F) << shift
        shift += 7
    return -2, pos


def varint_bytes(value: int) -> bytes:
    """The shortest varint of an unsigned value of two bytes or more."""
    if value < 0x4000:
        return BYTE[value & 0x7F | 0x80] + BYTE[value >> 7]
    if value < 0x200000:
        return bytes((value & 0x7F | 0x80, value >> 7 & 0x7F | 0x80, value >> 14))
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


ZIGZAG = [BYTE[2 * value] for value in range(64)] + [BYTE[-2 * value - 1] for value in range(-64, 0)]
"""The one byte of a zigzag value from -64 to 63; negative values index from the end."""
