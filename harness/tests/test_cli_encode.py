"""`wireproof encode`: what comes out, what is refused, and what is no message at all."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from wireproof_harness.cli import cli
from worked import CASES, Case

HEARTBEAT = '{"command": {"dir": "c2s", "type": 6}}'


def encode(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(cli, ["encode", *arguments], input=stdin, catch_exceptions=False)


def comet(*arguments: str, stdin: str | bytes = "") -> Result:
    return encode("comet", "--direction", "c2s", *arguments, stdin=stdin)


def subscribe(*topics: str) -> str:
    return json.dumps({"command": {"dir": "c2s", "type": 3, "topics": topics}})


def codec_of(case: Case) -> tuple[str, str | None]:
    return case.protocol, case.direction


WRITTEN_BACK = [case for case in CASES if case.canonical and len(case.answer["messages"]) == 1]


@pytest.mark.parametrize(
    "cases", [list(group) for _, group in groupby(WRITTEN_BACK, codec_of)], ids=lambda cases: cases[0].protocol
)
def test_every_worked_case_is_written_back(cases: list[Case]) -> None:
    protocol, direction = codec_of(cases[0])
    options = ["--direction", direction] if direction else []
    values = "".join(json.dumps(case.answer["messages"][0]) + "\n" for case in cases)
    result = encode(protocol, "-", *options, stdin=values)
    assert result.stdout.splitlines() == [case.hex for case in cases]
    assert result.exit_code == 0


def test_people_see_what_was_written() -> None:
    result = comet(HEARTBEAT)
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
message 1  heartbeat  COMET-3.14
  0000  00 01                    length  short  1            COMET-2.4
  0002  06                       type    byte   6 heartbeat  COMET-2.5

encoded  3 bytes
000106
"""
    )


def test_people_see_why_it_is_refused() -> None:
    result = comet(subscribe("@a", "b"))
    assert result.exit_code == 1
    assert (
        result.stdout
        == """\
refused  invalid-value
  meaning   a rule about the meaning of a value is broken
  field     command.topics[1]
  expected  a topic name that begins with @
  rule      COMET-1.21  The first character of every topic name is "@".
"""
    )


def test_programs_get_json() -> None:
    assert comet(HEARTBEAT, "--json").stdout == '{"ok": true, "hex": "000106"}\n'
    assert comet(subscribe("b"), "--json").stdout == '{"ok": false, "error": "invalid-value"}\n'


def test_a_line_out_for_each_line_in() -> None:
    lines = f"{HEARTBEAT}\n\n{subscribe('b')}\n[]\n".encode() + b"\xff\n"
    plain, as_json = comet("-", stdin=lines), comet("-", "--json", stdin=lines)
    assert plain.stdout.splitlines()[0] == "000106"
    assert plain.stdout.splitlines()[1:] == as_json.stdout.splitlines()[1:]
    answers = [json.loads(line) for line in as_json.stdout.splitlines()]
    assert [list(answer) for answer in answers] == [["ok", "hex"], ["error"], ["ok", "error"], ["error"], ["error"]]
    assert plain.exit_code == as_json.exit_code == 2


def nested(depth: int) -> str:
    return '{"frames": [{"type": 19, "key": "k", "value": ' + '{"t": "list", "v": [' * depth + "]}" * depth + "}]}"


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("", "not JSON at column 1"),
        ("{", "not JSON at column 2"),
        ('{"a":\n 1,}', "not JSON at line 2, column 4"),
        ("NaN", "NaN is not JSON"),
        ("[1] 2", "not JSON at column 5: Extra data"),
        ("[" * 100_000, "nested too deeply"),
        ('{"command": ' + "9" * 5000 + "}", "a number of 5,000 digits"),
        ('{"command": {"dir": "c2s", "dir": "c2s", "type": 6}}', 'the key "dir" stands twice'),
        ('{"command": {"dir": "s2c", "type": 6}}', "command.dir: expected 'c2s'"),
        ('{"command": {"dir": "c2s", "type": 1e400}}', "command: the key 'type' is missing or not an integer"),
        ('{"command": {"dir": "c2s", "type": 3}}', "command: the key 'topics' is missing"),
        ("[]", "a message is an object with the one key 'command'"),
    ],
)
def test_what_is_no_message_is_told_with_its_place(value: str, problem: str) -> None:
    result = comet("--file", "-", stdin=value)
    assert problem in result.stderr
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    ("protocol", "value", "error"),
    [
        ("esnp-frame", nested(65), "limit-exceeded"),
        ("esnp-frame", nested(300), "limit-exceeded"),
        ("esnp-frame", '{"frames": [{"type": 17, "id": "18446744073709551616"}]}', "out-of-range"),
        ("esnp-frame", '{"frames": [{"type": 9}]}', "forbidden-type"),
        ("esnp-line", '{"lines": [{"type": 29, "text": "\\ud800"}]}', "invalid-utf8"),
    ],
)
def test_refusals(protocol: str, value: str, error: str) -> None:
    result = encode(protocol, value, "--json")
    assert json.loads(result.stdout) == {"ok": False, "error": error}
    assert result.exit_code == 1


def test_a_message_longer_than_a_screen_is_not_spelled_out() -> None:
    value: dict[str, Any] = {"lines": [{"type": 22, "body": "ab" * 1000}]}
    result = encode("esnp-line", json.dumps(value))
    assert "... 976 more bytes" in result.stdout
    assert "--json" in result.stdout.splitlines()[-1]
    assert len(json.loads(encode("esnp-line", json.dumps(value), "--json").stdout)["hex"]) == 2 * 1008


def test_a_value_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    path.write_text(HEARTBEAT, encoding="utf-8")
    assert comet("--file", str(path), "--json").exit_code == 0
    path.write_bytes(b"\xff")
    assert f"{path.name} is not text" in comet("--file", str(path)).stderr
