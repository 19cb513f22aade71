"""Vectors re-rendered for other profiles, a sample of every alternative, against the JavaScript implementation.

The reference confirms each one when it is rendered; here somebody does who had no part in it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from wireproof import PROTOCOLS
from wireproof.profile import alternatives
from wireproof.suite import Suite, Vector, load_suite
from wireproof.suite.hextext import repeated_size
from wireproof.suite.render import render_suite
from wireproof_harness.compare import Implementation

SMALL = 4_096
OF_EACH = 24
"""So many vectors of each alternative, from all over the suite."""

pytestmark = pytest.mark.requires("node")
each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@cache
def suite() -> Suite:
    """Every vector but the largest, and those made from them."""
    whole = load_suite()
    small = {vector.id for vector in whole.vectors if max(vector.size, repeated_size(vector.value)) <= SMALL}
    return Suite([vector for vector in whole.vectors if vector.id in small and (vector.twin or vector.id) in small])


@cache
def sample(protocol: str) -> list[Vector]:
    found: list[Vector] = []
    for changes in alternatives(protocol):
        derived = render_suite(suite(), protocol, changes).derived
        found += derived[:: max(1, len(derived) // OF_EACH)]
    assert len(found) >= 60
    return found


def ask(javascript: Implementation, asked: list[tuple[Vector, dict[str, Any]]]) -> Iterator[tuple[Vector, Any]]:
    questions = [
        {"id": number, "protocol": vector.protocol, "profile": vector.profile, **question}
        | ({"direction": vector.direction} if vector.direction else {})
        for number, (vector, question) in enumerate(asked)
    ]
    answers = javascript.ask(questions)
    yield from ((vector, answer) for (vector, _), answer in zip(asked, answers, strict=True))


@each_protocol
def test_what_is_rendered_is_decoded_as_expected(javascript: Implementation, protocol: str) -> None:
    decoded = [vector for vector in sample(protocol) if vector.kind != "refuse"]
    for vector, answer in ask(javascript, [(vector, {"op": "decode", "hex": vector.data.hex()}) for vector in decoded]):
        expected = dict(vector.answer)
        status = "ok" if expected.pop("ok") else "reject"
        assert status in answer, (vector.id, vector.profile, answer)
        answer[status].pop("detail", None)
        assert answer[status] == expected, (vector.id, vector.profile)


@each_protocol
def test_what_is_rendered_is_written_back_or_refused(javascript: Implementation, protocol: str) -> None:
    accepted = [v for v in sample(protocol) if v.kind == "accept" and v.canonical and len(v.messages) == 1]
    refused = [vector for vector in sample(protocol) if vector.kind == "refuse"]
    asked = [(vector, {"op": "encode", "value": vector.messages[0]}) for vector in accepted]
    asked += [(vector, {"op": "encode", "value": vector.message}) for vector in refused]
    for vector, answer in ask(javascript, asked):
        if vector.kind == "accept":
            assert answer.get("ok") == {"hex": vector.data.hex()}, (vector.id, vector.profile)
        else:
            assert answer["reject"]["error"] == vector.expect.refuse, (vector.id, vector.profile)
