"""What the vectors cover: every clause, every error class, every boundary of every field.

All of it is derived. Clauses come from the documents, error classes from the code the
definitions are compiled to, boundaries from the definitions; vectors are counted against
them. What no vector can show is listed with its reason instead of being left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from wireproof.citations import citations
from wireproof.clauses import Clause, clauses
from wireproof.codec import codec, protocol
from wireproof.suite.boundaries import Boundary
from wireproof.suite.fields import HEAD, demands, taken
from wireproof.suite.model import Suite, Vector
from wireproof.suite.rules import open_points

REJECTING: Final = 2
"""A rule that can be broken is broken at least so often."""
ELSEWHERE: Final = {
    "live": "shown in live sessions only",
    "unit": "shown by unit tests: not on the wire",
    "url": "about the URL form, not on the wire",
    "none": "nothing to show",
}
"""How clauses are tested that are not the codec's."""
OTHER_PROFILES: Final[dict[str, dict[tuple[str, str], str]]] = {
    "esnp-frame": {("Malformed", "duplicate"): "duplicates=reject"},
    "esnp-line": {
        ("Malformed", "duplicate"): "duplicates=reject",
        ("Malformed", "forbidden-type"): "reserved_lines=reject",
    },
    "tny": {("Refused", "length-mismatch"): "ping=bare"},
    "magline": {("Malformed", "length-mismatch"): "head_length=total"},
    "comet": {("Malformed", "negative-length"): "short=signed"},
}
"""What codecs answer under another profile only: deriving it takes seconds, so a test derives it instead."""


class ClauseCoverage(msgspec.Struct, frozen=True):
    """A clause (or an open point) and the vectors that cite it."""

    id: str
    test: str
    level: str
    reason: str = ""
    """Why no vector can show it, where that is so."""
    accept: list[str] = []
    reject: list[str] = []
    refuse: list[str] = []
    missing: list[str] = []


class ClassCoverage(msgspec.Struct, frozen=True):
    """An error class that a decoder or an encoder can answer, and the vectors that make it do so."""

    error: str
    side: str
    """decoder or encoder"""
    vectors: list[str]


class FieldCoverage(msgspec.Struct, frozen=True):
    """A field, the boundary values it takes (with a vector that does), and those it does not."""

    path: str
    direction: str
    taken: dict[str, str]
    missing: list[str]


class Coverage(msgspec.Struct, frozen=True):
    """What the vectors of one protocol cover."""

    protocol: str
    kinds: dict[str, int]
    levels: dict[str, int]
    made: dict[str, int]
    clauses: list[ClauseCoverage]
    open_points: list[ClauseCoverage]
    classes: list[ClassCoverage]
    fields: list[FieldCoverage]

    def gaps(self) -> list[str]:
        """Everything that is demanded and missing, a line each."""
        found = [f"{clause.id}: {missing}" for clause in self.clauses for missing in clause.missing]
        found += [f"no vector makes the {each.side} answer {each.error}" for each in self.classes if not each.vectors]
        for field in self.fields:
            if field.missing:
                found.append(f"{f'{field.direction} {field.path}'.strip()}: never {', '.join(field.missing)}")
        return found


def coverage(suite: Suite, name: str) -> Coverage:
    """What the suite covers of a protocol."""
    vectors = suite.by_protocol.get(name, [])
    cited = _cited(vectors)
    return Coverage(
        protocol=name,
        kinds=dict(Counter(vector.kind for vector in vectors)),
        levels=dict(Counter(vector.level for vector in vectors)),
        made=dict(Counter(vector.made for vector in vectors)),
        clauses=[_clause(clause, cited.get(clause.id, [])) for clause in clauses(name).values()],
        open_points=[
            ClauseCoverage(point.id, point.handling, point.level, point.title, **_ids(cited.get(point.id, [])))
            for point in open_points(name).values()
        ],
        classes=list(_classes(name, vectors)),
        fields=list(_fields(name, vectors)),
    )


def _cited(vectors: list[Vector]) -> dict[str, list[Vector]]:
    found: dict[str, list[Vector]] = {}
    for vector in vectors:
        for reference in vector.clauses:
            found.setdefault(reference, []).append(vector)
    return found


def _ids(vectors: list[Vector]) -> dict[str, list[str]]:
    return {kind: [vector.id for vector in vectors if vector.kind == kind] for kind in ("accept", "reject", "refuse")}


def _clause(clause: Clause, vectors: list[Vector]) -> ClauseCoverage:
    missing = list(_missing(clause, vectors)) if clause.test == "codec" else []
    return ClauseCoverage(clause.id, clause.test, clause.level, clause.reason, **_ids(vectors), missing=missing)


def _missing(clause: Clause, vectors: list[Vector]) -> Iterator[str]:
    if not any(vector.kind == "accept" for vector in vectors):
        yield "no accepting vector"
    # Only vectors count that are answered as the clause says: citing it beside another defect breaks nothing of it.
    if clause.rejects:
        broken = sum(vector.expect.reject in clause.rejects for vector in vectors)
        if broken < REJECTING:
            yield f"{broken} of {REJECTING} vectors that are rejected as {' or '.join(clause.rejects)}"
    elif clause.refuses:
        broken = sum(vector.expect.refuse in clause.refuses for vector in vectors)
        if broken < REJECTING:
            yield f"{broken} of {REJECTING} vectors that are refused as {' or '.join(clause.refuses)}"


def _classes(name: str, vectors: list[Vector]) -> Iterator[ClassCoverage]:
    """The classes that the codecs of a protocol can answer, under `standard` or another profile."""
    found = [codec(name, direction=direction) for direction in protocol(name).directions or (None,)]
    answers = {(citation.kind, citation.error) for each in found for citation in citations(each)}
    answers |= OTHER_PROFILES.get(name, {}).keys()
    for side, kind, key in (("decoder", "Malformed", "reject"), ("encoder", "Refused", "refuse")):
        produced: dict[str, list[str]] = {error: [] for answered, error in sorted(answers) if answered == kind}
        for vector in vectors:
            if error := getattr(vector.expect, key):
                produced.setdefault(error, []).append(vector.id)
        yield from (ClassCoverage(error, side, ids) for error, ids in produced.items())


def _fields(name: str, vectors: list[Vector]) -> Iterator[FieldCoverage]:
    """The fields of each direction; those of the head, which all messages have, only once."""
    seen: dict[Boundary, str] = {}
    grouped: dict[tuple[str, str], list[Boundary]] = {}
    for direction in protocol(name).directions or ("",):
        found = codec(name, direction=direction or None)
        accepted = [vector for vector in vectors if vector.kind == "accept" and vector.direction == direction]
        seen = taken(found, accepted) | seen
        for boundary in demands(found):
            shared = boundary[0].startswith(HEAD)
            grouped.setdefault(("" if shared else direction, boundary[0]), []).append(boundary)
    for (direction, path), boundaries in grouped.items():
        yield FieldCoverage(
            path=path,
            direction=direction,
            taken={boundary[1]: seen[boundary] for boundary in boundaries if boundary in seen},
            missing=list(dict.fromkeys(boundary[1] for boundary in boundaries if boundary not in seen)),
        )


def as_json(found: Coverage) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(found)
    return built | {"gaps": found.gaps()}
