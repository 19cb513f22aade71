"""Making a question smaller while something about its answers stays true."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

Question = dict[str, Any]
Candidates = Callable[[Question], Iterable[Question]]
Hold = Callable[[Sequence[Question]], Sequence[bool]]
"""For each of some questions, whether it shows the same."""

NEAR: Final = 12
"""A length stands in a head, or so few bytes before what it counts."""
TYPES: Final = ("dir", "type", "cmd", "t", "name", "magic", "version")
"""Keys that say what else there is: with another value it would be another message."""
DECIMAL: Final = re.compile(r"-?[0-9]{1,24}")
LARGE_BATCH: Final = 1 << 18
"""Characters of questions that are asked at a time."""


class Budget(NamedTuple):
    """How much may be tried."""

    attempts: int = 4000
    batch: int = 1
    """So many candidates are asked at a time: an implementation answers many almost as fast as one."""
    seconds: float = 60.0


def smaller(question: Question, holds: Callable[[Question], bool]) -> Question:
    """The smallest question found for which `holds` is true, asked one by one."""
    return smallest(question, lambda some: [holds(each) for each in some], simpler_questions, Budget())


def smallest(question: Question, hold: Hold, candidates: Candidates, budget: Budget) -> Question:
    """The smallest question found that holds, starting from one that does; of a batch the smallest is taken."""
    end = time.monotonic() + budget.seconds
    left = budget.attempts
    tried: set[str] = set()
    progress = True
    while progress:
        progress = False
        size = max(1, min(budget.batch, LARGE_BATCH // (1 + len(_text(question)))))
        fresh = _fresh(candidates(question), weight(question), tried)
        while not progress and (some := list(islice(fresh, min(size, left)))):
            left -= len(some)
            held = [each for each, holds in zip(some, hold(some), strict=True) if holds]
            if held:
                question, progress = min(held, key=weight), True
            if time.monotonic() > end:
                return question
    return question


def _fresh(candidates: Iterable[Question], limit: tuple[Any, ...], tried: set[str]) -> Iterator[Question]:
    """Those that are simpler indeed, and have not been tried yet."""
    for candidate in candidates:
        text = _text(candidate)
        if text not in tried and weight(candidate) < limit:
            tried.add(text)
            yield candidate


def weight(question: Question) -> tuple[Any, ...]:
    """What makes a question harder to understand: bytes first, then pieces, then what the bytes are."""
    content = question.get("hex", "".join(question.get("chunks", ())))
    value = json.dumps(question["value"]).replace("false", "0") if "value" in question else ""
    pieces = question.get("chunks", ())
    several = (len(question.get("profile", ())), len(content) + len(value), len(pieces), "eof" in question)
    return (*several, content + value, [-len(piece) for piece in pieces])


def _text(question: Question) -> str:
    return json.dumps(question)


def simpler_questions(question: Question) -> Iterator[Question]:
    """Simpler questions, the boldest steps first; no codec is needed for them."""
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
    yield from plainer(data)


def plainer(data: bytes) -> Iterator[bytes]:
    """As many bytes, one of them smaller."""
    for index, byte in enumerate(data):
        for plain in (0, byte & 0x7F, byte // 2, byte - 1):
            if 0 <= plain < byte:
                yield data[:index] + bytes([plain]) + data[index + 1 :]


def simpler(value: Any) -> Iterator[Any]:
    """Values with a part left out, shortened or made plain."""
    if isinstance(value, dict | list) and value:
        yield emptied(value, 0)
        yield emptied(value, 1)
    if isinstance(value, dict):
        for key in value:
            yield {name: item for name, item in value.items() if name != key}
        for key, item in value.items():
            for plain in simpler(item):
                yield {**value, key: plain}
    elif isinstance(value, list):
        yield from _without_some(value)
        for index, item in enumerate(value):
            for plain in simpler(item):
                yield [*value[:index], plain, *value[index + 1 :]]
    elif isinstance(value, str) and value:
        yield from _simpler_text(value)
    elif value is True:
        yield False
    elif isinstance(value, int) and value:
        yield from _simpler_number(value)


def emptied(value: Any, letters: int) -> Any:
    """The same structure with nothing in it: zeros, and texts of so many letters."""
    if isinstance(value, dict):
        return {key: item if key in TYPES else emptied(item, letters) for key, item in value.items()}
    if isinstance(value, list):
        return [emptied(item, letters) for item in value]
    if isinstance(value, str):
        return "0" if DECIMAL.fullmatch(value) else value[:letters]
    return type(value)(0) if isinstance(value, int) else value  # False is a number too


def _without_some(value: list[Any]) -> Iterator[list[Any]]:
    size = len(value)
    while size:
        for start in range(0, len(value), size):
            yield value[:start] + value[start + size :]
        size //= 2


def _simpler_text(text: str) -> Iterator[str]:
    """Shorter, from the end; then plain letters. Hex loses an even number of digits among others."""
    if DECIMAL.fullmatch(text):
        yield from map(str, _simpler_number(int(text)))
    size = len(text)
    while size:
        yield text[: len(text) - size]
        if size > 1 and size % 2:
            yield text[: len(text) - size - 1]
        yield text[:1] + text[1 + size :]  # the first letter may be what a rule is about
        size //= 2
    yield text[:-2]
    for letter in "0a":
        yield letter * len(text)
        yield text[:1] + letter * (len(text) - 1)
    for index, letter in enumerate(text[:64]):
        if letter not in "0a":
            yield text[:index] + "a" + text[index + 1 :]


def _simpler_number(number: int) -> Iterator[int]:
    yield 0
    if number < 0:
        yield -number
    if abs(number) > 1:
        yield number // abs(number)
        yield int(number / 2) if abs(number) < 1 << 50 else number // 2
        yield number - number // abs(number)
