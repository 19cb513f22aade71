"""Asking two implementations the same questions, and making what differs small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Protocol

from wireproof import __version__
from wireproof_harness.peer import peer
from wireproof_harness.questions import Generator, Question
from wireproof_harness.reference import CONTRACT, OPERATIONS, answer
from wireproof_harness.shrink import smaller

Answer = dict[str, Any]
BATCH = 2000


class Implementation(Protocol):
    """Something that answers questions."""

    name: str

    def ask(self, requests: Sequence[Question]) -> list[Answer]: ...
    def close(self) -> None: ...


class Reference:
    """The bundled reference, in process."""

    name = "reference"

    def ask(self, requests: Sequence[Question]) -> list[Answer]:
        return [answer(request) for request in requests]

    def close(self) -> None:
        pass


def implementation(text: str) -> Implementation:
    """`reference`, or whatever else `wireproof check` can reach."""
    return Reference() if text == "reference" else peer(text)


def operations(implementation: Implementation, protocol: str) -> frozenset[str]:
    """What an implementation says it can do; everything, if it does not say."""
    (said,) = implementation.ask([{"id": 0, "op": "hello", "contracts": [CONTRACT], "suite": __version__}])
    claims = said.get("ok")
    protocols = claims.get("protocols") if isinstance(claims, dict) else None
    if not isinstance(protocols, dict):
        return frozenset(OPERATIONS)
    claimed = protocols.get(protocol)
    listed = claimed.get("operations", ()) if isinstance(claimed, dict) else ()
    return frozenset(OPERATIONS) & frozenset(map(str, listed))


def kind_of_difference(question: Question, a: Answer, b: Answer) -> str:
    """What two answers to a question differ in; empty if they agree."""
    first, second = _outcome(a), _outcome(b)
    operation = question["op"]
    if "unsupported" in (first, second):
        return ""  # counted apart: it says nothing about bytes
    if first != second:
        return f"{operation}: {first} / {second}"
    if first in ("error", "no answer"):
        return ""  # the texts are for people
    (body_a,), (body_b,) = ([answer[key] for key in answer if key != "id"] for answer in (a, b))
    for key in sorted((body_a.keys() | body_b.keys()) - {"detail"}):
        if key == "offset" and not (key in body_a and key in body_b):
            continue  # an adapter may leave it out
        if body_a.get(key) != body_b.get(key):
            return f"{operation}: {first}, {key}"
    return ""


def _outcome(given: Answer) -> str:
    if "reject" in given:
        return str(given["reject"].get("error"))
    if "fault" in given:
        return str(given["fault"]["status"])
    return next((key for key in ("ok", "incomplete", "unsupported", "error") if key in given), "no answer")


@dataclass
class Difference:
    """One kind of difference: how often, and the smallest question that shows it."""

    kind: str
    question: Question
    answers: tuple[Answer, Answer]
    count: int = 1


@dataclass
class Comparison:
    """What came of asking about one protocol."""

    protocol: str
    frames: int = 0
    questions: int = 0
    seconds: float = 0
    unsupported: int = 0
    not_asked: list[str] = field(default_factory=list)
    """Operations that one of the two does not claim."""
    outcomes: Counter[str] = field(default_factory=Counter)
    differences: dict[str, Difference] = field(default_factory=dict)

    @property
    def differing(self) -> int:
        return sum(difference.count for difference in self.differences.values())


def compare(
    a: Implementation,
    b: Implementation,
    protocol: str,
    *,
    frames: int,
    seed: int,
    progress: Callable[[int], None] = lambda frames: None,
) -> Comparison:
    """Ask both about generated frames; keep the first of each kind of difference, made small."""
    claimed = operations(a, protocol) & operations(b, protocol)
    result = Comparison(protocol, not_asked=sorted(frozenset(OPERATIONS) - claimed))
    generator = Generator(protocol, seed)
    with ThreadPoolExecutor(1) as executor:
        for batch in _batches(generator, frames, result, progress, claimed):
            later = executor.submit(b.ask, batch)
            first = a.ask(batch)
            for question, answer_a, answer_b in zip(batch, first, later.result(), strict=True):
                _note(result, question, answer_a, answer_b)
    for difference in result.differences.values():
        _shrink(difference, a, b)
    return result


def _batches(
    generator: Generator,
    frames: int,
    result: Comparison,
    progress: Callable[[int], None],
    claimed: frozenset[str],
) -> Iterator[list[Question]]:
    questions = generator.questions(frames)
    while batch := list(islice(questions, BATCH)):
        result.frames += sum(question["op"] == "decode" for question in batch)
        asked = [question for question in batch if question["op"] in claimed]
        result.questions += len(asked)
        if asked:
            yield asked
        progress(result.frames)


def _note(result: Comparison, question: Question, answer_a: Answer, answer_b: Answer) -> None:
    result.outcomes[f"{question['op']} {_outcome(answer_a)}"] += 1
    result.unsupported += "unsupported" in (_outcome(answer_a), _outcome(answer_b))
    kind = kind_of_difference(question, answer_a, answer_b)
    if not kind:
        return
    known = result.differences.get(kind)
    if known is None:
        result.differences[kind] = Difference(kind, question, (answer_a, answer_b))
    else:
        known.count += 1


def _shrink(difference: Difference, a: Implementation, b: Implementation) -> None:
    """Replace the question by the smallest one found with the same kind of difference."""

    def differs(question: Question) -> bool:
        answers = a.ask([question])[0], b.ask([question])[0]
        if kind_of_difference(question, *answers) != difference.kind:
            return False
        difference.question, difference.answers = question, answers
        return True

    smaller(difference.question, differs)
