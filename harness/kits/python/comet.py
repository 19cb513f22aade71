"""comet under the profile `standard`: replace `decode` and `encode` by calls into your own codec."""

import re

PROFILE = {"order": "big", "utf8": "strict", "bytes": "short", "extra": "byte", "short": "unsigned",
           "byte": "unsigned", "ts": "signed", "crypto": "none", "environ_reply": "ok"}  # fmt: skip
SURROGATE = re.compile("[\ud800-\udfff]")

# Messages by type: name and fields. A list stands for a count of one byte, then so many of what is in it.
NOTIFICATION = {"msg_type": "byte", "msg_id": "string", "content": "string", "ts": "long"}
MESSAGES = {"c2s": [
    ("auth", {"client_id": "string", "token": "string"}), ("exchange_key", {"secret_key": "bytes"}),
    ("get_topic_list", {}), ("subscribe", {"topics": ["topic"]}), ("unsubscribe", {"topics": ["topic"]}),
    ("get_message_list", {}), ("heartbeat", {}), ("message_ack", {"msg_ids": ["string"]}),
    ("report_environ", {"network_type": "byte", "isp": "byte", "phone_type": "string", "extra": ["string"]}),
], "s2c": [
    ("ok", {}), ("error", {"error_code": "byte", "reason": "string"}), ("auth_success", {"encrypt_key": "bytes"}),
    ("topic_list", {"topics": ["topic"]}), ("message_list", {"notifications": [NOTIFICATION]}),
    ("message", {"notification": NOTIFICATION}),
]}  # fmt: skip


class Rejected(Exception):
    """Bytes that are no message, or a value that must not be written: its class, and for bytes the offset."""


def check(right, problem):
    if not right:
        raise problem


def unhex(text):
    check(isinstance(text, str) and len(text) % 2 == 0 and not text.strip("0123456789abcdef"), ValueError("hex"))
    return bytes.fromhex(text)


def decode(direction, data, pos):
    """Each message that is complete from `pos` on, and where it ends."""
    while len(data) >= pos + 2:
        end = pos + 2 + int.from_bytes(data[pos : pos + 2], "big")
        check(end > pos + 2, Rejected("length-mismatch", pos))
        if end > len(data):
            return
        kind, reader = data[pos + 2], Reader(data, pos + 3, end)
        check(kind < len(MESSAGES[direction]), Rejected("unknown-type", pos + 2))
        name, layout = MESSAGES[direction][kind]
        fields = reader.read(layout)
        check(reader.pos == end, Rejected("trailing-bytes", reader.pos))
        yield {"command": {"dir": direction, "type": kind, "name": name, **fields}}, end
        pos = end


class Reader:
    def __init__(self, data, pos, end):
        self.data, self.pos, self.end = data, pos, end

    def take(self, size):
        start, self.pos = self.pos, self.pos + size
        check(self.pos <= self.end, Rejected("overrun", start))
        return self.data[start : self.pos]

    def read(self, layout):
        if isinstance(layout, dict):
            return {name: self.read(field) for name, field in layout.items()}
        if isinstance(layout, list):
            return [self.read(layout[0]) for _ in range(self.read("byte"))]
        if layout == "byte":
            return self.take(1)[0]
        if layout == "long":
            return str(int.from_bytes(self.take(8), "big", signed=True))
        run = self.take(int.from_bytes(self.take(2), "big"))
        if layout == "bytes":
            return run.hex()
        text = run.decode(errors="surrogateescape")
        check(not SURROGATE.search(text), Rejected("invalid-utf8", self.pos - len(run)))
        check(layout == "string" or text.startswith("@"), Rejected("invalid-value", self.pos - len(run)))
        return text


def encode(direction, value):
    """The bytes of a message."""
    command = value.get("command") if isinstance(value, dict) and len(value) == 1 else None
    check(isinstance(command, dict) and command.get("dir") == direction, ValueError("command or its dir"))
    check(type(command.get("type")) is int, ValueError("type"))
    kind = number(command["type"], 1, "out-of-range", check)
    check(kind[0] < len(MESSAGES[direction]), Rejected("unknown-type"))
    _, layout = MESSAGES[direction][kind[0]]
    fields = {key: field for key, field in command.items() if key not in ("dir", "type", "name")}
    write(layout, fields, lambda *_: None)  # a wrong shape, wherever it is, comes before any broken rule
    content = kind + write(layout, fields, check)
    return number(len(content), 2, "limit-exceeded", check) + content


def write(layout, value, rule):
    if isinstance(layout, dict):
        check(isinstance(value, dict) and value.keys() == layout.keys(), ValueError(f"not {', '.join(layout)}"))
        return b"".join(write(field, value[name], rule) for name, field in layout.items())
    if isinstance(layout, list):
        check(isinstance(value, list), ValueError("list"))
        count = number(len(value), 1, "limit-exceeded", rule)
        return count + b"".join(write(layout[0], item, rule) for item in value)
    if layout == "byte":
        check(type(value) is int, ValueError("integer"))
        return number(value, 1, "out-of-range", rule)
    if layout == "long":
        check(isinstance(value, str) and re.fullmatch("0|-?[1-9][0-9]*", value), ValueError("decimal string"))
        return number(int(value[:21]), 8, "out-of-range", rule, low=-(2**63))
    if layout != "bytes" and not isinstance(value, str):
        rule(False, Rejected("invalid-utf8"))  # {"hex": ...} has a right shape, but is no text in this profile
        return write({"hex": "bytes"}, value, rule)
    run = unhex(value) if layout == "bytes" else value.encode(errors="surrogatepass")
    rule(not SURROGATE.search(value), Rejected("invalid-utf8"))
    length = number(len(run), 2, "limit-exceeded", rule)
    rule(layout != "topic" or value.startswith("@"), Rejected("invalid-value"))
    return length + run


def number(value, size, error, rule, low=0):
    rule(low <= value < low + 256**size, Rejected(error))
    return (value % 256**size).to_bytes(size, "big")
