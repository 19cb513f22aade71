"""ESNP, the revision that speaks of frames (document 000)."""

from typing import Annotated, Any, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.protocols.esnp import Ids, Types, varint
from wireproof.wire.base import by, param
from wireproof.wire.heads import Length, Select
from wireproof.wire.numbers import Fixed
from wireproof.wire.records import Record, RecordMeta
from wireproof.wire.units import KEEP, SKIP, Reject, Sequence, Span
from wireproof.wire.var import Var

IDS = Ids(
    cut="ESNPF-3.12",
    overflow="ESNPF-3.10",
    width="ESNPF-S03",
    fixed="ESNPF-3.15",
    utf8="ESNPF-3.22",
    len_bytes="ESNPF-3.23",
    len_string="ESNPF-3.24",
    var="ESNPF-3.25",
    depth="ESNPF-S25",
    # The clauses of the tags follow one another, with the bodies of map and list in between.
    var_types=lambda place: f"ESNPF-3.{26 + place + (place > 15) + (place > 16)}",
    map="ESNPF-3.42",
    list="ESNPF-3.44",
)


def _int(name: str, signed: bool) -> Any:
    """Int and Uint have no width in the text; the algorithm is 64 bits wide (ESNPF-S02)."""
    return by("int_bits", {64: varint(IDS, name, 64, signed), 32: varint(IDS, name, 32, signed)})


# Int8 is one of the 变长 integers of this revision, Uint8 is one byte: ESNPF-3.4, 3.13
T = Types(IDS, int_=_int("Int", True), uint=_int("Uint", False), int8=varint(IDS, "Int8", 8))


class Frame(Unit, key="", blocks=("size",)):
    """【帧结构】 头:4个字节 [1:帧类型][3:体大小], 体:变长数据"""

    type: ClassVar[Select] = Select(T.Byte, "ESNPF-1.3")
    # 3 bytes, of which the document does not say the order (ESNPF-S01)
    size: ClassVar[Length] = Length(
        by("size_order", big=Fixed(bits=24, name="size"), little=Fixed(bits=24, order="little", name="size")),
        "ESNPF-1.4",
    )


class Opaque(Record):
    """A frame of a type the document does not define."""

    type: int
    body: bytes


class SessionInfo(Frame, type=0x10, name="SESSION_INFO", clause="ESNPF-4.4"):
    """会话数据 [名称:LenString][值:Var]"""

    key: Annotated[str, T.LenString, "ESNPF-4.6"]
    value: Annotated[Var, T.Var, "ESNPF-4.6"]


class MessageId(Frame, type=0x11, name="MESSAGE_ID", clause="ESNPF-4.7", once=True):
    """消息的编号 [FixUint64]"""

    id: Annotated[int, T.FixUInt64, "ESNPF-4.9"]


class MessageKind(Frame, type=0x12, name="MESSAGE_KIND", clause="ESNPF-4.10", once=True):
    """消息的类型 [Uint8]: 0 无, 1 请求, 2 响应, 3 消息, 4 事件; others are taken as they are (ESNPF-S20)"""

    kind: Annotated[int, T.Byte, "ESNPF-4.16"]


class Header(Frame, type=0x13, name="HEADER", clause="ESNPF-4.17"):
    """消息头 [名称:LenString][值:Var]"""

    key: Annotated[str, T.LenString, "ESNPF-4.18"]
    value: Annotated[Var, T.Var, "ESNPF-4.18"]


# The document gives the following nine a name and a number only. Their bodies are read as
# deployed (bodies=structured), or left alone (bodies=opaque): ESNPF-S17.
STRUCTURED = {"bodies": "structured"}


class Data(Frame, type=0x14, name="DATA", clause="ESNPF-4.19", when=STRUCTURED):
    """MT_DATA : 0x14"""

    key: Annotated[str, T.LenString, "ESNPF-4.19"]
    value: Annotated[Var, T.Var, "ESNPF-4.19"]


class Payload(Frame, type=0x15, name="PAYLOAD", clause="ESNPF-4.20", when=STRUCTURED):
    """MT_PAYLOAD : 0x15"""

    body: Annotated[bytes, T.Bytes, "ESNPF-4.20"]


class Address(Frame, type=0x16, name="ADDRESS", clause="ESNPF-4.21", when=STRUCTURED):
    """MT_ADDRESS : 0x16"""

    address_type: Annotated[int, T.Int, "ESNPF-4.21"]
    value: Annotated[str, T.LenString, "ESNPF-4.21"]


class SourceAddress(Frame, type=0x17, name="SOURCE_ADDRESS", clause="ESNPF-4.22", when=STRUCTURED):
    """MT_SOURCE_ADDRESS : 0x17"""

    address_type: Annotated[int, T.Int, "ESNPF-4.22"]
    value: Annotated[str, T.LenString, "ESNPF-4.22"]


class SourceMessageId(Frame, type=0x18, name="SOURCE_MESSAGE_ID", clause="ESNPF-4.23", when=STRUCTURED):
    """MT_SOURCE_MESSAGE_ID : 0x18"""

    id: Annotated[int, T.FixUInt64, "ESNPF-4.23"]


class Trace(Frame, type=0x19, name="TRACE", clause="ESNPF-4.24", when=STRUCTURED):
    """MT_TRACE : 0x19"""


class TraceResp(Frame, type=0x1A, name="TRACE_RESP", clause="ESNPF-4.25", when=STRUCTURED):
    """MT_TRACE_RESP : 0x1A"""


class SeqNo(Frame, type=0x1B, name="SEQ_NO", clause="ESNPF-4.26", when=STRUCTURED):
    """MT_SEQ_NO : 0x1B"""

    current: Annotated[int, T.Int, "ESNPF-4.26"]
    max: Annotated[int, T.Int, "ESNPF-4.26"]


class Xdata(Frame, type=0x1C, name="XDATA", clause="ESNPF-4.27", when=STRUCTURED):
    """MT_XDATA : 0x1C"""

    id: Annotated[int, T.Int, "ESNPF-4.27"]
    body: Annotated[bytes, T.Bytes, "ESNPF-4.27"]


def _opaque(known: type[Frame]) -> type[Frame]:
    """The same frame with its body left alone."""
    keywords = known.keywords
    space = {"__annotations__": {"body": Annotated[bytes, T.Bytes, keywords["clause"]]}, "__doc__": known.__doc__}
    named = {key: keywords[key] for key in ("type", "name", "clause")}
    made: type[Frame] = RecordMeta(f"Opaque{known.__name__}", (Frame,), space, **named, when={"bodies": "opaque"})
    return made


BLANK = (Data, Payload, Address, SourceAddress, SourceMessageId, Trace, TraceResp, SeqNo, Xdata)
OPAQUE = tuple(_opaque(known) for known in BLANK)


class Message(Record):
    """【消息结构】 [帧][帧][帧][帧][结束帧]; the end frame is not listed."""

    frames: tuple[Any, ...]


# MT_CLOSE_CHANNEL : 0x09 本地数据帧, not for the remote side
LOCAL = Reject("forbidden-type", "ESNPF-4.3", "no CLOSE_CHANNEL frame, which is local")
UNKNOWN = by(
    "unknown_frames",
    preserve=KEEP,
    skip=SKIP,
    reject=Reject("unknown-type", "ESNPF-S15", "a frame type the document defines"),
)

PROTOCOL = Protocol(
    name="esnp-frame",
    document="000",
    title="ESNP, frames",
    unit=Frame,
    sequence=Sequence(
        record=Message,
        key="frames",
        opaque=Opaque,
        spans=(
            Span(0x01, 0x08, UNKNOWN),
            Span(0x09, 0x09, LOCAL, refused=LOCAL),
            Span(0x0A, 0x0F, UNKNOWN),
            Span(0x1D, 0xFF, UNKNOWN),
        ),
        message_clause="ESNPF-2.1",
        end_clause="ESNPF-4.1",
        order_clause="",
        duplicate_clause="ESNPF-S18",
        duplicates=param("duplicates"),
        limit_clause="ESNPF-S25",
        max_frame=param("max_frame"),
        max_message=param("max_message"),
    ),
)
