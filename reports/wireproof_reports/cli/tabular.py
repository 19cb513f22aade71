"""Rows for people: columns as wide as they need, and none in which there is nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

from wireproof_harness.terminal import Segment, cells, clean, fit

WIDEST: Final = 60
"""Columns a value takes on a terminal; programs get all of it."""
UNCUT: Final = frozenset({"file", "reason"})
"""Values of no use unless they are whole."""
ALWAYS: Final = frozenset({"questions", "executed", "passed", "planned", "vectors", "agreed", "finished"})
"""Columns in which 0 or no says the most."""
BEGINNINGS: Final = {"run": 12, "run_before": 12, "digest": 12, "started": 19}
"""Values of which the beginning is enough."""
NOTHING: Final = (0, None, "", "{}")
GAP: Final = "  "


def table_lines(rows: Sequence[dict[str, Any]]) -> Iterator[list[Segment]]:
    """A column in which no row has anything is left out: most statuses are rare."""
    if not rows:
        yield [Segment("no rows", "label")]
        return
    shown = [name for name in rows[0] if name in ALWAYS or any(row[name] not in NOTHING for row in rows)]
    texts = [[_text(row[name])[: BEGINNINGS.get(name)] for name in shown] for row in rows]
    widths = [_width(name, [line[place] for line in texts]) for place, name in enumerate(shown)]
    numeric = [all(_is_number(row[name]) for row in rows if row[name] is not None) for name in shown]
    yield [Segment(GAP.join(map(_cell, shown, widths, numeric)).rstrip(), "heading")]
    for line in texts:
        yield [Segment(GAP.join(map(_cell, line, widths, numeric)).rstrip())]


def _width(name: str, texts: list[str]) -> int:
    widest = max(cells(text) for text in [name, *texts])
    return widest if name in UNCUT else min(WIDEST, widest)


def _cell(text: str, width: int, right: bool) -> str:
    return text.rjust(width) if right else fit(text, width)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: Any) -> str:
    if isinstance(value, dict | list):
        return clean(json.dumps(value, ensure_ascii=False))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6f}" if isinstance(value, float) else clean("" if value is None else str(value))
