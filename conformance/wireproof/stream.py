"""Decoding bytes as they arrive."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from wireproof.errors import Malformed
from wireproof.results import Decoded

Parser = Callable[["Stream"], Generator[tuple[str, str], None, None]]


class Stream:
    """An incremental decoder: feed it chunks of any size, then end it.

    It keeps only the bytes of the block being waited for, so its memory is bounded by
    one message. After an error it keeps that answer, whatever is fed.
    """

    def __init__(self, parser: Parser) -> None:
        self.buffer = bytearray()
        self.consumed = 0
        self.messages: list[Any] = []
        self.error: Malformed | None = None
        self._received = 0
        self._ended = False
        self._parser = parser(self)
        self._awaits = next(self._parser)

    def deliver(self, message: Any) -> None:
        self.messages.append(message)

    def feed(self, chunk: bytes) -> list[Any]:
        """Take more bytes; the messages they completed."""
        if self._ended:
            raise ValueError("the stream has been ended")
        before = len(self.messages)
        if self.error is None and chunk:
            self._received += len(chunk)
            self.buffer += chunk
            try:
                self._awaits = next(self._parser)
            except Malformed as error:
                self._fail(error)
        return self.messages[before:]

    def end(self) -> Decoded:
        """There will be no more bytes: what is unfinished is truncated."""
        if not self._ended and self.error is None and self.consumed != self._received:
            clause, path = self._awaits
            self._fail(Malformed("truncated", clause, self._received, path, "the rest of the unit"))
        self._ended = True
        return self.result()

    def result(self) -> Decoded:
        """The answer so far: incomplete while a message has begun and may still be finished."""
        whole = self._ended or self.error is not None or self.consumed == self._received
        return Decoded(self.messages, self.consumed, self.error, complete=whole)

    def _fail(self, error: Malformed) -> None:
        self.error = error
        self.buffer.clear()
