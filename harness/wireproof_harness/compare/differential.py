"""Asking several implementations the same questions, and making what differs small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import combinations, islice
from typing import Final

from wireproof_harness.compare.answers import Answer, outcome
from wireproof_harness.compare.camps import Camp, among, split
from wireproof_harness.compare.fields import field_at_fault
from wireproof_harness.compare.voices import Implementation, Voice
from wireproof_harness.questions import Generator, Question
from wireproof_harness.reference import answer
from wireproof_harness.shrink import smaller

BATCH: Final = 500
MADE_SMALL: Final = 40
"""Of so many kinds, the most frequent, the smallest question is looked for."""
ATTEMPTS: Final = 2000
ATTEMPTS_THAT_BREAK: Final = 60
"""Each costs a new process or more."""


@dataclass
class Pair:
    """How two implementations get on: questions that both answered, and on how many they differ."""

    compared: int = 0
    differing: int = 0


@dataclass
class Standing:
    """What one implementation was asked and not asked, and what it said."""

    asked: int = 0
    unsupported: int = 0
    not_asked: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    stopped: str = ""


@dataclass
class Difference:
    """One kind of difference: who says what, how often, and the smallest question that shows it."""

    kind: str
    field: str
    camps: tuple[Camp, ...]
    question: Question
    answers: dict[int, Answer]
    count: int = 1
    small: bool = False
    """Whether a smaller question was looked for."""

    @property
    def places(self) -> frozenset[int]:
        return frozenset(place for camp in self.camps for place in camp.members)


@dataclass
class Comparison:
    """What came of asking about one protocol."""

    protocol: str
    names: list[str]
    frames: int = 0
    questions: int = 0
    """Those that at least two were asked."""
    left_out: int = 0
    """Values of a wrong shape, which nobody was asked to write."""
    differing: int = 0
    seconds: float = 0
    pairs: dict[tuple[int, int], Pair] = field(default_factory=dict)
    standings: list[Standing] = field(default_factory=list)
    differences: list[Difference] = field(default_factory=list)


def compare(
    implementations: Sequence[Implementation],
    protocol: str,
    *,
    frames: int,
    seed: int,
    any_shape: bool = False,
    progress: Callable[[int], None] = lambda frames: None,
) -> Comparison:
    """Ask all about generated frames; keep the smallest question of each kind of difference.

    Values of a wrong shape are left out unless `any_shape`: the contract does not say what to answer.
    """
    voices = [Voice(found, protocol) for found in implementations]
    run = _Run(protocol, voices, any_shape)
    with ThreadPoolExecutor(len(voices)) as executor:
        questions = Generator(protocol, seed).questions(frames)
        while batch := list(islice(questions, BATCH)):
            run.result.frames += sum(question["op"] == "decode" for question in batch)
            asked = [question for question in batch if run.is_fair(question)]
            run.result.left_out += len(batch) - len(asked)
            for question, answers in answered(voices, asked, executor, run.result.standings):
                run.note(question, answers)
            progress(run.result.frames)
    return run.finish()


def answered(
    voices: Sequence[Voice], batch: list[Question], executor: ThreadPoolExecutor, standings: Sequence[Standing]
) -> Iterator[tuple[Question, dict[int, Answer]]]:
    """Each question with the answers of all that claim it, if those are at least two; asked in parallel."""
    plans = [_plan(voice, batch, standing) for voice, standing in zip(voices, standings, strict=True)]
    shared = {number for number, times in Counter(number for plan in plans for number in plan).items() if times > 1}
    asked = [[number for number in plan if number in shared] for plan in plans]
    later = [
        executor.submit(voice.ask, [batch[number] for number in numbers])
        for voice, numbers in zip(voices, asked, strict=True)
    ]
    given = [dict(zip(numbers, answers.result(), strict=True)) for numbers, answers in zip(asked, later, strict=True)]
    for number in sorted(shared):
        found = {place: answers[number] for place, answers in enumerate(given) if number in answers}
        yield batch[number], found


def _plan(voice: Voice, batch: list[Question], standing: Standing) -> list[int]:
    """Which questions of a batch a voice can be asked; the others are counted with the reason."""
    if voice.stopped:
        standing.stopped = voice.stopped
        standing.not_asked["stopped"] += len(batch)
        return []
    found = []
    for number, question in enumerate(batch):
        reason = voice.unclaimed(question)
        if reason:
            standing.not_asked[reason] += 1
        else:
            found.append(number)
    return found


class _Run:
    """The tally of a comparison while it goes on."""

    def __init__(self, protocol: str, voices: Sequence[Voice], any_shape: bool) -> None:
        self.voices = voices
        self.any_shape = any_shape
        self.loose = frozenset(place for place, voice in enumerate(voices) if not voice.map_order)
        self.result = Comparison(protocol, [voice.implementation.name for voice in voices])
        self.result.pairs = {pair: Pair() for pair in combinations(range(len(voices)), 2)}
        self.result.standings = [Standing() for _ in voices]
        self._found: dict[tuple[str, str, tuple[Camp, ...]], Difference] = {}

    def is_fair(self, question: Question) -> bool:
        return self.any_shape or question["op"] != "encode" or "error" not in answer(question)

    def note(self, question: Question, answers: dict[int, Answer]) -> None:
        counted = {place: given for place, given in answers.items() if self._counts(place, question, given)}
        if len(counted) < 2:
            return
        self.result.questions += 1
        found = split(question, counted, self.loose)
        for pair in combinations(counted, 2):
            self.result.pairs[pair].compared += 1
        if found is None:
            return
        self.result.differing += 1
        for pair in found.pairs:
            self.result.pairs[pair].differing += 1
        known = self._found.get(found.key)
        if known is None:
            self._found[found.key] = Difference(*found.key, question, counted)
            return
        known.count += 1
        if _length(question) < _length(known.question):  # a head start for making it small
            known.question, known.answers = question, counted

    def _counts(self, place: int, question: Question, given: Answer) -> bool:
        """Whether an answer says anything about bytes."""
        standing, word = self.result.standings[place], outcome(given)
        if word == "not-run":
            standing.stopped = self.voices[place].stopped
            standing.not_asked["stopped"] += 1
            return False
        standing.asked += 1
        standing.outcomes[f"{question['op']} {word}"] += 1
        standing.unsupported += word == "unsupported"
        return word != "unsupported"

    def finish(self) -> Comparison:
        found = sorted(_merged(list(self._found.values())), key=lambda one: (-one.count, one.kind, one.field))
        for one in found[:MADE_SMALL]:
            self._shrink(one)
        for one in found:
            one.field = one.field or field_at_fault(one.question, one.answers.values())
        self.result.differences = found
        return self.result

    def _shrink(self, found: Difference) -> None:
        """Replace the question by the smallest one found that is answered by the same camps in the same way."""
        broken = [place for place in found.places if "fault" in found.answers[place]]
        left = ATTEMPTS_THAT_BREAK if broken else ATTEMPTS
        # Whoever breaks down over the question is asked last, and only if all others answer as before.
        order = sorted(found.places, key=lambda place: (place in broken, place))

        def holds(question: Question) -> bool:
            nonlocal left
            left -= 1
            if left < 0 or not self.is_fair(question) or any(self.voices[place].unclaimed(question) for place in order):
                return False
            answers = self._answers(question, order, found.camps)
            seen = split(question, answers, self.loose) if answers else None
            if seen is None or seen.key != (found.kind, found.field, found.camps):
                return False
            found.question, found.answers = question, answers
            return True

        smaller(found.question, holds)
        if not found.question.get("profile", True):
            found.question = {key: value for key, value in found.question.items() if key != "profile"}
        found.small = True

    def _answers(self, question: Question, order: list[int], camps: tuple[Camp, ...]) -> dict[int, Answer]:
        """All answers, or none as soon as they cannot fall into these camps any more."""
        answers: dict[int, Answer] = {}
        for place in order:
            (answers[place],) = self.voices[place].once([question])
            seen = split(question, dict(sorted(answers.items())), self.loose)
            now = seen.camps if seen else (Camp(tuple(answers), ""),)
            if sorted(among(now, frozenset(answers))) != sorted(among(camps, frozenset(answers))):
                return {}
        return dict(sorted(answers.items()))


def _length(question: Question) -> int:
    """How much there is to read in a question."""
    content = question.get("hex", question.get("value", question.get("chunks")))
    return len(str(content)) + len(str(question.get("profile", "")))


def _merged(found: list[Difference]) -> list[Difference]:
    """A difference seen by fewer counts with the same one seen by more: the others do not claim the question."""
    kept: list[Difference] = []
    for one in sorted(found, key=lambda one: -len(one.places)):
        for wider in kept:
            same = (one.kind, one.field) == (wider.kind, wider.field)
            if same and among(wider.camps, one.places) == tuple(camp.members for camp in one.camps):
                wider.count += one.count
                break
        else:
            kept.append(one)
    return kept
