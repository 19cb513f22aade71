"""The adapter under examination: asked one thing at a time, and opened again when that broke it."""

from __future__ import annotations

from typing import Final, NamedTuple

from wireproof.verdict import Answer
from wireproof_harness.contract import full_line, hello_end
from wireproof_harness.doctor.advice import finding
from wireproof_harness.doctor.findings import Finding, Report, shown
from wireproof_harness.doctor.lines import Fault, pretty_printed, read
from wireproof_harness.doctor.talk import ANSWER, HELLO, Clock, Limits, Talk
from wireproof_harness.transports.connection import CannotStart, Transport

STRIDE: Final = 17
"""Ids are far apart: one that is off by one, or counted, must not look like another request's."""
MOST_RESTARTS: Final = 4
TAIL: Final = 600


class GaveUp(Exception):
    """There is no more to be learnt from it."""


class Lost(NamedTuple):
    """A request that got no answer that can be used."""

    kind: str
    """ended, silent, garbled, flood or memory."""
    detail: str
    finding: Finding | None = None
    stderr: str = ""


class Patient:
    """What is examined."""

    def __init__(self, transport: Transport, report: Report, clock: Clock, memory: int = 0) -> None:
        self.transport = transport
        self.report = report
        self.clock = clock
        self.memory = memory
        self.talk: Talk | None = None
        self.restarts = -1
        self.asked: list[int] = []
        self.answered: set[int] = set()

    # ---- connections ----

    def open(self) -> Talk:
        """A new connection; CannotStart if there is none."""
        self.close()
        self.restarts += 1
        self.asked.clear()
        self.answered.clear()
        self.talk = Talk(self.transport, self.clock, self.memory)
        return self.talk

    def ready(self) -> Talk:
        """The connection, opened again and greeted if the last one broke; GaveUp if that is of no use."""
        if self.talk is not None and not self.talk.ended:
            return self.talk
        if self.restarts >= MOST_RESTARTS or self.clock.left <= 0:
            raise GaveUp
        try:
            self.open()
        except CannotStart:
            raise GaveUp from None
        if not isinstance(self.ask(hello_end(), HELLO._replace(rest=ANSWER.rest)), Answer):
            raise GaveUp
        assert self.talk is not None
        return self.talk

    def close(self, patience: float = 0.0) -> None:
        talk, self.talk = self.talk, None
        if talk is not None:
            talk.close(patience)

    # ---- asking ----

    def number(self) -> int:
        self.asked.append(STRIDE * (len(self.asked) + 1))
        return self.asked[-1]

    def ask(self, end: bytes, limits: Limits = ANSWER) -> Answer | Lost:
        """The answer to one request, from behind its id."""
        talk = self.talk if self.talk is not None and not self.asked else self.ready()
        number = self.number()
        talk.send(full_line(number, end))
        return self.wait(talk, number, limits)

    def wait(self, talk: Talk, number: int, limits: Limits) -> Answer | Lost:
        found: list[Answer | Lost] = []

        def enough(lines: list[bytes]) -> bool:
            while lines and not found:
                heard = self.heard(lines, number)
                if heard is not None:
                    found.append(heard)
            return bool(found)

        if talk.hear(enough, limits):
            if isinstance(found[0], Lost):
                self.close()  # what is left of a broken answer must not be taken for the next one
            return found[0]
        return self.lost(talk)

    def heard(self, lines: list[bytes], number: int, others: set[int] | None = None) -> Answer | Lost | None:
        """What the next line is to the open request, or to one of several; None if it is nothing to it."""
        whole = list(lines)
        raw = lines.pop(0)
        answer = read(raw)
        if isinstance(answer, Fault):
            return self._faulty(answer, raw, whole)
        unnamed = answer.id is None and answer.form == "error"
        if answer.id == number or unnamed or (others is not None and answer.id in others):
            known = number if answer.id is None else answer.id
            self.answered.add(known)
            (others or set()).discard(known)
            return answer
        name = "answers-twice" if answer.id in self.answered else "wrong-id"
        self.report.add(finding(name, f"id {answer.id} was answered, asked was {number}: {shown(raw, 120)}"))
        return None if name == "answers-twice" else Lost("garbled", "", self.report.findings[-1])

    def _faulty(self, fault: Fault, raw: bytes, lines: list[bytes]) -> Lost | None:
        name = "pretty-printed" if fault.name != "stray-output" and pretty_printed(lines) else fault.name
        seen = described(Fault(name, fault.about), raw)
        stray = name == "stray-output"
        if not stray or all(known.name != name for known in self.report.findings):
            self.report.add(seen)
        return None if stray else Lost("garbled", seen.seen, seen)

    def lost(self, talk: Talk) -> Lost:
        """Why no answer came; the connection is of no more use."""
        stderr = talk.stderr()
        if talk.ended:
            lost = Lost("ended", talk.ending(), stderr=stderr)
        elif talk.flooded:
            lost = Lost("flood", "", finding("flood", "it writes and writes"), stderr)
        elif talk.greedy:
            lost = Lost("memory", "", finding("memory", f"it took more than {self.memory >> 20:,} MiB"), stderr)
        else:
            lost = Lost("silent", _unfinished(talk), stderr=stderr)
        self.close()
        if lost.kind == "silent" and self.clock.left <= 0:
            raise GaveUp  # it may have been about to answer
        return lost


def _unfinished(talk: Talk) -> str:
    rest = talk.line.rest
    return f"an unfinished line: {shown(rest, 120)}" if rest else "nothing came"


def described(fault: Fault, raw: bytes) -> Finding:
    """The finding for a line that is no answer."""
    seen = f"it wrote: {shown(raw, 160)}" if raw.strip() else "it wrote an empty line"
    if fault.name == "unknown-key":
        key, _, near = fault.about.partition(" ")
        changes = {
            "fix": f"Write `{near}` instead of `{shown(key)}`: there are ok, incomplete, reject, unsupported, error."
        }
        return finding(fault.name, seen, **(changes if near else {}))
    if fault.name == "not-in-ok":
        wrapped = f'Put `{shown(fault.about)}` and the rest into ok: {{"id": 17, "ok": {{...}}}}.'
        return finding(fault.name, seen, fix=wrapped)
    if fault.name == "json-nan":
        return finding(fault.name, f"{shown(fault.about)} in {seen}")
    return finding(fault.name, seen)


def tail(stderr: str) -> str:
    """The end of what it wrote for people, as evidence."""
    if not stderr:
        return "it wrote nothing to stderr"
    return "its stderr ends with: " + " | ".join(shown(line, 200) for line in stderr[-TAIL:].splitlines()[-5:] if line)
