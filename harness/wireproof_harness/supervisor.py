"""Asking an implementation that may do anything: hang, end, flood, print, fork, eat memory.

What goes wrong ends the connection. Whatever was open then is asked again, each request
alone: the one that breaks it again, in a fresh process, is the one that did it. If none
does, the oldest is told as flaky, for something has happened and must not be forgotten.
Everything else goes on, until it answers nothing any more or too much time is lost that way.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol

from wireproof.verdict import Answer, BadAnswer, parse_answer
from wireproof.verdict.answers import content_of
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.contract import ANSWER_FACTOR, ANSWER_ROOM, hello_end, line_id, probe_end
from wireproof_harness.line import Line
from wireproof_harness.transports.connection import CannotStart, Transport

WINDOW: Final = 64
TICK: Final = 0.1
"""Seconds between two looks at the clock and at memory."""
SHOWN: Final = 120
PER_BYTE: Final = 1 / (2 << 20)
"""A request of 2 MiB may take one more time as long as a small one."""
STILL_MOVING: Final = 4
"""As long as bytes go either way, it may take so many times as long."""
WEIGHING: Final = 30
"""Memory is looked at for one part in so many of the time: with many processes on a machine that takes long."""
REMEMBERED: Final = 4
"""Of so many fillings of the window it is known who was asked, to tell who was answered twice."""


class Limits(NamedTuple):
    """How much an implementation may take."""

    timeout: float = 5.0
    """Seconds for a request."""
    start: float = 10.0
    """Seconds until hello is answered."""
    memory: int = 1 << 30
    """Bytes for all its processes; 0 is without limit."""
    failures_in_a_row: int = 5
    """So many breakdowns without one answer in between, and it is asked for a sign of life."""
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
    on_top: bool = False
    """The request has been answered already, and its answer been handed over."""


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

    def __init__(self, status: str, cause: str, detail: str, culprit: Job | None = None) -> None:
        super().__init__(detail)
        self.status, self.cause, self.detail = status, cause, detail
        self.culprit = culprit if culprit and culprit.owner else None
        """Whose fault it is, if that is known: somebody who has been answered already."""


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
        self._open: dict[int, tuple[Job, tuple[int, float]]] = {}
        """For each number the job, and how much had been answered when it was sent, and when that was."""
        self._sent: deque[tuple[int, list[Job]]] = deque(maxlen=REMEMBERED)
        """The last fillings of the window, each from its first number on."""
        self._number = 0
        self._answered = 0
        self._in_a_row = 0
        self._lost = 0.0
        self._moved, self._moved_at = 0, 0.0
        self._weigh_at = 0.0

    # ---- beginning and end ----

    def start(self) -> Claims:
        """Reach it and hear its claims; CannotStart or BadClaims with what to do."""
        return claims_of(self._hello(), self.extra)

    def _hello(self) -> Any:
        in_a_row = self._in_a_row
        self._line = Line(self.transport.open(self.limits.start))
        try:
            outcome = self._single(Job(hello_end()), self.limits.start)
        except _Broken as broken:
            self._open.clear()
            words = self._end_line()
            said = f"\nIts stderr ends with:\n{words}" if words else "\nIt wrote nothing to stderr."
            raise CannotStart(f"it did not answer hello: {broken.detail}.{said}") from None
        self._in_a_row = in_a_row  # that it can say hello is no sign that it can be asked
        try:
            if outcome.form == "ok":
                return content_of(outcome)
            problem = "was not answered with ok"
        except (ValueError, RecursionError):
            problem = "was answered with what cannot be read"
        self._end_line()
        raise CannotStart(f"hello {problem}: {outcome.form} {_line(outcome.content)}")

    def close(self) -> None:
        try:
            self._end_line(self.limits.goodbye)
        finally:
            self.transport.close()

    def _end_line(self, patience: float = 0) -> str:
        """Close the connection; the end of what it wrote for people."""
        line, self._line = self._line, None
        if line is None:
            return ""
        try:
            self.stderr = line.stderr()
        finally:
            line.close(patience)
        return self.stderr[-2000:].decode("utf-8", "replace").strip()

    # ---- asking ----

    def ask(self, jobs: Iterable[Job], window: int = WINDOW) -> Iterator[tuple[Job, Outcome]]:
        """Every job with what came of it, in any order. All are answered for, whatever happens."""
        waiting = iter(jobs)
        self._sent.clear()  # whoever was asked before has been told what came of it
        while not self.stopped:
            try:
                if self._ready():
                    yield from self._exchange(waiting, window, self.limits.timeout)
                    return
            except _Broken as broken:
                yield from self._attributed(broken)
        for job in waiting:
            yield job, self._not_run()

    def _single(self, job: Job, timeout: float) -> Answer:
        """The answer to one request, asked alone."""
        ((_, answer),) = list(self._exchange(iter([job]), 1, timeout))
        return answer

    def _exchange(self, jobs: Iterator[Job], window: int, timeout: float) -> Iterator[tuple[Job, Answer]]:
        line, opened = self._line, self._open
        assert line is not None
        more, half = True, window // 2
        heard = tick = time.monotonic()
        while True:
            if more and len(opened) <= half and (line.unsent < ANSWER_ROOM or not opened):
                more = self._send(line, jobs, window)
                heard = time.monotonic()  # making requests takes time too
            # When all is answered, what has come beyond that is still looked at.
            lines = line.turn(TICK if opened else 0)
            if line.longest > ANSWER_ROOM:
                self._measure(line)
            for text in lines:
                yield self._answer(text)
                heard = 0.0
                if more and 0 < len(opened) <= half and line.unsent < ANSWER_ROOM:
                    more = self._send(line, jobs, window)  # so that it has work while the rest is judged
            if not opened and not more:
                return
            now = time.monotonic()
            heard = heard or now
            if line.ended and opened:
                raise _Broken("crash", "ended", line.ending())
            if now >= tick:
                tick = now + TICK
                self._look(line, heard, now, timeout)

    def _send(self, line: Line, jobs: Iterator[Job], window: int) -> bool:
        """Fill the window; whether there may be more."""
        opened = self._open
        parts: list[bytes] = []
        sent: list[Job] = []
        self._sent.append((self._number + 1, sent))
        state = (self._answered, time.monotonic())
        number, room = self._number, window - len(opened)
        more, size = True, 0
        for job in islice(jobs, room):
            number += 1
            opened[number] = (job, state)
            sent.append(job)
            parts += (line_id(number), job.end)
            size += len(job.end)
            if size >= ANSWER_ROOM:
                break
        else:
            more = len(sent) == room
        self._number = number
        for data in parts if size >= ANSWER_ROOM else (b"".join(parts),):
            line.send(data)
        return more

    def _answer(self, text: bytes) -> tuple[Job, Answer]:
        try:
            answer = parse_answer(text)
        except BadAnswer as problem:
            raise self._stray(f"wrote a line that is no answer, {problem}: {_line(text)}") from None
        opened = self._open
        number = answer.id
        if number is None:
            if len(opened) != 1 or answer.form != "error":
                raise self._stray(f"could not read a request, or answered without its id: {_line(text)}")
            (number,) = opened
        found = opened.pop(number, None)
        if found is None:
            raise self._not_open(number, text)
        self._answered += 1
        self._in_a_row = 0
        return found[0], answer

    def _stray(self, detail: str) -> _Broken:
        """What belongs to nothing is laid at the door of the last one answered, if nothing is open."""
        last = self._sent[-1][1] if self._sent and not self._open else []
        return _Broken("contract-error", "stray", detail, last[-1] if last else None)

    def _not_open(self, number: int, text: bytes) -> _Broken:
        culprit = next((sent[number - start] for start, sent in self._sent if 0 <= number - start < len(sent)), None)
        if culprit:
            return _Broken("contract-error", "stray", f"answered a request twice: {_line(text)}", culprit)
        which = "was given up before" if 0 < number <= self._number else "was never asked"
        return self._stray(f"answered id {number}, which {which}: {_line(text)}")

    def _largest(self) -> int:
        return max((len(job.end) for job, _ in self._open.values()), default=0)

    def _measure(self, line: Line) -> None:
        """A line of more than one read: whether it is longer than any answer."""
        most = ANSWER_ROOM + ANSWER_FACTOR * self._largest()
        if line.longest > most:
            raise _Broken("contract-error", "long-line", f"wrote more than {most:,} bytes without a line feed")
        line.longest = 0

    def _look(self, line: Line, heard: float, now: float, timeout: float) -> None:
        """At the clock and at memory."""
        opened = self._open
        if not opened:
            return
        if line.moved != self._moved:
            self._moved, self._moved_at = line.moved, now
        allowed = timeout * (1 + self._largest() * PER_BYTE)
        if now - heard > allowed and (now - self._moved_at > allowed or now - heard > STILL_MOVING * allowed):
            self._lost += now - heard
            how = "closed its input, and " if line.deaf else ""
            company = f" with {len(opened)} requests open" if len(opened) > 1 else ""
            raise _Broken("timeout", "silence", f"{how}gave no answer for {allowed:.1f} s{company}")
        answered, sent = next(iter(opened.values()))[1]
        if self._answered - answered > 4 * WINDOW and now - sent > allowed:
            raise _Broken("timeout", "silence", f"answered many later requests, and not this one for {allowed:.1f} s")
        if self.limits.memory and now >= self._weigh_at:
            self._weigh(line)

    def _weigh(self, line: Line) -> None:
        start = time.monotonic()
        taken = line.connection.memory()
        took = time.monotonic() - start
        self._weigh_at = start + min(5 * TICK, max(TICK, WEIGHING * took))
        if taken > self.limits.memory:
            raise _Broken("crash", "memory", f"took more than {self.limits.memory >> 20:,} MiB of memory")

    # ---- breaking down ----

    def _attributed(self, broken: _Broken) -> Iterator[tuple[Job, Outcome]]:
        """Ask again, each alone, whatever was open; whoever breaks it again is the one."""
        suspects = [job for job, _ in self._open.values()]
        stderr = self._broke_down(broken)
        found = broken.culprit is not None
        if broken.culprit is not None:
            yield broken.culprit, Fault(broken.status, broken.cause, broken.detail, stderr, on_top=True)
        first: tuple[Job, Outcome] | None = None
        for job in suspects:
            outcome = self._alone(job)
            found = found or _breaks(outcome)
            if first is None and not found:
                first = job, outcome
            else:
                yield job, outcome
        if first is not None:
            yield first if found else (first[0], self._unexplained(broken, stderr, first[1], len(suspects)))

    def _unexplained(self, broken: _Broken, stderr: str, outcome: Outcome, suspects: int) -> Fault:
        """What the oldest request is told if none has broken it again."""
        if isinstance(outcome, Fault):
            detail = f"{broken.detail}. It could not be asked again: {outcome.detail}"
            return Fault(broken.status, broken.cause, detail, stderr)
        detail = f"{broken.detail}. Asked again alone, none of the {suspects} requests open then did it"
        return Fault("flaky", broken.cause, detail, stderr)

    def _alone(self, job: Job) -> Outcome:
        if getattr(job.owner, "decided", False):
            return Fault("not-run", "stopped", "another request of this question has already broken it")
        fresh = self._line is None
        outcome = self._once(job)
        if fresh or not isinstance(outcome, Fault) or self.stopped:
            return outcome
        again = self._once(job)  # what was asked before may have brought it down
        if isinstance(again, Fault):
            return outcome if again.status == "not-run" else again
        detail = f"{outcome.detail}. Asked again in a fresh process, it was answered"
        return Fault("flaky", outcome.cause, detail, outcome.stderr)

    def _once(self, job: Job) -> Outcome:
        if not self._ready():
            return self._not_run()
        try:
            return self._single(job, self.limits.timeout)
        except _Broken as broken:
            return Fault(broken.status, broken.cause, broken.detail, self._broke_down(broken))

    def _broke_down(self, broken: _Broken) -> str:
        """Clear away what is left of a connection, and see whether it is worth going on."""
        start = time.monotonic()
        self._open.clear()
        self._sent.clear()
        words = self._end_line()
        self._in_a_row += 1
        self._lost += time.monotonic() - start
        if self._in_a_row >= self.limits.failures_in_a_row and not self._is_alive() and not self.stopped:
            often = f"it broke down {self._in_a_row} times in a row without one answer"
            self.stopped = f"{often}; the last time it {broken.detail}"
        return words

    def _is_alive(self) -> bool:
        """Whether it answers at all: then some requests break it, and the others are still to be asked."""
        if not self._ready():
            return False
        try:
            self._single(Job(probe_end()), self.limits.timeout)
        except _Broken:
            self._open.clear()
            self._end_line()
            return False
        return True

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
        if self._lost > self.limits.lost and not self.stopped:
            self.stopped = f"{self._lost:.0f} s were lost to {self.restarts} breakdowns"
        return not self.stopped

    def _not_run(self) -> Fault:
        return Fault("not-run", "stopped", self.stopped)


def _breaks(outcome: Outcome) -> bool:
    """Whether this is what brought the connection down: it does so again, or cannot be read."""
    return outcome.status != "not-run" if isinstance(outcome, Fault) else outcome.id is None


def _line(text: bytes) -> str:
    """The beginning of a line that an implementation wrote."""
    shown = text[:SHOWN].decode("utf-8", "replace")
    return shown if len(text) <= SHOWN else f"{shown}... ({len(text):,} bytes)"
