"""One difference between implementations, for people: who says what, the bytes, and how to see it again."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, Protocol

from wireproof import codec
from wireproof.annotate import annotate
from wireproof.verdict.compare import Comparison as Values
from wireproof_harness.cli.dump import Line, dump
from wireproof_harness.compare import Answer, Camp, Cell, Difference, Exchange
from wireproof_harness.compare.answers import body
from wireproof_harness.compare.exchange import decoding
from wireproof_harness.compare.voices import data_of
from wireproof_harness.questions import Question
from wireproof_harness.target import target
from wireproof_harness.terminal import Segment, clean, entry, json_line

LONGEST: Final = 600
"""Characters of what an implementation says; --json has all."""

MOST_APART: Final = 5
"""So many letters fit into the column of labels with blanks between them."""


class Named(Protocol):
    """An implementation as it is shown."""

    @property
    def letter(self) -> str: ...
    @property
    def text(self) -> str: ...


def kind(found: Difference, people: list[Any], width: int, also: list[Difference]) -> Iterator[Line]:
    """A kind of difference, with the smallest question that shows it, and the same kind of other operations."""
    for one in (found, *also):
        field = f"  in {one.field}" if one.field else ""
        yield [Segment(f"  {one.kind}", "fault"), Segment(field, "field"), Segment(f"  {_times(one.count)}", "label")]
    data = data_of(found.question)
    if data is not None:
        yield from _dump(found.question, data, width)
    yield from entry("question", _line(found.question), width)
    values = _values(found)
    for camp, value in zip(found.camps, values, strict=True):
        letters = ("" if len(camp.members) > MOST_APART else " ").join(people[place].letter for place in camp.members)
        words = said(found.answers[camp.members[0]]) + value
        yield from entry(letters, _cut(words), width, "value")
    for camp in found.camps:
        yield _again(found.question, people[camp.members[0]])


def misreadings(found: Exchange, people: list[Any], width: int) -> Iterator[Line]:
    """What was not understood: one example for all writers whose bytes are misread in the same way."""
    alike: dict[str, list[tuple[int, int]]] = {}
    for (writer, reader), cell in found.cells.items():
        if cell.example is not None:
            alike.setdefault(_line([reader, cell.example.hex, cell.example.answer]), []).append((writer, reader))
    for pairs in alike.values():
        writers, reader = [people[writer] for writer, _ in pairs], people[pairs[0][1]]
        cells = [found.cells[pair] for pair in pairs]
        yield from _misreading(cells, writers, reader, width)


def _misreading(cells: list[Cell], writers: list[Named], reader: Named, width: int) -> Iterator[Line]:
    found = cells[0].example
    assert found is not None
    names = ", ".join(writer.letter for writer in writers)
    yield from _head(f"{reader.letter} does not understand {names}: {found.reason}", cells)
    yield from entry("value", _line(found.question["value"]), width)
    question = decoding(found.question, found.hex)
    yield from _dump(question, bytes.fromhex(found.hex), width)
    words = said(found.answer)
    if "ok" in found.answer:
        words += f": {_line(found.answer['ok']['messages'])}"
    yield from entry(f"{reader.letter} reads", _cut(words), width, "value")
    yield _again(found.question, writers[0])
    yield _again(question, reader)


def not_written(cell: Cell, writer: Named, width: int) -> Iterator[Line]:
    """A value that was not written."""
    found = cell.example
    if found is None:
        return
    yield from _head(f"{writer.letter} does not write: {found.reason}", [cell])
    yield from entry("value", _line(found.question["value"]), width)
    yield from entry(writer.letter, _cut(said(found.answer)), width, "value")
    yield _again(found.question, writer)


def _head(title: str, cells: list[Cell]) -> Iterator[Line]:
    yield []
    reasons = sum((cell.reasons for cell in cells), Counter[str]())
    listed = ", ".join(f"{reason} {count:,}" for reason, count in reasons.most_common(3))
    more = f"  {_times(reasons.total())}" + (f" ({listed})" if len(reasons) > 1 else "")
    yield [Segment(f"  {title}", "fault"), Segment(more, "label")]


def _cut(words: str) -> str:
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}..."


def _times(count: int) -> str:
    return "once" if count == 1 else f"{count:,} times"


def said(given: Answer) -> str:
    """An answer in words."""
    content = body(given)
    if "fault" in given:
        return f"{content['status']}: {content['detail']}"
    if "error" in given:
        return f"error: {content.get('message')}"
    if "hex" in content:
        return f"ok {content['hex']}"
    count = len(content.get("messages", []))
    messages = "1 message" if count == 1 else f"{count} messages"
    after = f" after chunks {content['after']}" if content.get("after") else ""
    if "reject" in given:
        place = f" at byte {content['offset']}" if "offset" in content else ""
        return f"{content.get('error', 'rejected')}{place}" + (f", {messages} before{after}" if count else "")
    return f"{next(key for key in given if key != 'id')}, {messages}{after}, {content.get('consumed')} bytes"


def _values(found: Difference) -> list[str]:
    """What each camp has at the first place where messages differ from those of the first camp."""
    messages = [body(found.answers[camp.members[0]]).get("messages") for camp in found.camps]
    places = [Values().first(messages[0], other) if isinstance(other, list) else None for other in messages]
    words = [f"; {place.path} is {place.given}" if place and _same(found.camps) else "" for place in places]
    first = next((place for place in places if place), None)
    if first and _same(found.camps):
        words[0] = f"; {first.path} is {first.expected}"
    return words


def _same(camps: tuple[Camp, ...]) -> bool:
    return len({camp.says for camp in camps}) < len(camps)


def _dump(question: Question, data: bytes, width: int) -> Iterator[Line]:
    found = codec(question["protocol"], direction=question.get("direction"), profile=question.get("profile") or None)
    yield from dump(data, annotate(found, found.trace(data)), width)


def _again(question: Question, person: Named) -> Line:
    return [Segment(f"  again {person.letter}: echo {shlex.quote(_line(question))} | {_asked(person.text)}", "label")]


def _asked(text: str) -> str:
    """What answers a line on its standard input, as a shell has it."""
    found = target((text,))
    manifest = found.manifest
    if found.is_reference:
        return f"{shlex.quote(sys.executable)} -m wireproof_harness.reference"
    if manifest.connect.startswith("tcp://"):
        host, _, port = manifest.connect.removeprefix("tcp://").rpartition(":")
        return f"nc {shlex.quote(host)} {shlex.quote(port)}"
    if manifest.connect:
        return f"nc -U {shlex.quote(manifest.connect.removeprefix('unix://'))}"
    command = clean(shlex.join(manifest.command))
    return f"(cd {shlex.quote(str(found.folder))} && {command})" if found.folder else command


def _line(value: Any) -> str:
    return json_line(value, "ascii")
