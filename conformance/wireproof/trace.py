"""Which bytes of an input are which field."""

from __future__ import annotations

from typing import Any

import msgspec

from wireproof.results import Decoded


class Span(msgspec.Struct, frozen=True):
    """A field, or a part of one, where it stands in the input."""

    start: int
    stop: int
    path: str
    type: str
    value: Any
    clause: str


class Note:
    """What traced code calls for every field; `under` makes one for the inside of a field."""

    def __init__(self, spans: list[Span], prefix: str = "") -> None:
        self._spans = spans
        self._prefix = prefix

    def __call__(self, start: int, stop: int, path: str, label: str, value: Any, clause: str) -> None:
        self._spans.append(Span(start, stop, self._prefix + path, label, value, clause))

    def under(self, prefix: str) -> Note:
        return Note(self._spans, self._prefix + prefix)


class Trace:
    """A decode and the spans it read, in the order of the wire."""

    decoded: Decoded

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.spans: list[Span] = []
        self.note = Note(self.spans)
