"""One row of the table: an operation of a codec, and how the others compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from construct import Array

from bench.contenders import Construct, Handwritten
from bench.timing import Task, best_times
from bench.workloads import Workload, repeated

WIREPROOF, BY_HAND, PLAIN, COMPILED = "wireproof", "hand-written", "construct", "construct compiled"
AT_LEAST = {BY_HAND: 1.0, PLAIN: 15.0}
CHUNK = 1460
"""Bytes that a stream is fed at a time: a TCP segment."""


class Row(msgspec.Struct):
    """`seconds` per message by contender; ratios are how many times as long as wireproof they take."""

    workload: str
    operation: str
    bytes_a_message: float
    seconds: dict[str, float]

    @property
    def rate(self) -> float:
        """Messages in a second."""
        return 1 / self.seconds[WIREPROOF]

    def ratio(self, contender: str) -> float | None:
        other = self.seconds.get(contender)
        return None if other is None else other / self.seconds[WIREPROOF]

    @property
    def misses(self) -> list[str]:
        """The targets that are not reached."""
        ratios = {name: self.ratio(name) for name in AT_LEAST}
        return [name for name, ratio in ratios.items() if ratio is not None and ratio < AT_LEAST[name]]


def measure(workload: Workload, hand: Handwritten, built: Construct, rounds: int) -> Iterator[Row]:
    messages = repeated(workload.messages)
    found = workload.codec
    buffer = b"".join(found.encode(message) for message in messages)
    operations: dict[str, dict[str, Task]] = {
        "decode": decoders(workload, hand, built, buffer, len(messages)),
        "encode": encoders(workload, hand, built, messages),
        "stream": {WIREPROOF: lambda: feed(workload, buffer)},
    }
    for operation, tasks in operations.items():
        times = best_times(tasks, rounds, frozenset({PLAIN, COMPILED}))
        seconds = {name: time / len(messages) for name, time in times.items()}
        yield Row(workload.title, operation, len(buffer) / len(messages), seconds)


def decoders(workload: Workload, hand: Handwritten, built: Construct, buffer: bytes, count: int) -> dict[str, Task]:
    decode, by_hand = workload.codec.decode, hand.decode
    # That construct is told how many messages there are spares it a loop around each.
    plain, compiled = Array(count, built.message), Array(count, built.message).compile()
    return {
        WIREPROOF: lambda: decode(buffer),
        BY_HAND: lambda: by_hand(buffer),
        PLAIN: lambda: plain.parse(buffer),
        COMPILED: lambda: compiled.parse(buffer),
    }


def encoders(workload: Workload, hand: Handwritten, built: Construct, messages: list[Any]) -> dict[str, Task]:
    encode, by_hand = workload.codec.encode, hand.encode
    shapes = [built.shape(message) for message in messages]
    plain, compiled = built.message.build, built.compiled.build
    return {
        WIREPROOF: lambda: [encode(message) for message in messages],
        BY_HAND: lambda: [by_hand(message) for message in messages],
        PLAIN: lambda: [plain(value) for value in shapes],
        COMPILED: lambda: [compiled(value) for value in shapes],
    }


def feed(workload: Workload, buffer: bytes) -> None:
    stream = workload.codec.stream()
    for start in range(0, len(buffer), CHUNK):
        stream.feed(buffer[start : start + CHUNK])
    stream.end()
