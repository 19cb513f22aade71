"""Wire types by themselves, each in a message of one field, those that no document puts on the wire included."""

from typing import Annotated, Any, ClassVar

import pytest

from wireproof.codec import Codec
from wireproof.definition import Protocol, Unit, plan
from wireproof.errors import Malformed, Refused
from wireproof.protocols import comet, esnp_frame, esnp_line, tny
from wireproof.wire.base import by, resolve
from wireproof.wire.heads import Length, Select
from wireproof.wire.lists import Counted, Several, UntilEnd
from wireproof.wire.numbers import Fixed
from wireproof.wire.records import RecordMeta
from wireproof.wire.runs import Block, Bytes, Prefixed, Rest, Text

SETTINGS = {"int_bits": 64, "utf8": "strict", "varint": "plain", "order": "big", "byte": "unsigned"}
BYTE = Fixed(bits=8)
NUMBERED: list[Any] = []


def codec_of(wire: Any, **changes: Any) -> Codec:
    """A protocol with one message of one field, `v`, after a length and a type byte."""

    class Box(Unit, key="box", blocks=("length",)):
        length: ClassVar[Length] = Length(Fixed(bits=16), "BOX-1", counts="1")
        type: ClassVar[Select] = Select(BYTE, "BOX-2")

    settings = SETTINGS | changes
    space = {"__annotations__": {"v": Annotated[Any, resolve(wire, settings), "BOX-3"]}, "__module__": __name__}
    NUMBERED.append((Box, RecordMeta("One", (Box,), space, type=1, name="one", clause="BOX-3")))
    return Codec(plan(Protocol("box", "", "", Box), settings, ""))


def read(wire: Any, hexes: str, **changes: Any) -> Any:
    """What the bytes mean, or the class of the error and where it is within them."""
    found = codec_of(wire, **changes)
    body = bytes.fromhex(hexes)
    decoded = found.decode((len(body) + 1).to_bytes(2, "big") + b"\x01" + body)
    if decoded.error is not None:
        assert isinstance(decoded.error, Malformed)
        return decoded.error.error, decoded.error.offset - 3
    return decoded.messages[0].v


def write(wire: Any, value: Any, **changes: Any) -> str:
    """The bytes of a value, or the class of the refusal."""
    found = codec_of(wire, **changes)
    try:
        return found.encode(NUMBERED[-1][1](value))[3:].hex()
    except Refused as refusal:
        return refusal.error


@pytest.mark.parametrize("bits", [8, 16, 24, 32, 40, 48, 56, 64])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("order", ["big", "little"])
def test_fixed_integers_of_every_width(bits: int, signed: bool, order: Any) -> None:
    wire = Fixed(bits=bits, signed=signed, order=order)
    for value in (wire.low, wire.low + 1, 0, 1, wire.high - 1, wire.high):
        raw = value.to_bytes(bits // 8, order, signed=signed).hex()
        assert write(wire, value) == raw
        assert read(wire, raw) == value
    assert write(wire, wire.high + 1) == "out-of-range"
    assert write(wire, wire.low - 1) == "out-of-range"
    assert read(wire, "00" * (bits // 8 - 1)) == ("overrun", 0)
    assert read(wire, "00" * (bits // 8 + 1)) == ("trailing-bytes", bits // 8)


def test_fixed_integers_of_esnp_are_big_endian() -> None:
    # ESNPF-3.16, 3.17 and the 16 bits of ESNPL-2.18 occur in no frame or line
    assert write(Fixed(bits=16), 0x1234) == "1234"
    assert write(esnp_line.T.FixInt32, -2) == "fffffffe"
    assert write(esnp_frame.T.FixUInt64, 1) == "0000000000000001"


@pytest.mark.parametrize(
    ("raw", "value"), [("00", 0), ("01", 1), ("02", ("invalid-value", 0)), ("ff", ("invalid-value", 0))]
)
def test_the_boolean_of_comet_is_0_or_1(raw: str, value: Any) -> None:  # COMET-2.2, COMET-S16
    assert read(comet.BOOLEAN, raw) == value


def test_an_encoder_writes_no_other_boolean() -> None:
    assert write(comet.BOOLEAN, 2) == "invalid-value"
    assert write(comet.BOOLEAN, 1) == "01"


VARINTS = [
    # name, bytes, value, canonical
    (esnp_frame.T.UInt64, "00", 0, True),
    (esnp_frame.T.UInt64, "7f", 127, True),
    (esnp_frame.T.UInt64, "8001", 128, True),
    (esnp_frame.T.UInt64, "8000", 0, False),
    (esnp_frame.T.UInt64, "ff" * 9 + "01", 2**64 - 1, True),
    (esnp_frame.T.UInt64, "80" * 9 + "00", 0, False),
    (esnp_frame.T.UInt64, "80" * 9 + "02", ("varint-overflow", 0), False),
    (esnp_frame.T.UInt64, "80" * 10, ("varint-overflow", 0), False),
    (esnp_frame.T.UInt64, "80" * 11 + "00", ("varint-overflow", 0), False),
    (esnp_frame.T.UInt64, "80" * 9, ("overrun", 0), False),
    (esnp_frame.T.UInt64, "", ("overrun", 0), False),
    (esnp_frame.T.Int64, "01", -1, True),
    (esnp_frame.T.Int64, "ff" * 9 + "01", -(2**63), True),
    (esnp_frame.T.Int64, "fe" + "ff" * 8 + "01", 2**63 - 1, True),
    (esnp_frame.T.Int16, "ffff03", -32768, True),
    (esnp_frame.T.Int16, "808004", ("out-of-range", 0), False),
    (esnp_frame.T.Int8, "9003", ("out-of-range", 0), False),
    (esnp_frame.T.Int8, "ff01", -128, True),
    (esnp_line.T.Int8, "80", -128, True),
    (esnp_line.T.UInt16, "ffff03", 65535, True),
    (esnp_line.T.UInt16, "808004", ("out-of-range", 0), False),
    (tny.VarInt32, "ffffffff0f", -1, True),
    (tny.VarInt32, "ffffffff1f", ("out-of-range", 0), False),
    (tny.VarInt32, "ffffffff8f", ("varint-overflow", 0), False),
    (tny.VarInt32, "8080808000", 0, False),
    (tny.VarInt32, "ffffffff07", 2**31 - 1, True),
    (tny.VarInt64, "ff" * 9 + "01", -1, True),
    (tny.VarInt64, "ff" * 9 + "02", ("out-of-range", 0), False),
    (tny.VarInt64, "80" * 10, ("varint-overflow", 0), False),
]


@pytest.mark.parametrize(("wire", "raw", "value", "canonical"), VARINTS, ids=lambda item: str(item)[:20])
def test_varints(wire: Any, raw: str, value: Any, canonical: bool) -> None:
    assert read(wire, raw) == value
    if canonical:
        assert write(wire, value) == raw


@pytest.mark.parametrize(
    ("flavour", "raw", "value"),
    [
        ("plain", "ffffffff0f", -1),
        ("zigzag", "01", -1),
        ("protobuf", "ffffffffffffffffff01", -1),
        ("protobuf", "ffffffff0f", ("out-of-range", 0)),
        ("protobuf", "ffffffff07", 2**31 - 1),
        ("zigzag", "ffffffff0f", -(2**31)),
    ],
)
def test_the_three_flavours_of_tny(flavour: str, raw: str, value: Any) -> None:
    assert read(tny.VarInt32, raw, varint=flavour) == value
    if isinstance(value, int):
        assert write(tny.VarInt32, value, varint=flavour) == raw


UTF8 = Prefixed(length=BYTE, content=Text())


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("00", ""),
        ("0161", "a"),
        ("0400efbbbf", "\x00\ufeff"),
        ("04f09f9880", "😀"),
        ("02c080", ("invalid-utf8", 1)),  # an overlong NUL
        ("03eda080", ("invalid-utf8", 1)),  # a surrogate
        ("04f4908080", ("invalid-utf8", 1)),  # above 10FFFF
        ("02e4bd", ("invalid-utf8", 1)),  # cut short
        ("0261", ("overrun", 1)),
        ("", ("overrun", 0)),
    ],
)
def test_text_is_well_formed_utf8(raw: str, value: Any) -> None:
    assert read(UTF8, raw) == value
    if isinstance(value, str):
        assert write(UTF8, value) == raw


def test_lenient_text_hands_other_bytes_through() -> None:
    wire = Prefixed(length=BYTE, content=Text(strict=False))
    assert read(wire, "02c080") == b"\xc0\x80"
    assert write(wire, b"\xc0\x80") == "02c080"
    assert write(wire, "\ud800") == "invalid-utf8"


@pytest.mark.parametrize(
    ("wire", "raw", "value"),
    [
        (Rest(content=Bytes()), "cafe", b"\xca\xfe"),
        (Rest(content=Text()), "c3a9", "é"),
        (Block(size=3, content=Bytes()), "010203", b"\x01\x02\x03"),
        (Counted(count=BYTE, item=BYTE), "020708", (7, 8)),
        (Counted(count=BYTE, item=UTF8), "0200016a", ("", "j")),
        (UntilEnd(item=UTF8), "016100", ("a", "")),
        (UntilEnd(item=UTF8), "", ()),
        (Several(item=Fixed(bits=16), count=2), "00010002", (1, 2)),
        (by("byte", unsigned=BYTE, signed=Fixed(bits=8, signed=True)), "ff", 255),
    ],
)  # fmt: skip
def test_runs_and_lists(wire: Any, raw: str, value: Any) -> None:
    assert read(wire, raw) == value
    assert write(wire, value) == raw


def test_a_count_is_not_compared_with_the_bytes_left() -> None:
    assert read(Counted(count=BYTE, item=UTF8), "ff0161") == ("overrun", 3)


def test_a_signed_length_below_zero() -> None:
    assert read(Prefixed(length=Fixed(bits=8, signed=True), content=Bytes()), "ff00") == ("negative-length", 0)
