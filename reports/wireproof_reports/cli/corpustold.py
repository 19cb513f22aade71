"""What the commands of `wireproof corpus` print."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

from wireproof.verdict.statuses import BROKEN, CAUSES, STATUSES
from wireproof_harness.terminal import LABELS, Segment, entry, fit
from wireproof_reports.cli.tabular import table_lines

if TYPE_CHECKING:
    from wireproof_reports.corpus.outcome import Added
    from wireproof_reports.corpus.store import Manifest

Line = list[Segment]
MOST_CLAUSES: Final = 12
LONGEST_HEX: Final = 2000
AS_REFERENCE: Final = "as the reference"
WORDS: Final = {0: ("all agree", "good"), 1: ("they do not agree", "fault"), 5: ("incomplete", "fault")}


def generated_lines(manifest: Manifest, out: str, seconds: float) -> Iterator[Line]:
    rate = manifest.frames / max(seconds, 0.001)
    yield [Segment(f"{manifest.frames:,} frames", "heading"), Segment(f" in {out}, {seconds:.1f} s, {rate:,.0f}/s")]
    for label, counts in (("codecs", manifest.protocols), ("kinds", manifest.kinds), ("errors", manifest.errors)):
        yield from entry(label, ", ".join(f"{name} {count:,}" for name, count in counts.items()), 100)
    yield from entry("digest", f"{manifest.digest} (seed {manifest.recipe.seed})", 100)


def checked_lines(added: Added, out: str, width: int) -> Iterator[Line]:
    yield from table_lines(list(_status_rows(added)))
    yield [Segment("")]
    if added.clauses:
        rows = [
            {
                "implementation": row["implementation"],
                "protocol": row["protocol"],
                "clause": row["clause"] or "(valid frames)",
                "status": row["status"],
                "in which way": CAUSES.get(row["cause"], row["cause"]),
                "frames": row["frames"],
            }
            for row in added.clauses[:MOST_CLAUSES]
        ]
        yield from table_lines(rows)
        if len(added.clauses) > MOST_CLAUSES:
            yield [Segment(f"and {len(added.clauses) - MOST_CLAUSES} rows more in {out}/compliance", "label")]
        yield [Segment("")]
    for row in added.shown:
        yield from _disagreement(row, added.implementations, width)
    words, role = WORDS[added.exit_code]
    asked = f"{added.frames:,} frames, {len(added.statuses)} implementations"
    yield [Segment(f"{words}: ", role), Segment(f"{asked}, {added.differing:,} frames with different answers")]
    again = f"; {added.resumed} waves were there already" if added.resumed else ""
    yield [Segment(f"tables in {out}{again}", "label")]


def _status_rows(added: Added) -> Iterable[dict[str, Any]]:
    known = [status for status in STATUSES if any(counts.get(status) for counts in added.statuses.values())]
    for name, counts in added.statuses.items():
        missing = added.frames - sum(counts.values())
        row = {"implementation": name, "frames": added.frames, **{status: counts.get(status, 0) for status in known}}
        yield {**row, "not read": missing} if added.unreadable else row


def _disagreement(row: dict[str, Any], targets: dict[str, str], width: int) -> Iterator[Line]:
    about = f"{row['protocol']} {row['direction']}".strip()
    breaks = f"breaks {row['clause']} ({row['error']})" if row["clause"] else "valid"
    yield [Segment(f"frame {row['frame']}", "name"), Segment(f"  {about} {row['message']}, {row['kind']}, {breaks}")]
    for camp in row["camps"].split(" | "):
        who, _, said = camp.partition(": ")
        yield from entry(fit(who, 9), said, width)
    yield [Segment(f"  {'again':{LABELS}}", "label"), Segment(_again(row, targets))]
    yield [Segment("")]


def _again(row: dict[str, Any], targets: dict[str, str]) -> str:
    """The command that asks this of whoever differs first; on one line, to be copied."""
    camps = [camp.partition(": ") for camp in row["camps"].split(" | ")]
    who = next(who.partition(", ")[0] for who, _, said in camps if said != AS_REFERENCE)
    if len(row["hex"]) > LONGEST_HEX:
        return f"frame {row['frame']} of the corpus has {len(row['hex']) // 2:,} bytes"
    direction = {"direction": row["direction"]} if row["direction"] else {}
    question = {"op": "decode", "protocol": row["protocol"], **direction, **_profile(row), "hex": row["hex"]}
    return f"wireproof check {shlex.quote(targets[who])} --ask {shlex.quote(json.dumps(question))}"


def _profile(row: dict[str, Any]) -> dict[str, Any]:
    profile = json.loads(row["profile"])
    return {"profile": profile} if profile else {}


def checked_json(added: Added) -> dict[str, Any]:
    broken = {name: sum(counts.get(status, 0) for status in BROKEN) for name, counts in added.statuses.items()}
    return {**added._asdict(), "broken": broken, "exit_code": added.exit_code}
