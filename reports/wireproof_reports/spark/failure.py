"""What goes wrong inside Spark, in words of ours: the cause at its bottom instead of a page of Java."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from wireproof.errors import WireproofError

DAMAGED: Final = r"is not a Parquet file|Could not read footer|[Cc]orrupt|CRC checksum|could not verify page integrity"
CAUSES: Final = (
    (re.compile(r"No space left on device"), "the disk is full: make room, and run the same command again"),
    (re.compile(r"File size limit exceeded|File too large"), "a file became larger than this system allows"),
    (re.compile(r"Permission denied"), "a folder may not be written to: name another one"),
    (re.compile(r"Mkdirs failed to create (?:file:)?(\S+?)(?:/_temporary\S*)?(?:[\s.]|$)"), "{} cannot be made there"),
    (re.compile(r"Parent path is not a directory: (?:file:)?(\S+)"), "{} is a file, not a folder"),
    (re.compile(rf"(file:\S+\.parquet)[^\n]*(?:{DAMAGED})"), "a Parquet file is damaged: {}"),
    (re.compile(DAMAGED), "a Parquet file is damaged"),
    (re.compile(r"CannotStart: (.*)"), "an implementation could not be started on a worker: {}"),
    (re.compile(r"ModuleNotFoundError: (.*)"), "a worker's Python lacks something: {}"),
    (re.compile(r"PYTHON_VERSION_MISMATCH|different version in worker"), "the workers have another version of Python"),
)
LONGEST: Final = 400


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
        raise SparkFailed(f"Spark gave up: {words(str(problem))}.") from problem


def words(text: str) -> str:
    """What is at the bottom of it."""
    for pattern, meaning in CAUSES:
        found = pattern.search(text)
        if found:
            return meaning.format(*found.groups())
    lines = [line.strip(" \t:") for line in text.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    causes = [line for line in lines if "Error" in line or "Exception" in line]
    return (causes or lines or ["it does not say why"])[-1].removeprefix("Caused by: ")[:LONGEST].rstrip(".")
