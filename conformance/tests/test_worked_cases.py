"""Every worked case gets exactly its answer: whole, in pieces, traced, and written back."""

from __future__ import annotations

import pytest

from wireproof import Codec, codec
from worked import CASES, Case

each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)


def codec_of(case: Case) -> Codec:
    return codec(case.protocol, direction=case.direction)


@each_case
def test_decode(case: Case) -> None:
    found = codec_of(case)
    assert found.answer(found.decode(case.data)) == case.answer


@each_case
@pytest.mark.parametrize("size", [1, 2, 3, 5, 7])
def test_stream(case: Case, size: int) -> None:
    found = codec_of(case)
    stream = found.stream()
    for start in range(0, len(case.data), size):
        stream.feed(case.data[start : start + size])
    assert found.answer(stream.end()) == case.answer


@each_case
def test_trace_decodes_the_same(case: Case) -> None:
    found = codec_of(case)
    trace = found.trace(case.data)
    assert found.answer(trace.decoded) == case.answer
    for span in trace.spans:
        assert 0 <= span.start <= span.stop <= len(case.data)


@pytest.mark.parametrize("case", [case for case in CASES if case.canonical], ids=lambda case: case.id)
def test_encode(case: Case) -> None:
    found = codec_of(case)
    written = b"".join(found.encode(found.message(value)) for value in case.answer["messages"])
    assert written.hex() == case.hex
