"""Whatever an implementation does: the right verdict, the other questions answered, and nothing left behind."""

from __future__ import annotations

from pathlib import Path

import pytest

from faulty.asked import VICTIM, VICTIM_SIZE, VICTIM_START
from faulty.cases import CASES, EVERYTHING, Case
from faulty.observe import objections, observe
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
    assert objections(case, seen) == []
    assert (seen.run is None) == (case.status == "start")
    assert seen.seconds < case.allowed + SLACK


def test_the_victim_is_known_by_its_beginning(suite: Suite) -> None:
    selected = [vector for vector in suite.vectors if EVERYTHING.takes(vector.id, "decode")]
    assert [vector.id for vector in selected if vector.data.hex().startswith(VICTIM_START)] == [VICTIM]
    assert suite[VICTIM].size == VICTIM_SIZE
