"""What many runs add up to. Each table is a function from tables to a table with a schema of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as fn

from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS
from wireproof.suite.rules import open_points
from wireproof.verdict.statuses import EXECUTED, STATUSES
from wireproof_reports.clauserows import OPEN_POINT, UNKNOWN
from wireproof_reports.runs.agreement import agreement
from wireproof_reports.runs.changes import flaky, regressions
from wireproof_reports.runs.current import current, of_runs
from wireproof_reports.runs.schemas import CLAUSES, COMPLIANCE, COVERAGE, HISTORY, LATENCY, column, shaped

EXACTNESS: Final = 10_000
"""Of percentiles: up to so many values they are exact."""


def _number(condition: Column) -> Column:
    return fn.count(fn.when(condition, True))


def _tally() -> list[Column]:
    """Counts of questions, by status and never merged."""
    status = fn.col("status")
    return [
        _number(status.isNotNull()).alias("questions"),
        _number(status.isin(*EXECUTED)).alias("executed"),
        _number(status == "pass").alias("passed"),
        *(_number(status == each).alias(column(each)) for each in STATUSES if each != "pass"),
    ]


def compliance(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """What each clause came to in each version of an implementation: a question counts once, as it was last seen."""
    cited = current(verdicts, runs).withColumn("clause", fn.explode(fn.array_distinct("clauses")))
    keys = ("implementation", "version", "protocol", "clause")
    return shaped(cited.groupBy(*keys).agg(*_tally()).orderBy(*keys), COMPLIANCE)


def history(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Every run of every implementation, in the order of time."""
    counts = runs.select("run").join(verdicts.select("run", "status"), "run", "left").groupBy("run").agg(*_tally())
    rows = runs.join(counts, "run").withColumn("unreported", fn.col("planned") - fn.col("questions"))
    return shaped(rows.orderBy("implementation", "started", "run"), HISTORY)


def latency(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """How long questions took, over all runs of a version; a question may take many requests."""
    seen = of_runs(verdicts, runs).where(fn.col("status").isin(*EXECUTED) & (fn.col("seconds") > 0))
    keys = ("implementation", "version", "protocol", "mode")
    shares = {"p50": 0.5, "p90": 0.9, "p99": 0.99}
    rows = seen.groupBy(*keys).agg(
        fn.count("question").alias("questions"),
        fn.sum("requests").alias("requests"),
        *(fn.percentile_approx("seconds", share, EXACTNESS).alias(name) for name, share in shares.items()),
        fn.max("seconds").alias("longest"),
    )
    return shaped(rows.orderBy(*keys), LATENCY)


def clause_table(spark: SparkSession) -> DataFrame:
    """The clauses and open points of the documents, in their order."""
    found = [(protocol, name, each.test) for protocol in PROTOCOLS for name, each in clauses(protocol).items()]
    found += [(protocol, name, OPEN_POINT) for protocol in PROTOCOLS for name in open_points(protocol)]
    return spark.createDataFrame([(*row, place) for place, row in enumerate(found)], CLAUSES)


def coverage(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """How many questions each run executed on each clause, those with none included."""
    known = clause_table(verdicts.sparkSession)
    cited = verdicts.select("run", "protocol", "status", fn.explode(fn.array_distinct("clauses")).alias("clause"))
    every = runs.select("run").crossJoin(known.select("protocol", "clause"))
    every = every.unionByName(cited.select("run", "protocol", "clause")).distinct()
    counts = every.join(cited, ["run", "protocol", "clause"], "left").groupBy("run", "protocol", "clause")
    rows = counts.agg(*_tally()).join(fn.broadcast(known), ["protocol", "clause"], "left")
    rows = rows.join(runs.select("run", "implementation", "started"), "run").fillna({"test": UNKNOWN})
    order = ("implementation", "started", "run", fn.col("place").asc_nulls_last(), "protocol", "clause")
    return shaped(rows.orderBy(*order), COVERAGE)


TABLES: Final[dict[str, Callable[[DataFrame, DataFrame], DataFrame]]] = {
    "compliance": compliance,
    "history": history,
    "regressions": regressions,
    "flaky": flaky,
    "agreement": agreement,
    "latency": latency,
    "coverage": coverage,
}
