"""Where generated values get their choices from.

The walk over the definitions (`generate`) asks a `Draw` for integers, texts, sizes and
picks. A seeded generator, the systematic boundary generator, one typical message and
the hypothesis strategies are the same walk with another Draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any, Protocol

TEXTS = ("", "a", "é", "你好", "😀", "\x00", "\ufeffx", "e\u0301", "a b/c", "@")
BORDERS = ("\x7f", "\x80", "\u07ff", "\u0800", "\ufdd0", "\ufffe", "\uffff", "\U00010000", "\U0010ffff")
"""The first and last characters of each length in UTF-8, and noncharacters, which are content like any other."""
MEDIUM_TEXTS = ("~" * 63, "~" * 64, "~" * 127, "~" * 128)
LONG_TEXTS = ("~" * 255, "~" * 256, "~" * 8191, "~" * 8192, "~" * 32767, "~" * 32768, "~" * 65535)
NOT_UTF8 = (b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"a\xe4\xbd")
SIZES = (0, 1, 2, 63, 64, 127, 128, 255, 256)
LONG_SIZES = (8191, 8192, 32767, 32768, 65535, 65536)


class Draw(Protocol):
    """A source of choices."""

    def integer(self, low: int, high: int) -> int: ...
    def text(self) -> str: ...
    def blob(self, size: int | None = None) -> bytes: ...
    def count(self, most: int) -> int: ...
    def pick(self, options: Sequence[Any]) -> Any: ...


@lru_cache(maxsize=256)
def edges(low: int, high: int) -> tuple[int, ...]:
    """The integers where encodings change: ends of the range, sign, varint groups, common widths."""
    powers = (6, 7, 8, 13, 14, 15, 16, 20, 21, 28, 31, 32, 35, 53, 56, 63, 64)
    near = {0, 1, -1, 2, low, high, low + 1, high - 1}
    for power in powers:
        near |= {sign * (1 << power) + step for sign in (1, -1) for step in (-1, 0, 1)}
    return tuple(sorted((value for value in near if low <= value <= high), key=abs))


class RandomDraw:
    """Choices by a seeded generator, leaning towards boundaries."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def integer(self, low: int, high: int) -> int:
        if self.random.random() < 0.5:
            return self.random.choice(edges(low, high))
        value = self.random.getrandbits(self.random.randint(1, max(1, high.bit_length())))
        if low < 0 and self.random.random() < 0.5:
            value = -value
        return min(max(value, low), high)

    def text(self) -> str:
        chance = self.random.random()
        if chance < 0.4:
            return self.random.choice(TEXTS + BORDERS + MEDIUM_TEXTS)
        if chance < 0.9:
            return "".join(self.random.choices("abz09@/_é你😀", k=self.random.randint(0, 8)))
        return "x" * self.random.randint(0, 300)

    def blob(self, size: int | None = None) -> bytes:
        if size is None:
            size = self.random.choice(SIZES) if self.random.random() < 0.1 else self.random.randint(0, 12)
        return self.random.randbytes(size)

    def count(self, most: int) -> int:
        return min(most, self.random.choice((0, 0, 1, 1, 1, 2, 2, 3, 5)))

    def pick(self, options: Sequence[Any]) -> Any:
        return self.random.choice(options)


class TypicalDraw:
    """The plainest choice everywhere: one of each, small numbers, short texts."""

    def integer(self, low: int, high: int) -> int:
        return min(max(1, low), high)

    def text(self) -> str:
        return "abc"

    def blob(self, size: int | None = None) -> bytes:
        return bytes(range(1, 3 if size is None else size + 1))

    def count(self, most: int) -> int:
        return min(1, most)

    def pick(self, options: Sequence[Any]) -> Any:
        return options[min(1, len(options) - 1)]


class EdgeDraw(TypicalDraw):
    """Typical choices, but for one: the `site`-th choice is its `edge`-th boundary."""

    def __init__(self, site: int, edge: int, *, long: bool = True) -> None:
        self.site = site
        self.edge = edge
        self.long = long
        self.sites = 0
        self.exhausted = False

    def _choose(self, options: Sequence[Any], otherwise: Any) -> Any:
        here = self.sites == self.site
        self.sites += 1
        if not here:
            return otherwise
        if self.edge >= len(options):
            self.exhausted = True
            return otherwise
        return options[self.edge]

    def integer(self, low: int, high: int) -> int:
        return int(self._choose(edges(low, high), super().integer(low, high)))

    def text(self) -> str:
        return str(self._choose(TEXTS + BORDERS + MEDIUM_TEXTS + LONG_TEXTS * self.long, super().text()))

    def blob(self, size: int | None = None) -> bytes:
        if size is not None:
            patterns = [bytes(size), b"\xff" * size, b"\x80" + bytes(size - 1), b"\x7f" + b"\xff" * (size - 1)]
            return bytes(self._choose(patterns, super().blob(size)))
        length = self._choose(SIZES + LONG_SIZES * self.long, 2)
        return bytes(index & 0xFF for index in range(length))

    def count(self, most: int) -> int:
        known = [count for count in (0, 1, 2, 127, 128, 255) if count <= most]
        return int(self._choose(known, super().count(most)))

    def pick(self, options: Sequence[Any]) -> Any:
        return self._choose(options, super().pick(options))
