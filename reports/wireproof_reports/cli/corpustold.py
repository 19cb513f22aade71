"""What the commands of `wireproof corpus` print."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from wireproof.verdict.statuses import BROKEN, CAUSES, STATUSES
from wireproof_harness.terminal import LABELS, Segment, entry
from wireproof_reports.cli.tabular import table_lines

if TYPE_CHECKING:
    from wireproof_reports.corpus.outcome import Added
    from wireproof_reports.corpus.store import Manifest

Line = list[Segment]
MOST_CLAUSES: Final = 12
LONGEST_HEX: Final = 2000
AS_REFERENCE: Final = "as the reference"
LONGEST_SHOWN: Final = 300
"""Letters of an answer on a screen; the table has more."""
WORDS: Final = {0: ("all agree", "good"), 1: ("they do not agree", "fault"), 5: ("incomplete", "fault")}


def generated_lines(manifest: Manifest, out: str, seconds: float) -> Iterator[Line]:
    rate = manifest.frames / max(seconds, 0.001)
    yield [Segment(f"{manifest.frames:,} frames", "heading"), Segment(f" in {out}, {seconds:.1f} s, {rate:,.0f}/s")]
    for label, counts in (("codecs", manifest.protocols), ("kinds", manifest.kinds), ("errors", manifest.errors)):
        yield from entry(label, ", ".join(f"{name} {count:,}" for name, count in counts.items()), 100)
    yield from entry("files", counted(len(manifest.files), "Parquet file"), 100)
    yield from entry("digest", f"{manifest.digest} (seed {manifest.recipe.seed})", 100)


def matrix_lines(rows: list[dict[str, Any]], frames: int, seconds: float) -> Iterator[Line]:
    named = [{**row, "message": row["message"] or "(none)", "error": row["error"] or "(accepted)"} for row in rows]
    yield from table_lines(named)
    found = sum(row["frames"] for row in rows)
    missing = f", of {frames:,} in the corpus" if found != frames else ""
    yield [Segment("")]
    rate = found / max(seconds, 0.001)
    yield [Segment(f"{found:,} frames", "heading"), Segment(f" decoded{missing}, {seconds:.1f} s, {rate:,.0f}/s")]


def checked_lines(added: Added, out: str, width: int) -> Iterator[Line]:
    yield from table_lines(list(_status_rows(added)))
    yield [Segment("")]
    if added.clauses:
        yield from table_lines([_clause_row(row) for row in added.clauses[:MOST_CLAUSES]])
        if len(added.clauses) > MOST_CLAUSES:
            yield [Segment(f"and {len(added.clauses) - MOST_CLAUSES} rows more in {out}/compliance", "label")]
        yield [Segment("")]
    for row in added.shown:
        yield from _disagreement(row, added.implementations, out, width)
    words, role = WORDS[added.exit_code]
    asked = f"{added.frames:,} frames, {counted(len(added.statuses), 'implementation')}"
    yield [Segment(f"{words}: ", role), Segment(f"{asked}, {added.differing:,} frames with different answers")]
    for reason in _missing(added):
        yield [Segment(reason, "fault")]
    again = f"; {added.resumed} of {added.waves} parts were asked before, and not again" if added.resumed else ""
    yield [Segment(f"tables in {out}{again}", "label")]


def counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _clause_row(row: dict[str, Any]) -> dict[str, Any]:
    return {
        "implementation": row["implementation"],
        "protocol": row["protocol"],
        "clause": row["clause"] or "(valid frames)",
        "status": row["status"],
        "in which way": CAUSES.get(row["cause"], row["cause"]),
        "frames": row["frames"],
        "example": str(row["example"]),
    }


def _status_rows(added: Added) -> Iterable[dict[str, Any]]:
    known = [status for status in STATUSES if any(counts.get(status) for counts in added.statuses.values())]
    for name, counts in added.statuses.items():
        missing = added.frames - sum(counts.values())
        row = {"implementation": name, "frames": added.frames, **{status: counts.get(status, 0) for status in known}}
        yield {**row, "not read": missing}


def _missing(added: Added) -> Iterator[str]:
    """Why it is incomplete."""
    for name, counts in added.statuses.items():
        missing = added.frames - sum(counts.values())
        if missing:
            yield f"{name} was not asked about {missing:,} of {added.frames:,} frames, which cannot be read"
        if counts.get("not-run"):
            yield f"{name} was not asked about {counts['not-run']:,} frames: it failed too often before"
        if not sum(counts.values()) - counts.get("unsupported", 0) - counts.get("not-run", 0):
            yield f"{name} has answered nothing"


def _disagreement(row: dict[str, Any], targets: dict[str, str], out: str, width: int) -> Iterator[Line]:
    about = f"{row['protocol']} {row['direction']}".strip()
    breaks = f"{row['mutation']} breaks {row['clause']}" if row["clause"] else "valid"
    alike = f", the shortest of {row['alike']:,} like it" if row["alike"] > 1 else ""
    yield [Segment(f"frame {row['frame']}", "name"), Segment(f"  {about} {row['message']}, {breaks}{alike}")]
    yield from entry("expected", _shortened(_expected(row["answer"])), width)
    for camp in sorted(row["camps"], key=lambda camp: camp["said"] != AS_REFERENCE):
        agrees = camp["said"] == AS_REFERENCE
        label, said = ("agrees", "") if agrees else ("differs", f": {_shortened(camp['said'])}")
        yield from entry(label, ", ".join(camp["implementations"]) + said, width)
    yield [Segment(f"  {'again':{LABELS}}", "label"), Segment(_again(row, targets, out))]
    yield [Segment("")]


def _expected(answer: str) -> str:
    ((form, content),) = json.loads(answer).items()
    if form == "reject":
        delivered = f" after {counted(len(content['messages']), 'message')}" if content["messages"] else ""
        return f"reject {content['error']} at byte {content['offset']}{delivered}"
    return f"{form} {json.dumps(content, ensure_ascii=False, separators=(',', ':'))}"


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}..."


def _again(row: dict[str, Any], targets: dict[str, str], out: str) -> str:
    """The command that asks this of whoever differs first; on one line, to be copied."""
    who = next(camp["implementations"][0] for camp in row["camps"] if camp["said"] != AS_REFERENCE)
    if len(row["hex"]) > LONGEST_HEX:
        return f"its {len(row['hex']) // 2:,} bytes are in {out}/disagreements, column hex"
    direction = {"direction": row["direction"]} if row["direction"] else {}
    question = {"op": "decode", "protocol": row["protocol"], **direction, **_profile(row), "hex": row["hex"]}
    return f"wireproof check {shlex.quote(targets[who])} --ask {shlex.quote(json.dumps(question))}"


def _profile(row: dict[str, Any]) -> dict[str, Any]:
    profile = json.loads(row["profile"])
    return {"profile": profile} if profile else {}


def checked_json(added: Added) -> dict[str, Any]:
    broken = {name: sum(counts.get(status, 0) for status in BROKEN) for name, counts in added.statuses.items()}
    return {**added._asdict(), "broken": broken, "exit_code": added.exit_code}
