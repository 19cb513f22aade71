"""`wireproof check` as a user sees it: exit codes, tables, explanations, formats, configuration."""

from __future__ import annotations

import json
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from testees import ACCEPTS, CLAIM, adapter
from wireproof_harness.cli import cli
from wireproof_harness.results import read_log

REJECTS = (
    'if op == "decode" and "ok" in given: '
    'given = {"id": request["id"], "reject": {"error": "bad-magic", "offset": 2, "messages": []}}'
)
COMET = ["--id", "COMET-SUBSCRIBE-50[1-4]"]


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def check(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", *words])


def test_what_conforms(tmp_path: Path) -> None:
    run = check("reference", *COMET)
    assert run.exit_code == 0, run.output
    assert "conforms: " in run.output
    log = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert log.footer is not None
    assert log.footer.counts["pass"] == log.header.planned == len(log.verdicts) > 10


def test_what_does_not_is_explained(tmp_path: Path) -> None:
    run = check(adapter(tmp_path, ACCEPTS), "--id", "COMET-SUBSCRIBE-501")
    assert run.exit_code == 1, run.output
    for part in (
        "accepts what the document does not define",
        "COMET-3 ",
        "topics.count",
        "expected  rejected as overrun at byte 14",
        "ok with 0 messages instead of overrun",
        "COMET-3.8  ",
        "advice    ",
        "--id COMET-SUBSCRIBE-501/decode",
        "does not conform: ",
    ):
        assert part in run.output


def test_the_repeat_command_repeats_just_this_question(tmp_path: Path) -> None:
    run = check(adapter(tmp_path, ACCEPTS), *COMET, "--format", "json")
    finding = next(found for found in json.loads(run.stdout)["findings"] if found["mode"] == "bytes")
    program = [sys.executable, "-c", "from wireproof_harness.cli import main; raise SystemExit(main())"]
    words = finding["again"].removeprefix("wireproof ")
    again = subprocess.run(
        ["sh", "-c", f'"$@" {words}', "sh", *program], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert again.returncode == 1, again.stderr
    log = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert [verdict.question for verdict in log.verdicts[1:]] == [
        f"{finding['vector']}/bytes" if verdict.status == "fail" else verdict.question for verdict in log.verdicts[1:]
    ]
    assert len(log.verdicts) == 3  # the probe, the twin, and the question


@pytest.mark.parametrize(
    ("change", "cause", "marked"),
    [
        ('if "topics" in str(given): given = json.loads(json.dumps(given).replace("@a", "@x"))', "value", "^^^^^"),
        ('if op == "encode" and "ok" in given: given["ok"]["hex"] += "00"', "bytes", "written"),
        ('if op == "decode" and "ok" in given: given["ok"]["consumed"] += 1', "consumed", "consumed is 15, not 14"),
        ('if op == "stream" and "ok" in given: given["ok"]["after"] = []', "shape", ""),
        ('if op == "decode" and "ok" in given: del given["ok"]["consumed"]', "shape", "has no consumed"),
        ('if op == "decode": given = {"id": request["id"], "error": {"message": "IndexError"}}', "error", "IndexError"),
        (REJECTS, "rejected", "rejected as bad-magic at byte 2"),
    ],
)
def test_each_kind_of_failure_has_its_explanation(tmp_path: Path, change: str, cause: str, marked: str) -> None:
    run = check(adapter(tmp_path, change), "--id", "COMET-COMMANDS-006")
    assert run.exit_code == 1, run.output
    assert marked in run.output
    log = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert cause in {verdict.cause for verdict in log.verdicts}


def test_a_rejection_proves_nothing_if_the_twin_is_rejected_too(tmp_path: Path) -> None:
    everything = 'if op == "decode": given = {"id": request["id"], "reject": {"error": "overrun", "messages": []}}'
    run = check(adapter(tmp_path, everything), "--id", "COMET-SUBSCRIBE-501/decode", "--format", "json")
    found = json.loads(run.stdout)
    assert found["counts"]["pass"] == 1  # the probe alone
    assert {(each["status"], each["cause"]) for each in found["findings"]} == {("fail", "rejected"), ("warn", "twin")}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["/no/such/program"], 3, "no program"),
        (["reference", "--id", "NO-SUCH-*"], 2, "no vector is as selected"),
        (["", "--protocol", "comet"], 2, "name an implementation"),
        (["'unclosed"], 2, "no command line"),
        (["missing.toml"], 2, "cannot be read"),
        (["tcp://nowhere"], 3, "no address"),
        (["reference", "--set", "comet.order=middle"], 2, "order is one of"),
        (["reference", "--set", "order=little"], 2, "PROTOCOL.NAME=VALUE"),
        (["reference", "--update-baseline"], 2, "--baseline FILE"),
        (["reference", "--output", "out.txt"], 2, "--output is for another --format"),
        (["reference", "--baseline", "none.yaml"], 2, "--update-baseline writes one"),
        (["reference", "--last-failed"], 2, "no run here yet"),
        (["reference", "--watch", "--resume"], 2, "leave --resume out"),
        (["pyproject.toml.txt"], 3, "no program"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], code: int, said: str) -> None:
    run = check(*words, "--timeout-scale", "0.1")
    assert run.exit_code == code, run.output
    assert said in run.output


def test_an_error_of_the_harness_is_not_one_of_the_implementation(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("wireproof_harness.session.plan", fails)
    run = check("reference")
    assert run.exit_code == 4
    assert "error of the harness" in run.output


def test_nothing_executed_is_not_a_pass(tmp_path: Path) -> None:
    nothing = adapter(tmp_path, CLAIM.format(claims='{"tny": {"operations": []}}'))
    run = check(nothing, "--protocol", "comet", "--format", "json")
    assert json.loads(run.stdout)["counts"]["unsupported"] > 0
    assert run.exit_code == 5, run.output


def test_strict_makes_warnings_count(tmp_path: Path) -> None:
    other = 'if given.get("reject", {}).get("error") == "overrun": given["reject"]["error"] = "bad-version"'
    words = [adapter(tmp_path, other), "--id", "COMET-SUBSCRIBE-501/decode"]
    assert check(*words).exit_code == 0
    assert check(*words, "--strict").exit_code == 1


def test_the_last_failures_alone(tmp_path: Path) -> None:
    words = adapter(tmp_path, ACCEPTS)
    check(words, *COMET)
    before = read_log(tmp_path / ".wireproof" / "results.jsonl")
    failed = {verdict.question for verdict in before.verdicts if verdict.status != "pass"}
    check(words, "--last-failed")
    after = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert failed <= {verdict.question for verdict in after.verdicts}
    assert len(after.verdicts) < len(before.verdicts)


def test_a_baseline_makes_a_gate(tmp_path: Path) -> None:
    words = [adapter(tmp_path, ACCEPTS), *COMET, "--baseline", "known.yaml"]
    assert "without a reason yet" in check(*words, "--update-baseline").output
    run = check(*words, "--format", "json")
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["counts"]["known-fail"] > 0
    mended = check(adapter(tmp_path), *COMET, "--baseline", "known.yaml", "--format", "json")
    assert mended.exit_code == 1
    assert json.loads(mended.stdout)["counts"]["unexpected-pass"] > 0


def test_a_project_says_once_what_it_checks(tmp_path: Path) -> None:
    settings = f"implementation = {json.dumps(adapter(tmp_path))}\nprotocols = ['tny-relay']\nlog = 'kept.jsonl'\n"
    (tmp_path / "pyproject.toml").write_text(f"[tool.wireproof]\n{settings}", encoding="utf-8")
    run = check("--mode", "encode")
    assert run.exit_code == 0, run.output
    log = read_log(tmp_path / "kept.jsonl")
    assert {verdict.protocol for verdict in log.verdicts} == {"contract", "tny-relay"}
    assert check("--mode", "encode", "--protocol", "comet", "--id", "COMET-COMMANDS-*").exit_code == 0
    (tmp_path / "pyproject.toml").write_text("[tool.wireproof]\nprotocol = 'comet'\n", encoding="utf-8")
    run = check("reference")
    assert run.exit_code == 2
    assert "has no key 'protocol'" in run.output


def test_junit(tmp_path: Path) -> None:
    run = check(adapter(tmp_path, ACCEPTS), *COMET, "--format", "junit", "--output", "junit.xml")
    assert "does not conform" in run.output  # who looks at the job sees it too
    root = ET.parse(tmp_path / "junit.xml").getroot()
    cases = root.findall("testsuite/testcase")
    log = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert len(cases) == len(log.verdicts)
    failed = [case for case in cases if case.find("failure") is not None]
    assert len(failed) == sum(verdict.status == "fail" for verdict in log.verdicts) > 0
    assert "expected  rejected as overrun" in "".join(failed[0].itertext())


def test_tap(tmp_path: Path) -> None:
    run = check(adapter(tmp_path, ACCEPTS), *COMET, "--format", "tap")
    lines = run.stdout.splitlines()
    log = read_log(tmp_path / ".wireproof" / "results.jsonl")
    assert lines[:2] == ["TAP version 14", f"1..{len(log.verdicts)}"]
    assert sum(line.startswith("ok ") for line in lines) == sum(v.status in ("pass", "warn") for v in log.verdicts)
    assert sum(line.startswith("not ok ") for line in lines) == sum(v.status == "fail" for v in log.verdicts)


def test_markdown(tmp_path: Path) -> None:
    run = check(adapter(tmp_path, ACCEPTS), *COMET, "--format", "md")
    assert "### wireproof reference: does not conform" in run.stdout
    assert "| COMET-SUBSCRIBE-501/decode | fail |" in run.stdout


@pytest.mark.parametrize("form", ["pretty", "json", "junit", "tap", "md"])
def test_what_an_implementation_says_does_no_harm(tmp_path: Path, form: str) -> None:
    nasty = '"\\x1b[2J<script>|`[x](y)\\u202e\\ud800" + "9" * 30'
    change = f'if op == "decode": given = {{"id": request["id"], "error": {{"message": {nasty}}}}}'
    run = check(adapter(tmp_path, change), "--id", "COMET-COMMANDS-006", "--format", form)
    assert run.exit_code == 1, run.output
    assert "\x1b" not in run.stdout
    assert "\u202e" not in run.stdout
    assert form not in ("md", "junit") or "<script>" not in run.stdout


def test_an_answer_with_a_lone_surrogate_is_logged(tmp_path: Path) -> None:
    change = 'if op == "encode" and "ud800" in line: given = {"id": request["id"], "ok": {"hex": "00"}}'
    run = check(adapter(tmp_path, change), "--protocol", "comet", "--mode", "encode", "--error", "invalid-utf8")
    assert run.exit_code == 1, run.output
    assert any(verdict.status == "fail" for verdict in read_log(tmp_path / ".wireproof" / "results.jsonl").verdicts)


def test_a_declared_profile_is_repeated(tmp_path: Path) -> None:
    change = 'if op == "encode" and "ok" in given: given["ok"]["hex"] += "00"'
    words = [adapter(tmp_path, change), "--id", "COMET-COMMANDS-006/encode", "--set", "comet.order=little"]
    run = check(*words)
    assert "--set comet.order=little" in run.output
    assert "re-rendered" in run.output
    assert run.exit_code == 1
