"""Ingestion and tables on a real cluster, and where tasks fail: the same rows as anywhere."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.runlogs import write_log
from tests.standalone import ON_CLUSTER, cluster
from tests.test_spark_cluster import bare_python
from wireproof_harness.results import Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]

NAMES = ("compliance", "history", "regressions", "flaky", "agreement", "latency", "coverage")
DRIVER = """
import json, sys
from tests.test_runs_cluster import added_up
from wireproof_reports.runs import ingest
from wireproof_reports.spark.session import SparkOptions, spark_session

def half_done(function):
    # Defined in the driver's own file, so that it reaches the workers.
    def once(batches):
        from pyspark import TaskContext
        found = list(function(batches))
        yield from found[:1]
        if TaskContext.get().attemptNumber() == 0:
            raise OSError("the first attempt fails")
        yield from found[1:]
    return once

master, conf, fails, names, logs, out = json.loads(sys.argv[1])
if fails:
    ingest.looked_at, ingest.verdict_rows = half_done(ingest.looked_at), half_done(ingest.verdict_rows)
with spark_session(SparkOptions(master, tuple(conf.items())), small=True) as spark:
    print(json.dumps(added_up(spark, names, logs, out)))
"""
"""What `added_up` gives, from a session of its own; if asked, the first attempt of every task fails half-way."""


def added_up(spark: SparkSession, names: list[str], logs: list[str], out: str) -> Any:
    """What becomes of logs, and the rows of tables."""
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import quarantine, tables
    from wireproof_reports.runs.tables import TABLES

    found = ingest(spark, map(Path, logs), out)
    there = tables(spark, out)
    rows = {name: [tuple(row) for row in TABLES[name](*there).collect()] for name in names}
    rows["quarantine"] = [tuple(row) for row in quarantine(spark, out).collect()]
    rows["verdicts"] = sorted(tuple(row) for row in there.verdicts.drop("seconds").collect())
    return json.loads(json.dumps([found, rows]))


def driven(
    master: str, conf: dict[str, str], names: list[str], logs: list[str], out: Path, *, fails: bool = False
) -> Any:
    """The same in a process of its own."""
    asked = json.dumps([master, conf, fails, names, logs, str(out)])
    done = subprocess.run(
        [sys.executable, "-c", DRIVER, asked],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=Path(__file__).parents[1],
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def logs(run_of: Callable[..., Run], tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """One implementation twice, worse the second time and flaky, another one, a killed run, and no log."""
    folder = tmp_path_factory.mktemp("logs")

    def change(question: Any, number: int) -> dict[str, Any]:
        return {"status": "fail", "cause": "value"} if number % 9 == 4 else {"seconds": number / 1000}

    made = [
        run_of(every=23),
        run_of(change, every=23, header={"started": "2026-03-14T10:22:31+00:00"}),
        run_of(change, every=29, header={"implementation": {"name": "other", "version": "1"}}),
        run_of(every=31, killed_after=200),
    ]
    logs = [write_log(run, folder / f"{number}.jsonl") for number, run in enumerate(made)]
    (folder / "bad.jsonl").write_text("garbage\n")
    return [*map(str, logs), str(folder / "bad.jsonl")]


def test_on_a_cluster_whose_workers_have_nothing_of_ours(spark: SparkSession, logs: list[str], tmp_path: Path) -> None:
    here = added_up(spark, list(NAMES), logs, str(tmp_path / "here"))
    assert all(here[1].values()), "a table without rows shows nothing"
    with cluster(tmp_path / "cluster") as running:
        conf = {**ON_CLUSTER, "spark.pyspark.python": bare_python()}
        assert driven(running.url, conf, list(NAMES), logs, tmp_path / "there") == here


def test_tasks_that_fail_half_way_are_tried_again(spark: SparkSession, logs: list[str], tmp_path: Path) -> None:
    here = added_up(spark, ["history"], logs, str(tmp_path / "here"))
    assert driven("local[2,4]", {}, ["history"], logs, tmp_path / "there", fails=True) == here
