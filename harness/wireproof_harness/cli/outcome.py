"""What came of a run, at a glance: per protocol, per chapter, per cause; then the first failures explained."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator
from typing import Final

from wireproof.profile import Settings
from wireproof.suite.model import Suite
from wireproof.verdict import BROKEN, EXECUTED, STATUSES
from wireproof.verdict.statuses import CAUSES
from wireproof_harness.baseline import UNEXPLAINED
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
MOST_NAMED: Final = 6
MOSTLY_WRONG: Final = 0.3
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
        named = ", ".join(map(str, claimed.messages[:MOST_NAMED]))
        more = len(claimed.messages) - MOST_NAMED
        parts.append(f"only {named}" + (f" and {more} more" if more > 0 else ""))
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
    more = len(ranked) - MOST_CHAPTERS
    if more > 0:
        yield [Segment(f"{'':<{NAME}}{counted(more, 'more chapter')} with some", "label")]
    if len(groups) > len(troubled):
        yield [Segment(f"{'':<{NAME}}{counted(len(groups) - len(troubled), 'chapter')} without any", "label")]


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
    """The smallest of each kind, the worst kinds first; then how many there are besides."""
    shown = [status for status in WORST_FIRST if status in BROKEN or not _broken(run)]
    kinds: dict[tuple[str, str, str], list[Verdict]] = {}
    for verdict in run.verdicts:
        if verdict.status in shown:
            kinds.setdefault((verdict.status, verdict.cause, verdict.protocol), []).append(verdict)
    ranked = sorted(kinds.values(), key=lambda alike: WORST_FIRST.index(alike[0].status))
    for alike in ranked[:number]:
        yield []
        yield from failure_lines(min(alike, key=lambda verdict: _size(verdict, suite)), run.header, suite, width)
        if len(alike) > 1:
            others = counted(len(alike) - 1, "other question")
            yield [Segment(f"  {others} of {alike[0].protocol} failed in the same way", "label")]
    if number and len(ranked) > number:
        yield []
        words = f"more to explain: --show {len(ranked)} shows one of each"
        yield [Segment(f"{counted(len(ranked) - number, 'kind')} of failure {words}", "label")]


def _size(verdict: Verdict, suite: Suite) -> int:
    vector = suite.by_id.get(verdict.vector)
    return vector.size if vector is not None else 0


def _broken(run: Run) -> int:
    return sum(verdict.status in BROKEN for verdict in run.verdicts)


def closing(run: Run, log: str) -> Iterator[Line]:
    """The verdict, and what it rests on."""
    footer = run.footer
    assert footer is not None
    role = "good" if footer.verdict == CONFORMS else "fault"
    yield []
    yield [Segment(_verdict(run), role), Segment(f": {_figures(footer.counts)}")]
    requests = sum(verdict.requests for verdict in run.verdicts)
    again = f", started again {counted(footer.restarts, 'time')}" if footer.restarts else ""
    told = f"{run.header.planned:,} planned, {len(run.verdicts):,} reported"
    rate = f"{counted(requests, 'request')} in {footer.seconds:.1f} s"
    yield [Segment(f"{told}; {rate}{again}; log {log}", "label")]
    yield from _remarks(run)


def _verdict(run: Run) -> str:
    footer = run.footer
    assert footer is not None
    if footer.verdict == CONFORMS and footer.counts["unsupported"]:
        return "conforms in what it claims"
    if sum(footer.counts[status] for status in EXECUTED) <= 1 and footer.counts["unsupported"]:
        claimed = ", ".join(run.header.implementation.get("protocols", {})) or "nothing"
        return f"{footer.verdict}, nothing of this was checked (it claims {claimed})"
    return footer.verdict


def _figures(counts: dict[str, int]) -> str:
    executed = sum(counts[status] for status in EXECUTED)
    parts = [f"{counts['pass']:,} of {executed:,} executed passed"]
    parts += [f"{counts[status]:,} {status}" for status in STATUSES if status in BROKEN and counts[status]]
    parts += [f"{counts[status]:,} {status}" for status in ("warn", "known-fail", "not-run") if counts[status]]
    if counts["unsupported"]:
        parts.append(f"{counts['unsupported']:,} of {sum(counts.values()):,} not claimed or not supported")
    return "; ".join(parts)


def _remarks(run: Run) -> Iterator[Line]:
    footer = run.footer
    assert footer is not None
    executed = sum(footer.counts[status] for status in EXECUTED)
    if executed > 1 and footer.counts["fail"] > MOSTLY_WRONG * executed:
        command = f"wireproof doctor {shlex.quote(run.header.target)}"
        yield [Segment(f"much of it is answered wrongly: `{command}` says whether another profile fits", "value")]
    if footer.stopped:
        yield [Segment(f"stopped early: {footer.stopped}", "fault")]
    for question in footer.stale:
        yield [Segment(f"the baseline entry {question} matches no question: take it out", "fault")]
    unexplained = sum(verdict.known == UNEXPLAINED for verdict in run.verdicts)
    if unexplained:
        words = "in the baseline without a reason: say why, so that it is not forgotten"
        yield [Segment(f"{counted(unexplained, 'question')} {words}", "fault")]
