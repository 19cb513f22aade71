"""What an answer is worth: right or wrong, and for a rejection also why it was rejected.

The offset of a rejection is shown and never lowers a verdict. A reason counts in grades:
the exact class, one of its aliases, another one, or none where none was promised.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, NamedTuple

import msgspec

from wireproof.errors import ERROR_CLASSES
from wireproof.suite.model import Vector
from wireproof.verdict.answers import Answer, content_of
from wireproof.verdict.compare import Comparison, Difference, canonical, shown
from wireproof.verdict.questions import Request
from wireproof.verdict.statuses import ALIASES

LONGEST_WORD: Final = 60
USUAL: Final = b'{"messages":'
REPEATED: Final = b"repeat:"
"""How a vector file abbreviates long runs."""
DECODED_KEYS: Final[dict[str, dict[str, type]]] = {
    "ok": {"messages": list, "consumed": int},
    "incomplete": {"messages": list, "consumed": int},
    "reject": {"messages": list},
}


class Judgement(NamedTuple):
    """A status, in which way the answer is wrong, and the details."""

    status: str
    cause: str = ""
    detail: str = ""
    reason: str = ""
    """How a rejection's class compares: exact, alias, other, not-stated."""
    note: str = ""
    path: str = ""
    """The field of the message that differs."""


PASS: Final = Judgement("pass")
EXACT: Final = Judgement("pass", reason="exact")


class _Shape(Exception):
    """An answer has not the form its request asks for."""


class Judge:
    """Judges answers about one vector; of a stream, which is asked at many cuts, no answer is looked at twice."""

    def __init__(self, vector: Vector, *, reasons: bool = True, map_order: bool = True) -> None:
        self.vector = vector
        self.kind = vector.kind
        self.reasons = reasons
        self.map_order = map_order
        self._known: dict[tuple[str, bytes, tuple[int, ...] | None, int, bool], Judgement] = {}

    def judge(self, request: Request, answer: Answer) -> Judgement:
        if request.op != "stream":
            return self._judged(request, answer)
        key = (answer.form, answer.content, request.after, request.times, request.eof)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._judged(request, answer)
        return known

    def _judged(self, request: Request, answer: Answer) -> Judgement:
        try:
            if answer.form in ("unsupported", "error"):
                return _declined(answer)
            if request.op == "encode":
                return self._encoded(request, answer)
            return self._decoded(request, answer)
        except _Shape as problem:
            return Judgement("contract-error", "shape", str(problem))

    # ---- decode and stream ----

    def _decoded(self, request: Request, answer: Answer) -> Judgement:
        if answer.form == "ok" and self._is_usual(request, answer.content):
            return PASS  # as most right answers are written, so there is nothing to parse
        content = content_of(answer)
        _check_decoded(request, answer.form, content)
        if self.kind == "reject":
            return self._rejected(request, answer.form, content)
        wanted = "ok" if request.eof else "incomplete"
        if answer.form == "reject":
            return Judgement("fail", "rejected", _rejection(content))
        if answer.form != wanted:
            return Judgement("fail", "incomplete", f"{answer.form} instead of {wanted}: {_WHEN[wanted]}")
        return self._accepted(request, content)

    def _accepted(self, request: Request, content: dict[str, Any]) -> Judgement:
        found = PASS
        if not self._equal(content["messages"], request.times):
            expected = self._messages * request.times
            comparison = Comparison(map_order=self.map_order)
            difference = comparison.first(expected, content["messages"])
            if difference is not None:
                return _message_difference(expected, content["messages"], difference)
            if comparison.loose:
                found = PASS._replace(note="a number is told as a string, or a string as a number")
        size = self.vector.size * request.times
        if content["consumed"] != size:
            return Judgement("fail", "consumed", f"consumed is {content['consumed']}, not {size}")
        return _after(request, content) or found

    def _rejected(self, request: Request, form: str, content: dict[str, Any]) -> Judgement:
        expect = self.vector.expect
        if form != "reject":
            words = f"{form} with {_count(content['messages'])} instead of {expect.reject} at byte {expect.offset}"
            return Judgement("fail", "accepted", words)
        if not self._equal(content["messages"], 1):
            difference = Comparison(map_order=self.map_order).first(self._messages, content["messages"])
            if difference is not None:
                words = f"before the defect: {_words(difference)}"
                return Judgement("fail", "delivered", words, path=difference.path)
        return _after(request, content) or self._graded(content, expect.reject, expect.offset)

    def _graded(self, content: dict[str, Any], error: str, offset: int | None) -> Judgement:
        given = content.get("error")
        if given is None:
            if self.reasons:
                raise _Shape("the rejection has no error, and hello does not say reasons: none")
            return Judgement("pass", reason="not-stated")
        if not isinstance(given, str) or given not in ERROR_CLASSES:
            raise _Shape(f"{shown(given)[:LONGEST_WORD]} is no error class")
        if given == error:
            place = content.get("offset")
            if offset is None or place is None or place == offset:
                return EXACT
            return EXACT._replace(note=f"at byte {place} instead of {offset}")
        if given in ALIASES.get(error, ()):
            return Judgement("pass", reason="alias", note=f"{given}, an alias of {error}")
        return Judgement("warn", "reason", f"{given} instead of {error}", reason="other")

    def _is_usual(self, request: Request, content: bytes) -> bool:
        """Whether it is the right `ok`, without blanks and in the order of the rules. Nothing long is copied for it."""
        if self.kind != "accept" or not request.eof:
            return False
        written = self._written
        if request.times > 1 and self.vector.expect.accept:
            written = b"[%b]" % b",".join([written[1:-1]] * request.times)
        after = b"" if request.after is None else b',"after":[%s]' % ",".join(map(str, request.after)).encode()
        rest = b',"consumed":%d%s}' % (self.vector.size * request.times, after)
        return (
            len(content) == len(USUAL) + len(written) + len(rest)
            and content.startswith(USUAL)
            and content.startswith(written, len(USUAL))
            and content.endswith(rest)
        )

    @cached_property
    def _written(self) -> bytes:
        text = msgspec.json.encode(self.vector.expect.accept)
        return msgspec.json.encode(self._messages) if REPEATED in text else text

    @cached_property
    def _messages(self) -> list[Any]:
        return self.vector.messages

    @cached_property
    def _canonical(self) -> list[bytes]:
        expect = self.vector.expect
        written = [canonical(message) for message in (expect.messages if expect.accept is None else expect.accept)]
        if any(REPEATED in text for text in written):
            return [canonical(message) for message in self._messages]
        return written  # nothing to be written out

    def _equal(self, given: list[Any], times: int) -> bool:
        """Whether messages are the same to the letter, which is quickly seen."""
        try:
            return [canonical(message) for message in given] == self._canonical * times
        except (UnicodeEncodeError, OverflowError):
            return False

    # ---- encode ----

    def _encoded(self, request: Request, answer: Answer) -> Judgement:
        content = content_of(answer)
        _require(isinstance(content, dict), f"{answer.form} is not an object")
        if answer.form == "incomplete":
            raise _Shape("an encode is never incomplete")
        if answer.form == "reject":
            if self.kind == "refuse":
                return self._graded(content, self.vector.expect.refuse, None)
            return Judgement("fail", "refused", f"refused{_rejection(content).removeprefix('rejected')}")
        text = content.get("hex")
        if text == request.hex and self.kind == "accept":
            return PASS
        if not isinstance(text, str) or set(text) - set("0123456789abcdef") or len(text) % 2:
            raise _Shape("ok of an encode has hex, a string of lower-case digits, two for each byte")
        if self.kind == "refuse":
            return Judgement("fail", "written", f"written as {_short_hex(text)} instead of {self.vector.expect.refuse}")
        place = next((n for n, (a, b) in enumerate(zip(text, request.hex, strict=False)) if a != b), None)
        at = (min(len(text), len(request.hex)) if place is None else place) // 2
        return Judgement("fail", "bytes", f"differs at byte {at}: {_short_hex(text)}")


_WHEN: Final = {
    "ok": "nothing is unfinished",
    "incomplete": "a message has begun and the stream is still open",
}


def _declined(answer: Answer) -> Judgement:
    content = content_of(answer)
    key = "reason" if answer.form == "unsupported" else "message"
    text = content.get(key) if isinstance(content, dict) else None
    if not isinstance(text, str):
        raise _Shape(f"{answer.form} has {key}, a string")
    if answer.form == "unsupported":
        return Judgement("unsupported", "withdrawn", text[:200])
    return Judgement("fail", "error", text[:200])


def _require(holds: bool, problem: str) -> None:
    if not holds:
        raise _Shape(problem)


def _check_decoded(request: Request, form: str, content: Any) -> None:
    """The form that decode and stream answers have."""
    _require(isinstance(content, dict), f"{form} is not an object")
    for key, kind in DECODED_KEYS[form].items():
        if type(content.get(key)) is not kind:
            words = {list: "a list", int: "an integer"}[kind]
            raise _Shape(f"{key} of {form} is not {words}" if key in content else f"{form} has no {key}")
    if form == "incomplete" and request.op != "stream":
        raise _Shape("a decode is never incomplete: what is missing is truncated")
    if "offset" in content and type(content["offset"]) is not int:
        raise _Shape("offset is not an integer")
    if request.op == "stream":
        after = content.get("after")
        if not isinstance(after, list) or any(type(index) is not int for index in after):
            raise _Shape("a stream's answer has after, a list with the index of a chunk for each message")
        _require(len(after) == len(content["messages"]), "after has not one entry for each message")


def _after(request: Request, content: dict[str, Any]) -> Judgement | None:
    if request.after is None or tuple(content["after"]) == request.after:
        return None
    return Judgement("fail", "after", f"messages came after the chunks {content['after']}, not {list(request.after)}")


def _message_difference(expected: list[Any], given: list[Any], difference: Difference) -> Judgement:
    if len(expected) != len(given):
        words = f"{_count(given)} instead of {len(expected)}; {_words(difference)}"
        return Judgement("fail", "messages", words, path=difference.path)
    return Judgement("fail", "value", _words(difference), path=difference.path)


def _count(messages: list[Any]) -> str:
    return "1 message" if len(messages) == 1 else f"{len(messages)} messages"


def _words(difference: Difference) -> str:
    return f"{difference.path} is {difference.given} instead of {difference.expected}"


def _rejection(content: Any) -> str:
    error, offset = content.get("error"), content.get("offset")
    words = "rejected" if error is None else f"rejected as {shown(error)[:LONGEST_WORD].strip(chr(34))}"
    words += f" at byte {offset}" if type(offset) is int else ""
    detail = content.get("detail")
    return f"{words}: {detail[:200]}" if isinstance(detail, str) and detail else words


def _short_hex(text: str) -> str:
    return text if len(text) <= 120 else f"{text[:120]}... ({len(text) // 2:,} bytes)"
