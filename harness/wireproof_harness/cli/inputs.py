"""What a person or a program hands over: hex in any common spelling, JSON, files, lines."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, Final, NoReturn

import click

from wireproof_harness.terminal import clean

# Blanked, not removed, so that a place in the rest is a place in the text.
_NOISE: Final = re.compile(r"#[^\n]*|\b0[xX](?=[0-9a-fA-F])|:")
_STRANGER: Final = re.compile(r"[^0-9a-fA-F \t\n\r\f\v]")
_ODD_GROUP: Final = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F](?:[0-9a-fA-F]{2})*(?![0-9a-fA-F])")


class Unusable(ValueError):
    """An input that cannot be asked about at all."""


def hex_bytes(text: str) -> bytes:
    """The bytes a text spells: blanks, colons, `0x`, upper case and `#` comments are fine."""
    blanked = _NOISE.sub(lambda match: " " * len(match[0]), text)
    try:
        return bytes.fromhex(blanked)
    except ValueError:
        raise Unusable(_fault(blanked)) from None


def _fault(text: str) -> str:
    """What is wrong with hex, and where."""
    if stranger := _STRANGER.search(text):
        return f"'{clean(stranger[0])}' at {_place(text, stranger.start())} is no hex digit"
    if group := _ODD_GROUP.search(text):
        digits = "1 digit" if len(group[0]) == 1 else f"{len(group[0]):,} digits"
        return f"a group of {digits} at {_place(text, group.start())}: a byte has two"
    return "this is not hex"


def _place(text: str, index: int) -> str:
    column = f"column {index - text.rfind(chr(10), 0, index)}"
    return f"line {text.count(chr(10), 0, index) + 1}, {column}" if "\n" in text.rstrip() else column


def json_value(text: str) -> Any:
    """A JSON value, read strictly."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_constant=_no_constant, parse_int=_integer)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise Unusable(f"not JSON at {where}: {error.msg}") from None
    except RecursionError:
        raise Unusable("this JSON is nested too deeply to be a message") from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]
        raise Unusable(f"the key {json.dumps(twice)} stands twice in one object")
    return found


def _no_constant(word: str) -> NoReturn:
    raise Unusable(f"{word} is not JSON")


def _integer(digits: str) -> int:
    try:
        return int(digits)
    except ValueError:
        raise Unusable(f"a number of {len(digits):,} digits is in no message") from None


def read_bytes(path: str) -> bytes:
    """A file, or all of standard input for `-`."""
    try:
        if path == "-":
            return sys.stdin.buffer.read()
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise click.UsageError(f"{path} cannot be read: {error.strerror}") from None


def read_text(path: str) -> str:
    try:
        return text_of(read_bytes(path))
    except Unusable as problem:
        raise Unusable(f"{path} is {problem}") from None


def text_of(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unusable(f"not text: byte {error.start} is not UTF-8") from None


def lines() -> Iterator[bytes]:
    """The lines of standard input, each as soon as it is there."""
    for line in sys.stdin.buffer:
        yield line.rstrip(b"\r\n")


def choose(argument: str | None, file: str | None, name: str) -> None:
    """One of an argument and a file, not both and not none."""
    if (argument is None) == (file is None):
        raise click.UsageError(f"give {name}, or --file, and not both; {name} can be - for a line of input at a time")
