"""Vectors as they are written in their files: one way to write each."""

from __future__ import annotations

import json
import re
from typing import Any, Final

from wireproof.codec import Codec
from wireproof.suite.strictyaml import AMBIGUOUS, CONSTANTS, INTEGER

BARE: Final = re.compile(r"[A-Za-z0-9_@/][A-Za-z0-9_@/. +-]*(?<! )")
"""Words that mean themselves inside brackets, unless they look like something else."""


def flow(value: Any) -> str:
    """A value on one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return scalar(value)


def scalar(value: Any) -> str:
    if isinstance(value, str):
        return value if is_plain(value) else quoted(value)
    return json.dumps(value)


def is_plain(text: str) -> bool:
    """Whether a word needs no quotes; words that begin like a number always get them."""
    if not BARE.fullmatch(text) or text in CONSTANTS or text[0] == "@":
        return False
    return not (INTEGER.fullmatch(text) or AMBIGUOUS.fullmatch(text) or text[0].isdigit())


def quoted(text: str) -> str:
    """Text in double quotes, with what cannot be seen escaped."""
    letters = []
    for letter in text:
        if letter in '"\\':
            letters.append("\\" + letter)
        elif 0xD800 <= ord(letter) <= 0xDFFF:
            letters.append(f"surrogate:{ord(letter):04x};")
        elif letter.isprintable():
            letters.append(letter)
        else:
            letters.append(_escape(ord(letter)))
    return '"' + "".join(letters) + '"'


def _escape(code: int) -> str:
    short = {0: "\\0", 9: "\\t", 10: "\\n", 13: "\\r", 27: "\\e"}.get(code)
    if short is not None:
        return short
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def abbreviated(value: Any) -> Any:
    """A value with long runs in its strings written as `repeat:`."""
    if isinstance(value, str):
        return _abbreviated(value)
    if isinstance(value, list):
        return [abbreviated(item) for item in value]
    if isinstance(value, dict):
        return {key: abbreviated(item) for key, item in value.items()}
    return value


RUNS: Final = re.compile(r"((?:[0-9a-f]{2})|[^:\s])\1{23,}")


def _abbreviated(text: str) -> str:
    def token(match: re.Match[str]) -> str:
        end = ";" if match.end() < len(text) else ""
        return f"repeat:{match[1]}:{len(match[0]) // len(match[1])}{end}"

    return RUNS.sub(token, text)


def expectation(codec: Codec, data: bytes) -> str:
    """What the reference answers to bytes, as `expect` writes it."""
    answer = codec.answer(codec.decode(data))
    messages = abbreviated(answer["messages"])
    if answer["ok"] is True:
        return flow({"accept": messages})
    expect = {"reject": answer["error"], "offset": answer["offset"]}
    return flow(expect | ({"messages": messages} if messages else {}))
