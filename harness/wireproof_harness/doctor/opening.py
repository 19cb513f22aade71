"""The first steps: does it start, is hello answered, flushed, in JSON, and with the right id."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import msgspec

from wireproof.verdict import Answer
from wireproof_harness.contract import full_line, hello_end, probe_end
from wireproof_harness.doctor.advice import finding
from wireproof_harness.doctor.findings import Finding, shown
from wireproof_harness.doctor.lines import Fault, pretty_printed, read
from wireproof_harness.doctor.patient import Patient, described, tail
from wireproof_harness.doctor.silence import silent
from wireproof_harness.doctor.talk import HELLO, MOMENT, Talk
from wireproof_harness.transports.connection import CannotStart

NOT_ASKED: Final = "What does not run cannot be asked anything."
STARTS: Final = {
    "there is no program": "no-such-program",
    "may not be executed": "not-executable",
    "Exec format error": "no-shebang",
    "its build": "build-fails",
    "nothing answers at": "nobody-listens",
    "does not listen at": "nobody-listens",
    "nobody connected": "nobody-dials",
}


def cannot_start(problem: CannotStart) -> Finding:
    text = str(problem)
    name = next((name for words, name in STARTS.items() if words in text), "does-not-start")
    fixes = {
        "no-such-program": "Check the spelling, the folder and PATH; a command with arguments goes after `--`.",
        "not-executable": "chmod +x it, or start it through its interpreter: `wireproof doctor python3 adapter.py`.",
        "no-shebang": "Give it a first line such as #!/usr/bin/env python3, or start it through its interpreter.",
        "build-fails": "Run the build by hand in the manifest's folder until it succeeds; its last words are above.",
        "nobody-listens": "Start the adapter first, and check the address it prints or is configured with.",
        "nobody-dials": "Let the adapter connect to the address in WIREPROOF_CONNECT as soon as it starts.",
    }
    fix = fixes.get(name, "Start it by hand with the same words, and see what it says.")
    return Finding(name, "start", " | ".join(shown(line) for line in text.splitlines() if line), NOT_ASKED, fix)


def greet(patient: Patient) -> Answer | None:
    """The answer to hello; None if what came instead has been reported, and there is no point in going on."""
    try:
        talk = patient.open()
    except CannotStart as problem:
        patient.report.add(cannot_start(problem))
        return None
    number = patient.number()
    talk.send(full_line(number, hello_end()))
    if not talk.hear(telling, HELLO) and not _has_failed(patient, talk):
        patient.report.reach("start")
        answer = silent(patient, talk)
        if answer is not None:
            patient.report.reach("flush")
        return answer
    return _understood(patient, talk, number)


def telling(lines: list[bytes]) -> bool:
    """Whether there is a line that is, or wants to be, an answer."""
    return any(not _is_stray(read(raw)) for raw in lines)


def _is_stray(found: Answer | Fault) -> bool:
    return isinstance(found, Fault) and found.name == "stray-output"


def _has_failed(patient: Patient, talk: Talk) -> bool:
    """Whether it has ended, or been ended; that is then reported."""
    if talk.ended and not talk.line.rest.strip():
        patient.report.add(_ended(talk))
    elif talk.flooded or talk.greedy:
        said = f", such as: {shown(talk.lines[0], 80)}" if talk.lines else ""
        found = patient.lost(talk).finding
        assert found is not None
        patient.report.add(msgspec.structs.replace(found, seen=found.seen + said))
    else:
        return False
    return True


def _ended(talk: Talk) -> Finding:
    said = f"; it wrote: {shown(talk.lines[0], 160)}" if talk.lines else ""
    return Finding(
        "ends-at-once",
        "start",
        f"it {talk.ending()} before it had answered hello; {tail(talk.stderr())}{said}",
        "An adapter answers requests until its input ends; this one was gone before the first answer.",
        "Start it by hand with the same words, type a line, and see what it says. It has to go on reading lines until "
        "the end of its input.",
    )


def _understood(patient: Patient, talk: Talk, number: int) -> Answer | None:
    """The answer among the lines that came, with what is wrong with them reported."""
    report = patient.report
    if report.findings:
        return None
    place, raw = next((place, raw) for place, raw in enumerate(talk.lines) if not _is_stray(read(raw)))
    if place:
        report.add(described(Fault("stray-output"), talk.lines[0]))
    found = read(raw)
    if isinstance(found, Fault):
        split = pretty_printed(talk.lines[place:])
        fault = described(Fault("pretty-printed") if split else found, raw)
        report.reach_all_before(fault.step)
        report.add(fault)
        return None
    report.reach_all_before("ids")
    if found.id is not None and found.id != number:
        _wrong_ids(patient, talk, number, found.id, raw)
        return None
    report.reach("ids")
    patient.answered.add(number)
    del talk.lines[: place + 1]
    return found


# ---- ids ----


def _wrong_ids(patient: Patient, talk: Talk, number: int, answered: int, raw: bytes) -> None:
    """The first answer has not the id of hello; the next ones say in which way."""
    given = [(number, answered)]
    for _ in range(2):
        talk.lines.clear()
        other = patient.number()
        talk.send(full_line(other, probe_end()))
        talk.hear(telling, MOMENT)
        found = [read(line) for line in talk.lines]
        given += [(other, line.id) for line in found if isinstance(line, Answer) and line.id is not None]
    ids = ", ".join(f"request {asked} with id {answer}" for asked, answer in given[:3])
    patient.report.add(finding(_id_fault(given), f"it answered {ids}: {shown(raw, 80)}"))


def _id_fault(given: list[tuple[int, int]]) -> str:
    ids = [answered for _, answered in given]
    if len(ids) > 1 and len(set(ids)) == 1:
        return "same-id"
    if {answered - asked for asked, answered in given} in ({1}, {-1}):
        return "id-off-by-one"
    if ids[0] in (0, 1) and all(later == before + 1 for before, later in pairwise(ids)):
        return "own-ids"
    return "wrong-id"
