"""What Allure is told about vectors, read from its own result files: labels, links, attachments, honest statuses."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from testees import ACCEPTS, CLAIM, adapter
from vector_items import Project

pytest.importorskip("allure_pytest")

CRASHES = 'if text == "0006030100034061": import os; os._exit(9)'  # COMET-SUBSCRIBE-508
FEW = "COMET-SUBSCRIBE-50 or COMET-COMMANDS"


def results(folder: Path) -> dict[str, dict[str, Any]]:
    found = (json.loads(file.read_bytes()) for file in folder.glob("*-result.json"))
    return {each["fullName"].partition("#")[2]: each for each in found}


def labels(result: dict[str, Any], name: str) -> list[str]:
    return [label["value"] for label in result["labels"] if label["name"] == name]


def attached(result: dict[str, Any], folder: Path) -> dict[str, str]:
    return {each["name"]: (folder / each["source"]).read_text(encoding="utf-8") for each in result["attachments"]}


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


def test_everything_that_is_known_of_a_failure(project: Project) -> None:
    run = project.run("--alluredir", "told", "-k", "COMET-SUBSCRIBE-50", impl=adapter(project.path, ACCEPTS))
    found = results(project.path / "told")
    assert len(found) == 9
    wrong = found["COMET-SUBSCRIBE-508"]
    assert wrong["status"] == "failed"
    assert wrong["name"].startswith("COMET-SUBSCRIBE-508 ")
    assert "instead of overrun at byte 6" in wrong["statusDetails"]["message"]
    assert labels(wrong, "epic") == ["comet"]
    assert labels(wrong, "feature") == ["subscribe"]
    assert labels(wrong, "story") == ["COMET-2.3", "COMET-3.9", "COMET-S28"]
    assert {name: labels(found[f"COMET-SUBSCRIBE-50{name}"], "severity") for name in "123"} == {
        "1": ["critical"],
        "2": ["normal"],
        "3": ["minor"],
    }
    parameters = {each["name"]: each["value"].strip("'") for each in wrong["parameters"]}
    assert parameters == {
        "direction": "c2s",
        "profile": "standard",
        "twin": "COMET-COMMANDS-007",
        "decode": "fail",
        "bytes": "fail",
        "splits": "fail",
    }
    assert wrong["links"][0]["url"] == "docs/protocols/comet.md#COMET-2.3"
    texts = attached(wrong, project.path / "told")
    assert "expected  rejected as overrun at byte 6" in texts["explanation"]
    assert "^^" in texts["difference from the twin COMET-COMMANDS-007"]
    _, request, answer = texts["transcript of COMET-SUBSCRIBE-508/decode"].splitlines()
    assert json.loads(request)["hex"] == "0006030100034061"
    assert json.loads(answer)["ok"]["consumed"] == 8
    assert run.ret == 1


def test_every_status_is_told_as_what_it_is(project: Project) -> None:
    (project.path / "known.yaml").write_text(
        "- {question: COMET-SUBSCRIBE-501/*, status: fail, reason: see issue 12}\n", encoding="utf-8"
    )
    claim = CLAIM.format(claims='{"comet": {"operations": ["decode", "stream"], "directions": ["c2s"]}}')
    impl = adapter(project.path, claim, CRASHES, ACCEPTS)
    words = ("--alluredir", "told", "-k", FEW, "--wireproof-baseline", "known.yaml")
    project.run(*words, impl=impl)
    alone = results(project.path / "told")
    assert alone["COMET-COMMANDS-006"]["status"] == "passed"
    assert alone["COMET-SUBSCRIBE-503"]["status"] == "failed"
    assert alone["COMET-SUBSCRIBE-508"]["status"] == "broken"
    known = alone["COMET-SUBSCRIBE-501"]
    assert known["status"] == "skipped"
    assert "see issue 12" in known["statusDetails"]["message"]
    assert "unsupported: direction s2c" in alone["COMET-COMMANDS-016"]["statusDetails"]["message"]
    assert alone["COMET-COMMANDS-016"]["status"] == "skipped"
    project.run("--alluredir", "shared", *words[2:], "-n", "2", impl=impl)
    shared = results(project.path / "shared")
    assert {name: each["status"] for name, each in shared.items()} == {
        name: each["status"] for name, each in alone.items()
    }
    assert {each["historyId"] for each in shared.values()} == {each["historyId"] for each in alone.values()}


def test_what_was_not_run_is_broken(project: Project) -> None:
    ends = 'if op != "hello": raise SystemExit(3)'
    project.run("--alluredir", "told", impl=adapter(project.path, ends))
    found = results(project.path / "told")
    assert len(found) == 74
    assert {each["status"] for each in found.values()} == {"broken"}


def test_what_an_implementation_says_does_no_harm(project: Project) -> None:
    nasty = '"\\x1b[2J<script>\\u202e"'
    change = f'if op == "decode": given = {{"id": request["id"], "error": {{"message": {nasty}}}}}'
    project.run("--alluredir", "told", "-k", "COMET-SUBSCRIBE-501", impl=adapter(project.path, change))
    files = list((project.path / "told").iterdir())
    assert any(b"<script>" in file.read_bytes() for file in files)  # as text: attachments are text/plain
    for file in files:
        assert "\x1b" not in file.read_text(encoding="utf-8")
        assert "\u202e" not in file.read_text(encoding="utf-8")
    (result,) = results(project.path / "told").values()
    assert {each["type"] for each in result["attachments"]} == {"text/plain"}


def test_without_alluredir_nothing_of_it_is_imported(project: Project) -> None:
    project.pytester.makeconftest(
        "import sys\ndef pytest_unconfigure(config):\n"
        "    assert 'wireproof_harness.pytest_plugin.allure' not in sys.modules\n"
    )
    assert project.run("-k", "COMET-SUBSCRIBE-501").ret == 0
