"""Several values of one type, one after the other."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wireproof.errors import BadValue
from wireproof.wire.base import Json, Wire
from wireproof.wire.numbers import Number
from wireproof.wire.source import Site, Source


@dataclass(frozen=True, kw_only=True)
class Items(Wire):
    """A list; how its end is known is up to the kind of list."""

    item: Wire

    @property
    def label(self) -> str:
        return self.name or f"{self.item.label}[]"

    def render(self, value: tuple[Any, ...]) -> Json:
        return [self.item.render(item) for item in value]

    def parse(self, value: Json, path: str) -> tuple[Any, ...]:
        if not isinstance(value, list):
            raise BadValue(path, "expected a list")
        return tuple(self.item.parse(item, f"{path}[{index}]") for index, item in enumerate(value))

    def read_item(self, out: Source, items: str, index: str, site: Site) -> None:
        item = out.local("item")
        self.item.read(out, item, site.sub(f"[{{{index}}}]"))
        out(f"{items}.append({item})")

    def write_items(self, out: Source, value: str, site: Site) -> None:
        index, item = out.local("i"), out.local("item")
        with out.branch(f"for {index}, {item} in enumerate({value}):"):
            self.item.write(out, item, site.sub(f"[{{{index}}}]"))


@dataclass(frozen=True, kw_only=True)
class Counted(Items):
    """A count, then so many items.

    The count is never compared with the bytes left: items are read until one fails,
    which is bounded since each takes at least a byte.
    """

    count: Number

    def read(self, out: Source, target: str, site: Site) -> None:
        count, items, index = out.local("count"), out.local("items"), out.local("i")
        self.count.read_length(out, count, site.sub(".count", self.clause))
        out(f"{items} = []")
        with out.block(f"for {index} in range({count}):"):
            self.read_item(out, items, index, site)
        out(f"{target} = tuple({items})")

    def write(self, out: Source, value: str, site: Site) -> None:
        count = out.local("count")
        out(f"{count} = len({value})")
        self.count.write_length(out, count, site.sub(".count", self.clause))
        self.write_items(out, value, site)


@dataclass(frozen=True, kw_only=True)
class UntilEnd(Items):
    """Items until the container is used up."""

    def read(self, out: Source, target: str, site: Site) -> None:
        items, index = out.local("items"), out.local("i")
        out(f"{items} = []")
        with out.block(f"while pos < {out.end}:"):
            out(f"{index} = len({items})")
            self.read_item(out, items, index, site)
        out(f"{target} = tuple({items})")

    def write(self, out: Source, value: str, site: Site) -> None:
        self.write_items(out, value, site)


@dataclass(frozen=True, kw_only=True)
class Several(Items):
    """A fixed number of items of a fixed size."""

    count: int

    @property
    def width(self) -> int | None:
        return None if self.item.width is None else self.count * self.item.width

    def read(self, out: Source, target: str, site: Site) -> None:
        names = [out.local("part") for _ in range(self.count)]
        for index, name in enumerate(names):
            self.item.read(out, name, site.sub(f"[{index}]"))
        out(f"{target} = ({', '.join(names)})")

    def write(self, out: Source, value: str, site: Site) -> None:
        with out.block(f"if len({value}) != {self.count}:"):
            out.refused("length-mismatch", site, f"exactly {self.count} items")
        self.write_items(out, value, site)
