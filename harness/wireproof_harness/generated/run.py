"""A run of generated questions: what was kept from earlier ones first, then so many frames for each protocol."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final

from wireproof import PROTOCOLS
from wireproof.profile import Settings, parameters
from wireproof_harness.claims import Claims, declared_profile
from wireproof_harness.generated.asking import Exchange, askable, compared, shrunk
from wireproof_harness.generated.comparison import Answer, Question
from wireproof_harness.generated.examples import place_of, read_examples, write_examples
from wireproof_harness.generated.questions import Frames, Scope
from wireproof_harness.peer import Peer
from wireproof_harness.reference import answer
from wireproof_harness.target import Target

BATCH: Final = 256
MOST_BREAKDOWNS: Final = 12
LONGEST_LOST: Final = 40.0
"""Seconds that batches with breakdowns may take; then nothing new is learnt from more of them."""
MOST_SHRUNK: Final = 25
Progress = Callable[[str, int, int], None]
"""Told the protocol, its frames so far and the disagreements."""


@dataclass
class Disagreement:
    """One kind of disagreement: how often, and the smallest question that shows it."""

    exchange: Exchange
    count: int = 1
    in_pieces: int = 0
    """Streams of the same bytes that disagree in the same way: one mistake, told once."""
    known: bool = False
    """It was found in an earlier run."""
    frame: int = 0
    """It was found with this frame, counted from 1; 0 for one that was kept."""
    seconds: float = 0
    """Spent on making it small."""


@dataclass
class Result:
    """What came of one protocol."""

    protocol: str
    frames: int = 0
    planned: int = 0
    generated: int = 0
    asked: int = 0
    unsupported: int = 0
    not_run: int = 0
    improper: int = 0
    """Generated values without the shape of a message: the contract promises that nobody is asked about them."""
    seconds: float = 0
    unclaimed: Counter[str] = field(default_factory=Counter)
    notes: Counter[str] = field(default_factory=Counter)
    disagreements: dict[str, Disagreement] = field(default_factory=dict)
    mended: list[Question] = field(default_factory=list)
    repeated: int = 0
    """Examples of earlier runs that were asked again."""
    stopped: str = ""
    breakdowns: int = 0
    lost: float = 0

    @property
    def compared(self) -> int:
        return self.asked - self.unsupported - self.not_run


@dataclass
class Outcome:
    """What came of a run."""

    target: Target
    claims: Claims
    seed: int
    results: list[Result]
    unclaimed: list[str]
    """Protocols that were selected and are not claimed."""

    @property
    def exit_code(self) -> int:
        if any(result.disagreements for result in self.results):
            return 1
        whole = all(result.frames == result.planned for result in self.results)
        return 0 if whole and any(result.compared for result in self.results) else 5


def run(
    target: Target,
    *,
    frames: int,
    seed: int,
    protocols: Sequence[str] = (),
    declared: Mapping[str, Settings] | None = None,
    scale: float = 1.0,
    sandbox: bool = False,
    progress: Progress = lambda protocol, frames, disagreements: None,
) -> Outcome:
    """Ask, compare, make small, and keep what was found for the next run."""
    peer = Peer(target.open(scale=scale, sandbox=sandbox))
    try:
        selected = protocols or PROTOCOLS
        claimed = [name for name in selected if name in peer.claims.protocols]
        examples = _Examples(place_of(target))
        results = []
        for name in claimed:
            scope = _scope(name, peer.claims, (declared or {}).get(name, {}))
            results.append(_Protocol(scope, peer, progress).run(frames, seed, examples))
        examples.write(results)
        return Outcome(target, peer.claims, seed, results, [name for name in selected if name not in claimed])
    finally:
        peer.close()


def _scope(name: str, claims: Claims, said: Settings) -> Scope:
    stated = declared_profile(name, claims.protocols[name]) | said
    known = parameters(name)
    changed = {key: value for key, value in stated.items() if value != known[key].default}
    return Scope(name, changed, claims.protocols[name])


class _Examples:
    """What earlier runs found."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.kept = read_examples(path)

    def of(self, scope: Scope) -> list[Question]:
        """Those that can be asked now: under this profile, and of what is claimed."""
        return [
            question
            for question in self.kept
            if question["protocol"] == scope.protocol
            and question.get("profile", {}) == scope.profile
            and question.get("direction") in scope.directions
            and not scope.unclaimed(question)
        ]

    def write(self, results: Sequence[Result]) -> None:
        """The newest first: if there are too many, the oldest go."""
        found = [each.exchange for result in results for each in result.disagreements.values()]
        new = [{key: value for key, value in each.question.items() if key != "id"} for each in found]
        mended = [question for result in results for question in result.mended]
        write_examples(self.path, [*new, *(each for each in self.kept if each not in mended and each not in new)])


class _Protocol:
    """The questions about one protocol."""

    def __init__(self, scope: Scope, peer: Peer, progress: Progress) -> None:
        self.scope = scope
        self.peer = peer
        self.progress = progress
        self.result = Result(scope.protocol)

    def run(self, frames: int, seed: int, examples: _Examples) -> Result:
        start = time.monotonic()
        result = self.result
        result.planned = frames
        self._again(examples.of(self.scope))
        if not self.scope.directions:
            result.planned = 0
        questions = Frames(self.scope, seed).questions(result.planned)
        while not result.stopped and (batch := list(islice(questions, BATCH))):
            self._batch(batch)
            self.progress(result.protocol, result.frames, len(result.disagreements))
        for each in list(result.disagreements.values())[:MOST_SHRUNK]:
            begun = time.monotonic()
            each.exchange = shrunk(each.exchange, self.peer)
            each.seconds = time.monotonic() - begun
        result.seconds = time.monotonic() - start
        return result

    def _again(self, kept: list[Question]) -> None:
        asked = [({"id": number, **each}, answer({"id": number, **each})) for number, each in enumerate(kept, 1)]
        self.result.repeated = len(asked)
        for each, question in zip(self._exchanges(asked), kept, strict=True):
            if each.finding.kind:
                self._note(each, known=True)
            elif "unsupported" not in each.given and not each.status:
                self.result.mended.append(question)

    def _batch(self, batch: list[Question]) -> None:
        result = self.result
        result.generated += len(batch)
        asked: list[tuple[Question, Answer]] = []
        frame_of: dict[int, int] = {}
        frames = result.frames
        for question in batch:
            frame_of[question["id"]] = frames + 1
            frames += question["op"] == "stream"  # the last question about a frame
            reason = self.scope.unclaimed(question)
            if reason:
                result.unclaimed[reason] += 1
            elif askable(right := answer(question)):
                asked.append((question, right))
            else:
                result.improper += 1
        before: Exchange | None = None
        for each in self._exchanges(asked):
            self._settle(each, before, frame_of[each.question["id"]])
            before = each
        result.frames = frames

    def _exchanges(self, asked: list[tuple[Question, Answer]]) -> list[Exchange]:
        result = self.result
        start = time.monotonic()
        found = compared(asked, self.peer.ask([question for question, _ in asked]), self.peer.claims)
        result.asked += len(asked)
        result.unsupported += sum("unsupported" in each.given for each in found)
        result.not_run += sum(each.status == "not-run" for each in found)
        broken = sum(bool(each.status) and each.status != "not-run" for each in found)
        if broken:
            result.breakdowns += broken
            result.lost += time.monotonic() - start
        result.stopped = self._why_stop(found)
        return found

    def _why_stop(self, found: list[Exchange]) -> str:
        gone = next((each for each in found if each.status == "not-run"), None)
        if gone is not None:
            return str(gone.given["fault"]["detail"])
        if self.result.breakdowns >= MOST_BREAKDOWNS or self.result.lost > LONGEST_LOST:
            return f"it broke down {self.result.breakdowns} times; put these right, then ask for more"
        return ""

    def _settle(self, each: Exchange, before: Exchange | None, frame: int) -> None:
        if each.status == "not-run":
            return
        if each.finding.note:
            self.result.notes[each.finding.note] += 1
        if not each.finding.kind:
            return
        if before is not None and _same_whole(each, before):
            self.result.disagreements[before.finding.kind].in_pieces += 1
            return
        self._note(each, frame=frame)

    def _note(self, each: Exchange, *, known: bool = False, frame: int = 0) -> None:
        there = self.result.disagreements.get(each.finding.kind)
        if there is None:
            self.result.disagreements[each.finding.kind] = Disagreement(each, known=known, frame=frame)
        else:
            there.count += 1


def _same_whole(stream: Exchange, decode: Exchange) -> bool:
    """Whether the same bytes, asked whole, disagree in the same way."""
    if stream.question["op"] != "stream" or decode.question["op"] != "decode":
        return False
    same_bytes = "".join(stream.question["chunks"]) == decode.question["hex"]
    kinds = [each.finding.kind.partition(":")[2] for each in (stream, decode)]
    return same_bytes and kinds[0] == kinds[1]
