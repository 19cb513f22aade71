"""`wireproof runs`: what is printed, for people and for programs, and the exit codes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from click.testing import CliRunner, Result

from tests.runlogs import write_log
from wireproof_harness.cli import cli, main
from wireproof_harness.results import Run
from wireproof_reports.build import write_report
from wireproof_reports.cli.tabular import table_lines

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def runs(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["runs", *map(str, arguments)])


@pytest.fixture
def one_session(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands use the session of these tests: each would start Java otherwise, and end it."""
    from wireproof_reports.spark import session

    @contextmanager
    def there(*_: object, **__: object) -> Iterator[SparkSession]:
        yield spark

    monkeypatch.setattr(session, "spark_session", there)


@pytest.fixture
def logs(small_run: Run, tmp_path: Path) -> Path:
    """A run that fails, and two days later one that was killed, in which a pass became a failure."""
    folder = tmp_path / "logs"
    write_log(small_run, folder / "a.jsonl")
    later = msgspec.structs.replace(small_run.header, started="2026-03-15T10:22:31+00:00")
    verdicts = [*small_run.verdicts[:5]]
    verdicts[1] = msgspec.structs.replace(verdicts[1], status="fail", cause="value", detail="\x1b[31mred")
    write_log(Run(later, verdicts), folder / "b.jsonl")
    return folder


def as_json(*arguments: str | Path) -> list[dict[str, Any]]:
    result = runs(*arguments, "--format", "json")
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("one_session")
def test_ingest_says_what_became_of_the_logs(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    first = runs("ingest", logs, "--into", out)
    assert first.exit_code == 0
    assert first.stdout.splitlines() == [
        f"2 new, 0 longer than before, 0 there already; tables in {out}",
        "1 of these runs did not come to their end",
    ]
    (logs / "bad\x1b.jsonl").write_text("garbage\n")
    again = runs("ingest", logs, "--into", out)
    assert again.exit_code == 1
    assert again.stdout.splitlines()[0] == f"0 new, 0 longer than before, 2 there already; tables in {out}"
    assert again.stdout.splitlines()[1].startswith(f"put aside: {logs}/bad\\x1b.jsonl: line 1 is no record")
    told = runs("ingest", logs, "--into", out, "--format", "json")
    assert told.exit_code == 1
    ((aside),) = (answer := json.loads(told.stdout)).pop("aside")
    assert answer == {"new": 0, "longer": 0, "again": 2, "unfinished": 0}
    assert aside["file"] == f"{logs}/bad\x1b.jsonl"
    ((row),) = as_json("table", "quarantine", out)
    assert row == aside


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("one_session")
def test_tables_and_reports_of_what_was_ingested(logs: Path, tmp_path: Path) -> None:
    out = tmp_path / "tables"
    runs("ingest", logs, "--into", out)
    history = as_json("table", "history", out)
    assert [(row["finished"], row["planned"], row["unreported"]) for row in history] == [(True, 10, 0), (False, 10, 5)]
    shown = runs("table", "history", out)
    assert shown.exit_code == 0
    assert history[0]["run"][:12] in shown.stdout
    assert history[0]["run"][:13] not in shown.stdout
    assert shown.stdout.splitlines()[-1] == "2 rows"

    regressions = runs("table", "regressions", out)
    assert "\x1b" not in regressions.stdout
    assert "\\x1b[31mred" in regressions.stdout
    ((row),) = as_json("table", "regressions", out, "--where", "change = 'worse'")
    assert (row["question"], row["before"], row["after"]) == ("COMET-TEST-001/decode", "pass", "fail")
    assert as_json("table", "regressions", out, "--where", "change = 'better'") == []
    wrong = runs("table", "regressions", out, "--where", "chance = 'worse'")
    assert wrong.exit_code == 2
    assert "--where \"chance = 'worse'\" is no condition. The columns are implementation, digest," in wrong.stderr

    report = runs("report", out, "--run", history[0]["run"][:8], "--out", tmp_path / "report")
    assert report.exit_code == 0, report.output
    written = write_report(logs / "a.jsonl", tmp_path / "direct")
    page = tmp_path / "report" / "report.html"
    assert report.stdout.splitlines() == [written.verdict_line, f"page: {page}", written.first]
    assert page.read_bytes() == written.page.read_bytes()
    nobody = runs("report", out, "--run", "zz", "--out", tmp_path / "report")
    assert nobody.exit_code == 2
    assert "no run begins with 'zz'. `wireproof runs table history` lists them." in nobody.stderr


@pytest.mark.requires("java")
def test_every_table_that_is_offered_is_there() -> None:
    from wireproof_reports.cli.runs import NAMES
    from wireproof_reports.runs.tables import TABLES

    assert {*TABLES, "quarantine"} == set(NAMES)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ingest", "nowhere.jsonl", "--into", "tables"], "Path 'nowhere.jsonl' does not exist"),
        (["ingest", "--into", "tables"], "Missing argument 'LOGS...'"),
        (["ingest", "."], "Missing option '--into'"),
        (["table", "history", "nowhere"], "there is no folder nowhere. Make it: wireproof runs ingest LOGS"),
        (["report", "nowhere", "--run", "1", "--out", "out"], "there is no folder nowhere. Make it"),
        (["table", "histories", "."], "'histories' is not one of 'compliance', 'history'"),
        (["table", "history", ".", "--conf", "x=y"], "write --conf spark.KEY=VALUE, not x=y"),
    ],
)
def test_usage_is_told_before_spark_starts(
    arguments: list[str],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from wireproof_reports.spark import session

    def started(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(session, "spark_session", started)
    monkeypatch.chdir(tmp_path)
    assert main(["runs", *arguments]) == 2
    assert words in capsys.readouterr().err


ROWS: dict[str, tuple[list[dict[str, Any]], list[str]]] = {
    "nothing": ([], ["no rows"]),
    "a rare status is left out, and zero executed is not": (
        [{"name": "a", "questions": 1000, "executed": 0, "crash": 0, "note": None, "set": "{}"}],
        ["name  questions  executed", "a         1,000         0"],
    ),
    "no is an answer": ([{"name": "a", "finished": False}], ["name  finished", "a     no"]),
    "ids are cut, reasons are not": (
        [{"run": "0123456789abcdef", "reason": "r" * 70, "detail": "d" * 70}],
        ["run           reason" + " " * 66 + "detail", f"0123456789ab  {'r' * 70}  {'d' * 57}..."],
    ),
    "harmless": ([{"name": "\x1b[2J\u202e"}], ["name", "\\x1b[2J\\u202e"]),
}


@pytest.mark.parametrize("case", ROWS)
def test_rows_for_people(case: str) -> None:
    rows, lines = ROWS[case]
    assert ["".join(segment.text for segment in line) for line in table_lines(rows)] == lines
