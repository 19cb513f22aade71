"""Vectors for an implementation that declares other parameters than the ones they were written under.

An accepted vector is written anew from its messages, a rejected one by its patch from its
re-rendered twin, a refusal from its value. What comes out asks for the same thing in the
same field and is answered alike, or it is not rendered and the reason is given. Nothing
is taken on trust: the reference is asked every time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec

from wireproof.codec import Codec
from wireproof.errors import BadValue, Refused
from wireproof.profile import Settings
from wireproof.suite.adapt import Unspellable, adapted, plain, value_edit
from wireproof.suite.commented import annotated_hex, pieces
from wireproof.suite.model import Expect, Suite, Vector
from wireproof.suite.patch import RUN, Edit, Fields, PatchProblem, patch_bytes, patch_value
from wireproof.suite.proof import canonical_form, decode, encode_all, same
from wireproof.suite.respell import Respelling
from wireproof.suite.written import abbreviated, vector_text
from wireproof.trace import Span

NO_SUITE: Final = Suite([])


class Unrendered(NamedTuple):
    """A vector that has no counterpart under the declared profile, and why."""

    vector: Vector
    reason: str


class Rendering(NamedTuple):
    """A protocol's vectors under a declared profile: those there are, and those there cannot be."""

    vectors: list[Vector]
    unrendered: list[Unrendered]

    @property
    def derived(self) -> list[Vector]:
        return [vector for vector in self.vectors if vector.derived]

    @property
    def reasons(self) -> Counter[str]:
        return Counter(left.reason for left in self.unrendered)

    def about(self, changes: Settings) -> dict[str, Any]:
        """What an export says of itself: what was declared, and what is missing."""
        left = [{"id": vector.id, "reason": reason} for vector, reason in self.unrendered]
        return {"declared": changes, "derived": len(self.derived), "unrendered": left}


def render_suite(suite: Suite, protocol: str, changes: Settings) -> Rendering:
    """What becomes of every vector of a protocol."""
    found = Rendering([], [])
    renderer = Renderer(suite, changes)
    for vector in suite.by_protocol.get(protocol, []):
        there = renderer.rendered(vector)
        if isinstance(there, Unrendered):
            found.unrendered.append(there)
        else:
            found.vectors.append(there)
    return found


def rendered(suite: Suite, vector: Vector, changes: Settings) -> Vector | Unrendered:
    """What a vector becomes for an implementation that declares `changes`."""
    return Renderer(suite, changes).rendered(vector)


class Renderer:
    """Renders vectors for one declaration; a twin is rendered once for all that are made from it."""

    def __init__(self, suite: Suite, changes: Settings) -> None:
        self.suite = suite
        self.changes = changes
        self._accepted: dict[str, Vector | Unrendered] = {}

    def rendered(self, vector: Vector) -> Vector | Unrendered:
        if vector.kind == "accept":
            if vector.id not in self._accepted:
                self._accepted[vector.id] = self._attempt(vector, self._accept)
            return self._accepted[vector.id]
        twin = self.suite.by_id.get(vector.twin)
        if twin is None:
            return Unrendered(vector, "its twin is not in the suite")
        if vector.kind == "refuse":
            return vector if self._holds(vector) else self._attempt(vector, self._refuse)
        if self.rendered(twin) is twin and self._holds(vector):
            return vector
        there = self._attempt(vector, self._reject)
        # Without a counterpart of its patch it still stands, if these very bytes are answered alike.
        return vector if isinstance(there, Unrendered) and self._holds(vector) else there

    def _attempt(self, vector: Vector, render: Callable[[Vector, Vector], Vector]) -> Vector | Unrendered:
        try:
            return render(vector, self._declared(vector))
        except (Unspellable, PatchProblem) as problem:
            return Unrendered(vector, str(problem))

    def _declared(self, vector: Vector) -> Vector:
        """The same vector under the declared profile, right or not."""
        return msgspec.structs.replace(vector, profile=vector.profile | self.changes, derived=True)

    def _holds(self, vector: Vector) -> bool:
        there = self._declared(vector)
        if vector.kind == "refuse":
            return _refusal(there.codec, vector.message) == _refusal(vector.codec, vector.message)
        if not same(decode(there.codec, vector.data), vector.answer) or any(canonical_form(there, NO_SUITE)):
            return False
        return vector.kind == "accept" or _error_path(there.codec, vector.data) == _error_path(
            vector.codec, vector.data
        )

    def _accept(self, vector: Vector, there: Vector) -> Vector:
        if self._holds(vector):
            return vector
        messages = [adapted(vector.codec, there.codec, message) for message in vector.messages]
        data = _encoded(there.codec, messages)
        if not vector.canonical:
            data = self._as_spelled(vector, there, data)
        answer = decode(there.codec, data)
        if answer["ok"] is not True:
            raise Unspellable(f"{answer['error']} instead of accepted")
        if not same([plain(there.codec, message) for message in answer["messages"]], messages):
            raise Unspellable("it is read as another value")
        made = _with_bytes(there, data, Expect(accept=abbreviated(answer["messages"])))
        if any(canonical_form(made, NO_SUITE)):
            raise Unspellable("it is canonical in one profile and not in the other")
        return made

    def _as_spelled(self, vector: Vector, there: Vector, data: bytes) -> bytes:
        """The bytes with whatever is not canonical in the original."""
        written = encode_all(vector)
        if isinstance(written, str):
            raise Unspellable("an encoder refuses its messages")
        patch = _differences(Fields(vector.codec, written), Fields(vector.codec, vector.data))
        spelling = Respelling(vector.codec, there.codec, written, vector.data, data)
        return patch_bytes(there.codec, data, spelling.patch(patch, relative=True))

    def _reject(self, vector: Vector, there: Vector) -> Vector:
        twin = self._twin(vector)
        spelling = Respelling(vector.codec, there.codec, self.suite[vector.twin].data, vector.data, twin.data)
        # A length that follows the other fields is moved with them; failing that, the number itself is what counts.
        problem = Unspellable("")
        for relative in (True, False):
            patch = spelling.patch(vector.patch, relative=relative)
            data = patch_bytes(there.codec, twin.data, patch)
            try:
                return _with_bytes(there, data, _alike(vector, there, data), patch)
            except Unspellable as other:
                problem = other
        raise problem

    def _refuse(self, vector: Vector, there: Vector) -> Vector:
        value = adapted(vector.codec, there.codec, vector.message)
        refusal = _refusal(there.codec, value)
        if refusal[0] != vector.expect.refuse:
            raise Unspellable(f"{refusal[0] or 'written'} instead of {vector.expect.refuse}")
        if refusal != _refusal(vector.codec, vector.message):
            raise Unspellable(f"{refusal[0]} in another field")
        patch = [value_edit(edit, value) for edit in vector.patch]
        made = patch_value(self._twin(vector).messages[0], patch)
        if not same(plain(there.codec, made), plain(there.codec, value)):
            raise Unspellable("its patch has no counterpart")
        return msgspec.structs.replace(there, value=abbreviated(made), patch=patch)

    def _twin(self, vector: Vector) -> Vector:
        twin = self.rendered(self.suite[vector.twin])
        if isinstance(twin, Unrendered):
            raise Unspellable(f"its twin is not rendered: {twin.reason}")
        return twin


def _encoded(there: Codec, messages: list[Any]) -> bytes:
    try:
        return b"".join(there.encode(there.message(message)) for message in messages)
    except Refused as refused:
        raise Unspellable(f"{refused.error} when it is written") from None


def _differences(plain: Fields, spelled: Fields) -> list[Edit]:
    """The fields that two spellings of the same messages write differently."""
    edits: list[Edit] = []
    for number, (here, there) in enumerate(zip(plain.messages, spelled.messages, strict=False)):
        if [span.path for span in here] != [span.path for span in there]:
            raise Unspellable("its messages do not show all that is in its bytes")
        for one, other in zip(here, there, strict=True):
            content = spelled.data[other.start : other.stop]
            if content != plain.data[one.start : one.stop]:
                edits.append({"set": f"#{number}:{one.path}{_run(here, one)}", "to": content.hex()})
    return edits


def _run(spans: list[Span], span: Span) -> str:
    """Where a path names a length with its run, this names the run alone."""
    inside = (f"{span.path}.", f"{span.path}[")
    return RUN if any(other.path.startswith(inside) for other in spans) else ""


def _alike(vector: Vector, there: Vector, data: bytes) -> Expect:
    """The rejection of the new bytes, if it is of the same class, in the same field, after the same messages."""
    answer = decode(there.codec, data)
    if answer["ok"] is True:
        raise Unspellable(f"accepted instead of {vector.expect.reject}")
    if answer["error"] != vector.expect.reject:
        raise Unspellable(f"{answer['error']} instead of {vector.expect.reject}")
    if _error_path(there.codec, data) != _error_path(vector.codec, vector.data):
        raise Unspellable(f"{answer['error']} in another field")
    before = [adapted(vector.codec, there.codec, message) for message in vector.messages]
    if not same([plain(there.codec, message) for message in answer["messages"]], before):
        raise Unspellable(f"{answer['error']} after other messages")
    return Expect(reject=answer["error"], offset=answer["offset"], messages=abbreviated(answer["messages"]))


def _error_path(there: Codec, data: bytes) -> str:
    error = there.decode(data).error
    return "" if error is None else error.path


def _refusal(there: Codec, value: Any) -> tuple[str, str]:
    """Why the reference does not write a value, and which field of it."""
    try:
        there.encode(there.message(value))
    except Refused as refused:
        return refused.error, refused.path
    except BadValue as problem:
        return "no value of this profile", problem.path
    return "", ""


def _with_bytes(there: Vector, data: bytes, expect: Expect, patch: Iterable[Edit] = ()) -> Vector:
    text = "".join(f"{line}\n" for line in pieces(data))
    return msgspec.structs.replace(there, hex=text, expect=expect, patch=list(patch))


def derived_text(vector: Vector) -> str:
    """A vector as a file would have it, its bytes commented; a derived one says so, and no file may."""
    if not vector.derived:
        return vector_text(vector)
    if vector.hex is not None:
        vector = msgspec.structs.replace(vector, hex=annotated_hex(vector.codec, vector.data))
    return vector_text(vector) + "  derived: true\n"
