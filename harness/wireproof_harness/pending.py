"""A question under way, and the verdict it comes to."""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, Final

from wireproof.suite.model import Vector
from wireproof.verdict import Answer, Judge, Judgement, Question
from wireproof.verdict.answers import content_of
from wireproof.verdict.judge import PASS
from wireproof_harness import jsonlines
from wireproof_harness.claims import Claims
from wireproof_harness.contract import PROBE, line_end, line_start, probe_end
from wireproof_harness.plan import PROBE_ID, Planned
from wireproof_harness.results import Verdict
from wireproof_harness.supervisor import Asker, Fault, Job, Outcome

LONGEST_KEPT: Final = 8192
"""Bytes of a request or an answer that are kept in the log."""
LONGEST_STDERR: Final = 2000
UNREADABLE: Final = "the answer is nested too deep, or has a number of too many digits, to be read"
SEVERITY: Final = ("crash", "timeout", "contract-error", "flaky", "fail", "warn", "unsupported", "not-run", "pass")
DECIDING: Final = frozenset({"crash", "timeout", "contract-error"})


class About:
    """What all questions about a vector share."""

    __slots__ = ("judge", "start", "vector")

    def __init__(self, vector: Vector, claims: Claims) -> None:
        self.vector = vector
        self.start = line_start(vector)
        order = claims.protocols[vector.protocol].map_order == "kept"
        self.judge = Judge(vector, reasons=claims.states_reasons, map_order=order)


class Pending:
    """A question under way: the requests it takes, and the worst that came of them."""

    __slots__ = (
        "about",
        "decided",
        "done",
        "failed",
        "first",
        "notes",
        "number",
        "outcome",
        "question",
        "reason",
        "requests",
        "seconds",
        "worst",
    )

    def __init__(self, number: int, question: Question, about: About) -> None:
        self.number = number
        self.question = question
        self.about = about
        self.requests = list(question.requests())
        self.seconds = time.perf_counter()
        self.done = 0
        self.failed = 0
        self.decided = False
        self.worst = PASS
        self.first = -1
        self.outcome: Outcome | None = None
        self.notes: tuple[str, ...] = ()
        self.reason = ""

    def jobs(self) -> Generator[Job, None, bool]:
        """The requests; at the end, whether it is finished without another outcome to take."""
        for index in range(len(self.requests)):
            if self.decided:  # it has broken down over an earlier one: the verdict will not get better
                self.done += len(self.requests) - index
                if self.done < len(self.requests):
                    return False
                self.seconds = time.perf_counter() - self.seconds
                return True
            yield Job(self.end(index), self, index)
        return False

    def end(self, index: int) -> bytes:
        return line_end(self.requests[index], self.about.start)

    def take(self, index: int, outcome: Outcome) -> bool:
        """Note what came of a request; whether that was the last one."""
        self.done += 1
        judgement = self.judged(index, outcome)
        if judgement is not PASS:
            self._note(judgement, index, outcome)
            if isinstance(outcome, Fault) and outcome.on_top:
                self.done -= 1  # it was counted when it was answered
                return False
        if self.done < len(self.requests):
            return False
        self.seconds = time.perf_counter() - self.seconds
        return True

    def judged(self, index: int, outcome: Outcome) -> Judgement:
        if isinstance(outcome, Answer):
            try:
                return self.about.judge.judge(self.requests[index], outcome)
            except (ValueError, RecursionError):
                return Judgement("contract-error", "shape", UNREADABLE)
        return Judgement(outcome.status, outcome.cause, outcome.detail)

    def _note(self, judgement: Judgement, index: int, outcome: Outcome) -> None:
        if judgement.note and judgement.note not in self.notes:
            self.notes += (judgement.note,)
        if judgement.status == "pass":
            self.reason = judgement.reason
        elif not (self.decided and judgement.status == "not-run"):
            self.failed += 1
            self.decided = self.decided or judgement.status in DECIDING
            if SEVERITY.index(judgement.status) < SEVERITY.index(self.worst.status):
                self.worst, self.first, self.outcome = judgement, index, outcome


def verdict_on(pending: Pending) -> Verdict:
    """What came of a question, as the log tells it."""
    worst, vector = pending.worst, pending.question.vector
    status = worst.status
    if status == "fail" and vector.level == "recommended":
        status = "warn"
    verdict = blank(pending.question, status)
    verdict.requests = len(pending.requests)
    verdict.seconds = round(pending.seconds, 6)
    verdict.reason = worst.reason or pending.reason
    if pending.notes:
        verdict.notes = list(pending.notes)
    if pending.first >= 0:
        verdict.cause, verdict.detail, verdict.path = worst.cause, worst.detail, worst.path
        verdict.failed = pending.failed
        verdict.request = _kept_request(pending, pending.first)
        if isinstance(pending.outcome, Answer):
            verdict.answer = _kept_answer(pending.outcome)
        elif pending.outcome is not None:
            verdict.stderr = pending.outcome.stderr[-LONGEST_STDERR:]
    return verdict


def blank(question: Question, status: str) -> Verdict:
    """A verdict without anything but the question and a status."""
    vector: Vector = question.vector
    return Verdict(
        f"{vector.id}/{question.mode}",
        vector.id,
        question.mode,
        vector.protocol,
        vector.direction,
        vector.level,
        vector.kind,
        vector.clauses,
        status,
        vector.expect.reject or vector.expect.refuse,
        derived=vector.derived,
    )


def _kept_request(pending: Pending, index: int) -> dict[str, Any] | None:
    end = pending.end(index)
    if len(end) > LONGEST_KEPT:
        return None
    found: dict[str, Any] = jsonlines.parse(b"{" + end[1:])
    return found


def _kept_answer(answer: Answer) -> Any:
    if len(answer.content) > LONGEST_KEPT:
        start = answer.content[:LONGEST_KEPT].decode("utf-8", "replace")
        return {answer.form: f"{start}... ({len(answer.content):,} bytes)"}
    try:
        return {answer.form: content_of(answer)}
    except (ValueError, RecursionError):
        return {answer.form: answer.content.decode("utf-8", "replace")}


def not_asked(planned: Planned, stopped: str) -> Verdict:
    """The verdict on a question that was planned and not asked."""
    verdict = blank(planned.question, "unsupported" if planned.cause else "not-run")
    verdict.cause, verdict.detail = planned.cause or "stopped", planned.reason or stopped
    verdict.requests = 0
    return verdict


def probe_verdict(asker: Asker) -> Verdict:
    """Whether an implementation says so when it is asked for something that does not exist."""
    ((_, outcome),) = asker.ask([Job(probe_end())], 1)
    verdict = Verdict(PROBE_ID, "CONTRACT-PROBE", "probe", "contract", "", "required", "probe", [], "pass")
    if isinstance(outcome, Fault):
        verdict.status, verdict.cause, verdict.detail = outcome.status, outcome.cause, outcome.detail
        verdict.stderr = outcome.stderr[-LONGEST_STDERR:]
    elif outcome.form != "unsupported":
        verdict.status, verdict.cause = "contract-error", "probe"
        verdict.detail = f"the operation {PROBE!r} does not exist; it was answered with {outcome.form}"
        verdict.answer = _kept_answer(outcome)
    if verdict.status != "pass":
        verdict.failed = 1
        verdict.request = {"op": PROBE}
    return verdict
