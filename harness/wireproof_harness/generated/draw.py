"""Choices for generated questions: wider than those of a typical message, and now and then all at their ends."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from wireproof.draw import RandomDraw
from wireproof.wire.var import Tag

ITEMS: Final = 300
"""Items of lists in one message, all lists together: lists in lists would otherwise never end."""
LETTERS: Final = 3000
FEW: Final = (0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10)
MANY: Final = (12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 200, 255, 256)
LONG: Final = (31, 32, 33, 63, 64, 65, 127, 128, 129, 250, 254, 255, 256, 257, 300, 511, 512, 513)
EXTREMES: Final = ("high", "high", "low", "mixed", "mixed", "", "", "", "", "", "", "", "", "", "", "")
"""Which end of their range the numbers of a message take, if any: some mistakes take two fields to show."""


class WideDraw(RandomDraw):
    """A seeded draw; `begin` starts the next message."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.begin()

    def begin(self) -> None:
        self._items, self._letters = ITEMS, LETTERS
        self._extreme = self.random.choice(EXTREMES)

    def integer(self, low: int, high: int) -> int:
        if self._extreme and self.random.random() < 0.9:
            return {"high": high, "low": low}.get(self._extreme) or self.random.choice((low, high, max(low, 0)))
        if self.random.random() < 0.15:
            return min(max(low, self.random.choice((-1, 0, 1, low, high))), high)
        return super().integer(low, high)

    def text(self) -> str:
        text = self._text()
        if len(text) > self._letters:
            return text[:2]
        self._letters -= len(text)
        return text

    def _text(self) -> str:
        if self.random.random() >= 0.1:
            return super().text()
        letter = self.random.choice("xé你😀") if self.random.random() < 0.2 else "x"
        return letter * self.random.choice(LONG)

    def blob(self, size: int | None = None) -> bytes:
        if size is None and self.random.random() < 0.05 and self._letters > max(LONG):
            size = self.random.choice(LONG)
            self._letters -= size
        return super().blob(size)

    def count(self, most: int) -> int:
        many = self._items == ITEMS and self.random.random() < 0.06
        wanted = min(most, self._items, self.random.choice(MANY if many else FEW))
        self._items -= wanted
        return wanted

    def pick(self, options: Sequence[Any]) -> Any:
        """One of them; of Var types a container more often than its turn, or little would ever be nested."""
        if isinstance(options[0], Tag) and self._items and self.random.random() < 0.3:
            containers = [tag for tag in options if isinstance(tag.wire, str)]
            return super().pick(containers or options)
        return super().pick(options)
