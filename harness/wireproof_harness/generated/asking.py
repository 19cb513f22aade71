"""Asking the reference and an implementation the same, and making a disagreement small."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from wireproof_harness.claims import Claims
from wireproof_harness.generated.comparison import Answer, Finding, Question, difference, rules_of
from wireproof_harness.generated.edits import candidates
from wireproof_harness.peer import Peer
from wireproof_harness.reference import answer
from wireproof_harness.shrink import Budget, smallest

USUAL: Final = Budget(attempts=6000, batch=64, seconds=10)
BREAKING: Final = Budget(attempts=150, batch=1, seconds=5)
"""For what ends the implementation: each time it has to be started anew."""
SILENT: Final = Budget(attempts=3, batch=1, seconds=10)
"""For what is not answered in time, or not always."""


class Exchange(NamedTuple):
    """A question, both answers, and what they differ in."""

    question: Question
    right: Answer
    given: Answer
    finding: Finding

    @property
    def status(self) -> str:
        """What came instead of an answer; empty if one came."""
        return str(self.given["fault"]["status"]) if "fault" in self.given else ""


def askable(right: Answer) -> bool:
    """Whether the contract allows a question: it promises that values have a right shape."""
    return "error" not in right and "unsupported" not in right


def exchange(peer: Peer, questions: Sequence[Question]) -> list[Exchange]:
    """The exchanges, in the order of the questions."""
    return compared([(each, answer(each)) for each in questions], peer.ask(questions), peer.claims)


def compared(asked: Sequence[tuple[Question, Answer]], given: Sequence[Answer], claims: Claims) -> list[Exchange]:
    return [
        Exchange(question, right, said, difference(question, right, said, rules_of(claims, question["protocol"])))
        for (question, right), said in zip(asked, given, strict=True)
    ]


def shrunk(found: Exchange, peer: Peer) -> Exchange:
    """The exchange about the smallest question found with the same kind of disagreement."""
    best: dict[str, Exchange] = {}

    def hold(some: Sequence[Question]) -> list[bool]:
        asked = [(each, right) for each in some if askable(right := answer(each))]
        given = peer.ask([each for each, _ in asked])
        same = {id(new.question): new for new in compared(asked, given, peer.claims) if _same(new, found)}
        best.update({_key(new.question): new for new in same.values()})
        return [id(each) in same for each in some]

    question = smallest(found.question, hold, candidates, _budget(found))
    return best.get(_key(question), found)


def _same(new: Exchange, found: Exchange) -> bool:
    return new.finding.kind == found.finding.kind


def _budget(found: Exchange) -> Budget:
    if not found.status:
        return USUAL
    return SILENT if found.status in ("timeout", "flaky") else BREAKING


def _key(question: Question) -> str:
    return repr(sorted(question.items(), key=lambda item: item[0]))


def without_id(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key != "id"}
