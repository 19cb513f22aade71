"""Whether an answer says the same as the reference's, as the contract has it, and in which way it does not."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from wireproof.errors import ERROR_CLASSES
from wireproof.verdict.answers import FORMS
from wireproof.verdict.compare import Comparison, shown
from wireproof.verdict.statuses import ALIASES
from wireproof_harness.claims import Claims
from wireproof_harness.compare import kind_of_difference

Question = dict[str, Any]
Answer = dict[str, Any]
INDEX: Final = re.compile(r"\[\d+\]")
NAMED: Final = 2
"""So many names of a path tell one kind of difference from another; what lies deeper is often the same mistake."""


class Rules(NamedTuple):
    """What an implementation may leave out, by what it claims."""

    reasons: bool = True
    map_order: bool = True


STRICT: Final = Rules()


class Finding(NamedTuple):
    """In which way two answers differ; no kind if they agree."""

    kind: str = ""
    path: str = ""
    """Where the messages differ first: `[0].command.topics[1]`."""
    words: str = ""
    note: str = ""
    """What was let pass."""


def rules_of(claims: Claims, protocol: str) -> Rules:
    claimed = claims.protocols.get(protocol)
    return Rules(claims.states_reasons, claimed is None or claimed.map_order == "kept")


def difference(question: Question, right: Answer, given: Answer, rules: Rules = STRICT) -> Finding:
    """What an answer differs in from the right one."""
    if "fault" in given:
        return Finding(kind_of_difference(question, right, given), words=str(given["fault"]["detail"]))
    form = next((name for name in FORMS if name in given), "")
    content: Any = given.get(form)
    problem = _misshapen(question["op"], form, content, rules)
    if problem:
        return Finding(f"{question['op']}: {form or 'an answer'} in a form that is not in the contract", words=problem)
    if form in ("unsupported", "error"):
        words = str(content.get("message", content.get("reason", "")))
        return Finding(kind_of_difference(question, right, given), words=words)
    return _compared(question, right, form, content, rules)


def _compared(question: Question, right: Answer, form: str, content: dict[str, Any], rules: Rules) -> Finding:
    """Everything the contract leaves free is made the same; what differs then is a difference."""
    mine: dict[str, Any] = next((right[name] for name in FORMS if name in right), {})
    known = {key: value for key, value in content.items() if key in mine or key == "error"}
    path = words = note = ""
    if form == "reject" and "reject" in right:
        note = _note(mine, content, rules)
        if note or not rules.reasons:
            known["error"] = mine["error"]
    if isinstance(mine.get("messages"), list):
        found = Comparison(map_order=rules.map_order).first(mine["messages"], content["messages"])
        if found is None:
            known["messages"] = mine["messages"]
        else:
            path, words = found.path, f"{found.path} is {found.given} instead of {found.expected}"
            known |= {key: mine[key] for key in ("after", "consumed") if key in mine}  # they only follow from it
    stripped = {name: _stripped(body) for name, body in right.items() if name != "id"}
    kind = kind_of_difference(question, stripped, {form: _stripped(known)})
    if not kind:
        return Finding(note=note)
    if not path and form in right:
        words = "; ".join(
            f"{key} is {shown(known.get(key))} instead of {shown(mine[key])}"
            for key in _stripped(mine)
            if known.get(key) != mine[key]
        )
    if path and form in right and len(mine["messages"]) != len(content["messages"]):
        return Finding(f"{question['op']}: number of messages", path, words)
    if path and form in right and _named(path):
        # In whatever company a field is read wrongly, it is the same mistake.
        return Finding(f"{question['op']}: messages, {_named(path)}", path, words)
    return Finding(kind, path, words)


def _stripped(body: dict[str, Any]) -> dict[str, Any]:
    """Offsets and texts are for people."""
    return {key: value for key, value in body.items() if key not in ("offset", "detail")}


def _note(mine: dict[str, Any], content: dict[str, Any], rules: Rules) -> str:
    given = content.get("error")
    if given is not None and given in ALIASES.get(mine["error"], ()):
        return f"{given}, an alias of {mine['error']}"
    return "reason not stated" if not rules.reasons else ""


def _named(path: str) -> str:
    names = [name for name in INDEX.sub("", path).split(".") if name]
    return ".".join(names[:NAMED])


def _misshapen(op: str, form: str, content: Any, rules: Rules) -> str:
    """What about an answer is not as the contract says; empty if nothing is."""
    if not isinstance(content, dict):
        return f"{form} is not an object" if form else "it has none of the forms of an answer"
    if form in ("unsupported", "error"):
        return ""
    if form == "reject":
        error = content.get("error")
        if error is None and rules.reasons:
            return "the rejection has no error, and hello does not say reasons: none"
        if error is not None and (not isinstance(error, str) or error not in ERROR_CLASSES):
            return f"{shown(error)[:40]} is no error class"
    if op == "encode":
        return "" if form == "reject" else _misshapen_hex(form, content)
    if not isinstance(content.get("messages"), list):
        return f"{form} has no list of messages"
    if form != "reject" and type(content.get("consumed")) is not int:
        return f"{form} has no number of bytes consumed"
    return _misshapen_after(content) if op == "stream" else ""


def _misshapen_hex(form: str, content: dict[str, Any]) -> str:
    text = content.get("hex")
    right = isinstance(text, str) and len(text) % 2 == 0 and not set(text) - set("0123456789abcdef")
    return "" if form == "ok" and right else "an encode is answered with hex, lower case, two digits for each byte"


def _misshapen_after(content: dict[str, Any]) -> str:
    after = content.get("after")
    if not isinstance(after, list) or any(type(index) is not int for index in after):
        return "a stream's answer has after, a list with the index of a chunk for each message"
    return "" if len(after) == len(content["messages"]) else "after has not one entry for each message"
