"""A run: ask every planned question, judge the answers, and log a verdict for each in planned order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Final

from wireproof.verdict import BROKEN, Answer, Judge
from wireproof_harness.baseline import Baseline
from wireproof_harness.claims import Claims
from wireproof_harness.contract import line_end
from wireproof_harness.pending import Pending, not_asked, probe_verdict, verdict_on
from wireproof_harness.plan import Plan, Planned
from wireproof_harness.results import Log, Verdict
from wireproof_harness.supervisor import Asker, Job

BATCH: Final = 512
"""Questions between two times of asking failures again."""
AGAIN: Final = 2
"""How often a failure is asked again, alone."""
NOT_ACCEPTED: Final = BROKEN | {"known-fail"} - {"unexpected-pass"}
DOUBTED: Final = frozenset({"fail", "warn", "contract-error"})

Progress = Callable[[int, Counter[str]], None]


class Runner:
    """Asks and judges; what came of it is in the log and in `verdicts`."""

    def __init__(
        self,
        plan: Plan,
        asker: Asker,
        claims: Claims,
        log: Log,
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
        self._map_order = {name: claimed.map_order == "kept" for name, claimed in claims.protocols.items()}

    def run(self) -> None:
        """Every question of the plan gets its verdict."""
        for verdict in self._resumed:
            self._count(verdict)
        if not self.verdicts:
            self._tell(probe_verdict(self.asker))
        ahead = list(enumerate(self.plan.questions))[len(self.verdicts) - 1 :]
        if self.seed:
            Random(self.seed).shuffle(ahead)
        for start in range(0, len(ahead), BATCH):
            self._batch(ahead[start : start + BATCH])
            self.log.flush()
            self._progress(len(self.verdicts) + len(self._early), self.counts)

    def _batch(self, numbered: list[tuple[int, Planned]]) -> None:
        finished: list[Pending] = []
        for job, outcome in self.asker.ask(self._jobs(numbered)):
            pending: Pending = job.owner
            if pending.take(job.index, outcome):
                finished.append(pending)
        told = {pending.number: self._again(pending) for pending in finished}
        for number, planned in numbered:
            verdict = told.get(number)
            self._early[number] = verdict or not_asked(planned, self.asker.stopped)
        while (verdict := self._early.pop(len(self.verdicts) - 1, None)) is not None:
            self._tell(verdict)

    def _jobs(self, numbered: list[tuple[int, Planned]]) -> Iterator[Job]:
        reasons = self.claims.states_reasons
        for number, planned in numbered:
            if planned.cause or self.asker.stopped:
                continue
            question = planned.question
            order = self._map_order[question.vector.protocol]
            yield from Pending(number, question, Judge(question, reasons=reasons, map_order=order)).jobs()

    def _again(self, pending: Pending) -> Verdict:
        """The verdict; a failure is asked again alone, and told as flaky if it does not stay the same."""
        verdict = verdict_on(pending)
        if pending.worst.status not in DOUBTED or not isinstance(pending.outcome, Answer) or self.asker.stopped:
            return verdict
        assert pending.first is not None
        end = line_end(pending.requests[pending.first], pending.start)
        for _ in range(AGAIN):
            for _, outcome in self.asker.ask([Job(end)], 1):
                other = pending.judged(pending.first, outcome)
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
