"""One check from beginning to end: reach an implementation, plan, ask, judge, log, close. No printing here."""

from __future__ import annotations

import platform
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from wireproof import __version__
from wireproof.errors import WireproofError
from wireproof.profile import Settings
from wireproof.suite.model import Suite
from wireproof_harness.baseline import Baseline
from wireproof_harness.claims import Claims
from wireproof_harness.plan import Plan, Selection, as_json, plan
from wireproof_harness.results import (
    EXIT_CODES,
    Footer,
    Header,
    Log,
    Run,
    Verdict,
    counts_of,
    read_log,
    verdict_of,
    whole_lines,
)
from wireproof_harness.runner import Progress, Runner
from wireproof_harness.supervisor import Asker
from wireproof_harness.target import Target


class CannotResume(WireproofError):
    """A log that another run has written, and what to do."""


class NothingSelected(WireproofError):
    """No vector is as described."""


class Settled(msgspec.Struct, frozen=True, kw_only=True):
    """Everything a check depends on."""

    target: Target
    log: Path
    selection: Selection = Selection()
    declared: dict[str, Settings] = {}
    baseline: Baseline | None = None
    seed: int = 0
    scale: float = 1.0
    sandbox: bool = False
    strict: bool = False
    resume: bool = False


def check(
    settled: Settled,
    suite: Suite,
    *,
    started: Callable[[Claims, Plan], None] = lambda claims, plan: None,
    progress: Progress = lambda done, counts: None,
) -> Run:
    """Ask all that is selected; the run as its log tells it."""
    begun = time.monotonic()
    asker = settled.target.open(scale=settled.scale, sandbox=settled.sandbox)
    try:
        claims = asker.start()
        planned = plan(suite, claims, settled.selection, settled.declared)
        if not planned.questions:
            raise NothingSelected("no vector is as selected; `wireproof list` shows what there is")
        started(claims, planned)
        header = header_of(settled, suite, asker, claims, planned)
        log, done = _open_log(settled, header)
        runner = Runner(
            planned,
            asker,
            claims,
            log,
            baseline=settled.baseline,
            seed=settled.seed,
            done=done,
            progress=progress,
        )
        try:
            runner.run()
        except BaseException:
            log.close()  # what there is stays, and the run can be resumed
            raise
        footer = _footer(settled, runner, time.monotonic() - begun)
        log.write(footer)
        log.close()
        return Run(header, runner.verdicts, footer)
    finally:
        asker.close()


def header_of(settled: Settled, suite: Suite, asker: Asker, claims: Claims, planned: Plan) -> Header:
    implementation: dict[str, Any] = msgspec.to_builtins(claims)
    return Header(
        suite=__version__,
        digest=suite.digest,
        target=settled.target.text,
        implementation=implementation,
        profiles=planned.profiles,
        selection=as_json(settled.selection),
        baseline=settled.baseline.name if settled.baseline else "",
        seed=settled.seed,
        strict=settled.strict,
        timeout=settled.target.limits(settled.scale).timeout,
        planned=planned.size,
        protections=asker.protections,
        platform=f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _open_log(settled: Settled, header: Header) -> tuple[Log, list[Verdict]]:
    if settled.resume and settled.log.exists() and whole_lines(settled.log):
        before = read_log(settled.log)
        if before.footer is not None:
            raise CannotResume(f"{settled.log} is of a run that came to its end: leave --resume out to run again.")
        if _comparable(before.header) != _comparable(header):
            raise CannotResume(
                f"{settled.log} is of another run ({_difference(before.header, header)} differs): "
                "leave --resume out to begin anew, or name another --log."
            )
        with settled.log.open("r+b") as file:
            file.truncate(whole_lines(settled.log))
        return Log(settled.log, append=True), before.verdicts
    log = Log(settled.log)
    log.write(header)
    log.flush()
    return log, []


def _comparable(header: Header) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(header))  # a log knows lists only, not tuples
    return {key: value for key, value in found.items() if key not in ("started", "platform")}


def _difference(before: Header, now: Header) -> str:
    one, other = _comparable(before), _comparable(now)
    return ", ".join(key for key in one if one[key] != other[key])


def _footer(settled: Settled, runner: Runner, seconds: float) -> Footer:
    counts = counts_of(runner.verdicts)
    verdict = verdict_of(counts, runner.plan.size, strict=settled.strict)
    stale = settled.baseline.stale if settled.baseline and settled.selection.is_everything else []
    return Footer(
        counts=counts,
        verdict=verdict,
        exit_code=EXIT_CODES[verdict],
        stale=stale,
        restarts=runner.asker.restarts,
        stopped=runner.asker.stopped,
        seconds=round(seconds, 3),
    )
