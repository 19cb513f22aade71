"""A mass check: every frame of a corpus asked of every implementation, results written once and then read.

The corpus is gone through file by file in waves; a wave's results are a folder that counts when
Spark has committed it (`_SUCCESS`), and the folder's name says which files and whom it is about.
So a task that is retried, a worker that dies and a driver that is killed neither lose nor double a
row, and the same command goes on where it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any, Final, NamedTuple

from pyspark import TaskContext
from pyspark.sql import DataFrame, SparkSession

from wireproof_reports.corpus.arrow import batch
from wireproof_reports.corpus.asking import Examiner
from wireproof_reports.corpus.recipe import Source
from wireproof_reports.corpus.schemas import RESULTS
from wireproof_reports.corpus.settling import RESULTS_FOLDER, Checked, Implementation, describe, settle
from wireproof_reports.corpus.store import Corpus
from wireproof_reports.spark import storage

ASKED: Final = ("frame", "source", "data", "answer", "protocol", "clause")
"""Columns of a corpus that are needed; the last two are handed on."""
ROWS: Final = 2000
"""Rows that are asked together."""
WAVE: Final = 8
"""Files for each core in one job, unless told otherwise: what is done again after the driver was killed."""


class Outcome(NamedTuple):
    """A finished check."""

    checked: Checked
    folders: list[str]
    resumed: int
    """Waves that were there already."""

    def results(self, session: SparkSession) -> DataFrame:
        return session.read.schema(RESULTS).parquet(*self.folders)


def check(
    session: SparkSession,
    corpus: Corpus,
    implementations: list[Implementation],
    out: str,
    *,
    scale: float = 1.0,
    sandbox: bool = False,
    wave: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Outcome:
    """Ask every implementation about every frame that can be read."""
    out = storage.located(out)
    size = wave or WAVE * session.sparkContext.defaultParallelism
    checked = settle(session, out, describe(corpus, implementations, size))
    steps = [(each, wave) for wave in _waves(corpus.files, checked.wave) for each in implementations]
    kept = storage.join(out, RESULTS_FOLDER)
    folders, resumed = [], 0
    for number, (each, files) in enumerate(steps):
        progress(number, len(steps))
        folder = storage.join(kept, _wave_name(each, files))
        if storage.exists(session, storage.join(folder, "_SUCCESS")):
            resumed += 1
        else:
            frames = corpus.frames(session, files).select(*ASKED)
            asked = frames.mapInArrow(
                _asker(each, checked.run, corpus.manifest.recipe.sources, scale, sandbox), RESULTS
            )
            asked.write.mode("overwrite").parquet(folder)
        folders.append(folder)
    progress(len(steps), len(steps))
    _forget_others(session, kept, folders)
    return Outcome(checked, folders, resumed)


def _forget_others(session: SparkSession, kept: str, folders: list[str]) -> None:
    """Whoever reads all that is there must not count twice what was cut otherwise when a file was missing."""
    for name in storage.folders(session, kept):
        if storage.join(kept, name) not in folders:
            storage.remove(session, storage.join(kept, name))


def _waves(files: list[str], size: int) -> list[list[str]]:
    return [files[start : start + size] for start in range(0, len(files), size)]


def _wave_name(each: Implementation, files: list[str]) -> str:
    """From what was asked alone; never from what an implementation says of itself."""
    names = [storage.name_of(file) for file in files]
    return sha256(repr((each.name, each.target.text, names)).encode()).hexdigest()[:24]


def _asker(
    each: Implementation, run: str, sources: list[Source], scale: float, sandbox: bool
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    name, target = each.name, each.target

    def asked(batches: Iterator[Any]) -> Iterator[Any]:
        context = TaskContext.get()
        attempt = context.attemptNumber() if context is not None else 0
        asker = target.open(scale=scale, sandbox=sandbox)
        try:
            examiner = Examiner(asker, asker.start(), sources)
            for each_batch in batches:
                for start in range(0, each_batch.num_rows, ROWS):
                    columns = [column.to_pylist() for column in each_batch.slice(start, ROWS).columns]
                    told = examiner.told(zip(*columns[:-2], strict=True))
                    rows = [
                        (run, name, frame, attempt, protocol, clause, *rest)
                        for (frame, *rest), protocol, clause in zip(told, *columns[-2:], strict=True)
                    ]
                    yield batch(rows, RESULTS)
        finally:
            asker.close()

    return asked
