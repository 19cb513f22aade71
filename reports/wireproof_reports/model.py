"""What a run adds up to: the content of a report, apart from how it is shown.

Every figure is a count by key, so the same model comes of a log and of tables. Statuses
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
from wireproof.verdict.statuses import CAUSES, EXECUTED
from wireproof_harness.results import Run, Verdict
from wireproof_reports.clauserows import ChapterRow, ClauseRow, chapter_rows, clause_rows
from wireproof_reports.findings import SHOWN, Finding, Known, Unasked, findings, known, unasked
from wireproof_reports.runfacts import RunFacts, run_facts
from wireproof_reports.soundness import check, doubts, judged, unreported
from wireproof_reports.tally import EXAMPLES, Cell, Cited, Counted, Left, Sample, Tally, figures, ordered

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
    return model_of(counted(run, suite), suite)


def counted(run: Run, suite: Suite | None) -> Counted:
    """The verdicts of a log, counted."""
    return Counted(
        header=run.header,
        footer=run.footer,
        cells=Counter(Cell(*(getattr(verdict, name) for name in Cell._fields)) for verdict in run.verdicts),
        cited=Counter(Cited(verdict.protocol, tuple(verdict.clauses), verdict.status) for verdict in run.verdicts),
        left=_left(run.verdicts),
        shown=[verdict for verdict in run.verdicts if verdict.status in SHOWN],
        unreported=unreported(run, suite),
    )


def _left(verdicts: Iterable[Verdict]) -> dict[Left, Sample]:
    found: dict[Left, list[tuple[int, str]]] = {}
    for place, verdict in enumerate(verdicts):
        if verdict.status not in EXECUTED:
            key = Left(verdict.status, verdict.cause, verdict.detail, verdict.protocol)
            found.setdefault(key, []).append((place, verdict.question))
    return {key: Sample(len(members), members[:EXAMPLES]) for key, members in found.items()}


def model_of(run: Counted, suite: Suite | None) -> ReportModel:
    """The report on verdicts that were counted, wherever that was done."""
    header, footer, statuses = run.header, run.footer, run.statuses
    protocols = _protocol_rows(run)
    rows = clause_rows(run, [row.protocol for row in protocols])
    unseen = header.planned - sum(statuses.values())
    return ReportModel(
        verdict=judged(header, footer, statuses),
        doubts=list(doubts(header, footer, statuses, suite)),
        run=run_facts(header, footer, suite),
        totals=Totals(planned=header.planned, unreported=unseen, **figures(statuses)),
        protocols=protocols,
        chapters=chapter_rows(run, rows),
        clauses=rows,
        modes=_key_rows(run, lambda cell: cell.mode, MODES),
        levels=_key_rows(run, lambda cell: cell.level, LEVELS),
        kinds=_key_rows(run, lambda cell: cell.kind, KINDS),
        causes=_cause_rows(run),
        errors=_error_rows(run),
        reasons=_graded(run.cells.items()),
        unasked=unasked(run.left),
        findings=findings(run.shown, suite),
        known=known(run.shown),
        stale=[] if footer is None else list(footer.stale),
    )


def _protocol_rows(run: Counted) -> list[ProtocolRow]:
    counts, missing = run.by(lambda cell: (cell.protocol,)), run.unreported
    names = ordered({name for (name,) in counts} | missing.keys(), PROTOCOLS)
    return [
        ProtocolRow(protocol=name, unreported=missing.get(name, 0), **figures(counts.get((name,), {})))
        for name in names
    ]


def _key_rows(run: Counted, key: Callable[[Cell], str], known_keys: Iterable[str]) -> list[KeyRow]:
    counts = run.by(lambda cell: (key(cell),))
    return [KeyRow(key=name, **figures(counts[name,])) for name in ordered((name for (name,) in counts), known_keys)]


def _cause_rows(run: Counted) -> list[CauseRow]:
    """The most frequent first. What passed has no cause."""
    counts = run.by(lambda cell: (cell.protocol, cell.cause) if cell.cause else ())
    places = {cause: place for place, cause in enumerate(CAUSES)}
    keys = sorted(counts, key=lambda key: (-counts[key].total(), places.get(key[1], len(places)), key))
    return [CauseRow(protocol=key[0], cause=key[1], **figures(counts[key])) for key in keys]


def _error_rows(run: Counted) -> list[ErrorRow]:
    counts = run.by(lambda cell: cell.error)
    return [
        ErrorRow(
            error=error,
            reasons=_graded((cell, number) for cell, number in run.cells.items() if cell.error == error),
            **figures(counts[error]),
        )
        for error in ordered(counts, ERROR_CLASSES)
    ]


def _graded(cells: Iterable[tuple[Cell, int]]) -> dict[str, int]:
    found: Counter[str] = Counter()
    for cell, number in cells:
        if cell.reason:
            found[cell.reason] += number
    return {grade: found[grade] for grade in ordered(found, GRADES)}
