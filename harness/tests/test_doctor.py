"""`wireproof doctor`: every sickness an adapter can have is named first, with the right cure."""

import json
import os
import sys
from pathlib import Path

import pytest

from sick.adapter import PATIENCE, diagnosed, sick
from sick.cases import CASES, Case
from wireproof_harness.cli import main
from wireproof_harness.doctor.examination import examine
from wireproof_harness.doctor.languages import language_of
from wireproof_harness.target import target

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_each_sickness_is_named_first_with_its_cure(case: Case, tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, case.code))
    assert report.faults, report.steps
    first = report.faults[0]
    assert (first.name, case.fix in first.fix) == (case.name, True), first
    assert first.seen
    assert first.why
    assert first.seen.isprintable()


def test_the_adapter_without_a_sickness_is_healthy(tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, ""))
    assert report.findings == []
    assert {step.state for step in report.steps} == {"ok"}


# ---- what is healthy ----


@pytest.mark.parametrize("words", [["reference"], [sys.executable, "-m", "wireproof_harness.reference"]], ids=len)
def test_the_reference_is_healthy(words: list[str]) -> None:
    assert diagnosed(words).findings == []


@pytest.mark.requires("node")
def test_the_javascript_kit_is_healthy() -> None:
    assert diagnosed([str(ROOT / "harness/kits/javascript/wireproof.toml")]).findings == []


def test_the_python_kit_is_healthy() -> None:
    assert diagnosed([str(ROOT / "harness/kits/python/wireproof.toml")]).findings == []


def test_what_starts_slowly_and_thinks_about_hello_is_healthy(tmp_path: Path) -> None:
    code = "time.sleep(0.5)\ndef asked(r):\n    if r['op'] == 'hello': time.sleep(1.5)\n    return r"
    assert diagnosed(sick(tmp_path, code)).findings == []


ADVICE = {
    "dies": Case("def answered(line, right=answered): json.loads(line); return right(line)", "dies-on-garbage", "null"),
    "is silent": Case(
        "def run():\n    for line in sys.stdin:\n        if line.startswith('{'): write(text(answered(line)))",
        "garbage-not-answered",
        "null",
    ),
}


@pytest.mark.parametrize("case", ADVICE.values(), ids=ADVICE.keys())
def test_a_line_that_is_no_request_is_a_matter_of_advice(case: Case, tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, case.code))
    (found,) = report.findings
    assert (found.name, found.advice, case.fix in found.fix) == (case.name, True, True)
    assert report.faults == []


# ---- what cannot be started ----


def test_a_program_that_does_not_exist() -> None:
    (found,) = diagnosed(["/no/such/program", "x"]).faults
    assert (found.name, "spelling" in found.fix) == ("no-such-program", True)


def test_a_program_that_may_not_be_executed(tmp_path: Path) -> None:
    program = tmp_path / "adapter"
    program.write_text("#!/bin/sh\n")
    (found,) = diagnosed([str(program), "x"]).faults
    assert (found.name, "chmod +x" in found.fix) == ("not-executable", True)


def test_a_program_without_an_interpreter(tmp_path: Path) -> None:
    program = tmp_path / "adapter"
    program.write_text("print('hello')\n")
    program.chmod(0o755)
    (found,) = diagnosed([str(program), "x"]).faults
    assert (found.name, "#!" in found.fix) == ("no-shebang", True)


def test_a_build_that_fails(tmp_path: Path) -> None:
    manifest = tmp_path / "mine.toml"
    manifest.write_text("build = ['sh', '-c', 'echo no compiler; exit 7']\ncommand = ['true']\n")
    (found,) = diagnosed([str(manifest)]).faults
    assert (found.name, "no compiler" in found.seen) == ("build-fails", True)


def test_nobody_listens(tmp_path: Path) -> None:
    (found,) = examine(target([f"unix://{tmp_path}/none.sock"]), 0.1).faults
    assert (found.name, "Start the adapter" in found.fix) == ("nobody-listens", True)


# ---- sockets ----

LISTENING = """
import socket
def run():
    if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen()
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("r") as requests, connection.makefile("w") as answers:
            for line in requests:
                answers.write(text(answered(line)) + "\\n")
                %s
"""


@pytest.mark.parametrize(
    ("last", "names"), [("answers.flush()", []), ("pass", ["does-not-flush"])], ids=["well", "sick"]
)
def test_an_adapter_on_a_socket(last: str, names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.sock"
    command = [*sick(tmp_path, LISTENING % last), str(path)]
    manifest = tmp_path / "mine.toml"
    manifest.write_text(f"command = {json.dumps(command)}\nconnect = 'unix://{path}'\n")
    assert [found.name for found in examine(target([str(manifest)]), 1).faults] == names


DIALLING = """
import socket
def run():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["WIREPROOF_CONNECT"].removeprefix("unix://"))
    with connection.makefile("r") as requests, connection.makefile("w") as answers:
        for line in requests:
            print(text(answered(line)), file=answers, flush=True)
"""


def test_an_adapter_that_dials(tmp_path: Path) -> None:
    report = examine(target(sick(tmp_path, DIALLING), listen=f"unix://{tmp_path}/d.sock"), PATIENCE)
    assert report.findings == []


# ---- the command ----


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--timeout-scale", "3", "reference"]) == 0
    assert "wireproof check reference" in capsys.readouterr().out.splitlines()[-1]
    assert main(["doctor", "--", *sick(tmp_path, "print('hi', flush=True)")]) == 1
    assert "wireproof doctor -- " in capsys.readouterr().out.splitlines()[-1]
    assert main(["doctor", ""]) == 2
    assert main(["doctor"]) == 2
    assert main(["doctor", str(tmp_path / "none.toml")]) == 2
    assert main(["doctor", "/no/such/program"]) == 3


def test_json_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--", *sick(tmp_path, CASES["no id"].code)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["healthy"] is False
    assert told["findings"][0]["name"] == "no-id"
    assert told["findings"][0]["hints"]["Python"] == 'answer["id"] = request["id"]'
    assert [step["state"] for step in told["steps"][:5]] == ["ok", "ok", "ok", "ok", "fault"]
    assert told["next"].startswith("wireproof doctor -- ")


def test_what_it_says_cannot_do_harm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "print('\\x1b[2J\\u202eevil [bold]', flush=True); sys.stderr.write('\\x1b]0;title\\x07'); sys.exit(3)"
    assert main(["doctor", "--", *sick(tmp_path, code)]) == 3
    shown = capsys.readouterr().out
    assert "evil [bold]" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_the_hint_is_in_the_language_of_the_command() -> None:
    assert language_of(["/usr/bin/python3.11", "a.py"]) == "Python"
    assert language_of(["node", "adapter.mjs"]) == "JavaScript"
    assert language_of(["./adapter.rb"]) == "Ruby"
    assert language_of(["./adapter"]) == ""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("sickness", ["no flush", "hangs", "flood", "dies on a wrong shape"])
def test_nothing_is_left_behind(sickness: str, tmp_path: Path) -> None:
    orphan = "os.fork() or (os.setsid(), time.sleep(300))\n"
    before = len(os.listdir("/proc/self/fd"))
    diagnosed(sick(tmp_path, orphan + CASES[sickness].code))
    left = [pid for pid in os.listdir("/proc") if pid.isdecimal() and str(tmp_path) in _command_of(pid)]
    assert left == []
    assert len(os.listdir("/proc/self/fd")) <= before


def _command_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
