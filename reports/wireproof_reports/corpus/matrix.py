"""Decoding all frames of a corpus, and counting what came of it inside the workers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pyarrow.compute as pc
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn

from wireproof.codec import Codec
from wireproof_reports.corpus.arrow import batch
from wireproof_reports.corpus.damage import without_damage
from wireproof_reports.corpus.reading import batches as read
from wireproof_reports.corpus.recipe import Source
from wireproof_reports.corpus.schemas import MATRIX
from wireproof_reports.corpus.store import Corpus

TASKS: Final = 4
"""For each core: few enough that starting them does not count, enough that none waits long for another."""

Key = tuple[int, Any, str]
"""Which source, the type of the first message, and the error."""


def tally(decode: Callable[[bytes], Any], place: int, frames: Iterable[bytes], counts: Counter[Key]) -> None:
    """Decode frames of one source and count what came. This is the inner loop of everything."""
    for data in frames:
        decoded = decode(data)
        error = decoded.error
        messages = decoded.messages
        counts[place, type(messages[0]) if messages else None, error.error if error is not None else ""] += 1


def rows(counts: Counter[Key], sources: list[Source], codecs: list[Codec]) -> list[tuple[Any, ...]]:
    titles = [{plan.record: plan.title for plan in codec.plan.messages} for codec in codecs]
    found: Counter[tuple[str, str, str, str]] = Counter()
    for (place, record, error), number in counts.items():
        name = titles[place].get(record, "message") if record is not None else ""
        found[sources[place].protocol, sources[place].direction, name, error] += number
    return [(*key, number) for key, number in sorted(found.items())]


def by_source(places: Any, data: Any) -> Iterator[tuple[int, list[bytes]]]:
    """The frames of a batch, apart by source."""
    for place in pc.unique(places).to_pylist():
        yield place, data.filter(pc.equal(places, place)).to_pylist()


def matrix(session: SparkSession, corpus: Corpus) -> DataFrame:
    """How the reference decodes every frame: counts by message and error.

    Workers are given files, and read them themselves: rows that go from Java to Python cost half as much as decoding
    them does.
    """
    tasks = min(len(corpus.files), TASKS * session.sparkContext.defaultParallelism)
    places = session.range(0, len(corpus.files), 1, tasks)
    parts = places.mapInArrow(_counter(corpus.files, corpus.manifest.recipe.sources), MATRIX)
    grouped = parts.groupBy("protocol", "direction", "message", "error").agg(fn.sum("frames").alias("frames"))
    table = grouped.select(*MATRIX.names).coalesce(1)  # a few hundred rows: not worth another job to sort them
    return table.sortWithinPartitions("protocol", "direction", "message", "error")


def counted(session: SparkSession, corpus: Corpus) -> tuple[list[dict[str, Any]], Corpus]:
    """The rows of the matrix, and the corpus they are about: without files that turn out to be damaged inside."""
    try:
        return [row.asDict() for row in matrix(session, corpus).collect()], corpus
    except (PySparkException, Py4JError):
        sound = without_damage(session, corpus)
        if sound.files == corpus.files:
            raise
    return [row.asDict() for row in matrix(session, sound).collect()], sound


def _counter(files: list[str], sources: list[Source]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def counted(batches: Iterator[Any]) -> Iterator[Any]:
        codecs = [source.codec() for source in sources]
        counts: Counter[Key] = Counter()
        for places in batches:
            for place in places.column(0).to_pylist():
                tally_file(files[place], codecs, counts)
        yield batch(rows(counts, sources, codecs), MATRIX)

    return counted


def tally_file(file: str, codecs: list[Codec], counts: Counter[Key]) -> None:
    """Decode and count the frames of one file."""
    for each in read(file, ["source", "data"]):
        for place, data in by_source(each.column(0), each.column(1)):
            tally(codecs[place].decode, place, data, counts)
