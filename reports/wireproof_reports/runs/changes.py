"""What became worse or better from one run to the next, and what is one thing now and another then."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F  # noqa: N812

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
    seen = of_runs(verdicts, runs).where(F.col("status") != NOT_SEEN)
    earlier = Window.partitionBy("implementation", "question").orderBy(*LATER)
    order = F.array(*map(F.lit, BADNESS))
    rows = (
        seen.withColumn("before", F.lag("status").over(earlier))
        .withColumn("version_before", F.lag("version").over(earlier))
        .withColumn("run_before", F.lag("run").over(earlier))
        .withColumnRenamed("status", "after")
        .where(F.col("before") != F.col("after"))
    )
    worse = F.array_position(order, F.col("after")) > F.array_position(order, F.col("before"))
    rows = rows.withColumn("change", F.when(worse, "worse").otherwise("better"))
    return shaped(rows.orderBy("implementation", *LATER, F.col("change").desc(), "place"), REGRESSIONS)


def flaky(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Questions that one run called flaky, or that runs under the same conditions answered differently.

    A baseline turns `fail` into `known-fail`, and that is no change of the implementation.
    """
    seen = of_runs(verdicts, runs).where(F.col("status") != NOT_SEEN)
    status = F.col("status")
    outcome = F.when(status.isin(*RIGHT), "right").when(status == "unsupported", status).otherwise("wrong")
    keys = ("implementation", "version", "digest", "profiles", "question")
    each = seen.groupBy(*keys, "status").agg(F.count("run").alias("runs")).withColumn("outcome", outcome)
    rows = each.groupBy(*keys).agg(
        F.sum("runs").alias("runs"),
        F.sum(F.when(status == "flaky", F.col("runs")).otherwise(0)).alias("flaky"),
        F.count_distinct(F.when(~status.isin(*BASELINE), status)).alias("different"),
        F.count_distinct("outcome").alias("outcomes"),
        F.map_from_entries(F.array_sort(F.collect_list(F.struct("status", "runs")))).alias("statuses"),
    )
    rows = rows.where("flaky > 0 or different > 1 or outcomes > 1")
    return shaped(rows.orderBy(*keys), FLAKY)
