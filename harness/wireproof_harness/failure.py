"""A verdict that is not a pass, explained: the bytes, what was expected and what came, the rule, and what to do."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from wireproof.annotate import Field, Item, annotate
from wireproof.clauses import clauses, rule_text
from wireproof.errors import ERROR_CLASSES
from wireproof.suite.causes import causes
from wireproof.suite.model import LARGE, Suite, Vector
from wireproof.suite.patch import Fields
from wireproof.suite.render import rendered
from wireproof.suite.wording import expectation_words
from wireproof.trace import Span
from wireproof.verdict.questions import MODES
from wireproof.verdict.statuses import CAUSES, STATUSES
from wireproof_harness.claims import Claims, declared_profile
from wireproof_harness.cli.dump import Line, dump
from wireproof_harness.cli.sidebyside import side_by_side
from wireproof_harness.results import Header, Verdict
from wireproof_harness.shorten import shortened
from wireproof_harness.terminal import LABELS, Segment, entry, json_line

LONGEST: Final = 600
RULES_SHOWN: Final = 3
STDERR_LINES: Final = 8

ADVICE: Final[dict[str, tuple[str, ...]]] = {
    "shape": ("docs/contract.md has the form of every answer; `wireproof doctor` says which part of it is missing.",),
    "error": ("The suite only asks well-formed questions: an exception inside the adapter often ends up here.",),
    "after": ("Hand a message over as soon as its last byte is there, and tell the chunk that brought it.",),
    "incomplete": ("An open stream that ends inside a message is incomplete; between two messages it is ok.",),
    "consumed": ("consumed is where the first byte stands that belongs to no complete message.",),
    "probe": ("Answer every operation that is not implemented with unsupported, so that the word means something.",),
    "ended": ("Run the command below: it asks this one question. The end of stderr often tells the place.",),
    "memory": ("A length from the wire was probably believed before it was compared with the bytes that are there.",),
    "silence": ("A loop that makes no progress on this input, or an answer that was not flushed.",),
    "stray": ("Nothing but answers may be written to the output; what is for people goes to stderr.",),
    "long-line": ("An answer ends with a line feed and is flushed; it is never much longer than its question.",),
    "bytes": ("An encoder has one right answer for each value: the shortest form, in the declared byte order.",),
    "delivered": ("Messages before the defect are complete, and count: they are told along with the rejection.",),
    "twin": ("Look at the twin first: as long as it is rejected, rejecting this one shows nothing.",),
}


def failure_lines(verdict: Verdict, header: Header, suite: Suite, width: int = 100) -> Iterator[Line]:
    """What a person needs to understand one verdict; of a long input what is around the mark."""
    return shortened(list(_lines(verdict, header, suite, width)))


def _lines(verdict: Verdict, header: Header, suite: Suite, width: int) -> Iterator[Line]:
    vector = _vector(verdict, header, suite)
    yield [
        Segment(verdict.question, "heading"),
        Segment(f"  {verdict.status}", "good" if verdict.status == "pass" else "fault"),
        Segment(f"  {CAUSES.get(verdict.cause) or STATUSES[verdict.status]}"),
    ]
    if vector is not None:
        yield from entry("vector", f"{vector.title} (level {verdict.level})", width)
        yield from entry("asked", _asked(verdict, vector), width)
        yield from _bytes(verdict, vector, width)
        yield from entry("expected", _expected(verdict, vector), width, "good")
    yield from _answered(verdict, width)
    if verdict.status != "unexpected-pass":
        if vector is not None:
            yield from _rules(verdict, vector, width)
        for advice in _advice(verdict):
            yield from entry("advice", advice, width)
    if verdict.known:
        yield from entry("baseline", verdict.known, width)
    yield [Segment(f"  {'again':{LABELS}}", "label"), Segment(repeat_command(verdict, header), "name")]


def _vector(verdict: Verdict, header: Header, suite: Suite) -> Vector | None:
    """The vector as it was asked; none for the probe, or if the suite no longer has it."""
    vector = suite.by_id.get(verdict.vector)
    if vector is None or not verdict.derived:
        return vector
    there = rendered(suite, vector, header.profiles.get(verdict.protocol, {}))
    return there if isinstance(there, Vector) else None


def repeat_command(verdict: Verdict, header: Header) -> str:
    """The line that asks this question again, and nothing else."""
    target = header.target if header.target.startswith("--listen") else shlex.quote(header.target)
    words = ["wireproof", "check", target]
    if verdict.kind != "probe":
        words += ["--id", shlex.quote(verdict.question)]
    for name, value in _said(verdict.protocol, header).items():
        words += ["--set", shlex.quote(f"{verdict.protocol}.{name}={value}")]
    return " ".join(words)


def _said(protocol: str, header: Header) -> dict[str, Any]:
    """What a user declared beyond what the implementation declares itself."""
    try:
        claims = msgspec.convert(header.implementation, Claims)
    except msgspec.ValidationError:  # a log of another version
        return {}
    claimed = claims.protocols.get(protocol)
    declared = declared_profile(protocol, claimed) if claimed else {}
    return {name: value for name, value in header.profiles.get(protocol, {}).items() if declared.get(name) != value}


def _asked(verdict: Verdict, vector: Vector) -> str:
    profile = ", ".join(f"{name}={value}" for name, value in vector.profile.items()) or "standard"
    words = f"{verdict.mode}: {MODES.get(verdict.mode, verdict.mode)}; {vector.protocol} {vector.direction}".rstrip()
    words += f", profile {profile}" + (", re-rendered for it" if verdict.derived else "")
    if verdict.requests > 1:
        words += f"; {verdict.failed} of {verdict.requests} requests failed"
    pieces = (verdict.request or {}).get("chunks", [])
    if 1 < len(pieces) <= 2:
        words += f", the first cut after byte {len(pieces[0]) // 2}"
    return words


def _expected(verdict: Verdict, vector: Vector) -> str:
    if verdict.mode == "encode" and vector.kind == "accept":
        return "the bytes above"
    if verdict.mode == "half":
        return "incomplete: 1 message, and a second one that has begun"
    if verdict.mode == "two":
        return f"{expectation_words(vector)}, and the same again"
    return expectation_words(vector)


def _bytes(verdict: Verdict, vector: Vector, width: int) -> Iterator[Line]:
    yield []
    if vector.kind == "refuse":
        yield from entry("value", _short(vector.message), width)
    elif not vector.size:
        yield from entry("input", "no bytes at all", width)
    elif vector.size > LARGE:
        yield from entry("input", f"{vector.size:,} bytes; `wireproof show {vector.id}` shows them", width)
    else:
        trace = vector.codec.trace(vector.data)
        items = _marked(annotate(vector.codec, trace), _place(verdict, vector))
        yield from dump(vector.data, items, width)
        yield from _other_bytes(verdict, vector)
    yield []


def _other_bytes(verdict: Verdict, vector: Vector) -> Iterator[Line]:
    answer = verdict.answer if isinstance(verdict.answer, dict) else {}
    text = answer["ok"].get("hex") if isinstance(answer.get("ok"), dict) else None
    if verdict.cause == "bytes" and isinstance(text, str) and len(vector.expect.accept or ()) == 1:
        yield []
        yield from side_by_side(vector.data, bytes.fromhex(text), ("expected", "written"))


def _place(verdict: Verdict, vector: Vector) -> tuple[int, int] | None:
    """The bytes to be marked: the field that was read wrongly, or where it was rejected."""
    if verdict.path:
        return _field_at(verdict.path, vector)
    answer = verdict.answer if isinstance(verdict.answer, dict) else {}
    rejection = answer.get("reject")
    if verdict.cause == "rejected" and isinstance(rejection, dict) and type(rejection.get("offset")) is int:
        return rejection["offset"], rejection["offset"] + 1
    return None


def _field_at(path: str, vector: Vector) -> tuple[int, int] | None:
    """Where the field stands that `[0].command.topics[1]` names."""
    number, _, inside = path.removeprefix("[").partition("]")
    messages = Fields(vector.codec, vector.data).messages
    if not number.isdecimal() or int(number) >= len(messages):
        return None
    return _span(inside.removeprefix("."), messages[int(number)])


def _span(path: str, spans: list[Span]) -> tuple[int, int] | None:
    exact = [span for span in spans if span.path == path and span.stop > span.start]
    below = [span for span in spans if span.path.startswith(path)]
    above = [span for span in spans if span.path and path.startswith(span.path)]
    found = exact[-1:] or below[:1] or sorted(above, key=lambda span: len(span.path))[-1:]
    return (found[0].start, found[0].stop) if found else None


def _marked(items: list[Item], place: tuple[int, int] | None) -> list[Item]:
    if place is None:
        return items
    start, stop = place
    marked = [item._replace(fault=None) if isinstance(item, Field) else item for item in items]
    for number, item in enumerate(marked):
        if isinstance(item, Field) and item.start <= start < max(item.stop, item.start + 1) and item.start < stop:
            marked[number] = item._replace(fault=start)
            break
    return marked


def _answered(verdict: Verdict, width: int) -> Iterator[Line]:
    if verdict.detail:
        yield from entry("came", verdict.detail, width, "fault")
    if verdict.answer is not None:
        yield from entry("answer", _short(verdict.answer), width)
    for note in verdict.notes:
        yield from entry("note", note, width)
    for line in verdict.stderr.splitlines()[-STDERR_LINES:]:
        yield [Segment(f"  {'stderr':{LABELS}}", "label"), Segment(line[:width], "undecoded")]


def _rules(verdict: Verdict, vector: Vector, width: int) -> Iterator[Line]:
    if verdict.error:
        yield from entry("meaning", f"{verdict.error}: {ERROR_CLASSES[verdict.error]}", width)
    for clause in sorted(vector.clauses, key=lambda clause: not _decides(clause, verdict))[:RULES_SHOWN]:
        yield from entry("rule", f"{clause}  {rule_text(vector.protocol, clause)}", width)
    yield from entry("matters", vector.why, width)


def _decides(clause: str, verdict: Verdict) -> bool:
    """Whether a clause says that it is rejected so; for what is accepted, what was left open decides."""
    known = clauses(verdict.protocol).get(clause)
    return verdict.error in (known.rejects + known.refuses) if known else not verdict.error


def _advice(verdict: Verdict) -> tuple[str, ...]:
    if verdict.cause in ADVICE:
        return ADVICE[verdict.cause]
    if verdict.kind == "probe" or verdict.status in ("unsupported", "not-run"):
        return ()
    return causes(verdict.error)[:2]


def _short(value: Any) -> str:
    text = json_line(value, "utf-8")
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}... ({len(text):,} characters)"
