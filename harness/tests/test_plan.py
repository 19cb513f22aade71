"""Which questions are planned: by selection, by claim, under a declared profile."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import pytest

from wireproof import PROTOCOLS
from wireproof.suite import Suite, load_suite
from wireproof.verdict import questions
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.plan import Plan, Selection, plan
from wireproof_harness.reference import hello

ALL = claims_of(hello())


@cache
def suite() -> Suite:
    return load_suite()


def claiming(**claims: Any) -> Claims:
    """An implementation of comet alone."""
    body = {"operations": ["decode", "encode", "stream"]} | claims
    return claims_of({"contract": 1, "name": "mine", "protocols": {"comet": body}})


def planned(selection: Selection, claims: Claims = ALL, **declared: dict[str, Any]) -> Plan:
    return plan(suite(), claims, selection, declared)


def reasons(found: Plan) -> Counter[str]:
    return Counter(each.reason for each in found.questions)


def test_everything_is_planned_in_the_order_of_the_suite() -> None:
    found = planned(Selection())
    assert [each.question.id for each in found.questions] == [
        question.id for vector in suite().vectors for question in questions(vector)
    ]
    assert found.size == len(found.questions) + 1
    assert not any(each.cause for each in found.questions)


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        (Selection(ids=("comet-subscribe-501",), modes=("decode",)), ["COMET-COMMANDS-006", "COMET-SUBSCRIBE-501"]),
        (Selection(ids=("COMET-SUBSCRIBE-501/bytes",)), ["COMET-COMMANDS-006", "COMET-SUBSCRIBE-501"]),
        (Selection(names=("COMET-COMMANDS-006/decode",)), ["COMET-COMMANDS-006"]),
        (Selection(ids=("COMET-SUBSCRIBE-552",)), ["COMET-SUBSCRIBE-552"]),
    ],
)
def test_what_is_rejected_brings_its_twin(selection: Selection, ids: list[str]) -> None:
    assert [each.question.vector.id for each in planned(selection).questions] == ids


@pytest.mark.parametrize(
    "selection",
    [
        Selection(protocols=("tny",)),
        Selection(clauses=("COMET-3.8",)),
        Selection(clauses=("COMET-3",)),
        Selection(levels=("required",)),
        Selection(errors=("overrun",)),
        Selection(modes=("half",)),
        Selection(ids=("MAG-*-5??",)),
    ],
)
def test_a_selection_takes_what_it_describes_and_twins(selection: Selection) -> None:
    twins = {vector.twin for vector in suite().vectors}
    found = planned(selection).questions
    assert 0 < len(found) < len(planned(Selection()).questions)
    for each in found:
        question = each.question
        described = selection.takes_vector(question.vector) and selection.takes(question.vector.id, question.mode)
        assert described or (question.vector.id in twins and question.mode == "decode")


def test_a_chapter_is_not_the_beginning_of_another_number() -> None:
    chapter = planned(Selection(clauses=("ESNPL-1",), modes=("encode",))).questions
    assert all(any(clause.startswith("ESNPL-1.") for clause in each.question.vector.clauses) for each in chapter)


@pytest.mark.parametrize(
    ("claims", "reason"),
    [
        ({"operations": ["decode"]}, "operation stream"),
        ({"directions": ["c2s"]}, "direction s2c"),
        ({"messages": ["heartbeat", "subscribe"]}, "message auth"),
        ({"messages": [6, 3]}, "message auth"),
        ({"limits": {"input": 100}}, "input of more than 100 bytes"),
        ({}, "profile order=little"),
        ({"profile": {"utf8": ["strict", "bytes"]}}, "profile order=little"),
    ],
)
def test_what_is_not_claimed_is_planned_and_not_asked(claims: dict[str, Any], reason: str) -> None:
    found = planned(Selection(protocols=("comet",)), claiming(**claims))
    assert reasons(found)[reason] > 0
    assert reasons(found)[""] > 0
    assert found.size == planned(Selection(protocols=("comet",))).size


def test_other_protocols_are_not_claimed() -> None:
    found = planned(Selection(), claiming(profile="any"))
    missing = {f"protocol {name}" for name in PROTOCOLS if name != "comet"}
    assert set(reasons(found)) == {"", *missing}


def test_what_is_listed_as_possible_is_asked() -> None:
    found = planned(Selection(protocols=("comet",)), claiming(profile={"utf8": ["strict", "bytes"]}))
    assert not any("utf8" in reason for reason in reasons(found))


@pytest.mark.parametrize(
    "found",
    [
        lambda: planned(Selection(protocols=("comet",)), claiming(profile={"order": "little"})),
        lambda: planned(Selection(protocols=("comet",)), claiming(profile={"order": ["little", "big"]})),
        lambda: planned(Selection(protocols=("comet",)), comet={"order": "little"}),
    ],
    ids=["by hello", "by hello, one of two", "by the user"],
)
def test_vectors_are_rendered_for_a_declared_profile(found: Any) -> None:
    plan_ = found()
    assert plan_.profiles == {"comet": {"order": "little"}}
    asked = [each.question.vector for each in plan_.questions if not each.cause]
    assert all(vector.profile.get("order") == "little" or not vector.derived for vector in asked)
    heartbeat = next(vector for vector in asked if vector.data == bytes.fromhex("010006"))
    assert heartbeat.profile["order"] == "little"
    assert reasons(plan_)[""] > 1500
