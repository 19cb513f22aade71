"""`wireproof report`: what a run has shown, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from wireproof_harness.cli.options import colored
from wireproof_harness.cli.suite import told
from wireproof_harness.results import CONFORMS, BadLog
from wireproof_harness.terminal import Screen, Segment

if TYPE_CHECKING:
    from wireproof_reports.build import Written

LOG: Final = Path(".wireproof/results.jsonl")
OUT: Final = Path(".wireproof/report")


@click.group()
def report() -> None:
    """Turn the results of runs into reports."""


@report.command()
@click.argument("log", type=click.Path(path_type=Path), default=LOG, metavar="[LOG]")
@click.option(
    "--out", type=click.Path(path_type=Path), default=OUT, metavar="DIR", help=f"Where to write it, {OUT} by default."
)
@colored
def build(log: Path, out: Path, color: bool | None) -> None:
    """Write report.html, report.md and report.json about one run.

    LOG is the result log that `wireproof check` has written, .wireproof/results.jsonl by
    default. The page needs no network; the log of a run that was killed gives one too,
    which says what is missing.

    \b
    wireproof report build
    wireproof report build results.jsonl --out public

    Exit code: 0 the report was written, whatever it says; 2 the log cannot be used.
    """
    from wireproof_reports.build import write_report

    try:
        with told():
            written = write_report(log, out)
    except BadLog as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise click.UsageError(f"cannot write to {out}: {problem.strerror}. Name another folder with --out.") from None
    Screen(color).lines(written_lines(written))


def written_lines(written: Written) -> Iterator[list[Segment]]:
    """What a report that was written says, where it is, and what to look at first."""
    from wireproof_reports.headline import NOTHING

    yield [Segment(written.verdict_line, "good" if written.verdict == CONFORMS else "fault")]
    yield [Segment("page: ", "label"), Segment(str(written.page))]
    yield [Segment(written.first, "good" if written.first == NOTHING else "")]
