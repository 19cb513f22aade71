"""What reaches a terminal: clean, aligned, and coloured only when wanted."""

from __future__ import annotations

import io
import json
import unicodedata

import pytest

from wireproof_harness.terminal import Screen, Segment, cells, clean, fit, json_line


def test_no_character_that_a_terminal_obeys_or_hides_is_left() -> None:
    everything = "".join(map(chr, range(0x110000)))
    left = {unicodedata.category(letter) for letter in clean(everything)}
    assert not left & {"Cc", "Cs", "Zl", "Zp"}
    hidden = [f"{ord(letter):x}" for letter in clean(everything) if unicodedata.category(letter) == "Cf"]
    assert hidden == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain [bold]你好[/bold]", "plain [bold]你好[/bold]"),
        ("\x1b]0;title\x07", "\\x1b]0;title\\x07"),
        ("a\r\nb", "a\\x0d\\x0ab"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text) == shown


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "ascii", "cp1252", None])
def test_json_says_the_same_in_every_encoding(encoding: str | None) -> None:
    value = {"s": "你\x00\x7f\u2028\u202e\ud800\U000e0001😀"}
    line = json_line(value, encoding)
    assert json.loads(line) == value
    assert clean(line) == line
    assert "\n" not in line
    line.encode(encoding or "ascii")


@pytest.mark.parametrize(("text", "width"), [("abc", 3), ("你好", 4), ("e\u0301", 1), ("", 0)])
def test_columns_a_text_takes(text: str, width: int) -> None:
    assert cells(text) == width


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [
        ("abc", 5, "abc  "),
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc..."),
        ("你好你好", 6, "你... "),
        ("你好", 4, "你好"),
    ],
)
def test_fit(text: str, width: int, shown: str) -> None:
    assert fit(text, width) == shown


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def shown(color: bool | None, stream: io.StringIO) -> str:
    Screen(color, stream).line(Segment("[bold]x\x1b[0m", "fault"), Segment("  ", "text"))
    return stream.getvalue()


def test_colours_on_a_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    plain, painted = "[bold]x\\x1b[0m\n", "\x1b[1;31m[bold]x\\x1b[0m\x1b[0m\n"
    assert shown(None, Terminal()) == painted
    assert shown(None, io.StringIO()) == plain
    assert shown(True, io.StringIO()) == painted
    assert shown(False, Terminal()) == plain
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(None, Terminal()) == plain
