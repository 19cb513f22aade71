"""Counts by key: the one operation all figures of a report come from.

A question has one status and is counted once under each key it has, so every figure is a
plain group-by over (question, key). `Counted` is what a list of verdicts or a table of them
has to be brought to; from there on a report is computed in one way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import msgspec

from wireproof.verdict.statuses import EXECUTED, STATUSES
from wireproof_harness.results import Footer, Header, Verdict

Key = TypeVar("Key", str, tuple[str, ...])
EXAMPLES: Final = 3


class Cell(NamedTuple):
    """What figures are broken down by; verdicts that agree in it are counted together."""

    protocol: str
    mode: str
    level: str
    kind: str
    error: str
    cause: str
    reason: str
    status: str


class Cited(NamedTuple):
    """Questions of a protocol that cite the same clauses and have the same status."""

    protocol: str
    clauses: tuple[str, ...]
    status: str


class Left(NamedTuple):
    """Why questions of a protocol were not executed."""

    status: str
    cause: str
    detail: str
    protocol: str


class Sample(NamedTuple):
    """How many questions there are of a kind, and the first few with their places in the log."""

    questions: int
    first: list[tuple[int, str]]


class Counted(NamedTuple):
    """The verdicts of a run, as far as a report needs them: counts, and what did not pass."""

    header: Header
    footer: Footer | None
    cells: Mapping[Cell, int]
    cited: Mapping[Cited, int]
    left: Mapping[Left, Sample]
    shown: list[Verdict]
    """Executed and not passed, in the order of the log."""
    unreported: dict[str, int]
    """By protocol, as far as the plan can be told from the suite."""

    @property
    def statuses(self) -> dict[str, int]:
        """How many questions have each status, those with none included."""
        found: Counter[str] = Counter()
        for cell, number in self.cells.items():
            found[cell.status] += number
        return {status: found[status] for status in STATUSES}

    def by(self, key: Callable[[Cell], Key]) -> dict[Key, Counter[str]]:
        """For each key how many questions have each status; an empty key is none."""
        found: dict[Key, Counter[str]] = {}
        for cell, number in self.cells.items():
            if name := key(cell):
                found.setdefault(name, Counter())[cell.status] += number
        return found

    def by_cited(self, keys: Callable[[Cited], Iterable[Key]]) -> dict[Key, Counter[str]]:
        """The same over the clauses; a question counts once under a key."""
        found: dict[Key, Counter[str]] = {}
        for cited, number in self.cited.items():
            for name in dict.fromkeys(keys(cited)):
                found.setdefault(name, Counter())[cited.status] += number
        return found


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """What came of the questions under one key."""

    questions: int
    """How many have a verdict: all that were planned, unless the log ends early."""
    executed: int
    """How many were asked and judged: neither unsupported nor not-run."""
    passed: int
    """How many have the status pass, and no other."""
    statuses: dict[str, int]
    """Each status that occurs; they add up to `questions`."""


def figures(counts: Mapping[str, int]) -> dict[str, Any]:
    """The fields of a `Tally`, from the number of each status."""
    return {
        "questions": sum(counts.values()),
        "executed": sum(number for status, number in counts.items() if status in EXECUTED),
        "passed": counts.get("pass", 0),
        "statuses": {status: counts[status] for status in STATUSES if counts.get(status)},
    }


def ordered(keys: Iterable[str], known: Iterable[str]) -> list[str]:
    """Keys in the order in which they are known; others after them, by name."""
    places = {key: place for place, key in enumerate(known)}
    return sorted(keys, key=lambda key: (places.get(key, len(places)), key))
