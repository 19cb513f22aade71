"""The verdicts a reader wants to see one by one, and the reasons why questions were not executed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Final

import msgspec

from wireproof.suite.model import Suite
from wireproof.verdict.statuses import EXECUTED
from wireproof_harness.results import Verdict
from wireproof_reports.tally import EXAMPLES, Left, Sample


class Finding(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A question that was executed and did not pass. The log has its request and its answer."""

    question: str
    vector: str
    mode: str
    protocol: str
    level: str
    kind: str
    status: str
    clauses: list[str]
    title: str = ""
    """Of the vector, if this suite has it."""
    direction: str = ""
    error: str = ""
    cause: str = ""
    reason: str = ""
    detail: str = ""
    path: str = ""
    notes: list[str] = []
    requests: int = 1
    failed: int = 0
    known: str = ""
    """The reason that the baseline gives."""
    derived: bool = False


class Unasked(msgspec.Struct, frozen=True, kw_only=True):
    """Questions that were planned and not executed for the same reason."""

    status: str
    cause: str
    detail: str
    questions: int
    protocols: dict[str, int]
    examples: list[str]
    """The first few questions."""


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """What the baseline says of failures, and how many questions bear it out."""

    reason: str
    questions: int
    protocols: dict[str, int]
    examples: list[str]


SHOWN: Final = EXECUTED - {"pass"}
"""The statuses of findings."""


def findings(shown: Iterable[Verdict], suite: Suite | None) -> list[Finding]:
    """In the order of the log."""
    titles = {} if suite is None else {name: vector.title for name, vector in suite.by_id.items()}
    return [_finding(verdict, titles.get(verdict.vector, "")) for verdict in shown]


def _finding(verdict: Verdict, title: str) -> Finding:
    shared = {name: getattr(verdict, name) for name in Finding.__struct_fields__ if name != "title"}
    return Finding(title=title, **shared)


def unasked(left: Mapping[Left, Sample]) -> list[Unasked]:
    """Grouped by reason, the most frequent first."""
    groups: dict[tuple[str, str, str], dict[str, Sample]] = {}
    for (status, cause, detail, protocol), sample in left.items():
        groups.setdefault((status, cause, detail), {})[protocol] = sample
    rows = [
        Unasked(
            status=status,
            cause=cause,
            detail=detail,
            questions=sum(sample.questions for sample in members.values()),
            protocols={protocol: members[protocol].questions for protocol in sorted(members)},
            examples=_examples(members.values()),
        )
        for (status, cause, detail), members in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.questions, row.status, row.cause, row.detail))


def _examples(samples: Iterable[Sample]) -> list[str]:
    places = sorted(chain.from_iterable(sample.first for sample in samples))
    return [question for _, question in places[:EXAMPLES]]


def known(shown: Iterable[Verdict]) -> list[Known]:
    """Known failures that did fail, grouped by the reason given, the most frequent first."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in shown:
        if verdict.status == "known-fail":
            groups.setdefault(verdict.known, []).append(verdict)
    rows = [
        Known(
            reason=reason,
            questions=len(members),
            protocols=dict(sorted(Counter(member.protocol for member in members).items())),
            examples=[member.question for member in members[:EXAMPLES]],
        )
        for reason, members in groups.items()
    ]
    return sorted(rows, key=lambda row: (-row.questions, row.reason))
