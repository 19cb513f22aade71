"""A report in a few words: the verdict, its figures, and the first thing to look at."""

from __future__ import annotations

from typing import Final

from wireproof.verdict.statuses import BROKEN, CAUSES, STATUSES
from wireproof_harness.results import CONFORMS, INCOMPLETE
from wireproof_reports.findings import Finding
from wireproof_reports.model import ReportModel

NOTHING: Final = "nothing failed"
LOUD: Final = {CONFORMS: "CONFORMS", "does not conform": "DOES NOT CONFORM", INCOMPLETE: "INCOMPLETE"}


def verdict_line(model: ReportModel) -> str:
    """`DOES NOT CONFORM  acme 1.2: 17,328 planned, 17,328 executed, 17,001 passed, 327 fail`"""
    rest = verdict_words(model).removeprefix(model.verdict)
    return f"{LOUD[model.verdict]}{rest}  {who(model)}: {figures_line(model)}"


def verdict_words(model: ReportModel) -> str:
    """A good verdict speaks of what was claimed, if that is not everything."""
    partial = model.verdict == CONFORMS and model.totals.statuses.get("unsupported", 0)
    return f"{model.verdict} in what it claims" if partial else model.verdict


def who(model: ReportModel) -> str:
    return f"{model.run.implementation} {model.run.version}".strip()


def figures_line(model: ReportModel) -> str:
    """Planned, executed, passed, and each other status that occurs."""
    totals = model.totals
    parts = [f"{totals.planned:,} planned", f"{totals.executed:,} executed", f"{totals.passed:,} passed"]
    parts += [f"{number:,} {status}" for status, number in totals.statuses.items() if status != "pass"]
    if totals.unreported:
        parts.append(f"{totals.unreported:,} without a verdict")
    return ", ".join(parts)


def first_to_look_at(model: ReportModel) -> str:
    """One sentence: what keeps the run from a better verdict, and where to begin."""
    broken = sum(number for status, number in model.totals.statuses.items() if status in BROKEN)
    if broken:
        return _largest(model)
    if model.verdict == INCOMPLETE:
        again = "`wireproof check --resume` goes on." if not model.run.finished else "Run `wireproof check` again."
        return " ".join(["look first at why it is incomplete.", *model.doubts, again])
    warned = next((finding for finding in model.findings if finding.status == "warn"), None)
    if warned is not None:
        number = model.totals.statuses["warn"]
        return f"{NOTHING}; {number:,} warned, first {warned.question}: {reads(warned)}"
    return NOTHING


def _largest(model: ReportModel) -> str:
    """The way of failing that most questions share, and its first question."""
    groups: dict[tuple[str, str], list[Finding]] = {}
    for finding in model.findings:
        if finding.status in BROKEN:
            groups.setdefault((finding.protocol, finding.cause or finding.status), []).append(finding)
    members = max(groups.values(), key=len)
    first = members[0]
    many = f"{len(members):,} questions" if len(members) > 1 else "1 question"
    return f"look first at {first.protocol}: {reads(first)} ({many}); begin with {first.question}"


def reads(finding: Finding) -> str:
    """In which way an answer is not right, in words."""
    return CAUSES.get(finding.cause) or STATUSES[finding.status]
