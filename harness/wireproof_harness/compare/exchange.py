"""The exchange: what one implementation writes, another reads, and must deliver the value that went in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import chain, islice, permutations, zip_longest
from typing import Any, Final

from wireproof import BadValue, Refused, codec
from wireproof.generate import boundaries, message
from wireproof.verdict.compare import Comparison as Values
from wireproof_harness.compare.answers import UNSTATED, Answer, outcome, without_indexes
from wireproof_harness.compare.voices import Implementation, Voice
from wireproof_harness.questions import Generator, Question
from wireproof_harness.shrink import smaller

BATCH: Final = 500
ATTEMPTS: Final = 1000
ATTEMPTS_THAT_BREAK: Final = 40
BREAKDOWNS: Final = ("crash", "timeout", "contract-error", "flaky")
NOT_COUNTED: Final = ("unsupported", "not-run")


@dataclass
class Counterexample:
    """A value that was not understood, or not written, and what came instead."""

    reason: str
    question: Question
    hex: str
    """What the writer made of the value; empty if nothing."""
    answer: Answer


@dataclass
class Cell:
    """What one wrote and another read."""

    read: int = 0
    understood: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    example: Counterexample | None = None


@dataclass
class Exchange:
    """What came of an exchange about one protocol."""

    protocol: str
    values: int = 0
    written: list[Cell] = field(default_factory=list)
    """For each writer, the values it was asked to write and those that it wrote."""
    cells: dict[tuple[int, int], Cell] = field(default_factory=dict)
    """For each writer and reader."""
    stopped: dict[int, str] = field(default_factory=dict)
    """Who was asked no more, and why."""
    seconds: float = 0

    @property
    def failures(self) -> int:
        return sum(cell.read - cell.understood for cell in [*self.written, *self.cells.values()])


def samples(protocol: str, seed: int, values: int) -> Iterator[Question]:
    """Values to be written: boundaries under `standard` in turn with random ones under all profiles."""
    generator = Generator(protocol, seed)
    found = chain.from_iterable(zip_longest(_boundaries(generator), islice(_values(generator), values)))
    for number, (common, value) in enumerate(islice(filter(None, found), values), 1):
        yield {"id": number, "protocol": protocol, "op": "encode", **common, "value": value}


def _boundaries(generator: Generator) -> list[tuple[Question, Any]]:
    """Every edge of every field, in any order: a few of them are to be of many messages."""
    found = [
        (_common(direction, {}), codec(generator.name, direction=direction).value(made))
        for direction in generator.directions
        for made in boundaries(codec(generator.name, direction=direction), long=False)
    ]
    generator.random.shuffle(found)
    return found


def _values(generator: Generator) -> Iterator[tuple[Question, Any]]:
    random = generator.random
    while True:
        profile = {} if random.random() < 0.5 else random.choice(generator.profiles)
        direction = random.choice(generator.directions)
        found = codec(generator.name, direction=direction, profile=profile)
        made = message(found, generator.draw)
        try:
            found.encode(made)
        except Refused:  # beyond one of the small limits: no value to be written
            continue
        yield _common(direction, profile), found.value(made)


def _common(direction: str | None, profile: dict[str, Any]) -> Question:
    return {**({"profile": profile} if profile else {}), **({"direction": direction} if direction else {})}


def exchange(
    implementations: Sequence[Implementation],
    protocol: str,
    *,
    values: int,
    seed: int,
    progress: Callable[[int], None] = lambda values: None,
) -> Exchange:
    """Let each write sample values and all others read them; keep the smallest counterexample of each pair."""
    voices = [Voice(found, protocol) for found in implementations]
    run = _Run(protocol, voices)
    questions = samples(protocol, seed, values)
    with ThreadPoolExecutor(len(voices)) as executor:
        while batch := list(islice(questions, BATCH)):
            run.batch(batch, executor)
            progress(run.result.values)
    return run.finish()


class _Run:
    """The tally of an exchange while it goes on."""

    def __init__(self, protocol: str, voices: Sequence[Voice]) -> None:
        self.voices = voices
        self.places = range(len(voices))
        self.result = Exchange(protocol, written=[Cell() for _ in voices])
        self.result.cells = {pair: Cell() for pair in permutations(self.places, 2)}

    def batch(self, batch: list[Question], executor: ThreadPoolExecutor) -> None:
        self.result.values += len(batch)
        writing = list(executor.map(self._ask, self.places, [dict(enumerate(batch))] * len(self.voices)))
        written = [self._written(writer, batch, answers) for writer, answers in enumerate(writing)]
        asked = [self._asked(reader, batch, written) for reader in self.places]
        reading = list(executor.map(self._ask, self.places, asked))
        wanted = [delivered(question) for question in batch]
        for (writer, reader), cell in self.result.cells.items():
            map_order = self.voices[reader].map_order
            for number, text in written[writer].items():
                given = reading[reader].get((number, text))
                if given is not None:
                    reason = misread(wanted[number], text, given, map_order=map_order)
                    _note(cell, reason, batch[number], text, given)

    def _ask(self, place: int, questions: dict[Any, Question]) -> dict[Any, Answer]:
        """The answers to all questions that a voice claims."""
        voice = self.voices[place]
        if voice.stopped:
            return {}
        claimed = {key: question for key, question in questions.items() if not voice.unclaimed(question)}
        answers = dict(zip(claimed, voice.ask(list(claimed.values())), strict=True))
        return {key: given for key, given in answers.items() if outcome(given) not in NOT_COUNTED}

    def _written(self, writer: int, batch: list[Question], answers: dict[int, Answer]) -> dict[int, str]:
        """What a writer made of each value."""
        found: dict[int, str] = {}
        for number, given in answers.items():
            reason = "" if "ok" in given else _said(given)
            _note(self.result.written[writer], reason, batch[number], "", given)
            if not reason:
                found[number] = given["ok"]["hex"]
        return found

    def _asked(
        self, reader: int, batch: list[Question], written: list[dict[int, str]]
    ) -> dict[tuple[int, str], Question]:
        """What a reader is asked: what others wrote, and what several wrote alike only once."""
        return {
            (number, text): decoding(batch[number], text)
            for writer, texts in enumerate(written)
            if writer != reader
            for number, text in texts.items()
        }

    def finish(self) -> Exchange:
        self.result.stopped = {place: voice.stopped for place, voice in enumerate(self.voices) if voice.stopped}
        for (writer, reader), cell in self.result.cells.items():
            self._shrink(cell, writer, reader)
        for writer, cell in enumerate(self.result.written):
            self._shrink(cell, writer, None)
        return self.result

    def _shrink(self, cell: Cell, writer: int, reader: int | None) -> None:
        found = cell.example
        if found is None:
            return
        left = ATTEMPTS_THAT_BREAK if found.reason in BREAKDOWNS else ATTEMPTS

        def holds(question: Question) -> bool:
            nonlocal left
            left -= 1
            seen = self._once(question, writer, reader) if left >= 0 else None
            if seen is None or seen.reason != found.reason:
                return False
            cell.example = seen
            return True

        smaller(found.question, holds)

    def _once(self, question: Question, writer: int, reader: int | None) -> Counterexample | None:
        """One value through a pair; None if it is understood, or not for them."""
        wanted = delivered(question)
        given = self._single(writer, question) if wanted is not None else None
        if given is None:
            return None
        if reader is None:
            return None if "ok" in given else Counterexample(_said(given), question, "", given)
        if "ok" not in given:
            return None
        text = given["ok"]["hex"]
        given = self._single(reader, decoding(question, text))
        if given is None:
            return None
        reason = misread(wanted, text, given, map_order=self.voices[reader].map_order)
        return Counterexample(reason, question, text, given) if reason else None

    def _single(self, place: int, question: Question) -> Answer | None:
        voice = self.voices[place]
        return None if voice.unclaimed(question) else voice.once([question])[0]


def _note(cell: Cell, reason: str, question: Question, text: str, given: Answer) -> None:
    cell.read += 1
    cell.understood += not reason
    if reason:
        cell.reasons[reason] += 1
        if cell.example is None:
            cell.example = Counterexample(reason, question, text, given)


def decoding(question: Question, text: str) -> Question:
    """The question what somebody reads in what was written for a value."""
    kept = {key: item for key, item in question.items() if key != "value"}
    return {**kept, "op": "decode", "hex": text}


def misread(value: Any, text: str, given: Answer, *, map_order: bool = True) -> str:
    """Why an answer does not deliver the value that went in, in a word; empty if it does."""
    if "ok" not in given:
        return _said(given)
    content = given["ok"]
    place = Values(map_order=map_order).first([value], content["messages"])
    if place is not None:
        return f"another {without_indexes(place.path) or 'number of messages'}"
    return "" if content["consumed"] == len(text) // 2 else "another consumed"


def _said(given: Answer) -> str:
    return UNSTATED if "reject" in given and "error" not in given["reject"] else outcome(given)


def delivered(question: Question) -> Any:
    """What a reader has to deliver for a value: the same with what is computed on the way, such as a checksum.

    None if it is no value that has to be written.
    """
    found = codec(question["protocol"], direction=question.get("direction"), profile=question.get("profile"))
    try:
        made = found.message(question["value"])
        data = found.encode(made)
    except (BadValue, Refused):
        return None
    messages = [found.value(one) for one in found.decode(data).messages]
    return messages[0] if len(messages) == 1 else None
