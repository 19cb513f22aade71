"""From a plan to running functions: the generated module of a codec."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from wireproof.definition import Plan
from wireproof.errors import BadValue, Malformed, Refused
from wireproof.results import Decoded
from wireproof.wire.heads import number_of
from wireproof.wire.packets import emit_decode, emit_encode, emit_reader, emit_stream, emit_undefined, emit_writer
from wireproof.wire.sequences import emit_sequence
from wireproof.wire.source import Source, load


@dataclass
class Module:
    """A generated module: its source, and the functions it defines."""

    source: str
    names: dict[str, Any]

    @property
    def decode(self) -> Callable[..., Decoded]:
        return self.names["decode"]  # type: ignore[no-any-return]

    @property
    def encode(self) -> Callable[[Any], bytes]:
        return self.names["encode"]  # type: ignore[no-any-return]

    @property
    def stream(self) -> Callable[..., Any]:
        return self.names["stream"]  # type: ignore[no-any-return]


def undefined_record(plan: Plan) -> type:
    """The record of a message whose number nobody defined: what the head says of it."""
    return msgspec.defstruct("Undefined", [(plan.code, int), *((name, Any) for name in plan.head_fields)])


def build(plan: Plan, *, traced: bool = False) -> Module:
    """Generate and load the functions of a codec, or their tracing twins."""
    out = Source(
        traced=traced, names={"BadValue": BadValue, "Malformed": Malformed, "Refused": Refused, "Decoded": Decoded}
    )
    out.names["KNOWN_TYPES"] = "one of the types " + ", ".join(str(message.code) for message in plan.messages)
    if plan.protocol.sequence is not None:
        emit_sequence(out, plan)
    else:
        _emit_packets(out, plan)
    source = "\n\n".join([*out.helpers.values(), out.text().rstrip() + "\n"])
    suffix = f" {plan.direction}" if plan.direction else ""
    name = f"<wireproof {plan.protocol.name}{suffix}{' traced' if traced else ''} {id(plan):x}>"
    return Module(source, load(source, name, out.names))


def _emit_packets(out: Source, plan: Plan) -> None:
    for message in plan.messages:
        emit_reader(out, message, plan.head_fields, plan.key)
    if plan.selector is None:
        (message,) = plan.messages
        out(f"reader = read{message.function}")
    else:
        out.codes = max(message.code for message in plan.messages) + 1 if number_of(plan.selector).width > 1 else 0
        out(f"READ = [None] * {out.codes or 256}")
        for message in plan.messages:
            out(f"READ[{message.code}] = read{message.function}")
    out("", "")
    only = plan.messages[0] if plan.selector is None else None
    emit_decode(out, plan.head, plan.head_fields, only)
    if out.traced:
        return
    for message in plan.messages:
        emit_writer(out, message, plan.head, plan.code if plan.selector else "")
    if plan.selector is not None:
        emit_undefined(out, plan.head, plan.code, plan.head_fields)
        out.const("Undefined", undefined_record(plan))
        out("WRITE = {")
        for message in plan.messages:
            out(f"    {message.record.__name__}: write{message.function},")
        out("    Undefined: write_undefined,", "}", "", "")
        emit_encode(out)
    emit_stream(out, plan.head, plan.head_fields)
