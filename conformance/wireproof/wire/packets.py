"""Units that stand alone: one head, one message (tny, tny-relay, magline, comet)."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from functools import partial
from typing import Any

from wireproof.wire.base import Wire
from wireproof.wire.bits import Bits
from wireproof.wire.heads import Head, HeadNumber, Length, Magic, Select
from wireproof.wire.lists import UntilEnd
from wireproof.wire.pieces import joined, total_size
from wireproof.wire.records import Element, Record, Step, read_steps, write_steps
from wireproof.wire.runs import Rest
from wireproof.wire.source import Site, Source


@dataclass
class MessagePlan:
    """One message under one profile: its number, its steps, and where they stand."""

    record: type[Record]
    code: int
    title: str
    clause: str
    empty: str
    """The clause behind a body without fields."""
    head_fields: list[str]
    containers: list[list[Step]]
    fields: list[str]

    @property
    def function(self) -> str:
        return "".join("_" + letter.lower() if letter.isupper() else letter for letter in self.record.__name__)

    @property
    def width(self) -> int | None:
        """The size of the whole body, where it can only be one."""
        sizes = [_width(step) for container in self.containers for step in container]
        return None if None in sizes else sum(size for size in sizes if size)


def _width(step: Step) -> int | None:
    if step.optional or isinstance(step.wire, Element):
        return None
    return 0 if step.wire is None else step.wire.width


def emit_reader(out: Source, plan: MessagePlan, names: list[str], key: str, *, sized: bool = False) -> None:
    """The function that reads what comes after the head; `names` are what the head hands over.

    A `sized` body is known to have the one size it can have.
    """
    out.function()
    limits = ["end" if index == 0 else f"end{index + 1}" for index in range(len(plan.containers))]
    arguments = ["buf", "pos", *limits, *names] + (["note"] if out.traced else [])
    with out.block(f"def read{plan.function}({', '.join(arguments)}):"):
        out(f'"""{plan.title}  {plan.clause}"""')
        _read_containers(out, plan, key, limits, sized=sized)
        out.unneeded(f"pos = {limits[-1]}", "pos = stop")
        out.const(plan.record.__name__, plan.record)
        out(f"return {plan.record.__name__}({', '.join(plan.fields)})")
    out("", "")


def _read_containers(out: Source, plan: MessagePlan, key: str, limits: list[str], *, sized: bool) -> None:
    for index, steps in enumerate(plan.containers):
        out.end = limits[index]
        with out.certain() if sized else nullcontext():
            read_steps(out, steps, f"{key}.")
        if sized or (steps and _takes_all(steps[-1].wire)):
            continue
        position = "stop" if index == len(plan.containers) - 1 and out.unneeded("pos = stop") else "pos"
        with out.block(f"if {position} != {out.end}:"):
            site = Site(key, steps[-1].clause if steps else plan.empty)
            out.malformed("trailing-bytes", site, "nothing after the last field", position)
    out.end = "end"


def _takes_all(wire: Any) -> bool:
    return isinstance(wire, Rest | UntilEnd)


def emit_writer(out: Source, plan: MessagePlan, head: Head, code_name: str) -> None:
    """The function that writes a whole unit; without a selector there is no other, and it is `encode`."""
    out.function()
    with out.block(f"def write{plan.function}(m):" if code_name else "def encode(m):"):
        out(f'"""{plan.title}  {plan.clause}"""')
        if not code_name:
            emit_guard(out, plan.record.__name__)
        for name in plan.fields:
            out(f"{name} = m.{name}")
        constants = {code_name: str(plan.code)} if code_name else {}
        emit_head_checks(out, head, constants)
        pieces = []
        for length, steps in zip(head.lengths(), plan.containers, strict=True):
            name = length.wire.of
            written = out.container(name, partial(write_steps, steps=steps, prefix=f"{head.key}."))
            size = total_size(written)
            known = length.wire.constant(size)
            if known:
                constants[length.name] = known
            if any(f"{name}_size" in other.wire.counts for other in head.lengths()):
                out(f"{name}_size = {size}")
                size = f"{name}_size"
            if not known:  # a length is judged as soon as what it counts is written
                length.wire.compute(out, length.name, size, head.site(length))
            pieces += written
        out(f"return {' + '.join(joined(out, head.pieces(constants) + pieces))}")
    out("", "")


def emit_head_checks(out: Source, head: Head, constants: dict[str, str]) -> None:
    """Refuse, in the order of the wire, what the head cannot carry."""
    if any(getattr(step.wire, "rules", ()) for step in head.steps if isinstance(step.wire, Element)):
        out(*(f"{name} = {value}" for name, value in constants.items()))
    for step in head.steps:
        if isinstance(step.wire, HeadNumber | Bits):
            if not isinstance(step.wire, Length):
                step.wire.prepare(out, step.name, head.site(step))
        elif isinstance(step.wire, Wire):
            step.wire.check_written(out, step.name, head.site(step))


def emit_undefined(out: Source, head: Head, code_name: str, fields: list[str]) -> None:
    """The writer of a message whose number nobody defined: it finds the first thing to refuse."""
    with out.block("def write_undefined(m):"):
        for name in [*fields, code_name]:
            out(f"{name} = m.{name}")
        for step in head.steps:
            site = head.site(step)
            if isinstance(step.wire, Select | Bits):
                low, high = step.wire.code_range
                with out.block(f"if not {low} <= {code_name} <= {high}:"):
                    out.refused("out-of-range", site, f"{low} to {high}")
                out.refused("unknown-type", site.sub("", step.wire.code_clause), out.names["KNOWN_TYPES"])
                break
            if isinstance(step.wire, Wire):
                step.wire.check_written(out, step.name, site)
    out("", "")


def emit_guard(out: Source, record: str) -> None:
    with out.block(f"if m.__class__ is not {record}:"):
        out('raise BadValue("", f"{type(m).__name__} is no message of this codec")')


def emit_encode(out: Source) -> None:
    """The function that finds the writer of a message."""
    with out.block("def encode(message):"):
        out("writer = WRITE.get(message.__class__)")
        with out.block("if writer is None:"):
            out('raise BadValue("", f"{type(message).__name__} is no message of this codec")')
        out("return writer(message)")
    out("", "")


def emit_decode(out: Source, head: Head, names: list[str], only: MessagePlan | None = None) -> None:
    """The loop over a whole buffer; `only` is the one message of a protocol without a selector."""
    arguments = ", ".join(["buf"] + (["note"] if out.traced else []))
    with out.block(f"def decode({arguments}):"):
        out("pos = start = 0", "end = len(buf)", "messages = []")
        with out.block("try:"), out.block("while pos < end:"):
            out("start = pos")
            if head.is_plain():
                _read_sections_together(out, head)
            else:
                for section in head.sections[:-1]:
                    _read_section(out, head, section, _need_whole)
            _emit_containers(out, head, names, _need_whole, only)
            out("pos = limit")
        with out.block("except Malformed as error:"):
            out("return Decoded(messages, start, error)")
        out("return Decoded(messages, end)")
    out("", "")


def emit_stream(out: Source, head: Head, names: list[str]) -> None:
    """The same loop as a coroutine that yields whenever it has to wait for bytes."""
    out.streamed = True
    with out.block("def stream(state):"):
        out("buf = state.buffer", "pos = base = 0")
        with out.block("while True:"):
            out("start = state.consumed = base + pos")
            for section in head.sections[:-1]:
                _read_section(out, head, section, _need_stream)
            _emit_containers(out, head, names, _need_stream)
            out("pos = limit")
    out.streamed = False


def _read_sections_together(out: Source, head: Head) -> None:
    """Blocks of plain numbers are one when all of them are there; only else is each looked at by itself."""
    *first, last = head.sections[:-1]
    whole = [step for section in head.sections[:-1] for step in section]
    if first:
        with out.block(f"if end - pos < {head.size(whole)}:"):
            for section in first:
                _read_section(out, head, section, _need_whole)
            out.unneeded(f"pos += {head.size(first[-1])}")
            out.malformed("truncated", head.site(last[0]), "the rest of the unit", "end")
        head.read(out, whole)
    else:
        _read_section(out, head, last, _need_whole)


def _read_section(out: Source, head: Head, section: list[Step], need: Any) -> None:
    if isinstance(section[0].wire, Magic):
        _emit_magic(out, head, section[0], need)
        section = section[1:]
        if not section:
            return
    last = section[-1]
    if isinstance(last.wire, Length) and last.wire.unless:
        with out.block(f"if {last.wire.unless}:"):
            out(f"{last.wire.of}_size = 0")
        with out.block("else:"):
            need(out, str(head.size(section)), head.site(last))
            head.read(out, section)
        return
    first_byte = not out.streamed and section is head.sections[0] and head.size(section) == 1
    if not first_byte:  # which is there, or the loop would have ended
        need(out, str(head.size(section)), head.site(section[0]))
    head.read(out, section)


def _emit_magic(out: Source, head: Head, step: Step, need: Any) -> None:
    size = len(step.wire.text)
    magic = out.const("MAGIC", step.wire.text)
    site = head.site(step)
    with ExitStack() as inside:
        if not out.streamed:  # a whole buffer is compared at once; only a difference is looked at byte by byte
            inside.enter_context(out.block(f"if buf[pos:pos + {size}] != {magic}:"))
        inside.enter_context(out.block(f"for i in range({size}):"))
        need(out, "i + 1", site)
        with out.block(f"if buf[pos + i] != {magic}[i]:"):
            out.malformed("bad-magic", site, f"the bytes of {step.wire.text.decode()!r}", "pos + i")
    if out.traced:
        out(f'note(pos, pos + {size}, {site.literal}, "magic", {magic}, "{site.clause}")')
    out(f"pos += {size}")


def _need_whole(out: Source, size: str, site: Site) -> None:
    with out.block(f"if end - pos < {size}:"):
        out.malformed("truncated", site, "the rest of the unit", "end")


def _need_stream(out: Source, size: str, site: Site) -> None:
    waiting = out.const(f"AWAIT_{site.path.rpartition('.')[2].upper()}", (site.clause, site.path))
    with out.block(f"while len(buf) - pos < {size}:"):
        out("del buf[:pos]", "base += pos", "pos = 0", f"yield {waiting}")


def _emit_containers(out: Source, head: Head, names: list[str], need: Any, only: MessagePlan | None = None) -> None:
    """The rest of the head and the containers are one block; the only message there is is read in place."""
    inner = head.sections[-1]
    sizes = [head.size_name(step) for step in head.lengths()]
    total = head.total()
    site = Site(head.key, head.lengths()[-1].clause)
    if out.streamed:
        need(out, total, site)
    out(f"limit = pos + {total}")
    if not out.streamed:
        with out.block("if limit > end:"):
            out.malformed("truncated", site, "the rest of the unit", "end")
    head.read(out, inner)
    if only is not None:
        _read_containers(out, only, head.key, ["limit"], sized=False)
        out.unneeded("pos = limit")
        out(f"messages.append({only.record.__name__}({', '.join(only.fields)}))")
        return
    limits = [f"pos + {' + '.join(sizes[: index + 1])}" for index in range(len(sizes) - 1)]
    if not out.streamed:
        arguments = ["buf", "pos", *limits, "limit", *names] + (["note"] if out.traced else [])
        out(f"messages.append(reader({', '.join(arguments)}))")
        return
    limits = [" + ".join(sizes[: index + 1]) for index in range(len(sizes) - 1)]
    arguments = ["bytes(buf[pos:limit])", "0", *limits, "limit - pos", *names]
    with out.block("try:"):
        out(f"state.deliver(reader({', '.join(arguments)}))")
    with out.block("except Malformed as error:"):
        out("raise error.shifted(base + pos) from None")
