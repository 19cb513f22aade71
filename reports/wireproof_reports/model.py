"""What a run adds up to: the content of a report, apart from how it is shown.

Every figure is a count by key, so the same model can be computed from tables. Statuses
are never merged, and every question of the plan is counted exactly once per dimension.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from wireproof.codec import PROTOCOLS
from wireproof.errors import ERROR_CLASSES
from wireproof.suite.model import LEVELS, Suite
from wireproof.verdict.questions import MODES
from wireproof.verdict.statuses import CAUSES
from wireproof_harness.results import Run, Verdict
from wireproof_harness.tally import group_by
from wireproof_reports.clauserows import ChapterRow, ClauseRow, chapter_rows, clause_rows
from wireproof_reports.findings import Finding, Known, Unasked, findings, known, unasked
from wireproof_reports.runfacts import RunFacts, run_facts
from wireproof_reports.soundness import check, doubts, judged, unreported
from wireproof_reports.tally import Tally, figures, ordered

REPORT: Final = 1
"""The version of the model's form."""
KINDS: Final = ("accept", "reject", "refuse", "probe")
GRADES: Final = ("exact", "alias", "other", "not-stated")


class Totals(Tally, frozen=True, kw_only=True):
    """All of a run. `planned` is `questions` and `unreported` together."""

    planned: int
    unreported: int
    """Planned, and without a verdict: the run was killed."""


class ProtocolRow(Tally, frozen=True, kw_only=True):
    """A protocol, or `contract` for the probe, which belongs to none."""

    protocol: str
    unreported: int
    """As far as the plan can be told from the suite; `Totals` has the number that is certain."""


class KeyRow(Tally, frozen=True, kw_only=True):
    """What the questions with one mode, level, kind or other property came to."""

    key: str


class CauseRow(Tally, frozen=True, kw_only=True):
    """In which way answers of a protocol were not right."""

    protocol: str
    cause: str


class ErrorRow(Tally, frozen=True, kw_only=True):
    """Questions that have to be rejected or refused with one error class, and the reasons that were given."""

    error: str
    reasons: dict[str, int]
    """How often the class was exact, an alias, another one, or not stated."""


class ReportModel(msgspec.Struct, frozen=True, kw_only=True):
    """A report."""

    report: int = REPORT
    verdict: str
    """conforms, does not conform, or incomplete."""
    doubts: list[str]
    """What keeps the run from saying more: sentences."""
    run: RunFacts
    totals: Totals
    protocols: list[ProtocolRow]
    chapters: list[ChapterRow]
    clauses: list[ClauseRow]
    modes: list[KeyRow]
    levels: list[KeyRow]
    kinds: list[KeyRow]
    causes: list[CauseRow]
    errors: list[ErrorRow]
    reasons: dict[str, int]
    """The reasons of all rejections and refusals, graded."""
    unasked: list[Unasked]
    findings: list[Finding]
    known: list[Known]
    stale: list[str]
    """Baseline entries that matched nothing."""


def report_model(run: Run, suite: Suite | None) -> ReportModel:
    """The report on one run; BadLog if its verdicts cannot be counted."""
    check(run)
    missing = unreported(run, suite)
    protocols = _protocol_rows(run.verdicts, missing)
    rows = clause_rows(run.verdicts, [row.protocol for row in protocols])
    totals = _totals(run)
    return ReportModel(
        verdict=judged(run),
        doubts=doubts(run, suite),
        run=run_facts(run, suite),
        totals=totals,
        protocols=protocols,
        chapters=chapter_rows(run.verdicts, rows),
        clauses=rows,
        modes=_key_rows(run.verdicts, lambda verdict: [verdict.mode], MODES),
        levels=_key_rows(run.verdicts, lambda verdict: [verdict.level], LEVELS),
        kinds=_key_rows(run.verdicts, lambda verdict: [verdict.kind], KINDS),
        causes=_cause_rows(run.verdicts),
        errors=_error_rows(run.verdicts),
        reasons=_graded(run.verdicts),
        unasked=unasked(run.verdicts),
        findings=findings(run.verdicts, suite),
        known=known(run.verdicts),
        stale=[] if run.footer is None else list(run.footer.stale),
    )


def _totals(run: Run) -> Totals:
    counts = Counter(verdict.status for verdict in run.verdicts)
    planned = run.header.planned
    return Totals(planned=planned, unreported=planned - len(run.verdicts), **figures(counts))


def _protocol_rows(verdicts: list[Verdict], missing: dict[str, int]) -> list[ProtocolRow]:
    counts = group_by(verdicts, lambda verdict: [verdict.protocol])
    names = ordered(counts.keys() | missing.keys(), PROTOCOLS)
    return [
        ProtocolRow(protocol=name, unreported=missing.get(name, 0), **figures(counts.get(name, {}))) for name in names
    ]


def _key_rows(
    verdicts: list[Verdict], keys: Callable[[Verdict], Iterable[str]], known_keys: Iterable[str]
) -> list[KeyRow]:
    counts = group_by(verdicts, keys)
    return [KeyRow(key=key, **figures(counts[key])) for key in ordered(counts, known_keys)]


def _cause_rows(verdicts: list[Verdict]) -> list[CauseRow]:
    """The most frequent first. What passed has no cause."""
    counts = group_by(verdicts, lambda verdict: [(verdict.protocol, verdict.cause)] if verdict.cause else [])
    places = {cause: place for place, cause in enumerate(CAUSES)}
    keys = sorted(counts, key=lambda key: (-counts[key].total(), places.get(key[1], len(places)), key))
    return [CauseRow(protocol=key[0], cause=key[1], **figures(counts[key])) for key in keys]


def _error_rows(verdicts: list[Verdict]) -> list[ErrorRow]:
    counts = group_by(verdicts, lambda verdict: [verdict.error] if verdict.error else [])
    graded: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        graded.setdefault(verdict.error, []).append(verdict)
    return [
        ErrorRow(error=error, reasons=_graded(graded[error]), **figures(counts[error]))
        for error in ordered(counts, ERROR_CLASSES)
    ]


def _graded(verdicts: Iterable[Verdict]) -> dict[str, int]:
    found = Counter(verdict.reason for verdict in verdicts if verdict.reason)
    return {grade: found[grade] for grade in ordered(found, GRADES)}
