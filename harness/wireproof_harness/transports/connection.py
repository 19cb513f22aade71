"""An open line to an implementation, and what may have to be done to end it."""

from __future__ import annotations

from typing import Protocol

from wireproof.errors import WireproofError


class CannotStart(WireproofError):
    """The implementation could not be reached, and what to do about it."""


class Connection(Protocol):
    """Where to read and write, and whose end is the end of it."""

    reader: int
    writer: int
    errors: int | None
    """Where it writes for people, if that comes to us."""
    watch: int | None
    """Becomes readable when its process ends."""

    def memory(self) -> int:
        """Bytes its processes hold, as far as they are ours to look at."""

    def ending(self) -> str:
        """How it ended, in words; waits a moment for it."""

    def close(self, patience: float) -> None:
        """End it; by force, if it does not go by itself in so many seconds."""


class Transport(Protocol):
    """A way to reach an implementation, again and again."""

    name: str
    protections: dict[str, str]

    def open(self, patience: float) -> Connection:
        """A new connection; CannotStart if there is none in so many seconds."""

    def close(self) -> None:
        """Give back what is held between two connections."""
