"""`wireproof check --generate` and `--ask`: what came of generated questions, for people and for programs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any, Final

from wireproof.suite.model import Suite
from wireproof_harness.cli.dump import Line, dump
from wireproof_harness.cli.sidebyside import side_by_side
from wireproof_harness.generated.asking import Exchange, exchange, without_id
from wireproof_harness.generated.explaining import explain
from wireproof_harness.generated.rendering import repeat_command, snippet
from wireproof_harness.generated.run import Disagreement, Outcome, Result
from wireproof_harness.generated.vectors import entries
from wireproof_harness.peer import Peer
from wireproof_harness.target import Target
from wireproof_harness.terminal import LABELS, Segment, entry, json_line

LONGEST: Final = 600
EVERY: Final = 0.1
MANY_BYTES: Final = 4096
NOTHING_COMPARED: Final = 5


class Meter:
    """How far it is, on a terminal's stderr; nothing elsewhere."""

    def __init__(self, frames: int) -> None:
        self.frames = frames
        self.on = sys.stderr.isatty()
        self.shown = 0.0

    def show(self, protocol: str, done: int, disagreements: int) -> None:
        now = time.monotonic()
        if not self.on or now - self.shown < EVERY:
            return
        self.shown = now
        found = f", {_kinds(disagreements)} of disagreement" if disagreements else ""
        sys.stderr.write(f"\r\x1b[K{protocol}: {done:,} of {self.frames:,} frames{found}")
        sys.stderr.flush()

    def close(self) -> None:
        if self.on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


# ---- for people ----


def told(outcome: Outcome, suite: Suite, shown: int, width: int) -> Iterator[Line]:
    """Everything about a run, a protocol after the other."""
    claims = outcome.claims
    yield [Segment(f"{claims.name} {claims.version}".rstrip(), "heading"), Segment(f"  {outcome.target.text}", "label")]
    yield from entry("seed", f"{outcome.seed}; the same seed asks the same questions", width)
    if outcome.unclaimed:
        yield from entry("unclaimed", f"not asked about: {', '.join(outcome.unclaimed)}", width)
    number = 0
    for result in outcome.results:
        yield []
        yield from _counts(result, width)
        found = ordered(result)
        for each in found[:shown]:
            number += 1
            yield []
            yield from _disagreement(each, outcome.target, number, suite, width)
        for each in found[shown:]:
            yield from _briefly(each, outcome.target)
    yield []
    yield from _closing(outcome)


def ordered(result: Result) -> list[Disagreement]:
    return sorted(result.disagreements.values(), key=lambda each: -each.count)


def _counts(result: Result, width: int) -> Iterator[Line]:
    kinds = len(result.disagreements)
    times = sum(each.count + each.in_pieces for each in result.disagreements.values())
    verdict = f"{_kinds(kinds)} of disagreement, {times:,} in all" if kinds else "no disagreement"
    if not result.compared:
        verdict = "nothing was compared"
    whole = f"{result.frames:,} frames, {result.asked:,} questions asked, {result.seconds:.1f} s: "
    role = "good" if result.compared and not kinds else "fault"
    yield [Segment(f"{result.protocol:<11}", "heading"), Segment(whole), Segment(verdict, role)]
    for label, text in _remarks(result):
        yield from entry(label, text, width)


def _kinds(number: int) -> str:
    return "1 kind" if number == 1 else f"{number} kinds"


def _remarks(result: Result) -> Iterator[tuple[str, str]]:
    """What was not asked, not answered, or let pass."""
    if result.frames < result.planned:
        yield "stopped", f"{result.planned - result.frames:,} of {result.planned:,} frames not asked: {result.stopped}"
    for reason, count in result.unclaimed.most_common():
        yield "not asked", f"{count:,} questions, since it does not claim {reason}"
    if result.improper:
        yield "not asked", f"{result.improper:,} values without the shape of a message, which the contract rules out"
    if result.unsupported:
        yield "no answer", f"{result.unsupported:,} questions answered unsupported, and not compared"
    if result.not_run:
        yield "no answer", f"{result.not_run:,} questions, since it did not start any more"
    for note, count in result.notes.most_common():
        yield "let pass", f"{count:,} times: {note}"
    if result.repeated:
        yield "earlier", f"examples of earlier runs asked again: {result.repeated}, mended: {len(result.mended)}"
    for question in result.mended:
        yield "mended", _short(question)


def _disagreement(each: Disagreement, target: Target, number: int, suite: Suite, width: int) -> Iterator[Line]:
    yield [Segment(f"{number}  {each.exchange.finding.kind}", "fault"), Segment(f"  {_how_often(each)}", "label")]
    yield from exchange_lines(each.exchange, width)
    again = repeat_command(each.exchange, target)
    yield [Segment(f"  {'again':{LABELS}}", "label"), Segment(again, "name")]
    yield [
        Segment("  as a vector, with the reference's answer: work it out from the clauses before you keep it", "label")
    ]
    yield from ([Segment(f"    {line}")] for line in entries(each.exchange, number, suite).splitlines())
    yield [Segment("  as a test for pytest", "label")]
    yield from ([Segment(f"    {line}")] for line in snippet(each.exchange, target, number).splitlines())


def _how_often(each: Disagreement) -> str:
    words = _times(each.count)
    words += f", and {_times(each.in_pieces)} in pieces" if each.in_pieces else ""
    where = "kept from an earlier run" if each.known else f"first with frame {each.frame:,}"
    return f"{words}; {where}; made small in {each.seconds:.1f} s"


def _times(number: int) -> str:
    return "once" if number == 1 else f"{number:,} times"


def _briefly(each: Disagreement, target: Target) -> Iterator[Line]:
    yield [Segment(f"   {each.exchange.finding.kind}", "fault"), Segment(f"  {_how_often(each)}", "label")]
    yield [Segment(f"  {'again':{LABELS}}", "label"), Segment(repeat_command(each.exchange, target), "name")]


def exchange_lines(found: Exchange, width: int) -> Iterator[Line]:
    """The bytes, both answers side by side, and the rule."""
    question, explanation = found.question, explain(found)
    profile = ", ".join(f"{key}={value}" for key, value in question.get("profile", {}).items()) or "standard"
    direction = f" {question['direction']}" if "direction" in question else ""
    yield from entry("asked", f"{_asked(question)}; {question['protocol']}{direction}, profile {profile}", width)
    if explanation.data is not None and len(explanation.data) <= MANY_BYTES:
        yield []
        yield from dump(explanation.data, explanation.items, width)
        yield []
    if explanation.written is not None and explanation.data is not None and found.finding.kind:
        yield from side_by_side(explanation.data, explanation.written, ("reference", "implementation"))
        yield []
    yield from entry("reference", _reference(found, explanation.path), width, "good")
    yield from entry("answered", _short(without_id(found.given)), width, "fault" if found.finding.kind else "good")
    if found.finding.words:
        yield from entry("differs", found.finding.words, width)
    if found.finding.note:
        yield from entry("note", found.finding.note, width)
    if explanation.clause:
        yield from entry("rule", f"{explanation.clause}  {explanation.rule}", width)


def _asked(question: dict[str, Any]) -> str:
    if question["op"] == "encode":
        return f"encode {_short(question['value'])}"
    if question["op"] == "decode":
        return "decode, the whole input"
    end = "ended" if question.get("eof", True) else "still open"
    return f"stream in pieces of {', '.join(str(len(piece) // 2) for piece in question['chunks'])} bytes, {end}"


def _reference(found: Exchange, path: str) -> str:
    rejection = found.right.get("reject")
    if rejection is None:
        return _short(without_id(found.right))
    before = len(rejection.get("messages", ()))
    after = f", after {before} messages" if before else ""
    return f"rejected: {rejection.get('detail', rejection['error'])}{after}"


def _closing(outcome: Outcome) -> Iterator[Line]:
    asked = sum(result.asked for result in outcome.results)
    matched = sum(result.compared for result in outcome.results)
    kinds = sum(len(result.disagreements) for result in outcome.results)
    figures = f"{asked:,} questions asked, {matched:,} compared, seed {outcome.seed}"
    if kinds:
        yield [Segment(f"disagrees with the reference: {_kinds(kinds)}", "fault"), Segment(f"; {figures}")]
    elif outcome.exit_code == 0:
        yield [Segment("agrees with the reference", "good"), Segment(f"; {figures}")]
    else:
        words = "incomplete: not everything was asked" if matched else "nothing was asked, so nothing is shown"
        yield [Segment(words, "fault"), Segment(f"; {figures}. `wireproof doctor` says what is claimed.")]


def _short(value: Any) -> str:
    text = json_line(value, "utf-8")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"


# ---- one question ----


def asked_one(target: Target, question: dict[str, Any], scale: float, sandbox: bool) -> Exchange:
    peer = Peer(target.open(scale=scale, sandbox=sandbox))
    try:
        (found,) = exchange(peer, [{"id": 1, **question}])
        return found
    finally:
        peer.close()


def verdict_of(found: Exchange) -> tuple[int, str]:
    """The exit code for one question, and its words."""
    if "unsupported" in found.given or found.status == "not-run":
        return NOTHING_COMPARED, "not answered, so there is nothing to compare"
    if found.finding.kind:
        return 1, f"they disagree: {found.finding.kind}"
    return 0, "they agree"
