"""Compliance, coverage and agreement over many runs, worked out by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.runlogs import Row, a_run, a_verdict, frames, said
from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS
from wireproof.suite import Suite
from wireproof.verdict.questions import questions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]
CLAUSE = "COMET-3.8"


def compliance(spark: SparkSession, runs: list[Row], verdicts: list[Row]) -> list[Row]:
    """Of the clauses that were asked about."""
    from wireproof_reports.runs.clauses import compliance

    return [row for row in said(compliance(*frames(spark, runs, verdicts))) if "questions" in row]


def asked_about(suite: Suite, protocol: str, clause: str) -> int:
    vectors = [vector for vector in suite.vectors if vector.protocol == protocol and clause in vector.clauses]
    return sum(len(list(questions(vector))) for vector in vectors)


def test_compliance_counts_a_question_once_as_the_last_run_saw_it(spark: SparkSession) -> None:
    runs = [a_run("r1"), a_run("r2"), a_run("r3", version="2"), a_run("r4", implementation="B", digest="other")]
    verdicts = [
        a_verdict("r1", "Q1/decode", "fail"),
        a_verdict("r1", "Q2/decode", "warn", clauses=[CLAUSE, CLAUSE, "COMET-9.99"]),
        a_verdict("r2", "Q1/decode"),
        a_verdict("r2", "Q1/decode", "crash", profile="order=little"),
        a_verdict("r3", "Q1/decode", "not-run"),
        a_verdict("r4", "Q1/decode"),
    ]
    one = {"protocol": "comet", "clause": CLAUSE, "test": "codec", "digest": "d", "profile": "standard", "questions": 1}
    first, second = {"implementation": "A", "version": "1"}, {"implementation": "A", "version": "2"}
    assert compliance(spark, runs, verdicts) == [
        {**one, **first, "profile": "order=little", "state": "failing", "executed": 1, "crash": 1},
        {**one, **first, "state": "warned", "questions": 2, "executed": 2, "passed": 1, "warn": 1},
        {**one, **first, "clause": "COMET-9.99", "test": "unknown", "state": "warned", "executed": 1, "warn": 1},
        {**one, **second, "state": "not-exercised", "not_run": 1},
        {
            **one,
            "implementation": "B",
            "version": "1",
            "digest": "other",
            "state": "passing",
            "executed": 1,
            "passed": 1,
        },
    ]


def test_compliance_of_a_version_is_that_with_its_last_vectors(spark: SparkSession) -> None:
    runs = [a_run("r1", digest="old"), a_run("r2")]
    verdicts = [a_verdict("r1", "Q1/decode", "fail"), a_verdict("r1", "Q2/decode"), a_verdict("r2", "Q1/decode")]
    ((row),) = compliance(spark, runs, verdicts)
    assert (row["digest"], row["questions"], row["passed"]) == ("d", 1, 1)


def test_compliance_has_every_clause_in_the_order_of_the_document(spark: SparkSession, suite: Suite) -> None:
    """One question of many that the suite has passes: the clause does not, and the others are not exercised."""
    from wireproof_reports.runs.clauses import compliance

    runs, verdicts = [a_run("r1", digest=suite.digest)], [a_verdict("r1", "Q1/decode")]
    rows = said(compliance(*frames(spark, runs, verdicts)))
    assert [row["clause"] for row in rows] == list(clauses("comet"))
    suite_has = asked_about(suite, "comet", CLAUSE)
    assert suite_has > 1
    ((row),) = [row for row in rows if "questions" in row]
    assert (row["state"], row["questions"], row["in_suite"]) == ("partly", 1, suite_has)
    others = {row["clause"]: row for row in rows if "questions" not in row}
    assert all("executed" not in row and "passed" not in row for row in others.values())
    for name, clause in clauses("comet").items():
        if name != CLAUSE:
            assert others[name]["state"] == ("not-exercised" if clause.test == "codec" else "elsewhere")


def test_coverage_has_every_clause_of_all_documents_for_each_run(spark: SparkSession, suite: Suite) -> None:
    from wireproof_reports.runs.clauses import coverage

    runs = [a_run("r1", digest=suite.digest), a_run("r2")]
    verdicts = [
        a_verdict("r1", "Q1/decode", "fail", clauses=[CLAUSE, CLAUSE]),
        a_verdict("r1", "Q2/decode", "unsupported"),
        a_verdict("r1", "Q3/decode", clauses=["COMET-9.99"]),
    ]
    rows = said(coverage(*frames(spark, runs, verdicts)))
    of_runs = {run: [row for row in rows if row["run"] == run] for run in ("r1", "r2")}
    documents = [(protocol, clause) for protocol in PROTOCOLS for clause in clauses(protocol)]
    for found in of_runs.values():
        there = [(row["protocol"], row["clause"]) for row in found if row["test"] not in ("open-point", "unknown")]
        assert there == documents
    same = {"implementation": "A", "run": "r1", "protocol": "comet"}
    assert [row for row in rows if "questions" in row] == [
        {
            **same,
            "clause": CLAUSE,
            "test": "codec",
            "in_suite": asked_about(suite, "comet", CLAUSE),
            "questions": 2,
            "executed": 1,
        },
        {**same, "clause": "COMET-9.99", "test": "unknown", "questions": 1, "executed": 1},
    ]
    assert not any("in_suite" in row for row in of_runs["r2"])


OUTCOMES: dict[tuple[str, str], str] = {
    ("pass", "pass"): "agreed",
    ("pass", "unexpected-pass"): "agreed",
    ("pass", "fail"): "decoder_wrong",
    ("pass", "crash"): "decoder_wrong",
    ("warn", "pass"): "encoder_wrong",
    ("known-fail", "pass"): "encoder_wrong",
    ("fail", "timeout"): "both_wrong",
    ("pass", "not-run"): "not_executed",
    ("not-run", "fail"): "not_executed",
    ("unsupported", "pass"): "unsupported",
    ("not-run", "unsupported"): "unsupported",
}
"""For the statuses of encoding and decoding a vector, what comes of the two."""


def test_agreement_says_who_is_wrong(spark: SparkSession) -> None:
    from wireproof_reports.runs.agreement import agreement

    runs = [a_run("r1", implementation="writes"), a_run("r2", implementation="reads")]
    verdicts = []
    for wrote, read in OUTCOMES:
        verdicts.append(a_verdict("r1", f"{wrote} {read}/encode", wrote))
        verdicts.append(a_verdict("r2", f"{wrote} {read}/decode", read))
    verdicts.append(a_verdict("r1", "only written/encode"))
    verdicts += [a_verdict(run, "rejected/decode", kind="reject") for run in ("r1", "r2")]
    sides = {"encoder": "writes", "encoder_version": "1", "decoder": "reads", "decoder_version": "1"}
    counts = {name: list(OUTCOMES.values()).count(name) for name in OUTCOMES.values()}
    assert said(agreement(*frames(spark, runs, verdicts))) == [
        {**sides, "profile": "standard", "protocol": "comet", "vectors": len(OUTCOMES), **counts}
    ]


def test_agreement_is_for_each_pair_in_the_versions_run_last(spark: SparkSession) -> None:
    from wireproof_reports.runs.agreement import agreement

    runs = [a_run("r1"), a_run("r2", version="2"), a_run("r3", implementation="B")]
    verdicts = [a_verdict(run, f"Q/{mode}") for run in ("r1", "r3") for mode in ("encode", "decode")]
    verdicts += [a_verdict("r2", "Q/encode"), a_verdict("r2", "Q/decode", "fail")]
    rows = said(agreement(*frames(spark, runs, verdicts)))
    assert {
        (row["encoder"], row["encoder_version"], row["decoder"], row["decoder_version"]): row.get("agreed", 0)
        for row in rows
    } == {("A", "2", "A", "2"): 0, ("A", "2", "B", "1"): 1, ("B", "1", "A", "2"): 0, ("B", "1", "B", "1"): 1}


def test_agreement_under_other_conditions_cannot_be_told(spark: SparkSession) -> None:
    """Little-endian bytes say nothing about who reads big-endian ones; what both were asked alike counts alone."""
    from wireproof_reports.runs.agreement import agreement

    runs = [
        a_run("r1", implementation="W"),
        a_run("r2", implementation="R"),
        a_run("r3", implementation="S", digest="e"),
    ]
    verdicts = [
        *(a_verdict("r1", "both/encode", profile=profile) for profile in ("standard", "order=little")),
        a_verdict("r2", "both/decode"),
        a_verdict("r1", "apart/encode", profile="order=little"),
        a_verdict("r2", "apart/decode"),
        a_verdict("r3", "both/decode"),
    ]
    same = {"encoder": "W", "encoder_version": "1", "decoder": "R", "decoder_version": "1", "protocol": "comet"}
    assert said(agreement(*frames(spark, runs, verdicts))) == [
        {**same, "vectors": 1, "incomparable": 1},
        {**same, "profile": "standard", "vectors": 1, "agreed": 1},
        {**same, "decoder": "S", "vectors": 1, "incomparable": 1},
    ]
