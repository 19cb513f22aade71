"""What is wrong with a line that is no answer: the mistakes that adapters make, each told apart."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final, NamedTuple, NoReturn

from wireproof.verdict import Answer, BadAnswer, parse_answer
from wireproof.verdict.answers import FORMS

LONGEST: Final = 20_000
"""Longer lines are not looked into: these are guesses, and must stay cheap."""
DEEPEST: Final = 40
BOM: Final = b"\xef\xbb\xbf"
USUAL_KEYS: Final = {
    "result": "ok",
    "response": "ok",
    "success": "ok",
    "rejected": "reject",
    "not_supported": "unsupported",
}
CONTENT: Final = ("contract", "name", "language", "version", "protocols", "messages", "consumed", "hex", "after")


class Fault(NamedTuple):
    """The name of a mistake, and what exactly was seen of it."""

    name: str
    about: str = ""


Read = Answer | Fault


def read(raw: bytes) -> Read:
    """The answer on a line, or what is wrong with it."""
    if raw.startswith(BOM):
        return Fault("byte-order-mark")
    if b"\0" in raw[:8] or raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return Fault("utf-16")
    found = _strict(raw)
    if isinstance(found, Fault):
        return found
    try:
        return parse_answer(raw)
    except BadAnswer as problem:
        return _bad_object(found, str(problem))


def _strict(raw: bytes) -> Any:
    """The JSON value of a line; a Fault if it is none."""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return Fault("not-utf-8") if raw.lstrip().startswith(b"{") else Fault("stray-output")
    try:
        return json.loads(text, parse_constant=_no_constant)
    except _Constant as constant:
        return Fault("json-nan", str(constant))
    except RecursionError:
        return Fault("json-depth")
    except ValueError as problem:
        return _not_json(text.strip(), str(problem)) if len(text) <= LONGEST else Fault("not-json", str(problem))


class _Constant(Exception):
    """NaN or Infinity, which Python writes and JSON does not have."""


def _no_constant(name: str) -> NoReturn:
    raise _Constant(name)


def _parses(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _not_json(text: str, problem: str) -> Fault:
    if not text.startswith(("{", "[")):
        start = text.find('{"id"')
        prefixed = start > 0 and _parses(text[start:])
        return Fault("prefixed-answer", text[:start]) if prefixed else Fault("stray-output")
    return next((Fault(name) for name, holds in _GUESSES.items() if holds(text)), Fault("not-json", problem))


def _is_python(text: str) -> bool:
    if text.count("{") + text.count("[") > DEEPEST * 5:
        return False
    with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
        return isinstance(ast.literal_eval(text), dict)
    return bool(re.match(r"\{\s*'", text))


def _is_several(text: str) -> bool:
    """Whether another object follows the first on the same line."""
    with suppress(ValueError, RecursionError):
        _, end = json.JSONDecoder().raw_decode(text)
        return text[end:].lstrip().startswith("{")
    return False


_GUESSES: Final[dict[str, Callable[[str], bool]]] = {
    "missing-newline": _is_several,
    "trailing-comma": lambda text: _parses(re.sub(r",\s*([}\]])", r"\1", text)),
    "python-repr": _is_python,
    "unquoted-keys": lambda text: bool(re.match(r"\{\s*[A-Za-z_]\w*\s*:", text)),
    "pretty-printed": lambda text: text in ("{", "["),
}


def _bad_object(found: Any, problem: str) -> Fault:
    if isinstance(found, str) and _parses(found):
        return Fault("json-in-a-string")
    if not isinstance(found, dict | list):
        return Fault("stray-output")  # a word or a number that happens to be JSON
    if not isinstance(found, dict):
        return Fault("not-an-object", problem)
    if "op" in found:
        return Fault("echo")
    if "id" not in found:
        return Fault("no-id")
    number = found["id"]
    if number is not None and type(number) is not int:
        return Fault("string-id" if isinstance(number, str) else "id-type", json.dumps(number)[:40])
    others = [key for key in found if key not in (*FORMS, "id")]
    if others and not found.keys() & set(FORMS) and others[0] in CONTENT:
        return Fault("not-in-ok", others[0])
    if others:
        return Fault("unknown-key", _nearest(others[0]))
    return Fault("answer-form", problem)


def _nearest(key: str) -> str:
    near = USUAL_KEYS.get(key) or next(iter(get_close_matches(key.lower(), FORMS, 1, 0.5)), "")
    return f"{key[:40]} {near}".strip()


def pretty_printed(lines: Sequence[bytes]) -> bool:
    """Whether lines that say nothing alone are one JSON object together."""
    for start, line in enumerate(lines):
        if line.strip() in (b"{", b"["):
            with suppress(ValueError, RecursionError):
                found, _ = json.JSONDecoder().raw_decode(b"\n".join(lines[start:])[:LONGEST].decode("utf-8", "replace"))
                return isinstance(found, dict | list)
    return False
