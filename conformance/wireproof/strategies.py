"""Hypothesis strategies for the messages of a codec: the walk of `generate`, drawn by hypothesis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hypothesis import strategies as st

from wireproof.codec import Codec
from wireproof.draw import TEXTS, edges
from wireproof.generate import message
from wireproof.wire.packets import MessagePlan

TEXT = st.one_of(st.text(max_size=12), st.sampled_from(TEXTS))


class HypothesisDraw:
    """Choices by hypothesis, so that a failing message shrinks."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self._draw = draw

    def integer(self, low: int, high: int) -> int:
        return int(self._draw(st.one_of(st.integers(low, high), st.sampled_from(edges(low, high)))))

    def text(self) -> str:
        return str(self._draw(TEXT))

    def blob(self, size: int | None = None) -> bytes:
        strategy = st.binary(max_size=40) if size is None else st.binary(min_size=size, max_size=size)
        return bytes(self._draw(strategy))

    def count(self, most: int) -> int:
        return int(self._draw(st.integers(0, min(most, 4))))

    def pick(self, options: Sequence[Any]) -> Any:
        return self._draw(st.sampled_from(options))


@st.composite
def messages(draw: Any, codec: Codec, plan: MessagePlan | None = None) -> Any:
    """Messages of a codec, of one kind or of any."""
    return message(codec, HypothesisDraw(draw), plan)


@st.composite
def chunked(draw: Any, data: bytes) -> list[bytes]:
    """Some way of cutting bytes into pieces, empty pieces included."""
    cuts = sorted(draw(st.lists(st.integers(0, len(data)), max_size=8)))
    return [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]
