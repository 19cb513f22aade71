"""Step 3: hello is not answered. Is the answer in a buffer, does it wait for more, or is there none?"""

from __future__ import annotations

from contextlib import suppress
from typing import Final

from wireproof.verdict import Answer
from wireproof_harness.contract import full_line, hello_end, probe_end
from wireproof_harness.doctor.advice import finding
from wireproof_harness.doctor.findings import Finding, shown
from wireproof_harness.doctor.lines import Fault, pretty_printed, read
from wireproof_harness.doctor.patient import Patient, described, tail
from wireproof_harness.doctor.talk import MOMENT, Limits, Talk
from wireproof_harness.transports.connection import CannotStart

FURTHER: Final = 8
"""So many more requests are sent to see whether they bring out an answer."""
LAST: Final = Limits(1.0, 2.0)
CONFIRM: Final = Limits(2.0, 3.0)


def silent(patient: Patient, talk: Talk) -> Answer | None:
    """More requests, then the end of the input, bring out what a buffer holds; the answer, if it was merely slow."""
    report = patient.report
    if not talk.has_read:
        report.add(finding("does-not-read", f"hello is still unread; {tail(talk.stderr())}"))
        return None
    if talk.line.rest.strip():
        report.add(_unended(talk.line.rest))
        return None
    before = len(talk.lines)
    talk.send(b"".join(full_line(patient.number(), probe_end()) for _ in range(FURTHER)))
    if talk.hear(lambda lines: len(lines) > before, MOMENT):
        return _confirmed(patient, "reads-ahead", f"hello was answered only after {FURTHER} further requests")
    talk.end_input()
    talk.hear(lambda lines: len(lines) > before, LAST)
    talk.hear(lambda _: False, Limits(0.1, 0.3))
    return _at_the_end(patient, talk, [*talk.lines[before:], *filter(None, [talk.line.rest])])


def _at_the_end(patient: Patient, talk: Talk, lines: list[bytes]) -> Answer | None:
    if not lines:
        seen = f"hello was read and never answered, not even at the end of its input; {tail(talk.stderr())}"
        patient.report.add(finding("no-answer", seen))
        return None
    count = f"{len(lines)} lines came" if len(lines) > 1 else "one line came"
    return _confirmed(patient, "does-not-flush", f"{count} only when its input was closed: {shown(lines[0], 100)}")


def _unended(rest: bytes) -> Finding:
    """A line that has begun and does not end."""
    fault = read(rest)
    whole = isinstance(fault, Answer) or pretty_printed(rest.split(b"\n"))
    if not whole and isinstance(fault, Fault) and fault.name in ("utf-16", "byte-order-mark", "python-repr"):
        return described(fault, rest)
    return finding("missing-newline", f"no line feed after: {shown(rest, 120)}")


def _confirmed(patient: Patient, name: str, seen: str) -> Answer | None:
    """Left alone for longer, whoever is merely slow does answer."""
    with suppress(CannotStart):
        patient.open()
        answer = patient.ask(hello_end(), CONFIRM)
        if isinstance(answer, Answer):
            return answer
    patient.report.add(finding(name, seen))
    return None
