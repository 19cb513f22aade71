"""Runs of bytes: what they hold (bytes or text) and what delimits them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from wireproof.errors import BadValue
from wireproof.wire.base import Json, Rule, Wire
from wireproof.wire.numbers import Number
from wireproof.wire.source import Site, Source


@dataclass(frozen=True, kw_only=True)
class Content(Wire):
    """What a run of bytes means. Emitted code finds the run between `pos` and `stop`."""

    def take(self, out: Source, target: str, site: Site) -> None:
        raise NotImplementedError

    def give(self, out: Source, value: str, site: Site) -> str:
        """Emit what makes bytes of `value`; the name that then holds them."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Bytes(Content):
    """Bytes that mean nothing to the protocol."""

    def take(self, out: Source, target: str, site: Site) -> None:
        out(f"{target} = buf[pos:stop]")

    def give(self, out: Source, value: str, site: Site) -> str:
        return value

    def render(self, value: bytes) -> Json:
        return value.hex()

    def parse(self, value: Json, path: str) -> bytes:
        return parse_hex(value, path)


@dataclass(frozen=True, kw_only=True)
class Text(Content):
    """UTF-8 text. A lenient one hands bytes that are not UTF-8 through as bytes."""

    strict: bool = True

    def take(self, out: Source, target: str, site: Site) -> None:
        with out.block("try:"):
            out(f"{target} = buf[pos:stop].decode()")
        with out.block("except UnicodeDecodeError:"):
            if self.strict:
                out.malformed("invalid-utf8", self.site(site), "well-formed UTF-8", caught=True)
            else:
                out(f"{target} = buf[pos:stop]")

    def give(self, out: Source, value: str, site: Site) -> str:
        raw = out.local("raw")
        with out.block("try:"):
            out(f"{raw} = {value}.encode()")
        with out.block("except UnicodeEncodeError:"):
            out.refused("invalid-utf8", self.site(site), "text without lone surrogates", caught=True)
        with out.block("except AttributeError:"):
            if self.strict:
                out.refused("invalid-utf8", self.site(site), "text (bytes only under utf8=bytes)", caught=True)
            else:
                out(f"{raw} = {value}")
        return raw

    def render(self, value: str | bytes) -> Json:
        return value if isinstance(value, str) else {"hex": value.hex()}

    def parse(self, value: Json, path: str) -> str | bytes:
        if isinstance(value, str):
            return value
        if isinstance(value, dict) and set(value) == {"hex"}:
            return parse_hex(value["hex"], f"{path}.hex")
        raise BadValue(path, 'expected a string, or {"hex": ...} for bytes that are not UTF-8')


def parse_hex(value: Json, path: str) -> bytes:
    if isinstance(value, str) and len(value) % 2 == 0 and set(value) <= set("0123456789abcdef"):
        return bytes.fromhex(value)
    raise BadValue(path, "expected lower-case hex digits, two for each byte")


@dataclass(frozen=True, kw_only=True)
class Run(Wire):
    """A run of bytes with some content; how it is delimited is up to the kind of run."""

    content: Content

    @property
    def label(self) -> str:
        return self.name or self.content.label

    def where(self, *rules: Rule) -> Self:
        return replace(self, content=self.content.where(*rules))

    def render(self, value: Any) -> Json:
        return self.content.render(value)

    def parse(self, value: Json, path: str) -> Any:
        return self.content.parse(value, path)

    def take(self, out: Source, target: str, site: Site) -> None:
        self.content.take(out, target, site)
        out.trace(site, self.label, target)
        self.content.check(out, target, site)
        out("pos = stop")


@dataclass(frozen=True, kw_only=True)
class Prefixed(Run):
    """A length, then so many bytes."""

    length: Number

    def read(self, out: Source, target: str, site: Site) -> None:
        size = out.local("size")
        self.length.read_length(out, size, self.site(site).sub(".length"))
        out.room(size, self.site(site), "as many bytes as the length before it says")
        self.take(out, target, site)

    def write(self, out: Source, value: str, site: Site) -> None:
        raw = self.content.give(out, value, site)
        size = out.local("size")
        out(f"{size} = len({raw})")
        self.length.write_length(out, size, self.site(site))
        self.content.check_written(out, value, site)
        out.put(raw, size)


@dataclass(frozen=True, kw_only=True)
class Rest(Run):
    """Whatever is left in the container."""

    def read(self, out: Source, target: str, site: Site) -> None:
        if out.traced or not isinstance(self.content, Bytes) or self.content.rules:
            out(f"stop = {out.end}")
            self.take(out, target, site)
        else:
            out(f"{target} = buf[pos:{out.end}]", f"pos = {out.end}")

    def write(self, out: Source, value: str, site: Site) -> None:
        raw = self.content.give(out, value, site)
        self.content.check_written(out, value, site)
        out.put(raw, f"len({raw})")


@dataclass(frozen=True, kw_only=True)
class Block(Run):
    """A fixed number of bytes."""

    size: int

    order: ClassVar[str] = ""

    @property
    def width(self) -> int:
        return self.size

    @property
    def letter(self) -> str:
        return f"{self.size}s" if not self.content.rules and isinstance(self.content, Bytes) else ""

    def read(self, out: Source, target: str, site: Site) -> None:
        out.room(str(self.size), self.site(site), f"{self.size} bytes of {self.label}")
        self.take(out, target, site)

    def write(self, out: Source, value: str, site: Site) -> None:
        with out.block(f"if len({value}) != {self.size}:"):
            out.refused("length-mismatch", site, f"exactly {self.size} bytes")
        self.content.check_written(out, value, site)
        out.put(value, str(self.size), f"{self.size}s")
