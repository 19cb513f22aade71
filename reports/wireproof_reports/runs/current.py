"""Which verdicts stand for an implementation, when there are many runs."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

LATER: Final = ("started", "run")
"""Runs in the order of time; what began in the same second is ordered all the same."""


def of_runs(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Verdicts, each with what identifies its run and the conditions of it."""
    facts = runs.select("run", "implementation", "version", "digest", "profiles", "started")
    return verdicts.drop("request", "answer", "stderr").join(fn.broadcast(facts), "run")


def _last_first() -> list[Column]:
    return [fn.col(name).desc() for name in LATER]


def current(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """For each version of an implementation every question once, as the last run saw it.

    Runs may be of a selection, so earlier runs count for what later ones did not ask; but only under the
    conditions of the last one: the same vectors and the same profile.
    """
    latest = Window.partitionBy("implementation", "version").orderBy(*_last_first())
    conditions = ("digest", "profiles")
    same = runs
    for name in conditions:
        same = same.withColumn(f"last_{name}", fn.first(name).over(latest))
    alike = [fn.col(name) == fn.col(f"last_{name}") for name in conditions]
    seen = of_runs(verdicts, same.where(alike[0] & alike[1]))
    once = Window.partitionBy("implementation", "version", "question").orderBy(*_last_first())
    return seen.withColumn("rank", fn.row_number().over(once)).where("rank = 1").drop("rank")


def latest_versions(runs: DataFrame) -> DataFrame:
    """Of each implementation the version that was run last."""
    last = fn.struct(*LATER)
    return runs.groupBy("implementation").agg(fn.max_by("version", last).alias("version"))
