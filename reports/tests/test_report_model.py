"""What a run adds up to: nothing is counted twice, nothing is merged, nothing is passed over."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
import pytest

from small_json_schema import valid
from wireproof.clauses import clauses
from wireproof.suite import Suite
from wireproof.verdict.questions import Question
from wireproof.verdict.statuses import EXECUTED, STATUSES
from wireproof_harness.results import CONFORMS, DOES_NOT, INCOMPLETE, BadLog, Run
from wireproof_reports.build import as_json
from wireproof_reports.model import ReportModel, report_model
from wireproof_reports.schema import schema_text

MakeRun = Callable[..., Run]
GOLDEN = Path(__file__).parent / "golden_report.json"
EVERY = 7
"""Enough questions of every protocol, mode and kind, and a third of a second."""


def every_status(question: Question, number: int) -> dict[str, Any]:
    """Each status in its turn; what is not executed has a cause."""
    status = list(STATUSES)[number % len(STATUSES)]
    cause = {"pass": "", "unsupported": "unclaimed", "not-run": "stopped"}.get(status, "value")
    return {"status": status, "cause": cause, "detail": f"detail {number % 3}", "known": "so far"}


@pytest.fixture(scope="module")
def mixed(suite: Suite, run_of: MakeRun) -> tuple[Run, ReportModel]:
    run = run_of(every_status, every=EVERY)
    return run, report_model(run, suite)


# ---- totals ----


@pytest.mark.parametrize("dimension", ["protocols", "modes", "levels", "kinds"])
def test_every_question_is_counted_once_in_each_dimension(mixed: tuple[Run, ReportModel], dimension: str) -> None:
    run, model = mixed
    rows = getattr(model, dimension)
    assert sum(row.questions for row in rows) == run.header.planned == model.totals.planned
    assert sum(row.executed for row in rows) == model.totals.executed
    assert sum(row.passed for row in rows) == model.totals.passed


def test_statuses_are_those_of_the_log_and_never_merged(mixed: tuple[Run, ReportModel]) -> None:
    run, model = mixed
    counted = Counter(verdict.status for verdict in run.verdicts)
    assert set(counted) == set(STATUSES)
    assert model.totals.statuses == dict(counted)
    together: Counter[str] = Counter()
    for row in model.protocols:
        together.update(row.statuses)
    assert together == counted


def test_every_row_is_consistent_with_itself(mixed: tuple[Run, ReportModel]) -> None:
    _, model = mixed
    rows: list[Any] = [model.totals, *model.protocols, *model.clauses, *model.chapters, *model.modes, *model.levels]
    rows += [*model.kinds, *model.causes, *model.errors]
    for row in rows:
        assert sum(row.statuses.values()) == row.questions
        assert row.executed == sum(number for status, number in row.statuses.items() if status in EXECUTED)
        assert row.passed == row.statuses.get("pass", 0)
        assert 0 not in row.statuses.values()


def test_a_clause_counts_the_questions_that_cite_it(mixed: tuple[Run, ReportModel]) -> None:
    run, model = mixed
    cited = Counter((v.protocol, clause) for v in run.verdicts for clause in set(v.clauses))
    assert {(row.protocol, row.clause): row.questions for row in model.clauses if row.questions} == dict(cited)


def test_a_chapter_counts_a_question_once_however_many_of_its_clauses_it_cites(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(every=EVERY)
    wanted = [v for v in run.verdicts if sum(clause.startswith("COMET-3.") for clause in v.clauses) > 1]
    assert wanted, "no question cites two clauses of a chapter, so this test would show nothing"
    row = next(row for row in report_model(run, suite).chapters if row.chapter == "COMET-3")
    assert row.questions == sum(any(clause.startswith("COMET-3.") for clause in v.clauses) for v in run.verdicts)


def test_all_that_did_not_pass_is_listed_or_grouped(mixed: tuple[Run, ReportModel]) -> None:
    run, model = mixed
    listed = [finding.question for finding in model.findings]
    assert listed == [v.question for v in run.verdicts if v.status in EXECUTED - {"pass"}]
    grouped = sum(row.questions for row in model.unasked)
    assert model.totals.passed + len(listed) + grouped == model.totals.planned
    assert sum(row.questions for row in model.known) == model.totals.statuses["known-fail"]
    assert all(sum(row.protocols.values()) == row.questions for row in model.unasked)


def test_reasons_are_graded(suite: Suite, run_of: MakeRun) -> None:
    grades = ["exact", "alias", "other", "not-stated"]
    run = run_of(lambda q, n: {"reason": grades[n % 4]} if q.vector.kind != "accept" else {}, every=EVERY)
    model = report_model(run, suite)
    assert list(model.reasons) == grades
    assert sum(model.reasons.values()) == sum(row.questions for row in model.errors)
    assert all(sum(row.reasons.values()) == row.questions for row in model.errors)


# ---- clauses ----


def state_of(model: ReportModel, clause: str) -> str:
    return next(row.state for row in model.clauses if row.clause == clause)


@pytest.mark.parametrize(
    ("change", "state"),
    [
        ({}, "passing"),
        ({"status": "fail"}, "failing"),
        ({"status": "crash"}, "failing"),
        ({"status": "unexpected-pass"}, "failing"),
        ({"status": "warn"}, "warned"),
        ({"status": "known-fail"}, "known-failing"),
        ({"status": "unsupported"}, "not-exercised"),
        ({"status": "not-run"}, "not-exercised"),
    ],
)
def test_the_state_of_a_clause(suite: Suite, run_of: MakeRun, change: dict[str, Any], state: str) -> None:
    run = run_of(lambda question, number: change if "COMET-3.8" in question.vector.clauses else {})
    assert state_of(report_model(run, suite), "COMET-3.8") == state


def test_a_clause_of_which_a_part_was_not_executed_does_not_pass_as_a_whole(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(lambda question, number: {"status": "unsupported"} if question.mode == "splits" else {})
    assert state_of(report_model(run, suite), "COMET-3.8") == "partly"


def test_clauses_that_no_vector_can_show_are_there_with_their_reason(mixed: tuple[Run, ReportModel]) -> None:
    _, model = mixed
    elsewhere = [row for row in model.clauses if row.state == "elsewhere"]
    assert {row.test for row in elsewhere} == {"live", "none", "unit", "url"}
    assert all(row.reason and row.rule and not row.questions for row in elsewhere)
    for protocol in {row.protocol for row in model.clauses}:
        assert set(clauses(protocol)) <= {row.clause for row in model.clauses if row.protocol == protocol}


def test_a_clause_this_suite_does_not_know_is_kept_apart(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(lambda q, n: {"clauses": ["COMET-99.1"]} if q.vector.protocol == "comet" else {}, every=EVERY)
    row = next(row for row in report_model(run, suite).clauses if row.clause == "COMET-99.1")
    assert (row.test, row.chapter, row.state) == ("unknown", "unknown", "passing")


# ---- verdicts ----


@pytest.mark.parametrize(
    ("status", "verdict"),
    [
        ("pass", CONFORMS),
        ("warn", CONFORMS),
        ("known-fail", CONFORMS),
        ("unsupported", CONFORMS),
        ("fail", DOES_NOT),
        ("timeout", DOES_NOT),
        ("flaky", DOES_NOT),
        ("unexpected-pass", DOES_NOT),
        ("not-run", INCOMPLETE),
    ],
)
def test_one_question_decides_the_verdict(suite: Suite, run_of: MakeRun, status: str, verdict: str) -> None:
    run = run_of(lambda question, number: {"status": status} if number == 3 else {}, every=EVERY)
    assert report_model(run, suite).verdict == verdict


def test_nothing_executed_is_incomplete(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(lambda question, number: {"status": "unsupported"}, every=EVERY)
    run.verdicts[0].status = "unsupported"
    counts = {"unsupported": len(run.verdicts)}
    model = report_model(msgspec.structs.replace(run, footer=_footer(run, counts=counts)), suite)
    assert (model.verdict, model.totals.executed) == (INCOMPLETE, 0)
    assert "No question was executed" in model.doubts[0]


def test_the_runs_own_stricter_word_stands_and_a_milder_one_does_not(suite: Suite, run_of: MakeRun) -> None:
    strict = run_of(lambda q, n: {"status": "warn"} if n == 3 else {}, every=EVERY, footer={"verdict": DOES_NOT})
    mild = run_of(lambda q, n: {"status": "fail"} if n == 3 else {}, every=EVERY, footer={"verdict": CONFORMS})
    assert report_model(strict, suite).verdict == report_model(mild, suite).verdict == DOES_NOT


def _footer(run: Run, **changes: Any) -> Any:
    assert run.footer is not None
    return msgspec.structs.replace(run.footer, **changes)


def test_a_footer_that_counts_otherwise_is_not_believed(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(every=EVERY)
    run.footer = _footer(run, counts={"pass": 1})
    model = report_model(run, suite)
    assert model.verdict == INCOMPLETE
    assert "counts other verdicts" in model.doubts[0]


# ---- killed runs ----


def test_a_killed_run_says_what_is_missing_and_of_which_protocol(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(killed_after=9000)
    model = report_model(run, suite)
    assert model.verdict == INCOMPLETE
    assert model.totals.unreported == run.header.planned - 9000
    assert sum(row.unreported for row in model.protocols) == model.totals.unreported
    assert sum(row.questions + row.unreported for row in model.protocols) == run.header.planned
    assert next(row for row in model.protocols if row.protocol == "comet").executed == 0
    assert model.doubts[0].startswith("The run did not come to its end: 8,")


def test_where_the_plan_cannot_be_told_the_number_still_is(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(every=EVERY, killed_after=900)  # the selection does not say that questions were left out
    model = report_model(run, suite)
    assert sum(row.unreported for row in model.protocols) == 0
    assert sum(row.questions for row in model.protocols) + model.totals.unreported == run.header.planned


def test_a_run_killed_after_its_last_verdict_is_incomplete_all_the_same(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(every=EVERY)
    assert report_model(msgspec.structs.replace(run, footer=None), suite).verdict == INCOMPLETE


# ---- logs that cannot be counted ----


def test_a_question_with_two_verdicts_is_refused(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(every=EVERY, killed_after=50)
    run.verdicts.append(run.verdicts[7])
    with pytest.raises(BadLog, match=r"two verdicts on .* Run `wireproof check` again"):
        report_model(run, suite)


def test_more_verdicts_than_planned_are_refused(suite: Suite, run_of: MakeRun) -> None:
    with pytest.raises(BadLog, match="10 were planned"):
        report_model(run_of(every=EVERY, header={"planned": 10}), suite)


def test_an_unknown_status_is_refused_and_not_dropped(suite: Suite, run_of: MakeRun) -> None:
    with pytest.raises(BadLog, match="unknown status, 'fine'"):
        report_model(run_of(lambda q, n: {"status": "fine"} if n == 3 else {}, every=EVERY, killed_after=90), suite)


def test_a_log_of_another_form_is_refused(suite: Suite, run_of: MakeRun) -> None:
    with pytest.raises(BadLog, match="form 2"):
        report_model(run_of(every=EVERY, header={"log": 2}), suite)


# ---- the published form ----


def test_the_published_schema_is_that_of_the_model() -> None:
    published = resources.files("wireproof_reports").joinpath("report.schema.json").read_text("utf-8")
    assert published == schema_text(), "write it again: python -m wireproof_reports.schema"


def test_reports_keep_the_schema_and_spoilt_ones_do_not(suite: Suite, run_of: MakeRun) -> None:
    schema = json.loads(schema_text())
    killed = report_model(run_of(every_status, every=EVERY, killed_after=200), suite)
    whole = report_model(run_of(every_status, every=EVERY), None)
    for model in (killed, whole):
        assert valid(schema, json.loads(as_json(model)), schema)
    for spoil in (
        {"report": 2},
        {"verdict": "fine"},
        {"extra": 1},
        {"reasons": {"exact": "many"}},
        {"totals": {**json.loads(as_json(whole))["totals"], "passed": -1}},
        {"totals": {**json.loads(as_json(whole))["totals"], "statuses": {"fine": 1}}},
    ):
        assert not valid(schema, json.loads(as_json(whole)) | spoil, schema), spoil


def test_the_json_is_read_back_as_the_same_model(mixed: tuple[Run, ReportModel]) -> None:
    _, model = mixed
    assert msgspec.json.decode(as_json(model), type=ReportModel) == model


def test_the_small_report_is_the_golden_one(small_run: Run) -> None:
    """Apart from clauses, whose texts have tests of their own."""
    found = json.loads(as_json(report_model(small_run, None)))
    found["clauses"] = [row["clause"] for row in found["clauses"] if row["questions"]]
    found["chapters"] = [row for row in found["chapters"] if row["questions"]]
    for row in found["chapters"]:
        del row["states"]
    assert found == json.loads(GOLDEN.read_text("utf-8"))
