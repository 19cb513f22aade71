"""Which error classes a codec can answer, and the clause or open point each is grounded in.

Read from the generated code itself, so that what is documented is what is done.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from wireproof.codec import Codec
from wireproof.errors import ERROR_CLASSES
from wireproof.profile import parameters
from wireproof.wire.units import entries


class Citation(NamedTuple):
    """Code answers `error` and gives `reference` as the ground."""

    kind: str
    """Malformed or Refused"""
    error: str
    reference: str
    function: str


DYNAMIC = {("why.error", "why.clause"), ("error", "clause"), ("'length-mismatch'", "SIZE_CLAUSES[type]")}
"""What generated code looks up in tables, which `_tabled` reads."""


def single_changes(protocol: str) -> list[dict[str, Any]]:
    """`standard`, and every profile that differs from it in one enumerated parameter."""
    alternatives = [{each.name: value} for each in parameters(protocol).values() for value in each.alternatives()]
    return [{}, *alternatives]


def citations(codec: Codec) -> set[Citation]:
    """All that a codec can answer, in decoding, encoding and at the end of a stream."""
    never = _unreachable(codec)
    found = [*_raised(codec.module.source), *_tabled(codec)]
    return {citation for citation in found if (citation.function, citation.error) not in never}


def _raised(source: str) -> Iterator[Citation]:
    for function in ast.parse(source).body:
        for node in ast.walk(function):
            match node:
                case ast.Call(
                    func=ast.Name(id="Malformed" | "Refused" as kind),
                    args=[ast.Constant(value=str(error)), ast.Constant(value=str(reference)), *_],
                ):
                    yield Citation(kind, error, reference, getattr(function, "name", ""))
                case ast.Call(func=ast.Name(id="first_overrun"), args=[_, _, *fields]):
                    for field in fields:
                        reference = ast.literal_eval(field.elts[1])  # type: ignore[attr-defined]
                        yield Citation("Malformed", "overrun", reference, getattr(function, "name", ""))
                case ast.Call(func=ast.Name(id="Malformed" | "Refused"), args=[what, ground, *_]):
                    if (ast.unparse(what), ast.unparse(ground)) not in DYNAMIC:
                        raise ValueError(f"citations cannot follow line {node.lineno}: {ast.unparse(node)}")


def _tabled(codec: Codec) -> Iterator[Citation]:
    """What generated source looks up before it raises, or a stream when it is ended early."""
    names = codec.module.names
    for why in names.get("FORBIDDEN", {}).values():
        yield Citation("Malformed", why.error, why.clause, "FORBIDDEN")
    for refusal in filter(None, names.get("REFUSED", [])):
        yield Citation("Refused", refusal[0], refusal[1], "REFUSED")
    for number, reference in names.get("SIZE_CLAUSES", {}).items():
        unit = names["UNITS"][number]
        if unit is not None and unit[1] >= 0:
            yield Citation("Malformed", "length-mismatch", reference, "SIZE_CLAUSES")
    for constant, value in names.items():
        if constant.startswith("AWAIT_"):
            yield Citation("Malformed", "truncated", value[0], constant)


def _unreachable(codec: Codec) -> set[tuple[str, str]]:
    """Functions and what they cannot raise, whatever the bytes or the JSON value."""
    never = {
        # a float's JSON form has exactly its digits
        ("write_var_float32", "length-mismatch"),
        ("write_var_float64", "length-mismatch"),
    }
    plan = codec.plan
    if any(step.wire.unless for step in plan.head.lengths()):  # no length, so no payload to be wrong
        never |= {("read_ping", "length-mismatch"), ("read_pong", "length-mismatch")}
    if plan.protocol.sequence is not None:
        table = entries(plan)
        for message in plan.messages:
            if table[message.code].refused is not None:
                never |= {(f"write{message.function}", error) for error in ERROR_CLASSES}
    return never
