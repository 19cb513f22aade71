"""What became worse or better from one run to the next."""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as fn

from wireproof_reports.runs.current import LATER, of_runs
from wireproof_reports.runs.schemas import REGRESSIONS, shaped

BADNESS: Final = ("pass", "warn", "known-fail", "unsupported", "flaky", "fail", "contract-error", "timeout", "crash")
"""Statuses from good to bad."""
NOT_SEEN: Final = "not-run"
KNOWN: Final = "known-fail"
WRONG: Final = ("flaky", "fail", "contract-error", "timeout", "crash")


def regressions(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """Questions whose status changed from one run of an implementation to the next one alike that planned them.

    `change` is worse, better, lost or baseline. What was planned and not asked is lost, once; when it is asked
    again it is compared with what was seen last.
    """
    seen = of_runs(verdicts, runs)
    earlier = Window.partitionBy("implementation", "digest", "profile", "question").orderBy(*LATER)
    past = earlier.rowsBetween(Window.unboundedPreceding, -1)
    status = fn.col("status")
    facts = fn.when(status != NOT_SEEN, fn.struct("status", "version", "run"))
    rows = (
        seen.withColumn("seen", fn.last(facts, ignorenulls=True).over(past))
        .withColumn("previous", fn.lag("status").over(earlier))
        .where("seen is not null")
        .select("*", fn.col("seen.status").alias("before"), status.alias("after"))
        .where((status != fn.col("before")) & (fn.coalesce("previous", "before") != status))
        .select(
            *("implementation", "digest", "profile", "question", "before", "after", "version", "run", "started"),
            *(fn.col(f"seen.{name}").alias(f"{name}_before") for name in ("version", "run")),
            *("cause", "detail", "place", _change(fn.col("before"), fn.col("after")).alias("change")),
        )
    )
    return shaped(rows.orderBy("implementation", *LATER, fn.col("change").desc(), "place"), REGRESSIONS)


def _change(before: Column, after: Column) -> Column:
    """A failure that was entered in the baseline, and a pass that is still in it, are no change of anybody's code."""
    order = fn.array(*map(fn.lit, BADNESS))

    def badness(status: Column) -> Column:
        return fn.array_position(order, fn.when(status == "unexpected-pass", "pass").otherwise(status))

    excused = ((before == KNOWN) & after.isin(*WRONG)) | ((after == KNOWN) & before.isin(*WRONG))
    return (
        fn.when(after == NOT_SEEN, "lost")
        .when(excused | (badness(before) == badness(after)), "baseline")
        .when(badness(after) > badness(before), "worse")
        .otherwise("better")
    )
