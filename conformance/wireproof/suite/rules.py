"""Rules about what a vector says of itself: its clauses, its level, its comments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final

from wireproof.clauses import clauses
from wireproof.profile import OpenPoint, profile_file
from wireproof.suite.model import Suite, Vector
from wireproof.suite.proof import Finding

LONGEST: Final = 300
"""More lines of hex than this nobody reads."""
UNFINISHED: Final = "?"
"""What a draft has where its author has to write."""
SAME_DOCUMENT: Final[Mapping[str, tuple[str, ...]]] = {
    "tny": ("tny", "tny-relay"),
    "tny-relay": ("tny-relay", "tny"),
}
"""Protocols of one document share its open points."""


@cache
def open_points(protocol: str) -> dict[str, OpenPoint]:
    """The open points a vector of this protocol may cite."""
    names = SAME_DOCUMENT.get(protocol, (protocol,))
    return {point.id: point for name in reversed(names) for point in profile_file(name).open_points}


def citations(vector: Vector, _: Suite) -> Iterator[Finding]:
    """Every clause exists, and one at least is a clause and no open point."""
    known, points = clauses(vector.protocol), open_points(vector.protocol)
    for reference in vector.clauses:
        if reference not in known and reference not in points:
            yield Finding("clauses", f"{vector.protocol} has no clause {reference}", "Look it up in its clauses.yaml")
    if not any(reference in known for reference in vector.clauses):
        yield Finding("clauses", "no clause is cited, only open points", "Name the clause that leaves the point open")


def level(vector: Vector, _: Suite) -> Iterator[Finding]:
    """What a document leaves open is never required."""
    if vector.level != "required":
        return
    points = open_points(vector.protocol)
    for reference in vector.clauses:
        point = points.get(reference)
        if point is not None and point.level != "required":
            yield Finding("level", f"required, although it cites the open point {reference}", f"Make it {point.level}")
    if vector.profile:
        yield Finding("level", "required, although it is asked under a changed parameter", "Make it profile")


def comments(vector: Vector, _: Suite) -> Iterator[Finding]:
    """Each line of hex says what it is."""
    lines = (vector.hex or "").split("\n")
    below = 1 if len(lines) > 1 else 0
    if len(lines) > LONGEST:
        yield Finding("hex", f"{len(lines)} lines of hex", "Abbreviate what comes again and again: repeat:1702:1000")
    for number, line in enumerate(lines):
        content, _mark, comment = line.partition("#")
        if content.strip() and not comment.strip():
            yield Finding("hex", f"no comment after {content.strip()[:40]!r}", "Say what the bytes are", number + below)


def finished(vector: Vector, _: Suite) -> Iterator[Finding]:
    """Nothing is left to be written."""
    for key, text in (("title", vector.title), ("why", vector.why)):
        if text.strip(". ") == UNFINISHED:
            yield Finding(key, f"the {key} is still to be written", "Say what this vector shows, in your own words")
