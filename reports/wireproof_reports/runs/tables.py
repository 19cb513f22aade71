"""What many runs add up to. Each table is a function from tables to a table with a schema of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from wireproof.verdict.statuses import EXECUTED
from wireproof_reports.runs.agreement import agreement
from wireproof_reports.runs.changes import regressions
from wireproof_reports.runs.clauses import compliance, coverage
from wireproof_reports.runs.counts import tally
from wireproof_reports.runs.current import WHO, of_last_suite
from wireproof_reports.runs.flaky import flaky
from wireproof_reports.runs.schemas import HISTORY, LATENCY, shaped

EXACTNESS: Final = 10_000
"""Of percentiles: up to so many values they are exact."""


def history(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Every run of every implementation, in the order of time, and the conditions that make it like others or not."""
    counts = runs.select("run").join(verdicts.select("run", "status"), "run", "left").groupBy("run").agg(*tally())
    rows = runs.join(counts, "run").withColumn("unreported", fn.col("planned") - fn.col("questions"))
    return shaped(rows.orderBy("implementation", "started", "run"), HISTORY)


def latency(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """How long questions took, over all runs of a version with its last suite; a question may take many requests."""
    seen = of_last_suite(verdicts, runs).where(fn.col("status").isin(*EXECUTED) & (fn.col("seconds") > 0))
    keys = (*WHO, "protocol", "mode")
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    rows = seen.groupBy(*keys).agg(
        fn.count("question").alias("verdicts"),
        fn.sum("requests").alias("requests"),
        *(fn.percentile_approx("seconds", share, EXACTNESS).alias(name) for name, share in shares.items()),
        fn.max("seconds").alias("longest"),
    )
    return shaped(rows.orderBy(*keys), LATENCY)


TABLES: Final[dict[str, Callable[[DataFrame, DataFrame], DataFrame]]] = {
    "compliance": compliance,
    "history": history,
    "regressions": regressions,
    "flaky": flaky,
    "agreement": agreement,
    "latency": latency,
    "coverage": coverage,
}
