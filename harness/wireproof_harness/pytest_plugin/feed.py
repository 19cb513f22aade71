"""Verdicts for items, asked ahead: while pytest deals with one stretch of vectors, a thread asks about the next.

With xdist each worker has an implementation of its own. What a worker will be given is not
known to it, but it is handed out in stretches, so that the vectors that follow are a good guess.
"""

from __future__ import annotations

import gc
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NamedTuple, NoReturn

import pytest

from wireproof.errors import WireproofError
from wireproof_harness.baseline import Baseline
from wireproof_harness.pending import probe_verdict
from wireproof_harness.plan import Plan, Planned, plan
from wireproof_harness.pytest_plugin.settings import SETTLED
from wireproof_harness.pytest_plugin.summary import SUMMARY
from wireproof_harness.results import Record, Verdict
from wireproof_harness.runner import Runner
from wireproof_harness.session import Settled, header_of
from wireproof_harness.terminal import clean

if TYPE_CHECKING:
    from wireproof.suite import Suite
    from wireproof_harness.pytest_plugin.items import VectorItem

STRETCH: Final = 128
"""So many vectors are asked for in one go."""
STRETCHES: Final = 8
"""So many stretches are asked for ahead: a slow answer keeps pytest waiting only when it has run out of others."""
OF_A_WORKER: Final = (16, 1)
"""The same two numbers where it is less certain what comes next."""
COULD_NOT_START: Final = 3


class CouldNotAsk(Exception):
    """Nothing could be asked: an error, not a failure of a vector."""


class NoLog:
    """pytest keeps the results here."""

    def write(self, record: Record) -> None:
        pass

    def flush(self) -> None:
        pass


class Stretch(NamedTuple):
    """Vectors that are asked about together."""

    names: list[str]
    found: Future[dict[str, list[Verdict]]]


class Feed:
    """An implementation that is asked about the vectors that come next."""

    def __init__(self, settled: Settled, suite: Suite, order: list[str], ahead: tuple[int, int]) -> None:
        self.suite = suite
        self._order = order
        self._place = {name: place for place, name in enumerate(order)}
        self._stretch, self._stretches = ahead
        self._next = 0
        """Where in the order the next stretch begins."""
        self._known: dict[str, list[Verdict]] = {}
        self._coming: deque[Stretch] = deque()
        self._under_way: set[str] = set()
        """All vectors of the stretches that are coming."""
        self._thread = ThreadPoolExecutor(1, "wireproof")
        self._baseline = settled.baseline or Baseline([])
        self._asker = settled.target.open(scale=settled.scale)
        try:
            self._claims = self._asker.start()
            self.probe = probe_verdict(self._asker)
            self._baseline.apply(self.probe)
            planned = plan(suite, self._claims, settled.selection, settled.declared)
        except BaseException:
            self._asker.close()
            raise
        self.header = header_of(settled, suite, self._asker, self._claims, planned)
        self._planned: dict[str, list[Planned]] = {}
        for each in planned.questions:
            self._planned.setdefault(each.question.vector.id, []).append(each)
        self._twins: dict[str, Verdict] = {}
        """What came of the vectors that others are twins of, so that each is asked once."""

    def verdicts(self, vector_id: str) -> list[Verdict]:
        """What came of each question about a vector."""
        while vector_id not in self._known:
            if vector_id not in self._under_way:
                self._jump(self._place[vector_id])
            self._take()
        while len(self._coming) < self._stretches and self._next < len(self._order):
            self._begin()
        return self._known.pop(vector_id)

    def _jump(self, place: int) -> None:
        """It was not guessed that this one would be next: what nobody has begun to ask about can wait."""
        for stretch in [stretch for stretch in self._coming if stretch.found.cancel()]:
            self._coming.remove(stretch)
            self._under_way.difference_update(stretch.names)
        self._next = place
        self._begin()

    def _begin(self) -> None:
        """Let the thread ask about the next stretch that nothing is known of."""
        ahead = self._order[self._next : self._next + self._stretch]
        self._next += len(ahead)
        names = [name for name in ahead if name not in self._known and name not in self._under_way]
        if names:
            self._under_way.update(names)
            self._coming.append(Stretch(names, self._thread.submit(self._ask, names)))

    def _take(self) -> None:
        stretch = self._coming.popleft()
        self._under_way.difference_update(stretch.names)
        self._known |= stretch.found.result()

    def _ask(self, names: list[str]) -> dict[str, list[Verdict]]:
        """Ask about some vectors, and about the twins of those that are rejected, unless they are known."""
        found: dict[str, list[Verdict]] = {name: [] for name in names}
        told: dict[str, Planned] = {}
        asked: dict[str, Planned] = {}
        for each in (each for name in names for each in self._planned.get(name, ())):
            for twin in self._twin_of(each):
                known = twin.question.id in self._twins and twin.question.vector.id not in found
                (told if known else asked)[twin.question.id] = twin
            asked[each.question.id] = each
        both = Plan([*told.values(), *asked.values()], {})
        done = [self.probe, *(self._twins[question] for question in told)]
        runner = Runner(both, self._asker, self._claims, NoLog(), baseline=self._baseline, done=done)
        runner.run()
        gc.freeze()  # what there is stays: looking through it again and again takes much of pytest's time
        for verdict in runner.verdicts[len(done) :]:
            if verdict.kind == "accept" and verdict.mode == "decode":
                self._twins[verdict.question] = verdict
            if verdict.vector in found:
                found[verdict.vector].append(verdict)
        return found

    def _twin_of(self, planned: Planned) -> list[Planned]:
        vector = planned.question.vector
        if vector.kind != "reject":
            return []
        return [each for each in self._planned.get(vector.twin, ()) if each.question.mode == "decode"]

    def close(self) -> None:
        """What is under way ends with the request that is open, at its deadline at the latest."""
        self._asker.stopped = "the run has ended"
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._asker.close()
        # Garbage of other tests is still found by this; the vectors that stay need not be looked through at every
        # one of the collections that end a process, which takes longer than a thousand of them.
        gc.unfreeze()
        gc.collect()
        gc.freeze()


def started(session: pytest.Session) -> Feed:
    """A feed for the vectors of a session; where it cannot be had, the run ends."""
    from wireproof_harness.pytest_plugin.items import VectorItem

    config = session.config
    items: list[VectorItem] = [item for item in session.items if isinstance(item, VectorItem)]
    settled = config.stash[SETTLED]
    ahead = OF_A_WORKER if config.stash[SUMMARY].is_worker else (STRETCH, STRETCHES)
    try:
        feed = Feed(settled, items[0].suite, [item.vector.id for item in items], ahead)
    except WireproofError as problem:
        _cannot(session, f"{settled.target.text} could not be started: {problem}")
    if feed.probe.status not in ("pass", "known-fail"):
        config.stash[SUMMARY].probe = clean(f"{feed.probe.question}: {feed.probe.status}, {feed.probe.detail}")
    return feed


def _cannot(session: pytest.Session, problem: str) -> NoReturn:
    """Say so once: a worker reports its first item as an error, and runs no other."""
    advice = "`wireproof doctor` examines an adapter that does not start or answer."
    text = clean(" | ".join([*problem.splitlines(), advice]))
    summary = session.config.stash[SUMMARY]
    summary.give_up(text, COULD_NOT_START)
    if summary.is_worker:
        session.shouldfail = text
        raise CouldNotAsk(text)
    pytest.exit(text, COULD_NOT_START)
