"""The edits of a patch, spelled for a twin whose numbers are written in another way.

A patch says in bytes what a field becomes. Where the profile decides how a number is
written, the number is what is meant, and it is written anew; bytes that spell no number
on purpose stay as they are, if the field is still of the same type.
"""

from __future__ import annotations

from typing import NamedTuple

from wireproof.codec import Codec
from wireproof.suite.adapt import Unspellable, translations
from wireproof.suite.hextext import parse_hex
from wireproof.suite.patch import Edit, Fields, PatchProblem
from wireproof.suite.spelling import meant, numbers, respelled
from wireproof.trace import Span
from wireproof.wire.numbers import Number


class Landed(NamedTuple):
    """An edit in bytes: what it replaces in the twin, by what, and where that begins in the vector."""

    start: int
    stop: int
    content: bytes
    begins: int


class Respelling:
    """From a twin and its vector to the same twin under another profile."""

    def __init__(self, old: Codec, new: Codec, twin: bytes, vector: bytes, there: bytes) -> None:
        self.old, self.new = numbers(old), numbers(new)
        self.before, self.after = Fields(old, twin), Fields(new, there)
        self.made = sorted(old.trace(vector).spans, key=lambda span: span.start)
        self.same_as = translations(old, new)

    def patch(self, patch: list[Edit], *, relative: bool) -> list[Edit]:
        """The edits for the other twin; lengths grow and shrink as they did if `relative`."""
        landed = self._landed(patch)
        return [self._edit(edit, place, relative) for edit, place in zip(patch, landed, strict=True)]

    def _edit(self, edit: Edit, place: Landed, relative: bool) -> Edit:
        match edit:
            case {"at": start, "set": _}:
                if self._moved(start) is None or self._moved(place.stop - 1) is None:
                    raise Unspellable("the raw offset lies in a field that is another one there")
                return edit | {"at": self._moved(start)}
            case {"set": path, "to": _}:
                return {"set": path, "to": self._field(path, place, relative).hex(" ")}
            case {"cut": length}:
                return {"cut": self._boundary(length)}
            case {"append": _}:
                return {"append": self._region(place).hex(" ")}
            case {"before": path, "add": _} | {"after": path, "add": _}:
                self._exists(path)
                return edit | {"add": self._region(place).hex(" ")}
            case {"drop": path}:
                self._exists(path)
        return edit

    def _exists(self, path: str) -> None:
        try:
            self.after.find(path)
        except PatchProblem:
            raise Unspellable("a field of the patch does not exist there") from None

    def _field(self, path: str, place: Landed, relative: bool) -> bytes:
        self._exists(path)
        here, there = _leaf(self.before, path), _leaf(self.after, path)
        if here is None or there is None:
            return self._region(place)
        if here.path in self.same_as and len(place.content) == 1:
            value = place.content[0]
            return bytes([self.same_as[here.path].get(value, value)])
        old, new = self.old.get(here.type), self.new.get(there.type)
        shift = self._grown(old, new, here, there) if relative else 0
        return respelled(old, new, place.content, shift)

    def _grown(self, old: Number | None, new: Number | None, here: Span, there: Span) -> int:
        """How much more a number of the other twin is: a length there may count more."""
        if old is None or new is None:
            return 0
        before = meant(old, self.before.data[here.start : here.stop])
        after = meant(new, self.after.data[there.start : there.stop])
        return 0 if before is None or after is None else after - before

    def _region(self, place: Landed) -> bytes:
        """Bytes of several fields or of none: what the decoder took for a number is spelled anew."""
        position, parts = place.begins, []
        stop = place.begins + len(place.content)
        for span in self.made:
            if position <= span.start and span.stop <= stop and span.start < span.stop:
                parts.append(place.content[position - place.begins : span.start - place.begins])
                content = place.content[span.start - place.begins : span.stop - place.begins]
                there = _leaf(self.after, span.path)
                label = span.type if there is None else there.type
                parts.append(respelled(self.old.get(span.type), self.new.get(label), content))
                position = span.stop
        return b"".join([*parts, place.content[position - place.begins :]])

    def _boundary(self, length: int) -> int:
        moved = self._moved(length)
        if moved is None:
            raise Unspellable("the cut is inside a field that has another size there")
        return moved

    def _moved(self, offset: int) -> int | None:
        """Where a byte of the twin stands in the other twin."""
        for here, there in zip(self.before.messages, self.after.messages, strict=False):
            by_path = {span.path: span for span in there}
            for span in here:
                if span.start <= offset < span.stop:
                    found = by_path.get(span.path)
                    if found is None or (span.start != offset and found.stop - found.start != span.stop - span.start):
                        return None
                    return found.start + offset - span.start
        return None

    def _landed(self, patch: list[Edit]) -> list[Landed]:
        places = [self._place(edit) for edit in patch]
        return [Landed(*place, begins=place[0] + sum(_growth(p) for p in places if p < place)) for place in places]

    def _place(self, edit: Edit) -> tuple[int, int, bytes]:
        size = len(self.before.data)
        match edit:
            case {"at": start, "set": text}:
                return start, start + len(parse_hex(text)), parse_hex(text)
            case {"set": path, "to": text}:
                return (*self.before.find(path), parse_hex(text))
            case {"before": path, "add": text}:
                return (self.before.find(path)[0],) * 2 + (parse_hex(text),)
            case {"after": path, "add": text}:
                return (self.before.find(path)[1],) * 2 + (parse_hex(text),)
            case {"append": text}:
                return size, size, parse_hex(text)
            case {"drop": path}:
                return (*self.before.find(path), b"")
        return edit["cut"], size, b""


def _growth(place: tuple[int, int, bytes]) -> int:
    return len(place[2]) - (place[1] - place[0])


def _leaf(fields: Fields, path: str) -> Span | None:
    """The one span that is all of a path."""
    try:
        start, stop = fields.find(path)
    except PatchProblem:
        return None
    found = [span for spans in fields.messages for span in spans if (span.start, span.stop) == (start, stop)]
    return found[0] if found and start < stop else None
