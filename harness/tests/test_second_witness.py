"""The golden vectors, all of them, against the JavaScript implementation: the second of two witnesses.

It was written from the documents alone, and is asked over the same contract as any
implementation: every vector whole and in pieces, values for their bytes, refusals for
their class.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from wireproof import PROTOCOLS
from wireproof.suite import Suite, Vector, load_suite
from wireproof_harness.compare import Implementation

STREAMED = 65_536
BYTE_BY_BYTE = 2_048
"""Longer vectors are fed in pieces of a few hundred bytes."""

pytestmark = pytest.mark.requires("node")
each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@cache
def suite() -> Suite:
    return load_suite()


def vectors(protocol: str, *kinds: str) -> list[Vector]:
    found = [vector for vector in suite().by_protocol[protocol] if vector.kind in kinds]
    assert found
    return found


def ask(javascript: Implementation, asked: list[tuple[Vector, dict[str, Any]]]) -> list[tuple[Vector, dict[str, Any]]]:
    """Each vector with the answer to its question."""
    questions = [
        {"id": number, "protocol": vector.protocol, **question}
        | ({"direction": vector.direction} if vector.direction else {})
        | ({"profile": vector.profile} if vector.profile else {})
        for number, (vector, question) in enumerate(asked)
    ]
    answers = javascript.ask(questions)
    return [(vector, answer) for (vector, _), answer in zip(asked, answers, strict=True)]


def decoded(answer: dict[str, Any]) -> dict[str, Any]:
    """The answer in the form of an expectation."""
    if "ok" in answer:
        return {"ok": True, "messages": answer["ok"]["messages"], "consumed": answer["ok"]["consumed"]}
    if "reject" in answer:
        return {"ok": False} | {key: answer["reject"][key] for key in ("error", "offset", "messages")}
    return answer


@each_protocol
def test_decoding_gives_the_expectation(javascript: Implementation, protocol: str) -> None:
    asked = [(vector, {"op": "decode", "hex": vector.data.hex()}) for vector in vectors(protocol, "accept", "reject")]
    for vector, answer in ask(javascript, asked):
        assert decoded(answer) == vector.answer, vector.id


@each_protocol
def test_in_pieces_the_answer_is_the_same(javascript: Implementation, protocol: str) -> None:
    asked = [
        (vector, {"op": "stream", "chunks": pieces(vector.data)})
        for vector in vectors(protocol, "accept", "reject")
        if len(vector.data) <= STREAMED
    ]
    for vector, answer in ask(javascript, asked):
        assert decoded(answer) == vector.answer, vector.id


def pieces(data: bytes) -> list[str]:
    size = 1 if len(data) <= BYTE_BY_BYTE else 257
    return [data[start : start + size].hex() for start in range(0, len(data), size)]


@each_protocol
def test_canonical_vectors_encode_back(javascript: Implementation, protocol: str) -> None:
    asked = [
        (vector, {"op": "encode", "value": message})
        for vector in vectors(protocol, "accept")
        if vector.canonical
        for message in vector.messages
    ]
    written: dict[str, str] = {}
    for vector, answer in ask(javascript, asked):
        assert "ok" in answer, (vector.id, answer)
        written[vector.id] = written.get(vector.id, "") + answer["ok"]["hex"]
    for name, text in written.items():
        assert text == suite()[name].data.hex(), name


@each_protocol
def test_what_must_not_be_written_is_refused(javascript: Implementation, protocol: str) -> None:
    asked = [(vector, {"op": "encode", "value": vector.message}) for vector in vectors(protocol, "refuse")]
    for vector, answer in ask(javascript, asked):
        assert "reject" in answer, (vector.id, answer)
        assert answer["reject"]["error"] == vector.expect.refuse, vector.id
