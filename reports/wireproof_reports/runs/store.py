"""The folder the tables of runs are in, wherever Spark can write; paths are Hadoop's.

runs/run=ID/          what a run was
verdicts/run=ID/      its verdicts
quarantine.json       what was put aside, and why: an object a line
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

import msgspec
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from wireproof_harness.results import BadLog
from wireproof_reports.runs.schemas import QUARANTINE, RUNS, VERDICTS, shaped
from wireproof_reports.runs.sources import Aside
from wireproof_reports.spark.storage import StorageError, exists, join, located, read, remove, write

TABLES: Final = {"runs": RUNS, "verdicts": VERDICTS}
_ASIDE: Final = "quarantine.json"
_DAMAGED: Final = re.compile(r"while reading file (\S+/run=([0-9a-f]+)/\S+\.parquet)")


class Tables(NamedTuple):
    """What was ingested so far."""

    verdicts: DataFrame
    runs: DataFrame


def tables(spark: SparkSession, out: str) -> Tables:
    """The tables in a folder; BadLog if nothing was ingested into it, StorageError if a part of them is gone.

    Verdicts of no run are not there: whoever wrote them was interrupted.
    """
    if not exists(spark, join(out, "runs")):
        raise BadLog(f"there are no runs in {out}. Bring logs into it: wireproof runs ingest LOGS --into {out}")
    runs = table(spark, out, "runs")
    verdicts = table(spark, out, "verdicts").join(runs.select("run"), "run", "left_semi")
    # Spark takes an empty file, and one that is gone, for a table with fewer rows.
    counts = runs.select("run", "reported").join(verdicts.groupBy("run").count(), "run", "left").fillna(0, "count")
    for row in counts.where("count != reported").limit(1).collect():
        raise StorageError(f"{row['count']:,} of the {row.reported:,} verdicts of a run are there. {_again(row.run)}")
    return Tables(verdicts, runs)


def _again(run: str) -> str:
    return f"Remove both folders run={run} in the tables, and ingest the log of this run again."


def table(spark: SparkSession, out: str, name: str) -> DataFrame:
    """A table as it is; empty if it was never written."""
    folder = join(out, name)
    if not exists(spark, folder):
        return spark.createDataFrame([], TABLES[name])
    return shaped(spark.read.schema(TABLES[name]).parquet(located(folder)), TABLES[name])


def save(frame: DataFrame, out: str, name: str) -> None:
    """Write runs, each in place of what was there of it."""
    writer = frame.write.mode("overwrite").option("partitionOverwriteMode", "dynamic")
    writer.partitionBy("run").parquet(located(join(out, name)))


def drop(spark: SparkSession, out: str, run: str) -> None:
    """Remove a run: first that it is there, then its verdicts."""
    for name in TABLES:
        remove(spark, join(out, f"{name}/run={run}"))


def put_aside(spark: SparkSession, out: str) -> list[Aside]:
    """What was put aside so far."""
    path = join(out, _ASIDE)
    if not exists(spark, path):
        return []
    try:
        return [Aside(**msgspec.json.decode(line, type=dict[str, str])) for line in read(spark, path).split(b"\n")[:-1]]
    except (msgspec.DecodeError, TypeError) as problem:
        raise StorageError(
            f"{path} cannot be read: {problem}. Remove it, and ingest what it was about again."
        ) from None


def save_aside(spark: SparkSession, out: str, rows: Iterable[Aside]) -> None:
    lines = [msgspec.json.encode(row._asdict()) + b"\n" for row in rows]
    write(spark, join(out, _ASIDE), b"".join(lines))


def quarantine(spark: SparkSession, out: str) -> DataFrame:
    return spark.createDataFrame(sorted(put_aside(spark, out)), QUARANTINE)


@contextmanager
def damage_told() -> Iterator[None]:
    """A file of the tables that cannot be read, and how to get it back."""
    try:
        yield
    except (PySparkException, Py4JError) as problem:
        found = _DAMAGED.search(str(problem))
        if found is None:
            raise
        raise StorageError(f"{found[1]} cannot be read. {_again(found[2])}") from problem
