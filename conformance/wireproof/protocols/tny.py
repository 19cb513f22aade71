"""tny: Message 封包 (document 002)."""

from typing import Annotated, Any, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.wire.base import Rule, by, param
from wireproof.wire.bits import Bits, exists, flag, number, selector, zero
from wireproof.wire.checks import CheckCode
from wireproof.wire.heads import Length, Magic
from wireproof.wire.numbers import Varint, ordered
from wireproof.wire.records import Record, Struct
from wireproof.wire.runs import Bytes, Prefixed, Rest


def _varint(bits: int) -> Any:
    """VarInt32, VarInt64: the algorithm is open (TNY-S11), padding and excess are as in TNY-S12."""
    common: dict[str, Any] = {"name": f"VarInt{bits}", "bits": bits, "signed": True}
    common |= {"excess": "out-of-range", "overflow_clause": "TNY-S12", "range_clause": "TNY-S12"}
    return by(
        "varint",
        plain=Varint(form="twos", carrier=bits, **common),
        zigzag=Varint(form="zigzag", carrier=bits, **common),
        # a protobuf int32 is written as if it were an int64
        protobuf=Varint(form="twos", carrier=64, **common),
    )


VarInt32, VarInt64 = _varint(32), _varint(64)
# 动态字节: which width is open (TNY-S10)
ACCESS_ID = by("access_id", var64=VarInt64, var32=VarInt32)
NUMBER = by("number", var32=VarInt32, var64=VarInt64)


class Packet(Unit, key="packet", blocks=("head", "payload_length")):
    """网络包封包 [Head|4字节][Option|1字节][PayloadLength|4字节][PayLoad| PayloadLength 字节]"""

    head: ClassVar[Magic] = Magic(b"tny.", "TNY-1.3")
    # 选项 [8位] [000(WasteBytesOption|1位)(EncryptOption|1位)(VerifyOption|1位)(Type|2位)]
    option: ClassVar[Bits] = Bits(
        "TNY-1.4",
        (zero(3), flag("waste"), flag("encrypt"), flag("verify"), selector("type", 2, "TNY-1.5")),
        rules=(
            Rule(
                "type == 0 and (waste or encrypt)",
                "unsupported",
                "TNY-S14",
                "neither waste bytes nor encryption: no layout of them is declared",
                mend="False",
                mends=("waste", "encrypt"),
            ),
        ),
    )
    waste: bool
    encrypt: bool
    verify: bool
    payload_length: ClassVar[Length] = by(
        "ping",
        len0=Length(ordered(32, name="length"), "TNY-1.11", limit=param("max_payload")),
        bare=Length(ordered(32, name="length"), "TNY-1.11", limit=param("max_payload"), unless="type != 0"),
    )


class Message(Record):
    """Message编码 [MessageId|VarInt64][Option|1字节][ProtocolId|VarInt32][ResultCode|VarInt32]..."""

    message_id: Annotated[int, VarInt64, "TNY-3.3"]
    # 选项 [8位] [0(ExistForwardHeader|1位)(Line|3位)(ExistBody|1位)(Mode|2位)]
    option: ClassVar[Bits] = Bits(
        "TNY-3.4",
        (zero(1), exists("forward_header"), number("line", 3), exists("body"), number("mode", 2, 3, "TNY-3.10")),
    )
    mode: int
    line: int
    protocol_id: Annotated[int, VarInt32, "TNY-3.13"]
    result_code: Annotated[int, VarInt32, "TNY-3.14"]
    to_message: Annotated[int, VarInt64, "TNY-3.15"]
    time: Annotated[int, VarInt64, "TNY-3.16"]
    # {[ForwardHeaderLength|VarInt32][ForwardHeaderBytes|Length字节]}{[BodyLength|VarInt32][BodyBytes|Length字节]}
    forward_header: Annotated[
        bytes | None, Prefixed(length=VarInt32, content=Bytes(name="bytes"), clause="TNY-3.17"), "TNY-3.18"
    ]
    body: Annotated[bytes | None, Prefixed(length=VarInt32, content=Bytes(name="bytes"), clause="TNY-3.19"), "TNY-3.20"]


class Payload(Record):
    """PayLoad编码 [AccessId|动态字节][Number|动态字节][WasteBytes][Message][WasteBytes][CheckCode|4字节]"""

    access_id: Annotated[int, ACCESS_ID, "TNY-2.2"]
    number: Annotated[int, NUMBER, "TNY-2.1"]
    # Message字节的校验码; the algorithm is open (TNY-S17). Integrity is judged before content.
    code: ClassVar[CheckCode] = CheckCode(
        "TNY-2.6", field="check", when="verify", number=by("check", crc32=ordered(32, name="CRC-32"))
    )
    message: Annotated[Message, Struct(record=Message), "TNY-2.5"]
    check: bytes | None


class MessagePacket(Packet, type=0, clause="TNY-1.5"):
    """0 : 消息"""

    payload: Annotated[Payload, Struct(record=Payload), "TNY-1.12"]


# A document with one layout for all types gives Ping and Pong a payload, empty or not (TNY-S07).
NOTHING = Rule("{0}", "length-mismatch", "TNY-1.2", "no payload: a bare Ping or Pong is 5 bytes", mend="b''")
RAW = by("ping", len0=Rest(content=Bytes(name="bytes")), bare=Rest(content=Bytes(name="bytes").where(NOTHING)))


class Ping(Packet, type=1, clause="TNY-1.6"):
    """1 : Ping"""

    payload_raw: Annotated[bytes, RAW, "TNY-1.12"]


class Pong(Packet, type=2, clause="TNY-1.7"):
    """2 : Pong"""

    payload_raw: Annotated[bytes, RAW, "TNY-1.12"]


PROTOCOL = Protocol(name="tny", document="002", title="tny", unit=Packet)
