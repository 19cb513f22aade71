"""What goes wrong inside Spark, in words of ours: the cause at its bottom instead of a page of Java."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from wireproof.errors import WireproofError

CAUSES: Final = (
    (re.compile(r"No space left on device"), "the disk is full: make room, and run the same command again"),
    (re.compile(r"File size limit exceeded|File too large"), "a file became larger than this system allows"),
    (re.compile(r"Permission denied"), "a folder may not be written to: name another one"),
    (re.compile(r"is not a Parquet file|Could not read footer|corrupt"), "a Parquet file is damaged: make it again"),
    (re.compile(r"CannotStart: (.*)"), "an implementation could not be started on a worker: {}"),
    (re.compile(r"ModuleNotFoundError: (.*)"), "a worker's Python lacks something: {}"),
    (re.compile(r"PYTHON_VERSION_MISMATCH|different version in worker"), "the workers have another version of Python"),
)


class SparkFailed(WireproofError):
    """A job that Spark gave up, and why."""


@contextmanager
def told() -> Iterator[None]:
    """Errors of Spark as `SparkFailed`."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as problem:
        raise SparkFailed(words(str(problem))) from problem


def words(text: str) -> str:
    for pattern, meaning in CAUSES:
        found = pattern.search(text)
        if found:
            return f"Spark gave up: {meaning.format(*found.groups())}. What was finished is kept."
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    cause = next(
        (line for line in reversed(lines) if "Error" in line or "Exception" in line), lines[0] if lines else ""
    )
    return f"Spark gave up: {cause[:400]}. What was finished is kept."
