"""Messages that are a series of units closed by an end unit (both revisions of ESNP).

Every unit has the same head, a type byte and a 24-bit size, taken as one 32-bit number.
A message is delivered when its end unit has come.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from wireproof.wire.packets import emit_guard, emit_reader
from wireproof.wire.packing import cached_struct
from wireproof.wire.pieces import joined
from wireproof.wire.records import write_steps
from wireproof.wire.source import Site, Source
from wireproof.wire.units import HEADER, Entry, Reject, Sequence, entries

if TYPE_CHECKING:
    from wireproof.definition import Plan


@dataclass
class Emitter:
    """Writes the functions of a sequence codec."""

    out: Source
    plan: Plan

    def __post_init__(self) -> None:
        self.rules: Sequence = self.plan.protocol.sequence.settle(self.plan.settings)
        self.table = entries(self.plan)
        self.ordered = any(entry.category == HEADER for entry in self.table.values())
        self.once = any(entry.once for entry in self.table.values())
        type_step, size_step = self.plan.head.steps
        self.type_site = Site(".type", type_step.clause)
        self.size_site = Site(".size", size_step.clause)
        self.big = size_step.wire.wire.order == "big"

    def emit(self) -> None:
        out = self.out
        for message in self.plan.messages:
            emit_reader(out, message, ["type"], "", sized=message.width is not None)
        self._emit_opaque_reader()
        self._emit_units()
        self._emit_decode()
        if out.traced:
            return
        for message in self.plan.messages:
            self._emit_unit_writer(message)
        self._emit_writers()
        self._emit_stream()

    def _emit_opaque_reader(self) -> None:
        note = ", note" if self.out.traced else ""
        self.out.const("Opaque", self.rules.opaque)
        with self.out.block(f"def read_opaque(buf, pos, end, type{note}):"):
            self.out("body = buf[pos:end]")
            if self.out.traced:
                self.out(f'note(pos, end, ".body", "Bytes", body, "{self.size_site.clause}")')
            self.out("return Opaque(type, body)")
        self.out("", "")

    def _emit_units(self) -> None:
        """The table by type: how to read it, its only size, its place in the order, whether it may recur."""
        out = self.out
        out("# reader, only size possible (-1: any), category (1 header, 2 body), once only")
        out("UNITS = [None] * 256", "FORBIDDEN = {}")
        for first, last, entry in _runs(self.table):
            if entry.rejected is not None:
                out.const("Reject", Reject)
                line = f"FORBIDDEN[type] = {entry.rejected!r}"
            else:
                line = f"UNITS[type] = ({entry.reader}, {entry.size}, {entry.category}, {entry.once})"
            if first == last:
                out(line.replace("[type]", f"[{first:#04x}]"))
            else:
                with out.block(f"for type in range({first:#04x}, {last + 1:#04x}):"):
                    out(line)
        out("", "")

    def _emit_decode(self) -> None:
        out, rules = self.out, self.rules
        arguments = "buf, note" if out.traced else "buf"
        with out.block(f"def decode({arguments}):"):
            out("pos = start = 0", "end = len(buf)", "messages = []", "units = []")
            with out.block("try:"), out.block("while pos < end:"):
                out("start = pos")
                self._begin()
                with out.block("while True:"):
                    with out.block("if end - pos < 4:"):
                        awaited = Site(".type", rules.message_clause)
                        out.malformed("truncated", awaited, "another unit, or the end of the message", "end")
                    self._head()
                    out("stop = pos + size")
                    with out.block("if stop > end:"):
                        out.malformed("truncated", self.size_site, "the rest of the unit", "end")
                    with out.block("if reader is not None:"):
                        inner = f', note.under(f"{rules.key}[{{index}}]")' if out.traced else ""
                        out(f"units.append(reader(buf, pos, stop, type{inner}))")
                    out("pos = stop", *(["index += 1"] if out.traced else []))
                out(f"messages.append({self._record()}(tuple(units)))")
            with out.block("except Malformed as error:"):
                out(f'error.under(f"{self.rules.key}[{{len(units)}}]")', "return Decoded(messages, start, error)")
            out("return Decoded(messages, end)")
        out("", "")

    def _record(self) -> str:
        return self.out.const(self.rules.record.__name__, self.rules.record)

    def _begin(self) -> None:
        self.out("units = []", "message_size = 0")
        if self.out.traced:
            self.out("index = 0")  # of the unit on the wire, those passed over included
        if self.ordered:
            self.out("body_begun = False")
        if self.once:
            self.out("seen = set()")

    def _head(self) -> None:
        """Take a head apart, check it, and leave the loop at the end unit."""
        out, rules = self.out, self.rules
        unpack = "unpack_be_I" if self.big else "unpack_le_I"
        out.const(unpack, cached_struct(">I" if self.big else "<I").unpack_from)
        out(f"(head,) = {unpack}(buf, pos)")
        out("type, size = head >> 24, head & 0xFFFFFF" if self.big else "type, size = head & 0xFF, head >> 8")
        if out.traced:
            inner = f'note.under(f"{rules.key}[{{index}}]")'
            out(f"head_note = {inner}")
            # on the wire both byte orders of the size have the type first
            out(f'head_note(pos, pos + 1, ".type", "Byte", type, "{self.type_site.clause}")')
            out(f'head_note(pos + 1, pos + 4, ".size", "size", size, "{self.size_site.clause}")')
        if any(entry.rejected for entry in self.table.values()):
            out("unit = UNITS[type]")
            with out.block("if unit is None:"):
                out("why = FORBIDDEN[type]")
                out(f'raise Malformed(why.error, why.clause, {out.at("pos")}, ".type", why.expected)')
            out("reader, only_size, category, once = unit")
        else:
            out("reader, only_size, category, once = UNITS[type]")
        if self.ordered:
            with out.block("if category == 2:"):
                out("body_begun = True")
            with out.block("elif category == 1 and body_begun:"):
                expected = "header lines before all body lines"
                out.malformed("bad-order", Site(".type", rules.order_clause), expected)
        if self.once:
            with out.block("if once:"):
                with out.block("if type in seen:"):
                    out.malformed("duplicate", Site(".type", rules.duplicate_clause), "at most one in a message")
                out("seen.add(type)")
        with out.block("if size != only_size and only_size >= 0:"):
            where = out.at("pos + 1")
            out(f'raise Malformed("length-mismatch", SIZE_CLAUSES[type], {where}, ".size", ' + 'f"size {only_size}")')
        out.const("SIZE_CLAUSES", self._size_clauses())
        self._limits()
        out("pos += 4")
        with out.block("if not type:"):
            out("break")

    def _size_clauses(self) -> dict[int, str]:
        """The clause that fixes the size of a type."""
        clauses = {0: self.rules.end_clause}
        for message in self.plan.messages:
            steps = [step for container in message.containers for step in container]
            clauses[message.code] = steps[-1].clause if steps else message.empty
        return clauses

    def _limits(self) -> None:
        out, rules = self.out, self.rules
        site = Site(".size", rules.limit_clause)
        if rules.max_frame < 0xFFFFFF:
            with out.block(f"if size > {rules.max_frame}:"):
                out.malformed("limit-exceeded", site, f"at most {rules.max_frame}", "pos + 1")
        out("message_size += size + 4")
        with out.block(f"if message_size > {rules.max_message}:"):
            out.malformed("limit-exceeded", site, f"a message of at most {rules.max_message} bytes", "pos + 1")

    def _emit_unit_writer(self, message: Any) -> None:
        out = self.out
        out.function()
        with out.block(f"def write{message.function}(m):"):
            out(f'"""{message.title}  {message.clause}"""')
            steps = [step for container in message.containers for step in container]
            if not steps:
                out('return b""')
            else:
                for name in message.fields:
                    out(f"{name} = m.{name}")
                pieces = out.container("body", partial(write_steps, steps=steps, prefix="."))
                out(f"return {' + '.join(joined(out, pieces))}")
        out("", "")

    def _emit_writers(self) -> None:
        out, rules = self.out, self.rules
        with out.block("def write_opaque(m):"):
            out("return m.body")
        out("", "", "WRITERS = {")
        for message in self.plan.messages:
            out(f"    {message.record.__name__}: ({message.code:#04x}, write{message.function}),")
        out("    Opaque: (-1, write_opaque),", "}")
        out.const("REFUSED", self._refusals())
        out.const("CATEGORY", [self.table[code].category for code in range(256)])
        out("", "")
        with out.block("def encode(m):"):
            out('"""A message: its units, then the end unit."""')
            emit_guard(out, self._record())
            out("i = 0", "message_size = 0", "parts = []", *(["body_begun = False"] if self.ordered else []))
            with out.block("try:"), out.block(f"for i, unit in enumerate(m.{rules.key}):"):
                self._write_unit()
            with out.block("except Refused as error:"):
                out(f'raise error.under(f"{rules.key}[{{i}}]") from None')
            with out.block(f"if message_size + 4 > {rules.max_message}:"):
                out.refused("limit-exceeded", Site(rules.key, rules.limit_clause), f"at most {rules.max_message} bytes")
            out(f"parts.append({bytes(4)!r})", 'return b"".join(parts)')
        out("", "")

    def _refusals(self) -> list[tuple[str, str, str] | None]:
        found = [self.table[code].refused for code in range(256)]
        return [None if why is None else (why.error, why.clause, why.expected) for why in found]

    def _write_unit(self) -> None:
        out, rules = self.out, self.rules
        out("type, writer = WRITERS[unit.__class__]")
        with out.block("if type < 0:"):
            out("type = unit.type")
            with out.block("if not 0 <= type <= 255:"):
                out.refused("out-of-range", self.type_site, "0 to 255")
        with out.block("if REFUSED[type] is not None:"):
            out("error, clause, expected = REFUSED[type]", 'raise Refused(error, clause, ".type", expected)')
        if self.ordered:
            with out.block("if CATEGORY[type] == 2:"):
                out("body_begun = True")
            with out.block("elif CATEGORY[type] == 1 and body_begun:"):
                out.refused("bad-order", Site(".type", rules.order_clause), "header lines before all body lines")
        out("body = writer(unit)", "size = len(body)")
        with out.block(f"if size > {rules.max_frame}:"):
            out.refused("limit-exceeded", Site(".size", rules.limit_clause), f"at most {rules.max_frame} bytes")
        out("message_size += size + 4")
        with out.block(f"if message_size > {rules.max_message}:"):
            out.refused("limit-exceeded", Site(".size", rules.limit_clause), f"at most {rules.max_message} bytes")
        pack = out.const("pack_be_I" if self.big else "pack_le_I", cached_struct(">I" if self.big else "<I").pack)
        out(f"parts.append({pack}({'type << 24 | size' if self.big else 'size << 8 | type'}))", "parts.append(body)")

    def _emit_stream(self) -> None:
        out = self.out
        out.streamed = True
        head = out.const("AWAIT_HEAD", (self.rules.message_clause, f"{self.rules.key}[].type"))
        body = out.const("AWAIT_BODY", (self.size_site.clause, f"{self.rules.key}[].size"))
        with out.block("def stream(state):"):
            out("buf = state.buffer", "pos = base = 0", "units = []")
            with out.block("try:"), out.block("while True:"):
                out("state.consumed = base + pos")
                self._begin()
                with out.block("while True:"):
                    self._await("4", head)
                    self._head()
                    self._await("size", body)
                    with out.block("if reader is not None:"):
                        with out.block("try:"):
                            out("units.append(reader(bytes(buf[pos:pos + size]), 0, size, type))")
                        with out.block("except Malformed as error:"):
                            out("raise error.shifted(base + pos) from None")
                    out("pos += size")
                out(f"state.deliver({self._record()}(tuple(units)))")
            with out.block("except Malformed as error:"):
                out(f'raise error.under(f"{self.rules.key}[{{len(units)}}]") from None')
        out.streamed = False

    def _await(self, size: str, waiting: str) -> None:
        with self.out.block(f"while len(buf) - pos < {size}:"):
            self.out("del buf[:pos]", "base += pos", "pos = 0", f"yield {waiting}")


def _runs(table: dict[int, Entry]) -> list[tuple[int, int, Entry]]:
    """Neighbouring types that are treated alike, together."""
    runs: list[tuple[int, int, Entry]] = []
    for code in range(256):
        if runs and runs[-1][2] == table[code]:
            runs[-1] = (runs[-1][0], code, table[code])
        else:
            runs.append((code, code, table[code]))
    return runs


def emit_sequence(out: Source, plan: Plan) -> None:
    Emitter(out, plan).emit()
