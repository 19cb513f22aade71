"""Bytes that promise far more than they hold are rejected at once, and cost nothing."""

from __future__ import annotations

import time
import tracemalloc

import pytest

from wireproof import codec

MIB = 1 << 20


def header(body: str) -> str:
    """A HEADER frame of document 000 with its size filled in, and the end frame."""
    return f"13{len(body) // 2:06x}{body}00000000"


def line(body: str) -> str:
    """The same as a line of document 001."""
    return f"14{len(body) // 2:06x}{body}00000000"


DEEP_LIST = "1702" * 100_000
DEEP_MAP = "15020261" * 100_000

BOMBS = [
    ("esnp-frame", None, "13ffffff", "truncated"),
    ("esnp-frame", None, header("feffffff0f"), "overrun"),  # a name of 2^31 - 1 bytes
    ("esnp-frame", None, header("ffffffffffffffffff01"), "negative-length"),  # -2^63 bytes
    ("esnp-frame", None, header("026b11" + "80" * 10 + "01"), "varint-overflow"),  # eleven bytes of length
    ("esnp-frame", None, header("026b17" + "8080808010"), "overrun"),  # a list of 2^31 items
    ("esnp-frame", None, header("026b15" + "8080808010"), "overrun"),
    ("esnp-frame", None, header("026b" + DEEP_LIST), "limit-exceeded"),
    ("esnp-frame", None, header("026b" + DEEP_MAP), "limit-exceeded"),
    ("esnp-line", None, "14ffffff", "truncated"),
    ("esnp-line", None, line("feffffff0f"), "overrun"),
    ("esnp-line", None, line("ffffffff0f"), "negative-length"),
    ("esnp-line", None, line("8080808010"), "out-of-range"),
    ("esnp-line", None, line("026b17" + "feffffff0f"), "overrun"),
    ("esnp-line", None, line("026b" + DEEP_LIST), "limit-exceeded"),
    ("esnp-line", None, line("026b" + DEEP_MAP), "limit-exceeded"),
    ("tny", None, "746e792e00ffffffff", "limit-exceeded"),
    ("tny", None, "746e792e0000000001", "truncated"),
    ("tny", None, "746e792e000e000000e20f01010401000000ffffffff0f", "negative-length"),
    ("tny", None, "746e792e000e000000e20f01010401000000ffffffff07", "overrun"),
    ("tny", None, "746e792e0010000000" + "80" * 10 + "010101000000", "varint-overflow"),
    ("tny-relay", None, "72706bffffffff", "limit-exceeded"),
    ("tny-relay", None, "72706b00000001", "truncated"),
    ("magline", None, "c10100040000ffff00000001ffffffff", "limit-exceeded"),
    ("magline", None, "c10100040000ffff0000000101000000", "truncated"),
    ("comet", "c2s", "ffff03ff", "truncated"),
    ("comet", "c2s", "000203ff", "overrun"),
    ("comet", "s2c", "000204ff", "overrun"),
]


@pytest.mark.parametrize(("name", "direction", "hexes", "error"), BOMBS)
def test_a_bomb_is_rejected_without_being_built(name: str, direction: str | None, hexes: str, error: str) -> None:
    found = codec(name, direction=direction)
    found.decode(b"\x00")  # compile
    data = bytes.fromhex(hexes)
    tracemalloc.start()
    try:
        decoded = found.decode(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert decoded.error is not None
    assert decoded.error.error == error
    assert peak < MIB
    # A ceiling far above the microseconds it takes: what is caught is work in proportion to the promise.
    start = time.perf_counter()
    found.decode(data)
    assert time.perf_counter() - start < 1


def test_a_stream_holds_no_more_than_it_was_given() -> None:
    stream = codec("esnp-frame").stream()
    stream.feed(bytes.fromhex("13ffffff"))
    assert len(stream.buffer) <= 4
    tracemalloc.start()
    try:
        for _ in range(1000):
            stream.feed(b"x" * 100)
        assert tracemalloc.get_traced_memory()[1] < MIB
    finally:
        tracemalloc.stop()


def test_a_stream_forgets_delivered_messages_bytes() -> None:
    stream = codec("comet", direction="c2s").stream()
    for _ in range(1000):
        assert len(stream.feed(bytes.fromhex("000106") * 10)) == 10
        assert len(stream.buffer) <= 30


def test_the_deepest_nesting_allowed_is_read_and_written() -> None:
    found = codec("esnp-line", profile={"max_depth": 256})
    data = bytes.fromhex(line("026b" + "1702" * 256 + "00"))
    decoded = found.decode(data)
    assert decoded.error is None
    value = found.value(decoded.messages[0])
    assert found.encode(found.message(value)) == data
    assert found.answer(found.trace(data).decoded) == found.answer(decoded)
