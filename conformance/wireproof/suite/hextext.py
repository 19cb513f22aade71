"""Hex as people write it: spaced, with comments, and with long runs abbreviated.

In hex, `repeat:ab:256` is the bytes ab, 256 times. In the strings of a value the same
token repeats its text, and `surrogate:d800` stands for a code unit that YAML cannot write.
A `;` after a token ends it where a digit or a letter follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

LARGEST: Final = 48 << 20
"""No vector is longer than this, so that a misprinted count cannot fill the memory."""
TOKEN: Final = re.compile(r"repeat:((?:[0-9a-fA-F]{2})+):([1-9][0-9]{0,8})|((?:[0-9a-fA-F]{2})+)")
COMMENT: Final = re.compile(r"#[^\n]*")
IN_TEXT: Final = re.compile(r"repeat:([^:]+):([0-9]{1,9});?|surrogate:(d[89a-f][0-9a-f]{2});?", re.IGNORECASE)


class HexProblem(ValueError):
    """Text that is not hex; `line` counts from 0 within the text."""

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(problem)
        self.line = line


def hex_tokens(text: str) -> Iterator[tuple[int, str]]:
    """Each word of the text that stands for bytes, with its line."""
    for number, line in enumerate(text.split("\n")):
        for word in line.partition("#")[0].split():
            yield number, word


def check_hex(text: str) -> int:
    """How many bytes the text stands for; HexProblem if it is not hex. Long runs are not written out for it."""
    plain = _plain(text)
    if plain is not None:
        return len(plain)
    size = 0
    for line, word in hex_tokens(text):
        match = TOKEN.fullmatch(word)
        if match is None:
            raise HexProblem(line, _fault(word))
        size += len(match[3]) // 2 if match[3] else len(match[1]) // 2 * int(match[2])
        if size > LARGEST:
            raise HexProblem(line, f"the bytes up to here are {size}, more than {LARGEST}")
    return size


def _plain(text: str) -> bytes | None:
    """The bytes of hex without abbreviations, which most is, much sooner than word by word; None for all else."""
    if "repeat:" in text or len(text) > LARGEST:
        return None
    try:
        return bytes.fromhex(COMMENT.sub("", text))
    except ValueError:
        return None


def _fault(word: str) -> str:
    shown = word if len(word) <= 40 else word[:40] + "..."
    if word.startswith("repeat:"):
        return f"{shown!r} is not of the form repeat:HEX:COUNT"
    if all(letter in "0123456789abcdefABCDEF" for letter in word):
        return f"{shown!r} has an odd number of hex digits"
    return f"{shown!r} is not hex"


def parse_hex(text: str) -> bytes:
    """The bytes that hex text stands for."""
    plain = _plain(text)
    if plain is not None:
        return plain
    check_hex(text)
    return b"".join(bytes.fromhex(unit) * count for unit, count in hex_parts(text))


def hex_parts(text: str) -> list[tuple[str, int]]:
    """Hex and how often it comes: the `repeat:` tokens of a text, and what stands between them."""
    parts: list[tuple[str, int]] = []
    between: list[str] = []
    for _, word in hex_tokens(text):
        if not word.startswith("repeat:"):
            between.append(word.lower())
            continue
        _, unit, count = word.lower().split(":")
        parts += [("".join(between), 1)] if between else []
        parts.append((unit, int(count)))
        between = []
    return [*parts, ("".join(between), 1)] if between else parts


def expand_text(text: str) -> str:
    """A string of a value with its tokens written out."""
    if "repeat:" not in text and "surrogate:" not in text:
        return text
    return IN_TEXT.sub(lambda match: match[1] * int(match[2]) if match[1] else chr(int(match[3], 16)), text)


def repeated_size(value: Any) -> int:
    """How many characters the `repeat:` tokens in a value stand for, without writing them out."""
    if isinstance(value, str):
        found = IN_TEXT.finditer(value) if "repeat:" in value else ()
        return sum(len(match[1]) * int(match[2]) for match in found if match[1])
    if isinstance(value, list):
        return sum(map(repeated_size, value))
    return sum(map(repeated_size, value.values())) if isinstance(value, dict) else 0


def expand(value: Any) -> Any:
    """A value with the tokens in all its strings written out."""
    if isinstance(value, str):
        return expand_text(value)
    if isinstance(value, list):
        return [expand(item) for item in value]
    if isinstance(value, dict):
        return {key: expand(item) for key, item in value.items()}
    return value
