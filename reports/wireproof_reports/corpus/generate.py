"""Making a corpus: the blocks of its recipe, spread over Spark's workers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import msgspec
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as fn

from wireproof_reports.corpus.arrow import batch
from wireproof_reports.corpus.frames import Kitchen
from wireproof_reports.corpus.recipe import BLOCK, Recipe
from wireproof_reports.corpus.schemas import FRAMES
from wireproof_reports.corpus.store import MANIFEST, UNFINISHED, Manifest, frame_files, frames_folder
from wireproof_reports.spark import storage

FILE: Final = 50_000
"""Frames in one file: what a task makes, and what is done again if it fails."""


def frames(session: SparkSession, recipe: Recipe, partitions: int = 0) -> DataFrame:
    """The frames of a recipe, in as many partitions as wanted; the frames do not depend on that."""
    wanted = partitions or max(session.sparkContext.defaultParallelism, -(-recipe.frames // FILE))
    blocks = session.range(0, recipe.blocks, 1, min(wanted, max(1, recipe.blocks)))
    return blocks.mapInArrow(_maker(recipe), FRAMES)


def _maker(recipe: Recipe) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def made(batches: Iterator[Any]) -> Iterator[Any]:
        kitchen = Kitchen(recipe)
        for numbers in batches:
            pending: list[Any] = []
            for number in numbers.column(0).to_pylist():
                pending += kitchen.block(number)
                if len(pending) >= 20 * BLOCK:
                    yield batch(pending, FRAMES)
                    pending = []
            if pending:
                yield batch(pending, FRAMES)

    return made


def generate(session: SparkSession, recipe: Recipe, out: str, partitions: int = 0) -> Manifest:
    """Write a corpus; its manifest comes last, so that a corpus without one is known to be unfinished."""
    out = storage.located(out)
    mark, place = storage.join(out, UNFINISHED), storage.join(out, MANIFEST)
    storage.write(session, mark, msgspec.json.format(msgspec.json.encode(recipe), indent=1))
    storage.remove(session, place)
    frames(session, recipe, partitions).write.mode("overwrite").parquet(frames_folder(out))
    manifest = _counted(session, recipe, out)
    storage.write(session, place, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
    storage.remove(session, mark)
    return manifest


def _counted(session: SparkSession, recipe: Recipe, out: str) -> Manifest:
    """What lies in the files, read back."""
    written = session.read.schema(FRAMES).parquet(frames_folder(out))
    lengths = dict(written.groupBy("_metadata.file_name").agg(fn.count("*")).collect())
    mark = fn.xxhash64("frame", "source", "data", "answer").cast("decimal(38,0)")
    rows = written.groupBy("protocol", "direction", "kind", "error").agg(fn.count("*"), fn.sum(mark)).collect()
    found: dict[str, dict[str, int]] = {"protocols": {}, "kinds": {}, "errors": {}}
    for name, direction, kind, error, count, _ in rows:
        for column, key in (("protocols", f"{name} {direction}".strip()), ("kinds", kind), ("errors", error or "none")):
            found[column][key] = found[column].get(key, 0) + count
    return Manifest(
        recipe=recipe,
        frames=sum(row[4] for row in rows),
        files={name: lengths.get(name, 0) for name in frame_files(session, out)},
        digest=f"{sum(int(row[5]) for row in rows) % (1 << 64):016x}",
        **{column: dict(sorted(counts.items())) for column, counts in found.items()},
    )
