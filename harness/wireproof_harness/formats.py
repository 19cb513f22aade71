"""A run in the forms that programs read: JSON, JUnit, TAP, and Markdown for a job summary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

import msgspec

from wireproof.suite.model import Suite
from wireproof.verdict import BROKEN, STATUSES
from wireproof.verdict.statuses import CAUSES
from wireproof_harness.failure import failure_lines, repeat_command
from wireproof_harness.results import Run, Verdict, counts_of
from wireproof_harness.tally import by_cause, by_protocol
from wireproof_harness.terminal import clean, json_line

WIDTH: Final = 100
SHOWN: Final = 20
NOT_EXECUTED: Final = ("unsupported", "not-run")


def json_form(run: Run, suite: Suite) -> Iterator[str]:
    """Counts, and every verdict that is not a pass; the log has them all."""
    footer = run.footer
    yield json_line(
        {
            "verdict": footer.verdict if footer else "incomplete",
            "exit_code": footer.exit_code if footer else 5,
            "planned": run.header.planned,
            "counts": counts_of(run.verdicts),
            "implementation": run.header.implementation,
            "target": run.header.target,
            "profiles": run.header.profiles,
            "protocols": {name: dict(counts) for name, counts in by_protocol(run.verdicts).items()},
            "causes": {name: dict(counts) for name, counts in by_cause(run.verdicts).items()},
            "protections": run.header.protections,
            "stale": footer.stale if footer else [],
            "stopped": footer.stopped if footer else "",
            "seconds": footer.seconds if footer else 0,
            "findings": [
                _finding(verdict, run) for verdict in run.verdicts if verdict.status not in ("pass", *NOT_EXECUTED)
            ],
        },
        "utf-8",
    )


def _finding(verdict: Verdict, run: Run) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(verdict)
    return found | {"again": repeat_command(verdict, run.header)}


def junit(run: Run, suite: Suite) -> Iterator[str]:
    """One suite for each protocol, one case for each question."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    groups: dict[str, list[Verdict]] = {}
    for verdict in run.verdicts:
        groups.setdefault(verdict.protocol, []).append(verdict)
    yield f"<testsuites name={_attribute(f'wireproof {run.header.target}')}>"
    for name, verdicts in groups.items():
        failed = sum(verdict.status in BROKEN for verdict in verdicts)
        left_out = sum(verdict.status in NOT_EXECUTED for verdict in verdicts)
        seconds = sum(verdict.seconds for verdict in verdicts)
        yield (
            f'<testsuite name="{name}" tests="{len(verdicts)}" failures="{failed}" errors="0" skipped="{left_out}" '
            f'time="{seconds:.3f}">'
        )
        for verdict in verdicts:
            yield from _case(verdict, run, suite)
        yield "</testsuite>"
    yield "</testsuites>"


def _case(verdict: Verdict, run: Run, suite: Suite) -> Iterator[str]:
    group = f"wireproof.{verdict.protocol}.{verdict.kind}"
    head = f'<testcase classname="{group}" name={_attribute(verdict.question)} time="{verdict.seconds:.6f}"'
    if verdict.status == "pass":
        yield f"{head}/>"
        return
    yield f"{head}>"
    words = _attribute(f"{verdict.status}: {verdict.detail or CAUSES.get(verdict.cause, '')}")
    if verdict.status in NOT_EXECUTED:
        yield f"<skipped message={words}/>"
    elif verdict.status in BROKEN:
        yield f"<failure type={_attribute(verdict.cause or verdict.status)} message={words}>"
        yield escape(_explained(verdict, run, suite))
        yield "</failure>"
    else:
        yield f"<system-out>{escape(clean(f'{verdict.status}: {verdict.detail}'))}</system-out>"
    yield "</testcase>"


def _attribute(text: str) -> str:
    return quoteattr(clean(text))


def _explained(verdict: Verdict, run: Run, suite: Suite) -> str:
    lines = failure_lines(verdict, run.header, suite, WIDTH)
    return "\n".join("".join(clean(segment.text) for segment in line).rstrip() for line in lines)


def tap(run: Run, suite: Suite) -> Iterator[str]:
    """Test Anything Protocol, version 14."""
    yield "TAP version 14"
    yield f"1..{run.header.planned}"
    for number, verdict in enumerate(run.verdicts, 1):
        good = verdict.status not in BROKEN
        directive = ""
        if verdict.status in NOT_EXECUTED:
            directive = f" # SKIP {verdict.status}: {_one_line(verdict)}"
        elif verdict.status == "known-fail":
            directive, good = f" # TODO {verdict.known}", False
        yield clean(f"{'ok' if good else 'not ok'} {number} - {verdict.question}{directive}")
        if verdict.status not in ("pass", "known-fail", *NOT_EXECUTED):
            yield "  ---"
            yield f"  status: {verdict.status}"
            yield f"  message: {json_line(_one_line(verdict), 'utf-8')}"
            yield f"  again: {json_line(repeat_command(verdict, run.header), 'utf-8')}"
            yield "  ..."


def _one_line(verdict: Verdict) -> str:
    return verdict.detail or CAUSES.get(verdict.cause, "") or STATUSES[verdict.status]


def markdown(run: Run, suite: Suite) -> Iterator[str]:
    """A table and the first failures, for a pull request or a job summary."""
    footer = run.footer
    yield f"### {_cell(run.header.implementation.get('name', ''))}: {footer.verdict if footer else 'incomplete'}"
    yield ""
    counts = counts_of(run.verdicts)
    columns = [status for status in STATUSES if counts[status] or status in ("pass", "fail", "not-run")]
    yield f"| protocol | questions | {' | '.join(columns)} |"
    yield f"|---|{'---:|' * (len(columns) + 1)}"
    for name, found in by_protocol(run.verdicts).items():
        cells = " | ".join(f"{found[status]:,}" for status in columns)
        yield f"| {name} | {sum(found.values()):,} | {cells} |"
    broken = [verdict for verdict in run.verdicts if verdict.status in BROKEN]
    if broken:
        yield ""
        yield "| question | status | what came | again |"
        yield "|---|---|---|---|"
    for verdict in broken[:SHOWN]:
        again = _cell(repeat_command(verdict, run.header))
        yield f"| {_cell(verdict.question)} | {verdict.status} | {_cell(_one_line(verdict))} | `{again}` |"
    if len(broken) > SHOWN:
        yield ""
        yield f"{len(broken) - SHOWN:,} more are not listed here."


def _cell(text: str) -> str:
    """Text that stays inside its cell, whatever an implementation has put into it."""
    safe = clean(str(text)).replace("\\", "\\\\").replace("|", "\\|").replace("`", "'")
    return safe.replace("<", "&lt;").replace("[", "\\[").replace("@", "@\u200b")


FORMATS: Final = {"json": json_form, "junit": junit, "tap": tap, "md": markdown}
