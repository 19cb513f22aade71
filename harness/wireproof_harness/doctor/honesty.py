"""Step 7: whether it says so when it is asked for what it has not, or asked wrongly."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from wireproof.codec import protocol
from wireproof.verdict import Answer
from wireproof_harness import jsonlines
from wireproof_harness.claims import Claims
from wireproof_harness.contract import PROBE
from wireproof_harness.doctor.findings import Finding, shown
from wireproof_harness.doctor.lines import read
from wireproof_harness.doctor.patient import GaveUp, Lost, Patient, tail
from wireproof_harness.doctor.talk import MOMENT

GARBAGE: Final = b"this is not JSON\n"
MOST_BREAKDOWNS: Final = 2
"""Whoever breaks down over every other request has to be mended before it can be asked more."""
ONE_BY_ONE: Final = (
    "Catch errors for each request: answer, and go on with the next line. Only the end of the input ends it."
)


CONTENT: Final[dict[str, tuple[str, Any]]] = {
    "decode": ("hex", ""),
    "stream": ("chunks", []),
    "encode": ("value", {}),
}
"""For each operation the key it cannot do without, and a content of the right type."""


class Probe(NamedTuple):
    """A request that has one right form of answer."""

    name: str
    request: dict[str, Any]
    form: str
    about: str
    fix: str


UNSUPPORTED: Final = '{"id": ..., "unsupported": {"reason": "..."}}'
ERROR: Final = '{"id": ..., "error": {"message": "..."}}'


def probes(claims: Claims) -> list[Probe]:
    name, claimed = next((name, found) for name, found in claims.protocols.items() if found.operations)
    operation = claimed.operations[0]
    directions = claimed.directions or protocol(name).directions
    right: dict[str, Any] = {"op": operation, "protocol": name}
    if directions:
        right["direction"] = directions[0]
    key, content = CONTENT[operation]
    return [
        Probe(
            "unknown-operation",
            {"op": PROBE},
            "unsupported",
            "an operation that does not exist",
            f"Let every `op` that is none of hello, decode, encode and stream be answered with {UNSUPPORTED}.",
        ),
        Probe(
            "unknown-protocol",
            {**right, key: content, "protocol": "no-such-protocol"},
            "unsupported",
            "a protocol that does not exist",
            f"Look at `protocol` in each request; what you do not have is answered with {UNSUPPORTED}.",
        ),
        Probe(
            "missing-key",
            right,
            "error",
            f"{operation} without `{key}`",
            f"Check that `{key}` is there before it is used, and answer {ERROR} if it is not.",
        ),
        Probe(
            "wrong-shape",
            {**right, key: 5},
            "error",
            f"{operation} with the number 5 as `{key}`",
            f"Check the type of `{key}` before it is used, and answer {ERROR} if it is wrong: reject is for bytes and "
            "values that break a rule of the protocol.",
        ),
    ]


WHY: Final = {
    "unsupported": "If it answers what it cannot know, `unsupported` means nothing, and no answer can be trusted.",
    "error": "A request that is wrong itself must not look like a verdict on bytes.",
}


def examine_honesty(patient: Patient, claims: Claims) -> None:
    patient.report.reach("honesty")
    breakdowns = 0
    for probe in probes(claims):
        answer = patient.ask(jsonlines.dump(probe.request).replace(b"{", b",", 1))
        if isinstance(answer, Lost):
            patient.report.add(no_answer(answer, "honesty", probe.about, jsonlines.dump(probe.request)))
            breakdowns += 1
            if breakdowns == MOST_BREAKDOWNS:
                raise GaveUp
        elif answer.form != probe.form:
            patient.report.add(_dishonest(probe, answer))
    _not_json(patient)


def _dishonest(probe: Probe, answer: Answer) -> Finding:
    seen = f"{probe.about} was answered with {answer.form} {shown(answer.content, 120)}, not with {probe.form}"
    return Finding(probe.name, "honesty", seen, WHY[probe.form], probe.fix)


def no_answer(lost: Lost, step: str, about: str, request: bytes) -> Finding:
    """The finding for a request that broke it."""
    if lost.finding is not None:
        return lost.finding
    asked = f"{about}: {shown(request.strip(), 160)}"
    if lost.kind == "ended":
        return Finding(
            "dies",
            step,
            f"it {lost.detail} over {asked}; {tail(lost.stderr)}",
            "Each end costs a restart, counts as a crash, and takes the requests that were open with it.",
            ONE_BY_ONE,
        )
    return Finding(
        "no-answer",
        step,
        f"no answer to {asked}; {shown(lost.detail)}; {tail(lost.stderr)}",
        "A request without an answer ends as a timeout, and the adapter is started again.",
        "Write one line for every line read, whatever was asked, and flush it.",
    )


def _not_json(patient: Patient) -> None:
    """A line that is no request: an answer with the id null is wished for, and dying is worth a word."""
    talk = patient.ready()
    talk.lines.clear()
    talk.send(GARBAGE)
    talk.hear(lambda lines: bool(lines), MOMENT)
    heard = [read(raw) for raw in talk.lines]
    if any(isinstance(answer, Answer) and answer.id is None and answer.form == "error" for answer in heard):
        talk.lines.clear()
        return
    came = shown(talk.lines[0], 120) if talk.lines else "nothing came back"
    talk.lines.clear()
    ended = talk.ended
    what = f"it {talk.ending()}; {tail(talk.stderr())}" if ended else came
    patient.report.add(
        Finding(
            "dies-on-garbage" if ended else "garbage-not-answered",
            "honesty",
            f"after the line `{GARBAGE.decode().strip()}`: {what}",
            "A line that cannot be read as a request is answered with the id null, so that a mistake is found at once.",
            'Catch the error of the JSON parser and answer {"id": null, "error": {"message": "..."}}.',
            {
                "Python": "try: request = json.loads(line) ... except ValueError: ...",
                "JavaScript": "try { request = JSON.parse(line) } catch { ... }",
            },
            advice=True,
        )
    )
