"""Counts by key: the one operation all figures of a report come from.

A question has one status and is counted once under each key it has, so every figure is a
plain group-by over (question, key), whether a list or a table does it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from wireproof.verdict.statuses import EXECUTED, STATUSES


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
