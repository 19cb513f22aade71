"""`wireproof check --generate` finds what no vector is about, makes it small, and hands over something to keep."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from seededbugs import BUGS
from testees import adapter
from wireproof import PROTOCOLS
from wireproof.suite import Suite, load_suite
from wireproof.suite.lint import lint
from wireproof.suite.load import File, read_files
from wireproof.suite.written import vector_text
from wireproof_harness.claims import ProtocolClaims
from wireproof_harness.cli import cli
from wireproof_harness.generated.asking import Exchange, askable
from wireproof_harness.generated.comparison import Finding
from wireproof_harness.generated.questions import Frames, Scope
from wireproof_harness.generated.vectors import vectors_for
from wireproof_harness.reference import answer

FRAMES = 1500
Found = dict[str, Any]


def check(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", *words])


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)


@pytest.fixture(scope="module", params=list(BUGS))
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Found:
    """The disagreement that a seeded bug was found by, with the bug's name and command."""
    bug = BUGS[request.param]
    folder = tmp_path_factory.mktemp("bug")
    command = adapter(folder, *bug.changes)
    before = Path.cwd()
    os.chdir(folder)
    try:
        words = [command, "--generate", str(FRAMES), "--seed", "7", "--protocol", bug.protocol, "--format", "json"]
        run = check(*words)
    finally:
        os.chdir(before)
    assert run.exit_code == 1, run.output
    (result,) = json.loads(run.stdout)["protocols"]
    kinds = {each["kind"]: each for each in result["disagreements"]}
    assert bug.kind in kinds, list(kinds)
    return {**kinds[bug.kind], "bug": bug, "command": command, "kinds": list(kinds)}


def test_a_bug_is_found_and_made_small(found: Found) -> None:
    question, bug = found["question"], found["bug"]
    content = (
        found["reference"]["ok"]["hex"]
        if question["op"] == "encode"
        else "".join(question.get("chunks", [question.get("hex", "")]))
    )
    assert len(content) // 2 <= bug.size, question
    assert len(question.get("chunks", ())) <= 2
    assert found["kinds"] == [bug.kind]  # one mistake, told once
    assert found["seconds"] < 10


def test_its_vector_is_one_of_the_suite(found: Found) -> None:
    name = found["bug"].protocol
    made, problems = read_files([File(f"{name}/accept/generated.yaml", name, found["vector"].encode())])
    assert not problems
    assert made.vectors
    ids = {vector.id for vector in made.vectors}
    whole = Suite([*load_suite().by_protocol[name], *made.vectors])
    assert lint(whole, lambda vector: vector.id in ids) == []


@pytest.mark.parametrize(
    ("name", "profile"),
    [*((name, {}) for name in PROTOCOLS), ("comet", {"order": "little"})],
)
def test_every_answer_of_the_reference_makes_a_vector(name: str, profile: dict[str, Any]) -> None:
    """What is rejected or refused gets a twin and a patch that lint follows."""
    suite = load_suite()
    claimed = ProtocolClaims(["decode", "encode", "stream"])
    asked = [(each, answer(each)) for each in Frames(Scope(name, profile, claimed), 5).questions(40)]
    small = [(each, right) for each, right in asked if askable(right) and len(str(each)) < 600]
    made = [
        vector
        for number, (each, right) in enumerate(small, 1)
        for vector in vectors_for(Exchange(each, right, {}, Finding(f"kind {number}")), number, suite)
    ]
    assert {vector.kind for vector in made} == {"accept", "reject", "refuse"}
    text = "\n".join({vector.id: vector_text(vector) for vector in made}.values())
    there, problems = read_files([File(f"{name}/accept/generated.yaml", name, text.encode())])
    assert not problems
    ids = {vector.id for vector in there.vectors}
    found = lint(Suite([*suite.by_protocol[name], *there.vectors]), lambda vector: vector.id in ids)
    # The same plain twin may have been written for several.
    assert [each for each in found if "the same" not in each.problem] == []


def test_its_test_fails_until_it_is_mended(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    names: dict[str, Any] = {}
    monkeypatch.delenv("WIREPROOF_IMPL", raising=False)
    exec(found["test"], names)
    (test,) = (each for name, each in names.items() if name.startswith("test_"))
    with pytest.raises(AssertionError):
        test()
    monkeypatch.setenv("WIREPROOF_IMPL", "reference")
    exec(found["test"], names)
    names[test.__name__]()


def test_its_line_repeats_it(found: Found) -> None:
    words = shlex.split(found["again"])
    assert words[:2] == ["wireproof", "check"]
    run = check(*words[2:])
    assert run.exit_code == 1, run.output
    assert f"they disagree: {found['kind']}" in run.output
    mended = check("reference", *words[3:])
    assert mended.exit_code == 0, mended.output
    assert "they agree" in mended.output


def test_pytest_takes_the_test_as_it_is(tmp_path: Path) -> None:
    bug = BUGS["seven topics"]
    words = [adapter(tmp_path, *bug.changes), "--generate", "600", "--seed", "7", "--protocol", "comet"]
    (result,) = json.loads(check(*words, "--format", "json").stdout)["protocols"]
    (tmp_path / "test_pasted.py").write_text(result["disagreements"][0]["test"], encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_pasted.py"]
    environment = {key: value for key, value in os.environ.items() if key != "WIREPROOF_IMPL"}
    failed = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert failed.returncode == 1, failed.stdout
    assert "decode: messages, command.topics" in failed.stdout
    passed = subprocess.run(
        command, capture_output=True, text=True, check=False, env={**environment, "WIREPROOF_IMPL": "reference"}
    )
    assert passed.returncode == 0, passed.stdout


def test_people_are_told_everything(tmp_path: Path) -> None:
    bug = BUGS["seven topics"]
    run = check(adapter(tmp_path, *bug.changes), "--generate", "600", "--seed", "7", "--protocol", "comet")
    assert run.exit_code == 1, run.output
    for part in (
        "600 frames, ",
        "seed      7",
        "topics.count      byte    7",
        '[0].command.topics[6] is nothing instead of "@"',
        "rule      COMET-",
        '--ask \'{"op": "decode"',
        "- id: COMET-GENERATED-001",
        "def test_comet_generated_001() -> None:",
        "disagrees with the reference: 1 kind",
    ):
        assert part in run.output, part


def test_hypothesis_asks_the_same_of_an_implementation(tmp_path: Path) -> None:
    """The module that users run themselves: it skips, passes and fails."""
    two = "if op == 'decode' and 'ok' in given and len(given['ok']['messages']) == 2: given['ok']['messages'].reverse()"
    module = ["--pyargs", "wireproof_harness.generated.pytest_module", "-k", "comet and c2s"]
    command = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", *module]
    environment = {key: value for key, value in os.environ.items() if key != "WIREPROOF_IMPL"}
    environment |= {"CI": "1", "WIREPROOF_FRAMES": "40"}
    expected = (
        ("", 0, "WIREPROOF_IMPL names no implementation"),
        ("reference", 0, "4 passed"),
        (adapter(tmp_path, two), 1, "decode: messages, command."),
    )
    for named, code, said in expected:
        run = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment | {"WIREPROOF_IMPL": named}
        )
        assert run.returncode == code, run.stdout
        assert said in run.stdout
