"""An answer as it came: which of the contract's forms it has, with its content not yet looked into."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

import msgspec

from wireproof.errors import WireproofError

FORMS: Final = ("ok", "incomplete", "reject", "unsupported", "error")
_NONE: Final = msgspec.Raw(b"")


class BadAnswer(WireproofError):
    """A line that is no answer, and why."""


class _Line(msgspec.Struct, forbid_unknown_fields=True, gc=False):
    id: int | None
    ok: msgspec.Raw = _NONE
    incomplete: msgspec.Raw = _NONE
    reject: msgspec.Raw = _NONE
    unsupported: msgspec.Raw = _NONE
    error: msgspec.Raw = _NONE


class Answer(msgspec.Struct, frozen=True, gc=False):
    """The id and form of an answer, and its content as JSON."""

    id: int | None
    form: str
    content: bytes


_decode = msgspec.json.Decoder(_Line).decode


def parse_answer(line: bytes) -> Answer:
    """The answer on a line; BadAnswer if it is none."""
    try:
        found = _decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return _parse_slowly(line)
    if found.incomplete is found.unsupported is found.error is _NONE:  # most are one of these two
        if found.reject is _NONE and found.ok is not _NONE:
            return Answer(found.id, "ok", bytes(found.ok))
        if found.ok is _NONE and found.reject is not _NONE:
            return Answer(found.id, "reject", bytes(found.reject))
    forms = [name for name in FORMS if getattr(found, name) is not _NONE]
    if len(forms) != 1:
        raise BadAnswer(_forms_problem(forms))
    return Answer(found.id, forms[0], bytes(getattr(found, forms[0])))


def _parse_slowly(line: bytes) -> Answer:
    """For what the fast parser does not take: lone surrogates, huge numbers; and to say what is wrong."""
    try:
        found = json.loads(line.decode("utf-8"), parse_constant=_no_constant)  # bytes would be taken in any encoding
    except (ValueError, RecursionError):
        raise BadAnswer("it is not JSON") from None
    if not isinstance(found, dict):
        raise BadAnswer("it is JSON, but not an object")
    number = found.pop("id", "")
    if number is not None and type(number) is not int:
        raise BadAnswer("it has no integer id")
    forms = [name for name in FORMS if name in found]
    others = sorted(found.keys() - set(FORMS))
    if others:
        raise BadAnswer(f"it has the key {json.dumps(others[0][:40])}, which no answer has")
    if len(forms) != 1:
        raise BadAnswer(_forms_problem(forms))
    return Answer(number, forms[0], json.dumps(found[forms[0]]).encode())


def _no_constant(word: str) -> NoReturn:
    raise ValueError(word)


def _forms_problem(forms: list[str]) -> str:
    return f"it has {' and '.join(forms) or 'none'} of {', '.join(FORMS)}: an answer has exactly one"


def content_of(answer: Answer) -> Any:
    """The content, parsed."""
    try:
        return msgspec.json.decode(answer.content)
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return json.loads(answer.content)
