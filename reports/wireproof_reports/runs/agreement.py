"""Does one implementation decode what another encodes?

They need not meet for it. Both are asked about the same vectors: who writes the bytes of a
vector and who reads them agree, and where they do not it is known who is wrong.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from wireproof_reports.runs.current import current, latest_versions
from wireproof_reports.runs.schemas import AGREEMENT, shaped

RIGHT: Final = ("pass", "unexpected-pass")
"""Exactly the vector's bytes, or its messages."""


def agreement(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """For every ordered pair of implementations, in the versions run last, what comes of the vectors both claim."""
    newest = current(verdicts, runs).join(latest_versions(runs), ["implementation", "version"], "left_semi")
    claimed = newest.where((fn.col("kind") == "accept") & (fn.col("status") != "unsupported"))
    pairs = _side(claimed, "encode", "encoder").join(_side(claimed, "decode", "decoder"), ["protocol", "vector"])
    keys = ("encoder", "encoder_version", "decoder", "decoder_version", "protocol")
    outcome = _outcome()
    rows = pairs.groupBy(*keys).agg(
        fn.count("vector").alias("vectors"), *(_number(outcome == name).alias(name) for name in OUTCOMES)
    )
    return shaped(rows.orderBy(*keys), AGREEMENT)


def _side(claimed: DataFrame, mode: str, role: str) -> DataFrame:
    profile = fn.from_json("profiles", "map<string, string>").getItem(fn.col("protocol"))
    return claimed.where(fn.col("mode") == mode).select(
        "protocol",
        "vector",
        fn.col("implementation").alias(role),
        fn.col("version").alias(f"{role}_version"),
        fn.col("status").alias(f"{role}_status"),
        fn.struct("digest", fn.coalesce(profile, fn.lit("{}")).alias("profile")).alias(f"{role}_conditions"),
    )


OUTCOMES: Final = ("agreed", "encoder_wrong", "decoder_wrong", "both_wrong", "not_executed", "incomparable")


def _outcome() -> Column:
    """One of `OUTCOMES`: under another profile, or of another suite, the same vector may have other bytes."""
    wrote, read = fn.col("encoder_status"), fn.col("decoder_status")
    return (
        fn.when(fn.col("encoder_conditions") != fn.col("decoder_conditions"), "incomparable")
        .when((wrote == "not-run") | (read == "not-run"), "not_executed")
        .when(wrote.isin(*RIGHT) & read.isin(*RIGHT), "agreed")
        .when(read.isin(*RIGHT), "encoder_wrong")
        .when(wrote.isin(*RIGHT), "decoder_wrong")
        .otherwise("both_wrong")
    )


def _number(condition: Column) -> Column:
    return fn.count(fn.when(condition, True))
