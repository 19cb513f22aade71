"""comet二进制协议 (document 004): client and server talk in commands (指令).

The numbers of the two directions overlap, so a decode has to know the direction:
`c2s` for what clients send, `s2c` for what servers send (COMET-S10).
"""

from typing import Annotated, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.wire.base import Rule, by, where
from wireproof.wire.heads import Length, Select
from wireproof.wire.lists import Counted, UntilEnd
from wireproof.wire.numbers import Fixed, ordered
from wireproof.wire.records import Record, Struct
from wireproof.wire.runs import Bytes, Prefixed, Rest, Text

# 基础类型
# 1. byte一个字节,short二个字节,integer4个字节,long8个字节; order and sign are open (COMET-S01 to S04)
BYTE = by("byte", unsigned=Fixed(bits=8, name="byte"), signed=Fixed(bits=8, signed=True, name="byte"))
SHORT = by("short", unsigned=ordered(16, name="short"), signed=ordered(16, signed=True, name="short"))
INTEGER = ordered(32, name="integer")
LONG = by("ts", signed=ordered(64, signed=True, name="long"), unsigned=ordered(64, name="long"))

# 2. boolean=byte{0,1}; no command uses it, nor integer as a field (COMET-S16)
BOOLEAN = Fixed(bits=8, name="boolean").where(Rule("{0} > 1", "invalid-value", "COMET-2.2", "0 or 1", mend="1"))

# 3. string=short{length}+byte[length]; the charset is open (COMET-S09)
TEXT = by(
    "utf8", strict=Text(name="string", clause="COMET-S09"), bytes=Text(name="string", clause="COMET-S09", strict=False)
)
STRING = Prefixed(length=SHORT, content=TEXT, clause="COMET-2.3")

# 主题名称必须是以@开头
TOPIC_RULE = Rule(
    "{0}[:1] not in ('@', b'@')",
    "invalid-value",
    "COMET-1.21",
    "a topic name that begins with @",
    mend="('@' if isinstance({0}, str) else b'@') + {0}",
)
TOPIC = Prefixed(length=SHORT, content=where(TEXT, TOPIC_RULE), clause="COMET-2.3")

# bytes is not among the basic types: how it is delimited is open (COMET-S07)
OPAQUE = Bytes(name="bytes")
BYTES = by(
    "bytes",
    short=Prefixed(length=SHORT, content=OPAQUE),
    rest=Rest(content=OPAQUE),
    int=Prefixed(length=INTEGER, content=OPAQUE),
)

# string[] has no count: how the list ends is open (COMET-S08)
STRINGS = by(
    "extra",
    byte=Counted(count=BYTE, item=STRING),
    rest=UntilEnd(item=STRING),
    short=Counted(count=SHORT, item=STRING),
)


def counted(item: object, clause: str) -> Counted:
    """byte{count} and so many items; `clause` is the count's."""
    return Counted(count=BYTE, item=item, clause=clause)  # type: ignore[arg-type]


class Command(Unit, key="command", blocks=("length",)):
    """协议指令"""

    # 二个字节的指令消息长度，包括指令类型和消息体，不包括消息长度本身
    length: ClassVar[Length] = Length(SHORT, "COMET-2.4", counts="1")
    type: ClassVar[Select] = Select(BYTE, "COMET-2.5")
    # then byte[length]{content}, which differs from command to command: COMET-2.6


class Auth(Command, sender="client", type=0, name="auth", clause="COMET-3.1"):
    """auth消息体{type=0}"""

    client_id: Annotated[str, STRING, "COMET-3.2"]
    token: Annotated[str, STRING, "COMET-3.3"]


class ExchangeKey(Command, sender="client", type=1, name="exchange_key", clause="COMET-3.4"):
    """exchange_key消息题{type=1}"""

    secret_key: Annotated[bytes, BYTES, "COMET-3.5"]


class GetTopicList(Command, sender="client", type=2, name="get_topic_list", clause="COMET-3.6"):
    """get_topic_list消息体{type=2}: 无"""


class Subscribe(Command, sender="client", type=3, name="subscribe", clause="COMET-3.7"):
    """subscribe消息体{type=3}"""

    topics: Annotated[tuple[str, ...], counted(TOPIC, "COMET-3.8"), "COMET-3.9"]


class Unsubscribe(Command, sender="client", type=4, name="unsubscribe", clause="COMET-3.10"):
    """unsubscribe消息体{type=4}"""

    topics: Annotated[tuple[str, ...], counted(TOPIC, "COMET-3.11"), "COMET-3.12"]


class GetMessageList(Command, sender="client", type=5, name="get_message_list", clause="COMET-3.13"):
    """get_message_list消息体{type=5}: 无"""


class Heartbeat(Command, sender="client", type=6, name="heartbeat", clause="COMET-3.14"):
    """heartbeat消息题{type=6}: 无"""


class MessageAck(Command, sender="client", type=7, name="message_ack", clause="COMET-3.15"):
    """message_ack消息题{type=7}"""

    msg_ids: Annotated[tuple[str, ...], counted(STRING, "COMET-3.16"), "COMET-3.17"]


class ReportEnviron(Command, sender="client", type=8, name="report_environ", clause="COMET-3.18"):
    """report_environ消息体{type=8}"""

    network_type: Annotated[int, BYTE, "COMET-3.19"]
    isp: Annotated[int, BYTE, "COMET-3.20"]
    phone_type: Annotated[str, STRING, "COMET-3.21"]
    extra: Annotated[tuple[str, ...], STRINGS, "COMET-3.22"]


class Ok(Command, sender="server", type=0, name="ok", clause="COMET-4.1"):
    """ok消息题{type=0}: 无"""


class Error(Command, sender="server", type=1, name="error", clause="COMET-4.2"):
    """error消息题{type=1}"""

    error_code: Annotated[int, BYTE, "COMET-4.3"]
    reason: Annotated[str, STRING, "COMET-4.4"]


class AuthSuccess(Command, sender="server", type=2, name="auth_success", clause="COMET-4.5"):
    """auth_success消息体{type=2}"""

    encrypt_key: Annotated[bytes, BYTES, "COMET-4.6"]


class TopicList(Command, sender="server", type=3, name="topic_list", clause="COMET-4.7"):
    """topic_list消息体{type=3}"""

    topics: Annotated[tuple[str, ...], counted(TOPIC, "COMET-4.8"), "COMET-4.9"]


class Notification(Record):
    """通知结构体 (COMET-4.10): message_struct={byte{msg_type},string{msg_id},string{content}, long{ts}}"""

    msg_type: Annotated[int, BYTE, "COMET-4.11"]
    msg_id: Annotated[str, STRING, "COMET-4.11"]
    content: Annotated[str, STRING, "COMET-4.11"]
    ts: Annotated[int, LONG, "COMET-4.11"]


NOTIFICATION = Struct(record=Notification, name="message_struct")


class MessageList(Command, sender="server", type=4, name="message_list", clause="COMET-4.12"):
    """message_list消息体{type=4}"""

    notifications: Annotated[tuple[Notification, ...], counted(NOTIFICATION, "COMET-4.13"), "COMET-4.14"]


class Message(Command, sender="server", type=5, name="message", clause="COMET-4.15"):
    """message消息题{type=5}: 一个message_struct"""

    notification: Annotated[Notification, NOTIFICATION, "COMET-4.15"]


PROTOCOL = Protocol(
    name="comet",
    document="004",
    title="comet",
    unit=Command,
    senders=(("c2s", "client"), ("s2c", "server")),
)
