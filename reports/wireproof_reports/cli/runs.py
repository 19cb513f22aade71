"""`wireproof runs`: many runs in tables, what they add up to, and reports from them."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from wireproof_harness.cli.options import colored
from wireproof_harness.results import CONFORMS
from wireproof_harness.terminal import Screen, Segment
from wireproof_reports.cli.onspark import form_option, on_spark, spark_options
from wireproof_reports.cli.tabular import table_lines
from wireproof_reports.spark.session import SparkOptions

NAMES: Final = ("compliance", "history", "regressions", "flaky", "agreement", "latency", "coverage", "quarantine")
folder = click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")


@click.group()
def runs() -> None:
    """Bring the logs of many runs into tables, and see what they add up to."""


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
    with on_spark(spark, "reading logs", small=True) as (session, _):
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
@form_option
@spark_options
@colored
def table(name: str, folder: Path, form: str, spark: SparkOptions, color: bool | None) -> None:
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
    with on_spark(spark, "adding up", small=True) as (session, _):
        from wireproof_reports.runs.ingest import quarantine, tables
        from wireproof_reports.runs.tables import TABLES

        ingested = tables(session, folder)
        asked = quarantine(session, folder) if name == "quarantine" else TABLES[name](ingested.verdicts, ingested.runs)
        rows = [row.asDict(recursive=True) for row in asked.collect()]
    screen = Screen(color)
    if form == "json":
        for row in rows:
            screen.json(row)
    else:
        screen.lines(table_lines(rows))
        screen.line(Segment(f"{len(rows):,} rows", "label"))


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
    with on_spark(spark, "adding up", small=True) as (session, _):
        from wireproof_reports.runs.ingest import tables
        from wireproof_reports.runs.model import write_report_from

        written = write_report_from(tables(session, folder), run, out)
    screen = Screen(color)
    screen.line(Segment(written.verdict_line, "good" if written.verdict == CONFORMS else "fault"))
    screen.line(Segment("page: ", "label"), Segment(str(written.page)))
