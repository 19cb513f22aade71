"""A disagreement as an entry of a vector file, with the reference's answer as its expectation.

What is to be rejected needs an accepted twin and the edits between them: the nearest vector of the suite, or,
under a profile that the suite's twins do not have, an accepted entry written along with it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import msgspec

from wireproof import Codec, Refused
from wireproof.clauses import clauses
from wireproof.generate import typical
from wireproof.suite.commented import printable
from wireproof.suite.draft import from_bytes
from wireproof.suite.model import PREFIXES, Expect, Suite, Vector
from wireproof.suite.patch import Edit, Fields, PatchProblem, patch_bytes
from wireproof.suite.proof import writes_either_way
from wireproof.suite.rules import UNFINISHED, open_points
from wireproof.suite.written import abbreviated, vector_text
from wireproof_harness.generated.asking import Exchange
from wireproof_harness.reference import codec_for

TOPIC: Final = "GENERATED"
REJECTED: Final = 500
"""Numbers above it are those of vectors that are not accepted."""
WHY: Final = "generated: an implementation answered it otherwise"


def entries(exchange: Exchange, number: int, suite: Suite) -> str:
    """The entry for a question, ready to be put into a file; its id is a placeholder, its words are to be improved."""
    return "\n".join(vector_text(vector) for vector in vectors_for(exchange, number, suite))


def vectors_for(exchange: Exchange, number: int, suite: Suite) -> list[Vector]:
    """The vector for a question, after the twin that it needs and the suite does not have."""
    question = exchange.question
    codec = codec_for(question)
    if question["op"] == "encode" and "reject" in exchange.right:
        return _refusal(exchange, codec, number, suite)
    if question["op"] == "encode":
        data = bytes.fromhex(exchange.right["ok"]["hex"])
    else:
        data = bytes.fromhex(question.get("hex", "".join(question.get("chunks", ()))))
    made = from_bytes(codec, question.get("profile", {}), data)
    if made.kind == "accept":
        return [_worded(_canonical(made), exchange, number)]
    twin, others = _twin(codec, made, number, suite)
    patch = patch_between(codec, twin.data, data)
    rejected = msgspec.structs.replace(made, twin=twin.id, patch=patch, made="patched", canonical=True)
    return [*others, _worded(rejected, exchange, number)]


def _canonical(vector: Vector) -> Vector:
    free = any(writes_either_way(vector.protocol, message) for message in vector.messages)
    return msgspec.structs.replace(vector, canonical=False) if free else vector


def _worded(vector: Vector, exchange: Exchange, number: int) -> Vector:
    """With an id and words that no other vector has."""
    place = number + (0 if vector.kind == "accept" else REJECTED)
    mark = sha256(json.dumps(exchange.question, sort_keys=True).encode()).hexdigest()[:8]
    known = clauses(vector.protocol)
    cited = [name for name in vector.clauses if name != UNFINISHED]
    if not any(name in known for name in cited):
        cited.append(_nearest_clause(vector))
    return msgspec.structs.replace(
        vector,
        id=f"{PREFIXES[vector.protocol]}-{TOPIC}-{place:03}",
        title=f"generated {mark}, {printable(exchange.finding.kind)}",
        why=f"{WHY} ({mark})",
        clauses=list(dict.fromkeys(cited)),
        level=_level(vector, cited),
    )


def _level(vector: Vector, cited: list[str]) -> str:
    """What a document leaves open is never required."""
    points = open_points(vector.protocol)
    levels = {points[name].level for name in cited if name in points}
    return "profile" if vector.profile or "profile" in levels else "recommended" if levels else "required"


def _nearest_clause(vector: Vector) -> str:
    """An open point is cited along with a clause: that of the field before it, or the first of all."""
    known = clauses(vector.protocol)
    spans = vector.codec.trace(vector.data).spans if vector.hex is not None else []
    return next((span.clause for span in reversed(spans) if span.clause in known), next(iter(known)))


# ---- twins ----


def _twin(codec: Codec, made: Vector, number: int, suite: Suite) -> tuple[Vector, list[Vector]]:
    """The accepted vector that differs least, and what has to be written along with it."""
    there = [
        vector
        for vector in suite.by_protocol.get(made.protocol, [])
        if vector.kind == "accept" and vector.direction == made.direction and 0 < vector.size <= 4096
    ]
    same = [vector for vector in there if vector.profile == made.profile and codec.decode(vector.data).ok]
    if same:
        return min(same, key=lambda vector: _distance(vector.data, made.data)), []
    plain = min((codec.encode(each) for each in typical(codec)), key=lambda data: _distance(data, made.data))
    twin = _canonical(from_bytes(codec, made.profile, plain))
    mark = sha256(plain + json.dumps(made.profile, sort_keys=True).encode()).hexdigest()[:8]
    name = f"{PREFIXES[made.protocol]}-{TOPIC}-{number:03}"
    words = {"title": f"generated {mark}, a plain message", "why": f"the twin of a generated vector ({mark})"}
    twin = msgspec.structs.replace(twin, id=name, level="profile", **words)
    if not any(clause in clauses(twin.protocol) for clause in twin.clauses):
        twin = msgspec.structs.replace(twin, clauses=[*twin.clauses, _nearest_clause(twin)])
    return twin, [twin]


def _distance(one: bytes, other: bytes) -> tuple[int, int]:
    before, after = _common(one, other)
    return len(one) + len(other) - 2 * (before + after), len(one)


def _common(one: bytes, other: bytes) -> tuple[int, int]:
    """How many bytes are the same from the beginning on, and from the end of the rest."""
    most = min(len(one), len(other))
    before = next((place for place in range(most) if one[place] != other[place]), most)
    most -= before
    return before, next((place for place in range(most) if one[-1 - place] != other[-1 - place]), most)


def patch_between(codec: Codec, twin: bytes, data: bytes) -> list[Edit]:
    """The fewest edits by field that turn the twin into the data."""
    for patch in _patches(Fields(codec, twin), data):
        try:
            if patch_bytes(codec, twin, patch) == data:
                return patch
        except PatchProblem:
            continue
    raise AssertionError("every twin can be edited field by field")


def _patches(fields: Fields, data: bytes) -> Iterator[list[Edit]]:
    twin = fields.data
    if twin.startswith(data):
        yield [{"cut": len(data)}]
    if data.startswith(twin):
        yield [{"append": data[len(twin) :].hex()}]
    before, after = _common(twin, data)
    start, stop = before, len(twin) - after
    paths = [
        f"#{number}:{span.path}" if number else span.path
        for number, spans in enumerate(fields.messages)
        for span in spans
    ]
    for path in sorted(dict.fromkeys(paths), key=lambda path: -len(path)):
        low, high = fields.find(path)
        if low <= start and stop <= high:
            yield [{"set": path, "to": data[low : len(data) - (len(twin) - high)].hex()}]
    yield [{"at": start, "set": data[start : start + stop - start].hex()}]
    yield _field_by_field(fields, data)


def _field_by_field(fields: Fields, data: bytes) -> list[Edit]:
    """Every field of the twin that is not at its place in the data any more; the last one takes what is left."""
    spans = [(number, span) for number, spans in enumerate(fields.messages) for span in spans if span.stop > span.start]
    edits: list[Edit] = []
    for place, (number, span) in enumerate(spans):
        path = f"#{number}:{span.path}{_inner(fields, number, span.path)}".removeprefix("#0:")
        new = data[span.start :] if place == len(spans) - 1 else data[span.start : span.stop]
        if new != fields.data[span.start : span.stop]:
            edits.append({"set": path, "to": new.hex()} if new else {"drop": path})
    return edits


def _inner(fields: Fields, number: int, path: str) -> str:
    """`.run` where a path alone would mean what lies inside it as well."""
    inside = [span for span in fields.messages[number] if span.path.startswith((f"{path}.", f"{path}["))]
    return ".run" if inside else ""


# ---- refusals ----


def _refusal(exchange: Exchange, codec: Codec, number: int, suite: Suite) -> list[Vector]:
    question = exchange.question
    value, profile = question["value"], question.get("profile", {})
    twin, others = _value_twin(codec, profile, value, number, suite)
    try:
        codec.encode(codec.message(value))
    except Refused as refused:
        clause = refused.clause
    else:
        raise AssertionError("the reference refused it before")
    made = msgspec.structs.replace(
        from_bytes(codec, profile, b""),
        hex=None,
        value=abbreviated(value),
        expect=Expect(refuse=exchange.right["reject"]["error"]),
        clauses=[clause],
        twin=twin.id,
        patch=list(_value_edits(twin.messages[0], value)),
        made="patched",
        canonical=True,
    )
    return [*others, _worded(made, exchange, number)]


def _value_twin(
    codec: Codec, profile: dict[str, Any], value: Any, number: int, suite: Suite
) -> tuple[Vector, list[Vector]]:
    """An accepted message of the same type, if there is one."""
    candidates = [
        vector
        for vector in suite.by_protocol.get(codec.name, [])
        if vector.kind == "accept"
        and (vector.direction, vector.profile) == (codec.plan.direction, profile)
        and vector.canonical
        and len(vector.messages) == 1
        and vector.size <= 256
    ]
    if candidates:
        return min(candidates, key=lambda vector: _size(_value_edits(vector.messages[0], value))), []
    plain = min(typical(codec), key=lambda each: _size(_value_edits(codec.value(each), value)))
    return _twin(codec, from_bytes(codec, profile, codec.encode(plain)), number, Suite([]))


def _size(edits: Iterator[Edit]) -> int:
    return len(json.dumps(list(edits)))


def _value_edits(twin: dict[str, Any], value: dict[str, Any], path: str = "") -> Iterator[Edit]:
    """What has to be put and removed, as deep as both are objects."""
    for key in twin:
        if key not in value:
            yield {"remove": f"{path}{key}"}
    for key, item in value.items():
        there = twin.get(key)
        if isinstance(there, dict) and isinstance(item, dict):
            yield from _value_edits(there, item, f"{path}{key}.")
        elif key not in twin or json.dumps(there) != json.dumps(item):
            yield {"put": f"{path}{key}", "value": abbreviated(item)}
