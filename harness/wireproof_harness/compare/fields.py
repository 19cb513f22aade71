"""Which field a difference is about, where the messages themselves do not say it."""

from __future__ import annotations

from collections.abc import Iterable

from wireproof import codec
from wireproof_harness.compare.answers import Answer, without_indexes
from wireproof_harness.compare.voices import data_of
from wireproof_harness.questions import Question


def field_at_fault(question: Question, answers: Iterable[Answer]) -> str:
    """The field in which somebody rejects what others accept, or whose bytes are written differently."""
    given = list(answers)
    data = data_of(question)
    if data is None:
        return _written_differently(question, [answer["ok"]["hex"] for answer in given if "ok" in answer])
    offsets = (answer["reject"].get("offset") for answer in given if "reject" in answer)
    offset = next((place for place in offsets if type(place) is int), None)
    return "" if offset is None else _field(question, data, offset)


def _written_differently(question: Question, texts: list[str]) -> str:
    if len(set(texts)) < 2:
        return ""
    first, other = (bytes.fromhex(text) for text in list(dict.fromkeys(texts))[:2])
    shorter = min(len(first), len(other))
    return _field(question, first, next((n for n in range(shorter) if first[n] != other[n]), shorter))


def _field(question: Question, data: bytes, offset: int) -> str:
    found = codec(question["protocol"], direction=question.get("direction"), profile=question.get("profile"))
    inside = [span for span in found.trace(data).spans if span.start <= offset < max(span.stop, span.start + 1)]
    return without_indexes(inside[-1].path) if inside else ""
