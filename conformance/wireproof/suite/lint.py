"""Proving vectors: what the loader cannot see because it takes the codec, or the other vectors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from wireproof.suite.model import Suite, Vector
from wireproof.suite.problems import Problem
from wireproof.suite.proof import Finding, answers, canonical_form, one_defect, refusal
from wireproof.suite.rules import UNFINISHED, citations, comments, finished, level

RULES: Final[tuple[Callable[[Vector, Suite], Iterator[Finding]], ...]] = (
    citations,
    level,
    comments,
    finished,
    answers,
    canonical_form,
    refusal,
    one_defect,
)


def lint(suite: Suite, only: Callable[[Vector], bool] = lambda _: True) -> list[Problem]:
    """What is wrong with the vectors that `only` selects."""
    problems = [
        Problem(
            vector.file, vector.line_of(finding.key) + finding.below, f"{vector.id}: {finding.problem}", finding.advice
        )
        for vector in suite.vectors
        if only(vector)
        for rule in RULES
        for finding in rule(vector, suite)
    ]
    problems += _repeated(suite.vectors, "why", lambda vector: vector.why.casefold().strip("."), only)
    problems += _repeated(suite.vectors, "title", _title_in_protocol, only)
    return sorted(problems)


def _title_in_protocol(vector: Vector) -> str:
    return f"{vector.protocol} {vector.title.casefold()}"


def _repeated(
    vectors: Iterable[Vector], key: str, words: Callable[[Vector], str], only: Callable[[Vector], bool]
) -> Iterator[Problem]:
    """Vectors that say about themselves what another one says."""
    first: dict[str, Vector] = {}
    for vector in vectors:
        other = first.setdefault(" ".join(words(vector).split()), vector)
        if other is not vector and getattr(vector, key) != UNFINISHED and (only(vector) or only(other)):
            problem = f"{vector.id}: the same {key} as {other.id} ({other.file}:{other.line_of(key)})"
            yield Problem(vector.file, vector.line_of(key), problem, "Say what only this vector shows")
