"""What an answer is worth, case by case."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from wireproof.errors import ERROR_CLASSES
from wireproof.suite import Suite, load_suite
from wireproof.verdict import Judge, Judgement, Question, Request, parse_answer
from wireproof.verdict.statuses import ALIASES, CAUSES


@cache
def suite() -> Suite:
    return load_suite()


ACCEPT = "COMET-COMMANDS-006"  # subscribe @a, @b/c: 14 bytes
REJECT = "COMET-SUBSCRIBE-501"  # overrun at byte 14
REFUSE = "COMET-SUBSCRIBE-552"  # a topic without @
SUBSCRIBE = {"command": {"dir": "c2s", "type": 3, "name": "subscribe", "topics": ["@a", "@b/c"]}}
NAMELESS = {"command": {"dir": "c2s", "type": 3, "topics": ["@a", "@b/c"]}}


def judged(name: str, mode: str, body: dict[str, Any], *, place: int = 0, **options: Any) -> Judgement:
    """The judgement on an answer to one request of a question."""
    question = Question(suite()[name], mode)
    request = list(question.requests())[place]
    return Judge(question.vector, **options).judge(request, parse_answer(json.dumps({"id": 1, **body}).encode()))


def decoded(*messages: Any, consumed: int = 14, **more: Any) -> dict[str, Any]:
    return {"ok": {"messages": list(messages), "consumed": consumed, **more}}


def rejected(error: str | None = "overrun", offset: int | None = 14, **more: Any) -> dict[str, Any]:
    body: dict[str, Any] = {"messages": []} | more
    return {"reject": body | ({"error": error} if error else {}) | ({} if offset is None else {"offset": offset})}


OTHER = {"command": SUBSCRIBE["command"] | {"topics": ["@a", "@b/d"]}}
EXTRA = {"command": SUBSCRIBE["command"] | {"count": 2}}
MISSING = {"command": {"dir": "c2s", "type": 3}}
AS_TEXT = {"command": SUBSCRIBE["command"] | {"type": "3"}}
AS_FLOAT = {"command": SUBSCRIBE["command"] | {"type": 3.0}}
AS_TRUTH = {"command": SUBSCRIBE["command"] | {"type": True}}

CASES: list[tuple[str, str, dict[str, Any], str, str]] = [
    (ACCEPT, "decode", decoded(SUBSCRIBE), "pass", ""),
    (ACCEPT, "decode", decoded(NAMELESS), "pass", ""),
    (ACCEPT, "decode", decoded(OTHER), "fail", "value"),
    (ACCEPT, "decode", decoded(EXTRA), "fail", "value"),
    (ACCEPT, "decode", decoded(MISSING), "fail", "value"),
    (ACCEPT, "decode", decoded(AS_TEXT), "pass", ""),
    (ACCEPT, "decode", decoded(AS_FLOAT), "fail", "value"),
    (ACCEPT, "decode", decoded(AS_TRUTH), "fail", "value"),
    (ACCEPT, "decode", decoded(), "fail", "messages"),
    (ACCEPT, "decode", decoded(SUBSCRIBE, SUBSCRIBE), "fail", "messages"),
    (ACCEPT, "decode", decoded(SUBSCRIBE, consumed=13), "fail", "consumed"),
    (ACCEPT, "decode", rejected(), "fail", "rejected"),
    (ACCEPT, "decode", {"incomplete": {"messages": [], "consumed": 0}}, "contract-error", "shape"),
    (ACCEPT, "decode", {"unsupported": {"reason": "later"}}, "unsupported", "withdrawn"),
    (ACCEPT, "decode", {"error": {"message": "IndexError"}}, "fail", "error"),
    (ACCEPT, "decode", {"ok": {"messages": [SUBSCRIBE]}}, "contract-error", "shape"),
    (ACCEPT, "decode", {"ok": {"messages": {}, "consumed": 14}}, "contract-error", "shape"),
    (ACCEPT, "decode", {"ok": {"messages": [SUBSCRIBE], "consumed": "14"}}, "contract-error", "shape"),
    (ACCEPT, "decode", {"ok": []}, "contract-error", "shape"),
    (ACCEPT, "decode", {"unsupported": "no"}, "contract-error", "shape"),
    (ACCEPT, "two", decoded(SUBSCRIBE, SUBSCRIBE, consumed=28), "pass", ""),
    (ACCEPT, "two", decoded(SUBSCRIBE, consumed=14), "fail", "messages"),
    (ACCEPT, "bytes", decoded(SUBSCRIBE, after=[13]), "pass", ""),
    (ACCEPT, "bytes", decoded(SUBSCRIBE, after=[12]), "fail", "after"),
    (ACCEPT, "bytes", decoded(SUBSCRIBE), "contract-error", "shape"),
    (ACCEPT, "bytes", decoded(SUBSCRIBE, after=[1, 2]), "contract-error", "shape"),
    (ACCEPT, "splits", decoded(SUBSCRIBE, after=[1]), "pass", ""),
    (ACCEPT, "splits", decoded(SUBSCRIBE, after=[0]), "fail", "after"),
    (ACCEPT, "half", {"incomplete": {"messages": [SUBSCRIBE], "consumed": 14, "after": [0]}}, "pass", ""),
    (ACCEPT, "half", decoded(SUBSCRIBE, after=[0]), "fail", "incomplete"),
    (ACCEPT, "half", rejected(messages=[SUBSCRIBE], after=[0]), "fail", "rejected"),
    (ACCEPT, "encode", {"ok": {"hex": "000c030200024061000440622f63"}}, "pass", ""),
    (ACCEPT, "encode", {"ok": {"hex": "000c030200024061000440622f64"}}, "fail", "bytes"),
    (ACCEPT, "encode", {"ok": {"hex": "000C030200024061000440622F63"}}, "contract-error", "shape"),
    (ACCEPT, "encode", {"ok": {}}, "contract-error", "shape"),
    (ACCEPT, "encode", {"reject": {"error": "invalid-value"}}, "fail", "refused"),
    (REJECT, "decode", rejected(), "pass", ""),
    (REJECT, "decode", rejected(offset=None), "pass", ""),
    (REJECT, "decode", rejected(offset=3), "pass", ""),
    (REJECT, "decode", rejected("truncated"), "pass", ""),
    (REJECT, "decode", rejected("unknown-type"), "warn", "reason"),
    (REJECT, "decode", rejected("bad things"), "contract-error", "shape"),
    (REJECT, "decode", rejected(None), "contract-error", "shape"),
    (REJECT, "decode", {"reject": {"error": ["overrun"], "messages": []}}, "contract-error", "shape"),
    (REJECT, "decode", rejected(messages=[SUBSCRIBE]), "fail", "delivered"),
    (REJECT, "decode", decoded(SUBSCRIBE), "fail", "accepted"),
    (REJECT, "bytes", rejected(after=[]), "pass", ""),
    (REFUSE, "encode", {"reject": {"error": "invalid-value"}}, "pass", ""),
    (REFUSE, "encode", {"reject": {"error": "out-of-range"}}, "warn", "reason"),
    (REFUSE, "encode", {"ok": {"hex": "00"}}, "fail", "written"),
]


@pytest.mark.parametrize(("name", "mode", "body", "status", "cause"), CASES)
def test_an_answer_is_worth(name: str, mode: str, body: dict[str, Any], status: str, cause: str) -> None:
    found = judged(name, mode, body)
    assert (found.status, found.cause) == (status, cause)
    assert found.cause in {"", *CAUSES}
    assert found.detail or status == "pass"


@pytest.mark.parametrize(
    ("body", "reason", "note"),
    [
        (rejected(), "exact", ""),
        (rejected(offset=3), "exact", "at byte 3 instead of 14"),
        (rejected("length-mismatch"), "alias", "an alias of overrun"),
        (rejected("bad-magic"), "other", ""),
    ],
)
def test_reasons_are_graded(body: dict[str, Any], reason: str, note: str) -> None:
    found = judged(REJECT, "decode", body)
    assert found.reason == reason
    assert note in found.note


def test_an_implementation_that_states_no_reasons_is_counted_apart() -> None:
    found = judged(REJECT, "decode", rejected(None), reasons=False)
    assert (found.status, found.reason) == ("pass", "not-stated")


def test_the_field_that_differs_is_named() -> None:
    found = judged(ACCEPT, "decode", decoded(OTHER))
    assert found.path == "[0].command.topics[1]"
    assert '"@b/d" instead of "@b/c"' in found.detail


def test_aliases_are_classes() -> None:
    assert {*ALIASES, *(alias for aliases in ALIASES.values() for alias in aliases)} <= set(ERROR_CLASSES)


def big_number(value: Any) -> Judgement:
    vector = next(found for found in suite().vectors if "9223372036854775807" in str(found.expect.accept))
    messages = json.loads(json.dumps(vector.messages).replace('"9223372036854775807"', json.dumps(value)))
    return judged(vector.id, "decode", decoded(*messages, consumed=vector.size))


def test_a_number_may_be_a_json_number_as_long_as_every_language_reads_it() -> None:
    vector = next(
        found for found in suite().by_protocol["tny-relay"] if '"1600000000000"' in json.dumps(found.messages)
    )
    messages = json.loads(json.dumps(vector.messages).replace('"1600000000000"', "1600000000000"))
    found = judged(vector.id, "decode", decoded(*messages, consumed=vector.size))
    assert found.status == "pass"
    assert "as a string" in found.note
    assert big_number(9223372036854775807).cause == "value"
    assert big_number("9223372036854775807").status == "pass"


def maps(message: Any) -> list[list[Any]]:
    """The entries of every map in a message of esnp."""
    values = [frame["value"] for frame in message["frames"] if isinstance(frame.get("value"), dict)]
    return [value["v"] for value in values if value["t"] == "map" and len(value["v"]) > 1]


@pytest.mark.parametrize(("kept", "status"), [(True, "fail"), (False, "pass")])
def test_the_order_of_a_map_counts_unless_it_is_said_to_be_lost(kept: bool, status: str) -> None:
    short = [vector for vector in suite().by_protocol["esnp-frame"] if vector.kind == "accept" and vector.size < 100]
    vector = next(found for found in short if len(found.messages) == 1 and maps(found.messages[0]))
    (message,) = json.loads(json.dumps(vector.messages))
    for entries in maps(message):
        entries.reverse()
    assert judged(vector.id, "decode", decoded(message, consumed=vector.size), map_order=kept).status == status


def test_an_answer_that_came_before_is_judged_by_what_was_asked() -> None:
    """The same content is right for one request and wrong for another."""
    vector = suite()[ACCEPT]
    judge = Judge(vector)
    answer = parse_answer(json.dumps({"id": 1, **decoded(SUBSCRIBE, after=[0])}).encode())
    whole, cut = Request("stream", (b"",), after=(0,)), Request("stream", (b"", b""), after=(1,))
    assert [judge.judge(request, answer).status for request in (whole, cut, whole)] == ["pass", "fail", "pass"]


@pytest.mark.parametrize("mode", ["decode", "two", "bytes", "splits"])
def test_the_usual_way_of_writing_an_answer_is_judged_as_any_other(mode: str) -> None:
    """An answer that needs no parsing and the same one with blanks; and neither with anything changed."""
    question = Question(suite()[ACCEPT], mode)
    request = next(question.requests())
    after = {} if request.after is None else {"after": list(request.after)}
    body = {"messages": [SUBSCRIBE] * request.times, "consumed": 14 * request.times, **after}
    for separators in ((",", ":"), (", ", ": ")):
        for change in ({}, {"consumed": 13}, {"messages": [OTHER] * request.times}):
            text = json.dumps(body | change, separators=separators)
            answer = parse_answer(f'{{"id":1,"ok":{text}}}'.encode())
            assert (Judge(question.vector).judge(request, answer).status == "pass") == (not change)
