"""What coverage does not ask for, and why: the demand would make no sense there."""

from __future__ import annotations

from typing import Final

WITHOUT_ACCEPTING: Final[dict[str, str]] = {}
"""Clauses that no accepted input can show."""

WITH_FEWER_REJECTING: Final[dict[str, tuple[int, str]]] = {}
"""Clauses that can be broken in fewer than two ways: in how many, and why."""
