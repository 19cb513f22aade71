"""Which questions a run asks: what was selected, of what an implementation claims, under its profile."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, Final, NamedTuple

import msgspec

from wireproof import PROTOCOLS
from wireproof.profile import Settings, parameters
from wireproof.suite.model import Suite, Vector
from wireproof.suite.render import render_suite
from wireproof.verdict import Question, questions
from wireproof_harness.claims import Claims, declared_profile, not_claimed

PROBE_ID: Final = "CONTRACT-PROBE/decode"


class Selection(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a user wants to have asked; everything, if nothing is said."""

    protocols: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    levels: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Patterns for the id of a vector, or of a question (`COMET-*/splits`)."""
    names: tuple[str, ...] = ()
    """Ids of questions, as they stand in a log."""

    @property
    def is_everything(self) -> bool:
        return self == Selection()

    def takes_vector(self, vector: Vector) -> bool:
        error = vector.expect.reject or vector.expect.refuse
        return (
            (not self.protocols or vector.protocol in self.protocols)
            and (not self.clauses or any(_under(clause, self.clauses) for clause in vector.clauses))
            and (not self.levels or vector.level in self.levels)
            and (not self.errors or error in self.errors)
        )

    def takes(self, vector_id: str, mode: str) -> bool:
        name = f"{vector_id}/{mode}"
        return (
            (not self.modes or mode in self.modes)
            and (not self.ids or any(_like(vector_id, name, pattern) for pattern in self.ids))
            and (not self.names or name in self.names)
        )


def _under(clause: str, wanted: Iterable[str]) -> bool:
    """A clause, or one below it: COMET-3 stands for COMET-3.1 and all the others of its chapter."""
    return any(clause == each or clause.startswith(f"{each}.") for each in wanted)


def _like(vector_id: str, name: str, pattern: str) -> bool:
    head, slash, mode = pattern.partition("/")
    return fnmatchcase(name, f"{head.upper()}/{mode}") if slash else fnmatchcase(vector_id, head.upper())


class Planned(NamedTuple):
    """A question, and why it is not asked, if it is not."""

    question: Question
    cause: str = ""
    reason: str = ""


class Plan(NamedTuple):
    """All questions of a run in the order in which they are told."""

    questions: list[Planned]
    profiles: dict[str, Settings]

    @property
    def size(self) -> int:
        """How many verdicts a run gives: one more, for the probe."""
        return len(self.questions) + 1


def plan(suite: Suite, claims: Claims, selection: Selection, declared: Mapping[str, Settings] | None = None) -> Plan:
    """The plan for an implementation; `declared` is what a user says of its profile, which counts more than hello."""
    profiles = {name: _profile(name, claims, (declared or {}).get(name, {})) for name in PROTOCOLS}
    wanted = list(_selected(suite, selection))
    found: list[Planned] = []
    for name in dict.fromkeys(question.vector.protocol for question in wanted):
        mine = [question for question in wanted if question.vector.protocol == name]
        found += _planned(suite, mine, profiles[name], claims)
    return Plan(found, {name: changes for name, changes in profiles.items() if changes})


def _profile(name: str, claims: Claims, said: Settings) -> Settings:
    claimed = claims.protocols.get(name)
    stated = (declared_profile(name, claimed) if claimed else {}) | said
    known = parameters(name)
    return {key: value for key, value in stated.items() if value != known[key].default}


def _selected(suite: Suite, selection: Selection) -> Iterator[Question]:
    """What is selected, and for what is rejected the twin as well: without it a rejection proves nothing."""
    taken = [
        question
        for vector in suite.vectors
        if selection.takes_vector(vector)
        for question in questions(vector)
        if selection.takes(vector.id, question.mode)
    ]
    there = {question.id for question in taken}
    twins = dict.fromkeys(question.vector.twin for question in taken if question.vector.kind == "reject")
    missing = {twin for twin in twins if f"{twin}/decode" not in there}
    if not missing:
        yield from taken
        return
    place = {vector.id: number for number, vector in enumerate(suite.vectors)}
    taken += [Question(suite[twin], "decode") for twin in missing]
    yield from sorted(taken, key=lambda question: place[question.vector.id])


def _planned(suite: Suite, wanted: list[Question], changes: Settings, claims: Claims) -> Iterator[Planned]:
    unrendered: dict[str, str] = {}
    rendered: dict[str, Vector] = {}
    protocol = wanted[0].vector.protocol
    if changes and protocol in claims.protocols:
        rendering = render_suite(suite, protocol, changes)
        rendered = {vector.id: vector for vector in rendering.vectors}
        unrendered = {left.vector.id: left.reason for left in rendering.unrendered}
    reasons: dict[tuple[str, str], str] = {}
    for question in wanted:
        vector = rendered.get(question.vector.id, question.vector)
        if vector is not question.vector:
            question = Question(vector, question.mode)
        if vector.id in unrendered:
            yield Planned(question, "unrendered", unrendered[vector.id])
            continue
        key = (vector.id, question.operation)
        if key not in reasons:
            reasons[key] = not_claimed(question, claims)
        yield Planned(question, "unclaimed" if reasons[key] else "", reasons[key])


def as_json(selection: Selection) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(selection)
    return found
