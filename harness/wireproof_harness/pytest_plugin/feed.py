"""Verdicts for items, asked ahead: while pytest deals with one stretch of vectors, a thread asks about the next.

With xdist each worker has an implementation of its own. What a worker will be given is not
known to it, but it is handed out in stretches, so that the vectors that follow are a good guess.
"""

from __future__ import annotations

import gc
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, NoReturn

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

AHEAD: Final = 64
"""So many vectors are asked for in one go."""
AHEAD_OF_A_WORKER: Final = 16
COULD_NOT_START: Final = 3


class CouldNotAsk(Exception):
    """Nothing could be asked: an error, not a failure of a vector."""


class NoLog:
    """pytest keeps the results here."""

    def write(self, record: Record) -> None:
        pass

    def flush(self) -> None:
        pass


class Feed:
    """An implementation that is asked about the vectors that come next."""

    def __init__(self, settled: Settled, suite: Suite, order: list[str], ahead: int) -> None:
        self.suite = suite
        self._order = order
        self._place = {name: place for place, name in enumerate(order)}
        self._ahead = ahead
        self._known: dict[str, list[Verdict]] = {}
        self._thread = ThreadPoolExecutor(1, "wireproof")
        self._coming: Future[dict[str, list[Verdict]]] | None = None
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

    def verdicts(self, vector_id: str) -> list[Verdict]:
        """What came of each question about a vector."""
        place = self._place[vector_id]
        if vector_id not in self._known:
            self._take()
        if vector_id not in self._known:  # it was not guessed that this one would be next
            self._begin(place)
            self._take()
        if self._coming is None:
            self._begin(place + 1)
        return self._known.pop(vector_id)

    def _begin(self, place: int) -> None:
        """Let the thread ask about the next stretch that nothing is known of."""
        names = [name for name in self._order[place : place + 2 * self._ahead] if name not in self._known]
        if names:
            self._coming = self._thread.submit(self._ask, names[: self._ahead])

    def _take(self) -> None:
        if self._coming is not None:
            found, self._coming = self._coming, None
            self._known |= found.result()

    def _ask(self, names: list[str]) -> dict[str, list[Verdict]]:
        """Ask about some vectors, and about the twins of those that are rejected."""
        questions: dict[str, Planned] = {}
        for name in names:
            for each in self._planned.get(name, ()):
                twin = each.question.vector.twin if each.question.vector.kind == "reject" else ""
                questions |= {found.question.id: found for found in self._decode_of(twin)}
                questions[each.question.id] = each
        asked = Plan(list(questions.values()), {})
        runner = Runner(asked, self._asker, self._claims, NoLog(), baseline=self._baseline, done=[self.probe])
        runner.run()
        gc.freeze()  # what there is stays: looking through it again and again takes much of pytest's time
        found: dict[str, list[Verdict]] = {name: [] for name in names}
        for verdict in runner.verdicts[1:]:
            if verdict.vector in found:
                found[verdict.vector].append(verdict)
        return found

    def _decode_of(self, twin: str) -> list[Planned]:
        return [each for each in self._planned.get(twin, ()) if each.question.mode == "decode"]

    def close(self) -> None:
        """What is under way ends with the request that is open, at its deadline at the latest."""
        self._asker.stopped = "the run has ended"
        self._thread.shutdown(wait=True)
        self._asker.close()
        gc.unfreeze()


def started(session: pytest.Session) -> Feed:
    """A feed for the vectors of a session; where it cannot be had, the run ends."""
    from wireproof_harness.pytest_plugin.items import VectorItem

    config = session.config
    items: list[VectorItem] = [item for item in session.items if isinstance(item, VectorItem)]
    settled = config.stash[SETTLED]
    ahead = AHEAD_OF_A_WORKER if config.stash[SUMMARY].is_worker else AHEAD
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
