"""The draft of a new vector: what can be derived is filled in, the rest is left to its author."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

import msgspec

from wireproof.clauses import clauses
from wireproof.codec import Codec
from wireproof.errors import BadValue, Refused
from wireproof.suite.commented import annotated_hex
from wireproof.suite.model import PREFIXES, Expect, Suite, Vector
from wireproof.suite.patch import PatchProblem, patch_bytes, patch_value
from wireproof.suite.problems import Problem, SuiteError
from wireproof.suite.rules import UNFINISHED, open_points
from wireproof.suite.strictyaml import Reader
from wireproof.suite.written import abbreviated, expected, vector_text

REVIEW: Final = (
    "# Review: the expectation is the reference's answer. Work it out from the clauses before you keep it.\n"
)
HALVES: Final = {"accept": range(1, 500), "reject": range(501, 1000), "refuse": range(501, 1000)}
"""The numbers of a topic: below 500 what is accepted, above it what is not."""


def draft_text(vector: Vector) -> str:
    return REVIEW + vector_text(vector)


def from_bytes(codec: Codec, profile: dict[str, Any], data: bytes) -> Vector:
    """A vector that asks for the decoding of some bytes."""
    expect = msgspec.convert(expected(codec, data), Expect)
    cited = [span.clause for span in codec.trace(data).spans]
    error = codec.decode(data).error
    if error is not None:
        cited = [error.clause]
    canonical = expect.accept is None or _encodes_back(codec, data)
    fields = {"hex": annotated_hex(codec, data), "expect": expect, "canonical": canonical, "made": "generated"}
    return _vector(codec, profile, cited, fields)


def from_twin(twin: Vector, patch: list[dict[str, Any]]) -> Vector:
    """A vector with one defect, made from an accepted one."""
    codec = twin.codec
    try:
        if {"put", "remove", "value"} & {key for edit in patch for key in edit}:
            return _refusal(twin, patch)
        data = patch_bytes(codec, twin.data, patch)
    except PatchProblem as problem:
        raise _unusable(twin, str(problem), "Look at the paths with `wireproof vectors hex --paths`") from None
    made = from_bytes(codec, twin.profile, data)
    if made.kind == "accept":
        raise _unusable(twin, "the patched bytes are accepted", "Give them with --hex, as a vector of their own")
    return msgspec.structs.replace(made, twin=twin.id, patch=patch, made="patched", canonical=True)


def _refusal(twin: Vector, patch: list[dict[str, Any]]) -> Vector:
    if len(twin.messages) != 1:
        raise _unusable(twin, "the twin has not exactly one message", "Choose a twin of one message")
    codec, value = twin.codec, patch_value(twin.messages[0], patch)
    try:
        codec.encode(codec.message(value))
    except Refused as refused:
        fields = {"value": abbreviated(value), "expect": Expect(refuse=refused.error), "twin": twin.id}
        return _vector(codec, twin.profile, [refused.clause], fields | {"patch": patch, "made": "patched"})
    except BadValue as problem:
        raise _unusable(twin, f"no value of a message: {problem}", "Such values are never asked") from None
    raise _unusable(twin, "the patched value is encoded", "Give its bytes with --hex, as an accepted vector")


def _unusable(twin: Vector, problem: str, advice: str) -> SuiteError:
    return SuiteError([Problem(twin.file, twin.line, f"{twin.id}: {problem}", advice)])


def _vector(codec: Codec, profile: dict[str, Any], cited: list[str], fields: dict[str, Any]) -> Vector:
    known = clauses(codec.name).keys() | open_points(codec.name).keys()
    named = [name for name in dict.fromkeys(cited) if name in known]
    return Vector(
        id="",
        title=UNFINISHED,
        clauses=named or [UNFINISHED],
        level=_level(codec, profile, named),
        why=UNFINISHED,
        protocol=codec.name,
        file="",
        line=1,
        direction=codec.plan.direction,
        profile=profile,
        **fields,
    )


def _level(codec: Codec, profile: dict[str, Any], cited: list[str]) -> str:
    points = open_points(codec.name)
    levels = {points[name].level for name in cited if name in points}
    return "profile" if profile or "profile" in levels else "recommended" if "recommended" in levels else "required"


def _encodes_back(codec: Codec, data: bytes) -> bool:
    try:
        return b"".join(codec.encode(message) for message in codec.decode(data).messages) == data
    except Refused:
        return False


def numbered(vector: Vector, topic: str, suite: Suite, recorded: Collection[str]) -> Vector:
    """The vector with the next free id of its topic."""
    prefix = f"{PREFIXES[vector.protocol]}-{topic}-"
    taken = {int(name[-3:]) for name in (*suite.by_id, *recorded) if name[:-3] == prefix}
    half = HALVES[vector.kind]
    number = max((number for number in taken if number in half), default=half.start - 1) + 1
    if number not in half:
        problem = f"no number is free in {prefix}{half.start:03} to {half.stop - 1:03}"
        raise SuiteError([Problem(topic, 1, problem, "Choose another topic")])
    return msgspec.structs.replace(vector, id=f"{prefix}{number:03}")


def parse_patch(text: str) -> list[dict[str, Any]]:
    """A patch, or one edit of it, as it is written in a file."""
    from wireproof.suite.shape import Wrong, patch_of

    reader = Reader("--patch")
    entries = reader.read(f"- patch: {text}".encode())
    if reader.problems:
        raise SuiteError(reader.problems)
    found = entries[0].keys.get("patch") if entries else None
    try:
        return patch_of(found if isinstance(found, list) else [found])
    except Wrong as wrong:
        raise SuiteError([Problem("--patch", 1, wrong.problem, wrong.advice)]) from None
