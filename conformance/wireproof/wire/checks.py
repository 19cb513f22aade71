"""Check codes over bytes of the message."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

from wireproof.wire.base import Json, Wire
from wireproof.wire.numbers import Fixed
from wireproof.wire.packing import cached_struct, struct_name
from wireproof.wire.records import Element
from wireproof.wire.source import Site, Source


@dataclass(frozen=True, kw_only=True)
class Computed(Wire):
    """A field that is shown when read and computed when written."""

    def render(self, value: bytes) -> Json:
        return value.hex()

    def parse(self, value: Json, path: str) -> Any:
        return None


@dataclass(frozen=True)
class CheckCode(Element):
    """CRC-32 at the end of the container, over all the steps after this one.

    It is judged before those steps are looked at: integrity comes before content.
    """

    clause: str
    field: str
    when: str
    number: Fixed

    def holds(self) -> dict[str, Wire]:
        return {self.field: Computed(name=self.number.label)}

    def presence(self) -> frozenset[str]:
        return frozenset({self.field})

    def read(self, out: Source, name: str, site: Site) -> None:
        size, field = self.number.width, self.field
        crc32 = out.const("crc32", zlib.crc32)
        out(f"{field} = None")
        with out.block(f"if {self.when}:"):
            end = out.end
            with out.block(f"if {end} - pos < {size}:"):
                out.malformed("overrun", site, f"room for {size} bytes of check code")
            out(f"{end} -= {size}", f"{field} = buf[{end}:{end} + {size}]")
            if out.traced:
                path = site.path.rpartition(".")[0] + f".{field}"
                out(f'note({end}, {end} + {size}, "{path}", "{self.number.label}", {field}, "{site.clause}")')
            packed = self._packed(out, f"{crc32}(buf[pos:{end}])")
            with out.block(f"if {field} != {packed}:"):
                out.malformed("checksum-mismatch", site, "the CRC-32 of the bytes before it", end)

    def write(self, out: Source, name: str, site: Site) -> None:
        out.push()
        out(f"{name}_from = len(parts)")

    def finish(self, out: Source, name: str, site: Site) -> None:
        crc32 = out.const("crc32", zlib.crc32)
        with out.branch(f"if {self.when}:"):
            self.number.put(out, f'{crc32}(b"".join(parts[{name}_from:]))')

    def _packed(self, out: Source, value: str) -> str:
        pack = out.const("pack_" + struct_name(self.number.code), cached_struct(self.number.code).pack)
        return f"{pack}({value})"
