"""What Allure is told about a vector. Imported only where allure-pytest is installed and --alluredir is given.

Epic, feature and story are protocol, messages and clauses. The statuses are those of the
outcomes: a wrong answer failed, a breakdown or something not run is broken, what is not
supported is skipped, and so is a known failure, with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import allure

from wireproof.suite.model import LARGE, Vector
from wireproof_harness.claims import messages_of
from wireproof_harness.cli.dump import Line
from wireproof_harness.cli.sidebyside import side_by_side
from wireproof_harness.results import Verdict
from wireproof_harness.terminal import clean, json_line

if TYPE_CHECKING:
    from wireproof_harness.pytest_plugin.items import VectorItem

SEVERITIES: Final = {"required": "critical", "recommended": "normal", "profile": "minor"}
CLAUSE: Final = "clause"
"""The type of links, so that --allure-link-pattern can say where the pages are."""
NO_MESSAGE: Final = "no message of the document"
dynamic: Final[Any] = allure.dynamic


def describe(item: VectorItem) -> None:
    """Everything that is known before an outcome is told."""
    vector = item.vector
    dynamic.epic(vector.protocol)
    dynamic.feature(*(sorted(messages_of(vector).values()) or [NO_MESSAGE]))
    dynamic.story(*vector.clauses)
    dynamic.severity(SEVERITIES[vector.level])
    dynamic.tag(f"status:{item.worst.status}")
    for clause in vector.clauses:
        dynamic.link(f"docs/protocols/{vector.protocol}.md#{clause}", link_type=CLAUSE, name=clause)
    for name, value in _parameters(item):
        # What differs from run to run must not make it another test in Allure's history.
        dynamic.parameter(name, value, excluded=True)


def _parameters(item: VectorItem) -> Iterator[tuple[str, str]]:
    vector = item.vector
    if vector.direction:
        yield "direction", vector.direction
    profile = vector.profile | item.feed.header.profiles.get(vector.protocol, {})
    yield "profile", ", ".join(f"{name}={value}" for name, value in profile.items()) or "standard"
    if vector.twin:
        yield "twin", vector.twin
    for verdict in item.verdicts:
        yield verdict.mode, verdict.status


def attach(item: VectorItem) -> None:
    """The title, and what a person reads to understand the outcome."""
    vector = item.vector
    dynamic.title(f"{vector.id} {vector.title}")
    dynamic.description(vector.why)
    _text("\n".join(item.explained()), "explanation")
    twin = item.suite.by_id.get(vector.twin)
    if twin is not None and vector.kind == "reject" and not item.worst.derived:
        _text("\n".join(_difference(twin, vector)), f"difference from the twin {twin.id}")
    for verdict in item.verdicts:
        if verdict.request is not None:
            _text("\n".join(_transcript(verdict)), f"transcript of {verdict.question}")


def _difference(twin: Vector, vector: Vector) -> Iterable[str]:
    if max(twin.size, vector.size) > LARGE:
        return [f"{twin.size:,} and {vector.size:,} bytes; `wireproof explain {vector.id}` shows them"]
    return map(plain, side_by_side(twin.data, vector.data, (twin.id, vector.id)))


def _transcript(verdict: Verdict) -> Iterator[str]:
    """The request that was not answered rightly, and what came: JSON, a line each."""
    yield f"{verdict.status}: {clean(verdict.detail)}"
    yield _json(verdict.request)
    yield "no answer" if verdict.answer is None else _json(verdict.answer)
    if verdict.stderr:
        yield "stderr:"
        yield from map(clean, verdict.stderr.splitlines())


def _json(value: Any) -> str:
    return json_line(value, "utf-8")


def plain(line: Line) -> str:
    return "".join(clean(segment.text) for segment in line).rstrip()


def _text(body: str, name: str) -> None:
    allure.attach(body, name=name, attachment_type=allure.attachment_type.TEXT)
