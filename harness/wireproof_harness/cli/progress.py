"""A bar on a terminal's stderr; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from collections import Counter
from typing import Final

from wireproof.verdict import BROKEN

WIDTH: Final = 28
EVERY: Final = 0.1


class Bar:
    """How far a run is, how fast, and how many have failed so far."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.start = time.monotonic()
        self.shown = 0.0
        self.on = sys.stderr.isatty()

    def show(self, done: int, counts: Counter[str]) -> None:
        now = time.monotonic()
        if not self.on or (now - self.shown < EVERY and done < self.total):
            return
        self.shown = now
        filled = WIDTH * done // max(1, self.total)
        broken = sum(counts[status] for status in BROKEN)
        rate = done / max(now - self.start, 0.001)
        words = f" {done:,} of {self.total:,}  {rate:,.0f}/s" + (f"  {broken:,} failed" if broken else "")
        sys.stderr.write(f"\r\x1b[K{'█' * filled}{'░' * (WIDTH - filled)}{words}")
        sys.stderr.flush()

    def close(self) -> None:
        if self.on:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
