"""`wireproof doctor`: what is wrong with an adapter, and how to put it right."""

from __future__ import annotations

import shlex
import textwrap
import time
from collections.abc import Iterator
from typing import Any, Final

import click
import msgspec

from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.dump import Line
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.cli.verdict import counted
from wireproof_harness.doctor.examination import examine
from wireproof_harness.doctor.findings import STEPS, Finding, Report, Step
from wireproof_harness.doctor.languages import hints_for
from wireproof_harness.target import BadTarget, Target, target
from wireproof_harness.terminal import Screen, Segment, clean

COULD_NOT_START: Final = 3
MARKS: Final = {"ok": ("✓", "good"), "fault": ("✗", "fault"), "advice": ("!", "value"), "skipped": ("-", "label")}
LABEL: Final = 6


@click.command("doctor")
@click.argument("words", metavar="IMPL", nargs=-1)
@click.option("--listen", default="", metavar="ADDRESS", help="Wait here for an adapter that dials.")
@click.option("--timeout-scale", type=click.FloatRange(0.1, 100), default=1.0, help="Wait so many times as long.")
@as_json
@colored
@click.pass_context
def doctor(
    ctx: click.Context,
    words: tuple[str, ...],
    listen: str,
    timeout_scale: float,
    as_json: bool,
    color: bool | None,
) -> None:
    """Say what is wrong with an adapter, and how to fix it.

    IMPL is a command, a manifest (mine.toml), tcp://HOST:PORT, unix:///PATH, or `reference`.
    Put `--` before a command that has options of its own. It is started and asked a few
    easy things; a healthy one takes a second or two, and none more than ten.

    \b
    wireproof doctor python3 adapter.py
    wireproof doctor --json -- java -cp build Adapter

    Exit code: 0 healthy, 1 something is wrong, 2 usage, 3 it could not be started.
    """
    try:
        found = target(words, listen)
    except BadTarget as problem:
        raise click.UsageError(str(problem)) from None
    start = time.monotonic()
    report = examine(found, timeout_scale)
    seconds = time.monotonic() - start
    screen = Screen(color)
    if as_json:
        screen.json(_as_json(found, report, seconds))
    else:
        _show(screen, found, report, seconds)
    ctx.exit(_code(report))


def _code(report: Report) -> int:
    if not report.faults:
        return 0
    return COULD_NOT_START if report.faults[0].step == "start" else REJECTED


def _next(found: Target, report: Report) -> str:
    name = found.text if len(found.manifest.command) < 2 else f"-- {shlex.join(found.manifest.command)}"
    name = found.text if found.folder is not None or found.is_reference else name
    return f"wireproof {'doctor' if report.faults else 'check'} {name}"


def _show(screen: Screen, found: Target, report: Report, seconds: float) -> None:
    screen.line(Segment(found.text, "heading"))
    for step in report.steps:
        screen.line(*_step(step))
    for number, finding in enumerate(report.findings, 1):
        screen.line()
        screen.lines(_finding(number, finding, found, screen.width))
    screen.line()
    command = _next(found, report)
    if report.faults:
        count = counted(len(report.faults), "fault")
        advice = len(report.findings) - len(report.faults)
        count += f" and {counted(advice, 'advice') if advice == 1 else f'{advice} pieces of advice'}" if advice else ""
        screen.line(
            Segment(count, "fault"), Segment(f" in {seconds:.1f} s. Fix the first, then run "), _command(command)
        )
        return
    screen.line(Segment("healthy", "good"), Segment(f" in {seconds:.1f} s. Next: "), _command(command))


def _command(text: str) -> Segment:
    return Segment(text, "name")


def _step(step: Step) -> Line:
    mark, role = MARKS[step.state]
    words = "not looked at" if step.state == "skipped" else step.note
    return [Segment(f"  {mark} ", role), Segment(STEPS[step.name]), Segment(f"  {words}", "label")]


def _finding(number: int, finding: Finding, found: Target, width: int) -> Iterator[Line]:
    kind = Segment("advice: ", "value") if finding.advice else Segment("")
    yield [Segment(f"{number}. "), kind, Segment(finding.name, "heading" if finding.advice else "fault")]
    more = f" (and {finding.more} more like it)" if finding.more else ""
    yield from _entry("seen", finding.seen + more, width)
    yield from _entry("why", finding.why, width)
    yield from _entry("fix", finding.fix, width)
    for language, code in hints_for(finding.hints, found.manifest.command).items():
        yield [Segment(" " * (4 + LABEL)), Segment(f"{language}: ", "label"), Segment(code, "value")]


def _entry(label: str, text: str, width: int) -> Iterator[Line]:
    room = max(40, width - 4 - LABEL)
    for number, line in enumerate(textwrap.wrap(clean(text), room, break_on_hyphens=False)):
        yield [Segment(f"   {label if number == 0 else '':{LABEL}} ", "label"), Segment(line, "text")]


def _as_json(found: Target, report: Report, seconds: float) -> dict[str, Any]:
    return {
        "implementation": found.text,
        "healthy": not report.faults,
        "steps": [step._asdict() for step in report.steps],
        "findings": [{"advice": False, **msgspec.to_builtins(finding)} for finding in report.findings],
        "next": _next(found, report),
        "seconds": round(seconds, 3),
    }
