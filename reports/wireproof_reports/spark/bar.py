"""How far Spark is: a bar on a terminal's stderr, nothing elsewhere."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

WIDTH: Final = 28
EVERY: Final = 0.3


class Bar:
    """Tasks of the jobs that run, read off Spark's own counters by a thread."""

    def __init__(self, session: Any, words: str) -> None:
        self.words = words
        self.start = time.monotonic()
        self._tracker = session.sparkContext.statusTracker()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            stages = [self._tracker.getStageInfo(stage) for stage in self._tracker.getActiveStageIds()]
            known = [stage for stage in stages if stage is not None and stage.numTasks]
            done = sum(stage.numCompletedTasks for stage in known)
            total = sum(stage.numTasks for stage in known)
            filled = WIDTH * done // total if total else 0
            took = time.monotonic() - self.start
            tasks = f"{done:,} of {total:,} tasks  " if total else ""
            sys.stderr.write(f"\r\x1b[K{'█' * filled}{'░' * (WIDTH - filled)} {self.words}  {tasks}{took:.0f} s")
            sys.stderr.flush()

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()

    def say(self, words: str) -> None:
        self.words = words


@contextmanager
def progress(session: Any, words: str) -> Iterator[Callable[[str], None]]:
    """A bar for as long as the block takes, and a way to change what it says."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    bar = Bar(session, words)
    try:
        yield bar.say
    finally:
        bar.close()
