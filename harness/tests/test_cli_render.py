"""`wireproof vectors render` and `export` for a declared profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wireproof_harness.cli import cli


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["vectors", *map(str, arguments)], catch_exceptions=False)


def test_a_vector_is_shown_as_it_is_asked_there() -> None:
    result = run("render", "comet", "--set", "order=little", "COMET-SUBSCRIBE-001")
    assert result.exit_code == 0, result.output
    assert "    02 00  # length 2\n" in result.stdout
    assert "  profile: {order: little}\n" in result.stdout
    assert result.stdout.rstrip().endswith("derived: true")


def test_one_without_a_counterpart_is_told_with_the_reason() -> None:
    result = run("render", "comet", "--set", "utf8=bytes", "COMET-TEXT-501")
    assert result.exit_code == 1
    assert result.stderr == "COMET-TEXT-501: accepted instead of invalid-utf8\n"


def test_the_export_counts_everything(tmp_path: Path) -> None:
    profile = tmp_path / "ours.yaml"
    profile.write_text("order: little\n", encoding="utf-8")
    result = run("export", tmp_path / "out.json", "--protocol", "comet", "--profile", profile, "--set", "bytes=int")
    assert result.exit_code == 0, result.output
    exported = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert exported["declared"] == {"order": "little", "bytes": "int"}
    derived = [vector for vector in exported["vectors"] if vector.get("derived")]
    assert len(derived) == exported["derived"] > 500
    assert all(vector["profile"]["order"] == "little" for vector in derived)
    run("export", tmp_path / "plain.json", "--protocol", "comet")
    plain = json.loads((tmp_path / "plain.json").read_text(encoding="utf-8"))
    assert exported["count"] + len(exported["unrendered"]) == plain["count"]
    assert result.stderr.startswith(f"{plain['count']} vectors: ")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["render", "comet"], "say what is declared"),
        (["render", "comet", "--set", "odour=little"], "it has order"),
        (["render", "comet", "--set", "order=little", "TNY-PING-001"], "a vector of tny"),
        (["export", "out.json", "--set", "order=little"], "say --protocol"),
    ],
)
def test_mistakes_are_told(arguments: list[str], hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert hint in result.output
    assert not (tmp_path / "out.json").exists()
