"""The report in short, as Markdown: for a pull request or the summary of a job.

Texts of an implementation stand in code spans, where they can neither mention anybody,
nor load anything, nor end the table they are in.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from wireproof.verdict.statuses import STATUSES
from wireproof_harness.terminal import clean
from wireproof_reports.choice import Group, choose
from wireproof_reports.headline import LOUD, first_to_look_at, who
from wireproof_reports.model import ReportModel
from wireproof_reports.view import cause_words, date_of, profile_words, selection_words

FAILURES: Final = 10
ROWS: Final = 12
LONGEST: Final = 160
PLAIN: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ,.:;/'()=-]*")
LINK: Final = re.compile(r"://|www\.", re.IGNORECASE)


def markdown(model: ReportModel) -> str:
    """A report that fits into a comment."""
    groups = choose(model.findings)
    parts = [_head(model), _protocols(model), _wrong(groups), _failures(model, groups), _unasked(model), _known(model)]
    return "\n\n".join("\n".join(lines) for lines in map(list, parts) if lines) + "\n"


def code(text: str, longest: int = LONGEST) -> str:
    """A text that nothing can break out of, on one line, in or outside a table."""
    shown = clean(text if len(text) <= longest else f"{text[:longest]}…").replace("|", "\\|")
    if not shown.strip():
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", shown)), default=0))
    room = " " if "`" in shown else ""
    return f"{fence}{room}{shown}{room}{fence}"


def words(text: str, longest: int = LONGEST) -> str:
    """A text as it is if it cannot mean anything in Markdown, and otherwise in a code span."""
    return text if PLAIN.fullmatch(text) and len(text) <= longest and not LINK.search(text) else code(text, longest)


def _head(model: ReportModel) -> Iterator[str]:
    totals, run = model.totals, model.run
    yield f"## {LOUD[model.verdict]}: {code(who(model), 80)}"
    yield ""
    for doubt in model.doubts:
        yield f"> **{words(doubt, 400)}**"
        yield ""
    figures = f"{totals.planned:,} planned, {totals.executed:,} executed, {totals.passed:,} passed"
    rest = f", {totals.unreported:,} without a verdict" if totals.unreported else ""
    yield f"**{figures}{rest}**"
    yield ""
    asked = words(selection_words(run.selection))
    yield f"Suite {words(run.suite, 40)}, profile {words(profile_words(run.profiles))}, asked: {asked}, {_date(model)}."
    yield ""
    yield _sentence(words(first_to_look_at(model), 500))


def _date(model: ReportModel) -> str:
    return words(date_of(model.run.started), 60) or "date not stated"


def _protocols(model: ReportModel) -> Iterator[str]:
    used = [status for status in STATUSES if status != "pass" and status in model.totals.statuses]
    extra = ["no verdict"] if model.totals.unreported else []
    yield from _row(["protocol", "planned", "executed", "pass", *used, *extra])
    yield from _row(["---", *["---:"] * (3 + len(used) + len(extra))])
    for row in model.protocols:
        numbers = [row.questions + row.unreported, row.executed, row.passed]
        numbers += [row.statuses.get(status, 0) for status in used] + ([row.unreported] if extra else [])
        yield from _row([code(row.protocol, 40), *(f"{number:,}" if number else "0" for number in numbers)])
    placed = sum(row.unreported for row in model.protocols)
    if model.totals.unreported > placed:
        left = f"{model.totals.unreported - placed:,}"
        yield from _row(["not known", left, "0", "0", *["0"] * len(used), left])


def _wrong(groups: list[Group]) -> Iterator[str]:
    if not groups:
        return
    yield "### What is wrong"
    yield ""
    yield from _row(["protocol", "in which way", "status", "questions"])
    yield from _row(["---", "---", "---", "---:"])
    for group in groups[:ROWS]:
        way = cause_words(group.cause) or STATUSES[group.status]
        yield from _row([code(group.protocol, 40), words(way, 80), group.status, f"{group.size:,}"])
    if len(groups) > ROWS:
        yield ""
        yield f"and {len(groups) - ROWS} more ways; the page has all."


def _failures(model: ReportModel, groups: list[Group]) -> Iterator[str]:
    """The first of each group in turn, failures before warnings."""
    broken = [group for group in groups if group.broken]
    turns = max((len(group.full) for group in broken), default=0)
    chosen = [group.full[turn] for turn in range(turns) for group in broken if turn < len(group.full)][:FAILURES]
    if not chosen:
        return
    yield f"### First failures ({len(chosen)} of {sum(group.size for group in broken):,})"
    yield ""
    for number in chosen:
        finding = model.findings[number]
        yield f"- {code(finding.question)} {finding.status}: {words(finding.detail) or STATUSES[finding.status]}"
    yield ""
    yield "`wireproof explain` with the id of a vector shows its bytes and its rule."


def _unasked(model: ReportModel) -> Iterator[str]:
    if not model.unasked:
        return
    yield "### Planned and not executed"
    yield ""
    for row in model.unasked[:ROWS]:
        why = words(cause_words(row.cause), 80) or STATUSES[row.status]
        detail = f" ({words(row.detail)})" if row.detail else ""
        yield f"- {row.questions:,} {row.status}: {why}{detail}"
    if len(model.unasked) > ROWS:
        yield f"- and {len(model.unasked) - ROWS:,} more reasons; the page has them."


def _known(model: ReportModel) -> Iterator[str]:
    if not model.known and not model.stale:
        return
    yield "### Known failures"
    yield ""
    for row in model.known[:ROWS]:
        yield f"- {row.questions:,}: {words(row.reason) or 'no reason given'}"
    if len(model.known) > ROWS:
        yield f"- and {len(model.known) - ROWS:,} more reasons; the page has them."
    if model.stale:
        listed = ", ".join(code(entry, 80) for entry in model.stale[:ROWS])
        yield f"- {counted(len(model.stale), 'baseline entry', 'baseline entries')} matched nothing; take out {listed}"


def counted(number: int, one: str, many: str) -> str:
    return f"1 {one}" if number == 1 else f"{number:,} {many}"


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith('.') else '.'}"


def _row(cells: Iterable[str]) -> Iterator[str]:
    yield f"| {' | '.join(cells)} |"
