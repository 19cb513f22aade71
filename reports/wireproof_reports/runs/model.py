"""The report on a run, from tables: what is collected are counts, and the verdicts that did not pass."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Final

import msgspec
from pyspark.sql import DataFrame, Row
from pyspark.sql import functions as fn

from wireproof.suite import Suite, load_suite
from wireproof.verdict.statuses import EXECUTED
from wireproof_harness.results import BadLog, Footer, Header, Run, Verdict
from wireproof_reports.build import Written, write_files
from wireproof_reports.findings import SHOWN
from wireproof_reports.model import ReportModel, model_of
from wireproof_reports.runs.store import Tables
from wireproof_reports.soundness import planned_questions
from wireproof_reports.tally import EXAMPLES, Cell, Cited, Counted, Left, Sample

_TEXTS: Final = ("request", "answer")


def report_from(tables: Tables, run: str, suite: Suite | None) -> ReportModel:
    """The report on one run; BadLog if there is none with this id."""
    return model_of(counted_from(tables, run, suite), suite)


def write_report_from(tables: Tables, run: str, out: Path) -> Written:
    """Write report.html, report.md and report.json about one run."""
    suite = load_suite()
    counted = counted_from(tables, run, suite)
    return write_files(model_of(counted, suite), Run(counted.header, counted.shown, counted.footer), suite, out)


def counted_from(tables: Tables, run: str, suite: Suite | None) -> Counted:
    """The verdicts of a run, counted where they are. The beginning of its id is enough."""
    row = _named(tables.runs, run)
    header = msgspec.json.decode(row.header, type=Header)
    verdicts = tables.verdicts.where(fn.col("run") == row.run)
    return Counted(
        header=header,
        footer=None if row.footer is None else msgspec.json.decode(row.footer, type=Footer),
        cells=_cells(verdicts),
        cited=_cited(verdicts),
        left=_left(verdicts),
        shown=_shown(verdicts),
        unreported=_unreported(verdicts, header, suite) if row.reported != row.planned else {},
    )


def _named(runs: DataFrame, run: str) -> Row:
    rows = runs.where(fn.col("run").startswith(run)).limit(2).collect()
    if len(rows) != 1:
        what = "several runs begin" if rows else "no run begins"
        raise BadLog(f"{what} with {run[:64]!r}. `wireproof runs table history` lists them.")
    return rows[0]


def _cells(verdicts: DataFrame) -> dict[Cell, int]:
    return {Cell(*row[:-1]): row[-1] for row in verdicts.groupBy(*Cell._fields).count().collect()}


def _cited(verdicts: DataFrame) -> dict[Cited, int]:
    rows = verdicts.groupBy(*Cited._fields).count().collect()
    return {Cited(row.protocol, tuple(row.clauses), row.status): row[-1] for row in rows}


def _left(verdicts: DataFrame) -> dict[Left, Sample]:
    places = fn.array_sort(fn.collect_list(fn.struct("place", "question")))
    groups = verdicts.where(~fn.col("status").isin(*EXECUTED)).groupBy(*Left._fields)
    rows = groups.agg(fn.count("place").alias("number"), fn.slice(places, 1, EXAMPLES).alias("first")).collect()
    return {
        Left(row.status, row.cause, row.detail, row.protocol): Sample(row.number, [tuple(each) for each in row.first])
        for row in rows
    }


def _shown(verdicts: DataFrame) -> list[Verdict]:
    rows = verdicts.where(fn.col("status").isin(*SHOWN)).orderBy("place").collect()
    return [_verdict(row) for row in rows]


def _verdict(row: Row) -> Verdict:
    fields = {name: row[name] for name in Verdict.__struct_fields__}
    fields |= {name: json.loads(row[name]) for name in _TEXTS if row[name] is not None}
    return Verdict(**fields)


def _unreported(verdicts: DataFrame, header: Header, suite: Suite | None) -> dict[str, int]:
    """By protocol what was planned and has no verdict; empty if something else has one."""
    planned = planned_questions(header, suite)
    if not planned:
        return {}
    plan = verdicts.sparkSession.createDataFrame(list(planned.items()), "question string, planned string")
    both = plan.join(verdicts.select("question", "status"), "question", "full")
    rows = both.where("planned is null or status is null").groupBy("planned").count().collect()
    missing = Counter({row.planned: row[-1] for row in rows})
    return {} if None in missing else dict(missing)
