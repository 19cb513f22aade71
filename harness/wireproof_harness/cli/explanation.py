"""What `wireproof explain` adds to a vector: its twin, the rules it rests on, and common causes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from wireproof.clauses import clauses
from wireproof.errors import ERROR_CLASSES
from wireproof.suite.causes import causes
from wireproof.suite.rules import open_points
from wireproof.suite.wording import patch_words
from wireproof_harness.cli.dump import Line
from wireproof_harness.cli.show import message_text
from wireproof_harness.cli.sidebyside import side_by_side
from wireproof_harness.terminal import Segment, entry

if TYPE_CHECKING:
    from wireproof.suite.model import Suite, Vector


def explained(vector: Vector, suite: Suite, width: int) -> Iterator[Line]:
    if vector.twin:
        yield from _twin(vector, suite[vector.twin], width)
    else:
        yield from _offspring(vector, suite, width)
    yield from _rules(vector, width)
    yield from _points(vector, width)
    yield from _causes(vector, width)


def _twin(vector: Vector, twin: Vector, width: int) -> Iterator[Line]:
    yield from _heading(f"One defect away from {twin.id}, which is accepted: {twin.title}")
    for words in patch_words(vector, twin):
        yield from entry("change", words, width)
    yield []
    if vector.kind == "refuse":
        yield from entry("twin", message_text(twin.messages[0]), width)
        yield from entry("this", message_text(vector.message), width)
    else:
        yield from side_by_side(twin.data, vector.data, (twin.id, vector.id))


def _offspring(vector: Vector, suite: Suite, width: int) -> Iterator[Line]:
    derived = [other.id for other in suite.vectors if other.twin == vector.id]
    if derived:
        yield from _heading("Spoilt by one defect each")
        more = f" and {len(derived) - 12} more" if len(derived) > 12 else ""
        yield from entry("", ", ".join(derived[:12]) + more, width)


def _rules(vector: Vector, width: int) -> Iterator[Line]:
    known = clauses(vector.protocol)
    yield from _heading("What the document says")
    for name in vector.clauses:
        if name in known:
            clause = known[name]
            yield [Segment(f"  {name}", "clause"), Segment(f"  {clause.term}", "value")]
            yield from entry("", clause.rule, width)


def _points(vector: Vector, width: int) -> Iterator[Line]:
    """The open points it cites in full, and by title those about a clause that it cites."""
    points = open_points(vector.protocol)
    cited = [points[name] for name in vector.clauses if name in points]
    near = [point for point in points.values() if point not in cited and set(point.clauses) & set(vector.clauses)]
    if cited or near:
        yield from _heading("What it leaves open")
    for point in cited:
        yield [Segment(f"  {point.id}", "clause"), Segment(f"  {point.title} ({point.level})", "value")]
        yield from entry("question", point.question, width)
        yield from entry("reading", point.reading, width)
        yield from entry("reason", point.reason, width)
    for point in near:
        yield [Segment(f"  {point.id}", "clause"), Segment(f"  {point.title}", "label")]


def _causes(vector: Vector, width: int) -> Iterator[Line]:
    error = vector.expect.reject or vector.expect.refuse
    meaning = f" {error}: {ERROR_CLASSES[error]}" if error else " accepting"
    yield from _heading(f"Common causes of not answering{meaning}" if error else "Common causes of not accepting")
    for cause in causes(error):
        yield from entry("-", cause, width)


def _heading(text: str) -> Iterator[Line]:
    yield []
    yield [Segment(text, "heading")]


def as_json(vector: Vector, suite: Suite) -> dict[str, Any]:
    known, points = clauses(vector.protocol), open_points(vector.protocol)
    twin = suite.by_id.get(vector.twin)
    named = {name: known[name] for name in vector.clauses if name in known}
    return {
        "twin": None if twin is None else {"id": twin.id, "title": twin.title, "hex": twin.data.hex()},
        "changes": [] if twin is None else patch_words(vector, twin),
        "rules": [{"id": name, "term": clause.term, "rule": clause.rule} for name, clause in named.items()],
        "open_points": [
            {"id": name, "title": points[name].title, "reading": points[name].reading}
            for name in vector.clauses
            if name in points
        ],
        "causes": list(causes(vector.expect.reject or vector.expect.refuse)),
    }
