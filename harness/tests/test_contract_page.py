"""docs/contract.md, its JSON Schema and what is really sent say the same."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from small_json_schema import valid
from wireproof import PROTOCOLS
from wireproof.errors import ERROR_CLASSES
from wireproof.suite import load_suite
from wireproof.verdict import BadAnswer, parse_answer, questions
from wireproof_harness.claims import BadClaims, claims_of
from wireproof_harness.compare import kind_of_difference
from wireproof_harness.contract import CONTRACTS, OPERATIONS, full_line, hello_end, line_end, line_start, probe_end
from wireproof_harness.reference import answer

PAGE = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
BLOCK = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0]
PAIRS = [tuple(map(json.loads, pair.splitlines())) for pair in BLOCK.strip().split("\n\n")]
SCHEMA = json.loads(files("wireproof_harness").joinpath("contract.schema.json").read_text("utf-8"))

HELLO = {"contract": 1, "name": "mine", "protocols": {"comet": {"operations": ["decode"]}}}


def fits(what: str, message: Any) -> bool:
    return valid(SCHEMA["$defs"][what], message, SCHEMA)


@pytest.mark.parametrize(("question", "shown"), PAIRS, ids=lambda line: str(line.get("op", "answer")))
def test_an_example_of_the_page(question: dict[str, object], shown: dict[str, object]) -> None:
    given = answer(question)
    assert given.keys() == shown.keys()
    assert fits("request", question)
    assert fits("answer", shown)
    assert fits("answer", given)
    if question["op"] == "hello":
        assert claims_of(shown["ok"]).name == "mine"
        return  # another implementation says other things of itself
    assert kind_of_difference(question, given, shown) == ""


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_request_and_every_answer_of_the_reference_fit_the_schema(protocol: str) -> None:
    seen = set()
    for vector in load_suite().by_protocol[protocol][::7]:
        if vector.size > 300:
            continue
        for question in questions(vector):
            request = json.loads(full_line(1, line_end(next(question.requests()), line_start(vector))))
            assert fits("request", request), request
            given = answer(request)
            assert fits("answer", given), given
            seen.add((question.mode, *(given.keys() - {"id"})))
    assert {("decode", "ok"), ("decode", "reject"), ("encode", "ok"), ("half", "incomplete")} <= seen


def test_the_schema_knows_the_words_of_the_suite() -> None:
    definitions = SCHEMA["$defs"]
    assert definitions["protocol"]["enum"] == list(PROTOCOLS)
    assert definitions["error_class"]["enum"] == list(ERROR_CLASSES)
    assert definitions["protocol_claims"]["properties"]["operations"]["items"]["enum"] == list(OPERATIONS)
    assert set(definitions["claims"]["properties"]["protocols"]["properties"]) == set(PROTOCOLS)


def test_hello_and_the_probe_fit_the_schema() -> None:
    hello = json.loads(full_line(0, hello_end()))
    assert hello["contracts"] == list(CONTRACTS)
    assert fits("hello", hello)
    assert fits("unknown", json.loads(full_line(1, probe_end())))


@pytest.mark.parametrize(
    "line",
    [
        {"id": 1, "ok": {"messages": []}},
        {"id": 1, "reject": {"error": "nonsense", "messages": []}},
        {"id": 1, "ok": {"hex": "0A"}},
        {"id": "1", "ok": {"hex": "0a"}},
        {"id": 1, "ok": {"hex": ""}, "error": {"message": ""}},
        {"id": 1},
        {"id": 1, "unsupported": "no"},
    ],
)
def test_what_is_no_answer_does_not_fit(line: dict[str, object]) -> None:
    assert not fits("answer", line)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (b"Ready.", "not JSON"),
        (b"[1]", "not an object"),
        (b"{'id': 1}", "not JSON"),
        (b'{"ok": {}}', "no integer id"),
        (b'{"id": "1", "ok": {}}', "no integer id"),
        (b'{"id": true, "ok": {}}', "no integer id"),
        (b'{"id": 1}', "exactly one"),
        (b'{"id": 1, "ok": {}, "error": {}}', "exactly one"),
        (b'{"id": 1, "okay": {}}', '"okay"'),
        (b'{"id": 1, "ok": ' + b"[" * 5000 + b"]" * 5000 + b"}", "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        (b"\xef\xbb\xbf" + b'{"id": 1, "ok": {}}', "not JSON"),
        ('{"id": 1, "ok": {}}'.encode("utf-16"), "not JSON"),
        (b'{"id": 1, "ok": {"consumed": NaN}}', "not JSON"),
    ],
)
def test_what_is_no_answer_is_told_as_such(line: bytes, problem: str) -> None:
    with pytest.raises(BadAnswer, match=re.escape(problem)):
        parse_answer(line)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"contract": 2}, "version 2"),
        ({"contract": "1"}, "contract"),
        ({"name": None}, "name"),
        ({"surprise": 1}, "surprise"),
        ({"reasons": "some"}, "reasons"),
        ({"protocols": {"commet": {"operations": []}}}, "commet"),
        ({"protocols": {"comet": {"operations": ["decod"]}}}, "decod"),
        ({"protocols": {"comet": {"operations": [], "directions": ["up"]}}}, "up"),
        ({"protocols": {"tny": {"operations": [], "directions": ["c2s"]}}}, "there are none"),
        ({"protocols": {"comet": {"operations": [], "messages": ["subscrib"]}}}, "subscrib"),
        ({"protocols": {"comet": {"operations": [], "profile": "all"}}}, "all"),
        ({"protocols": {"comet": {"operations": [], "profile": {"order": "middle"}}}}, "middle"),
        ({"protocols": {"comet": {"operations": [], "profile": {"ordr": "big"}}}}, "ordr"),
        ({"protocols": {"comet": {"operations": [], "profile": {"order": []}}}}, "declares nothing"),
        ({"protocols": {"comet": {"operations": [], "limits": {"output": 1}}}}, "output"),
        ({"protocols": {"comet": {"operations": [], "map_order": "any"}}}, "any"),
        ({"protocols": []}, "protocols"),
    ],
)
def test_claims_that_make_no_sense_are_told_as_such(change: dict[str, object], problem: str) -> None:
    with pytest.raises(BadClaims, match=problem):
        claims_of(HELLO | change)
