"""comet by hand, both directions: one function a command, `struct`, and every check."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any

from bench.handwritten_comet_write import encode
from wireproof.errors import Malformed
from wireproof.protocols import comet
from wireproof.results import Decoded

__all__ = ["decode_client", "decode_server", "encode"]

SHORT = Struct(">H")
LONG = Struct(">q")

Reader = Callable[[bytes, int, int], Any]


def read_run(buf: bytes, pos: int, end: int, clause: str, path: str) -> tuple[int, int]:
    """Where the bytes after a short length start and stop."""
    start = pos + 2
    if start > end:
        raise Malformed("overrun", clause, pos, f"{path}.length", "2 bytes of short")
    stop = start + SHORT.unpack_from(buf, pos)[0]
    if stop > end:
        raise Malformed("overrun", clause, start, path, "as many bytes as the length before it says")
    return start, stop


def read_string(buf: bytes, pos: int, end: int, path: str) -> tuple[str, int]:
    # `read_run` written out: most of a command is strings.
    start = pos + 2
    if start > end:
        raise Malformed("overrun", "COMET-2.3", pos, f"{path}.length", "2 bytes of short")
    stop = start + SHORT.unpack_from(buf, pos)[0]
    if stop > end:
        raise Malformed("overrun", "COMET-2.3", start, path, "as many bytes as the length before it says")
    try:
        return buf[start:stop].decode(), stop
    except UnicodeDecodeError:
        raise Malformed("invalid-utf8", "COMET-S09", start, path, "well-formed UTF-8") from None


def read_byte(buf: bytes, pos: int, end: int, clause: str, path: str) -> int:
    if pos >= end:
        raise Malformed("overrun", clause, pos, path, "1 byte of byte")
    return buf[pos]


def read_strings(buf: bytes, pos: int, end: int, clause: str, path: str) -> tuple[tuple[str, ...], int]:
    if pos >= end:
        raise Malformed("overrun", clause, pos, f"{path}.count", "1 byte of byte")
    count = buf[pos]
    pos += 1
    items: list[str] = []
    try:
        for _ in range(count):
            item, pos = read_string(buf, pos, end, "")
            items.append(item)
    except Malformed as error:
        raise error.under(f"{path}[{len(items)}]") from None
    return tuple(items), pos


def read_topics(buf: bytes, pos: int, end: int, clause: str) -> tuple[tuple[str, ...], int]:
    count = read_byte(buf, pos, end, clause, "command.topics.count")
    pos += 1
    topics: list[str] = []
    try:
        for _ in range(count):
            start = pos + 2
            topic, pos = read_string(buf, pos, end, "")
            if topic[:1] != "@":
                raise Malformed("invalid-value", "COMET-1.21", start, "", "a topic name that begins with @")
            topics.append(topic)
    except Malformed as error:
        raise error.under(f"command.topics[{len(topics)}]") from None
    return tuple(topics), pos


def trailing(pos: int, clause: str) -> Malformed:
    return Malformed("trailing-bytes", clause, pos, "command", "nothing after the last field")


def read_auth(buf: bytes, pos: int, end: int) -> comet.Auth:
    client_id, pos = read_string(buf, pos, end, "command.client_id")
    token, pos = read_string(buf, pos, end, "command.token")
    if pos != end:
        raise trailing(pos, "COMET-3.3")
    return comet.Auth(client_id, token)


def read_exchange_key(buf: bytes, pos: int, end: int) -> comet.ExchangeKey:
    start, stop = read_run(buf, pos, end, "COMET-3.5", "command.secret_key")
    if stop != end:
        raise trailing(stop, "COMET-3.5")
    return comet.ExchangeKey(buf[start:stop])


def read_get_topic_list(buf: bytes, pos: int, end: int) -> comet.GetTopicList:
    if pos != end:
        raise trailing(pos, "COMET-3.6")
    return comet.GetTopicList()


def read_subscribe(buf: bytes, pos: int, end: int) -> comet.Subscribe:
    topics, pos = read_topics(buf, pos, end, "COMET-3.8")
    if pos != end:
        raise trailing(pos, "COMET-3.9")
    return comet.Subscribe(topics)


def read_unsubscribe(buf: bytes, pos: int, end: int) -> comet.Unsubscribe:
    topics, pos = read_topics(buf, pos, end, "COMET-3.11")
    if pos != end:
        raise trailing(pos, "COMET-3.12")
    return comet.Unsubscribe(topics)


def read_get_message_list(buf: bytes, pos: int, end: int) -> comet.GetMessageList:
    if pos != end:
        raise trailing(pos, "COMET-3.13")
    return comet.GetMessageList()


def read_heartbeat(buf: bytes, pos: int, end: int) -> comet.Heartbeat:
    if pos != end:
        raise trailing(pos, "COMET-3.14")
    return comet.Heartbeat()


def read_message_ack(buf: bytes, pos: int, end: int) -> comet.MessageAck:
    msg_ids, pos = read_strings(buf, pos, end, "COMET-3.16", "command.msg_ids")
    if pos != end:
        raise trailing(pos, "COMET-3.17")
    return comet.MessageAck(msg_ids)


def read_report_environ(buf: bytes, pos: int, end: int) -> comet.ReportEnviron:
    network_type = read_byte(buf, pos, end, "COMET-3.19", "command.network_type")
    isp = read_byte(buf, pos + 1, end, "COMET-3.20", "command.isp")
    phone_type, pos = read_string(buf, pos + 2, end, "command.phone_type")
    extra, pos = read_strings(buf, pos, end, "COMET-3.22", "command.extra")
    if pos != end:
        raise trailing(pos, "COMET-3.22")
    return comet.ReportEnviron(network_type, isp, phone_type, extra)


def read_ok(buf: bytes, pos: int, end: int) -> comet.Ok:
    if pos != end:
        raise trailing(pos, "COMET-4.1")
    return comet.Ok()


def read_error(buf: bytes, pos: int, end: int) -> comet.Error:
    error_code = read_byte(buf, pos, end, "COMET-4.3", "command.error_code")
    reason, pos = read_string(buf, pos + 1, end, "command.reason")
    if pos != end:
        raise trailing(pos, "COMET-4.4")
    return comet.Error(error_code, reason)


def read_auth_success(buf: bytes, pos: int, end: int) -> comet.AuthSuccess:
    start, stop = read_run(buf, pos, end, "COMET-4.6", "command.encrypt_key")
    if stop != end:
        raise trailing(stop, "COMET-4.6")
    return comet.AuthSuccess(buf[start:stop])


def read_topic_list(buf: bytes, pos: int, end: int) -> comet.TopicList:
    topics, pos = read_topics(buf, pos, end, "COMET-4.8")
    if pos != end:
        raise trailing(pos, "COMET-4.9")
    return comet.TopicList(topics)


def read_notification(buf: bytes, pos: int, end: int) -> tuple[comet.Notification, int]:
    msg_type = read_byte(buf, pos, end, "COMET-4.11", ".msg_type")
    msg_id, pos = read_string(buf, pos + 1, end, ".msg_id")
    content, pos = read_string(buf, pos, end, ".content")
    if end - pos < 8:
        raise Malformed("overrun", "COMET-4.11", pos, ".ts", "8 bytes of long")
    return comet.Notification(msg_type, msg_id, content, LONG.unpack_from(buf, pos)[0]), pos + 8


def read_message_list(buf: bytes, pos: int, end: int) -> comet.MessageList:
    count = read_byte(buf, pos, end, "COMET-4.13", "command.notifications.count")
    pos += 1
    items: list[comet.Notification] = []
    try:
        for _ in range(count):
            item, pos = read_notification(buf, pos, end)
            items.append(item)
    except Malformed as error:
        raise error.under(f"command.notifications[{len(items)}]") from None
    if pos != end:
        raise trailing(pos, "COMET-4.14")
    return comet.MessageList(tuple(items))


def read_message(buf: bytes, pos: int, end: int) -> comet.Message:
    try:
        notification, pos = read_notification(buf, pos, end)
    except Malformed as error:
        raise error.under("command.notification") from None
    if pos != end:
        raise trailing(pos, "COMET-4.15")
    return comet.Message(notification)


CLIENT: dict[int, Reader] = {
    0: read_auth,
    1: read_exchange_key,
    2: read_get_topic_list,
    3: read_subscribe,
    4: read_unsubscribe,
    5: read_get_message_list,
    6: read_heartbeat,
    7: read_message_ack,
    8: read_report_environ,
}
SERVER: dict[int, Reader] = {
    0: read_ok,
    1: read_error,
    2: read_auth_success,
    3: read_topic_list,
    4: read_message_list,
    5: read_message,
}


def decode_commands(buf: bytes, readers: dict[int, Reader]) -> Decoded:
    pos = start = 0
    end = len(buf)
    messages: list[Any] = []
    try:
        while pos < end:
            start = pos
            if end - pos < 2:
                raise Malformed("truncated", "COMET-2.4", end, "command.length", "the rest of the unit")
            (length,) = SHORT.unpack_from(buf, pos)
            if length == 0:
                raise Malformed("length-mismatch", "COMET-2.4", pos, "command.length", "at least 1")
            pos += 2
            stop = pos + length
            if stop > end:
                raise Malformed("truncated", "COMET-2.4", end, "command", "the rest of the unit")
            reader = readers.get(buf[pos])
            if reader is None:
                raise Malformed("unknown-type", "COMET-2.5", pos, "command.type", f"one of {sorted(readers)}")
            messages.append(reader(buf, pos + 1, stop))
            pos = stop
    except Malformed as error:
        return Decoded(messages, start, error)
    return Decoded(messages, end)


def decode_client(buf: bytes) -> Decoded:
    return decode_commands(buf, CLIENT)


def decode_server(buf: bytes) -> Decoded:
    return decode_commands(buf, SERVER)
