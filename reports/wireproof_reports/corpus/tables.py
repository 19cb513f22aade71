"""What the results of a mass check add up to: one DataFrame-to-DataFrame function for each table."""

from __future__ import annotations

import json

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn

from wireproof_reports.corpus.asking import AS_REFERENCE
from wireproof_reports.corpus.recipe import Source
from wireproof_reports.corpus.schemas import COMPLIANCE, DISAGREEMENTS


def compliance(results: DataFrame) -> DataFrame:
    """For each implementation and clause what came of the frames that break it, statuses never merged."""
    grouped = results.groupBy("implementation", "protocol", "clause", "status", "cause")
    counted = grouped.agg(fn.count("*").alias("frames"), fn.min("frame").alias("example"))
    return counted.select(*COMPLIANCE.names).orderBy("implementation", "protocol", "clause", "status", "cause")


def disagreements(results: DataFrame, frames: DataFrame, sources: list[Source]) -> DataFrame:
    """Frames over which two implementations, or one and the reference, do not say the same."""
    said = results.where("status not in ('unsupported', 'not-run')")
    other = said.where(fn.col("said") != AS_REFERENCE).select("frame").distinct()  # few; all else is left where it is
    camp = said.join(other, "frame", "left_semi").groupBy("frame", "said")
    named = camp.agg(fn.array_sort(fn.collect_set("implementation")).alias("implementations"))
    split = named.groupBy("frame").agg(
        fn.array_sort(fn.collect_list(fn.struct("said", "implementations"))).alias("camps")
    )
    profiles = fn.array(*[fn.lit(json.dumps(source.profile)) for source in sources])
    shown = frames.withColumn("hex", fn.lower(fn.hex("data"))).withColumn("profile", profiles[fn.col("source")])
    found = shown.join(split, "frame")
    return found.select(*DISAGREEMENTS.names).orderBy("frame")


def examples(differing: DataFrame) -> DataFrame:
    """Of the frames over which the same implementations differ in the same way, the shortest and how many there are."""
    form = fn.transform("camps", lambda each: fn.struct(fn.substring_index(each["said"], " ", 1), each.implementations))
    shortest = fn.min(fn.struct(fn.length("hex").alias("length"), *DISAGREEMENTS.names)).alias("shortest")
    grouped = differing.groupBy("protocol", "clause", "error", form.alias("form"))
    found = grouped.agg(fn.count("*").alias("alike"), shortest)
    return found.select("alike", "shortest.*").drop("length").orderBy(fn.desc("alike"), "frame")
