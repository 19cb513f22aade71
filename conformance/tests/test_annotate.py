"""An annotation accounts for every byte once, names it as the documents do, and points at what is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof import codec
from wireproof.annotate import NOT_DECODED, Field, Heading, Item, annotate, describe, title_of
from worked import CASES, Case


def annotated(protocol: str, hexes: str, direction: str | None = None, **profile: Any) -> list[Item]:
    found = codec(protocol, direction=direction, profile=profile)
    return annotate(found, found.trace(bytes.fromhex(hexes)))


def fields(items: list[Item]) -> list[Field]:
    return [item for item in items if isinstance(item, Field)]


def headings(items: list[Item]) -> list[str]:
    return [" ".join(filter(None, item[1:])) for item in items if isinstance(item, Heading)]


def test_two_messages() -> None:
    assert annotated("comet", "000106 0006 03 01 0002 4061", "c2s") == [
        Heading(0, "message 1", "heartbeat", "COMET-3.14"),
        Field(0, 2, "length", "short", "1", "COMET-2.4"),
        Field(2, 3, "type", "byte", "6 heartbeat", "COMET-2.5"),
        Heading(0, "message 2", "subscribe", "COMET-3.7"),
        Field(3, 5, "length", "short", "6", "COMET-2.4"),
        Field(5, 6, "type", "byte", "3 subscribe", "COMET-2.5"),
        Field(6, 7, "topics.count", "byte", "1", "COMET-3.8"),
        Field(7, 9, "topics[0].length", "short", "2", "COMET-2.3"),
        Field(9, 11, "topics[0]", "string", '"@a"', "COMET-3.9"),
    ]


def test_a_record_inside_a_message_has_a_heading_of_its_own() -> None:
    items = annotated("comet", "0017 04 01 01 0002 6d31 0006 e4bda0e5a5bd 00000174876e8000", "s2c")
    assert headings(items) == ["message 1 message_list COMET-4.12", "notifications[0]"]
    assert [field.name for field in fields(items)][-2:] == ["content", "ts"]


def test_units_of_a_message_and_its_end() -> None:
    items = annotated("esnp-frame", "1200000101 1d000000 00000000 00000000")
    assert headings(items) == [
        "message 1",
        "frames[0] MESSAGE_KIND ESNPF-4.10",
        "frames[1]",
        "frames[2] END ESNPF-4.1",
        "message 2",
        "frames[0] END ESNPF-4.1",
    ]


def test_bits_are_taken_apart() -> None:
    items = annotated("tny", "746e792e 00 10000000 00 01 05 4d 0a ffffffff0f 03 07 02 beef 00")
    assert [field.value for field in fields(items) if field.type == "bits"] == [
        "type 0 MessagePacket",
        "forward_header, line 1, body, mode 1",
    ]


def test_a_check_code_stands_where_it_is_on_the_wire_though_it_is_read_first() -> None:
    items = annotated("tny", "746e792e 04 0d000000 e20f 01 01 00 01 00 00 00 631522c2")
    assert headings(items)[1:] == ["payload", "payload.message", "payload"]
    assert items[-1] == Field(18, 22, "check", "CRC-32", "4 bytes", "TNY-2.6")


def test_what_is_skipped_is_still_accounted_for() -> None:
    items = annotated("esnp-frame", "1d000002 beef 00000000", unknown_frames="skip")
    assert fields(items)[2] == Field(4, 6, "", "", NOT_DECODED, "")


@pytest.mark.parametrize(
    ("protocol", "direction", "hexes", "start", "fault"),
    [
        ("comet", "c2s", "0006 03 02 0002 4061", 6, 8),  # past the last byte
        ("comet", "c2s", "0007 03 01 0003 61ff62", 6, 6),  # bytes that were not decoded
        ("comet", "c2s", "000106 0000", 3, 3),  # a field that was
        ("tny", None, "746e78", 0, 2),  # inside
        ("tny", None, "746e792e 04 0d000000 e20f 01 01 00 01 00 00 00 631522c3", 18, 18),
        ("esnp-line", None, "16000000 11000008 00", 4, 4),  # the type, not the empty body before it
    ],
)
def test_the_field_at_fault(protocol: str, direction: str | None, hexes: str, start: int, fault: int) -> None:
    marked = [field for field in fields(annotated(protocol, hexes, direction)) if field.fault is not None]
    assert [(field.start, field.fault) for field in marked] == [(start, fault)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_byte_once_and_every_message_announced(case: Case) -> None:
    """Of each case, of two of them in a row, and of everything that is left when its end is cut off."""
    found = codec(case.protocol, direction=case.direction)
    for data in [case.data + case.data, *(case.data[:size] for size in range(len(case.data) + 1))]:
        trace = found.trace(data)
        items = annotate(found, trace)
        places = [0] + [field.stop for field in fields(items)]
        assert [field.start for field in fields(items)] == places[:-1]
        assert places[-1] == len(data)
        failed = trace.decoded.error is not None
        messages = [item for item in items if isinstance(item, Heading) and item.depth == 0]
        assert len(messages) == len(trace.decoded.messages) + failed
        assert sum(field.fault is not None for field in fields(items)) == failed


@pytest.mark.parametrize(
    ("label", "value", "words"),
    [
        ("Bool", True, "true"),
        ("Int", -1, "-1"),
        ("string", 'say "\\"', '"say \\"\\\\\\""'),
        ("string", "x" * 300, '"' + "x" * 256 + '"...'),
        ("Var type", "map", "map"),
        ("Float32", bytes.fromhex("3fc00000"), "1.5"),
        ("Float64", bytes.fromhex("7ff8000000000001"), "nan"),
        ("magic", b"rpk", '"rpk"'),
        ("bytes", b"", "empty"),
        ("bytes", b"\x00", "1 byte"),
        ("bytes", b"hi", '2 bytes, "hi"'),
        ("hmac", b"hi", "2 bytes"),
    ],
)
def test_values_in_words(label: str, value: Any, words: str) -> None:
    assert describe(label, value) == words


@pytest.mark.parametrize(
    ("protocol", "hexes", "title"),
    [
        ("esnp-frame", "1200000101 1d000000 00000000", "MESSAGE_KIND type 29"),
        ("esnp-line", "00000000", "END alone"),
        ("tny", "746e792e 01 00000000", "Ping"),
    ],
)
def test_titles(protocol: str, hexes: str, title: str) -> None:
    found = codec(protocol)
    (message,) = found.decode(bytes.fromhex(hexes)).messages
    assert title_of(found, message) == title
