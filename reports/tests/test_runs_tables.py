"""What tables say of runs, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.runlogs import Row, a_run, a_verdict, frames, said
from wireproof.verdict.statuses import STATUSES

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]


def made(spark: SparkSession, name: str, runs: list[Row], verdicts: list[Row]) -> DataFrame:
    from wireproof_reports.runs.tables import TABLES

    return TABLES[name](*frames(spark, runs, verdicts))


@pytest.mark.parametrize("name", ["compliance", "history", "regressions", "flaky", "agreement", "latency", "coverage"])
def test_a_table_has_its_columns_even_if_there_is_nothing_to_tell(spark: SparkSession, name: str) -> None:
    from wireproof_reports.runs import schemas

    wanted = getattr(schemas, name.upper())
    found = made(spark, name, [], []).schema
    assert [(field.name, field.dataType) for field in found] == [(each.name, each.dataType) for each in wanted]


def test_history_counts_each_status_by_itself_and_what_has_no_verdict(spark: SparkSession) -> None:
    runs = [
        a_run("r2", planned=12, stopped="it crashed too often"),
        a_run("r1", planned=5, finished=False, verdict="incomplete", profiles='{"comet": {"order": "little"}}'),
        a_run("r3", implementation="B", planned=1),
    ]
    verdicts = [a_verdict("r2", f"Q{status}/decode", status) for status in STATUSES] + [a_verdict("r3", "Q/decode")]
    same = {"version": "1", "digest": "d"}
    done = {**same, "verdict": "conforms", "finished": True}
    assert said(made(spark, "history", runs, verdicts)) == [
        {
            **same,
            "implementation": "A",
            "run": "r1",
            "started": "r1",
            "profiles": '{"comet": {"order": "little"}}',
            "verdict": "incomplete",
            "planned": 5,
            "unreported": 5,
        },
        {
            **done,
            "implementation": "A",
            "run": "r2",
            "started": "r2",
            "stopped": "it crashed too often",
            "planned": 12,
            "unreported": 1,
            "questions": 11,
            "executed": 9,
            "passed": 1,
            **{status.replace("-", "_"): 1 for status in STATUSES if status != "pass"},
        },
        {
            **done,
            "implementation": "B",
            "run": "r3",
            "started": "r3",
            "planned": 1,
            "questions": 1,
            "executed": 1,
            "passed": 1,
        },
    ]


def test_latency_is_of_what_was_executed_under_the_same_conditions(spark: SparkSession) -> None:
    runs = [a_run("r1"), a_run("r2"), a_run("r0", digest="earlier vectors")]
    verdicts = [a_verdict("r1", f"Q{n}/decode", seconds=n / 1000, requests=3) for n in range(1, 51)]
    verdicts += [a_verdict("r2", f"Q{n}/decode", "timeout", seconds=n / 1000) for n in range(51, 101)]
    verdicts += [
        a_verdict("r1", "Q1/encode", seconds=0.5),
        a_verdict("r1", "Q2/encode", "unsupported", seconds=9.0),
        a_verdict("r1", "Q3/encode", seconds=0.0),
        a_verdict("r1", "Q4/encode", profile="order=little", seconds=0.25),
        a_verdict("r0", "Q1/encode", seconds=8.0),
    ]
    same = {"implementation": "A", "version": "1", "digest": "d", "protocol": "comet", "profile": "standard"}
    one = {**same, "mode": "encode", "verdicts": 1, "requests": 1}
    assert said(made(spark, "latency", runs, verdicts)) == [
        {**one, "profile": "order=little", "p50": 0.25, "p90": 0.25, "p99": 0.25, "longest": 0.25},
        {
            **same,
            "mode": "decode",
            "verdicts": 100,
            "requests": 200,
            "p50": 0.05,
            "p90": 0.09,
            "p99": 0.099,
            "longest": 0.1,
        },
        {**one, "p50": 0.5, "p90": 0.5, "p99": 0.5, "longest": 0.5},
    ]


SEQUENCES: dict[str, tuple[list[str | None], list[tuple[str, str, str]]]] = {
    "nothing changed": (["pass", "pass", "fail", None], [("pass", "fail", "worse")]),
    "mended": (["fail", "pass"], [("fail", "pass", "better")]),
    "a warning": (["pass", "warn", "pass"], [("pass", "warn", "worse"), ("warn", "pass", "better")]),
    "it fails worse": (["fail", "crash"], [("fail", "crash", "worse")]),
    "no longer claimed": (["pass", "unsupported"], [("pass", "unsupported", "worse")]),
    "claimed at last": (["unsupported", "pass"], [("unsupported", "pass", "better")]),
    "not selected in between": (["pass", None, "fail"], [("pass", "fail", "worse")]),
    "entered in the baseline": (["crash", "known-fail"], [("crash", "known-fail", "baseline")]),
    "taken out of it": (["known-fail", "fail"], [("known-fail", "fail", "baseline")]),
    "forgotten in it": (["pass", "unexpected-pass"], [("pass", "unexpected-pass", "baseline")]),
    "in it and mended": (["known-fail", "pass"], [("known-fail", "pass", "better")]),
    "broken and in it": (["pass", "known-fail"], [("pass", "known-fail", "worse")]),
    "lost once": (["pass", "not-run", "not-run"], [("pass", "not-run", "lost")]),
    "lost and the same": (["pass", "not-run", "pass"], [("pass", "not-run", "lost")]),
    "lost and worse": (["pass", "not-run", "fail"], [("pass", "not-run", "lost"), ("pass", "fail", "worse")]),
    "never seen": (["not-run", "not-run", "fail"], []),
}


def runs_of(sequence: list[str | None], question: str, **facts: Any) -> list[Row]:
    return [a_verdict(f"r{number}", question, status, **facts) for number, status in enumerate(sequence, 1) if status]


def test_regressions_by_what_successive_runs_saw(spark: SparkSession) -> None:
    runs = [a_run(f"r{number}") for number in range(1, 5)]
    verdicts = [row for name, (seen, _) in SEQUENCES.items() for row in runs_of(seen, f"{name}/decode")]
    found: dict[str, list[tuple[str, str, str]]] = {name: [] for name in SEQUENCES}
    for row in said(made(spark, "regressions", runs, verdicts)):
        found[row["question"].partition("/")[0]].append((row["before"], row["after"], row["change"]))
    assert found == {name: changes for name, (_, changes) in SEQUENCES.items()}


def test_regressions_name_the_runs_and_versions_and_put_the_worse_first(spark: SparkSession) -> None:
    runs = [a_run("r1"), a_run("r2", version="2"), a_run("r3", version="3")]
    verdicts = [
        *runs_of(["fail", None, "pass"], "Q1/decode"),
        *runs_of(["pass", "not-run", "crash"], "Q2/decode", detail="signal 11"),
    ]
    same = {"implementation": "A", "digest": "d", "profile": "standard"}
    q2 = {**same, "question": "Q2/decode", "before": "pass", "version_before": "1", "run_before": "r1"}
    second, third = ({"run": f"r{n}", "started": f"r{n}", "version": f"{n}"} for n in (2, 3))
    assert said(made(spark, "regressions", runs, verdicts)) == [
        {**q2, **second, "change": "lost", "after": "not-run", "cause": "stopped", "detail": "signal 11"},
        {**q2, **third, "change": "worse", "after": "crash", "cause": "value", "detail": "signal 11"},
        {
            **same,
            **third,
            "question": "Q1/decode",
            "before": "fail",
            "version_before": "1",
            "run_before": "r1",
            "change": "better",
            "after": "pass",
        },
    ]


OTHERS: dict[str, tuple[Row, Row]] = {
    "another profile": ({}, {"profile": "order=little"}),
    "other vectors": ({"digest": "e"}, {}),
    "another implementation": ({"implementation": "B"}, {}),
}


@pytest.mark.parametrize("name", ["regressions", "flaky"])
def test_runs_that_are_not_alike_are_not_compared(spark: SparkSession, name: str) -> None:
    """Each pair of runs is one that differs in one thing; the last pair does not, and shows that it would be seen."""
    found = {}
    for other, (run, verdict) in {**OTHERS, "nothing": ({}, {})}.items():
        runs = [a_run("r1"), a_run("r2", **run)]
        verdicts = [a_verdict("r1", "Q/decode"), a_verdict("r2", "Q/decode", "fail", **verdict)]
        found[other] = made(spark, name, runs, verdicts).count()
    assert found == {**dict.fromkeys(OTHERS, 0), "nothing": 1}


FLAKY: dict[str, tuple[list[str | None], str, int | None]] = {
    # what runs saw, the version that they state, and how often it changed if that is flaky
    "steady": (["pass", "pass", "pass"], "1", None),
    "one run says so": (["flaky"], "1", 0),
    "one run says so, of no version": (["flaky", "pass"], "", 1),
    "two ways": (["pass", "fail"], "1", 1),
    "changed, and perhaps the code": (["pass", "fail", "fail"], "", None),
    "there and back": (["pass", "fail", "pass"], "", 2),
    "a warning now and then": (["pass", "warn", "pass"], "1", 2),
    "the baseline alone": (["fail", "known-fail", "fail"], "1", None),
    "the baseline is late": (["pass", "unexpected-pass"], "1", None),
    "not asked": (["pass", "not-run", None, "pass"], "1", None),
    "claimed now and then": (["pass", "unsupported"], "1", 1),
}


def test_flaky_is_what_runs_alike_answered_differently(spark: SparkSession) -> None:
    runs, verdicts = [], []
    for name, (seen, version, _) in FLAKY.items():
        runs += [a_run(f"{name} {number}", implementation=name, version=version) for number in range(1, 5)]
        verdicts += [{**row, "run": f"{name} {row['run'][1:]}"} for row in runs_of(seen, "Q/decode")]
    found = {row["implementation"]: row for row in said(made(spark, "flaky", runs, verdicts))}
    assert {name: row.get("changes", 0) for name, row in found.items()} == {
        name: changes for name, (_, _, changes) in FLAKY.items() if changes is not None
    }
    same = {"digest": "d", "profile": "standard", "question": "Q/decode"}
    assert found["there and back"] == {
        **same,
        "implementation": "there and back",
        "runs": 3,
        "changes": 2,
        "statuses": {"fail": 1, "pass": 2},
    }
    assert found["one run says so"] == {
        **same,
        "implementation": "one run says so",
        "version": "1",
        "runs": 1,
        "flaky": 1,
        "statuses": {"flaky": 1},
    }


def test_other_causes_of_failing_are_other_answers(spark: SparkSession) -> None:
    runs = [a_run("r1"), a_run("r2")]
    verdicts = [a_verdict("r1", "Q/decode", "fail"), a_verdict("r2", "Q/decode", "fail", cause="accepted")]
    ((row),) = said(made(spark, "flaky", runs, verdicts))
    assert (row["changes"], row["statuses"]) == (1, {"fail": 2})
