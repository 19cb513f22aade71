"""`wireproof decode`, as a person and as a program call it."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from wireproof_harness.cli import cli
from worked import CASES, Case


def decode(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(cli, ["decode", *arguments], input=stdin, catch_exceptions=False)


def comet(*arguments: str, stdin: str | bytes = "") -> Result:
    return decode("comet", "--direction", "c2s", *arguments, stdin=stdin)


def codec_of(case: Case) -> tuple[str, str | None]:
    return case.protocol, case.direction


@pytest.mark.parametrize(
    "cases", [list(group) for _, group in groupby(CASES, codec_of)], ids=lambda cases: cases[0].protocol
)
def test_every_worked_case_gets_its_answer_a_line_each(cases: list[Case]) -> None:
    protocol, direction = codec_of(cases[0])
    options = ["--direction", direction] if direction else []
    result = decode(protocol, "-", "--json", *options, stdin="".join(case.hex + "\n" for case in cases))
    assert [json.loads(line) for line in result.stdout.splitlines()] == [case.answer for case in cases]
    assert result.exit_code == (0 if all(case.answer["ok"] for case in cases) else 1)


def test_json_is_one_line_with_its_keys_in_order() -> None:
    result = comet("0001060000", "--json")
    heartbeat = '{"command": {"dir": "c2s", "type": 6, "name": "heartbeat"}}'
    assert result.stdout == f'{{"ok": false, "error": "length-mismatch", "offset": 3, "messages": [{heartbeat}]}}\n'
    assert result.exit_code == 1


def test_an_accepted_input() -> None:
    result = comet("000106 0006 03 01 0002 4061")
    assert result.exit_code == 0
    assert (
        result.stdout
        == """\
message 1  heartbeat  COMET-3.14
  0000  00 01                    length            short   1            COMET-2.4
  0002  06                       type              byte    6 heartbeat  COMET-2.5

message 2  subscribe  COMET-3.7
  0003  00 06                    length            short   6            COMET-2.4
  0005  03                       type              byte    3 subscribe  COMET-2.5
  0006  01                       topics.count      byte    1            COMET-3.8
  0007  00 02                    topics[0].length  short   2            COMET-2.3
  0009  40 61                    topics[0]         string  "@a"         COMET-3.9

accepted  2 messages in 11 bytes
"""
    )


def test_a_rejection_marks_the_end_of_the_input() -> None:
    result = comet("000106 0006 03 02 0002 4061")
    assert result.exit_code == 1
    dump, _, verdict = result.stdout.rpartition("\n\n")
    assert dump.endswith("""\
  0009  40 61                    topics[0]         string  "@a"         COMET-3.9
              ^^""")
    assert (
        verdict
        == """\
rejected  overrun  at byte 11 (0x000b)
  meaning   something inside a container needs more bytes than the container has left
  field     command.topics[1].length
  expected  2 bytes of short
  rule      COMET-2.3  A string is written as a short that gives its size in bytes, followed by
            exactly that many bytes.
  delivered 1 message before it: heartbeat
"""
    )


def test_a_rejection_marks_a_whole_field_and_shows_what_was_not_decoded() -> None:
    result = decode("tny", "746e792e 04 0d000000 e20f 01 01 00 01 00 00 00 631522c3")
    assert (
        """\
  payload
    0009  e2 0f                    access_id       VarInt64  2018                          TNY-2.2
    000b  01                       number          VarInt32  1                             TNY-2.1
    000c  01 00 01 00 00 00        not decoded
    0012  63 15 22 c3              check           CRC-32    4 bytes                       TNY-2.6
          ^^^^^^^^^^^

rejected  checksum-mismatch  at byte 18 (0x0012)
"""
        in result.stdout
    )


def test_a_rejection_marks_one_byte_inside_what_was_not_decoded() -> None:
    assert decode("tny", "746e78").stdout.startswith("""\
message 1
  0000  74 6e 78                 not decoded
              ^^

rejected  bad-magic  at byte 2 (0x0002)
""")


def test_long_fields_are_folded_except_where_the_fault_is() -> None:
    result = decode("magline", "c1010002 00000000 00000001 00000070" + "33" * 32 + "44" * 32 + "55" * 40)
    assert (
        """\
  0010  33 33 33 33 33 33 33 33  not decoded
  0018  33 33 33 33 33 33 33 33
  0020  33 33 33 33 33 33 33 33
        ... 72 more bytes
  0070  55 55 55 55 55 55 55 55
                                ^^
"""
        in result.stdout
    )


def test_wide_characters_keep_the_columns_and_hostile_ones_are_escaped() -> None:
    topic = "@你好\x1b[31m\u202e".encode()
    result = comet(f"{4 + len(topic):04x} 03 01 {len(topic):04x} {topic.hex()}")
    assert '"@你好\\x1b[31m\\u202e"  COMET-3.9\n' in result.stdout
    assert "\x1b" not in result.stdout


def test_hostile_characters_stay_json() -> None:
    topic = "@\x1b\x7f\x9b\u202e\U000e0001你"
    data = topic.encode()
    result = comet(f"{4 + len(data):04x} 03 01 {len(data):04x} {data.hex()}", "--json")
    assert r'"@\u001b\u007f\u009b\u202e\udb40\udc01你"' in result.stdout
    assert json.loads(result.stdout)["messages"][0]["command"]["topics"] == [topic]


@pytest.mark.parametrize(
    "hexes",
    [
        "000106",
        "00 01 06",
        "00:01:06",
        "0x00 0x01 0X06",
        "0x000106",
        " 0001\n06 # a heartbeat 12\n",
        "# only\n00 01 06",
    ],
)
def test_spellings_of_hex(hexes: str) -> None:
    assert json.loads(comet(hexes, "--json").stdout)["consumed"] == 3


@pytest.mark.parametrize(
    ("hexes", "problem"),
    [
        ("00010", "a group of 5 digits at column 1: a byte has two"),
        ("00 01 6", "a group of 1 digit at column 7"),
        ("0001\n  0g", "'g' at line 2, column 4 is no hex digit"),
        ("00x1", "'x' at column 3 is no hex digit"),
        ("00\u00a001", "'\u00a0' at column 3 is no hex digit"),
        ("00 \x1b[31m", "'\\x1b' at column 4 is no hex digit"),
        ("٣٣", "'٣' at column 1 is no hex digit"),
        ("0x", "'x' at column 2 is no hex digit"),
    ],
)
def test_what_is_not_hex_is_told_with_its_place(hexes: str, problem: str) -> None:
    result = comet(hexes)
    assert problem in result.stderr
    assert (result.exit_code, result.stdout) == (2, "")


def test_a_line_out_for_each_line_in() -> None:
    result = comet("-", stdin=b"000106\r\n\nzz\n000109\n\xff\n0001 06 # last, without an end")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert [answer.get("ok") for answer in answers] == [True, True, None, False, None, True]
    assert answers[1] == {"ok": True, "messages": [], "consumed": 0}
    assert answers[2] == {"error": {"message": "'z' at column 1 is no hex digit"}}
    assert answers[4] == {"error": {"message": "not text: byte 0 is not UTF-8"}}
    assert result.exit_code == 2


@pytest.mark.parametrize(("stdin", "code"), [("", 0), ("000106\n", 0), ("000106\n00\n", 1), ("00\nx\n", 2)])
def test_the_exit_code_of_lines_is_that_of_the_worst(stdin: str, code: int) -> None:
    assert comet("-", stdin=stdin).exit_code == code


def test_files(tmp_path: Path) -> None:
    text, raw = tmp_path / "frame.hex", tmp_path / "frame.bin"
    text.write_text("\ufeff00 01 # length\n06\n", encoding="utf-8")
    raw.write_bytes(bytes.fromhex("000106ff"))
    assert comet("--file", str(text)).exit_code == 0
    assert "truncated" in comet("--file", str(raw), "--binary", "--json").stdout
    assert "--binary" in comet("--file", str(raw)).stderr
    assert comet("--file", "-", stdin="00\n01\n06\n").exit_code == 0
    assert comet("--file", "-", "--binary", stdin=b"\x00\x01\x06").exit_code == 0
    assert "No such file" in comet("--file", str(tmp_path / "none")).stderr


@pytest.mark.parametrize(
    "arguments",
    [(), ("00", "--file", "x"), ("00", "--binary"), ("00", "01")],
    ids=lambda arguments: " ".join(arguments),
)
def test_one_input_is_needed(arguments: tuple[str, ...]) -> None:
    assert comet(*arguments).exit_code == 2


def test_an_empty_input_is_accepted() -> None:
    assert comet("").stdout == "accepted  0 messages in 0 bytes\n"
