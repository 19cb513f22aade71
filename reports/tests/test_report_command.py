"""`wireproof report build`: three lines, three files, and clear words about a log that is none."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from tests.runlogs import write_log
from wireproof_harness.cli import cli, main
from wireproof_harness.results import Run
from wireproof_reports import build
from wireproof_reports.model import ReportModel

MakeRun = Callable[..., Run]
FILES = ["report.html", "report.json", "report.md"]
EVERY = 97


def report(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["report", "build", *map(str, arguments)], catch_exceptions=False)


def test_a_run_that_conforms(tmp_path: Path, run_of: MakeRun) -> None:
    log = write_log(run_of(every=EVERY), tmp_path / "results.jsonl")
    result = report(log, "--out", tmp_path / "out")
    assert result.exit_code == 0
    verdict, page, first = result.stdout.splitlines()
    assert verdict == "CONFORMS  acme 1.2: 180 planned, 180 executed, 180 passed"
    assert page == f"page: {tmp_path / 'out' / 'report.html'}"
    assert first == "nothing failed"
    assert sorted(os.listdir(tmp_path / "out")) == FILES


def test_a_run_that_fails_is_reported_with_success_and_says_where_to_begin(tmp_path: Path, run_of: MakeRun) -> None:
    change = {"status": "fail", "cause": "accepted", "detail": "ok instead of overrun"}
    run = run_of(lambda q, n: change if q.vector.protocol == "comet" else {}, every=EVERY)
    result = report(write_log(run, tmp_path / "log"), "--out", tmp_path / "out")
    assert result.exit_code == 0
    verdict, _, first = result.stdout.splitlines()
    failures = [v.question for v in run.verdicts if v.status == "fail"]
    assert verdict.startswith("DOES NOT CONFORM  acme 1.2: 180 planned, 180 executed, ")
    assert verdict.endswith(f", {len(failures)} fail")
    assert first == (
        f"look first at comet: accepts what the document does not define ({len(failures)} questions); "
        f"begin with {failures[0]}"
    )


def test_warnings_are_no_failures_and_are_told(tmp_path: Path, run_of: MakeRun) -> None:
    run = run_of(lambda q, n: {"status": "warn", "cause": "reason"} if n == 4 else {}, every=EVERY)
    result = report(write_log(run, tmp_path / "log"), "--out", tmp_path / "out")
    assert result.stdout.splitlines()[2].startswith("nothing failed; 1 warned, first ")


@pytest.mark.parametrize("torn", [b"", b'{"record":"verdict","question":"COM'])
def test_a_killed_run_says_so(tmp_path: Path, run_of: MakeRun, torn: bytes) -> None:
    log = write_log(run_of(every=EVERY, killed_after=100), tmp_path / "log")
    log.write_bytes(log.read_bytes() + torn)
    result = report(log, "--out", tmp_path / "out")
    assert result.exit_code == 0
    verdict, _, first = result.stdout.splitlines()
    assert verdict == "INCOMPLETE  acme 1.2: 180 planned, 100 executed, 100 passed, 80 without a verdict"
    assert first.startswith("look first at why it is incomplete. The run did not come to its end: 80 of 180")
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    assert (told["verdict"], told["totals"]["unreported"]) == ("incomplete", 80)
    assert "## INCOMPLETE" in (tmp_path / "out" / "report.md").read_text("utf-8")


def test_a_run_killed_before_its_first_verdict_still_has_a_report(tmp_path: Path, run_of: MakeRun) -> None:
    result = report(write_log(run_of(killed_after=0), tmp_path / "log"), "--out", tmp_path / "out")
    assert result.exit_code == 0
    assert result.stdout.startswith("INCOMPLETE  acme 1.2: 17,")


def test_the_places_it_takes_by_default(tmp_path: Path, run_of: MakeRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_log(run_of(every=EVERY), tmp_path / ".wireproof" / "results.jsonl")
    result = report()
    assert result.stdout.splitlines()[1] == f"page: {Path('.wireproof/report/report.html')}"
    assert sorted(os.listdir(".wireproof/report")) == FILES


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no result log"),
        (b"", "does not begin with the header of a run"),
        (b"hello\n", "is no record of a result log"),
        (b'{"record":"end","counts":{},"verdict":"conforms","exit_code":0}\n', "does not begin with the header"),
        (b"\xff\xfe\x00\n", "is no record of a result log"),
    ],
)
def test_a_log_that_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes | None, words: str
) -> None:
    log = tmp_path / "log"
    if content is not None:
        log.write_bytes(content)
    assert main(["report", "build", str(log), "--out", str(tmp_path / "out")]) == 2
    said = capsys.readouterr()
    assert words in said.err
    assert said.out == ""
    assert not (tmp_path / "out").exists()


def test_a_log_with_a_verdict_twice_is_refused(
    tmp_path: Path, run_of: MakeRun, capsys: pytest.CaptureFixture[str]
) -> None:
    run = run_of(every=EVERY, killed_after=50)
    run.verdicts.append(run.verdicts[-1])
    assert main(["report", "build", str(write_log(run, tmp_path / "log"))]) == 2
    assert "two verdicts on" in capsys.readouterr().err


def test_a_folder_that_cannot_be_written(tmp_path: Path, run_of: MakeRun, capsys: pytest.CaptureFixture[str]) -> None:
    log = write_log(run_of(every=EVERY), tmp_path / "log")
    assert main(["report", "build", str(log), "--out", str(log)]) == 2
    assert "Name another folder with --out." in capsys.readouterr().err


def test_a_report_is_replaced_as_a_whole_or_not_at_all(
    tmp_path: Path, run_of: MakeRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, out = write_log(run_of(every=EVERY), tmp_path / "log"), tmp_path / "out"
    build.write_report(log, out)
    before = {name: (out / name).read_bytes() for name in FILES}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space"):
        build.write_report(log, out)
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before


def test_the_same_log_gives_the_same_bytes(tmp_path: Path, run_of: MakeRun) -> None:
    log = write_log(run_of(every=EVERY), tmp_path / "log")
    for name in ("one", "two"):
        build.write_report(log, tmp_path / name)
    for name in FILES:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_the_json_beside_the_page_is_the_model(tmp_path: Path, run_of: MakeRun) -> None:
    build.write_report(write_log(run_of(every=EVERY), tmp_path / "log"), tmp_path)
    model = msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=ReportModel, strict=True)
    assert model.totals.planned == 180


def test_a_hostile_name_cannot_touch_the_terminal(tmp_path: Path, run_of: MakeRun) -> None:
    run = run_of(every=EVERY, header={"implementation": {"name": "\x1b[2Jacme\nCONFORMS"}})
    result = report(write_log(run, tmp_path / "log"), "--out", tmp_path / "out")
    assert "\x1b" not in result.stdout
    assert len(result.stdout.splitlines()) == 3


def test_neither_help_nor_the_group_loads_the_template_engine() -> None:
    program = (
        "import sys; from wireproof_harness.cli import main\n"
        "main(sys.argv[1:]); print([name for name in ('jinja2', 'msgspec') if name in sys.modules])"
    )
    for arguments, loaded in ((["--help"], "[]"), (["report", "build", "--help"], "['msgspec']")):
        command = [sys.executable, "-c", program, *arguments]
        result = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
        assert "report" in result.stdout
        assert result.stdout.splitlines()[-1] == loaded
