"""One JSON value a line, lone surrogates and huge numbers included: an encoder has to be asked about them."""

from __future__ import annotations

import json
from typing import Any

import msgspec

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder().decode


def dump(value: Any) -> bytes:
    """The line of a value, its newline included."""
    try:
        return _encode(value) + b"\n"
    except (UnicodeEncodeError, OverflowError):  # OverflowError: a number of more than 64 bits
        return json.dumps(value).encode() + b"\n"


def parse(line: bytes) -> Any:
    """The value of a line; ValueError or RecursionError if it has none."""
    try:
        return _decode(line)
    except msgspec.DecodeError:
        return json.loads(line)
