"""The columns of a corpus and of what is made of it."""

from __future__ import annotations

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)


def _columns(*columns: tuple[str, type[DataType] | DataType], optional: tuple[str, ...] = ()) -> StructType:
    return StructType(
        [StructField(name, kind if isinstance(kind, DataType) else kind(), name in optional) for name, kind in columns]
    )


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
    ("protocol", StringType),
    ("clause", StringType),
    ("status", StringType),
    ("cause", StringType),
    ("reason", StringType),
    ("detail", StringType),
    ("path", StringType),
    ("said", StringType),
)
"""What came of asking an implementation about a frame; (run, implementation, frame) is the key, `attempt` tells
which attempt of the task it comes from. Protocol and clause are the frame's: to look them up would cost more than all
that is added up by them."""

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

CAMPS = ArrayType(_columns(("said", StringType), ("implementations", ArrayType(StringType(), False))), False)
"""What was said about a frame, and by whom."""

DISAGREEMENTS = _columns(
    ("frame", LongType),
    ("protocol", StringType),
    ("direction", StringType),
    ("kind", StringType),
    ("message", StringType),
    ("mutation", StringType),
    ("clause", StringType),
    ("error", StringType),
    ("profile", StringType),
    ("hex", StringType),
    ("answer", StringType),
    ("camps", CAMPS),
)
"""Frames over which implementations differ, from each other or from the reference, whose answer stands beside."""
