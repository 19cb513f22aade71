"""Asking an implementation that may do anything: hang, end, flood, print, fork, eat memory.

What goes wrong ends the connection. Whatever was open then is asked again, each request
alone, in a fresh process: the one that breaks it again is the one that did it. If none
does, the oldest is told as flaky, for something has happened and must not be forgotten.
Everything else goes on, until too much time is lost that way.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple, Protocol

from wireproof.verdict import Answer, BadAnswer, parse_answer
from wireproof.verdict.answers import content_of
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.contract import ANSWER_FACTOR, ANSWER_ROOM, full_line, hello_end
from wireproof_harness.line import Line
from wireproof_harness.transports.connection import CannotStart, Transport

WINDOW: Final = 64
TICK: Final = 0.1
"""Seconds between two looks at the clock and at memory."""
SHOWN: Final = 120
PER_BYTE: Final = 1 / (2 << 20)
"""A request of 2 MiB may take one more time as long as a small one."""


class Limits(NamedTuple):
    """How much an implementation may take."""

    timeout: float = 5.0
    """Seconds for a request."""
    start: float = 10.0
    """Seconds until hello is answered."""
    memory: int = 1 << 30
    """Bytes for all its processes; 0 is without limit."""
    failures_in_a_row: int = 5
    """So many breakdowns without one answer in between end the run."""
    lost: float = 120.0
    """Seconds lost to breakdowns that end the run."""
    goodbye: float = 0.5
    """Seconds to go by itself at the end."""


class Job:
    """One request: its line from behind the id, and whom it belongs to."""

    __slots__ = ("end", "index", "owner")

    def __init__(self, end: bytes, owner: Any = None, index: int = 0) -> None:
        self.end = end
        self.owner = owner
        self.index = index


class Fault(NamedTuple):
    """What came instead of an answer."""

    status: str
    cause: str
    detail: str
    stderr: str = ""


Outcome = Answer | Fault


class Asker(Protocol):
    """Something that can be asked."""

    name: str
    protections: dict[str, str]
    restarts: int
    stopped: str
    """Why nothing more is asked; empty as long as it is."""

    def start(self) -> Claims: ...
    def ask(self, jobs: Iterable[Job], window: int = WINDOW) -> Iterator[tuple[Job, Outcome]]: ...
    def close(self) -> None: ...


class _Broken(Exception):
    """The connection is of no more use."""

    def __init__(self, status: str, cause: str, detail: str) -> None:
        super().__init__(detail)
        self.status, self.cause, self.detail = status, cause, detail


class Supervisor:
    """One implementation, asked over a transport, started again when it breaks down."""

    def __init__(self, transport: Transport, limits: Limits, extra: dict[str, Any] | None = None) -> None:
        self.transport = transport
        self.name = transport.name
        self.protections = transport.protections
        self.limits = limits
        self.extra = extra or {}
        self.restarts = 0
        self.stopped = ""
        self.stderr = b""
        self._line: Line | None = None
        self._open: dict[int, tuple[Job, int]] = {}
        self._number = 0
        self._answered = 0
        self._in_a_row = 0
        self._lost = 0.0

    # ---- beginning and end ----

    def start(self) -> Claims:
        """Reach it and hear its claims; CannotStart or BadClaims with what to do."""
        return claims_of(self._hello(), self.extra)

    def _hello(self) -> Any:
        connection = self.transport.open(self.limits.start)
        self._line = Line(connection)
        try:
            for _, outcome in self._exchange(iter([Job(hello_end())]), 1, self.limits.start):
                if isinstance(outcome, Answer) and outcome.form == "ok":
                    return content_of(outcome)
                raise CannotStart(f"hello was not answered with ok: {_shown(outcome)}")
        except _Broken as broken:
            words = self._end_line()
            said = f"\nIts stderr ends with:\n{words}" if words else "\nIt wrote nothing to stderr."
            raise CannotStart(f"it did not answer hello: {broken.detail}.{said}") from None
        except CannotStart:
            self._end_line()
            raise
        raise AssertionError("an exchange ends with an answer or breaks")

    def close(self) -> None:
        if self._line is not None:
            self._end_line(self.limits.goodbye)
        self.transport.close()

    def _end_line(self, patience: float = 0) -> str:
        """Close the connection; the end of what it wrote for people."""
        line, self._line = self._line, None
        if line is None:
            return ""
        self.stderr = line.stderr()
        line.close(patience)
        return self.stderr[-2000:].decode("utf-8", "replace").strip()

    # ---- asking ----

    def ask(self, jobs: Iterable[Job], window: int = WINDOW) -> Iterator[tuple[Job, Outcome]]:
        """Every job with what came of it, in any order. All are answered for, whatever happens."""
        waiting = iter(jobs)
        while not self.stopped:
            try:
                if self._ready():
                    yield from self._exchange(waiting, window, self.limits.timeout)
                    return
            except _Broken as broken:
                yield from self._attributed(broken)
        for job in waiting:
            yield job, self._not_run()

    def _exchange(self, jobs: Iterator[Job], window: int, timeout: float) -> Iterator[tuple[Job, Outcome]]:
        line, opened = self._line, self._open
        assert line is not None
        more = True
        heard = tick = time.monotonic()
        while True:
            if more and len(opened) <= window // 2:
                more = self._send(line, jobs, window)
            if not opened:
                return
            for text in line.turn(TICK):
                yield self._answer(text)
                heard = 0.0
            now = time.monotonic()
            heard = heard or now
            if line.ended and opened:
                raise _Broken("crash", "ended", line.ending())
            if now >= tick:
                tick = now + TICK
                self._look(line, now - heard, timeout)

    def _send(self, line: Line, jobs: Iterator[Job], window: int) -> bool:
        """Fill the window; whether there may be more."""
        opened = self._open
        lines: list[bytes] = []
        size = 0
        while len(opened) < window and size < ANSWER_ROOM:
            job = next(jobs, None)
            if job is None:
                line.send(b"".join(lines))
                return False
            self._number += 1
            opened[self._number] = (job, self._answered)
            lines.append(full_line(self._number, job.end))
            size += len(job.end)
        line.send(b"".join(lines))
        return True

    def _answer(self, text: bytes) -> tuple[Job, Answer]:
        try:
            answer = parse_answer(text)
        except BadAnswer as problem:
            raise _Broken(
                "contract-error", "stray", f"wrote a line that is no answer, {problem}: {_line(text)}"
            ) from None
        opened = self._open
        if answer.id is None:
            if len(opened) != 1:
                raise _Broken("contract-error", "stray", f"could not read a request: {_line(text)}")
            (number,) = opened
        else:
            number = answer.id
        found = opened.pop(number, None)
        if found is None:
            again = 0 < number <= self._number
            which = "has been answered or given up already" if again else "was never asked"
            raise _Broken("contract-error", "stray", f"answered id {number}, which {which}: {_line(text)}")
        self._answered += 1
        self._in_a_row = 0
        return found[0], answer

    def _look(self, line: Line, silent: float, timeout: float) -> None:
        """At the clock, at the length of the line, and at memory."""
        opened = self._open
        if not opened:
            return
        largest = max(len(job.end) for job, _ in opened.values())
        if line.unfinished > ANSWER_ROOM + ANSWER_FACTOR * largest:
            raise _Broken("contract-error", "long-line", f"wrote {line.unfinished:,} bytes without a line feed")
        allowed = timeout * (1 + largest * PER_BYTE)
        oldest = next(iter(opened.values()))
        overtaken = self._answered - oldest[1] > 4 * WINDOW
        if silent > allowed:
            self._lost += silent
            raise _Broken("timeout", "silence", f"gave no answer for {silent:.1f} s with {len(opened)} requests open")
        if overtaken:
            raise _Broken("timeout", "silence", "answered many later requests, and not this one")
        if self.limits.memory:
            taken = line.connection.memory()
            if taken > self.limits.memory:
                most = self.limits.memory >> 20
                raise _Broken("crash", "memory", f"took {taken >> 20:,} MiB of memory; it may take {most:,}")

    # ---- breaking down ----

    def _attributed(self, broken: _Broken) -> Iterator[tuple[Job, Outcome]]:
        """Ask again, each alone, whatever was open; whoever breaks it again is the one."""
        suspects = [job for job, _ in self._open.values()]
        stderr = self._broke_down()
        first: tuple[Job, Outcome] | None = None
        reproduced = False
        for job in suspects:
            outcome = self._alone(job)
            reproduced = reproduced or isinstance(outcome, Fault)
            if first is None and not reproduced:
                first = job, outcome
            else:
                yield job, outcome
        if first is not None and reproduced:
            yield first
        elif first is not None:
            detail = f"{broken.detail}. Asked again alone, none of the {len(suspects)} requests open then did it"
            yield first[0], Fault("flaky", broken.cause, detail, stderr)

    def _alone(self, job: Job) -> Outcome:
        if self.stopped:
            return self._not_run()
        if getattr(job.owner, "decided", False):
            return Fault("not-run", "stopped", "another request of this question has already broken it")
        if not self._ready():
            return self._not_run()
        try:
            for _, outcome in self._exchange(iter([job]), 1, self.limits.timeout):
                return outcome
        except _Broken as broken:
            return Fault(broken.status, broken.cause, broken.detail, self._broke_down())
        raise AssertionError("an exchange ends with an answer or breaks")

    def _broke_down(self) -> str:
        """Clear away what is left of a connection, and see whether it is worth going on."""
        start = time.monotonic()
        self._open.clear()
        words = self._end_line()
        self._in_a_row += 1
        self._lost += time.monotonic() - start
        if self._in_a_row >= self.limits.failures_in_a_row:
            self.stopped = f"it broke down {self._in_a_row} times in a row without one answer"
        return words

    def _ready(self) -> bool:
        """Start it again if it has broken down; whether it is there to be asked."""
        start = time.monotonic()
        while self._line is None and not self.stopped:
            self.restarts += 1
            try:
                self._hello()
            except CannotStart as problem:
                self._in_a_row += 1
                if self._in_a_row >= self.limits.failures_in_a_row:
                    self.stopped = f"it does not start any more: {problem}"
        self._lost += time.monotonic() - start
        if self._lost > self.limits.lost:
            self.stopped = f"{self._lost:.0f} s were lost to {self.restarts} breakdowns"
        return not self.stopped

    def _not_run(self) -> Fault:
        return Fault("not-run", "stopped", self.stopped)


def _shown(outcome: Outcome) -> str:
    if isinstance(outcome, Fault):
        return outcome.detail
    with suppress(ValueError):
        return f"{outcome.form} {_line(outcome.content)}"
    return outcome.form


def _line(text: bytes) -> str:
    """The beginning of a line that an implementation wrote."""
    shown = text[:SHOWN].decode("utf-8", "replace")
    return shown if len(text) <= SHOWN else f"{shown}... ({len(text):,} bytes)"
