"""The clauses, parameters and open points: complete, consistent with one another, and with the code that cites them."""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

import pytest

from wireproof.citations import Citation, citations, single_changes
from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS, codec, protocol
from wireproof.errors import ERROR_CLASSES
from wireproof.profile import OpenPoint, Parameter, parameters, profile_file

each_protocol = pytest.mark.parametrize("name", PROTOCOLS)

COUNTS = {  # clauses and open points
    "esnp-frame": (81, 31),
    "esnp-line": (125, 27),
    "tny": (38, 27),
    "tny-relay": (11, 3),
    "magline": (55, 30),
    "comet": (65, 28),
}
PREFIXES = {"esnp-frame": "ESNPF", "esnp-line": "ESNPL", "tny": "TNY", "magline": "MAG", "comet": "COMET"}
RELATED = {"tny": ("tny", "tny-relay"), "tny-relay": ("tny", "tny-relay")}
"""One document, two codecs: what is open for both is written down once."""

REFERENCE = re.compile(r"\b(?:ESNPF|ESNPL|TNY|RPK|MAG|COMET)-(?:\d+\.\d+|S\d+)\b")


def points(name: str) -> dict[str, OpenPoint]:
    return {point.id: point for point in profile_file(name).open_points}


def related(name: str) -> tuple[str, ...]:
    return RELATED.get(name, (name,))


def clauses_in_reach(name: str) -> set[str]:
    return {found for near in related(name) for found in clauses(near)}


def points_in_reach(name: str) -> dict[str, OpenPoint]:
    return {identity: point for near in related(name) for identity, point in points(near).items()}


def named_parameters(point: OpenPoint) -> list[str]:
    return [point.parameter] if isinstance(point.parameter, str) else point.parameter or []


@each_protocol
def test_nothing_is_missing(name: str) -> None:
    assert (len(clauses(name)), len(points(name))) == COUNTS[name]


def test_totals() -> None:
    assert [sum(column) for column in zip(*COUNTS.values(), strict=True)] == [375, 146]


def test_ids_are_unique() -> None:
    clause_ids = [identity for name in PROTOCOLS for identity in clauses(name)]
    listed = [point.id for name in PROTOCOLS for point in profile_file(name).open_points]
    assert len(set(clause_ids + listed)) == 375 + 146


@each_protocol
def test_ids_are_well_formed_and_in_order(name: str) -> None:
    prefix = "RPK" if name == "tny-relay" else PREFIXES[name]
    places = []
    for identity in clauses(name):
        match = re.fullmatch(rf"{prefix}-([1-9]\d*)\.([1-9]\d*)", identity)
        assert match is not None, identity
        places.append((int(match[1]), int(match[2])))
    assert all(before < after for before, after in pairwise(places))
    shared = PREFIXES[related(name)[0]]
    assert [identity for identity in points(name) if not re.fullmatch(rf"{shared}-S\d\d", identity)] == []


@each_protocol
def test_clauses_use_the_vocabulary(name: str) -> None:
    for clause in clauses(name).values():
        assert clause.level in {"MUST", "SHOULD", "MAY", "DEFINES"}, clause.id
        assert clause.basis in {"explicit", "implied"}, clause.id
        assert clause.test in {"codec", "unit", "live", "url", "none"}, clause.id
        for classes in (clause.rejects, clause.refuses):
            assert set(classes) <= ERROR_CLASSES.keys(), clause.id
            assert len(set(classes)) == len(classes), clause.id
        assert clause.term, clause.id
        assert clause.rule.endswith((".", ".)")), clause.id
        assert re.fullmatch(r"\d+(-\d+)?(, ?\d+(-\d+)?)*", clause.lines), clause.id


@each_protocol
def test_a_clause_no_codec_can_show_says_why(name: str) -> None:
    for clause in clauses(name).values():
        if clause.test != "codec":
            assert clause.reason, f"{clause.id} is {clause.test} and needs a reason"
            assert not clause.rejects + clause.refuses, f"{clause.id}: bytes cannot break what no codec can show"


@each_protocol
def test_open_points_use_the_vocabulary(name: str) -> None:
    for point in points(name).values():
        assert point.level in {"required", "recommended", "profile"}, point.id
        assert point.handling in {"settled", "fixed", "parameter"}, point.id
        assert (point.handling == "parameter") == bool(named_parameters(point)), point.id
        assert point.handling != "settled" or point.level == "required", point.id
        assert all((point.title, point.question, point.reading, point.reason)), point.id
        assert set(point.clauses) <= clauses_in_reach(name), point.id


@each_protocol
def test_parameters_use_the_vocabulary(name: str) -> None:
    for parameter in parameters(name).values():
        assert parameter.basis in {"document", "deployed", "declared"}, parameter.name
        assert parameter.effect in {"codec", "live"}, parameter.name
        forms = [parameter.values, parameter.range, parameter.map]
        assert sum(form is not None for form in forms) == 1, f"{parameter.name}: values, or a range, or a map"
        assert parameter.values is not None or parameter.meaning, f"{parameter.name}: numbers need a meaning"
        parameter.accept(parameter.default)


@each_protocol
def test_parameters_and_open_points_name_each_other(name: str) -> None:
    for parameter in parameters(name).values():
        for identity in parameter.settles:
            point = points_in_reach(name)[identity]
            assert parameter.name in named_parameters(point), f"{parameter.name} settles {identity}, which disagrees"
    for point in points(name).values():
        for parameter_name in named_parameters(point):
            settling: Parameter = parameters(name)[parameter_name]
            assert point.id in settling.settles, f"{point.id} names {parameter_name}, which disagrees"


@each_protocol
def test_every_reference_in_a_text_resolves(name: str) -> None:
    everything = {identity for other in PROTOCOLS for identity in [*clauses(other), *points(other)]}
    texts = [(clause.id, clause.rule + clause.reason) for clause in clauses(name).values()]
    texts += [(point.id, point.question + point.reading + point.reason) for point in points(name).values()]
    texts += [(each.name, each.reason + each.meaning) for each in parameters(name).values()]
    for where, text in texts:
        assert set(REFERENCE.findall(text)) <= everything, where


@cache
def cited(name: str) -> frozenset[Citation]:
    """All that the codec cites under `standard` and under each single alternative."""
    directions = protocol(name).directions or (None,)
    codecs = [codec(name, direction=way, profile=change) for way in directions for change in single_changes(name)]
    return frozenset[Citation]().union(*map(citations, codecs))


def objection(name: str, citation: Citation) -> str | None:
    if citation.error not in ERROR_CLASSES:
        return f"{citation}: no such error class"
    clause = clauses(name).get(citation.reference)
    if clause is None:
        known = citation.reference in points(name)
        return None if known else f"{citation}: {name} has no such clause or open point"
    listed, key = (clause.rejects, "rejects") if citation.kind == "Malformed" else (clause.refuses, "refuses")
    return None if citation.error in listed else f"{citation}: not among what {clause.id} {key}, {listed}"


@each_protocol
def test_the_code_cites_what_the_clauses_say(name: str) -> None:
    found = cited(name)
    assert len(found) > 5
    objections = sorted(filter(None, (objection(name, citation) for citation in found)))
    assert not objections, "\n" + "\n".join(objections)


@each_protocol
def test_every_class_a_clause_lists_can_be_met(name: str) -> None:
    for kind, listed in (
        ("Malformed", {error for clause in clauses(name).values() for error in clause.rejects}),
        ("Refused", {error for clause in clauses(name).values() for error in clause.refuses}),
    ):
        assert listed <= {citation.error for citation in cited(name) if citation.kind == kind}


@pytest.mark.parametrize(
    ("citation", "problem"),
    [
        (Citation("Malformed", "bad-luck", "COMET-2.3", "f"), "no such error class"),
        (Citation("Malformed", "overrun", "COMET-9.9", "f"), "no such clause"),
        (Citation("Malformed", "bad-magic", "COMET-2.3", "f"), "not among what COMET-2.3 rejects"),
        (Citation("Refused", "overrun", "COMET-2.3", "f"), "not among what COMET-2.3 refuses"),
    ],
)
def test_a_wrong_citation_is_named(citation: Citation, problem: str) -> None:
    assert problem in (objection("comet", citation) or "")
