"""Reading a corpus's files with Arrow alone, as workers do. No Spark here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import fs

BATCH: Final = 20_000
DAMAGE: Final = (OSError, pa.ArrowException)
"""What Arrow raises for a file that is not whole; whatever is in a page is under a checksum."""


@contextmanager
def parquet(file: str) -> Iterator[Any]:
    system, path = opened(file)
    with system.open_input_file(path) as content:
        yield pq.ParquetFile(content, page_checksum_verification=True)


def batches(file: str, columns: Sequence[str] | None = None) -> Iterator[Any]:
    with parquet(file) as content:
        yield from content.iter_batches(BATCH, columns=columns)


def opened(file: str) -> tuple[Any, str]:
    """A file's system and its path there; Hadoop's name for S3 is its own."""
    if file.startswith("file:"):
        return fs.LocalFileSystem(), "/" + file.removeprefix("file:").lstrip("/")
    found: tuple[Any, str] = fs.FileSystem.from_uri(re.sub("^s3[an]:", "s3:", file))
    return found
