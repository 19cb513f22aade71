"""The columns of a corpus and of what is made of it."""

from __future__ import annotations

from pyspark.sql.types import (
    BinaryType,
    DataType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)


def _columns(*columns: tuple[str, type[DataType]], optional: tuple[str, ...] = ()) -> StructType:
    return StructType([StructField(name, kind(), name in optional) for name, kind in columns])


FRAMES = _columns(
    ("frame", LongType),
    ("source", IntegerType),
    ("protocol", StringType),
    ("direction", StringType),
    ("kind", StringType),
    ("message", StringType),
    ("mutation", StringType),
    ("data", BinaryType),
    ("error", StringType),
    ("clause", StringType),
    ("offset", IntegerType),
    ("path", StringType),
    ("answer", StringType),
    optional=("offset",),
)
"""A frame and the reference's answer; `frames.Frame` says what each column is."""

MATRIX = _columns(
    ("protocol", StringType),
    ("direction", StringType),
    ("message", StringType),
    ("error", StringType),
    ("frames", LongType),
)
"""How many frames a decode took for which message, and ended with which error."""

RESULTS = _columns(
    ("run", StringType),
    ("implementation", StringType),
    ("frame", LongType),
    ("attempt", IntegerType),
    ("status", StringType),
    ("cause", StringType),
    ("reason", StringType),
    ("detail", StringType),
    ("path", StringType),
    ("said", StringType),
)
"""What came of asking an implementation about a frame; (run, implementation, frame) is the key, `attempt` tells
which attempt of the task it comes from."""

COMPLIANCE = _columns(
    ("implementation", StringType),
    ("protocol", StringType),
    ("clause", StringType),
    ("status", StringType),
    ("cause", StringType),
    ("frames", LongType),
    ("example", LongType),
)
"""For each implementation and broken clause (empty: nothing is broken) what came of the frames, and the first one."""

DISAGREEMENTS = _columns(
    ("frame", LongType),
    ("protocol", StringType),
    ("direction", StringType),
    ("kind", StringType),
    ("message", StringType),
    ("clause", StringType),
    ("error", StringType),
    ("profile", StringType),
    ("hex", StringType),
    ("camps", StringType),
)
"""Frames over which implementations differ: who says what, the reference among them."""
