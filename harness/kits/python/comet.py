"""The protocol comet, profile standard: tables, then one function that reads by them and one that writes."""

from io import BytesIO

NUMBERS = {"byte": (1, 0), "short": (2, 0), "long": (8, -(2**63))}  # size and least value
NOTIFICATION = {"msg_type": "byte", "msg_id": "string", "content": "string", "ts": "long"}
MESSAGES = {"c2s": [  # by type: name and fields; a list is a byte with the count, then so many items
    ("auth", {"client_id": "string", "token": "string"}), ("exchange_key", {"secret_key": "bytes"}),
    ("get_topic_list", {}), ("subscribe", {"topics": ["topic"]}), ("unsubscribe", {"topics": ["topic"]}),
    ("get_message_list", {}), ("heartbeat", {}), ("message_ack", {"msg_ids": ["string"]}),
    ("report_environ", {"network_type": "byte", "isp": "byte", "phone_type": "string", "extra": ["string"]}),
], "s2c": [
    ("ok", {}), ("error", {"error_code": "byte", "reason": "string"}),
    ("auth_success", {"encrypt_key": "bytes"}), ("topic_list", {"topics": ["topic"]}),
    ("message_list", {"notifications": [NOTIFICATION]}), ("message", {"notification": NOTIFICATION}),
]}  # fmt: skip


class Rejected(Exception):
    """An error class; for bytes that are no message also the offset of the fault."""


def check(right, error, offset=None):
    if not right:
        raise Rejected(error, offset)


def decode(direction, data):
    """The message that data begins with, and its size; None if it is not all there yet."""
    if len(data) < 2:
        return None
    size = 2 + int.from_bytes(data[:2], "big")
    check(size > 2, "length-mismatch", 0)
    if len(data) < size:
        return None
    body = BytesIO(data[:size])
    body.seek(2)
    kind = read("byte", body)
    check(kind < len(MESSAGES[direction]), "unknown-type", 2)
    name, layout = MESSAGES[direction][kind]
    fields = read(layout, body)
    check(body.tell() == size, "trailing-bytes", body.tell())
    return {"command": {"dir": direction, "type": kind, "name": name, **fields}}, size


def encode(direction, value):
    """The bytes of a message."""
    command = value["command"]
    kind = write("byte", command["type"])
    check(kind[0] < len(MESSAGES[direction]), "unknown-type")
    _, layout = MESSAGES[direction][kind[0]]
    content = kind + write(layout, command)
    return write("short", len(content), "limit-exceeded") + content


def read(layout, body):
    if isinstance(layout, dict):
        return {name: read(field, body) for name, field in layout.items()}
    if isinstance(layout, list):
        return [read(layout[0], body) for _ in range(read("byte", body))]
    size, least = NUMBERS.get(layout) or (read("short", body), 0)  # bytes and text come behind their size
    start, run = body.tell(), body.read(size)
    check(len(run) == size, "overrun", start)
    if layout in NUMBERS:
        number = int.from_bytes(run, "big", signed=least < 0)
        return str(number) if layout == "long" else number
    if layout == "bytes":
        return run.hex()
    text = run.decode(errors="replace")
    check(text.encode() == run, "invalid-utf8", start)
    check(layout == "string" or text.startswith("@"), "invalid-value", start)
    return text


def write(layout, value, error="out-of-range"):
    if isinstance(layout, dict):
        return b"".join(write(field, value[name]) for name, field in layout.items())
    if isinstance(layout, list):
        count = write("byte", len(value), "limit-exceeded")
        return count + b"".join(write(layout[0], item) for item in value)
    if layout in NUMBERS:
        size, least = NUMBERS[layout]
        check(least <= int(value) < least + 256**size, error)
        return int(value).to_bytes(size, "big", signed=least < 0)
    run = bytes.fromhex(value) if layout == "bytes" else str(value).encode(errors="replace")
    check(layout == "bytes" or run.decode() == value, "invalid-utf8")  # a lone surrogate, or {"hex": ...}
    length = write("short", len(run), "limit-exceeded")
    check(layout != "topic" or value.startswith("@"), "invalid-value")
    return length + run
