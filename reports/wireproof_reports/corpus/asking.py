"""Asking an implementation about frames, inside a worker: one supervised testee for each task.

A frame is judged exactly as a golden vector is: its row is a vector whose right answer is the reference's.
"""

from __future__ import annotations

from binascii import hexlify
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import Final

import msgspec

from wireproof.suite.model import Expect, Vector
from wireproof.verdict import Answer, Judge, Judgement, Question
from wireproof.verdict.answers import content_of
from wireproof.verdict.compare import canonical
from wireproof.verdict.judge import PASS
from wireproof.verdict.questions import Request
from wireproof_harness import jsonlines
from wireproof_harness.claims import Claims, not_claimed
from wireproof_harness.contract import line_end, line_start
from wireproof_harness.pending import UNREADABLE
from wireproof_harness.runner import DOUBTED
from wireproof_harness.supervisor import Asker, Job, Outcome
from wireproof_reports.corpus.recipe import Source

LONGEST_SAID: Final = 2000
"""Letters of an answer that are kept."""
AS_REFERENCE: Final = "as the reference"

Row = tuple[int, int, bytes, str]
"""Frame, source, data, answer."""
Told = tuple[int, str, str, str, str, str, str]
"""Frame, status, cause, reason, detail, path, said."""


class Examiner:
    """Puts rows to one implementation."""

    def __init__(self, asker: Asker, claims: Claims, sources: list[Source]) -> None:
        self.asker = asker
        self.claims = claims
        self.sources = sources
        self.starts = [line_start(_vector(source, b"", Expect())) for source in sources]
        self._reasons: dict[int, str] = {}
        """For each source why it is not asked about, where that depends on the source alone."""

    def told(self, rows: Iterable[Row]) -> Iterator[Told]:
        """What came of each row, in order. What is wrong is asked again, and told as flaky if it changes."""
        asked: list[_Asked] = []
        found: dict[int, Told] = {}
        order: list[int] = []
        for row in rows:
            order.append(row[0])
            each = _Asked(row, self.sources[row[1]])
            reason = self._unclaimed(each)
            if reason:
                found[row[0]] = (row[0], "unsupported", "unclaimed", "", reason, "", "")
            else:
                asked.append(each)
        self._ask(asked)
        again = [each for each in asked if each.judgement.status in DOUBTED and isinstance(each.outcome, Answer)]
        before = {id(each): each.judgement for each in again}
        self._ask(again)
        for each in again:
            each.compare(before[id(each)])
        found |= {each.frame: each.told() for each in asked}
        for frame in order:
            yield found[frame]

    def _ask(self, asked: list[_Asked]) -> None:
        jobs = (Job(line_end(each.request, self.starts[each.place]), each) for each in asked)
        for job, outcome in self.asker.ask(jobs):
            job.owner.take(outcome, self.claims)

    def _unclaimed(self, each: _Asked) -> str:
        """Why an implementation is not asked about a row; what depends on the source alone is looked up once."""
        claimed = self.claims.protocols.get(self.sources[each.place].protocol)
        if claimed is not None and (claimed.messages is not None or claimed.limits):
            return not_claimed(Question(each.vector, "decode"), self.claims)
        if each.place not in self._reasons:
            self._reasons[each.place] = not_claimed(Question(each.vector, "decode"), self.claims)
        return self._reasons[each.place]


class _Asked:
    """A row that is being asked about."""

    __slots__ = ("answer", "data", "decided", "frame", "judgement", "outcome", "place", "request", "source")

    def __init__(self, row: Row, source: Source) -> None:
        self.frame, self.place, self.data, self.answer = row
        self.source = source
        self.request = Request("decode", (hexlify(self.data),))
        self.judgement = Judgement("not-run", "stopped", "the run ended before it was asked")
        self.outcome: Outcome | None = None
        self.decided = False

    @property
    def vector(self) -> Vector:
        ((form, content),) = jsonlines.parse(self.answer.encode()).items()
        if form == "ok":
            expect = Expect(accept=content["messages"])
        else:
            expect = Expect(reject=content["error"], offset=content["offset"], messages=content["messages"])
        return _vector(self.source, self.data, expect)

    def take(self, outcome: Outcome, claims: Claims) -> None:
        self.outcome = outcome
        if not isinstance(outcome, Answer):
            self.judgement = Judgement(outcome.status, outcome.cause, outcome.detail)
        elif f'{{"{outcome.form}":'.encode() + outcome.content + b"}" == self.answer.encode():
            self.judgement = PASS  # to the letter, as most right answers are
        else:
            self.judgement = self._judged(outcome, claims)

    def _judged(self, answer: Answer, claims: Claims) -> Judgement:
        order = claims.protocols[self.source.protocol].map_order == "kept"
        judge = Judge(self.vector, reasons=claims.states_reasons, map_order=order)
        try:
            return judge.judge(self.request, answer)
        except (ValueError, RecursionError):
            return Judgement("contract-error", "shape", UNREADABLE)

    def compare(self, before: Judgement) -> None:
        now = self.judgement
        if now.status == "not-run":
            self.judgement = before
        elif now[:3] != before[:3]:
            was = f"{before.status}: {before.detail or before.cause}"
            words = f"{was}; asked again, {now.status}: {now.detail or now.cause or 'right'}"
            self.judgement = Judgement("flaky", before.cause, words)

    def told(self) -> Told:
        judged = self.judgement
        return self.frame, judged.status, judged.cause, judged.reason, judged.detail, judged.path, self._said()

    def _said(self) -> str:
        """An answer in a form in which two that say the same are the same."""
        if self.judgement.status == "pass":
            return AS_REFERENCE
        if not isinstance(self.outcome, Answer):
            return self.judgement.status
        try:
            content = content_of(self.outcome)
            kept = {key: content[key] for key in ("error", "consumed", "messages") if key in content}
            text = f"{self.outcome.form} {canonical(kept).decode()}"
        except (ValueError, TypeError, RecursionError, OverflowError):
            text = f"{self.outcome.form} {self.outcome.content.decode('utf-8', 'replace')}"
        return _shortened(text)


def _shortened(text: str) -> str:
    """So that two long answers are still the same only if all of them is."""
    if len(text) <= LONGEST_SAID:
        return text
    return (
        f"{text[:LONGEST_SAID]}... ({len(text):,} letters, {sha256(text.encode('utf-8', 'replace')).hexdigest()[:16]})"
    )


def _vector(source: Source, data: bytes, expect: Expect) -> Vector:
    return Vector(
        id="",
        title="",
        clauses=[],
        level="required",
        expect=expect,
        why="",
        protocol=source.protocol,
        file="",
        line=0,
        direction=source.direction,
        profile=msgspec.to_builtins(source.profile),
        hex=data.hex(),
    )
