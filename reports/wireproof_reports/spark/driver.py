"""The Java process beside ours: how it is started, and how it ends."""

from __future__ import annotations

import logging
import os
import threading
import warnings
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

CHAFF: Final = (b"WARNING: Using incubator modules:",)
"""What Java says each time, for which there is no setting, and about which nobody can do anything."""
LONGEST_STOP: Final = 30.0
_over: Final = threading.Event()
"""Set from the end of a session to the next one: what Java complains of meanwhile is that it was stopped."""


def launch(conf: SparkConf) -> None:
    """Start Java unless it runs already. What it says on stderr comes through us, so that it stops when we do."""
    from pyspark import SparkContext
    from pyspark.java_gateway import launch_gateway

    _over.clear()
    if SparkContext._gateway is not None:
        return
    _calm()
    reading, writing = os.pipe()
    threading.Thread(target=_relay, args=(reading,), daemon=True).start()
    try:
        gateway = launch_gateway(conf, {"stderr": writing})
    finally:
        os.close(writing)
    SparkContext._ensure_initialized(gateway=gateway)


def _calm() -> None:
    """What the bridge to Java raises it logs too, some of it as the root of all loggers: a page for each Ctrl-C."""
    logging.getLogger("py4j").propagate = False
    logging.getLogger().addFilter(_is_not_the_bridge)


def _is_not_the_bridge(record: logging.LogRecord) -> bool:
    return "py4j" not in record.pathname


def _relay(reading: int) -> None:
    with os.fdopen(reading, "rb") as said:
        for line in said:
            if not _over.is_set() and not line.startswith(CHAFF):
                os.write(2, line)


def stop(session: SparkSession) -> None:
    """End a session; from a thread of its own, since one that was interrupted while it asked Java would get the
    answer to that for its next question."""
    _over.set()
    thread = threading.Thread(target=_stopped, args=(session,), daemon=True)
    thread.start()
    thread.join(LONGEST_STOP)


def _stopped(session: SparkSession) -> None:
    with warnings.catch_warnings(action="ignore"):  # that Java was interrupted too, and may need a while
        session.stop()
