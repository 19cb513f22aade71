"""Which findings a page shows in full: some of every kind, since thousands are read by nobody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

from wireproof.verdict.statuses import BROKEN
from wireproof_reports.findings import Finding

IN_FULL: Final = 200
"""Findings shown with their bytes, on the whole page."""
OF_A_GROUP: Final = 25
IN_SHORT: Final = 5000
"""Findings listed in one line each, on the whole page."""


class Group(NamedTuple):
    """Findings of one protocol that are alike; numbers are places in the model's list."""

    protocol: str
    status: str
    cause: str
    full: list[int]
    short: list[int]
    left_out: int

    @property
    def size(self) -> int:
        return len(self.full) + len(self.short) + self.left_out

    @property
    def broken(self) -> bool:
        return self.status in BROKEN


def choose(findings: list[Finding]) -> list[Group]:
    """Groups of alike findings, failures first and large groups first, each with what is shown of it.

    Known failures are left to their own section.
    """
    members: dict[tuple[str, str, str], list[int]] = {}
    for number, finding in enumerate(findings):
        if finding.status != "known-fail":
            members.setdefault((finding.protocol, finding.status, finding.cause), []).append(number)
    keys = sorted(members, key=lambda key: (key[1] not in BROKEN, -len(members[key]), key))
    queues = {key: _different_first(members[key], findings) for key in keys}
    full = _shares(queues, IN_FULL, OF_A_GROUP)
    rest = {key: sorted(set(members[key]) - set(full[key])) for key in keys}
    short = _shares(rest, IN_SHORT, IN_SHORT)
    return [
        Group(*key, sorted(full[key]), sorted(short[key]), len(members[key]) - len(full[key]) - len(short[key]))
        for key in keys
    ]


def _different_first(numbers: Iterable[int], findings: list[Finding]) -> list[int]:
    """One question of each vector before a second one, and of each topic in turn: what is alike mostly fails alike."""
    questions: Counter[str] = Counter()
    topics: Counter[tuple[str, int]] = Counter()
    ranked = []
    for number in numbers:
        vector = findings[number].vector
        topic = (vector.rpartition("-")[0], questions[vector])
        ranked.append((questions[vector], topics[topic], number))
        questions[vector] += 1
        topics[topic] += 1
    return [number for *_, number in sorted(ranked)]


def _shares(
    queues: dict[tuple[str, str, str], list[int]], room: int, most: int
) -> dict[tuple[str, str, str], list[int]]:
    """The heads of the queues: one of each in turn, as long as there is room."""
    taken: dict[tuple[str, str, str], list[int]] = {key: [] for key in queues}
    for turn in range(min(most, max(map(len, queues.values()), default=0))):
        for key, queue in queues.items():
            if turn < len(queue) and room:
                taken[key].append(queue[turn])
                room -= 1
    return taken
