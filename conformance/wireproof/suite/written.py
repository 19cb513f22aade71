"""Vectors as they are written in their files: one way to write each."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Iterator
from typing import Any, Final

from wireproof.codec import Codec
from wireproof.suite.commented import align
from wireproof.suite.model import Vector
from wireproof.suite.strictyaml import AMBIGUOUS, CONSTANTS, INTEGER

WIDTH: Final = 120
DEEP: Final = 12
"""Values nested deeper than this stay on one line: indented, they would wander off the page."""
WORD: Final = re.compile(r"[A-Za-z_/][A-Za-z0-9_/. +-]*(?<! )")
"""Words that mean themselves inside brackets, unless they look like something else."""
SENTENCE: Final = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`][^\n]*")
RUNS: Final = re.compile(r"([0-9a-f]{2}|[^:\s])\1{23,}")


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key_text(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    if isinstance(value, str):
        return value if _means_itself(value, WORD) else quoted(value)
    return json.dumps(value)


def key_text(key: Any) -> str:
    """A key; those are always words, so numbers need no quotes."""
    text = str(key)
    return text if WORD.fullmatch(text) or text.isdecimal() else quoted(text)


def sentence(text: str) -> str:
    """A line of text that stands by itself after its key."""
    plain = _means_itself(text, SENTENCE) and ": " not in text and " #" not in text and not text.endswith(":")
    return text if plain and text.isprintable() else quoted(text)


def _means_itself(text: str, form: re.Pattern[str]) -> bool:
    looks_otherwise = text.lower() in CONSTANTS or INTEGER.fullmatch(text) or AMBIGUOUS.fullmatch(text)
    return form.fullmatch(text) is not None and not looks_otherwise


def quoted(text: str) -> str:
    """Text in double quotes, with what cannot be seen escaped."""
    return '"' + "".join(_letter(letter) for letter in text) + '"'


def _letter(letter: str) -> str:
    code = ord(letter)
    if letter in '"\\':
        return "\\" + letter
    if letter.isprintable():
        return letter
    if 0xD800 <= code <= 0xDFFF:
        return f"surrogate:{code:04x};"
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def abbreviated(value: Any) -> Any:
    """A value with long runs in its strings written as `repeat:`."""
    if isinstance(value, str):
        return RUNS.sub(lambda match: _token(match, value), value)
    if isinstance(value, list):
        return [abbreviated(item) for item in value]
    if isinstance(value, dict):
        return {key: abbreviated(item) for key, item in value.items()}
    return value


def _token(match: re.Match[str], text: str) -> str:
    end = ";" if match.end() < len(text) else ""
    return f"repeat:{match[1]}:{len(match[0]) // len(match[1])}{end}"


def expectation(codec: Codec, data: bytes) -> str:
    """What the reference answers to bytes, as `expect` writes it."""
    return flow(expected(codec, data))


def expected(codec: Codec, data: bytes) -> dict[str, Any]:
    answer = codec.answer(codec.decode(data))
    messages = abbreviated(answer["messages"])
    if answer["ok"] is True:
        return {"accept": messages}
    expect = {"reject": answer["error"], "offset": answer["offset"]}
    return expect | ({"messages": messages} if messages else {})


def vector_text(vector: Vector) -> str:
    """A vector as an item of a file's list."""
    lines = [line for key, value in _keys(vector) for line in _key_lines(key, value)]
    return "- " + "\n  ".join(lines) + "\n"


def _keys(vector: Vector) -> Iterator[tuple[str, Any]]:
    """The keys that are written: those that say something."""
    yield "id", vector.id
    yield "title", vector.title
    yield from _said("family", vector.family)
    yield "clauses", vector.clauses
    yield "level", vector.level
    yield from _said("direction", vector.direction)
    yield from _said("profile", vector.profile)
    if vector.hex is not None:
        yield "hex", vector.hex
    yield from _said("value", vector.value)
    yield "expect", _expect(vector)
    if not vector.canonical:
        yield "canonical", False
    yield from _said("twin", vector.twin)
    yield from _said("patch", vector.patch)
    yield "made", vector.made
    yield "why", vector.why


def _said(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if value:
        yield key, value


def _expect(vector: Vector) -> dict[str, Any]:
    expect = vector.expect
    if expect.accept is not None:
        return {"accept": expect.accept}
    if expect.refuse:
        return {"refuse": expect.refuse}
    return {"reject": expect.reject, "offset": expect.offset} | dict(_said("messages", expect.messages))


def _key_lines(key: str, value: Any) -> Iterator[str]:
    if key == "hex":
        yield from _hex_lines(value)
    elif isinstance(value, str):
        text = sentence(value)
        unwrapped = text.startswith('"') or "  " in text
        yield from [f"{key}: {text}"] if unwrapped else _wrapped(f"{key}: {text}")
    else:
        yield from _block(key, value)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH - 2,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
        fix_sentence_endings=False,
    )


def _block(key: str, value: Any) -> Iterator[str]:
    """A value on the line of its key if there is room, else a line for each part of it."""
    line = f"{key}: {flow(value)}"
    if len(line) <= WIDTH - 2 or not value or not isinstance(value, (dict, list)) or depth(value) > DEEP:
        yield line
        return
    yield f"{key}:"
    for inner in _parts(value):
        yield "  " + inner


def _parts(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _block(key_text(key), item)
        return
    for item in value:
        line = flow(item)
        if len(line) <= WIDTH - 8 or not item or not isinstance(item, (dict, list)):
            yield f"- {line}"
            continue
        for index, inner in enumerate(_parts(item)):
            yield ("  " if index else "- ") + inner


def depth(value: Any) -> int:
    """How deeply a value is nested."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(depth, inner), default=0) if isinstance(value, (dict, list)) else 0


def _hex_lines(text: str) -> Iterator[str]:
    if not text.strip():
        yield 'hex: ""'
        return
    rows = []
    for line in text.strip("\n").split("\n"):
        content, _, comment = line.partition("#")
        rows.append((" ".join(map(_spaced, content.split())), comment.strip()))
    yield "hex: |"
    for line in align([row for row in rows if any(row)]).splitlines():
        yield "  " + line


def _spaced(word: str) -> str:
    return word.lower() if word.startswith("repeat:") else bytes.fromhex(word).hex(" ")
