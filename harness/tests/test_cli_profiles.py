"""Which codec the options choose: protocol, direction, profile, and single parameters."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wireproof_harness.cli import cli

LITTLE = "010006"  # a heartbeat whose length is written little-endian


def decode(*arguments: str) -> Result:
    return CliRunner().invoke(cli, ["decode", *arguments], catch_exceptions=False)


def little(*arguments: str) -> Result:
    return decode("comet", LITTLE, "--direction", "c2s", "--json", *arguments)


def test_parameters() -> None:
    assert little().exit_code == 1
    assert little("--profile", "standard", "--set", "order=little").exit_code == 0
    assert little("--set", "order=little", "--set", "order=big").exit_code == 1


def test_a_parameter_that_is_a_map() -> None:
    mixed = "80000000 11000008 0000000000000001 00000000"
    assert decode("esnp-line", mixed, "--json").exit_code == 0
    assert "bad-order" in decode("esnp-line", mixed, "--json", "--set", "app_category=0x80:body,129:header").stdout


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.yaml", "order: little"),
        ("p.toml", 'order = "little"'),
        ("p.json", '{"order": "little"}'),
        ("p", "order: little"),
    ],
)
def test_a_profile_in_a_file(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    assert little("--profile", str(path)).exit_code == 0
    assert little("--profile", str(path), "--set", "order=big").exit_code == 1


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("p.yaml", "[order]", "does not hold parameters: write order: value"),
        ("p.yaml", "order: middle", "order is one of big, little, not 'middle'"),
        ("p.yaml", "ordre: big", "comet has no parameter 'ordre'; it has order,"),
        ("p.yaml", "order: [big]", "'order' needs a word"),
        ("p.yaml", "1: big", "1 needs a word"),
        ("p.yaml", "a: *b", "cannot be read: found undefined alias"),
        ("p.yaml", "[" * 5000, "nested too deeply"),
        ("p.json", "{", "cannot be read: Expecting property name"),
        ("p.toml", "order", "cannot be read"),
        ("p.json", "[" * 5000, "nested too deeply"),
        ("p.json", " " * 2_000_000, "larger than a profile can be"),
    ],
)
def test_a_profile_that_is_none(tmp_path: Path, name: str, text: str, problem: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = little("--profile", str(path))
    assert problem in " ".join(result.stderr.split())
    assert result.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["nope", "00"], "'tny-relay'"),
        (["comet", "00"], "Say --direction c2s"),
        (["comet", "00", "--direction", "up"], "'c2s', 's2c'"),
        (["tny", "00", "--direction", "c2s"], "tny has no directions"),
        (["tny", "00", "--profile", "fast"], "there is no profile 'fast': say standard, or the path of"),
        (["tny", "00", "--set", "order"], "write --set parameter=value"),
        (["tny", "00", "--set", "order=up"], "order is one of little, big, not 'up'"),
        (["tny", "00", "--set", "max_payload=" + "9" * 5000], "max_payload is an integer from"),
        (["tny", "00", "--set", "up=1"], "tny has no parameter 'up'; it has order, varint,"),
        (["esnp-line", "00", "--set", "app_category=zz:body"], "app_category maps 128 to 255 to header or body"),
        (["esnp-line", "00", "--set", "app_category=128"], "app_category maps 128 to 255 to header or body"),
    ],
)
def test_what_does_not_exist_is_told_with_what_does(arguments: list[str], problem: str) -> None:
    result = decode(*arguments)
    assert problem in result.stderr
    assert result.exit_code == 2
