"""Markers of vectors, for -m: protocol, level, kind, error class, and each clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from wireproof import PROTOCOLS
from wireproof.clauses import clauses
from wireproof.errors import ERROR_CLASSES
from wireproof.suite.model import LEVELS, Vector
from wireproof.suite.rules import open_points


def marker_names(vector: Vector) -> list[str]:
    error = vector.expect.reject or vector.expect.refuse
    return [vector.protocol, vector.level, vector.kind, *([error] if error else []), *vector.clauses]


@cache
def marker(name: str) -> pytest.MarkDecorator:
    """One for all vectors: thousands of them have the same."""
    found: pytest.MarkDecorator = getattr(pytest.mark, name)
    return found


def marker_lines() -> Iterator[str]:
    """Every marker that a vector can have, so that strict markers are satisfied."""
    for name in (*PROTOCOLS, *LEVELS, "accept", "reject", "refuse", *ERROR_CLASSES):
        yield f"{name}: vectors of wireproof"
    for protocol in PROTOCOLS:
        for name in (*clauses(protocol), *open_points(protocol)):
            yield f"{name}: vectors that cite this clause"
