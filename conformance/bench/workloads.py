"""What is measured: for each codec a mix of its messages, small and medium."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from wireproof import Codec, codec
from wireproof.protocols import comet, esnp_frame, esnp_line, magline, tny, tny_relay
from wireproof.wire.var import Var

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from worked import CASES, Case

MESSAGES_IN_A_BUFFER = 200
NOW = 1_600_000_000_000


class Workload(NamedTuple):
    """Some messages of a codec; `title` is the codec, its direction, or what is special about the messages."""

    title: str
    protocol: str
    direction: str | None
    messages: list[Any]

    @property
    def codec(self) -> Codec:
        return codec(self.protocol, direction=self.direction)

    @property
    def cases(self) -> list[Case]:
        return [case for case in CASES if (case.protocol, case.direction) == (self.protocol, self.direction)]


def worked(protocol: str, direction: str | None = None) -> list[Any]:
    """Every message of the worked cases that an encoder may write."""
    found = codec(protocol, direction=direction)
    cases = [case for case in CASES if (case.protocol, case.direction) == (protocol, direction) and case.canonical]
    return [found.message(value) for case in cases for value in case.answer["messages"]]


def nested(integer: str) -> Var:
    """A map of maps and lists as an application sends it: with its frame, key and end some 220 bytes."""
    user = Var(
        "map", (("id", Var("uint64", 9007199254740993)), ("name", Var("string", "王小明")), ("vip", Var("bool", True)))
    )
    items = tuple(
        Var(
            "map",
            (
                ("sku", Var("string", f"A-{1000 + number}")),
                ("count", Var(integer, 3 * number + 1)),
                ("price", Var("float64", bytes.fromhex("4058ffae147ae148"))),
            ),
        )
        for number in range(3)
    )
    tags = Var("list", (Var("string", "new"), Var("string", "paid"), Var("null")))
    digest = Var("bytes", bytes(range(16)))
    return Var("map", (("user", user), ("items", Var("list", items)), ("tags", tags), ("digest", digest)))


def comet_client() -> list[Any]:
    return [
        *worked("comet", "c2s"),
        comet.Auth("client-7f3a9c52e1", "eyJhbGciOiJIUzI1NiJ9." + "t0k3n" * 20),
        comet.Subscribe(tuple(f"@news/{number}/世界" for number in range(12))),
        comet.MessageAck(tuple(f"5f6a-{number:012d}" for number in range(16))),
        comet.ReportEnviron(1, 3, "Xiaomi 14 Pro", ("5g", "zh_CN", "android-15", "2.7.1")),
    ]


def comet_server() -> list[Any]:
    news = comet.Notification(2, "5f6a-000000000042", "您有一条新消息: " + "hello " * 20, NOW)
    return [
        *worked("comet", "s2c"),
        comet.TopicList(tuple(f"@news/{number}" for number in range(12))),
        comet.AuthSuccess(bytes(range(128))),
        comet.MessageList((news,) * 8),
        comet.Message(news),
    ]


def esnp_frames() -> list[Any]:
    request = esnp_frame.Message(
        (
            esnp_frame.MessageId(7_000_000_001),
            esnp_frame.MessageKind(1),
            esnp_frame.Address(40, "10.0.3.17:8443"),
            esnp_frame.Address(30, "orders"),
            esnp_frame.SeqNo(3, 12),
            esnp_frame.Header("trace-id", Var("string", "4bf92f3577b34da6a3ce929d0e0e4736")),
            esnp_frame.Data("page", Var("int", 250)),
            esnp_frame.Payload(bytes(300)),
        )
    )
    return [*worked("esnp-frame"), request]


def esnp_lines() -> list[Any]:
    request = esnp_line.Message(
        (
            esnp_line.Version((1, 0, 0, 0)),
            esnp_line.MessageId(7_000_000_001),
            esnp_line.Flag(1),
            esnp_line.Address(40, "10.0.3.17:8443"),
            esnp_line.Address(30, "orders"),
            esnp_line.SeqNo(3, 12),
            esnp_line.Header("trace-id", Var("string", "4bf92f3577b34da6a3ce929d0e0e4736")),
            esnp_line.Data("page", Var("int", 250)),
            esnp_line.Payload(bytes(300)),
        )
    )
    return [*worked("esnp-line"), request]


def tny_packets() -> list[Any]:
    def packet(body: bytes | None, verify: bool) -> tny.MessagePacket:
        # The check code is computed when written and shown when read.
        message = tny.Message(70_001, 1, 2, 100_199, -1, 69_999, NOW, b"\x0a\x03abc", body)
        return tny.MessagePacket(False, False, verify, tny.Payload(2018, 4711, message, None))

    return [*worked("tny"), packet(bytes(40), False), packet(bytes(300), True), packet(None, True)]


def relays() -> list[Any]:
    sizes = (0, 8, 24, 60, 300)
    return [*worked("tny-relay"), *(tny_relay.Relay(size + 7, 1, 5, NOW, bytes(size)) for size in sizes)]


def magline_frames() -> list[Any]:
    business = (magline.Req, magline.Rep, magline.Psh)
    sizes = (24, 120, 400)
    return [
        *worked("magline"),
        *(record(0xD1, 1, 0, 1000 + size, b"", 7, bytes(16), bytes(size)) for size in sizes for record in business),
    ]


def workloads() -> Iterator[Workload]:
    yield Workload("comet c2s", "comet", "c2s", comet_client())
    yield Workload("comet s2c", "comet", "s2c", comet_server())
    yield Workload("esnp-frame", "esnp-frame", None, esnp_frames())
    frame = esnp_frame.Message((esnp_frame.Data("order", nested("int")),))
    yield Workload("esnp-frame Var", "esnp-frame", None, [frame])
    yield Workload("esnp-line", "esnp-line", None, esnp_lines())
    line = esnp_line.Message((esnp_line.Data("order", nested("int")),))
    yield Workload("esnp-line Var", "esnp-line", None, [line])
    yield Workload("tny", "tny", None, tny_packets())
    yield Workload("tny-relay", "tny-relay", None, relays())
    yield Workload("magline", "magline", None, magline_frames())


def repeated(messages: list[Any]) -> list[Any]:
    """The messages over and over, as many as a buffer of the benchmark holds."""
    return messages * max(1, MESSAGES_IN_A_BUFFER // len(messages))
