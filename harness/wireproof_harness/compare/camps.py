"""Who says what: the answers to one question, grouped into camps."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Final, NamedTuple

from wireproof_harness.compare.answers import UNSTATED, Answer, Found, difference, outcome
from wireproof_harness.questions import Question

ANSWER: Final = "answer"
"""What the others say of whom only one breaks down."""


class Camp(NamedTuple):
    """Implementations that say the same, by their places, and what it is in a word."""

    members: tuple[int, ...]
    says: str


class Split(NamedTuple):
    """How the answers to a question fall apart: who differs from whom, in what, and in which field."""

    kind: str
    field: str
    camps: tuple[Camp, ...]
    pairs: frozenset[tuple[int, int]]

    @property
    def key(self) -> tuple[str, str, tuple[Camp, ...]]:
        return self.kind, self.field, self.camps


def split(question: Question, answers: Mapping[int, Answer], loose: frozenset[int] = frozenset()) -> Split | None:
    """How answers differ; None if all agree. `loose` are those who do not keep the order of maps."""
    first, *others = answers.values()
    if "fault" not in first and all(other == first for other in others):
        return None
    found: dict[tuple[int, int], Found] = {}
    for a, b in combinations(answers, 2):
        seen = difference(question, answers[a], answers[b], map_order=not loose & {a, b})
        if seen is not None:
            found[a, b] = seen
    if not found:
        return None
    camps = _unless_broken(_camps(answers, found), answers)
    field = next((seen.field for seen in found.values() if seen.field), "")
    return Split(_kind(question, camps, found), field, camps, frozenset(found))


def _camps(answers: Mapping[int, Answer], found: Mapping[tuple[int, int], Found]) -> tuple[Camp, ...]:
    """Each joins the first camp in which it agrees with everybody; those that break down camp together."""
    camps: list[list[int]] = []
    for place, given in answers.items():
        for camp in camps:
            together = "fault" in given and outcome(given) == outcome(answers[camp[0]])
            if together or not any((other, place) in found for other in camp):
                camp.append(place)
                break
        else:
            camps.append([place])
    return tuple(Camp(tuple(camp), _says(answers[camp[0]])) for camp in camps)


def _unless_broken(camps: tuple[Camp, ...], answers: Mapping[int, Answer]) -> tuple[Camp, ...]:
    """Where somebody breaks down and all others agree, it does not matter in what: the kind is the breakdown."""
    healthy = [camp for camp in camps if "fault" not in answers[camp.members[0]]]
    if len(healthy) != 1 or len(camps) == 1:
        return camps
    return tuple(camp._replace(says=ANSWER) if camp is healthy[0] else camp for camp in camps)


def _says(given: Answer) -> str:
    return UNSTATED if "reject" in given and "error" not in given["reject"] else outcome(given)


def _kind(question: Question, camps: tuple[Camp, ...], found: Mapping[tuple[int, int], Found]) -> str:
    words = [camp.says for camp in camps]
    if ANSWER in words or (len(camps) > 2 and len(set(words)) > 1):
        return f"{question['op']}: {' / '.join(words)}"
    return next(iter(found.values())).kind


def among(camps: tuple[Camp, ...], places: frozenset[int]) -> tuple[tuple[int, ...], ...]:
    """The members of camps as far as they are among these places."""
    kept = [tuple(place for place in camp.members if place in places) for camp in camps]
    return tuple(members for members in kept if members)
