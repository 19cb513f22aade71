"""Which questions a vector gives, and that they ask what they say."""

from __future__ import annotations

from binascii import unhexlify
from collections import Counter
from functools import cache

import pytest

from wireproof import PROTOCOLS
from wireproof.suite import Suite, load_suite
from wireproof.suite.model import LARGE
from wireproof.verdict import MODES, Question, questions
from wireproof.verdict.questions import BYTE_BY_BYTE, EVERY_SPLIT, SPLIT_BUDGET, ends, split_points


@cache
def suite() -> Suite:
    return load_suite()


def test_every_vector_is_asked_in_every_way_that_makes_sense() -> None:
    asked = Counter(
        (question.vector.kind, question.mode) for vector in suite().vectors for question in questions(vector)
    )
    kinds = Counter(vector.kind for vector in suite().vectors)
    assert asked["accept", "decode"] == kinds["accept"]
    assert asked["reject", "decode"] == kinds["reject"]
    assert asked["refuse", "encode"] == kinds["refuse"]
    assert asked["accept", "encode"] == sum(
        vector.kind == "accept" and vector.canonical and bool(vector.messages) for vector in suite().vectors
    )
    streamed = [vector for vector in suite().vectors if vector.kind != "refuse" and 0 < vector.size <= LARGE]
    assert asked["accept", "bytes"] + asked["reject", "bytes"] == len(streamed)
    assert asked["accept", "splits"] + asked["reject", "splits"] == sum(vector.size > 1 for vector in streamed)
    assert {mode for _, mode in asked} == set(MODES)
    assert ("reject", "encode") not in asked
    assert ("refuse", "decode") not in asked


def test_ids_are_unique() -> None:
    ids = [question.id for vector in suite().vectors for question in questions(vector)]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("mode", ["decode", "bytes", "splits"])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_pieces_are_the_input(protocol: str, mode: str) -> None:
    for vector in suite().by_protocol[protocol][::5]:
        if vector.kind == "refuse" or mode not in {question.mode for question in questions(vector)}:
            continue
        for request in Question(vector, mode).requests():
            assert b"".join(request.pieces).decode() == vector.data.hex()
            assert request.eof


def test_a_short_input_is_cut_at_every_byte() -> None:
    for vector in suite().by_protocol["comet"]:
        if 1 < vector.size <= EVERY_SPLIT and vector.kind != "refuse":
            requests = list(Question(vector, "splits").requests())
            assert [len(request.pieces[0]) // 2 for request in requests] == list(range(1, vector.size))
            (bytewise,) = Question(vector, "bytes").requests()
            assert len(bytewise.pieces) == vector.size


def test_a_long_input_is_cut_around_its_fields_within_a_budget() -> None:
    long = [vector for vector in suite().vectors if EVERY_SPLIT < vector.size <= LARGE]
    assert any(vector.size > BYTE_BY_BYTE for vector in long)
    for vector in long:
        points = list(split_points(vector))
        assert points == sorted(set(points))
        assert all(0 < point < vector.size for point in points)
        assert len(points) * vector.size <= max(SPLIT_BUDGET, 3 * vector.size)
        assert len(points) >= 3


def test_where_messages_end_is_what_the_wire_says() -> None:
    several = [vector for vector in suite().vectors if len(vector.expect.accept or ()) > 1 and vector.size <= LARGE]
    assert several
    for vector in several:
        codec, start = vector.codec, 0
        for message, end in zip(vector.messages, ends(vector), strict=True):
            found = codec.answer(codec.decode(vector.data[start:end]))
            assert found == {"ok": True, "messages": [message], "consumed": end - start}, vector.id
            start = end
        assert start == vector.size


def test_half_of_a_second_message_never_completes_it() -> None:
    for vector in suite().by_protocol["tny"][::3]:
        if "half" in {question.mode for question in questions(vector)}:
            (request,) = Question(vector, "half").requests()
            stream = vector.codec.stream()
            messages = stream.feed(unhexlify(request.pieces[0]))
            assert len(messages) == 1
            assert not stream.result().complete
