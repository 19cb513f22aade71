"""`wireproof runs`: many runs in tables, what they add up to, and reports from them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from wireproof.errors import WireproofError
from wireproof_harness.cli.options import colored
from wireproof_harness.results import CONFORMS, BadLog
from wireproof_harness.terminal import Screen, Segment, cells, clean, fit
from wireproof_reports.spark.options import spark_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.spark.session import SparkOptions

NAMES: Final = ("compliance", "history", "regressions", "flaky", "agreement", "latency", "coverage", "quarantine")
WIDEST: Final = 44
"""Columns a value takes on a terminal; programs get all of it."""
folder = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")


@click.group()
def runs() -> None:
    """Bring the logs of many runs into tables, and see what they add up to."""


@contextmanager
def _session(options: SparkOptions, *, small: bool) -> Iterator[SparkSession]:
    """A session in which whatever goes wrong is told in a sentence."""
    from wireproof_reports.spark.failure import told
    from wireproof_reports.spark.session import spark_session

    try:
        with spark_session(options, small=small) as session, told():
            yield session
    except BadLog as problem:
        raise click.UsageError(str(problem)) from None
    except WireproofError as problem:
        raise click.ClickException(str(problem)) from None
    except OSError as problem:
        raise click.ClickException(f"{problem.filename or 'a file'}: {problem.strerror}") from None


@runs.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="LOGS...")
@click.option("--into", required=True, type=click.Path(path_type=Path), metavar="DIR", help="The folder of the tables.")
@spark_options
@colored
def ingest(logs: tuple[Path, ...], into: Path, spark: SparkOptions, color: bool | None) -> None:
    """Bring result logs into tables.

    LOGS are files, folders (every *.jsonl, *.jsonl.gz and *.zip below them) and the zip
    archives that CI keeps. A run counts once, however often it is named; the log of a run
    that was killed counts as far as it goes, until a longer one comes. What is no log is
    put aside with the reason.

    \b
    wireproof runs ingest .wireproof/results.jsonl --into runs
    wireproof runs ingest artefacts/ nightly.zip --into runs

    Exit code: 0 all were taken, 1 something was put aside, 2 usage.
    """
    with _session(spark, small=True) as session:
        from wireproof_reports.runs.ingest import ingest as ingested

        found = ingested(session, logs, into)
    screen = Screen(color)
    screen.line(
        Segment(f"{found.new:,} new, {found.again:,} there already, {found.replaced:,} replaced by a longer log")
    )
    for file, reason in found.aside:
        screen.line(Segment("put aside: ", "fault"), Segment(f"{file}: {reason}"))
    if found.aside:
        raise SystemExit(1)


@runs.command()
@click.argument("name", type=click.Choice(NAMES), metavar="NAME")
@folder
@click.option(
    "--format", "form", type=click.Choice(["pretty", "json"]), help="For people, or lines of JSON; by the terminal."
)
@spark_options
@colored
def table(name: str, folder: Path, form: str | None, spark: SparkOptions, color: bool | None) -> None:
    """Print a table about the runs in DIR.

    \b
    compliance   each clause, by implementation and version
    history      each run, in the order of time
    regressions  what became worse or better from run to run
    flaky        what runs alike answered differently
    agreement    who decodes what whom encodes
    latency      how long questions took
    coverage     what each run executed on each clause
    quarantine   what was no log, and why

    \b
    wireproof runs table agreement runs
    wireproof runs table regressions runs --format json | jq 'select(.change == "worse")'
    """
    with _session(spark, small=True) as session:
        from wireproof_reports.runs.ingest import quarantine, tables
        from wireproof_reports.runs.tables import TABLES

        ingested = tables(session, folder)
        asked = quarantine(session, folder) if name == "quarantine" else TABLES[name](ingested.verdicts, ingested.runs)
        columns, rows = asked.columns, [row.asDict(recursive=True) for row in asked.collect()]
    screen = Screen(color)
    if (form or ("pretty" if screen.is_terminal else "json")) == "json":
        for row in rows:
            screen.json(row)
    else:
        screen.lines(_table(columns, rows))


def _table(columns: list[str], rows: list[dict[str, Any]]) -> Iterator[list[Segment]]:
    """Columns in which no row has anything but 0 are left out: most statuses are rare."""
    shown = [name for name in columns if not rows or any(row[name] not in (0, None, "") for row in rows)]
    texts = [[_text(row[name]) for name in shown] for row in rows]
    widths = [
        min(WIDEST, max([cells(name), *(cells(line[place]) for line in texts)])) for place, name in enumerate(shown)
    ]
    yield [Segment(fit(name, width) + "  ", "heading") for name, width in zip(shown, widths, strict=True)]
    for row, line in zip(rows, texts, strict=True):
        yield [
            Segment((text.rjust(width) if _is_number(row[name]) else fit(text, width)) + "  ")
            for name, text, width in zip(shown, line, widths, strict=True)
        ]
    yield [Segment(f"{len(rows):,} rows", "label")]


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return clean(json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6f}" if isinstance(value, float) else clean("" if value is None else str(value))


@runs.command()
@folder
@click.option("--run", "run", required=True, metavar="ID", help="The run, or the beginning of its id.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where to write it.")
@spark_options
@colored
def report(folder: Path, run: str, out: Path, spark: SparkOptions, color: bool | None) -> None:
    """Write report.html, report.md and report.json about one run in DIR.

    They are those that `wireproof report build` writes from its log.

    \b
    wireproof runs report runs --run 3f2a --out public
    """
    with _session(spark, small=True) as session:
        from wireproof_reports.runs.ingest import tables
        from wireproof_reports.runs.model import write_report_from

        written = write_report_from(tables(session, folder), run, out)
    screen = Screen(color)
    screen.line(Segment(written.verdict_line, "good" if written.verdict == CONFORMS else "fault"))
    screen.line(Segment("page: ", "label"), Segment(str(written.page)))
