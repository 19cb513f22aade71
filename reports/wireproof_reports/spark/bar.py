"""How far Spark is: a bar on a terminal's stderr, nothing elsewhere."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, Protocol

WIDTH: Final = 28
EVERY: Final = 0.2


class Teller(Protocol):
    """Who is told how far the work is."""

    def say(self, words: str, part: int = 0, parts: int = 1) -> None:
        """What is being done, and how many of its parts are finished."""

    def follow(self, session: Any) -> None:
        """Count the tasks of this session from now on."""


class Silence:
    """Where nobody looks."""

    def say(self, words: str, part: int = 0, parts: int = 1) -> None:
        pass

    def follow(self, session: Any) -> None:
        pass


class Bar:
    """Tasks of the jobs that run, read off Spark's own counters by a thread."""

    def __init__(self, words: str) -> None:
        self.start = time.monotonic()
        self._told = (words, 0, 1)
        self._tracker: Any = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def say(self, words: str, part: int = 0, parts: int = 1) -> None:
        self._told = (words, part, parts)

    def follow(self, session: Any) -> None:
        self._tracker = session.sparkContext.statusTracker()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            done, total = self._tasks()
            columns = shutil.get_terminal_size((80, 24)).columns
            sys.stderr.write(f"\r\x1b[K{line(*self._told, done, total, time.monotonic() - self.start)[: columns - 1]}")
            sys.stderr.flush()

    def _tasks(self) -> tuple[int, int]:
        """Finished, and all, of the stages that run. Spark that is being stopped does not answer."""
        if self._tracker is None:
            return 0, 0
        try:
            stages = [self._tracker.getStageInfo(stage) for stage in self._tracker.getActiveStageIds()]
        except Exception:
            return 0, 0
        known = [stage for stage in stages if stage is not None]
        return sum(stage.numCompletedTasks for stage in known), sum(stage.numTasks for stage in known)

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


def line(words: str, part: int, parts: int, done: int, total: int, seconds: float) -> str:
    """The bar; the tasks of a part fill its share."""
    filled = int(WIDTH * min(1.0, (part + (done / total if total else 0)) / max(1, parts)))
    where = f", part {min(part + 1, parts):,} of {parts:,}" if parts > 1 else ""
    tasks = f"  {done:,} of {total:,} tasks" if total else ""
    return f"{'█' * filled}{'░' * (WIDTH - filled)} {words}{where}{tasks}  {seconds:.0f} s"


@contextmanager
def progress(words: str) -> Iterator[Teller]:
    """A bar for as long as the block takes."""
    if not sys.stderr.isatty():
        yield Silence()
        return
    bar = Bar(words)
    try:
        yield bar
    finally:
        bar.close()
