"""Runs to report on, made of real questions and made-up answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from wireproof.suite import Suite, load_suite
from wireproof.verdict.questions import Question, questions
from wireproof_harness.results import EXIT_CODES, Footer, Header, Run, Verdict, counts_of, verdict_of

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
