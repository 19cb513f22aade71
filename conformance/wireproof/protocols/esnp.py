"""What both revisions of ESNP share: basic types, `Var`, and the message over its units.

The later revision (001) changed two types only, `Int` and `Int8`; everything else is
stated here once, with the clause ids each document has for it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from wireproof.wire.base import by, param
from wireproof.wire.numbers import Fixed, Varint
from wireproof.wire.runs import Block, Bytes, Prefixed, Rest, Text
from wireproof.wire.var import Bool, Null, Tag, VarType


@dataclass(frozen=True)
class Ids:
    """The clause ids of a revision for what is defined here."""

    cut: str
    """a varint without a last byte"""
    overflow: str
    width: str
    """a number that does not fit its type"""
    fixed: str
    """the byte order of Fix types"""
    utf8: str
    len_bytes: str
    len_string: str
    var: str
    depth: str
    var_types: Callable[[int], str]
    map: str
    list: str


class Types:
    """【基础数据编码说明】: the basic types of a revision."""

    def __init__(self, ids: Ids, int_: Any, uint: Any, int8: Any) -> None:
        self.ids = ids
        self.Int, self.UInt, self.Int8 = int_, uint, int8
        self.Byte = Fixed(bits=8, name="Byte")
        self.Int16, self.Int32, self.Int64 = (varint(ids, f"Int{bits}", bits) for bits in (16, 32, 64))
        self.UInt16, self.UInt32, self.UInt64 = (varint(ids, f"UInt{bits}", bits, False) for bits in (16, 32, 64))
        self.FixInt32 = Fixed(bits=32, signed=True, name="FixInt32")
        self.FixUInt64 = Fixed(bits=64, name="FixUInt64", clause=ids.fixed)
        # Float32, Float64: 根据IEEE 754格式转换为uint32 / uint64, so the bits are the value
        self.Float32 = Block(size=4, content=Bytes(), name="Float32")
        self.Float64 = Block(size=8, content=Bytes(), name="Float64")
        # Bytes, String: 不定长; LenBytes, LenString: [字节长度:Int] first
        text = {
            "strict": Text(name="String", clause=ids.utf8),
            "bytes": Text(name="String", clause=ids.utf8, strict=False),
        }
        self.Bytes = Rest(content=Bytes(name="Bytes"))
        self.String = Rest(content=by("utf8", text))
        self.LenBytes = Prefixed(length=int_, content=Bytes(), name="LenBytes", clause=ids.len_bytes)
        self.LenString = Prefixed(length=int_, content=by("utf8", text), name="LenString", clause=ids.len_string)
        self.Var = self._var()

    def _var(self) -> VarType:
        """Var : [数据类型:1个字节][数据体], 12, 15, 16, 18 to 20 and 22 not being assigned."""
        bodies = [
            (0, "null", Null(name="Null")),
            (1, "bool", Bool(name="Bool")),
            (2, "int", self.Int),
            (3, "int8", self.Int8),
            (4, "int16", self.Int16),
            (5, "int32", self.Int32),
            (6, "int64", self.Int64),
            (7, "uint", self.UInt),
            (8, "uint8", self.Byte),
            (9, "uint16", self.UInt16),
            (10, "uint32", self.UInt32),
            (11, "uint64", self.UInt64),
            (13, "float32", self.Float32),
            (14, "float64", self.Float64),
            (17, "bytes", self.LenBytes),
            (21, "map", "map"),
            (23, "list", "list"),
            (24, "string", self.LenString),
        ]
        ids = {"map": self.ids.map, "list": self.ids.list}
        return VarType(
            name="Var",
            clause=self.ids.var,
            tags=tuple(
                Tag(code, name, wire, ids.get(name) or self.ids.var_types(place))
                for place, (code, name, wire) in enumerate(bodies)
            ),
            count=by("counts", zigzag=self.Int, uvarint=self.UInt),
            key=self.LenString,
            depth_clause=self.ids.depth,
            max_depth=param("max_depth"),
            dup_keys=param("dup_keys"),
        )


def varint(ids: Ids, name: str, bits: int, signed: bool = True) -> Varint:
    """变长的 integer: always read in 64 bits, then held to the width of its type."""
    return Varint(
        name=name,
        bits=bits,
        signed=signed,
        form="zigzag" if signed else "unsigned",
        clause=ids.cut,
        overflow_clause=ids.overflow,
        range_clause=ids.width,
    )
