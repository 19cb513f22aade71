"""The gate: every clause, every error class and every boundary of every field has its vectors."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import msgspec
import pytest

from suite_examples import write_suite
from wireproof import PROTOCOLS, codec
from wireproof.citations import citations, single_changes
from wireproof.clauses import clauses
from wireproof.codec import protocol
from wireproof.errors import ERROR_CLASSES
from wireproof.suite import Suite, load_suite
from wireproof.suite.causes import CAUSES
from wireproof.suite.coverage import OTHER_PROFILES, Coverage, coverage
from wireproof.suite.fields import demands

each_protocol = pytest.mark.parametrize("name", PROTOCOLS)


@cache
def suite() -> Suite:
    return load_suite()


@cache
def covered(name: str) -> Coverage:
    return coverage(suite(), name)


@each_protocol
def test_nothing_is_missing(name: str) -> None:
    assert covered(name).gaps() == []


@each_protocol
def test_every_clause_is_shown_or_says_why_not(name: str) -> None:
    assert [clause.id for clause in covered(name).clauses] == list(clauses(name))
    for clause in covered(name).clauses:
        assert clause.accept or clause.reason, clause.id


@each_protocol
def test_no_vector_cites_a_clause_that_vectors_cannot_show(name: str) -> None:
    for clause in covered(name).clauses:
        if clause.test in ("live", "unit", "url"):
            assert clause.accept + clause.reject + clause.refuse == [], clause.id


@each_protocol
def test_the_classes_of_other_profiles_are_those_of_the_generated_code(name: str) -> None:
    standard: set[tuple[str, str]] = set()
    others: set[tuple[str, str]] = set()
    for direction in protocol(name).directions or (None,):
        for profile in single_changes(name):
            found = citations(codec(name, direction=direction, profile=profile))
            (others if profile else standard).update((each.kind, each.error) for each in found)
    assert set(OTHER_PROFILES.get(name, {})) == others - standard


def test_every_error_class_has_common_causes() -> None:
    assert set(CAUSES) == set(ERROR_CLASSES)


def test_taking_a_vector_away_leaves_a_gap() -> None:
    """A boundary that one vector alone takes is missed without it."""
    field = next(field for field in covered("comet").fields if field.path == "subscribe.topics")
    taker = field.taken["255 items"]
    left = [vector for vector in suite().vectors if len(vector.data) < len(suite()[taker].data)]
    without = coverage(Suite(left), "comet")
    assert any(gap.startswith("c2s subscribe.topics: never") for gap in without.gaps())


def test_a_small_suite_has_large_gaps(tmp_path: Path) -> None:
    found = coverage(load_suite(write_suite(tmp_path), cached=False), "comet")
    gaps = found.gaps()
    assert any(gap.startswith("COMET-3.8: 1 of 2 vectors that are rejected as") for gap in gaps)
    assert "COMET-3.2: no accepting vector" in gaps
    assert "no vector makes the decoder answer invalid-utf8" in gaps
    assert "c2s subscribe.topics: never 0 items, 1 item, 255 items" in gaps
    assert msgspec.to_builtins(found)["kinds"] == {"accept": 1, "reject": 1, "refuse": 1}


@pytest.mark.parametrize(
    ("name", "direction", "boundary"),
    [
        ("comet", "c2s", ("subscribe.topics", "255 items")),
        ("comet", "c2s", ("auth.token", "256 bytes")),
        ("comet", "s2c", ("message.notification.ts", "-9223372036854775808")),
        ("esnp-frame", None, ("head.size", "16777215")),
        ("esnp-frame", None, ("Var map", "64 items")),
        ("esnp-line", None, ("SEQ_NO.current", "1")),
        ("esnp-line", None, ("head.type", "128")),
        ("tny", None, ("MessagePacket.payload.message.body", "absent")),
        ("tny", None, ("Ping.waste", "true")),
        ("tny-relay", None, ("head.packet_length", "13")),
        ("magline", None, ("FIN.magic", "209")),
        ("magline", None, ("head.seq", "4294967295")),
    ],
)
def test_boundaries_come_from_the_definitions(name: str, direction: str | None, boundary: tuple[str, str]) -> None:
    assert boundary in demands(codec(name, direction=direction))


@pytest.mark.parametrize(
    ("name", "direction", "boundary"),
    [
        ("comet", "c2s", ("subscribe.topics[]", "0 bytes")),  # a topic begins with @
        ("esnp-line", None, ("SEQ_NO.current", "0")),  # numbering starts at 1
        ("tny", None, ("MessagePacket.waste", "true")),  # no layout of waste bytes is declared
        ("magline", None, ("SYN.magic", "209")),  # a control message
        ("magline", None, ("head.message_length", "0")),  # no command has an empty body
    ],
)
def test_what_a_rule_forbids_is_no_boundary(name: str, direction: str | None, boundary: tuple[str, str]) -> None:
    assert boundary not in demands(codec(name, direction=direction))
