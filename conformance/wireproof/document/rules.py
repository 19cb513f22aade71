"""The part of a page that comes from the data files: error classes, parameters, open points, clauses."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from wireproof.citations import citations, single_changes
from wireproof.clauses import Clause, clauses
from wireproof.codec import codec, protocol
from wireproof.errors import ERROR_CLASSES
from wireproof.profile import OpenPoint, Parameter, profile_file

BASIS = {
    "document": "the document says so",
    "deployed": "as deployed implementations do it",
    "declared": "declared by this suite",
}
EFFECT = {"codec": "decoding and encoding", "live": "live sessions only"}
HANDLING = {"settled": "settled by the clauses", "fixed": "one fixed reading", "parameter": "parameter"}
TEST = {
    "codec": "by vectors",
    "unit": "by unit tests",
    "live": "in live sessions",
    "url": "by the URL capability",
    "none": "not testable",
}


def error_table(name: str) -> list[list[str]]:
    """Class, who answers it, meaning."""
    answered: dict[tuple[str, str], list[str]] = {}
    for direction in protocol(name).directions or (None,):
        for change in single_changes(name):
            label = ", ".join(f"`{parameter}={value}`" for parameter, value in change.items())
            for citation in citations(codec(name, direction=direction, profile=change)):
                answered.setdefault((citation.error, citation.kind), []).append(label)
    return [
        [
            f"`{error}`",
            _answers(answered.get((error, "Malformed"))),
            _answers(answered.get((error, "Refused"))),
            meaning,
        ]
        for error, meaning in ERROR_CLASSES.items()
        if (error, "Malformed") in answered or (error, "Refused") in answered
    ]


def _answers(labels: list[str] | None) -> str:
    """Whether under `standard` (the empty label), or under which profiles only."""
    if labels is None:
        return ""
    return "yes" if "" in labels else ", ".join(dict.fromkeys(labels))


def parameter_section(parameter: Parameter) -> Iterator[str]:
    yield f"### `{parameter.name}`"
    yield ""
    if parameter.values is not None:
        for value, meaning in parameter.values.items():
            default = " (default)" if value == parameter.default else ""
            yield f"- `{value}`{default}: {meaning}"
    else:
        yield f"- {_domain(parameter)}; default {_shown(parameter.default)}. {parameter.meaning}"
    settled = f" Settles {', '.join(parameter.settles)}." if parameter.settles else ""
    yield ""
    yield f"Default: {BASIS[parameter.basis]}. Affects {EFFECT[parameter.effect]}.{settled}"
    yield ""
    yield f"Why: {parameter.reason}"
    yield ""


def _domain(parameter: Parameter) -> str:
    if parameter.map is not None:
        low, high = parameter.map.keys
        return f"A map from {low} to {high} to {' or '.join(f'`{word}`' for word in parameter.map.values)}"
    low, high = parameter.range or (0, 0)
    return f"An integer from {low} to {high}"


def _shown(value: Any) -> str:
    return "empty" if value == {} else str(value)


def open_point_section(point: OpenPoint) -> Iterator[str]:
    names = [point.parameter] if isinstance(point.parameter, str) else point.parameter or []
    how = HANDLING[point.handling] + "".join(f" `{name}`" for name in names)
    inferred = ", by inference" if point.inferred else ""
    yield f"### {point.id}: {point.title}"
    yield ""
    yield f"{', '.join(point.clauses)}. Vectors: {point.level}{inferred}. Handling: {how}."
    yield ""
    yield f"- Open: {point.question}"
    yield f"- Reading: {point.reading}"
    yield f"- Why: {point.reason}"
    yield ""


def clause_sections(name: str) -> Iterator[str]:
    for chapter, found in groupby(clauses(name).values(), key=lambda clause: clause.id.partition(".")[0]):
        yield f"### {chapter}"
        yield ""
        for clause in found:
            yield from _clause(clause)
        yield ""


def _clause(clause: Clause) -> Iterator[str]:
    yield f"- **{clause.id}** `{clause.term}`: {clause.level}, {clause.basis}, {TEST[clause.test]}."
    yield f"  {clause.rule}"
    for word, classes in (("Rejected with", clause.rejects), ("An encoder refuses with", clause.refuses)):
        if classes:
            yield f"  {word} {', '.join(f'`{error}`' for error in classes)}."
    if clause.reason:
        yield f"  {clause.reason}"


def parameters_of(name: str) -> Iterator[str]:
    for parameter in profile_file(name).parameters:
        yield from parameter_section(parameter)


def open_points_of(name: str) -> Iterator[str]:
    for point in profile_file(name).open_points:
        yield from open_point_section(point)
