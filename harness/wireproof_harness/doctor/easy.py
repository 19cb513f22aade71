"""Easy questions: of the golden vectors, the shortest that show each kind of message and of value."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from wireproof.suite.model import Suite, Vector
from wireproof.verdict import Question
from wireproof.verdict.compare import EXACT
from wireproof_harness.claims import Claims, not_claimed

LARGEST: Final = 128
"""Bytes of an easy vector."""
MOST: Final = 45
"""Accepted vectors for a protocol."""
LONGEST_VALUE: Final = 2_000
TELLTALES: Final[dict[str, dict[str, str]]] = {
    "esnp-frame": {
        "utf8": "ESNPF-TEXT-514",
        "duplicates": "ESNPF-FRAMES-022",
        "dup_keys": "ESNPF-CONTAINERS-017",
        "unknown_frames": "ESNPF-FRAMING-028",
    },
    "esnp-line": {
        "utf8": "ESNPL-ERROR-502",
        "duplicates": "ESNPL-REPEAT-005",
        "dup_keys": "ESNPL-NEST-006",
        "reserved_lines": "ESNPL-FOREIGN-007",
        "unknown_lines": "ESNPL-RANGE-017",
        "cancelled": "ESNPL-CANCELLED-010",
    },
    "magline": {"version_check": "MAG-HEAD-529"},
    "comet": {
        "utf8": "COMET-TEXT-501",
        "short": "COMET-LENGTH-512",
        "byte": "COMET-ERROR-003",
        "ts": "COMET-TIMESTAMP-003",
    },
}
"""Parameters that no ordinary message shows: for each, a vector that is answered otherwise under each of its values."""
REJECTED: Final = ("truncated", "overrun", "length-mismatch", "bad-magic", "unknown-type")


def easy_vectors(suite: Suite, name: str) -> list[Vector]:
    """Accepted vectors under `standard`, the shortest first, each with something the ones before do not show."""
    usual = [
        vector
        for vector in suite.by_protocol.get(name, [])
        if vector.kind == "accept"
        and not vector.profile
        and vector.canonical
        and len(vector.expect.accept or ()) == 1
        and 0 < vector.size <= LARGEST
    ]
    chosen: list[Vector] = []
    known: set[str] = set()
    for vector in sorted(usual, key=lambda vector: vector.size):
        features = set(_features(vector.expect.accept, vector.direction))
        if not features <= known and len(chosen) < MOST:
            chosen.append(vector)
            known |= features
    return chosen


def _features(value: Any, path: str) -> Iterator[str]:
    """What an adapter can get wrong: each type of message, each key, and each form that a content can have."""
    if isinstance(value, dict):
        yield f"{path} {value['name']}" if "name" in value else f"{path} {value.get('t', '')}"
        for key, item in value.items():
            if key != "name":
                empty = "empty" if item == [] else ""
                yield f"{value.get('t', '')} {key} {empty}"
                yield from _features(item, path)
    elif isinstance(value, list):
        for item in value:
            yield from _features(item, path)
    elif isinstance(value, str):
        yield _kind(value)
    elif not isinstance(value, bool):
        yield "negative" if value < 0 else "number"
    else:
        yield str(value)


def _kind(text: str) -> str:
    """The form of a string: a number of 64 bits, hex, or text."""
    if text.removeprefix("-").isdecimal():
        return "large" if abs(int(text)) > EXACT else "negative" if text.startswith("-") else "decimal"
    if not text or set(text) <= set("0123456789abcdef"):
        return "hex" if text else "empty"
    return "ascii" if text.isascii() else "text"


def telltales(suite: Suite, name: str) -> list[Vector]:
    """The vectors that show what no ordinary message does."""
    return [suite[found] for found in TELLTALES.get(name, {}).values() if found in suite.by_id]


def easy_questions(suite: Suite, name: str, claims: Claims, vectors: list[Vector]) -> list[Question]:
    """What is asked about a protocol: only what is claimed."""
    found = [Question(vector, "decode") for vector in vectors]
    found += [Question(vector, "encode") for vector in vectors]
    longest = max(vectors, key=lambda vector: vector.size, default=None)
    if longest is not None:
        found += [Question(longest, mode) for mode in ("bytes", "half", "two")]
    for vector in _rejected(suite, name):
        found += [Question(vector, "decode"), Question(vector, "bytes")]
    found += [Question(vector, "encode") for vector in _refused(suite, name)]
    found += [Question(vector, "decode") for vector in telltales(suite, name) if vector not in vectors]
    return [question for question in found if not not_claimed(question, claims)]


def _rejected(suite: Suite, name: str) -> list[Vector]:
    """For each of a few classes the shortest rejected vector on which the document itself insists."""
    found: dict[str, Vector] = {}
    for vector in suite.by_protocol.get(name, []):
        reason = vector.expect.reject
        if reason in REJECTED and vector.level == "required" and not vector.profile and vector.size > 2:
            found[reason] = min(found.get(reason, vector), vector, key=lambda vector: vector.size)
    return list(found.values())[:3]


def _refused(suite: Suite, name: str) -> list[Vector]:
    usual = (
        vector
        for vector in suite.by_protocol.get(name, [])
        if vector.kind == "refuse" and not vector.profile and vector.level == "required"
    )
    short = sorted((vector for vector in usual if "repeat:" not in str(vector.value)), key=lambda v: len(str(v.value)))
    return [vector for vector in short[:1] if len(str(vector.value)) <= LONGEST_VALUE]
