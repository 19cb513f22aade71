"""The examination: one step after another, up to where going on makes no sense."""

from __future__ import annotations

import shlex
import sys
from typing import Final

import msgspec

from wireproof.suite import Suite, load_suite
from wireproof_harness.claims import Claims, declared_profile
from wireproof_harness.doctor.asking import Asked, Wrong, ask_protocol
from wireproof_harness.doctor.claiming import claimed
from wireproof_harness.doctor.findings import Finding, Report
from wireproof_harness.doctor.honesty import examine_honesty
from wireproof_harness.doctor.layouts import Layouts, suggestion
from wireproof_harness.doctor.opening import cannot_start, greet
from wireproof_harness.doctor.patient import MOST_RESTARTS, GaveUp, Patient
from wireproof_harness.doctor.promises import keep_promises
from wireproof_harness.doctor.shapes import FORM_FAULTS
from wireproof_harness.doctor.talk import Clock
from wireproof_harness.doctor.window import examine_window
from wireproof_harness.supervisor import Supervisor
from wireproof_harness.target import Manifest, Target
from wireproof_harness.transports.connection import CannotStart

REFERENCE: Final = (sys.executable, "-m", "wireproof_harness.reference")
MOST_FINDINGS: Final = 4
"""Kinds of wrong answers that are told for each protocol."""
VAGUE: Final = ("wrong-answer", "withdrawn")
LAYOUT_CAUSES: Final = ("rejected", "value", "messages", "consumed", "bytes", "refused", "error", "accepted", "reason")
"""In these ways an answer is wrong that was read with another layout."""
NOT_ALL: Final = "What was not asked may be wrong; a run asks some thousand questions about each protocol."
FASTER: Final = (
    "Keep the adapter running between requests, and start nothing for each of them. If the machine is slow, give more "
    "time: --timeout-scale 5."
)


def examine(target: Target, scale: float = 1.0) -> Report:
    """Everything there is to find, faults in the order in which they should be put right."""
    report = Report()
    if target.is_reference:  # as a program, so that it is examined like any other
        target = Target(shlex.join(REFERENCE), Manifest(command=list(REFERENCE)))
    try:
        asker = target.open(scale=scale)
    except CannotStart as problem:
        report.add(cannot_start(problem))
        return report
    assert isinstance(asker, Supervisor)
    patient = Patient(asker.transport, report, Clock(scale), asker.limits.memory)
    try:
        answer = greet(patient)
        claims = None if answer is None else claimed(report, answer, asker.extra)
        if claims is None:
            raise GaveUp
        _further(patient, claims)
    except GaveUp:
        if not report.faults:  # whoever gives up must not look healthy
            report.add(_gave_up(patient))
    finally:
        patient.close()
        asker.close()
    return report


def _gave_up(patient: Patient) -> Finding:
    """Why there was no way to go on, where no fault says it."""
    if patient.clock.left <= 0:
        return Finding(
            "slow",
            "questions",
            f"the examination was not over after {patient.clock.spent:.1f} s",
            NOT_ALL,
            FASTER,
        )
    return Finding(
        "does-not-come-back",
        "honesty",
        "after it had ended, or its connection was closed, it could not be reached again",
        "After a failure the suite starts it, or connects, again and goes on with the rest.",
        "Let it be started any number of times; on a socket, accept the next connection when one ends.",
    )


def _further(patient: Patient, claims: Claims) -> None:
    """Steps 7 to 10, for whoever has answered hello."""
    examine_honesty(patient, claims)
    if patient.report.faults and patient.restarts >= MOST_RESTARTS:
        return
    suite = load_suite()
    patient.report.reach("questions")
    for name in claims.protocols:
        _protocol(patient, suite, name, claims)
    patient.report.reach("profile")
    examine_window(patient, claims)


def _protocol(patient: Patient, suite: Suite, name: str, claims: Claims) -> None:
    """The easy questions about a protocol, and the profile under which they are right."""
    declared = declared_profile(name, claims.protocols[name])
    asked = ask_protocol(patient, suite, name, claims, declared)
    wrong = asked.wrong
    if any(_may_be_layout(found) for found in wrong):
        wrong = _explained(patient, suite, name, claims, asked)
    _report(patient, name, wrong)
    _note(patient, name, asked)
    if not wrong:
        keep_promises(patient, name, claims, asked.vectors)


def _explained(patient: Patient, suite: Suite, name: str, claims: Claims, asked: Asked) -> list[Wrong]:
    """Suggest the declaration under which wrong answers are right; what is wrong even then."""
    layouts = Layouts(patient, suite, name, claims, asked)
    changes = layouts.fitting()
    if changes is not None:
        rest = ask_protocol(patient, suite, name, claims, layouts.declared | changes, profile=False).wrong
        # What decodes rightly and encodes otherwise has a layout only if that makes everything right.
        if layouts.mode == "decode" or not rest:
            patient.report.add(suggestion(name, claims, changes, len(asked.wrong), len(rest)))
            return rest
    patient.report.reach("profile", "no other declaration makes the wrong answers right")
    return asked.wrong


def _note(patient: Patient, name: str, asked: Asked) -> None:
    """How many were right; and, if there was no time for all, that this says little."""
    report = patient.report
    before = f"{report.notes['questions']}, " if "questions" in report.notes else ""
    count = f"{name} {asked.total - len(asked.wrong)} of {asked.total + asked.left}"
    report.reach("questions", before + count)
    if asked.left and not report.faults:
        report.add(
            Finding(
                "slow",
                "questions",
                f"{name}: there was no time for {asked.left} of {asked.total + asked.left} easy questions in "
                f"{patient.clock.spent:.1f} s",
                NOT_ALL,
                FASTER,
            )
        )


def _may_be_layout(wrong: Wrong) -> bool:
    return wrong.cause in LAYOUT_CAUSES and wrong.finding.name not in FORM_FAULTS


def _report(patient: Patient, name: str, wrong: list[Wrong]) -> None:
    """One finding of each kind, and not too many: the first to be put right may be the cause of the others."""
    kinds: dict[str, Finding] = {}
    for found in wrong:
        kinds.setdefault(found.finding.name, found.finding)
    named = sorted(kinds.values(), key=lambda finding: finding.name in VAGUE)
    for finding in named[:MOST_FINDINGS]:
        count = sum(finding.name == found.finding.name for found in wrong)
        more = f" (so are {count} answers about {name})" if count > 1 else ""
        patient.report.add(msgspec.structs.replace(finding, seen=finding.seen + more))
