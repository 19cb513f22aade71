"""What came of a run, at a glance: per protocol, per chapter, per cause; then the first failures explained."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from wireproof.profile import Settings
from wireproof.suite.model import Suite
from wireproof.verdict import BROKEN, EXECUTED, STATUSES
from wireproof.verdict.statuses import CAUSES
from wireproof_harness.claims import Claims, ProtocolClaims
from wireproof_harness.cli.dump import Line
from wireproof_harness.cli.verdict import counted
from wireproof_harness.failure import failure_lines
from wireproof_harness.plan import Plan
from wireproof_harness.results import CONFORMS, Run, Verdict, counts_of
from wireproof_harness.tally import Tally, by_cause, by_chapter, by_protocol, group_by
from wireproof_harness.terminal import Segment, entry, fit

ALWAYS: Final = ("pass", "fail")
ROLES: Final = {"pass": "good", "unsupported": "label", "known-fail": "label", "warn": "value"}
NAME: Final = 14
MOST_CHAPTERS: Final = 12
MOST_REASONS: Final = 8
WORST_FIRST: Final = ("crash", "timeout", "contract-error", "flaky", "fail", "unexpected-pass", "warn")


def introduced(claims: Claims, planned: Plan, target: str, width: int) -> Iterator[Line]:
    """Who is asked, and what it claims."""
    version = " ".join(filter(None, (claims.version, f"({claims.language})" if claims.language else "")))
    yield [Segment(claims.name, "heading"), Segment(f" {version}".rstrip()), Segment(f"  {target}", "label")]
    alike: dict[str, list[str]] = {}
    for name, claimed in claims.protocols.items():
        alike.setdefault(_claimed(claimed, planned.profiles.get(name, {})), []).append(name)
    for words, names in alike.items():
        yield from entry("claims", f"{', '.join(names)}: {words}", width)
    yield []


def _claimed(claimed: ProtocolClaims, changes: Settings) -> str:
    parts = [", ".join(claimed.operations) or "nothing"]
    if claimed.directions is not None and len(claimed.directions) == 1:
        parts.append(f"{claimed.directions[0]} only")
    if claimed.messages is not None:
        parts.append(f"{counted(len(claimed.messages), 'message')} only")
    stated = ", ".join(f"{key}={value}" for key, value in changes.items())
    parts.append("any profile" if claimed.profile == "any" and not stated else stated or "profile standard")
    return "; ".join(parts)


def summary(run: Run, width: int) -> Iterator[Line]:
    """The tables, from the whole to its parts."""
    yield from _protocols(run.verdicts)
    yield from _chapters(run.verdicts, width)
    yield from _causes(run.verdicts)
    yield from _left_out(run, width)


def _protocols(verdicts: list[Verdict]) -> Iterator[Line]:
    counts = counts_of(verdicts)
    columns = [status for status in STATUSES if counts[status] or status in ALWAYS]
    yield _head("protocol", "questions", columns)
    for name, found in by_protocol(verdicts).items():
        yield _row(name, found, columns)
    yield _row("all", Counter(counts), columns)


def _head(name: str, total: str, columns: list[str]) -> Line:
    return [Segment(f"{name:<{NAME}}{total:>10}" + "".join(_right(status, status) for status in columns), "label")]


def _row(name: str, found: Counter[str], columns: list[str]) -> Line:
    line = [Segment(f"{name:<{NAME}}", "name"), Segment(f"{sum(found.values()):>10,}")]
    for status in columns:
        role = ROLES.get(status, "fault") if found[status] else "label"
        line.append(Segment(_right(f"{found[status]:,}", status), role))
    return line


def _right(text: str, status: str) -> str:
    return f"{text:>{max(8, len(status) + 2)}}"


def _chapters(verdicts: list[Verdict], width: int) -> Iterator[Line]:
    """Chapters with anything that is not a pass; all of the others are one line."""
    groups = by_chapter(verdicts)
    troubled = {name: found for name, found in groups.items() if _troubles(found)}
    if not troubled:
        return
    yield []
    yield [Segment(f"{'chapter':<{NAME}}{'executed':>10}  not passed", "label")]
    ranked = sorted(troubled.items(), key=lambda item: -_troubles(item[1]))
    for name, found in ranked[:MOST_CHAPTERS]:
        executed = sum(found[status] for status in EXECUTED)
        words = ", ".join(f"{found[status]:,} {status}" for status in STATUSES if status != "pass" and found[status])
        yield [
            Segment(f"{name:<{NAME}}", "clause"),
            Segment(f"{executed:>10,}  "),
            Segment(fit(words, max(20, width - NAME - 12)), "fault"),
        ]
    left = len(groups) - min(len(ranked), MOST_CHAPTERS)
    if left:
        yield [
            Segment(f"{'':<{NAME}}{counted(left, 'chapter')} more, {len(groups) - len(troubled)} without any", "label")
        ]


def _troubles(found: Counter[str]) -> int:
    return sum(count for status, count in found.items() if status not in ("pass", "unsupported"))


def _causes(verdicts: list[Verdict]) -> Iterator[Line]:
    found = by_cause(verdict for verdict in verdicts if verdict.status not in ("pass", "unsupported", "not-run"))
    if not found:
        return
    yield []
    yield [Segment("cause", "label")]
    for cause, counts in sorted(found.items(), key=lambda item: -sum(item[1].values())):
        words = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES if counts[status])
        yield [Segment(f"{CAUSES[cause]:<58}", ""), Segment(words, "fault")]


def _left_out(run: Run, width: int) -> Iterator[Line]:
    """What did not run is as visible as what failed."""
    for status, words in (("unsupported", "not claimed or not supported"), ("not-run", "NOT RUN")):
        left = [verdict for verdict in run.verdicts if verdict.status == status]
        if not left:
            continue
        yield []
        yield [Segment(f"{counted(len(left), 'question')} {words}", "heading" if status == "unsupported" else "fault")]
        reasons: Tally = group_by(left, lambda verdict: (f"{verdict.detail or CAUSES[verdict.cause]}",))
        ranked = sorted(reasons.items(), key=lambda item: -sum(item[1].values()))
        for reason, counts in ranked[:MOST_REASONS]:
            yield from entry(f"{sum(counts.values()):>8,}", reason, width)
        if len(ranked) > MOST_REASONS:
            yield from entry("", f"{counted(len(ranked) - MOST_REASONS, 'more reason')}; the log has them all", width)
    unstated = sum(verdict.reason == "not-stated" for verdict in run.verdicts)
    if unstated:
        yield []
        yield [
            Segment(f"{counted(unstated, 'rejection')} without a reason: right to reject, why is not known", "value")
        ]


def first_failures(run: Run, suite: Suite, number: int, width: int) -> Iterator[Line]:
    """The first of each kind, the worst kinds first; then where the others are."""
    kinds: dict[tuple[str, str, str], Verdict] = {}
    shown = [status for status in WORST_FIRST if status in BROKEN or not _broken(run)]
    for verdict in run.verdicts:
        if verdict.status in shown:
            kinds.setdefault((verdict.status, verdict.cause, verdict.protocol), verdict)
    ranked = sorted(kinds.values(), key=lambda verdict: WORST_FIRST.index(verdict.status))
    for verdict in ranked[:number]:
        yield []
        yield from failure_lines(verdict, run.header, suite, width)
    left = sum(verdict.status in shown for verdict in run.verdicts) - min(number, len(ranked))
    if left > 0 and number:
        yield []
        yield [
            Segment(f"{counted(left, 'more question')} did not pass: --show {number * 4} explains more kinds", "label")
        ]


def _broken(run: Run) -> int:
    return sum(verdict.status in BROKEN for verdict in run.verdicts)


def closing(run: Run, log: str) -> Iterator[Line]:
    """The verdict, and what it rests on."""
    footer = run.footer
    assert footer is not None
    counts = footer.counts
    executed = sum(counts[status] for status in EXECUTED)
    requests = sum(verdict.requests for verdict in run.verdicts)
    role = "good" if footer.verdict == CONFORMS else "fault"
    broken = ", ".join(f"{counts[status]:,} {status}" for status in STATUSES if status in BROKEN and counts[status])
    parts = [f"{counts['pass']:,} of {executed:,} executed passed", broken]
    parts += [f"{counts['warn']:,} warn" if counts["warn"] else "", f"{counts['known-fail']:,} known-fail"]
    parts[-1] = parts[-1] if counts["known-fail"] else ""
    yield []
    yield [Segment(footer.verdict, role), Segment(": " + "; ".join(filter(None, parts)))]
    rate = f"{counted(requests, 'request')} in {footer.seconds:.1f} s"
    again = f", started again {counted(footer.restarts, 'time')}" if footer.restarts else ""
    yield [
        Segment(f"{run.header.planned:,} planned, {len(run.verdicts):,} reported; {rate}{again}; log {log}", "label")
    ]
    if footer.stopped:
        yield [Segment(f"stopped early: {footer.stopped}", "fault")]
    for question in footer.stale:
        yield [Segment(f"the baseline entry {question} matches no question: take it out", "fault")]
