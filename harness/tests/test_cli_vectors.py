"""`wireproof vectors`: what someone does who adds a vector, and what goes wrong on the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wireproof_harness.cli import cli


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["vectors", *map(str, arguments)], catch_exceptions=False)


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """A suite of two vectors: one accepted, one rejected, its twin."""
    for folder in ("accept", "reject"):
        (tmp_path / "comet" / folder).mkdir(parents=True)
    (tmp_path / "comet" / "accept" / "beat.yaml").write_text(
        """\
- id: COMET-BEAT-001
  title: a heartbeat
  clauses: [COMET-3.14]
  level: required
  direction: c2s
  hex: |
    00 01  # length 1
    06     # type 6 heartbeat
  expect: {accept: [{command: {dir: c2s, type: 6, name: heartbeat}}]}
  made: hand
  why: the smallest command there is
""",
        encoding="utf-8",
    )
    (tmp_path / "comet" / "reject" / "beat.yaml").write_text(
        """\
- id: COMET-BEAT-501
  title: a heartbeat with a body
  clauses: [COMET-3.14, COMET-S15]
  level: recommended
  direction: c2s
  hex: |
    00 02  # length 2
    06     # type 6 heartbeat
    00     # one byte too many
  expect: {reject: trailing-bytes, offset: 3}
  twin: COMET-BEAT-001
  patch: [{set: command.length, to: "0002"}, {append: "00"}]
  made: patched
  why: a reader that goes by the type alone takes this byte for the next length
""",
        encoding="utf-8",
    )
    return tmp_path


def accepted(suite: Path) -> Path:
    return suite / "comet" / "accept" / "beat.yaml"


def rejected(suite: Path) -> Path:
    return suite / "comet" / "reject" / "beat.yaml"


def spoil(path: Path, before: str, after: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after), encoding="utf-8")


def test_a_sound_suite_is_clean(suite: Path) -> None:
    result = run("lint", accepted(suite), rejected(suite))
    assert result.exit_code == 0, result.output
    assert "2 vectors, 0 problems" in result.output


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("offset: 3", "offset: 2", "the reference answers"),
        ("reject: trailing-bytes", "reject: overrun", "the reference answers"),
        ('to: "0002"', 'to: "0003"', "patch"),
        ("twin: COMET-BEAT-001", "twin: COMET-BEAT-009", "COMET-BEAT-009"),
        ("COMET-S15]\n  level: recommended", "COMET-S13]\n  level: required", "required"),
        ("COMET-3.14, COMET-S15", "COMET-9.99", "COMET-9.99"),
        ("    00     # one byte too many", "    00", "comment"),
    ],
)
def test_what_does_not_hold_is_told_with_its_line(suite: Path, before: str, after: str, problem: str) -> None:
    spoil(rejected(suite), before, after)
    result = run("lint", accepted(suite), rejected(suite))
    assert result.exit_code == 1, result.output
    assert "comet/reject/beat.yaml:" in result.output
    assert problem in result.output


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("06     #", "6     #", "odd number"),
        ("  hex: |\n    00 01  # length 1\n    06     # type 6 heartbeat\n", "  hex: 000106\n", "quotes"),
        ("  made: hand", "  maid: hand", "maid"),
        ("  made: hand", "  made: &x hand", "anchor"),
        ("id: COMET-BEAT-001", "id: comet-beat-1", "comet-beat-1"),
    ],
)
def test_a_broken_file_stops_with_file_line_and_advice(suite: Path, before: str, after: str, problem: str) -> None:
    spoil(accepted(suite), before, after)
    result = run("lint", accepted(suite))
    assert result.exit_code == 1, result.output
    assert "comet/accept/beat.yaml:" in result.output
    assert problem in result.output


def test_a_draft_is_filled_in_but_for_what_only_a_person_knows(suite: Path) -> None:
    target = accepted(suite)
    result = run("new", "comet", "--direction", "c2s", "--topic", "beat", "--hex", "000105", "--append", target)
    assert result.exit_code == 0, result.output
    text = target.read_text(encoding="utf-8")
    assert "COMET-BEAT-002" in text
    assert "# type 5 get_message_list" in text
    result = run("lint", target)
    assert result.exit_code == 1
    assert "the why is still to be written" in result.output


def test_a_draft_from_a_twin_has_its_patch_and_answer(suite: Path) -> None:
    target = rejected(suite)
    arguments = ("--topic", "beat", "--reject", "COMET-BEAT-001", "--patch", "{cut: 2}", "--append", target)
    result = run("new", "comet", "--direction", "c2s", *arguments)
    assert result.exit_code == 0, result.output
    text = target.read_text(encoding="utf-8")
    assert "expect: {reject: truncated, offset: 2}" in text
    assert "patch: [{cut: 2}]" in text


def test_formatting_changes_nothing_twice(suite: Path) -> None:
    target = accepted(suite)
    spoil(target, "    00 01  # length 1", "    0001 # length 1")
    assert run("format", "--check", target).exit_code == 1
    assert run("format", target).exit_code == 0
    once = target.read_text(encoding="utf-8")
    assert run("format", target).exit_code == 0
    assert target.read_text(encoding="utf-8") == once
    assert run("format", "--check", target).exit_code == 0
    assert run("lint", target).exit_code == 0


def test_the_export_has_every_vector(tmp_path: Path) -> None:
    target = tmp_path / "vectors.json"
    result = run("export", target)
    assert result.exit_code == 0, result.output
    exported = json.loads(target.read_text(encoding="utf-8"))
    ids = [vector["id"] for vector in exported["vectors"]]
    assert len(ids) == len(set(ids)) > 2000
    assert run("export", tmp_path / "again.json").exit_code == 0
    assert (tmp_path / "again.json").read_bytes() == target.read_bytes()


def test_bytes_as_a_vector_file_shows_them() -> None:
    result = run("hex", "comet", "000106", "--direction", "c2s", "--paths")
    assert "    00 01  # length 1" in result.output
    assert "#0:command.length" in result.output
    assert run("hex", "comet", "0", "--direction", "c2s").exit_code == 2
