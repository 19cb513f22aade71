"""Whatever an implementation does: the right verdict, the other questions answered, and nothing left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from faulty.asked import VICTIM, VICTIM_SIZE, VICTIM_START
from faulty.cases import CASES, EVERYTHING, Case
from faulty.observe import observe
from wireproof.suite import load_suite
from wireproof.suite.model import Suite

SLACK = 60.0
"""Seconds beyond the timeouts that a busy machine may take; far less than anything that hangs."""


@pytest.fixture(scope="module")
def suite() -> Suite:
    return load_suite()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.fault} {case.way}".strip())
def test_fault(case: Case, suite: Suite, tmp_path: Path) -> None:
    seen = observe(case, suite, tmp_path)
    assert (seen.processes, seen.descriptors) == ([], [])
    assert seen.seconds < case.waits * case.timeout + SLACK
    assert seen.exit_code == case.exit_code, seen.error
    if seen.run is None:
        assert case.status == "start"
        assert case.says in seen.error
        return
    assert len(seen.run.verdicts) == seen.run.header.planned
    assert seen.victim.status == case.status, seen.victim
    assert seen.victim.cause == ("stopped" if case.status == "not-run" else case.cause)
    assert case.says in seen.victim.detail
    assert {verdict.status for verdict in seen.others} <= set(case.others)


def test_the_victim_is_known_by_its_beginning(suite: Suite) -> None:
    selected = [vector for vector in suite.vectors if EVERYTHING.takes(vector.id, "decode")]
    assert [vector.id for vector in selected if vector.data.hex().startswith(VICTIM_START)] == [VICTIM]
    assert suite[VICTIM].size == VICTIM_SIZE
