"""Making a question smaller while something about its answers stays true."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

Question = dict[str, Any]
ATTEMPTS = 4000
NEAR = 12
"""A length stands in a head, or so few bytes before what it counts."""


class _Spent(Exception):
    """Enough has been tried."""


def smaller(question: Question, holds: Callable[[Question], bool]) -> Question:
    """The smallest question found for which `holds` is true, starting from one for which it is."""
    left = ATTEMPTS

    def check(candidate: Question) -> bool:
        nonlocal left
        left -= 1
        if left < 0:
            raise _Spent
        return holds(candidate)

    try:
        progress = True
        while progress:
            progress = False
            for candidate in _candidates(question):
                if check(candidate):
                    question, progress = candidate, True
                    break
    except _Spent:
        pass
    return question


def _candidates(question: Question) -> Iterator[Question]:
    """Simpler questions, the boldest steps first."""
    for name in question.get("profile", {}):
        rest = {key: value for key, value in question["profile"].items() if key != name}
        yield {**question, "profile": rest}
    if "eof" in question:
        yield {key: value for key, value in question.items() if key != "eof"}
    if "chunks" in question:
        yield from _with_chunks(question)
    if "hex" in question:
        for data in shorter(bytes.fromhex(question["hex"])):
            yield {**question, "hex": data.hex()}
    if "value" in question:
        for value in simpler(question["value"]):
            yield {**question, "value": value}


def _with_chunks(question: Question) -> Iterator[Question]:
    chunks = question["chunks"]
    if len(chunks) > 1:
        yield {**question, "chunks": ["".join(chunks)]}
        for index in range(len(chunks) - 1):
            joined = [*chunks[:index], chunks[index] + chunks[index + 1], *chunks[index + 2 :]]
            yield {**question, "chunks": joined}
    for index, chunk in enumerate(chunks):
        for data in shorter(bytes.fromhex(chunk)):
            yield {**question, "chunks": [*chunks[:index], data.hex(), *chunks[index + 1 :]]}


def shorter(data: bytes) -> Iterator[bytes]:
    """Pieces cut out, the largest first; then the same with one byte of a length before it lowered; then zeros."""
    size = len(data) // 2
    while size:
        for start in range(0, len(data) - size + 1, size):
            cut = data[:start] + data[start + size :]
            yield cut
            for place in sorted({*range(min(start, NEAR)), *range(max(0, start - NEAR), start)}):
                for unit in (size, 2 * size):  # zigzag lengths count double
                    if cut[place] >= unit:
                        yield cut[:place] + bytes([cut[place] - unit]) + cut[place + 1 :]
        size //= 2
    for index, byte in enumerate(data):
        for plain in (0, byte & 0x7F, byte // 2):
            if plain < byte:
                yield data[:index] + bytes([plain]) + data[index + 1 :]


def simpler(value: Any) -> Iterator[Any]:
    """Values with a part left out, shortened or made plain."""
    if isinstance(value, dict):
        for key, item in value.items():
            for plain in simpler(item):
                yield {**value, key: plain}
    elif isinstance(value, list):
        if len(value) > 3:
            yield value[: len(value) // 2]
            yield value[len(value) // 2 :]
        for index in range(len(value)):
            yield value[:index] + value[index + 1 :]
        for index, item in enumerate(value):
            for plain in simpler(item):
                yield [*value[:index], plain, *value[index + 1 :]]
    elif isinstance(value, str) and value:
        yield ""
        yield value[: len(value) // 4 * 2]
        yield value[:-1]
        yield value[:-2]
    elif isinstance(value, int) and not isinstance(value, bool) and value:
        yield 0
        yield value // 2
