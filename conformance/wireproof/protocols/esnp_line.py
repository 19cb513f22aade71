"""ESNP, the later revision that speaks of lines (document 001)."""

from typing import Annotated, Any, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.protocols.esnp import Ids, Types, varint
from wireproof.wire.base import Rule, by, param
from wireproof.wire.heads import Length, Select
from wireproof.wire.lists import Several
from wireproof.wire.numbers import Fixed
from wireproof.wire.records import Record
from wireproof.wire.units import KEEP, SKIP, Reject, Sequence, Span
from wireproof.wire.var import Var

IDS = Ids(
    cut="ESNPL-2.15",
    overflow="ESNPL-2.13",
    width="ESNPL-S11",
    fixed="ESNPL-2.17",
    utf8="ESNPL-2.22",
    len_bytes="ESNPL-2.23",
    len_string="ESNPL-2.24",
    var="ESNPL-2.25",
    depth="ESNPL-S26",
    var_types=lambda place: f"ESNPL-2.{26 + place}",
    map="ESNPL-2.41",
    list="ESNPL-2.42",
)

# Int = Int32, UInt = UInt32; Int8 or UInt8 or Byte : 一个字节的定长数据
T = Types(
    IDS,
    int_=varint(IDS, "Int", 32),
    uint=varint(IDS, "UInt", 32, signed=False),
    int8=Fixed(bits=8, signed=True, name="Int8"),
)


class Line(Unit, key="", blocks=("size",)):
    """【行结构】 [1:行类型][3:数据大小,BigEndian][X:数据,X由'数据大小'决定]"""

    type: ClassVar[Select] = Select(T.Byte, "ESNPL-1.2")
    size: ClassVar[Length] = Length(Fixed(bits=24, name="size"), "ESNPL-1.2")


class Opaque(Record):
    """A line of a reserved, unassigned or application type."""

    type: int
    body: bytes


# 取消，采用MT_FLAG代替: a receiver may still meet them, a sender must not write them (ESNPL-S15)
def _cancelled(clause: str) -> dict[str, Any]:
    gone = Reject("forbidden-type", clause, "no cancelled line: FLAG took its place")
    return {"handling": by("cancelled", preserve=KEEP, skip=SKIP, reject=gone), "refused": gone}


class SessionInfo(Line, type=0x10, name="SESSION_INFO", clause="ESNPL-3.3", category="body"):
    """会话数据 [名称:LenString][值:Var]"""

    key: Annotated[str, T.LenString, "ESNPL-3.6"]
    value: Annotated[Var, T.Var, "ESNPL-3.6"]


class MessageId(Line, type=0x11, name="MESSAGE_ID", clause="ESNPL-3.7", category="header", once=True):
    """消息的编号 [FixUInt64]"""

    id: Annotated[int, T.FixUInt64, "ESNPL-3.9"]


class SourceMessageId(Line, type=0x12, name="SOURCE_MESSAGE_ID", clause="ESNPL-3.10", category="header", once=True):
    """源消息的编号 [FixUInt64]"""

    id: Annotated[int, T.FixUInt64, "ESNPL-3.12"]


class MessageKind(Line, type=0x13, name="MESSAGE_KIND", clause="ESNPL-3.13", **_cancelled("ESNPL-3.13")):
    """消息的类型 [UInt8]: 0 无, 1 请求, 2 响应, 3 消息, 4 事件"""

    kind: Annotated[int, T.Byte, "ESNPL-3.20"]


class Header(Line, type=0x14, name="HEADER", clause="ESNPL-3.21", category="body"):
    """通用消息头，Key：Value模型; a body line all the same (ESNPL-S05)"""

    key: Annotated[str, T.LenString, "ESNPL-3.23"]
    value: Annotated[Var, T.Var, "ESNPL-3.23"]


class Data(Line, type=0x15, name="DATA", clause="ESNPL-3.24", category="body"):
    """通用消息数据，Key：Value模型"""

    key: Annotated[str, T.LenString, "ESNPL-3.26"]
    value: Annotated[Var, T.Var, "ESNPL-3.26"]


class Payload(Line, type=0x16, name="PAYLOAD", clause="ESNPL-3.27", category="body"):
    """消息有效数据，数据格式由业务解析 [Bytes]"""

    body: Annotated[bytes, T.Bytes, "ESNPL-3.29"]


class Address(Line, type=0x17, name="ADDRESS", clause="ESNPL-3.30", category="header"):
    """消息目标地址 [地址类型:Int][值:LenString]: 50 服务组, 40 主机, 30 服务, 20 操作, 10 操作关联对象"""

    address_type: Annotated[int, T.Int, "ESNPL-3.32"]
    value: Annotated[str, T.LenString, "ESNPL-3.32"]


class SourceAddress(Line, type=0x18, name="SOURCE_ADDRESS", clause="ESNPL-3.42", category="header"):
    """消息源地址, 和MT_ADDRESS一样"""

    address_type: Annotated[int, T.Int, "ESNPL-3.43"]
    value: Annotated[str, T.LenString, "ESNPL-3.43"]


class Trace(Line, type=0x19, name="TRACE", clause="ESNPL-3.44", empty="ESNPL-3.46", **_cancelled("ESNPL-3.44")):
    """TRACE标志, 数据体：无"""


class TraceResp(
    Line, type=0x1A, name="TRACE_RESP", clause="ESNPL-3.47", empty="ESNPL-3.48", **_cancelled("ESNPL-3.47")
):
    """TRACE响应标志, 数据体：无"""


FROM_1 = Rule("{0} < 1", "invalid-value", "ESNPL-3.51", "numbering from 1", mend="1")
UP_TO_MAX = Rule(
    "{0} < 0 or 0 < {0} < current", "invalid-value", "ESNPL-S17", "0 for unknown, or at least current", mend="0"
)


class SeqNo(Line, type=0x1B, name="SEQ_NO", clause="ESNPL-3.49", category="header", once=True):
    """消息序号 [当前序号:Int][最大序号:Int]: 编号从1开始, 最大序号可以为0，表示未知 (ESNPL-S17)"""

    current: Annotated[int, T.Int.where(FROM_1), "ESNPL-3.50"]
    max: Annotated[int, T.Int.where(UP_TO_MAX), "ESNPL-3.50"]


class Xdata(Line, type=0x1C, name="XDATA", clause="ESNPL-3.54", category="body"):
    """定制消息数据 [Id:Int][值:业务解析]"""

    id: Annotated[int, T.Int, "ESNPL-3.56"]
    body: Annotated[bytes, T.Bytes, "ESNPL-3.56"]


class Error(Line, type=0x1D, name="ERROR", clause="ESNPL-3.57", category="header", once=True):
    """错误信息 [string], with or without a length of its own (ESNPL-S07)"""

    text: Annotated[str, by("error_text", rest=T.String, lenstring=T.LenString), "ESNPL-3.59"]


class Flag(Line, type=0x1E, name="FLAG", clause="ESNPL-3.60", category="header"):
    """标志位 [int32], one number a line, varint or fixed (ESNPL-S07, S08)"""

    flag: Annotated[int, by("flag_int", varint=T.Int32, fix32=T.FixInt32), "ESNPL-3.62"]


class Version(Line, type=0x1F, name="VERSION", clause="ESNPL-3.71", category="header", once=True):
    """协议版本号 [主版本][次版本][分支编号][变体编号]"""

    version: Annotated[tuple[int, ...], Several(item=T.Byte, count=4, name="4 bytes"), "ESNPL-3.72"]


class Message(Record):
    """【消息结构】 [行][行][行]...[结束行]; the end line is not listed."""

    lines: tuple[Any, ...]


RESERVED = Reject("forbidden-type", "ESNPL-3.2", "no line of the reserved range")

PROTOCOL = Protocol(
    name="esnp-line",
    document="001",
    title="ESNP, lines",
    unit=Line,
    sequence=Sequence(
        record=Message,
        key="lines",
        opaque=Opaque,
        spans=(
            # MT_RESERVERD ： 0x01 - 0x0F
            Span(0x01, 0x0F, by("reserved_lines", preserve=KEEP, skip=SKIP, reject=RESERVED), refused=RESERVED),
            Span(
                0x20,
                0x7F,
                by(
                    "unknown_lines",
                    preserve=KEEP,
                    skip=SKIP,
                    reject=Reject("unknown-type", "ESNPL-S03", "a line type the document defines"),
                ),
            ),
            # MT_APP_DEFINE ： 0x80 - 0xFF
            Span(0x80, 0xFF, KEEP),
        ),
        message_clause="ESNPL-1.1",
        end_clause="ESNPL-3.1",
        # 头行必须在非头行之前; lines without a category bind nothing (ESNPL-S04)
        order_clause="ESNPL-1.6",
        duplicate_clause="ESNPL-S12",
        duplicates=param("duplicates"),
        limit_clause="ESNPL-S26",
        max_frame=param("max_frame"),
        max_message=param("max_message"),
        app_category=param("app_category"),
    ),
)
