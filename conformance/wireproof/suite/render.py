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
from wireproof.profile import Settings, settings
from wireproof.suite.commented import pieces
from wireproof.suite.model import Expect, Suite, Vector
from wireproof.suite.patch import Edit, Fields, PatchProblem, patch_bytes, patch_value
from wireproof.suite.proof import canonical_form, decode, encode_all, same
from wireproof.suite.respell import Respelling, Unspellable
from wireproof.suite.values_there import adapted, declared_values, without_computed
from wireproof.suite.written import abbreviated

NO_SUITE: Final = Suite([])


class Unrendered(NamedTuple):
    """A vector that has no counterpart under the declared profile, and why."""

    vector: Vector
    reason: str


class Rendering(NamedTuple):
    """A protocol's vectors under a declared profile; together they are all of them."""

    unchanged: list[Vector]
    derived: list[Vector]
    unrendered: list[Unrendered]

    @property
    def vectors(self) -> list[Vector]:
        return self.unchanged + self.derived

    @property
    def reasons(self) -> Counter[str]:
        return Counter(left.reason for left in self.unrendered)


def render_suite(suite: Suite, protocol: str, changes: Settings) -> Rendering:
    """What becomes of every vector of a protocol."""
    found = Rendering([], [], [])
    renderer = Renderer(suite, changes)
    for vector in suite.by_protocol.get(protocol, []):
        there = renderer.rendered(vector)
        if isinstance(there, Unrendered):
            found.unrendered.append(there)
        else:
            (found.derived if there.derived else found.unchanged).append(there)
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
        messages = [_adapted(vector, there, message) for message in vector.messages]
        data = _encoded(there.codec, messages)
        if not vector.canonical:
            data = self._as_spelled(vector, there, data)
        answer = decode(there.codec, data)
        if answer["ok"] is not True:
            raise Unspellable(f"{answer['error']} instead of accepted")
        if not same([without_computed(there.codec, message) for message in answer["messages"]], messages):
            raise Unspellable("it is read as another value")
        made = _with_bytes(there, data, Expect(accept=abbreviated(answer["messages"])))
        if any(canonical_form(made, NO_SUITE)):
            raise Unspellable("it is canonical in one profile and not in the other")
        return made

    def _as_spelled(self, vector: Vector, there: Vector, data: bytes) -> bytes:
        """The bytes with whatever is not canonical in the original."""
        plain = encode_all(vector)
        if isinstance(plain, str):
            raise Unspellable("an encoder refuses its messages")
        patch = _differences(Fields(vector.codec, plain), Fields(vector.codec, vector.data))
        spelling = _respelling(vector, there, plain, data)
        return patch_bytes(there.codec, data, spelling.patch(patch, relative=True))

    def _reject(self, vector: Vector, there: Vector) -> Vector:
        twin = self.rendered(self.suite[vector.twin])
        if isinstance(twin, Unrendered):
            raise Unspellable(f"its twin is not rendered: {twin.reason}")
        spelling = _respelling(vector, there, self.suite[vector.twin].data, twin.data)
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
        value = _adapted(vector, there, vector.message)
        refusal = _refusal(there.codec, value)
        if refusal != _refusal(vector.codec, vector.message):
            raise Unspellable(f"{refusal[0] or 'encoded'} instead of {vector.expect.refuse}")
        twin = self.rendered(self.suite[vector.twin])
        if isinstance(twin, Unrendered):
            raise Unspellable(f"its twin is not rendered: {twin.reason}")
        patch = [_value_edit(edit, value) for edit in vector.patch]
        if not same(
            without_computed(there.codec, patch_value(twin.messages[0], patch)), without_computed(there.codec, value)
        ):
            raise Unspellable("its patch has no counterpart")
        return msgspec.structs.replace(there, value=abbreviated(value), patch=patch)
