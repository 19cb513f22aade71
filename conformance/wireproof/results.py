"""What a decode answers."""

from __future__ import annotations

from typing import Any

import msgspec

from wireproof.errors import Malformed


class Decoded(msgspec.Struct):
    """The messages found, and how it ended.

    `consumed` is where the first byte stands that belongs to no complete message. An
    `error` ends the decode; `complete` is false only for a stream that may go on.
    """

    messages: list[Any]
    consumed: int
    error: Malformed | None = None
    complete: bool = True

    @property
    def ok(self) -> bool:
        return self.error is None and self.complete
