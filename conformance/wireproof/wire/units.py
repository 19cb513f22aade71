"""The units of a message that is a series of them: which types there are, and what is done with each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wireproof.wire.base import Settling, resolve
from wireproof.wire.records import Record

if TYPE_CHECKING:
    from wireproof.definition import Plan

NEUTRAL, HEADER, BODY = 0, 1, 2
CATEGORIES = {"": NEUTRAL, "header": HEADER, "body": BODY}


@dataclass(frozen=True)
class Reject:
    """A type that must not be on the wire."""

    error: str
    clause: str
    expected: str


KEEP, SKIP = "keep", "skip"


@dataclass(frozen=True)
class Span(Settling):
    """A range of types without a message of their own, and what is done with them."""

    first: int
    last: int
    handling: Any
    """KEEP as it is, SKIP over it, or `Reject`."""
    refused: Reject | None = None
    """Why an encoder refuses these types, if it does."""


@dataclass(frozen=True)
class Sequence(Settling):
    """The rules of a message over its units."""

    record: type[Record]
    key: str
    opaque: type[Record]
    spans: tuple[Span, ...]
    message_clause: str
    end_clause: str
    order_clause: str
    duplicate_clause: str
    duplicates: str
    limit_clause: str
    max_frame: int
    max_message: int
    app_category: Any = ()


@dataclass
class Entry:
    """What is known of one type number."""

    reader: str | None = None
    rejected: Reject | None = None
    refused: Reject | None = None
    category: int = NEUTRAL
    once: bool = False
    size: int = -1


def entries(plan: Plan) -> dict[int, Entry]:
    """The 256 types of a codec under its profile."""
    rules: Sequence = plan.protocol.sequence.settle(plan.settings)
    table = {0: Entry(size=0, refused=Reject("unknown-type", rules.end_clause, "a type other than the end's"))}
    for span in rules.spans:
        for code in range(span.first, span.last + 1):
            table[code] = _entry(span.handling, "read_opaque", span.refused)
    for code, category in rules.app_category:
        table[code].category = CATEGORIES[category]
    for message in plan.messages:
        keywords = message.record.keywords
        handling = resolve(keywords.get("handling", KEEP), plan.settings)
        entry = _entry(handling, f"read{message.function}", keywords.get("refused"))
        entry.category = CATEGORIES[keywords.get("category", "")]
        entry.once = keywords.get("once", False) and rules.duplicates == "reject"
        width = message.width
        entry.size = -1 if width is None else width
        table[message.code] = entry
    return table


def _entry(handling: Any, reader: str, refused: Reject | None) -> Entry:
    if isinstance(handling, Reject):
        return Entry(rejected=handling, refused=refused)
    return Entry(reader=reader if handling == KEEP else None, refused=refused)
