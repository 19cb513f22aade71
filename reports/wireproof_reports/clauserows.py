"""Every clause of the documents in a run: what its questions came to, or why it has none."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

import msgspec

from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS
from wireproof.suite.rules import open_points
from wireproof.verdict.statuses import BROKEN, EXECUTED
from wireproof_harness.tally import chapter_of
from wireproof_reports.tally import Cited, Counted, Tally, figures

STATES: Final[dict[str, str]] = {
    "failing": "at least one answer is wrong, or none came",
    "not-exercised": "vectors could show it, and none was executed",
    "known-failing": "fails as the baseline says",
    "warned": "kept, but for a reason or a recommendation",
    "partly": "passes as far as it was executed; some of it was not",
    "passing": "every question was executed and passed",
    "elsewhere": "no vector can show it",
}
"""What a run says of a clause, the most urgent first."""
OPEN_POINT: Final = "open-point"
UNKNOWN: Final = "unknown"


class ClauseRow(Tally, frozen=True, kw_only=True):
    """A clause or open point of one protocol. A question counts under each clause it cites."""

    protocol: str
    clause: str
    chapter: str
    test: str
    """How it can be shown: codec, live, unit, url or none; open-point; unknown to this suite."""
    level: str
    rule: str
    """What it says, in the suite's words."""
    reason: str
    """Why no vector can show it, where that is so."""
    state: str


class ChapterRow(Tally, frozen=True, kw_only=True):
    """A chapter of a document. A question counts once, however many of its clauses it cites."""

    protocol: str
    chapter: str
    states: dict[str, int]
    """How many clauses have each state."""


class _Said(msgspec.Struct, frozen=True):
    """What the suite says of a clause."""

    test: str
    level: str = ""
    rule: str = ""
    reason: str = ""


def clause_rows(counted: Counted, protocols: Iterable[str]) -> list[ClauseRow]:
    """The rows of all clauses of these protocols, in the order of the documents."""
    counts = counted.by_cited(lambda cited: [(cited.protocol, clause) for clause in cited.clauses])
    rows: list[ClauseRow] = []
    for protocol in protocols:
        cited = {clause: counter for (name, clause), counter in counts.items() if name == protocol}
        said = {**_clauses(protocol), **_points(protocol, cited)}
        said |= {clause: _Said(UNKNOWN) for clause in sorted(cited.keys() - said.keys())}
        rows += (_row(protocol, clause, said[clause], cited.get(clause, {})) for clause in said)
    return rows


def chapter_rows(counted: Counted, rows: Iterable[ClauseRow]) -> list[ChapterRow]:
    """The chapters that the rows belong to, in their order."""
    chapters = {(row.protocol, row.clause): row.chapter for row in rows}
    counts = counted.by_cited(lambda cited: _chapters(cited, chapters))
    states: dict[tuple[str, str], Counter[str]] = {}
    for row in rows:
        states.setdefault((row.protocol, row.chapter), Counter())[row.state] += 1
    return [
        ChapterRow(protocol=key[0], chapter=key[1], states=_in_order(found), **figures(counts.get(key, {})))
        for key, found in states.items()
    ]


def _chapters(cited: Cited, chapters: Mapping[tuple[str, str], str]) -> Iterator[tuple[str, ...]]:
    for clause in cited.clauses:
        if (cited.protocol, clause) in chapters:
            yield cited.protocol, chapters[cited.protocol, clause]


def _in_order(found: Mapping[str, int]) -> dict[str, int]:
    return {state: found[state] for state in STATES if found.get(state)}


def _clauses(protocol: str) -> dict[str, _Said]:
    if protocol not in PROTOCOLS:
        return {}
    return {name: _Said(each.test, each.level, each.rule, each.reason) for name, each in clauses(protocol).items()}


def _points(protocol: str, cited: Mapping[str, object]) -> dict[str, _Said]:
    """The open points that questions of the run cite; the others are no rules."""
    if protocol not in PROTOCOLS:
        return {}
    points = open_points(protocol)
    return {name: _Said(OPEN_POINT, point.level, point.reading) for name, point in points.items() if name in cited}


def _row(protocol: str, clause: str, said: _Said, counts: Mapping[str, int]) -> ClauseRow:
    return ClauseRow(
        protocol=protocol,
        clause=clause,
        chapter=UNKNOWN if said.test == UNKNOWN else chapter_of(clause),
        test=said.test,
        level=said.level,
        rule=said.rule,
        reason=said.reason,
        state=_state(said.test, counts),
        **figures(counts),
    )


def _state(test: str, counts: Mapping[str, int]) -> str:
    present = {status for status, number in counts.items() if number}
    if present & BROKEN:
        return "failing"
    if not present & EXECUTED:
        shown_by_vectors = test in ("codec", OPEN_POINT, UNKNOWN)
        return "not-exercised" if shown_by_vectors or present else "elsewhere"
    if "known-fail" in present:
        return "known-failing"
    if "warn" in present:
        return "warned"
    return "passing" if present == {"pass"} else "partly"
