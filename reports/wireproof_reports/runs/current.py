"""Which verdicts stand for an implementation, when there are many runs.

An implementation is known by the name and the version it gives itself. Verdicts are compared
and added up under the same conditions alone: the same vectors and the same profile of the protocol.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

LATER: Final = ("started", "run")
"""Runs in the order of time; what began in the same second is ordered all the same."""
WHO: Final = ("implementation", "version", "digest", "profile")


def of_runs(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Verdicts, each with what identifies its run and the conditions of it."""
    facts = runs.select("run", "implementation", "version", "digest", "started")
    return verdicts.drop("request", "answer", "stderr").join(fn.broadcast(facts), "run")


def of_last_suite(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """The same, for each version of an implementation only of runs with the vectors it was last run with."""
    latest = Window.partitionBy("implementation", "version").orderBy(*_last_first())
    last = runs.withColumn("last", fn.first("digest").over(latest)).where("digest = last")
    return of_runs(verdicts, last)


def _last_first() -> list[Column]:
    return [fn.col(name).desc() for name in LATER]


def current(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """For each version and profile every question once, as the last run saw it.

    Runs may be of a selection, so earlier ones count for what later ones did not ask.
    """
    once = Window.partitionBy(*WHO, "question").orderBy(*_last_first())
    ranked = of_last_suite(verdicts, runs).withColumn("rank", fn.row_number().over(once))
    return ranked.where("rank = 1").drop("rank")


def latest_versions(runs: DataFrame) -> DataFrame:
    """Of each implementation the version that was run last."""
    last = fn.struct(*LATER)
    return runs.groupBy("implementation").agg(fn.max_by("version", last).alias("version"))
