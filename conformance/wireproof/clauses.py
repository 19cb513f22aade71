"""The clauses of the documents, in the suite's own words."""

from __future__ import annotations

from functools import cache

import msgspec

from wireproof.data import read_yaml
from wireproof.profile import profile_file


class Clause(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule of a document, and how it can be shown to hold."""

    id: str
    lines: str
    term: str
    level: str
    basis: str
    test: str
    rejects: list[str]
    rule: str
    reason: str = ""
    refuses: list[str] = []


class ClauseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a `clauses.yaml`."""

    protocol: str
    clauses: list[Clause]


@cache
def clauses(protocol: str) -> dict[str, Clause]:
    content = msgspec.convert(read_yaml(protocol, "clauses.yaml"), ClauseFile)
    return {clause.id: clause for clause in content.clauses}


def rule_text(protocol: str, reference: str) -> str:
    """What a clause or an open point says, in one sentence or two."""
    clause = clauses(protocol).get(reference)
    if clause is not None:
        return clause.rule
    for point in profile_file(protocol).open_points:
        if point.id == reference:
            return point.reading
    return ""
