"""Rows as Arrow batches with exactly the columns of a schema."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType


def arrow_schema(schema: StructType) -> Any:
    return _arrow(schema.json())


@cache
def _arrow(schema_json: str) -> Any:
    import json

    return to_arrow_schema(StructType.fromJson(json.loads(schema_json)))


def batch(rows: Sequence[tuple[Any, ...]], schema: StructType) -> Any:
    """One batch of rows."""
    arrow = arrow_schema(schema)
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(arrow)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, arrow, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=arrow)
