"""One connection to the patient: lines out, lines in, and a wait that ends when nothing more can be hoped for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from wireproof_harness.contract import ANSWER_ROOM
from wireproof_harness.doctor.activity import Activity, close_input, unread
from wireproof_harness.line import Line
from wireproof_harness.transports.connection import CannotStart, Transport

TICK: Final = 0.05
MOST_LINES: Final = 5_000
"""More lines than this for the few requests of an examination are a flood."""
SOCKET_FACTOR: Final = 2.5
"""Behind a socket nothing is seen of the process: there the clock alone decides, and gets more time."""
UNREAD_FACTOR: Final = 4


class Clock:
    """How long the examination may take, and each wait in it."""

    def __init__(self, scale: float = 1.0, total: float = 8.5) -> None:
        self.scale = scale
        self.begin = time.monotonic()
        self.end = self.begin + total * scale

    def until(self, seconds: float) -> float:
        return min(time.monotonic() + seconds * self.scale, self.end)

    @property
    def left(self) -> float:
        return max(0.0, self.end - time.monotonic())

    @property
    def spent(self) -> float:
        return time.monotonic() - self.begin


class Limits(NamedTuple):
    """When a wait is given up: after so long at rest, or so long altogether."""

    rest: float
    most: float


HELLO: Final = Limits(0.4, 5.0)
ANSWER: Final = Limits(1.5, 2.5)
MOMENT: Final = Limits(0.3, 1.0)


class Heard(Line):
    """A line whose unfinished rest can be looked at."""

    @property
    def rest(self) -> bytes:
        return bytes(self._incoming[:4096])


class Talk:
    """An open connection; `lines` has all that came and was not taken."""

    def __init__(self, transport: Transport, clock: Clock, memory: int = 0) -> None:
        patience = min(clock.left, HELLO.most * clock.scale)
        if patience <= 0:
            raise CannotStart("the time for this examination is over")
        self.clock = clock
        self.line = Heard(transport.open(patience))
        self.activity = Activity(self.line.connection)
        self.lines: list[bytes] = []
        self.flooded = False
        self.memory = memory
        self.greedy = False
        self._count = 0
        self._closed = False

    def send(self, data: bytes) -> None:
        self.line.send(data)

    def hear(self, enough: Callable[[list[bytes]], bool], limits: Limits) -> bool:
        """Listen until there is enough; False if it ended, flooded, or came to rest without."""
        most = self.clock.until(limits.most)
        rest = limits.rest * self.clock.scale * (1 if self.activity.known else SOCKET_FACTOR)
        last = time.monotonic()
        while not enough(self.lines):
            now = time.monotonic()
            if self.line.ended or self.flooded or self.greedy or now >= most or now - last > rest * self._slack():
                return False
            before = self.line.unfinished
            self._take(self.line.turn(TICK))
            if self.line.unfinished != before or (time.monotonic() - now >= TICK / 2 and self._at_work()):
                last = time.monotonic()
        return True

    def _take(self, lines: list[bytes]) -> None:
        self.lines += lines
        self._count += len(lines)
        self.flooded = self._count > MOST_LINES or self.line.unfinished > ANSWER_ROOM
        del self.lines[MOST_LINES:]

    def _at_work(self) -> bool:
        self.greedy = bool(self.memory) and self.line.connection.memory() > self.memory
        return self.activity.busy()

    def _slack(self) -> int:
        """Whoever has not even read the request may still be starting, somewhere out of sight."""
        return 1 if self.has_read else UNREAD_FACTOR

    @property
    def ended(self) -> bool:
        return self.line.ended

    @property
    def has_read(self) -> bool:
        """Whether it has taken what was sent, as far as that can be seen."""
        return not unread(self.line.connection)

    def end_input(self) -> None:
        close_input(self.line.connection)

    def ending(self) -> str:
        return self.line.ending()

    def stderr(self) -> str:
        return self.line.stderr()[-2000:].decode("utf-8", "replace").strip()

    def close(self, patience: float = 0.0) -> None:
        if not self._closed:
            self._closed = True
            self.line.close(patience)
