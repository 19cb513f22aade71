"""The JavaScript implementation: its own tests, every worked case, and agreement with the reference."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from wireproof import PROTOCOLS
from wireproof_harness.compare import Implementation, Reference, compare, kind_of_difference
from worked import CASES

ADAPTER = Path(__file__).parents[1] / "kits" / "reference-js" / "adapter.mjs"
SETTLED_TEXT = Path(__file__).with_name("settled_differences.yaml").read_text(encoding="utf-8")
SETTLED = yaml.safe_load(SETTLED_TEXT.replace("TOO LONG", "x" * 32768).replace("TWICE", "00" * 65536))

pytestmark = pytest.mark.requires("node")


def test_its_own_tests_pass() -> None:
    run = subprocess.run(["node", "--test"], cwd=ADAPTER.parent, capture_output=True, text=True, check=False)
    failures = "\n".join(re.findall(r"^not ok.*?^  \.\.\.$", run.stdout, re.DOTALL | re.MULTILINE))
    assert run.returncode == 0, failures or run.stdout[-3000:]
    assert "# fail 0" in run.stdout


def test_it_gives_every_worked_case_its_answer(javascript: Implementation) -> None:
    questions = [
        {"id": number, "op": "decode", "protocol": case.protocol, "hex": case.hex}
        | ({"direction": case.direction} if case.direction else {})
        for number, case in enumerate(CASES)
    ]
    for case, answer in zip(CASES, javascript.ask(questions), strict=True):
        expected = dict(case.answer)
        status = "ok" if expected.pop("ok") else "reject"
        answer[status].pop("detail", None)
        assert answer[status] == expected, case.id


def test_it_writes_every_canonical_worked_case(javascript: Implementation) -> None:
    cases = [(case, case.answer["messages"][0]) for case in CASES if case.canonical and case.answer["messages"]]
    questions = [
        {"id": number, "op": "encode", "protocol": case.protocol, "value": value}
        | ({"direction": case.direction} if case.direction else {})
        for number, (case, value) in enumerate(cases)
    ]
    for (case, _), answer in zip(cases, javascript.ask(questions), strict=True):
        assert answer["ok"] == {"hex": case.hex}, case.id


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_it_agrees_with_the_reference(javascript: Implementation, protocol: str) -> None:
    result = compare([Reference(), javascript], protocol, frames=600, seed=7, any_shape=True)
    assert result.frames == 600
    assert [(found.kind, found.question) for found in result.differences] == []


@pytest.mark.parametrize("settled", SETTLED, ids=lambda settled: settled["about"])
def test_a_settled_difference_stays_settled(javascript: Implementation, settled: dict[str, Any]) -> None:
    question = {"id": 1, **settled["question"]}
    for implementation in (Reference(), javascript):
        (answer,) = implementation.ask([question])
        assert kind_of_difference(question, answer, {"id": 1, **settled["answer"]}) == "", answer
