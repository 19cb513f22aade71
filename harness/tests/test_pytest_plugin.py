"""Vectors as pytest items: selections, outcomes, what is told, and what happens when something breaks."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from testees import ACCEPTS, CLAIM, adapter
from vector_items import Project, outcomes
from wireproof.suite import load_suite

ALL = 74
OTHER_REASON = 'if given.get("reject", {}).get("error") == "overrun": given["reject"]["error"] = "bad-version"'
CRASHES = 'if text == "0006030100034061": import os; os._exit(9)'  # COMET-SUBSCRIBE-508
ONE = "COMET-SUBSCRIBE-501"
REJECTS = (
    'if op in ("decode", "stream") and "ok" in given: '
    'given = {"id": request["id"], "reject": {"messages": [], "error": "overrun", "offset": 0}}'
)
SHORT = "from wireproof_harness.pytest_plugin import feed\nfeed.STRETCH, feed.STRETCHES = 4, 2\n"
BACKWARDS = """
def pytest_runtestloop(session):
    for item in reversed(session.items):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
    return True
"""


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    return Project(pytester)


def test_one_item_for_each_vector(project: Project) -> None:
    run = project.run("--collect-only", "-q")
    listed = [line.split("::")[1] for line in run.outlines if "::" in line]
    suite = load_suite(project.path / "suite")
    assert listed == [vector.id for vector in suite.vectors]
    assert len(listed) == ALL


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("-m", "reject and required"), 8),
        (("-m", "overrun and profile"), 2),
        (("-m", "comet and accept"), 44),
        (("-m", "tny"), 0),
        (("-k", "COMET-SUBSCRIBE-50"), 9),
        (("-k", "COMET-S28 and not required"), 1),
    ],
)
def test_selections(project: Project, words: tuple[str, ...], expected: int) -> None:
    run = project.run("--collect-only", "-q", *words)
    assert sum("::" in line for line in run.outlines) == expected


def test_a_conforming_implementation(project: Project) -> None:
    run = project.run("--junitxml", "junit.xml")
    run.assert_outcomes(passed=ALL)
    run.stdout.fnmatch_lines(["wireproof: reference", f"vectors by their worst answer: {ALL} pass"])
    assert run.ret == 0
    cases = ET.parse(project.path / "junit.xml").getroot().findall("testsuite/testcase")
    assert len(cases) == ALL
    (case,) = (case for case in cases if case.get("name") == ONE)
    found = {each.get("name"): each.get("value") for each in case.findall("properties/property")}
    assert found == {
        "wireproof_protocol": "comet",
        "wireproof_level": "required",
        "wireproof_clauses": "COMET-3.8 COMET-3.9 COMET-S14",
        "wireproof_status": "pass",
        "wireproof_decode": "pass",
        "wireproof_bytes": "pass",
        "wireproof_splits": "pass",
    }


def test_a_failure_reads_as_check_tells_it(project: Project) -> None:
    impl = adapter(project.path, ACCEPTS)
    run = project.run("-k", "COMET-SUBSCRIBE-508", impl=impl)
    run.assert_outcomes(failed=1, deselected=ALL - 1)
    run.stdout.fnmatch_lines(
        [
            "*_ COMET-SUBSCRIBE-508 *_*",
            "COMET-SUBSCRIBE-508/decode  fail  accepts what the document does not define",
            "*topics?0?.length*COMET-2.3",
            "  expected  rejected as overrun at byte 6",
            "  rule      COMET-2.3*",
            "  again     wireproof check*--id COMET-SUBSCRIBE-508/decode",
            "  also      COMET-SUBSCRIBE-508/bytes fail*",
        ]
    )


def test_a_baseline_is_a_strict_xfail(project: Project) -> None:
    entry = "- {{question: {}/*, status: fail, cause: {}, reason: see issue 12}}\n"
    known = [("COMET-SUBSCRIBE-501", "accepted"), ("COMET-SUBSCRIBE-502", "accepted"), ("COMET-SUBSCRIBE-503", "value")]
    (project.path / "known.yaml").write_text("".join(entry.format(*each) for each in known), encoding="utf-8")
    words = ("-k", "COMET-SUBSCRIBE-50", "-rA", "--wireproof-baseline", "known.yaml")
    run = project.run(*words, impl=adapter(project.path, ACCEPTS))
    found = outcomes(run)
    assert found["XFAIL"] == {"COMET-SUBSCRIBE-501"}
    assert {"COMET-SUBSCRIBE-502", "COMET-SUBSCRIBE-503", "COMET-SUBSCRIBE-505"} <= found["FAILED"]
    assert run.ret == 1
    text = run.stdout.str()
    assert "see issue 12" in text
    assert "take the entry out" in text
    assert "this is another failure" in text


def test_what_is_not_supported_is_skipped_at_the_vector_or_told(project: Project) -> None:
    claim = CLAIM.format(claims='{"comet": {"operations": ["decode"], "directions": ["c2s"]}}')
    run = project.run("-rs", impl=adapter(project.path, claim))
    found = run.parseoutcomes()
    assert found["skipped"] > 0
    assert found["passed"] + found["skipped"] == ALL
    run.stdout.fnmatch_lines(["SKIPPED * suite*commands.yaml:*: unsupported: direction s2c"])
    partly = found["passed"] - 1  # one is asked whole only
    run.stdout.fnmatch_lines([f"{partly} passed in part: not all ways of asking are supported*"])
    run.stdout.fnmatch_lines([f"vectors by their worst answer: {partly + 1} pass, {found['skipped']} unsupported"])


def test_nothing_executed_is_not_a_success(project: Project) -> None:
    run = project.run(impl=adapter(project.path, CLAIM.format(claims='{"tny": {"operations": ["decode"]}}')))
    run.assert_outcomes(skipped=ALL)
    assert run.ret == 5
    run.stdout.fnmatch_lines(["no vector was executed*"])


def test_a_warning_is_told_and_passes(project: Project) -> None:
    run = project.run("-k", ONE, impl=adapter(project.path, OTHER_REASON))
    run.assert_outcomes(passed=1, deselected=ALL - 1)
    run.stdout.fnmatch_lines([f"{ONE}/decode warn: *bad-version*", "vectors by their worst answer: 1 warn"])


def test_what_was_not_run_is_an_error(project: Project) -> None:
    ends = 'if op != "hello": raise SystemExit(3)'
    run = project.run("--tb=line", "-rA", impl=adapter(project.path, ends))
    found = run.parseoutcomes()
    assert set(found) == {"failed", "errors"}
    assert found["failed"] + found["errors"] == ALL
    assert "not run: it broke down" in run.stdout.str()


def test_an_unknown_operation_that_is_answered_fails_the_run(project: Project) -> None:
    dishonest = 'if "unsupported" in given: given = {"id": request["id"], "ok": {}}'
    run = project.run("-k", ONE, impl=adapter(project.path, dishonest))
    run.assert_outcomes(passed=1, deselected=ALL - 1)
    assert run.ret == 1
    run.stdout.fnmatch_lines(["does not conform: CONTRACT-PROBE/decode: contract-error*"])


@pytest.mark.parametrize("dist", ["load", "worksteal"])
def test_xdist_gives_the_same_outcomes(project: Project, dist: str) -> None:
    impl = adapter(project.path, ACCEPTS, CRASHES)
    alone = outcomes(project.run("-rA", impl=impl))
    shared = outcomes(project.run("-rA", "-n", "2", "--dist", dist, impl=impl))
    assert shared == alone
    assert sum(map(len, alone.values())) == ALL
    assert "COMET-SUBSCRIBE-508" in alone["FAILED"]


@pytest.mark.parametrize("conftest", [SHORT, SHORT + BACKWARDS], ids=["in order", "never the one that was guessed"])
@pytest.mark.parametrize("change", [REJECTS, ACCEPTS])
def test_stretches_do_not_change_outcomes(project: Project, change: str, conftest: str) -> None:
    impl = adapter(project.path, change)
    whole = project.run("-rA", impl=impl)
    project.pytester.makeconftest(conftest)
    parts = project.run("-rA", impl=impl)
    assert outcomes(parts) == outcomes(whole)
    assert _counted(parts) == _counted(whole)
    assert (" warn" in _counted(whole)) == (change == REJECTS)  # a rejection whose twin is not accepted


def _counted(run: pytest.RunResult) -> str:
    (found,) = (line for line in run.outlines if line.startswith("vectors by their worst answer: "))
    return found


def test_each_vector_is_asked_once_though_others_need_it_as_their_twin(project: Project) -> None:
    project.pytester.makeconftest(SHORT)
    asked = project.path / "asked"
    notes = f'if op == "decode": open({str(asked)!r}, "a").write(text + "\\n")'
    run = project.run("--wireproof-mode", "decode", "-m", "not refuse", impl=adapter(project.path, notes))
    assert run.ret == 0
    assert len(asked.read_text(encoding="utf-8").splitlines()) == run.parseoutcomes()["passed"]


def test_a_worker_that_crashes_costs_one_item(project: Project) -> None:
    project.pytester.makeconftest(
        f"import os\ndef pytest_runtest_call(item):\n    if item.name == '{ONE}': os._exit(7)\n"
    )
    run = project.run("-rA", "-n", "2")
    found = outcomes(run)
    assert found["FAILED"] == {ONE}
    assert len(found["PASSED"]) == ALL - 1
    assert run.ret == 1


@pytest.mark.parametrize("words", [(), ("-n", "2")])
def test_an_implementation_that_does_not_start(project: Project, words: tuple[str, ...]) -> None:
    run = project.run(*words, impl="/no/such/program")
    assert run.ret == 3
    text = run.stdout.str() + run.stderr.str()
    assert "/no/such/program could not be started: " in text
    assert "wireproof doctor" in text
    assert text.count("no/such/program could not be started") <= 8
    assert "passed" not in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "say whom to ask with --wireproof-impl"),
        (("--wireproof-impl", "reference", "--wireproof-mode", "decoed"), "no mode 'decoed'; there are decode"),
        (("--wireproof-impl", "reference", "--wireproof-baseline", "none.yaml"), "none.yaml"),
        (("--wireproof-impl", "reference", "--wireproof-set", "order=little"), "PROTOCOL.NAME=VALUE"),
        (("--wireproof-impl", "reference", "--wireproof-timeout-scale", "-1"), "above 0"),
        (("--wireproof-impl", "mine.toml"), "mine.toml cannot be read"),
        (("--wireproof-impl", "mine.toml", "-n", "2"), "mine.toml cannot be read"),
    ],
)
def test_what_cannot_be_meant_is_said(project: Project, words: tuple[str, ...], said: str) -> None:
    run = project.run(*words, impl="")
    assert run.ret == 4, run.stdout.str()
    assert said in run.stdout.str()
    assert "site-packages" not in run.stdout.str() + run.stderr.str()


def test_a_project_says_once_whom_to_ask(project: Project) -> None:
    command = shlex.split(adapter(project.path, ACCEPTS))
    table = f"[tool.wireproof]\nimplementation = {command!r}\nbaseline = 'known.yaml'\n"
    (project.path / "pyproject.toml").write_text(table, encoding="utf-8")
    entry = f"- {{question: {ONE}/*, status: fail, reason: later}}\n"
    (project.path / "known.yaml").write_text(entry, encoding="utf-8")
    project.run("-k", ONE, impl="").assert_outcomes(xfailed=1, deselected=ALL - 1)


def test_without_the_plugin_nothing_is_left(project: Project) -> None:
    run = project.pytester.runpytest_subprocess("suite", "-p", "no:wireproof", "--help")
    assert "wireproof" not in run.stdout.str()
    run = project.pytester.runpytest_subprocess("suite", "-p", "no:wireproof")
    assert run.ret == pytest.ExitCode.NO_TESTS_COLLECTED


def test_nothing_heavy_is_imported_without_vectors(pytester: pytest.Pytester) -> None:
    heavy = ("yaml", "msgspec", "click", "rich", "wireproof.codec", "wireproof_harness.runner")
    pytester.makepyfile(f"import sys\ndef test_it(): assert not set({heavy!r}) & set(sys.modules)\n")
    run = pytester.runpytest_subprocess("--wireproof-impl", "reference", "-p", "no:hypothesispytest")
    run.assert_outcomes(passed=1)


def test_neither_xdist_nor_allure_is_needed(project: Project) -> None:
    project.run("-k", ONE, "-p", "no:xdist", "-p", "no:allure_pytest").assert_outcomes(passed=1, deselected=ALL - 1)


def test_markers_are_listed(project: Project) -> None:
    run = project.pytester.runpytest_subprocess("--markers")
    run.stdout.fnmatch_lines(["@pytest.mark.comet: *", "@pytest.mark.COMET-3.8: *"])


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def _gone(path: Path) -> bool:
    """Whether every process whose number is in a file has ended, or does so soon."""
    pids = [int(line) for line in path.read_text(encoding="utf-8").split()]
    assert pids
    until = time.monotonic() + 20
    while any(map(_is_alive, pids)) and time.monotonic() < until:
        time.sleep(0.05)
    return not any(map(_is_alive, pids))


def _noting(path: Path) -> str:
    return f'if op == "hello": import os; open({str(path)!r}, "a").write(f"{{os.getpid()}}\\n")'


@pytest.mark.parametrize("words", [("-x",), ("-x", "-n", "2"), ()])
def test_the_implementation_is_closed_at_the_end(project: Project, words: tuple[str, ...]) -> None:
    pids = project.path / "pids"
    run = project.run(*words, impl=adapter(project.path, _noting(pids), ACCEPTS))
    assert run.ret != 0
    assert _gone(pids)


def test_the_implementation_is_closed_after_ctrl_c(project: Project) -> None:
    pids = project.path / "pids"
    hangs = 'if op != "hello" and request.get("op") != "wireproof-probe" and text: import time; time.sleep(600)'
    command = [sys.executable, "-m", "pytest", "suite", "--wireproof-impl", adapter(project.path, _noting(pids), hangs)]
    with subprocess.Popen(command, cwd=project.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        until = time.monotonic() + 60
        while not pids.exists() and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 2, output
    assert _gone(pids)
