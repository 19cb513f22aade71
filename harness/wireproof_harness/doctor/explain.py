"""Why an answer is wrong, in words that say what to change."""

from __future__ import annotations

from difflib import get_close_matches
from typing import Any, Final

from wireproof.errors import ERROR_CLASSES
from wireproof.verdict import Answer, Judgement, Question, Request
from wireproof.verdict.answers import content_of
from wireproof.verdict.statuses import CAUSES
from wireproof_harness.doctor.findings import Finding, shown
from wireproof_harness.doctor.shapes import Misshapen, misshapen

FORMS: Final = {
    "decode": 'ok {"messages": [...], "consumed": n} or reject {"error": "...", "offset": n, "messages": [...]}',
    "stream": 'ok, incomplete or reject as for decode, with "after": [...], the index of the chunk that completed each '
    "message",
    "encode": 'ok {"hex": "..."} or reject {"error": "..."}',
}
WRONG_FORM: Final = "An answer in another form than the contract's is wrong, however right its content may be."
WRONG: Final = "This is an easy question: many others will fail for the same reason."
SHAPE_FAULTS: Final = "shape"
"""The cause of a judgement that is about the form of an answer alone."""


def explained(question: Question, request: Request, answer: Answer, judgement: Judgement) -> Finding:
    """The finding for an answer that was judged wrong."""
    content = content_of(answer)
    seen = f"{_asked(question, request)}: {shown(answer.form)} {shown(answer.content, 160)}"
    if judgement.status == "unsupported":
        return _withdrawn(question, seen)
    form = _form(question, request, answer, content)
    if form is not None:
        return _finding(form, seen)
    fix = f"`wireproof explain {question.vector.id}` shows the bytes, the rule and the usual causes."
    why = f"It {CAUSES.get(judgement.cause, 'answers wrongly')}: {shown(judgement.detail)}. {WRONG}"
    if judgement.cause == "error":
        fix = f"error is for requests that are wrong themselves; this one is right. {fix}"
    if judgement.cause == SHAPE_FAULTS:
        return Finding("answer-shape", "questions", f"{shown(judgement.detail)}. {seen}", WRONG_FORM, _usual(request))
    return Finding("wrong-answer", "questions", seen, why, fix)


def _finding(form: Misshapen, seen: str) -> Finding:
    return Finding(form.name, "questions", f"{shown(form.seen)}. {seen}", WRONG_FORM, shown(form.fix, 400))


def _usual(request: Request) -> str:
    return f"The answer to {request.op} is {FORMS[request.op]}."


def _asked(question: Question, request: Request) -> str:
    vector = question.vector
    what = shown(b"".join(request.pieces).decode(), 60) if request.pieces else "a value"
    chunks = f" in {len(request.pieces)} chunks" if request.op == "stream" else ""
    where = f"{vector.protocol} {vector.direction}".strip()
    return f"{request.op} of {where} {what}{chunks} ({vector.id})"


def _withdrawn(question: Question, seen: str) -> Finding:
    operation = question.operation
    return Finding(
        "withdrawn",
        "questions",
        seen,
        "hello claims it, and a claim that is taken back is shown as such in every report.",
        f"Answer it, or claim less in hello: leave {operation} of {question.vector.protocol} out, or list the "
        "`messages` and `profile` values it knows.",
    )


def _form(question: Question, request: Request, answer: Answer, content: Any) -> Misshapen | None:
    """What is wrong with the form of an answer, told as exactly as possible."""
    if not isinstance(content, dict):
        return Misshapen("answer-shape", "", f"{answer.form} is not an object", _usual(request))
    if request.op == "encode":
        return _encoded(question, request, answer, content)
    if answer.form in ("ok", "incomplete", "reject"):
        found = _decoded(request, answer, content)
        if found is not None:
            return found
        expected = question.vector.messages * (2 if question.mode == "two" else 1)
        return misshapen(expected, content.get("messages"), "messages") or _class(answer, content)
    return None


def _decoded(request: Request, answer: Answer, content: dict[str, Any]) -> Misshapen | None:
    keys = ["messages"] if answer.form == "reject" else ["messages", "consumed"]
    keys += ["after"] if request.op == "stream" else []
    for key in keys:
        if key not in content:
            near = next(iter(get_close_matches(key, [str(other) for other in content], 1, 0.6)), "")
            also = f" (`{near[:40]}` is something else)" if near else ""
            return Misshapen(
                f"missing-{key}", "", f"{answer.form} has no `{key}`{also}", f"{_KEYS[key]} {_usual(request)}"
            )
    if not isinstance(content["messages"], list):
        return Misshapen("messages-not-a-list", "", "`messages` is not a list", f"{_KEYS['messages']}")
    if "consumed" in keys and type(content["consumed"]) is not int:
        return Misshapen("consumed-type", "", "`consumed` is not an integer", _KEYS["consumed"])
    return None


_KEYS: Final = {
    "messages": "`messages` is a list of all messages, also of one or none; in a rejection, of those before the fault.",
    "consumed": "`consumed` is how many bytes the messages took: for ok the size of the input.",
    "after": "`after` has, for each message, the index of the chunk that completed it, counted from 0.",
}


def _class(answer: Answer, content: dict[str, Any]) -> Misshapen | None:
    """An error class that is not in the vocabulary, with the one that is probably meant."""
    given = content.get("error")
    if answer.form != "reject" or given in ERROR_CLASSES:
        return None
    if given is None:
        fix = 'Give each rejection its `error`, or state "reasons": "none" in hello if it cannot tell.'
        return Misshapen("no-error-class", "", "a rejection has no `error`, and hello does not say reasons: none", fix)
    word = str(given)[:60]
    plain = word.lower().replace("_", "-").replace(" ", "-")
    near = next(iter(get_close_matches(plain, ERROR_CLASSES, 1, 0.5)), "")
    meant = f"Did you mean `{near}`? " if near else ""
    listed = ", ".join(ERROR_CLASSES)
    return Misshapen("unknown-error-class", "", f"`{word}` is no error class", f"{meant}The classes are {listed}.")


def _encoded(question: Question, request: Request, answer: Answer, content: dict[str, Any]) -> Misshapen | None:
    if answer.form == "reject":
        return _class(answer, content)
    if answer.form != "ok":
        return None
    if "hex" not in content:
        return Misshapen("missing-hex", "", "ok has no `hex`", _usual(request))
    return misshapen(request.hex, content["hex"], "hex") if question.vector.kind == "accept" else None
