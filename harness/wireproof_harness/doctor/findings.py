"""What an examination finds: each step with how it went, each fault with its evidence and its cure."""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Final, NamedTuple

import msgspec

from wireproof_harness.terminal import clean

STEPS: Final[dict[str, str]] = {
    "start": "it starts",
    "output": "it prints answers and nothing else",
    "flush": "every answer is flushed",
    "json": "every answer is one line of JSON",
    "ids": "every answer has the id of its request",
    "hello": "hello is answered with claims",
    "honesty": "what it cannot do it says",
    "questions": "easy questions about what it claims",
    "profile": "its layout is the one it declares",
    "window": "64 requests at once",
}
"""The steps, in the order of the examination."""

LONGEST: Final = 300


def shown(raw: bytes | str, most: int = LONGEST) -> str:
    """Untrusted text as evidence: on one line, harmless, and not too long."""
    text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else raw
    cut = clean(text[:most])
    return (
        cut if len(text) <= most else f"{cut}... ({len(raw):,} {'bytes' if isinstance(raw, bytes) else 'characters'})"
    )


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong, and how to put it right."""

    name: str
    step: str
    seen: str
    """The evidence; already harmless to print."""
    why: str
    fix: str
    hints: dict[str, str] = {}
    """How the fix is written in a language."""
    advice: bool = False
    """Worth knowing, but no fault."""
    declare: dict[str, dict[str, Any]] = {}
    """For a protocol, the profile values that fit."""
    more: int = 0
    """How often the same was seen besides."""


class Step(NamedTuple):
    """How one step went."""

    name: str
    state: str
    """ok, fault, advice or skipped."""
    note: str = ""


class Report:
    """All that has been found so far."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.notes: dict[str, str] = {}
        self.reached: set[str] = set()

    def add(self, finding: Finding) -> None:
        """One finding of a kind is enough to act on; how many there were is told with it."""
        for number, known in enumerate(self.findings):
            if (known.name, known.step, known.declare) == (finding.name, finding.step, finding.declare):
                more = known.more + (known.seen != finding.seen)
                self.findings[number] = msgspec.structs.replace(known, more=more)
                return
        self.findings.append(finding)

    def reach(self, step: str, note: str = "") -> None:
        self.reached.add(step)
        if note:
            self.notes[step] = note

    def reach_all_before(self, step: str) -> None:
        self.reached |= set(takewhile(lambda name: name != step, STEPS))

    @property
    def faults(self) -> list[Finding]:
        return [finding for finding in self.findings if not finding.advice]

    @property
    def steps(self) -> list[Step]:
        return [Step(name, self._state(name), self.notes.get(name, "")) for name in STEPS]

    def _state(self, name: str) -> str:
        # Questions that are right under another profile only are still not right as it is declared.
        steps = ("questions", "profile") if name == "questions" else (name,)
        here = [finding for finding in self.findings if finding.step in steps]
        if any(not finding.advice for finding in here):
            return "fault"
        if here:
            return "advice"
        return "ok" if name in self.reached else "skipped"
