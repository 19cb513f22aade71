"""Which files of a corpus are not what was written: every one read through, before anything is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from pyspark.sql import SparkSession
from pyspark.sql.types import IntegerType, StringType, StructField, StructType

from wireproof_reports.corpus.arrow import arrow_schema, batch
from wireproof_reports.corpus.reading import DAMAGE, parquet
from wireproof_reports.corpus.schemas import FRAMES
from wireproof_reports.corpus.store import Corpus, readable
from wireproof_reports.spark import storage

FOUND: Final = StructType([StructField("place", IntegerType(), False), StructField("reason", StringType(), False)])
LONGEST: Final = 200


def without_damage(session: SparkSession, corpus: Corpus) -> Corpus:
    """The corpus without the files that are damaged inside; they are told as unreadable."""
    expected = [corpus.manifest.files.get(storage.name_of(file)) for file in corpus.files]
    tasks = min(len(corpus.files), 4 * session.sparkContext.defaultParallelism)
    places = session.range(0, len(corpus.files), 1, tasks)
    rows = places.mapInArrow(_finder(corpus.files, expected), FOUND).collect()
    damaged = {corpus.files[row["place"]]: row["reason"] for row in sorted(rows)}
    return readable(
        corpus._replace(
            files=[file for file in corpus.files if file not in damaged], unreadable=corpus.unreadable | damaged
        )
    )


def _finder(files: list[str], expected: list[int | None]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def found(numbers: Iterator[Any]) -> Iterator[Any]:
        for some in numbers:
            reasons = [(place, damage(files[place], expected[place])) for place in some.column(0).to_pylist()]
            yield batch([each for each in reasons if each[1]], FOUND)

    return found


def damage(file: str, expected: int | None) -> str:
    """Why a file is not what was written; empty if it is."""
    try:
        with parquet(file) as content:
            if _columns(content.schema_arrow) != _columns(arrow_schema(FRAMES)):
                return "its columns are not those of a corpus"
            rows = sum(each.num_rows for each in content.iter_batches())
    except DAMAGE as problem:
        return f"it is damaged: {' '.join(str(problem).split())[:LONGEST]}"
    return "" if expected in (None, rows) else f"it has {rows:,} frames, and {expected:,} were written"


def _columns(schema: Any) -> list[tuple[str, Any]]:
    """Names and types; whether a column may be empty is not kept by every program."""
    return [(field.name, field.type) for field in schema]
