"""`wireproof runs`: many runs in tables, what they add up to, and reports from them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from wireproof_harness.cli.options import colored
from wireproof_harness.terminal import Screen, Segment, clean
from wireproof_reports.cli.onspark import form_option, on_spark, spark_options
from wireproof_reports.cli.report import written_lines
from wireproof_reports.cli.tabular import table_lines
from wireproof_reports.spark.session import SparkOptions
from wireproof_reports.spark.storage import SCHEME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

NAMES: Final = ("compliance", "history", "regressions", "flaky", "agreement", "latency", "coverage", "quarantine")
folder = click.argument("folder", metavar="DIR")


@click.group()
def runs() -> None:
    """Bring the logs of many runs into tables, and see what they add up to."""


@runs.command()
@click.argument("logs", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True), metavar="LOGS...")
@click.option("--into", required=True, metavar="DIR", help="The folder of the tables, wherever Spark can write.")
@form_option
@spark_options
@colored
def ingest(logs: tuple[Path, ...], into: str, form: str, spark: SparkOptions, color: bool | None) -> None:
    """Bring result logs into tables.

    LOGS are files, folders (every *.jsonl, *.jsonl.gz, *.zip and tar archive below them) and
    the archives that CI keeps. A run counts once, however often it is named; the log of a run
    that was killed counts as far as it goes, until a longer one comes. What is no log is
    put aside with the reason. An implementation is known by the name and the version that
    its adapter states.

    \b
    wireproof runs ingest .wireproof/results.jsonl --into runs
    wireproof runs ingest artefacts/ nightly.zip --into runs

    Exit code: 0 all were taken, 1 something was put aside, 2 usage, 4 error of Spark.
    """
    with on_spark(spark, "reading logs", small=True) as (session, _):
        from wireproof_reports.runs.ingest import ingest as ingested
        from wireproof_reports.runs.store import damage_told

        with damage_told():
            found = ingested(session, logs, into)
    screen = Screen(color)
    if form == "json":
        screen.json({**found._asdict(), "aside": [row._asdict() for row in found.aside]})
    else:
        screen.line(
            Segment(
                f"{found.new:,} new, {found.longer:,} longer than before, {found.again:,} there already", "heading"
            ),
            Segment(f"; tables in {clean(into)}"),
        )
        if found.unfinished:
            screen.line(Segment(f"{found.unfinished:,} of these runs did not come to their end", "warn"))
        for file, reason in found.aside:
            screen.line(Segment("put aside: ", "fault"), Segment(clean(f"{file}: {reason}")))
    if found.aside:
        raise SystemExit(1)


@runs.command()
@click.argument("name", type=click.Choice(NAMES), metavar="NAME")
@folder
@click.option("--where", metavar="CONDITION", help="Only such rows, in SQL.")
@form_option
@spark_options
@colored
def table(name: str, folder: str, where: str | None, form: str, spark: SparkOptions, color: bool | None) -> None:
    """Print a table about the runs in DIR.

    \b
    compliance   each clause, by implementation, version and profile
    history      each run, in the order of time
    regressions  what became worse, better or was lost from run to run
    flaky        what runs alike answered differently
    agreement    who decodes what whom encodes
    latency      how long questions took
    coverage     what each run executed on each clause
    quarantine   what was no log, and why

    Runs under other profiles and of other suites are never compared or added up.

    \b
    wireproof runs table agreement runs
    wireproof runs table compliance runs --where "state in ('failing', 'not-exercised')"
    wireproof runs table regressions runs --format json | jq 'select(.change == "worse")'

    Exit code: 0 the table was printed, 2 usage, 4 error of Spark.
    """
    _there(folder)
    with on_spark(spark, "adding up", small=True) as (session, _):
        from wireproof_reports.runs.store import damage_told

        with damage_told():
            asked = _table(session, name, folder)
            wanted = asked if where is None else _chosen(asked, where)
            rows = [row.asDict(recursive=True) for row in wanted.collect()]
    screen = Screen(color)
    if form == "json":
        for row in rows:
            screen.json(row)
    else:
        screen.lines(table_lines(rows))
        screen.line(Segment(f"{len(rows):,} {'row' if len(rows) == 1 else 'rows'}", "label"))


def _there(folder: str) -> None:
    """Say that there is nothing before Spark has started, where that can be told."""
    if not SCHEME.match(folder) and not Path(folder).is_dir():
        raise click.UsageError(f"there is no folder {folder}. Make it: wireproof runs ingest LOGS --into {folder}")


def _table(session: SparkSession, name: str, folder: str) -> DataFrame:
    from wireproof_reports.runs.store import quarantine, tables
    from wireproof_reports.runs.tables import TABLES

    return quarantine(session, folder) if name == "quarantine" else TABLES[name](*tables(session, folder))


def _chosen(asked: DataFrame, where: str) -> DataFrame:
    import logging

    from pyspark.errors import AnalysisException, ParseException

    logger = logging.getLogger("SQLQueryContextLogger")
    logger.disabled = True  # PySpark would tell about it on a page
    try:
        return asked.where(where)
    except (AnalysisException, ParseException):
        columns = ", ".join(asked.columns)
        raise click.UsageError(f"--where {where!r} is no condition. The columns are {columns}.") from None
    finally:
        logger.disabled = False


@runs.command()
@folder
@click.option("--run", "run", required=True, metavar="ID", help="The run, or the beginning of its id.")
@click.option("--out", required=True, type=click.Path(path_type=Path), metavar="DIR", help="Where to write it.")
@spark_options
@colored
def report(folder: str, run: str, out: Path, spark: SparkOptions, color: bool | None) -> None:
    """Write report.html, report.md and report.json about one run in DIR.

    They are those that `wireproof report build` writes from its log.

    \b
    wireproof runs table history runs
    wireproof runs report runs --run 3f2a --out public

    Exit code: 0 the report was written, whatever it says; 2 usage, 4 error of Spark.
    """
    _there(folder)
    with on_spark(spark, "adding up", small=True) as (session, _):
        from wireproof_reports.runs.model import write_report_from
        from wireproof_reports.runs.store import damage_told, tables

        with damage_told():
            written = write_report_from(tables(session, folder), run, out)
    Screen(color).lines(written_lines(written))
