"""The tables of runs, column by column. Every step ends in a `select` of one of these."""

from __future__ import annotations

from typing import Final

from pyspark.sql import DataFrame
from pyspark.sql import functions as fn
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DoubleType,
    IntegerType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
)

from wireproof.verdict.statuses import STATUSES

_TYPES: Final[dict[str, DataType]] = {
    "string": StringType(),
    "long": LongType(),
    "int": IntegerType(),
    "double": DoubleType(),
    "boolean": BooleanType(),
    "array<string>": ArrayType(StringType()),
    "map<string,long>": MapType(StringType(), LongType()),
}


def schema(text: str) -> StructType:
    """Columns as in SQL. Spark's own reader of them needs a session, and workers have none."""
    pairs = (each.split(" ") for each in text.split(", "))
    return StructType([StructField(name, _TYPES[kind]) for name, kind in pairs])


def column(status: str) -> str:
    """The column that counts a status."""
    return status.replace("-", "_")


_TALLY: Final = "questions long, executed long, passed long, " + ", ".join(
    f"{column(status)} long" for status in STATUSES if status != "pass"
)

RUNS: Final = schema(
    "run string, implementation string, version string, language string, target string, suite string, digest string, "
    "started string, seed long, planned long, reported long, verdict string, finished boolean, exit_code int, "
    "seconds double, restarts long, stopped string, profiles string, claims string, selection string, "
    "baseline string, protections string, header string, footer string, source string"
)
"""A run a row. `header` and `footer` are lines of the log; `finished` is whether it has a footer."""

VERDICTS: Final = schema(
    "run string, place long, chain long, profile string, question string, vector string, mode string, protocol string, "
    "direction string, level string, kind string, clauses array<string>, status string, error string, cause string, "
    "reason string, detail string, notes array<string>, path string, requests long, failed long, request string, "
    "answer string, derived boolean, known string, stderr string, seconds double"
)
"""A verdict a row; `place` counts from 0, `chain` tells the log up to and with this line from all others.

`profile` is that of the verdict's protocol: what is set for others says nothing about it.
"""

QUARANTINE: Final = schema("file string, reason string")

CLAUSES: Final = schema("protocol string, clause string, test string, digest string, in_suite long, place long")
"""`in_suite` is how many questions the suite with this digest has on a clause."""

_WHO: Final = "implementation string, version string, digest string, profile string"

COMPLIANCE: Final = schema(
    f"{_WHO}, protocol string, clause string, test string, state string, in_suite long, {_TALLY}"
)
HISTORY: Final = schema(
    "implementation string, version string, started string, run string, digest string, profiles string, "
    "selection string, baseline string, verdict string, finished boolean, planned long, unreported long, "
    f"{_TALLY}, stopped string"
)
REGRESSIONS: Final = schema(
    "implementation string, digest string, profile string, question string, change string, before string, "
    "after string, version_before string, version string, run_before string, run string, started string, "
    "cause string, detail string"
)
FLAKY: Final = schema(f"{_WHO}, question string, runs long, flaky long, changes long, statuses map<string,long>")
AGREEMENT: Final = schema(
    "encoder string, encoder_version string, decoder string, decoder_version string, profile string, "
    "protocol string, vectors long, agreed long, encoder_wrong long, decoder_wrong long, both_wrong long, "
    "not_executed long, unsupported long, incomparable long"
)
LATENCY: Final = schema(
    f"{_WHO}, protocol string, mode string, verdicts long, requests long, "
    "p50 double, p90 double, p99 double, longest double"
)
COVERAGE: Final = schema(
    "implementation string, run string, protocol string, clause string, test string, in_suite long, "
    "questions long, executed long"
)


def shaped(frame: DataFrame, wanted: StructType) -> DataFrame:
    """Exactly these columns, in this order, of these types."""
    return frame.select(*(fn.col(field.name).cast(field.dataType).alias(field.name) for field in wanted))
