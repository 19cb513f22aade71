"""Counts as columns: of questions by status, none merged with another."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as fn

from wireproof.verdict.statuses import EXECUTED, STATUSES
from wireproof_reports.runs.schemas import column


def number(condition: Column) -> Column:
    """How many rows it is true of."""
    return fn.count(fn.when(condition, True))


def tally() -> list[Column]:
    """Counts of questions, those that were executed, and each status by itself."""
    status = fn.col("status")
    return [
        number(status.isNotNull()).alias("questions"),
        number(status.isin(*EXECUTED)).alias("executed"),
        number(status == "pass").alias("passed"),
        *(number(status == each).alias(column(each)) for each in STATUSES if each != "pass"),
    ]
