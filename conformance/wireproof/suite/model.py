"""A vector and a suite of them, in memory."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, Literal

import msgspec

from wireproof.codec import Codec, codec
from wireproof.suite.hextext import check_hex, expand, parse_hex

FORMAT: Final = 1
"""The version of the vector format; files and exports of another one are not read."""

PREFIXES: Final = {
    "esnp-frame": "ESNPF",
    "esnp-line": "ESNPL",
    "tny": "TNY",
    "tny-relay": "RPK",
    "magline": "MAG",
    "comet": "COMET",
}
"""How the ids of a protocol's vectors begin."""

LEVELS: Final = ("required", "recommended", "profile")
MADE: Final = ("hand", "patched", "generated")

LARGE: Final = 65_536
"""Vectors with more bytes than this are asked whole only, and never kept written out."""

Kind = Literal["accept", "reject", "refuse"]


class Expect(msgspec.Struct, frozen=True, omit_defaults=True):
    """The one right answer: messages, a rejection, or (of an encoder) a refusal."""

    accept: list[Any] | None = None
    reject: str = ""
    offset: int = 0
    messages: list[Any] = []
    refuse: str = ""

    @property
    def kind(self) -> Kind:
        if self.accept is not None:
            return "accept"
        return "reject" if self.reject else "refuse"


class Vector(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """One question with its answer, as it stands in its file."""

    id: str
    title: str
    clauses: list[str]
    level: str
    expect: Expect
    why: str
    protocol: str
    file: str
    line: int
    family: str = ""
    direction: str = ""
    profile: dict[str, Any] = {}
    hex: str | None = None
    """The bytes as written, comments included; None for an encoder refusal."""
    value: Any = None
    canonical: bool = True
    twin: str = ""
    patch: list[dict[str, Any]] = []
    made: str = "hand"
    lines: dict[str, int] = {}
    """Where each key stands in the file."""
    derived: bool = False
    """Re-rendered for another profile: never so in a file."""

    @property
    def kind(self) -> Kind:
        return self.expect.kind

    @property
    def data(self) -> bytes:
        """The bytes; none for an encoder refusal."""
        return self._small_data if self.size <= LARGE else parse_hex(self.hex or "")

    @cached_property
    def _small_data(self) -> bytes:
        return parse_hex(self.hex or "")

    @cached_property
    def size(self) -> int:
        """How many bytes `data` has."""
        return check_hex(self.hex or "")

    @property
    def messages(self) -> list[Any]:
        """The messages a decoder delivers, written out."""
        expanded: list[Any] = expand(self.expect.messages if self.expect.accept is None else self.expect.accept)
        return expanded

    @property
    def message(self) -> Any:
        """The value an encoder is asked to refuse, written out."""
        return expand(self.value)

    @property
    def codec(self) -> Codec:
        """The reference codec this vector is about."""
        return codec(self.protocol, direction=self.direction or None, profile=self.profile)

    @property
    def answer(self) -> dict[str, Any]:
        """What decoding must answer, in JSON form."""
        if self.kind == "accept":
            return {"ok": True, "messages": self.messages, "consumed": self.size}
        return {
            "ok": False,
            "error": self.expect.reject,
            "offset": self.expect.offset,
            "messages": self.messages,
        }

    def line_of(self, key: str) -> int:
        return self.lines.get(key, self.line)


class Suite(msgspec.Struct, frozen=True, dict=True):
    """All vectors, in the order of their files; `digest` is that of the files' content."""

    vectors: list[Vector]
    digest: str = ""

    @cached_property
    def by_id(self) -> dict[str, Vector]:
        return {vector.id: vector for vector in self.vectors}

    @cached_property
    def by_protocol(self) -> dict[str, list[Vector]]:
        found: dict[str, list[Vector]] = {}
        for vector in self.vectors:
            found.setdefault(vector.protocol, []).append(vector)
        return found

    def __getitem__(self, vector_id: str) -> Vector:
        return self.by_id[vector_id]

    def __len__(self) -> int:
        return len(self.vectors)
