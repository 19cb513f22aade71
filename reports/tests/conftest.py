"""Runs to report on, made of real questions and made-up answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from wireproof.suite import Suite, load_suite
from wireproof.verdict.questions import Question, questions
from wireproof_harness.results import EXIT_CODES, Footer, Header, Run, Verdict, counts_of, verdict_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.corpus.store import Corpus

Change = Mapping[str, Any]
Judge = Callable[[Question, int], Change]
MakeRun = Callable[..., Run]


@pytest.fixture(scope="session")
def suite() -> Suite:
    return load_suite()


def verdict_on(question: Question, change: Change) -> Verdict:
    vector = question.vector
    verdict = Verdict(
        question=question.id,
        vector=vector.id,
        mode=question.mode,
        protocol=vector.protocol,
        direction=vector.direction,
        level=vector.level,
        kind=vector.kind,
        clauses=vector.clauses,
        status="pass",
        error=vector.expect.reject or vector.expect.refuse,
        reason="" if vector.kind == "accept" else "exact",
    )
    for name, value in change.items():
        setattr(verdict, name, value)
    return verdict


def make_run(
    suite: Suite,
    judge: Judge = lambda question, number: {},
    *,
    every: int = 1,
    killed_after: int | None = None,
    header: Change | None = None,
    footer: Change | None = None,
) -> Run:
    """A run over every n-th question of the suite after the probe; `judge` says what is no pass."""
    asked = [question for vector in suite.vectors for question in questions(vector)][::every]
    probe = Verdict("CONTRACT-PROBE/decode", "CONTRACT-PROBE", "probe", "contract", "", "required", "probe", [], "pass")
    verdicts = [probe] + [verdict_on(question, judge(question, number)) for number, question in enumerate(asked)]
    planned = len(verdicts)
    facts: dict[str, Any] = {
        "suite": "0.1.0",
        "digest": suite.digest,
        "target": "./acme-adapter --fast",
        "implementation": {"contract": 1, "name": "acme", "version": "1.2", "language": "C", "protocols": {}},
        "profiles": {},
        "selection": {},
        "timeout": 5.0,
        "planned": planned,
        "protections": {"memory": "512 MB for the tree", "session": "own process group"},
        "platform": "Linux x86_64",
        "started": "2026-03-13T10:22:31+00:00",
    }
    head = Header(**facts | dict(header or {}))
    if killed_after is not None:
        return Run(head, verdicts[:killed_after], None)
    counts = counts_of(verdicts)
    said = verdict_of(counts, planned)
    end: dict[str, Any] = {"counts": counts, "verdict": said, "exit_code": EXIT_CODES[said], "seconds": 12.5}
    return Run(head, verdicts, Footer(**end | dict(footer or {})))


@pytest.fixture(scope="session")
def run_of(suite: Suite) -> MakeRun:
    """`make_run` over the whole suite."""
    return lambda *arguments, **options: make_run(suite, *arguments, **options)


ACCEPTED = {"status": "fail", "cause": "accepted", "detail": "ok with 1 messages instead of overrun", "failed": 1}
CRASHED = {"status": "crash", "cause": "ended", "detail": "signal 11", "failed": 1}
KNOWN = {"status": "known-fail", "cause": "value", "known": "see issue 12", "failed": 1}
OTHER = {"status": "warn", "cause": "reason", "detail": "overrun instead of truncated", "reason": "other"}
UNCLAIMED = {"status": "unsupported", "cause": "unclaimed", "detail": "operation stream", "requests": 0}
COMET, TNY = ["COMET-3.8", "COMET-3.9"], ["TNY-2.1"]
SMALL: list[tuple[str, str, str, list[str], Change]] = [
    ("CONTRACT-PROBE/decode", "contract", "probe", [], {"mode": "probe"}),
    ("COMET-TEST-001/decode", "comet", "accept", COMET, {}),
    ("COMET-TEST-001/encode", "comet", "accept", COMET, {}),
    ("COMET-TEST-001/bytes", "comet", "accept", COMET, UNCLAIMED),
    ("COMET-TEST-501/decode", "comet", "reject", COMET[:1], {"error": "overrun", **ACCEPTED}),
    ("COMET-TEST-502/decode", "comet", "reject", COMET[:1], {"error": "overrun", "reason": "exact"}),
    ("TNY-TEST-001/decode", "tny", "accept", TNY, CRASHED),
    ("TNY-TEST-001/bytes", "tny", "accept", TNY, UNCLAIMED),
    ("TNY-TEST-002/decode", "tny", "accept", TNY, KNOWN),
    ("TNY-TEST-501/decode", "tny", "reject", TNY, {"error": "truncated", **OTHER}),
]


@pytest.fixture
def small_run() -> Run:
    """Ten questions that depend on no vector: a report on them stays as it is when the suite grows."""
    verdicts = []
    for question, protocol, kind, clauses, change in SMALL:
        vector, _, mode = question.partition("/")
        verdict = Verdict(question, vector, mode, protocol, "", "required", kind, clauses, "pass")
        verdicts.append(msgspec.structs.replace(verdict, **change))
    header = Header(
        suite="0.1.0",
        digest="0" * 64,
        target="./acme",
        implementation={"contract": 1, "name": "acme", "version": "1.2", "language": "C"},
        profiles={"comet": {"order": "little"}},
        selection={"protocols": ["comet", "tny"]},
        baseline="known.yaml",
        planned=len(verdicts),
        protections={"memory": "512 MB"},
        started="2026-03-13T10:22:31+00:00",
    )
    footer = Footer(counts=counts_of(verdicts), verdict="does not conform", exit_code=1, stale=["TNY-OLD-*"], seconds=1)
    return Run(header, verdicts, footer)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """The one Spark session of this process; tests that use it are marked requires("java") and xdist_group("spark")."""
    from wireproof_reports.spark.session import SparkOptions, spark_session

    # The compiler for small jobs has little room for code, and stops when all these tests together have filled it.
    with spark_session(SparkOptions("local[2]"), small=True, java_options="-XX:ReservedCodeCacheSize=256m") as session:
        yield session


@pytest.fixture(scope="session")
def comet_corpus(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    """2,000 frames of comet in eight files. Whoever damages it takes a copy."""
    from wireproof_reports.corpus.generate import generate
    from wireproof_reports.corpus.recipe import recipe
    from wireproof_reports.corpus.store import open_corpus

    path = str(tmp_path_factory.mktemp("corpora") / "comet")
    generate(spark, recipe(2000, protocols=["comet"]), path, partitions=8)
    return open_corpus(spark, path)
