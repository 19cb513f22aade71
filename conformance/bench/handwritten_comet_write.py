"""comet by hand, both directions: writing."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from wireproof.errors import BadValue, Refused
from wireproof.protocols import comet

SHORT = Struct(">H")
LONG = Struct(">q")
HEAD = Struct(">HB")
MOST_SHORT = 0xFFFF
BYTE = [bytes([number]) for number in range(256)]


def run_bytes(raw: bytes, clause: str, path: str) -> bytes:
    """A short length, and the bytes."""
    if len(raw) > MOST_SHORT:
        raise Refused("limit-exceeded", clause, path, "at most 65535 bytes")
    return SHORT.pack(len(raw)) + raw


def string_bytes(text: str, path: str) -> bytes:
    try:
        raw = text.encode()
    except (UnicodeEncodeError, AttributeError):
        raise Refused("invalid-utf8", "COMET-S09", path, "text without lone surrogates") from None
    if len(raw) > MOST_SHORT:
        raise Refused("limit-exceeded", "COMET-2.3", path, "at most 65535 bytes")
    return SHORT.pack(len(raw)) + raw


def byte_bytes(value: int, clause: str, path: str) -> bytes:
    if not 0 <= value <= 255:
        raise Refused("out-of-range", clause, path, "0 to 255")
    return BYTE[value]


def count_bytes(items: tuple[Any, ...], clause: str, path: str) -> bytes:
    if len(items) > 255:
        raise Refused("limit-exceeded", clause, f"{path}.count", "at most 255 items")
    return BYTE[len(items)]


def strings_bytes(items: tuple[str, ...], clause: str, path: str) -> bytes:
    parts = [count_bytes(items, clause, path)]
    try:
        for item in items:
            parts.append(string_bytes(item, ""))  # noqa: PERF401 - the index of the bad one is wanted
    except Refused as error:
        raise error.under(f"{path}[{len(parts) - 1}]") from None
    return b"".join(parts)


def topics_bytes(topics: tuple[str, ...], clause: str) -> bytes:
    parts = [count_bytes(topics, clause, "command.topics")]
    try:
        for topic in topics:
            written = string_bytes(topic, "")
            if topic[:1] != "@":
                raise Refused("invalid-value", "COMET-1.21", "", "a topic name that begins with @")
            parts.append(written)
    except Refused as error:
        raise error.under(f"command.topics[{len(parts) - 1}]") from None
    return b"".join(parts)


def command(code: int, content: bytes) -> bytes:
    length = len(content) + 1
    if length > MOST_SHORT:
        raise Refused("limit-exceeded", "COMET-2.4", "command.length", "at most 65535")
    return HEAD.pack(length, code) + content


def write_auth(m: comet.Auth) -> bytes:
    return command(0, string_bytes(m.client_id, "command.client_id") + string_bytes(m.token, "command.token"))


def write_exchange_key(m: comet.ExchangeKey) -> bytes:
    return command(1, run_bytes(m.secret_key, "COMET-3.5", "command.secret_key"))


def write_get_topic_list(m: comet.GetTopicList) -> bytes:
    return b"\x00\x01\x02"


def write_subscribe(m: comet.Subscribe) -> bytes:
    return command(3, topics_bytes(m.topics, "COMET-3.8"))


def write_unsubscribe(m: comet.Unsubscribe) -> bytes:
    return command(4, topics_bytes(m.topics, "COMET-3.11"))


def write_get_message_list(m: comet.GetMessageList) -> bytes:
    return b"\x00\x01\x05"


def write_heartbeat(m: comet.Heartbeat) -> bytes:
    return b"\x00\x01\x06"


def write_message_ack(m: comet.MessageAck) -> bytes:
    return command(7, strings_bytes(m.msg_ids, "COMET-3.16", "command.msg_ids"))


def write_report_environ(m: comet.ReportEnviron) -> bytes:
    return command(
        8,
        byte_bytes(m.network_type, "COMET-3.19", "command.network_type")
        + byte_bytes(m.isp, "COMET-3.20", "command.isp")
        + string_bytes(m.phone_type, "command.phone_type")
        + strings_bytes(m.extra, "COMET-3.22", "command.extra"),
    )


def write_ok(m: comet.Ok) -> bytes:
    return b"\x00\x01\x00"


def write_error(m: comet.Error) -> bytes:
    code = byte_bytes(m.error_code, "COMET-4.3", "command.error_code")
    return command(1, code + string_bytes(m.reason, "command.reason"))


def write_auth_success(m: comet.AuthSuccess) -> bytes:
    return command(2, run_bytes(m.encrypt_key, "COMET-4.6", "command.encrypt_key"))


def write_topic_list(m: comet.TopicList) -> bytes:
    return command(3, topics_bytes(m.topics, "COMET-4.8"))


def notification_bytes(n: comet.Notification) -> bytes:
    content = (
        byte_bytes(n.msg_type, "COMET-4.11", ".msg_type")
        + string_bytes(n.msg_id, ".msg_id")
        + string_bytes(n.content, ".content")
    )
    if not -(1 << 63) <= n.ts < 1 << 63:
        raise Refused("out-of-range", "COMET-4.11", ".ts", "a signed number of 64 bits")
    return content + LONG.pack(n.ts)


def write_message_list(m: comet.MessageList) -> bytes:
    parts = [count_bytes(m.notifications, "COMET-4.13", "command.notifications")]
    try:
        for item in m.notifications:
            parts.append(notification_bytes(item))  # noqa: PERF401 - the index of the bad one is wanted
    except Refused as error:
        raise error.under(f"command.notifications[{len(parts) - 1}]") from None
    return command(4, b"".join(parts))


def write_message(m: comet.Message) -> bytes:
    try:
        return command(5, notification_bytes(m.notification))
    except Refused as error:
        raise (error if error.path.startswith("command") else error.under("command.notification")) from None


WRITERS: dict[type, Callable[[Any], bytes]] = {
    comet.Auth: write_auth,
    comet.ExchangeKey: write_exchange_key,
    comet.GetTopicList: write_get_topic_list,
    comet.Subscribe: write_subscribe,
    comet.Unsubscribe: write_unsubscribe,
    comet.GetMessageList: write_get_message_list,
    comet.Heartbeat: write_heartbeat,
    comet.MessageAck: write_message_ack,
    comet.ReportEnviron: write_report_environ,
    comet.Ok: write_ok,
    comet.Error: write_error,
    comet.AuthSuccess: write_auth_success,
    comet.TopicList: write_topic_list,
    comet.MessageList: write_message_list,
    comet.Message: write_message,
}


def encode(message: Any) -> bytes:
    writer = WRITERS.get(type(message))
    if writer is None:
        raise BadValue("", f"{type(message).__name__} is no command")
    return writer(message)
