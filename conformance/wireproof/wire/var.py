"""`Var`: a value that carries its own type, maps and lists of them included."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from wireproof.errors import BadValue
from wireproof.wire.base import Json, Settling, Wire
from wireproof.wire.numbers import Number
from wireproof.wire.records import Record
from wireproof.wire.runs import parse_hex
from wireproof.wire.source import Site, Source


class Var(Record):
    """A tagged value: `v` is None, a bool, an int, bytes, text, or a tuple of pairs or of Vars.

    Floats are kept as their bytes, so that every NaN and both zeros stay what they were.
    """

    t: str
    v: Any = None


@dataclass(frozen=True, kw_only=True)
class Null(Wire):
    """No bytes at all."""

    @property
    def width(self) -> int:
        return 0

    def read(self, out: Source, target: str, site: Site) -> None:
        out(f"{target} = None")

    def write(self, out: Source, value: str, site: Site) -> None:
        pass


@dataclass(frozen=True, kw_only=True)
class Bool(Wire):
    """One byte: 0 is false, anything else is true, and true is written as 1."""

    @property
    def width(self) -> int:
        return 1

    def read(self, out: Source, target: str, site: Site) -> None:
        out.room("1", self.site(site), "a byte of Bool")
        out(f"{target} = buf[pos] != 0")
        out.trace(site, self.label, target)
        out("pos = stop")

    def write(self, out: Source, value: str, site: Site) -> None:
        out.put(f"1 if {value} else 0", "1", "B")

    def parse(self, value: Json, path: str) -> bool:
        if not isinstance(value, bool):
            raise BadValue(path, "expected true or false")
        return value


@dataclass(frozen=True)
class Tag(Settling):
    """One kind of Var: its code on the wire, its name in JSON, and what follows the code."""

    code: int
    name: str
    wire: Any
    """A wire type, or "map" or "list"."""
    clause: str


@dataclass(frozen=True, kw_only=True)
class VarType(Wire):
    """A type byte and the value of that type."""

    tags: tuple[Any, ...]
    count: Number
    key: Wire
    depth_clause: str
    max_depth: int
    dup_keys: str

    def read(self, out: Source, target: str, site: Site) -> None:
        table = out.helper("READ_VAR", self._emit_readers)
        self._type_byte(out, site)
        note = f", note.under({site.literal})" if out.traced else ""
        with out.block("try:"):
            out(f"{target}, pos = {table}[buf[pos]](buf, pos + 1, {out.end}, 0{note})")
        with out.block("except Malformed as error:"):
            out(f"raise error.under({site.literal}) from None")

    def write(self, out: Source, value: str, site: Site) -> None:
        out.helper("WRITE_VAR", self._emit_writers)
        out.push()
        with out.block("try:"):
            self._write_inner(out, value, "0")
        with out.block("except Refused as error:"):
            out(f"raise error.under({site.literal}) from None")

    def _type_byte(self, out: Source, site: Site) -> None:
        with out.block(f"if pos >= {out.end}:"):
            out.malformed("overrun", self.site(site), "a type byte of Var")

    def _emit_readers(self, out: Source) -> None:
        """A function for each tag, and a table of 256 by type byte."""
        note = ", note" if out.traced else ""
        for tag in self.tags:
            out.function()
            with out.block(f"def read_var_{tag.name}(buf, pos, end, depth{note}):"):
                if out.traced:
                    out(f'note(pos - 1, pos, ".t", "Var type", "{tag.name}", "{tag.clause}")')
                if isinstance(tag.wire, str):
                    self._read_nested(out, tag)
                else:
                    tag.wire.read(out, "v", Site("", tag.clause))
                out(f'return Var("{tag.name}", v), pos')
            out("", "")
        with out.block(f"def read_var_undefined(buf, pos, end, depth{note}):"):
            out.malformed("unknown-type", Site("", self.clause), self._known(), "pos - 1")
        out("", "", "READ_VAR = [read_var_undefined] * 256")
        for tag in self.tags:
            out(f"READ_VAR[{tag.code}] = read_var_{tag.name}")
        out.const("Var", Var)

    def _known(self) -> str:
        return "one of the Var types " + ", ".join(str(tag.code) for tag in self.tags)

    def _read_nested(self, out: Source, tag: Tag) -> None:
        with out.block(f"if depth >= {self.max_depth}:"):
            expected = f"at most {self.max_depth} maps and lists inside one another"
            out.malformed("limit-exceeded", Site("", self.depth_clause), expected, "pos - 1")
        self.count.read_length(out, "count", Site(".count", tag.clause))
        out("items = []", "i = 0")
        inner = ", note" if out.traced else ""
        with out.block("try:"), out.block("for i in range(count):"):
            if out.traced:
                out('outer, note = note, note.under(f".v[{i}]")')
            if tag.wire == "map":
                self.key.read(out, "key", Site("[0]", tag.clause))
            with out.block("if pos >= end:"):
                out.malformed("overrun", Site("[1]" if tag.wire == "map" else "", tag.clause), "a type byte of Var")
            out(f"item, pos = READ_VAR[buf[pos]](buf, pos + 1, end, depth + 1{inner})")
            out("items.append((key, item))" if tag.wire == "map" else "items.append(item)")
            if out.traced:
                out("note = outer")
        with out.block("except Malformed as error:"):
            out('raise error.under(f".v[{i}]") from None')
        if tag.wire == "map" and self.dup_keys != "keep":
            out(f"items = {out.const('keep_' + self.dup_keys, _SURVIVORS[self.dup_keys])}(items)")
        out("v = tuple(items)")

    def _emit_writers(self, out: Source) -> None:
        for tag in self.tags:
            out.function()
            with out.block(f"def write_var_{tag.name}(v, push, depth):"):
                out.put(str(tag.code), "1", "B")
                if isinstance(tag.wire, str):
                    self._write_nested(out, tag)
                else:
                    tag.wire.write(out, "v", Site("", tag.clause))
                out.push()
            out("", "")
        out("WRITE_VAR = {" + ", ".join(f'"{tag.name}": write_var_{tag.name}' for tag in self.tags) + "}")

    def _write_inner(self, out: Source, value: str, depth: str) -> None:
        out(f"writer = WRITE_VAR.get({value}.t)")
        with out.block("if writer is None:"):
            out.refused("unknown-type", Site("", self.clause), self._known())
        out(f"writer({value}.v, push, {depth})")

    def _write_nested(self, out: Source, tag: Tag) -> None:
        with out.block(f"if depth >= {self.max_depth}:"):
            out.refused("limit-exceeded", Site("", self.depth_clause), f"at most {self.max_depth} maps and lists")
        out("count = len(v)")
        self.count.write_length(out, "count", Site(".count", tag.clause))
        out("i = 0")
        out.push()
        with out.block("try:"):
            if tag.wire == "map":
                with out.branch("for i, (key, item) in enumerate(v):"):
                    self.key.write(out, "key", Site("[0]", tag.clause))
                    out.push()
                    self._write_inner(out, "item", "depth + 1")
            else:
                with out.branch("for i, item in enumerate(v):"):
                    self._write_inner(out, "item", "depth + 1")
        with out.block("except Refused as error:"):
            out('raise error.under(f".v[{i}]") from None')

    def render(self, value: Var) -> Json:
        tag = value.t
        if tag == "map":
            keys = [self.key.render(key) for key, _ in value.v]
            # map, not a comprehension: that would be a second Python frame for each level of nesting.
            values = map(self.render, [item for _, item in value.v])
            return {"t": tag, "v": [list(pair) for pair in zip(keys, list(values), strict=True)]}
        if tag == "list":
            return {"t": tag, "v": list(map(self.render, value.v))}
        if tag == "null":
            return {"t": tag}
        if tag in ("float32", "float64"):
            return {"t": tag, "bits": value.v.hex()}
        return {"t": tag, "v": self._wires[tag].render(value.v)}

    @cached_property
    def _wires(self) -> dict[str, Any]:
        return {tag.name: tag.wire for tag in self.tags}

    def parse(self, value: Json, path: str, depth: int = 0) -> Var:
        if not isinstance(value, dict) or not isinstance(value.get("t"), str):
            raise BadValue(path, 'expected a Var: an object with "t" and its value')
        name = value["t"]
        wire = self._wires.get(name)
        if wire is None:
            return Var(name)
        if name == "null":
            _exactly(value, {"t"}, path)
            return Var("null")
        if name in ("float32", "float64"):
            _exactly({key: value[key] for key in value if key != "v"}, {"t", "bits"}, path)
            bits = parse_hex(value["bits"], f"{path}.bits")
            if len(bits) != wire.width:
                raise BadValue(f"{path}.bits", f"expected {2 * wire.width} hex digits")
            return Var(name, bits)
        _exactly(value, {"t", "v"}, path)
        if name not in ("map", "list"):
            return Var(name, wire.parse(value["v"], f"{path}.v"))
        if not isinstance(value["v"], list):
            raise BadValue(f"{path}.v", "expected a list")
        if depth >= self.max_depth:
            return Var(name, ())  # the encoder refuses a Var this deep before it looks inside
        items: list[Any] = []
        for index, item in enumerate(value["v"]):
            inner = f"{path}.v[{index}]"
            if name == "list":
                items.append(self.parse(item, inner, depth + 1))
            elif isinstance(item, list) and len(item) == 2:
                items.append((self.key.parse(item[0], f"{inner}[0]"), self.parse(item[1], f"{inner}[1]", depth + 1)))
            else:
                raise BadValue(inner, "expected a pair [key, Var]")
        return Var(name, tuple(items))


def _exactly(value: dict[str, Json], keys: set[str], path: str) -> None:
    if set(value) != keys:
        raise BadValue(path, f"a Var of this type has exactly the keys {', '.join(sorted(keys))}")


def _keep_first(items: list[tuple[Any, Var]]) -> list[tuple[Any, Var]]:
    seen: dict[Any, tuple[Any, Var]] = {}
    for pair in items:
        seen.setdefault(pair[0], pair)
    return list(seen.values())


def _keep_last(items: list[tuple[Any, Var]]) -> list[tuple[Any, Var]]:
    return _keep_first(items[::-1])[::-1]


_SURVIVORS = {"first": _keep_first, "last": _keep_last}
