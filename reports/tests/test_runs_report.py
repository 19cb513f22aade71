"""A report from tables is the report from the log: the same model, and the same files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.runlogs import write_log
from wireproof.suite import Suite
from wireproof.verdict.questions import Question
from wireproof.verdict.statuses import STATUSES
from wireproof_harness.results import BadLog, Run, read_log
from wireproof_reports.build import as_json, write_report
from wireproof_reports.model import report_model

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.runs.store import Tables

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]
MakeRun = Callable[..., Run]
CAUSES = ("value", "accepted", "ended")


def every_status(question: Question, number: int) -> dict[str, Any]:
    """Each status in its turn, with all that a verdict may say; more than half pass."""
    status = [*STATUSES, *["pass"] * len(STATUSES)][number % (2 * len(STATUSES))]
    if status == "pass":
        return {"seconds": number / 1e6}
    cause = {"unsupported": "unclaimed", "not-run": "stopped"}.get(status, CAUSES[number % len(CAUSES)])
    shown = {"request": {"op": "decode", "hex": f"{number:06x}"}, "answer": {"ok": {"messages": [number, None, 0.5]}}}
    said = {"detail": f"detail {number % 5} – \u202e<b>", "notes": ["a note"], "known": f"issue {number % 2}"}
    return {"status": status, "cause": cause, "failed": 1, "stderr": "Traceback\n\x1b[31m", **shown, **said}


@pytest.fixture(scope="module")
def runs(suite: Suite, run_of: MakeRun) -> dict[str, Run]:
    """A run of the whole suite with everything in it, and runs that lack something."""
    started = {"started": "2026-03-14T00:00:00+00:00"}
    known = {"stale": ["COMET-OLD-*"], "restarts": 3, "stopped": "it crashed too often"}
    return {
        "whole": run_of(every_status, footer=known),
        "killed": run_of(every_status, every=9, killed_after=1234, header={**started, "selection": {}}),
        "killed, of all": run_of(every_status, killed_after=2345, header=started),
        "killed at once": run_of(killed_after=0, header={"seed": 5}),
        "other vectors": run_of(every_status, every=11, header={"digest": "0" * 64}),
        "miscounted": run_of(
            every=17, footer={"counts": {"pass": 1}}, header={"profiles": {"comet": {"order": "little"}}}
        ),
        "nothing executed": run_of(lambda *_: {"status": "unsupported", "cause": "unclaimed"}, every=19),
    }


@pytest.fixture(scope="module")
def logs(runs: dict[str, Run], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("logs")
    return {name: write_log(run, folder / f"{name}.jsonl") for name, run in runs.items()}


@pytest.fixture(scope="module")
def tables(spark: SparkSession, logs: dict[str, Path], tmp_path_factory: pytest.TempPathFactory) -> Tables:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import Tables, tables

    out = str(tmp_path_factory.mktemp("tables"))
    found = ingest(spark, logs.values(), out)
    assert (found.new, found.again, found.aside) == (len(logs), 0, [])
    return Tables(*(frame.cache() for frame in tables(spark, out)))


def id_of(tables: Tables, log: Path) -> str:
    ((row),) = tables.runs.where(tables.runs.source == str(log)).select("run").collect()
    return str(row.run)


NAMES = (
    *("whole", "killed", "killed, of all", "killed at once", "other vectors"),
    *("miscounted", "nothing executed"),
)


@pytest.mark.parametrize("name", NAMES)
def test_the_model_is_the_same(tables: Tables, logs: dict[str, Path], suite: Suite, name: str) -> None:
    from wireproof_reports.runs.model import report_from

    from_log = report_model(read_log(logs[name]), suite)
    from_tables = report_from(tables, id_of(tables, logs[name]), suite)
    assert from_tables == from_log
    assert as_json(from_tables) == as_json(from_log)


def test_the_runs_have_in_them_what_may_go_wrong(tables: Tables, logs: dict[str, Path], suite: Suite) -> None:
    """What the test above rests on."""
    models = {name: report_model(read_log(log), suite) for name, log in logs.items()}
    assert set(models["whole"].totals.statuses) == set(STATUSES)
    assert models["whole"].totals.planned > 15_000
    assert any(row.unreported for row in models["killed, of all"].protocols)
    assert models["killed at once"].totals.questions == 0
    assert not models["other vectors"].run.same_suite
    assert {models[name].verdict for name in ("killed", "miscounted", "nothing executed")} == {"incomplete"}


@pytest.mark.parametrize("name", ["whole", "killed, of all"])
def test_the_files_are_the_same(tables: Tables, logs: dict[str, Path], tmp_path: Path, name: str) -> None:
    from wireproof_reports.runs.model import write_report_from

    from_log = write_report(logs[name], tmp_path / "log")
    from_tables = write_report_from(tables, id_of(tables, logs[name])[:10], tmp_path / "tables")
    assert from_tables._replace(page=from_log.page) == from_log
    for file in ("report.html", "report.md", "report.json"):
        assert (tmp_path / "tables" / file).read_bytes() == (tmp_path / "log" / file).read_bytes()


def test_compliance_of_one_run_is_what_its_report_says(
    spark: SparkSession, tables: Tables, logs: dict[str, Path], suite: Suite
) -> None:
    from wireproof_reports.runs.clauses import compliance
    from wireproof_reports.runs.schemas import column

    run = id_of(tables, logs["whole"])
    rows = compliance(*(frame.where(frame.run == run) for frame in tables)).where("protocol != 'contract'").collect()
    wanted = report_model(read_log(logs["whole"]), suite).clauses
    assert [(row.protocol, row.clause) for row in rows] != []
    assert {(row.protocol, row.clause): row.state for row in rows} == {(c.protocol, c.clause): c.state for c in wanted}
    names = {status: "passed" if status == "pass" else column(status) for status in STATUSES}
    for row, clause in zip(
        sorted(rows, key=lambda row: (row.protocol, row.clause)),
        sorted(wanted, key=lambda clause: (clause.protocol, clause.clause)),
        strict=True,
    ):
        assert {status: row[name] for status, name in names.items() if row[name]} == clause.statuses
        assert (row.questions, row.executed, row.test) == (clause.questions, clause.executed, clause.test)
        assert row.in_suite == row.questions


@pytest.mark.parametrize(("run", "words"), [("", "several runs begin"), ("zz", "no run begins with 'zz'")])
def test_a_run_that_is_not_named_exactly(tables: Tables, run: str, words: str) -> None:
    from wireproof_reports.runs.model import report_from

    with pytest.raises(BadLog, match=words):
        report_from(tables, run, None)
