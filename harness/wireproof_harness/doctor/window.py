"""Step 10: many requests at once, short ones and long ones."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from wireproof import BadValue, Codec, Refused, codec
from wireproof.codec import protocol
from wireproof_harness import jsonlines
from wireproof_harness.claims import Claims, declared_profile
from wireproof_harness.contract import full_line, probe_end
from wireproof_harness.doctor.findings import Finding
from wireproof_harness.doctor.patient import Patient, tail
from wireproof_harness.doctor.talk import Limits
from wireproof_harness.supervisor import WINDOW

LONG: Final = 32 * 1024
"""Bytes of a long message: 64 KiB of hex."""
SHORT_ONES: Final = Limits(0.8, 2.0)
LONG_ONES: Final = Limits(1.0, 3.5)
NO_MESSAGE: Final = b"\x7f" * LONG
READ_WHILE: Final = (
    "Read lines of any length (up to 80 MiB), keep what is left after a line feed for the next one, and answer each "
    "before or while the next is read."
)
HINTS: Final = {
    "C": "getline(&line, &size, stdin), not fgets with a fixed buffer",
    "JavaScript": "readline.createInterface({input: process.stdin}), not one JSON.parse for each `data` event",
    "Python": "for line in sys.stdin: ..., not os.read or sys.stdin.read(n)",
    "Go": "bufio.NewReader(os.Stdin).ReadBytes('\\n'), not bufio.Scanner with its 64 KiB",
    "Java": "new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine()",
}

_MESSAGES: Final[dict[str, Callable[[str], dict[str, Any]]]] = {
    "esnp-frame": lambda body: {"frames": [{"type": 21, "body": body}]},
    "esnp-line": lambda body: {"lines": [{"type": 22, "body": body}]},
    "tny": lambda body: {
        "packet": {"type": 1, "waste": False, "encrypt": False, "verify": False, "payload_raw": body},
    },
    "tny-relay": lambda body: {"relay": {"pack_id": 7, "mark": 1, "sub_id": 5, "time": "0", "args": body}},
}
"""For each protocol a message with so many bytes in it; for the others an input that is cut short will do."""


def examine_window(patient: Patient, claims: Claims) -> None:
    if patient.clock.left < SHORT_ONES.rest * patient.clock.scale:
        return
    patient.report.reach("window")
    if _all_answered(patient, [probe_end()] * WINDOW, SHORT_ONES, "window", _lost_some):
        _all_answered(patient, [_long_request(claims)] * WINDOW, LONG_ONES, "long-requests", _stuck)


def _long_request(claims: Claims) -> bytes:
    """A request of 64 KiB about the first protocol that takes so much."""
    fitting = [name for name, claimed in claims.protocols.items() if claimed.limits.get("input", 2 * LONG) >= 2 * LONG]
    name = next((name for name in fitting if "decode" in claims.protocols[name].operations), "")
    if not name:  # what is asked matters less than how long it is
        return f',"op":"wireproof-probe","hex":"{"61" * LONG}"}}\n'.encode()
    claimed = claims.protocols[name]
    directions = claimed.directions or protocol(name).directions
    direction = directions[0] if directions else None
    found = codec(name, direction=direction, profile=declared_profile(name, claimed))
    request: dict[str, Any] = {"op": "decode", "protocol": name, "hex": _long_input(found, name).hex()}
    if direction:
        request["direction"] = direction
    return jsonlines.dump(request).replace(b"{", b",", 1)


def _long_input(found: Codec, name: str) -> bytes:
    make = _MESSAGES.get(name)
    with suppress(Refused, BadValue):  # the declared profile may allow no such message
        return found.encode(found.message(make("61" * LONG))) if make else NO_MESSAGE
    return NO_MESSAGE


def _all_answered(
    patient: Patient, ends: list[bytes], limits: Limits, name: str, told: Callable[[int, str], Finding]
) -> bool:
    """Whether all of them are answered, sent at once and read while they are written."""
    talk = patient.ready()
    numbers = [patient.number() for _ in ends]
    before = len(patient.report.findings)
    talk.send(b"".join(full_line(number, end) for number, end in zip(numbers, ends, strict=True)))
    waiting = set(numbers)

    def enough(lines: list[bytes]) -> bool:
        while lines and waiting:
            patient.heard(lines, min(waiting), waiting)
        return not waiting or len(patient.report.findings) > before

    heard, left = talk.hear(enough, limits), len(waiting)
    while not heard and not talk.ended and len(waiting) < len(ends) and patient.clock.left > 0:
        left = len(waiting)
        heard = talk.hear(enough, limits)  # as long as answers come, it is slow and not stuck
        if len(waiting) == left:
            break
    if not heard and len(waiting) < left:
        patient.report.add(_slow(len(ends) - len(waiting), patient.clock.spent))
        patient.close()
        return False
    if not heard:
        how = f"it {talk.ending()}" if talk.ended else "then it was silent"
        patient.report.add(told(len(ends) - len(waiting), f"{how}; {tail(talk.stderr())}"))
        patient.close()
    return heard and len(patient.report.findings) == before


def _slow(count: int, seconds: float) -> Finding:
    return Finding(
        "slow",
        "window",
        f"of {WINDOW} requests sent at once {count} were answered, and answers still came after {seconds:.1f} s",
        "A run asks some thousand questions about each protocol, and gives each of them 5 seconds.",
        "Nothing has to be mended. --timeout-scale 5 gives doctor, and a run, more time.",
        advice=True,
    )


def _lost_some(count: int, how: str) -> Finding:
    return Finding(
        "loses-requests",
        "window",
        f"{WINDOW} short requests were sent at once, {count} were answered, {how}",
        "Up to 64 requests are open at a time, and several can arrive in one read.",
        f"One read is not one line. {READ_WHILE}",
        HINTS,
    )


def _stuck(count: int, how: str) -> Finding:
    return Finding(
        "stuck-on-long-requests",
        "window",
        f"{WINDOW} requests of 64 KiB were sent at once, {count} were answered, {how}",
        "Requests can be long, and while they come answers have to go out: whoever waits for the one before doing the "
        "other waits for ever.",
        READ_WHILE + " If it passes requests on to another program, read that program's output while writing to it.",
        HINTS,
    )
