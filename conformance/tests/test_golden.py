"""The golden vectors, all of them, against the reference: the first of two witnesses."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from wireproof import PROTOCOLS, Refused
from wireproof.suite import Suite, Vector, load_suite
from wireproof.suite.check import check

LEAST = 2_500
STREAMED = 65_536
"""Longer vectors are decoded whole only."""
SPLIT = 64
"""Vectors of up to so many bytes are also cut in two at every place."""

each_protocol = pytest.mark.parametrize("protocol", PROTOCOLS)


@cache
def suite() -> Suite:
    return load_suite(cached=False)


def vectors(protocol: str, kind: str = "") -> Iterator[Vector]:
    found = [vector for vector in suite().by_protocol[protocol] if kind in ("", vector.kind)]
    assert found
    yield from found


def test_there_are_enough_different_questions() -> None:
    asked = {
        (vector.protocol, vector.direction, str(vector.profile), vector.kind, vector.data, str(vector.value))
        for vector in suite().vectors
    }
    assert len(asked) >= LEAST


def test_lint_finds_nothing() -> None:
    assert check().problems == []


@each_protocol
def test_decoding_gives_the_expectation(protocol: str) -> None:
    for vector in vectors(protocol):
        if vector.kind != "refuse":
            assert vector.codec.answer(vector.codec.decode(vector.data)) == vector.answer, vector.id


@each_protocol
def test_byte_by_byte_the_answer_is_the_same(protocol: str) -> None:
    for vector in vectors(protocol):
        if vector.kind != "refuse" and len(vector.data) <= STREAMED:
            cuts = range(len(vector.data) + 1)
            assert in_pieces(vector, list(cuts)) == vector.answer, vector.id


@each_protocol
def test_cut_anywhere_the_answer_is_the_same(protocol: str) -> None:
    for vector in vectors(protocol):
        if vector.kind != "refuse" and len(vector.data) <= SPLIT:
            for cut in range(1, len(vector.data)):
                assert in_pieces(vector, [0, cut, len(vector.data)]) == vector.answer, (vector.id, cut)


def in_pieces(vector: Vector, cuts: list[int]) -> dict[str, object]:
    stream = vector.codec.stream()
    for start, stop in pairwise(cuts):
        stream.feed(vector.data[start:stop])
    return vector.codec.answer(stream.end())


@each_protocol
def test_canonical_vectors_encode_back(protocol: str) -> None:
    for vector in vectors(protocol, "accept"):
        if vector.canonical:
            codec = vector.codec
            written = b"".join(codec.encode(codec.message(message)) for message in vector.messages)
            assert written == vector.data, vector.id


@each_protocol
def test_what_must_not_be_written_is_refused(protocol: str) -> None:
    for vector in vectors(protocol, "refuse"):
        with pytest.raises(Refused) as caught:
            vector.codec.encode(vector.codec.message(vector.message))
        assert caught.value.error == vector.expect.refuse, vector.id


@each_protocol
def test_every_byte_matters_but_those_that_must_not(protocol: str) -> None:
    program = Path(__file__).parents[1] / "bench" / "bytes_matter.py"
    run = subprocess.run([sys.executable, program, protocol], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    assert " bytes, " in run.stdout
