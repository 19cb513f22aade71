"""Runs for tests of tables: as logs in files, and as rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wireproof_harness.results import Log, Run

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

Row = dict[str, Any]
NOTHING: tuple[Any, ...] = (0, None, "", [])


def write_log(run: Run, path: Path) -> Path:
    log = Log(path)
    log.write(run.header)
    for verdict in run.verdicts:
        log.write(verdict)
    if run.footer is not None:
        log.write(run.footer)
    log.close()
    return path


def a_run(name: str, **facts: Any) -> Row:
    """A run that began when its name says: r1 before r2."""
    same = {"implementation": "A", "version": "1", "digest": "d", "planned": 0, "finished": True, "verdict": "conforms"}
    return {"run": name, "started": name, **same, **facts}


def a_verdict(run: str, question: str, status: str = "pass", **facts: Any) -> Row:
    vector, _, mode = question.partition("/")
    same = {"profile": "standard", "protocol": "comet", "kind": "accept", "clauses": ["COMET-3.8"], "place": 0}
    cause = {"pass": "", "unexpected-pass": "", "unsupported": "unclaimed", "not-run": "stopped"}.get(status, "value")
    asked = {"question": question, "vector": vector, "mode": mode, "status": status, "cause": cause, "requests": 1}
    return {"run": run, **same, **asked, **facts}


def frames(spark: SparkSession, runs: list[Row], verdicts: list[Row]) -> tuple[DataFrame, DataFrame]:
    """Verdicts and runs as tables; what a row does not state is null."""
    from wireproof_reports.runs.schemas import RUNS, VERDICTS

    def table(rows: list[Row], schema: StructType) -> DataFrame:
        return spark.createDataFrame([tuple(row.get(name) for name in schema.names) for row in rows], schema)

    return table(verdicts, VERDICTS), table(runs, RUNS)


def said(table: DataFrame) -> list[Row]:
    """The rows in their order, each without what is null, empty or 0."""
    rows = [row.asDict(recursive=True) for row in table.collect()]
    return [{name: value for name, value in row.items() if value not in NOTHING} for row in rows]
