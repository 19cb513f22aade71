"""Numbers and blocks of fixed size, as the `struct` module names them."""

from __future__ import annotations

import struct
from functools import cache

FORMATS = {1: "b", 2: "h", 4: "i", 8: "q"}
"""The letter of a signed integer of so many bytes."""

BYTE = [bytes([number]) for number in range(256)]


@cache
def cached_struct(code: str) -> struct.Struct:
    return struct.Struct(code)


def struct_name(code: str) -> str:
    """A name for the functions of a struct: `>HB` is be_HB."""
    order = {">": "be_", "<": "le_"}[code[0]] if set(code[1:]) - set("Bbs0123456789") else ""
    return order + code[1:]
