"""Whether a log can be counted, how far it can be believed, and what it therefore says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

import msgspec

from wireproof.suite.model import Suite
from wireproof.verdict.statuses import BROKEN, STATUSES
from wireproof_harness.claims import Claims
from wireproof_harness.plan import PROBE_ID, Selection, plan
from wireproof_harness.results import (
    CONFORMS,
    DOES_NOT,
    INCOMPLETE,
    LOG,
    BadLog,
    Footer,
    Header,
    Run,
    verdict_of,
)

CONTRACT: Final = "contract"
"""What stands for a protocol in the verdict on the probe."""
SEVERITY: Final = (CONFORMS, DOES_NOT, INCOMPLETE)
RUN_AGAIN: Final = "Run `wireproof check` again."


def check(run: Run) -> None:
    """BadLog if the verdicts do not count each planned question at most once."""
    if run.header.log != LOG:
        raise BadLog(f"the log has form {run.header.log}, this suite reads {LOG}. Use the suite that wrote it.")
    for verdict in run.verdicts:
        if verdict.status not in STATUSES:
            raise BadLog(f"{verdict.question[:80]!r} has an unknown status, {verdict.status[:40]!r}. {RUN_AGAIN}")
    twice = [question for question, number in Counter(v.question for v in run.verdicts).items() if number > 1]
    if twice:
        raise BadLog(f"the log has two verdicts on {twice[0][:80]!r}, and a question counts once. {RUN_AGAIN}")
    if len(run.verdicts) > run.header.planned:
        raise BadLog(f"the log has {len(run.verdicts):,} verdicts and {run.header.planned:,} were planned. {RUN_AGAIN}")


def judged(header: Header, footer: Footer | None, counts: dict[str, int]) -> str:
    """What the run says of the implementation: never more than its verdicts bear out, or than the run itself said."""
    if footer is None or _miscounted(footer, counts):
        return INCOMPLETE
    # A run under --strict counts warnings as failures, which only its own word shows.
    said = footer.verdict if footer.verdict in SEVERITY else INCOMPLETE
    return max(said, verdict_of(counts, header.planned), key=SEVERITY.index)


def doubts(header: Header, footer: Footer | None, counts: dict[str, int], suite: Suite | None) -> Iterator[str]:
    """Why the run says less than it could, or what to bear in mind: sentences."""
    missing = header.planned - sum(counts.values())
    if footer is None:
        planned = header.planned
        yield f"The run did not come to its end: {missing:,} of {planned:,} planned questions have no verdict."
    elif _miscounted(footer, counts):
        yield "The log's last line counts other verdicts than the log holds. Run again: lines were lost or added."
    elif missing:
        yield f"{missing:,} of {header.planned:,} planned questions have no verdict."
    if counts["not-run"]:
        why = footer.stopped if footer is not None else ""
        yield f"{counts['not-run']:,} questions were planned and not asked{f': {why}' if why else ''}."
    if sum(counts.values()) == counts["unsupported"] + counts["not-run"]:
        yield "No question was executed, so nothing is known of the implementation."
    broken = sum(counts[status] for status in BROKEN)
    if broken and judged(header, footer, counts) == INCOMPLETE:
        yield f"What was seen does not conform: {broken:,} questions were not answered rightly."
    if suite is not None and suite.digest != header.digest:
        yield "The run used other vectors than this suite has: titles and rules may have changed since."


def _miscounted(footer: Footer, counts: Mapping[str, int]) -> bool:
    said = {status: number for status, number in footer.counts.items() if number}
    return said != {status: number for status, number in counts.items() if number}


def planned_questions(header: Header, suite: Suite | None) -> dict[str, str]:
    """What was planned, each question with its protocol; empty where that cannot be told.

    Which questions are planned depends on the suite and the selection alone: claims and profiles say how
    they are asked, or that they are not.
    """
    if suite is None or suite.digest != header.digest:
        return {}
    try:
        selection = msgspec.convert(header.selection, Selection)
    except msgspec.ValidationError:
        return {}
    questions = [each.question for each in plan(suite, Claims(1, "", {}), selection).questions]
    protocols = {PROBE_ID: CONTRACT} | {question.id: question.vector.protocol for question in questions}
    return protocols if len(protocols) == header.planned else {}


def unreported(run: Run, suite: Suite | None) -> dict[str, int]:
    """By protocol, what was planned and has no verdict; empty where that cannot be told."""
    if len(run.verdicts) == run.header.planned:
        return {}
    protocols = planned_questions(run.header, suite)
    reported = {verdict.question for verdict in run.verdicts}
    if not reported <= protocols.keys():
        return {}
    return dict(Counter(protocol for question, protocol in protocols.items() if question not in reported))
