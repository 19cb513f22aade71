"""Step 8: a handful of easy questions for each protocol that is claimed."""

from __future__ import annotations

from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from wireproof.profile import Settings
from wireproof.suite.model import Suite, Vector
from wireproof.suite.render import Renderer, Unrendered
from wireproof.verdict import Judge, Question
from wireproof_harness.claims import Claims
from wireproof_harness.contract import full_line, line_end, line_start
from wireproof_harness.doctor.easy import TELLTALES, easy_questions, easy_vectors, telltales
from wireproof_harness.doctor.explain import explained
from wireproof_harness.doctor.findings import Finding
from wireproof_harness.doctor.honesty import no_answer
from wireproof_harness.doctor.patient import GaveUp, Lost, Patient

GOOD: Final = ("pass", "warn")
STRICT: Final = ("pass",)
LOST: Final = ("ended", "silent", "flood", "memory")
MOST_LOST: Final = 2
"""So many breakdowns over one protocol are enough to tell."""


class Wrong(NamedTuple):
    """A question that was not answered rightly."""

    question: Question
    cause: str
    finding: Finding


class Asked(NamedTuple):
    """What came of the questions about a protocol."""

    vectors: list[Vector]
    total: int
    left: int
    """Questions for which there was no time, or no adapter any more."""
    wrong: list[Wrong]


def ask_protocol(
    patient: Patient, suite: Suite, name: str, claims: Claims, changes: Settings, *, profile: bool = True
) -> Asked:
    """Every easy question about a protocol under a profile, which is told to it or not."""
    vectors = easy_vectors(suite, name)
    questions = easy_questions(suite, name, claims, vectors)
    vectors = list({vector.id: vector for vector in [*vectors, *telltales(suite, name)]}.values())
    if changes:
        renderer = Renderer(suite, changes)
        rendered = [(renderer.rendered(question.vector), question.mode) for question in questions]
        questions = [Question(vector, mode) for vector, mode in rendered if not isinstance(vector, Unrendered)]
    wrong: list[Wrong] = []
    asked = 0
    with suppress(GaveUp):
        for question in questions:
            if patient.clock.left <= 0 or sum(found.cause in LOST for found in wrong) >= MOST_LOST:
                break
            found = ask_question(patient, question, claims, profile=profile)
            asked += 1
            if found is not None:
                wrong.append(found)
    return Asked(vectors, asked, len(questions) - asked, wrong)


def ask_question(patient: Patient, question: Question, claims: Claims, *, profile: bool = True) -> Wrong | None:
    """What is wrong with the answers to a question, asked with or without the profile it is about."""
    claimed = claims.protocols[question.vector.protocol]
    judge = Judge(question.vector, reasons=claims.states_reasons, map_order=claimed.map_order != "none")
    start = line_start(question.vector if profile else bare(question.vector))
    for request in question.requests():
        end = line_end(request, start)
        answer = patient.ask(end)
        if isinstance(answer, Lost):
            lost = no_answer(answer, "questions", question.id, full_line(17, end))
            return Wrong(question, answer.kind, lost)
        judgement = judge.judge(request, answer)
        if judgement.status not in (STRICT if is_telltale(question.vector) else GOOD):
            finding = explained(question, request, answer, judgement)
            mild = is_telltale(question.vector) and (
                judgement.status == "warn" or question.vector.level == "recommended"
            )
            return Wrong(question, judgement.cause, msgspec.structs.replace(finding, advice=mild))
    return None


def is_telltale(vector: Vector) -> bool:
    """Whether a vector is asked for the sake of a parameter: there the reason of a rejection counts as well."""
    return vector.id in TELLTALES.get(vector.protocol, {}).values()


def bare(vector: Vector) -> Vector:
    """The vector as it is asked of an implementation that cannot be told a profile."""
    return msgspec.structs.replace(vector, profile={})
