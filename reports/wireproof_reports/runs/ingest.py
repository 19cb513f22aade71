"""From result logs to tables: every run once, and whatever is no run put aside with a reason.

Logs are read on the workers, once to see what they are and once to write the verdicts of those
that are new. `verdicts` is written before `runs`, and a run counts from the moment it is in
`runs`: whoever is interrupted ingests again, and nothing is lost or there twice.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import DataFrame, Row, SparkSession

from wireproof_harness.results import BadLog
from wireproof_reports.runs.logs import LOOKED, SOURCES, chain, looked_at, taken, verdict_rows
from wireproof_reports.runs.schemas import QUARANTINE, RUNS, VERDICTS, shaped
from wireproof_reports.runs.sources import Aside, Source, find

Begins = Callable[[Row, Row], bool]


class Tables(NamedTuple):
    """What was ingested so far."""

    runs: DataFrame
    verdicts: DataFrame


class Ingested(NamedTuple):
    """What became of the logs."""

    new: int
    again: int
    """Logs of runs that are there already, or that another log has more of."""
    replaced: int
    """Runs of which a longer log has come."""
    aside: list[Aside]


def ingest(spark: SparkSession, paths: Iterable[Path], out: Path) -> Ingested:
    """Bring logs into the tables under `out`; BadLog if there is nothing to be read at all."""
    named = [path.absolute() for path in paths]
    sources, aside = find(named)
    if not sources and not aside:
        raise BadLog("no log was named. Name logs that `wireproof check` has written, or folders of them.")
    looked = _spread(spark, [(*source, "", 0) for source in sources]).mapInArrow(looked_at, LOOKED).collect()
    looked.sort(key=lambda row: row.source)
    aside += [Aside(row.source, row.reason) for row in looked if row.reason is not None]
    found = [row for row in looked if row.reason is None]
    known = _read(spark, out, "runs").collect()
    new, gone = settle(known, found, _begins(spark, out))
    _write(spark, new, out)
    for run in gone:
        for table in ("runs", "verdicts"):
            shutil.rmtree(out / table / f"run={run}", ignore_errors=True)
    _put_aside(spark, named, aside, out)
    return Ingested(len(new), len(found) - len(new), len(gone), aside)


def settle(known: Iterable[Row], found: Iterable[Row], begins: Begins) -> tuple[list[Row], list[str]]:
    """Which of the found runs are to be written, and which of the known ones they replace."""
    there = {row.run: row for row in known}
    best = dict(there)
    for row in found:
        if row.run not in best or (row.finished and not best[row.run].finished):
            best[row.run] = row
    groups: dict[str, list[Row]] = {}
    for row in sorted(best.values(), key=lambda row: (-row.reported, row.run)):
        longer = groups.setdefault(row.header, [])
        if not any(begins(row, other) for other in longer):
            longer.append(row)
    kept = {row.run: row for rows in groups.values() for row in rows}
    new = [row for run, row in kept.items() if there.get(run) is not row]
    return new, [run for run in there if run not in kept]


def _begins(spark: SparkSession, out: Path) -> Begins:
    def begins(short: Row, long: Row) -> bool:
        """Whether one run, killed and resumed, became the other; their headers are the same."""
        if not short.reported:
            return True
        if "path" in long:
            chains = taken(Source(long.source, long.path, long.member)).chains
            return bool(chains[short.reported - 1] == chain(short.run))
        verdicts = _read(spark, out, "verdicts")
        at = verdicts.where((verdicts.run == long.run) & (verdicts.place == short.reported - 1)).select("chain")
        return [row.chain for row in at.collect()] == [chain(short.run)]

    return begins


def _spread(spark: SparkSession, rows: list[tuple[Any, ...]]) -> DataFrame:
    """Sources, as evenly over the workers as there are any."""
    tasks = max(1, min(len(rows), 4 * spark.sparkContext.defaultParallelism))
    return spark.createDataFrame(rows, SOURCES).repartition(tasks)


def _write(spark: SparkSession, new: list[Row], out: Path) -> None:
    if not new:
        return
    sources = [(row.source, row.path, row.member, row.run, row.reported) for row in new]
    _save(_spread(spark, sources).mapInArrow(verdict_rows, VERDICTS), out / "verdicts")
    _save(shaped(spark.createDataFrame(new, LOOKED), RUNS).coalesce(1), out / "runs")


def _save(frame: DataFrame, folder: Path) -> None:
    writer = frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
    writer.partitionBy("run").parquet(str(folder.absolute()))


def _put_aside(spark: SparkSession, named: list[Path], aside: list[Aside], out: Path) -> None:
    """Replace what was said of these paths before, and keep what was said of others."""
    here = tuple(f"{path}{mark}" for path in named for mark in ("/", "!"))
    same = {str(path) for path in named}
    before = [Aside(*row) for row in _read(spark, out, "quarantine").collect()]
    kept = [row for row in before if row.file not in same and not row.file.startswith(here)]
    fresh = out / "quarantine.new"
    shutil.rmtree(fresh, ignore_errors=True)
    rows = sorted({*kept, *aside})
    spark.createDataFrame(rows, QUARANTINE).coalesce(1).write.mode("overwrite").parquet(str(fresh.absolute()))
    shutil.rmtree(out / "quarantine", ignore_errors=True)
    fresh.rename(out / "quarantine")


_SCHEMAS = {"runs": RUNS, "verdicts": VERDICTS, "quarantine": QUARANTINE}


def _read(spark: SparkSession, out: Path, table: str) -> DataFrame:
    folder, schema = out / table, _SCHEMAS[table]
    if not folder.is_dir():
        return spark.createDataFrame([], schema)
    return shaped(spark.read.schema(schema).parquet(str(folder.absolute())), schema)


def tables(spark: SparkSession, out: Path) -> Tables:
    """The tables in a folder; BadLog if nothing was ingested into it. Verdicts of no run are not there."""
    if not (out / "runs").is_dir():
        raise BadLog(f"there are no runs in {out}. Bring logs into it: wireproof runs ingest LOGS --into {out}")
    runs = _read(spark, out, "runs")
    return Tables(runs, _read(spark, out, "verdicts").join(runs.select("run"), "run", "left_semi"))


def quarantine(spark: SparkSession, out: Path) -> DataFrame:
    return _read(spark, out, "quarantine").orderBy("file")
