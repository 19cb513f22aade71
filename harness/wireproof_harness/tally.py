"""Counting verdicts: by status, and by status for each of something else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

from wireproof_harness.results import Verdict

Key = TypeVar("Key", str, tuple[str, ...])
Tally = dict[str, Counter[str]]


def group_by(verdicts: Iterable[Verdict], keys: Callable[[Verdict], Iterable[Key]]) -> dict[Key, Counter[str]]:
    """For each key how many questions have each status; a question counts once under a key."""
    found: dict[Key, Counter[str]] = {}
    for verdict in verdicts:
        for key in dict.fromkeys(keys(verdict)):
            found.setdefault(key, Counter())[verdict.status] += 1
    return found


def by_protocol(verdicts: Iterable[Verdict]) -> Tally:
    return group_by(verdicts, lambda verdict: (verdict.protocol,))


def by_chapter(verdicts: Iterable[Verdict]) -> Tally:
    """By chapter of a document: COMET-3 for COMET-3.8; what a document leaves open is a group of its own."""
    return group_by(verdicts, lambda verdict: map(chapter_of, verdict.clauses))


def by_cause(verdicts: Iterable[Verdict]) -> Tally:
    return group_by(verdicts, lambda verdict: (verdict.cause,) if verdict.cause else ())


def chapter_of(clause: str) -> str:
    """COMET-3 for COMET-3.8, and COMET-S, the open points, for COMET-S13."""
    head, dot, _ = clause.rpartition(".")
    return head if dot else clause.rstrip("0123456789")
