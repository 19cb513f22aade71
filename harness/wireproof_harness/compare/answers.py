"""Two answers to a question: whether they have the contract's form, and what they differ in."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from wireproof.errors import ERROR_CLASSES
from wireproof.verdict.compare import Comparison, shown
from wireproof_harness.questions import Question

Answer = dict[str, Any]
LONGEST_WORD: Final = 60
UNSTATED: Final = "rejected"
"""What a rejection says that gives no reason, where none was promised."""
_INDEX: Final = re.compile(r"\[\d+\]\.?")
_HEX: Final = re.compile(r"(?:[0-9a-f]{2})*")


def kind_of_difference(question: Question, a: Answer, b: Answer) -> str:
    """What two answers to a question differ in; empty if they agree."""
    first, second = outcome(a), outcome(b)
    operation = question["op"]
    if "unsupported" in (first, second):
        return ""  # counted apart: it says nothing about bytes
    if first != second:
        return f"{operation}: {first} / {second}"
    if first in ("error", "no answer"):
        return ""  # the texts are for people
    (body_a,), (body_b,) = ([answer[key] for key in answer if key != "id"] for answer in (a, b))
    for key in sorted((body_a.keys() | body_b.keys()) - {"detail"}):
        if key == "offset" and not (key in body_a and key in body_b):
            continue  # an adapter may leave it out
        if body_a.get(key) != body_b.get(key):
            return f"{operation}: {first}, {key}"
    return ""


def outcome(given: Answer) -> str:
    """An answer in a word: its form, the class of a rejection, the status of a breakdown."""
    if "reject" in given:
        return str(given["reject"].get("error"))
    if "fault" in given:
        return str(given["fault"]["status"])
    return next((key for key in ("ok", "incomplete", "unsupported", "error") if key in given), "no answer")


class Found(NamedTuple):
    """What two answers differ in, and in which field of the messages if that is it."""

    kind: str
    field: str = ""


def difference(question: Question, a: Answer, b: Answer, *, map_order: bool = True) -> Found | None:
    """What two received answers differ in beyond what the contract leaves to an adapter.

    Two breakdowns never agree: neither is an answer.
    """
    if "fault" in a and "fault" in b:
        return Found(f"{question['op']}: {outcome(a)} / {outcome(b)}")
    if a == b:
        return None
    a, b = _with_reason(a, b), _with_reason(b, a)
    field = ""
    mine, theirs = body(a).get("messages"), body(b).get("messages")
    if mine != theirs and isinstance(mine, list) and isinstance(theirs, list):
        place = Comparison(map_order=map_order).first(mine, theirs)
        if place is None:
            b = _changed(b, "messages", mine)
        elif outcome(a) == outcome(b):
            field = without_indexes(place.path)
    kind = kind_of_difference(question, a, b)
    return Found(kind, field) if kind else None


def without_indexes(path: str) -> str:
    """A path in messages that is the same for every item of a list."""
    return _INDEX.sub(lambda match: "." if match.start() and match[0].endswith(".") else "", path)


def body(given: Answer) -> Answer:
    """What an answer says under the key of its form."""
    found: Answer = next((content for key, content in given.items() if key != "id"), {})
    return found


def _with_reason(given: Answer, other: Answer) -> Answer:
    if "reject" not in given or "error" in given["reject"]:
        return given
    return _changed(given, "error", other.get("reject", {}).get("error", UNSTATED))


def _changed(given: Answer, key: str, value: Any) -> Answer:
    return {form: {**content, key: value} if form != "id" else content for form, content in given.items()}


def received(question: Question, given: Answer, *, reasons: bool = True) -> Answer:
    """An answer without what is for people only; a breach of the contract if it has not the contract's form."""
    form = next((key for key in given if key != "id"), "")
    if form in ("fault", "unsupported"):
        return given
    content = given.get(form)
    problem = _problem(question["op"], form, content, reasons)
    if problem:
        return {"id": given.get("id"), "fault": {"status": "contract-error", "detail": problem}}
    assert isinstance(content, dict)
    if "detail" in content:
        content = {key: value for key, value in content.items() if key != "detail"}
    return {"id": given["id"], form: content}


def _problem(operation: str, form: str, content: Any, reasons: bool) -> str:
    if not isinstance(content, dict):
        return f"{form or 'the answer'} is not an object"
    if form == "error":
        return ""
    if operation == "encode":
        text = content.get("hex")
        if form == "ok" and not (isinstance(text, str) and _HEX.fullmatch(text)):
            return "ok of an encode has hex, a string of lower-case digits, two for each byte"
    elif not isinstance(content.get("messages"), list):
        return f"{form} has no list of messages"
    elif form != "reject" and type(content.get("consumed")) is not int:
        return f"{form} has no integer consumed"
    return _reason_problem(content.get("error"), reasons) if form == "reject" else ""


def _reason_problem(error: Any, reasons: bool) -> str:
    if error is None:
        return "the rejection has no error, and hello does not say reasons: none" if reasons else ""
    if not isinstance(error, str) or error not in ERROR_CLASSES:
        return f"{shown(error)[:LONGEST_WORD]} is no error class"
    return ""
