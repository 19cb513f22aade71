"""The examination: one step after another, up to where going on makes no sense."""

from __future__ import annotations

import shlex
import sys

from wireproof_harness.claims import Claims
from wireproof_harness.doctor.claiming import claimed
from wireproof_harness.doctor.findings import Report
from wireproof_harness.doctor.opening import cannot_start, greet
from wireproof_harness.doctor.patient import GaveUp, Patient
from wireproof_harness.doctor.talk import Clock
from wireproof_harness.supervisor import Supervisor
from wireproof_harness.target import Manifest, Target
from wireproof_harness.transports.connection import CannotStart

REFERENCE = (sys.executable, "-m", "wireproof_harness.reference")


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
        if claims is not None:
            _further(patient, claims)
    except GaveUp:
        pass
    finally:
        patient.close()
        asker.close()
    return report


def _further(patient: Patient, claims: Claims) -> None:
    pass
