"""Does one implementation decode what another encodes?

They need not meet for it. Both are asked about the same vectors: who writes the bytes of a
vector and who reads them agree, and where they do not it is known who is wrong.
"""

from __future__ import annotations

from typing import Final

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as fn

from wireproof_reports.runs.counts import number
from wireproof_reports.runs.current import current, latest_versions
from wireproof_reports.runs.schemas import AGREEMENT, shaped

RIGHT: Final = ("pass", "unexpected-pass")
"""Exactly the vector's bytes, or its messages."""
OUTCOMES: Final = (
    *("agreed", "encoder_wrong", "decoder_wrong", "both_wrong"),
    *("not_executed", "unsupported", "incomparable"),
)
_PAIR: Final = ("encoder", "encoder_version", "decoder", "decoder_version")


def agreement(verdicts: DataFrame, runs: DataFrame) -> DataFrame:
    """For every ordered pair of implementations, in the versions run last, what comes of the vectors put to both.

    Under another profile, or of another suite, the same vector may have other bytes: what two never had
    in common is incomparable, and stands in a row without a profile.
    """
    newest = current(verdicts, runs).join(latest_versions(runs), ["implementation", "version"], "left_semi")
    accepted = newest.where(fn.col("kind") == "accept")
    sides = _side(accepted, "encode", "encoder"), _side(accepted, "decode", "decoder")
    pairs = sides[0].join(sides[1], ["protocol", "vector"])
    alike = fn.col("encoder_conditions") == fn.col("decoder_conditions")
    # A vector counts once under each profile the two have in common, and once if there is none.
    rows = pairs.groupBy(*_PAIR, "protocol", "vector").agg(
        fn.collect_list(
            fn.when(
                alike, fn.struct(fn.col("encoder_conditions.profile").alias("profile"), _outcome().alias("outcome"))
            )
        ).alias("each")
    )
    none = fn.struct(fn.lit("").alias("profile"), fn.lit("incomparable").alias("outcome"))
    rows = rows.withColumn("each", fn.explode(fn.when(fn.size("each") == 0, fn.array(none)).otherwise(fn.col("each"))))
    keys = (*_PAIR, "profile", "protocol")
    outcome = fn.col("outcome")
    counts = (
        rows.select(*_PAIR, "protocol", "vector", "each.*")
        .groupBy(*keys)
        .agg(fn.count("vector").alias("vectors"), *(number(outcome == name).alias(name) for name in OUTCOMES))
    )
    return shaped(counts.orderBy(*keys), AGREEMENT)


def _side(accepted: DataFrame, mode: str, role: str) -> DataFrame:
    return accepted.where(fn.col("mode") == mode).select(
        "protocol",
        "vector",
        fn.col("implementation").alias(role),
        fn.col("version").alias(f"{role}_version"),
        fn.col("status").alias(f"{role}_status"),
        fn.struct("digest", "profile").alias(f"{role}_conditions"),
    )


def _outcome() -> Column:
    """One of `OUTCOMES` for a vector that both were asked about alike."""
    wrote, read = fn.col("encoder_status"), fn.col("decoder_status")
    return (
        fn.when((wrote == "unsupported") | (read == "unsupported"), "unsupported")
        .when((wrote == "not-run") | (read == "not-run"), "not_executed")
        .when(wrote.isin(*RIGHT) & read.isin(*RIGHT), "agreed")
        .when(read.isin(*RIGHT), "encoder_wrong")
        .when(wrote.isin(*RIGHT), "decoder_wrong")
        .otherwise("both_wrong")
    )
