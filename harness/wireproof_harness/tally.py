"""Counting verdicts: by status, and by status for each of something else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from wireproof_harness.results import Verdict

_CHAPTER: Final = re.compile(r"^([A-Z]+-[0-9]+)\.")
OPEN_POINT: Final = re.compile(r"^([A-Z]+)-S[0-9]+$")

Tally = dict[str, Counter[str]]


def tally(verdicts: Iterable[Verdict], keys: Callable[[Verdict], Iterable[str]]) -> Tally:
    """For each key how often each status came; a verdict counts once for each of its keys."""
    found: Tally = {}
    for verdict in verdicts:
        for key in keys(verdict):
            found.setdefault(key, Counter())[verdict.status] += 1
    return found


def by_protocol(verdicts: Iterable[Verdict]) -> Tally:
    return tally(verdicts, lambda verdict: (verdict.protocol,))


def by_group(verdicts: Iterable[Verdict]) -> Tally:
    """By chapter of a document: COMET-3 for COMET-3.8; what a document leaves open is a group of its own."""
    return tally(verdicts, lambda verdict: dict.fromkeys(map(group_of, verdict.clauses)))


def by_cause(verdicts: Iterable[Verdict]) -> Tally:
    return tally(verdicts, lambda verdict: (verdict.cause,) if verdict.cause else ())


def group_of(clause: str) -> str:
    chapter = _CHAPTER.match(clause)
    if chapter:
        return chapter[1]
    point = OPEN_POINT.match(clause)
    return f"{point[1]}-S" if point else clause
