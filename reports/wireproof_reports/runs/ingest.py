"""From result logs to tables: every run once, and whatever is no run put aside with a reason.

Logs are read on the workers, once to see what they are and once to write the verdicts of those
that are new. `verdicts` is written before `runs`, and a run counts from the moment it is in
`runs`: whoever is interrupted ingests again, and nothing is lost or there twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pyspark.sql import DataFrame, Row, SparkSession

from wireproof_harness.results import BadLog
from wireproof_reports.runs import store
from wireproof_reports.runs.logs import LOOKED, SOURCES, chain, looked_at, taken, verdict_rows
from wireproof_reports.runs.schemas import RUNS, VERDICTS, shaped
from wireproof_reports.runs.sources import Aside, Source, find

Begins = Callable[[Row, Row], bool]


class Ingested(NamedTuple):
    """What became of the logs. Each was one of these."""

    new: int
    """Logs of runs that were not there."""
    longer: int
    """Logs that have more of a run than the one that was there, and take its place."""
    again: int
    """Logs of runs that are there already, or that another log has more of."""
    aside: list[Aside]
    unfinished: int
    """Runs among the new and longer ones that did not come to their end."""


def ingest(spark: SparkSession, paths: Iterable[Path], out: str) -> Ingested:
    """Bring logs into the tables under `out`; BadLog if there is nothing to be read at all."""
    named = [path.absolute() for path in paths]
    sources, aside = find(named)
    if not sources and not aside:
        raise BadLog("no log was named. Name logs that `wireproof check` has written, or folders of them.")
    looked = _spread(spark, [(*source, "", 0) for source in sources]).mapInArrow(looked_at, LOOKED).collect()
    looked.sort(key=lambda row: row.source)
    aside += [Aside(row.source, row.reason) for row in looked if row.reason is not None]
    found = [row for row in looked if row.reason is None]
    known = store.table(spark, out, "runs").collect()
    settled = settle(known, found, _begins(spark, out))
    _write(spark, settled.new, out)
    for run in settled.gone:
        store.drop(spark, out, run)
    _put_aside(spark, named, aside, out)
    new, longer = len(settled.new) - settled.longer, settled.longer
    unfinished = sum(not row.finished for row in settled.new)
    return Ingested(new, longer, len(found) - new - longer, sorted(set(aside)), unfinished)


class Settled(NamedTuple):
    """What is to be done so that every run is there once."""

    new: list[Row]
    """Runs to be written."""
    gone: list[str]
    """Runs of which a longer log has come."""
    longer: int
    """How many of the new ones take the place of another log of the same run."""


def settle(known: Iterable[Row], found: Iterable[Row], begins: Begins) -> Settled:
    """Compare runs that are there with those that have come."""
    there = {row.run: row for row in known}
    best = dict(there)
    for row in found:
        if row.run not in best or (row.finished and not best[row.run].finished):
            best[row.run] = row
    same_header: dict[str, list[Row]] = {}
    replaced: dict[str, set[str]] = {}
    for row in sorted(best.values(), key=lambda row: (-row.reported, row.run)):
        others = same_header.setdefault(row.header, [])
        longer = next((other for other in others if begins(row, other)), None)
        if longer is None:
            others.append(row)
            replaced[row.run] = {row.run} & there.keys()
        elif row.run in there:
            replaced[longer.run].add(row.run)
    new = [best[run] for run in replaced if there.get(run) is not best[run]]
    gone = [run for run in there if run not in replaced]
    return Settled(new, gone, sum(bool(replaced[row.run]) for row in new))


def _begins(spark: SparkSession, out: str) -> Begins:
    def begins(short: Row, long: Row) -> bool:
        """Whether one run, killed and resumed, became the other; their headers are the same."""
        if not short.reported:
            return True
        if "path" in long:
            chains = taken(Source(long.source, long.path, long.member)).chains
            return bool(chains[short.reported - 1] == chain(short.run))
        verdicts = store.table(spark, out, "verdicts")
        at = verdicts.where((verdicts.run == long.run) & (verdicts.place == short.reported - 1)).select("chain")
        return [row.chain for row in at.collect()] == [chain(short.run)]

    return begins


def _spread(spark: SparkSession, rows: list[tuple[Any, ...]]) -> DataFrame:
    """Sources, as evenly over the workers as there are any."""
    tasks = max(1, min(len(rows), 4 * spark.sparkContext.defaultParallelism))
    return spark.createDataFrame(rows, SOURCES).repartition(tasks)


def _write(spark: SparkSession, new: list[Row], out: str) -> None:
    if not new:
        return
    sources = [(row.source, row.path, row.member, row.run, row.reported) for row in new]
    store.save(_spread(spark, sources).mapInArrow(verdict_rows, VERDICTS), out, "verdicts")
    store.save(shaped(spark.createDataFrame(new, LOOKED), RUNS).coalesce(1), out, "runs")


def _put_aside(spark: SparkSession, named: list[Path], aside: list[Aside], out: str) -> None:
    """Replace what was said of these paths before, and keep what was said of others."""
    here = tuple(f"{path}{mark}" for path in named for mark in ("/", "!"))
    same = {str(path) for path in named}
    before = store.put_aside(spark, out)
    kept = [row for row in before if row.file not in same and not row.file.startswith(here)]
    if before or aside:
        store.save_aside(spark, out, sorted({*kept, *aside}))
