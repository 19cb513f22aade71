"""A report made ready to be shown: bars, sections and links, in numbers and text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from wireproof.verdict.statuses import BROKEN, CAUSES, STATUSES
from wireproof_reports.choice import Group
from wireproof_reports.clauserows import STATES, ChapterRow, ClauseRow
from wireproof_reports.findings import Finding
from wireproof_reports.model import ReportModel

UNREPORTED: Final = "unreported"
BAR_ORDER: Final = (
    *("pass", "warn", "known-fail", "unexpected-pass", "fail", "crash", "timeout", "contract-error", "flaky"),
    *("unsupported", "not-run", UNREPORTED),
)
"""From good to bad, and then what was not seen."""
MEANINGS: Final = {**STATUSES, UNREPORTED: "planned, and without a verdict: the run was killed"}
BAR_WIDTH: Final = 1000
LEAST_WIDTH: Final = 7
"""A single failure among thousands can still be seen."""
STATE_LABELS: Final = {**{state: state.replace("-", " ") for state in STATES}, "elsewhere": "not for vectors"}
URGENT: Final = ("failing", "not-exercised")


class Part(NamedTuple):
    """A piece of a bar."""

    status: str
    number: int
    start: float
    width: float


def bar(statuses: Mapping[str, int], unreported: int = 0) -> list[Part]:
    """The pieces of a bar for these counts, from left to right; together they have its width."""
    counts = {**statuses, UNREPORTED: unreported}
    present = [(status, counts[status]) for status in BAR_ORDER if counts.get(status)]
    total = sum(number for _, number in present)
    widths = [max(LEAST_WIDTH, BAR_WIDTH * number / total) for _, number in present]
    scale = BAR_WIDTH / sum(widths) if widths else 1
    parts, start = [], 0.0
    for (status, number), width in zip(present, widths, strict=True):
        parts.append(Part(status, number, round(start, 1), round(width * scale, 1)))
        start += width * scale
    return parts


def chips(statuses: Mapping[str, int], unreported: int = 0) -> list[tuple[str, int]]:
    """The counts themselves, in the order of a bar."""
    return [(part.status, part.number) for part in bar(statuses, unreported)]


class Chapter(NamedTuple):
    """A chapter and its clauses."""

    row: ChapterRow
    clauses: list[ClauseRow]
    name: str
    urgent: bool


def chapters(model: ReportModel) -> dict[str, list[Chapter]]:
    """For each protocol its chapters."""
    members: dict[tuple[str, str], list[ClauseRow]] = {}
    for clause in model.clauses:
        members.setdefault((clause.protocol, clause.chapter), []).append(clause)
    found: dict[str, list[Chapter]] = {}
    for row in model.chapters:
        urgent = any(row.states.get(state) for state in URGENT)
        chapter = Chapter(row, members[row.protocol, row.chapter], _chapter_name(row.chapter), urgent)
        found.setdefault(row.protocol, []).append(chapter)
    return found


def _chapter_name(chapter: str) -> str:
    head, _, number = chapter.rpartition("-")
    if number == "S" and head:
        return "open points of the document"
    return f"chapter {number}" if number.isdecimal() else "clauses this suite does not know"


def states_of(model: ReportModel) -> dict[str, int]:
    """How many clauses have each state, over all protocols; open points are not clauses."""
    found = dict.fromkeys(STATES, 0)
    for clause in model.clauses:
        if clause.test in ("codec", "live", "unit", "url", "none"):
            found[clause.state] += 1
    return {state: number for state, number in found.items() if number}


def why_not_exercised(clause: ClauseRow) -> str:
    if not clause.questions:
        return "no question of this run cites it"
    return ", ".join(f"{number:,} {status}" for status, number in clause.statuses.items())


class Failures(NamedTuple):
    """Where the findings on a clause are: how many, and the number of the first that the page shows."""

    number: int
    first: int | None


def failures_by_clause(findings: list[Finding], groups: list[Group]) -> dict[tuple[str, str], Failures]:
    """For each clause of a protocol what failed of it, the shown in full before the listed."""
    full = {number for group in groups for number in group.full}
    listed = full | {number for group in groups for number in group.short}
    cited: dict[tuple[str, str], list[int]] = {}
    for number, finding in enumerate(findings):
        if finding.status in BROKEN:
            for clause in dict.fromkeys(finding.clauses):
                cited.setdefault((finding.protocol, clause), []).append(number)
    return {
        key: Failures(len(numbers), min(listed.intersection(numbers), key=lambda n: (n not in full, n), default=None))
        for key, numbers in cited.items()
    }


def anchor(clause: str) -> str:
    """A name for a place on the page that is safe whatever the clause is called."""
    return "clause-" + re.sub(r"[^A-Za-z0-9.]+", "-", clause)[:60]


def cause_words(cause: str) -> str:
    return CAUSES.get(cause, cause)


def date_of(started: str) -> str:
    """A time for people; what is no time is shown as it is."""
    try:
        moment = datetime.fromisoformat(started)
        shown = moment if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return started
    zone = "" if moment.tzinfo is None else " UTC"
    return f"{shown.day} {shown:%B %Y, %H:%M}{zone}"


def profile_words(profiles: Mapping[str, Mapping[str, Any]]) -> str:
    """`standard`, or what differs from it."""
    changed = [
        f"{protocol} {name}={value}" for protocol, changes in profiles.items() for name, value in changes.items()
    ]
    return "standard" + (f", except {', '.join(changed)}" if changed else "")


def selection_words(selection: Mapping[str, Any]) -> str:
    """`everything`, or what was selected."""
    parts = [
        f"{name} {', '.join(map(str, values)) if isinstance(values, list) else values}"
        for name, values in selection.items()
    ]
    return f"only {'; '.join(parts)}" if parts else "everything"
