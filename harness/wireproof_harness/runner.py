"""A run: ask every planned question, judge the answers, and log a verdict for each in planned order."""

from __future__ import annotations

import gc
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, Protocol

from wireproof.verdict import BROKEN, Answer
from wireproof_harness.baseline import Baseline
from wireproof_harness.claims import Claims
from wireproof_harness.pending import About, Pending, not_asked, probe_verdict, verdict_on
from wireproof_harness.plan import Plan, Planned
from wireproof_harness.results import Record, Verdict
from wireproof_harness.supervisor import Asker, Job

BATCH: Final = 32
"""Questions in the first stretch; failures are asked again, and verdicts logged, after each."""
LARGEST_BATCH: Final = 1024
BRISK: Final = 0.5
"""A stretch that took less than so many seconds is followed by one twice as long, another by one half as long."""
AGAIN: Final = 2
"""How often a failure is asked again, alone."""
NOT_ACCEPTED: Final = BROKEN | {"known-fail"} - {"unexpected-pass"}
DOUBTED: Final = frozenset({"fail", "warn", "contract-error"})


class Writer(Protocol):
    """Where verdicts go."""

    def write(self, record: Record) -> None: ...
    def flush(self) -> None: ...


Progress = Callable[[int, Counter[str]], None]


class Runner:
    """Asks and judges; what came of it is in the log and in `verdicts`."""

    def __init__(
        self,
        plan: Plan,
        asker: Asker,
        claims: Claims,
        log: Writer,
        *,
        baseline: Baseline | None = None,
        seed: int = 0,
        done: list[Verdict] | None = None,
        progress: Progress = lambda done, counts: None,
    ) -> None:
        self.plan = plan
        self.asker = asker
        self.claims = claims
        self.log = log
        self.baseline = baseline or Baseline([])
        self.seed = seed
        self.verdicts: list[Verdict] = []
        self.counts: Counter[str] = Counter()
        self._progress = progress
        self._early: dict[int, Verdict] = {}
        self._resumed = done or []
        self._not_accepted: set[str] = set()
        """Vectors that should have been accepted whole, and were not."""

    def run(self) -> None:
        """Every question of the plan gets its verdict."""
        for verdict in self._resumed:
            self._count(verdict)
        if not self.verdicts:
            self._tell(probe_verdict(self.asker))
        ahead = list(enumerate(self.plan.questions))[len(self.verdicts) - 1 :]
        if self.seed:
            Random(self.seed).shuffle(ahead)
        with _rare_collection():
            start, size = 0, BATCH
            while start < len(ahead):
                begun = time.monotonic()
                self._batch(ahead[start : start + size])
                self.log.flush()
                self._progress(len(self.verdicts) + len(self._early), self.counts)
                start += size
                brisk = time.monotonic() - begun < BRISK
                size = min(LARGEST_BATCH, 2 * size) if brisk else max(1, size // 2)

    def _batch(self, numbered: list[tuple[int, Planned]]) -> None:
        finished: list[Pending] = []
        for job, outcome in self.asker.ask(self._jobs(numbered, finished)):
            pending: Pending = job.owner
            if pending.take(job.index, outcome):
                finished.append(pending)
        told = {pending.number: self._again(pending) for pending in finished}
        for number, planned in numbered:
            verdict = told.get(number)
            self._early[number] = verdict or not_asked(planned, self.asker.stopped)
        while (verdict := self._early.pop(len(self.verdicts) - 1, None)) is not None:
            self._tell(verdict)

    def _jobs(self, numbered: list[tuple[int, Planned]], finished: list[Pending]) -> Iterator[Job]:
        about: About | None = None
        for number, planned in numbered:
            if planned.cause or self.asker.stopped:
                continue
            question = planned.question
            if about is None or about.vector is not question.vector:
                about = About(question.vector, self.claims)
            pending = Pending(number, question, about)
            if (yield from pending.jobs()):
                finished.append(pending)

    def _again(self, pending: Pending) -> Verdict:
        """The verdict; a failure is asked again alone, and told as flaky if it does not stay the same."""
        verdict = verdict_on(pending)
        if pending.worst.status not in DOUBTED or not isinstance(pending.outcome, Answer) or self.asker.stopped:
            return verdict
        for _ in range(AGAIN):
            for _, outcome in self.asker.ask([Job(pending.end(pending.first))], 1):
                other = pending.judged(pending.first, outcome)
                if other.status == "not-run":  # it has been given up meanwhile, and this stays as it was
                    return verdict
                if (other.status, other.cause, other.detail) != (pending.worst[0], pending.worst[1], pending.worst[2]):
                    was = f"{pending.worst.status}: {pending.worst.detail or pending.worst.cause}"
                    now = f"{other.status}: {other.detail or other.cause or 'right'}"
                    verdict.status, verdict.detail = "flaky", f"{was}; asked again alone, {now}"
                    return verdict
        return verdict

    def _tell(self, verdict: Verdict) -> None:
        """Say a verdict in its turn: the twin has been told before, and the baseline has its word."""
        if verdict.kind == "reject" and verdict.status == "pass" and self._twin() in self._not_accepted:
            verdict.status, verdict.cause = "warn", "twin"
            verdict.detail = f"its valid twin {self._twin()} is not accepted either, so this rejection proves nothing"
        self.baseline.apply(verdict)
        self.log.write(verdict)
        self._count(verdict)

    def _twin(self) -> str:
        """Of the vector whose verdict is told next."""
        return self.plan.questions[len(self.verdicts) - 1].question.vector.twin

    def _count(self, verdict: Verdict) -> None:
        if verdict.kind == "accept" and verdict.mode == "decode" and verdict.status in NOT_ACCEPTED:
            self._not_accepted.add(verdict.vector)
        self.verdicts.append(verdict)
        self.counts[verdict.status] += 1


@contextmanager
def _rare_collection() -> Iterator[None]:
    """The suite is large and stays: looking through it again and again for garbage takes much of a run's time."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
