"""Putting the pieces of a written message together.

Emitted writers do not push every field by itself: neighbouring numbers and blocks of
fixed size are packed in one call, and what is known in straight line is joined in one
expression.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wireproof.wire.packing import cached_struct, struct_name

if TYPE_CHECKING:
    from wireproof.wire.source import Source


@dataclass(frozen=True)
class Piece:
    """Some bytes of a message about to be written."""

    value: str
    """An expression: bytes, or for a piece with a `letter` what `struct` packs."""
    size: str
    """An expression for the number of bytes."""
    letter: str = ""
    order: str = ""
    """The byte order, where it matters."""


def joined(out: Source, pieces: Sequence[Piece]) -> list[str]:
    """Expressions for the bytes of the pieces, neighbours packed together."""
    expressions: list[str] = []
    group: list[Piece] = []
    for piece in pieces:
        orders = {each.order for each in [*group, piece] if each.order}
        if group and (not piece.letter or len(orders) > 1):
            expressions.append(_packed(out, group))
            group = []
        if piece.letter:
            group.append(piece)
        else:
            expressions.append(piece.value)
    return expressions + ([_packed(out, group)] if group else [])


def _packed(out: Source, group: list[Piece]) -> str:
    if len(group) == 1:
        (piece,) = group
        if piece.letter == "B":
            return repr(bytes([int(piece.value)])) if piece.value.isdigit() else f"BYTE[{piece.value}]"
        if piece.letter.endswith("s"):
            return piece.value
    order = next((piece.order for piece in group if piece.order), "big")
    code = (">" if order == "big" else "<") + "".join(piece.letter for piece in group)
    if all(piece.value.isdigit() for piece in group):
        return repr(cached_struct(code).pack(*(int(piece.value) for piece in group)))
    pack = out.const("pack_" + struct_name(code), cached_struct(code).pack)
    return f"{pack}({', '.join(piece.value for piece in group)})"


def total_size(pieces: Sequence[Piece]) -> str:
    """An expression for the size of all the pieces."""
    known = sum(int(piece.size) for piece in pieces if piece.size.isdigit())
    others = [piece.size for piece in pieces if not piece.size.isdigit()]
    return " + ".join(others + ([str(known)] if known or not others else []))
