"""What runs came to on each clause of the documents, those included on which nothing was asked."""

from __future__ import annotations

from collections import Counter
from typing import Final

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as fn

from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS
from wireproof.suite import Suite, load_suite
from wireproof.suite.rules import open_points
from wireproof.verdict.statuses import BROKEN
from wireproof_harness.claims import Claims
from wireproof_harness.plan import Selection, plan
from wireproof_reports.clauserows import OPEN_POINT, UNKNOWN
from wireproof_reports.runs.counts import tally
from wireproof_reports.runs.current import WHO, current
from wireproof_reports.runs.schemas import CLAUSES, COMPLIANCE, COVERAGE, column, shaped

_ORDER: Final = ("known", "place", "protocol", "clause")
"""Clauses in the order of the documents, and those that no document has after them."""


def clause_table(spark: SparkSession) -> DataFrame:
    """The clauses and open points of the documents, in their order, and what this suite asks about each."""
    suite = load_suite()
    asked = _asked(suite)
    found = [(protocol, name, each.test) for protocol in PROTOCOLS for name, each in clauses(protocol).items()]
    found += [(protocol, name, OPEN_POINT) for protocol in PROTOCOLS for name in open_points(protocol)]
    rows = [(*row, suite.digest, asked[row[:2]], place) for place, row in enumerate(found)]
    return spark.createDataFrame(rows, CLAUSES)


def _asked(suite: Suite) -> Counter[tuple[str, str]]:
    vectors = [each.question.vector for each in plan(suite, Claims(1, "", {}), Selection()).questions]
    return Counter((vector.protocol, clause) for vector in vectors for clause in set(vector.clauses))


def compliance(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """What each clause came to in each version of an implementation: a question counts once, as it was last seen.

    There is a row for every clause of the protocols that were asked about, under each profile.
    """
    seen = current(verdicts, runs)
    known = fn.broadcast(clause_table(verdicts.sparkSession))
    cited = seen.select(*WHO, "protocol", "status", fn.explode(fn.array_distinct("clauses")).alias("clause"))
    rules = known.where(fn.col("test") != OPEN_POINT).select("protocol", "clause")
    every = seen.select(*WHO, "protocol").distinct().join(rules, "protocol")
    counts = _counted(every, cited, (*WHO, "protocol", "clause"))
    rows = _of_suite(counts, known).withColumn("state", _state())
    return shaped(rows.orderBy(*WHO, *_ORDER), COMPLIANCE)


def coverage(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """How many questions each run executed on each clause, those with none included."""
    known = fn.broadcast(clause_table(verdicts.sparkSession))
    cited = verdicts.select("run", "protocol", "status", fn.explode(fn.array_distinct("clauses")).alias("clause"))
    every = runs.select("run").crossJoin(known.select("protocol", "clause"))
    counts = _counted(every, cited, ("run", "protocol", "clause"))
    rows = counts.join(fn.broadcast(runs.select("run", "implementation", "started", "digest")), "run")
    return shaped(_of_suite(rows, known).orderBy("implementation", "started", "run", *_ORDER), COVERAGE)


def _counted(every: DataFrame, cited: DataFrame, keys: tuple[str, ...]) -> DataFrame:
    """The tally of each key there is to be, or that a verdict has."""
    there = every.select(*keys).withColumn("status", fn.lit(None).cast("string"))
    return there.unionByName(cited.select(*keys, "status")).groupBy(*keys).agg(*tally())


def _of_suite(counts: DataFrame, known: DataFrame) -> DataFrame:
    """What this suite says of the clauses; how many questions it has is known of runs with its vectors alone."""
    said = known.withColumnRenamed("digest", "of_suite").withColumnRenamed("in_suite", "asked")
    return (
        counts.join(said, ["protocol", "clause"], "left")
        .withColumn("in_suite", fn.when(fn.col("digest") == fn.col("of_suite"), fn.col("asked")))
        .withColumn("known", fn.col("place").isNull())
        .fillna({"test": UNKNOWN})
    )


def _state() -> Column:
    """One of `clauserows.STATES`. What the suite has and no run asked keeps a clause from passing as well."""
    some = {status: fn.col(column(status)) > 0 for status in (*BROKEN, "known-fail", "warn")}
    broken = fn.lit(False)
    for status in sorted(BROKEN):
        broken = broken | some[status]
    shown_by_vectors = fn.col("test").isin("codec", OPEN_POINT, UNKNOWN) | (fn.col("questions") > 0)
    asked = fn.greatest("in_suite", "questions")
    return (
        fn.when(broken, "failing")
        .when((fn.col("executed") == 0) & shown_by_vectors, "not-exercised")
        .when(fn.col("executed") == 0, "elsewhere")
        .when(some["known-fail"], "known-failing")
        .when(some["warn"], "warned")
        .when(fn.col("passed") == asked, "passing")
        .otherwise("partly")
    )
