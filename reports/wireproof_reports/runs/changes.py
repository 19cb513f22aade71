"""What became worse or better from one run to the next, and what is one thing now and another then."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from wireproof_reports.runs.current import LATER, of_runs
from wireproof_reports.runs.schemas import FLAKY, REGRESSIONS, shaped

BADNESS: Final = (
    *("pass", "warn", "unexpected-pass", "known-fail", "unsupported"),
    *("flaky", "fail", "contract-error", "timeout", "crash"),
)
"""Statuses from good to bad, for the implementation: an unexpected pass is a fault of the baseline."""
NOT_SEEN: Final = "not-run"
RIGHT: Final = ("pass", "warn", "unexpected-pass")
BASELINE: Final = ("known-fail", "unexpected-pass")


def regressions(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Questions whose status changed between one run of an implementation and the next that asked them."""
    seen = of_runs(verdicts, runs).where(fn.col("status") != NOT_SEEN)
    earlier = Window.partitionBy("implementation", "question").orderBy(*LATER)
    order = fn.array(*map(fn.lit, BADNESS))
    rows = (
        seen.withColumn("before", fn.lag("status").over(earlier))
        .withColumn("version_before", fn.lag("version").over(earlier))
        .withColumn("run_before", fn.lag("run").over(earlier))
        .withColumnRenamed("status", "after")
        .where(fn.col("before") != fn.col("after"))
    )
    worse = fn.array_position(order, fn.col("after")) > fn.array_position(order, fn.col("before"))
    rows = rows.withColumn("change", fn.when(worse, "worse").otherwise("better"))
    return shaped(rows.orderBy("implementation", *LATER, fn.col("change").desc(), "place"), REGRESSIONS)


def flaky(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Questions that one run called flaky, or that runs under the same conditions answered differently.

    A baseline turns `fail` into `known-fail`, and that is no change of the implementation.
    """
    seen = of_runs(verdicts, runs).where(fn.col("status") != NOT_SEEN)
    status = fn.col("status")
    outcome = fn.when(status.isin(*RIGHT), "right").when(status == "unsupported", status).otherwise("wrong")
    keys = ("implementation", "version", "digest", "profiles", "question")
    each = seen.groupBy(*keys, "status").agg(fn.count("run").alias("runs")).withColumn("outcome", outcome)
    rows = each.groupBy(*keys).agg(
        fn.sum("runs").alias("runs"),
        fn.sum(fn.when(status == "flaky", fn.col("runs")).otherwise(0)).alias("flaky"),
        fn.count_distinct(fn.when(~status.isin(*BASELINE), status)).alias("different"),
        fn.count_distinct("outcome").alias("outcomes"),
        fn.map_from_entries(fn.array_sort(fn.collect_list(fn.struct("status", "runs")))).alias("statuses"),
    )
    rows = rows.where("flaky > 0 or different > 1 or outcomes > 1")
    return shaped(rows.orderBy(*keys), FLAKY)
