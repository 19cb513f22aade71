"""`wireproof list`, `show`, `explain` and `coverage`: what they say about the vectors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from suite_examples import write_suite
from wireproof.suite import load, load_suite
from wireproof_harness.cli import cli
from wireproof_harness.cli.sidebyside import side_by_side

REFUSED, REJECTED, TWIN = "COMET-SUBSCRIBE-502", "COMET-SUBSCRIBE-501", "COMET-SUBSCRIBE-001"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, list(arguments))


def told(*arguments: str) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    return result.stdout


def parsed(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json").stdout)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The commands see a suite of three vectors."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    root = write_suite(tmp_path)
    monkeypatch.setattr(load, "suite_folder", lambda: root)
    return root


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], [TWIN, REJECTED, REFUSED]),
        (["--protocol", "comet"], [TWIN, REJECTED, REFUSED]),
        (["--clause", "comet-3.8"], [TWIN, REJECTED]),
        (["--error", "overrun"], [REJECTED]),
        (["--error", "invalid-value"], [REFUSED]),
        (["--made", "hand"], [TWIN]),
        (["--level", "required", "--id", "comet-*-50?"], [REJECTED, REFUSED]),
    ],
)
def test_list_selects(small: Path, options: list[str], found: list[str]) -> None:
    assert [line.split()[0] for line in told("list", *options).splitlines()] == found
    assert [vector["id"] for vector in parsed("list", *options)] == found


@pytest.mark.parametrize("options", [["--protocol", "tny"], ["--level", "profile"], ["--id", "X*"]])
def test_list_says_when_nothing_is_selected(small: Path, options: list[str]) -> None:
    result = run("list", *options)
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "0 vectors\n")


def test_show_tells_bytes_answer_and_origin(small: Path) -> None:
    text = told("show", REJECTED)
    assert "topics.count" in text
    assert "rejected as overrun at byte 8" in text
    assert f"derived by its patch, from {TWIN}" in text
    assert "comet/reject/subscribe.yaml:1" in text
    assert "trusts the count" in text


def test_show_of_a_refusal_tells_the_value(small: Path) -> None:
    text = told("show", REFUSED.lower())
    assert "an encoder of comet c2s, profile standard" in text
    assert "refused as invalid-value" in text
    assert '"topics": ["@a", "b"]' in text


def test_show_in_json_is_the_whole_vector(small: Path) -> None:
    assert parsed("show", REJECTED)["hex"] == "0006030200024061"
    assert parsed("show", REJECTED)["expect"] == {"ok": False, "error": "overrun", "offset": 8, "messages": []}
    assert parsed("show", TWIN)["expect"]["messages"][0]["command"]["topics"] == ["@a", "@b"]
    assert parsed("show", REFUSED)["expect"] == {"refuse": "invalid-value"}


def test_explain_puts_the_twin_beside_it(small: Path) -> None:
    text = told("explain", REJECTED)
    assert f"One defect away from {TWIN}, which is accepted: two topics" in text
    assert "command.length becomes 0006 (it was 00 0a)" in text
    assert "command.topics[1] is taken out (it was 00 02 40 62)" in text
    assert re.search(r"0000 {2}00 0a 03 02 00 02 40 61 +0000 {2}00 06 03 02", text)
    assert "COMET-3.8  主题数量" in text
    assert "Common causes of not answering overrun" in text


def test_explain_of_a_refusal_tells_both_values(small: Path) -> None:
    text = told("explain", REFUSED)
    assert "command.topics[1] becomes b" in text
    assert '"topics": ["@a", "@b"]' in text


def test_explain_of_an_accepted_vector_names_those_made_of_it(small: Path) -> None:
    text = told("explain", TWIN)
    assert f"{REJECTED}, {REFUSED}" in text
    assert "Common causes of not accepting" in text


def test_explain_in_json(small: Path) -> None:
    found = parsed("explain", REJECTED)
    assert found["twin"]["id"] == TWIN
    assert len(found["changes"]) == 2
    assert found["rules"][0]["id"] == "COMET-3.8"
    assert found["causes"]


@pytest.mark.parametrize("command", ["show", "explain"])
def test_an_unknown_id_suggests_near_ones(small: Path, command: str) -> None:
    result = run(command, "COMET-SUBSCRBE-501")
    assert result.exit_code == 2
    assert f"near it are {REJECTED}" in result.stderr
    assert "`wireproof list` lists all" in run(command, "\x1b[31m").stderr
    assert "\x1b" not in run(command, "\x1b[31m").stderr


def test_broken_files_are_told_with_their_place(small: Path) -> None:
    (small / "comet" / "accept" / "subscribe.yaml").write_text("- id: [", encoding="utf-8")
    for arguments in (["list"], ["show", TWIN], ["coverage", "comet"]):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "comet/accept/subscribe.yaml:2: not YAML" in result.stderr


def test_differences_are_marked() -> None:
    lines = ["".join(piece.text for piece in line).rstrip() for line in side_by_side(b"abcd", b"abXd", ("one", "two"))]
    assert lines == [
        "  one                             two",
        "  0000  61 62 63 64               0000  61 62 58 64",
        "              ^^                              ^^",
    ]


def test_of_long_inputs_the_neighbourhood_of_the_difference_is_shown() -> None:
    left, right = bytes(100_000), bytes(50_000) + b"\x01" + bytes(49_999)
    lines = ["".join(piece.text for piece in line) for line in side_by_side(left, right, ("one", "two"))]
    assert lines[1].strip() == "... 49,984 equal bytes"
    assert lines[-1].strip() == "... 49,983 equal bytes"
    assert len(lines) < 10


def test_coverage_of_a_small_suite_tells_its_gaps(small: Path) -> None:
    result = run("coverage", "comet", "--missing")
    assert result.exit_code == 1
    assert "COMET-3.2: no accepting vector" in result.stdout
    found = parsed("coverage", "comet")
    assert found["totals"]["vectors"] == 3
    assert found["protocols"][0]["gaps"]


def test_coverage_tells_what_vectors_cannot_show(small: Path) -> None:
    text = run("coverage", "comet").stdout
    assert "clauses shown in live sessions only" in text
    assert re.search(r"COMET-1\.2 +A codec sees one command at a time", text)
    assert re.search(r"COMET-3\.8 +1 +1 +0 +COMET-SUBSCRIBE-001", text)
    assert re.search(r"decoder +overrun +1 +COMET-SUBSCRIBE-501", text)
    assert re.search(r"c2s subscribe\.topics +2 items", text)


def test_vectors_of_all_kinds_can_be_explained() -> None:
    for vector in load_suite().vectors[::97]:
        assert vector.id in told("explain", vector.id)


def test_listing_loads_no_colours_and_leaves_nothing_out() -> None:
    code = "import sys; from wireproof_harness.cli import main; main(); print('rich' in sys.modules, file=sys.stderr)"
    listed = subprocess.run([sys.executable, "-c", code, "list"], capture_output=True, text=True, check=True)
    assert len(listed.stdout.splitlines()) == len(load_suite())
    assert listed.stderr.endswith("False\n")
