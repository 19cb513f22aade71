"""What is one thing now and another then, though nothing has changed."""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as fn

from wireproof_reports.runs.changes import NOT_SEEN
from wireproof_reports.runs.current import LATER, WHO, of_runs
from wireproof_reports.runs.schemas import FLAKY, shaped


def flaky(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Questions that one run called flaky, or that runs under the same conditions answered differently.

    Runs of one version are alike. An implementation that states no version may have been changed in between,
    so of its questions only those are here that changed and changed back.
    """
    seen = of_runs(verdicts, runs).where(fn.col("status") != NOT_SEEN)
    status = fn.col("status")
    # A baseline turns `fail` into `known-fail` and leaves the cause: that is no change of the implementation.
    answered = fn.when(status.isin("pass", "unexpected-pass"), "pass").when(status == "unsupported", status)
    seen = seen.withColumn("answered", answered.otherwise(fn.col("cause")))
    keys = (*WHO, "question")
    earlier = Window.partitionBy(*keys).orderBy(*LATER)
    changed = seen.withColumn("changed", fn.col("answered") != fn.lag("answered").over(earlier))
    each = changed.groupBy(*keys, "status").agg(fn.count("run").alias("runs"), fn.count_if("changed").alias("changes"))
    rows = each.groupBy(*keys).agg(
        fn.sum("runs").alias("runs"),
        fn.sum(fn.when(status == "flaky", fn.col("runs")).otherwise(0)).alias("flaky"),
        fn.sum("changes").alias("changes"),
        fn.map_from_entries(fn.array_sort(fn.collect_list(fn.struct("status", "runs")))).alias("statuses"),
    )
    rows = rows.where("flaky > 0 or changes > 1 or (changes > 0 and version != '')")
    return shaped(rows.orderBy(*keys), FLAKY)
