"""Lines to and from an open connection, without ever waiting for the other side's buffers."""

from __future__ import annotations

import os
import selectors
from collections import deque
from typing import Final

from wireproof_harness.transports.connection import Connection

READ_SIZE: Final = 1 << 20
WRITE_SIZE: Final = 1 << 18
KEPT: Final = 1 << 15
"""Of what it writes for people so many bytes are kept from the beginning, and as many from the end."""
LAST_WORDS: Final = 16
"""So many reads are made after its process has ended; a child of it may write for ever."""


class Line:
    """A connection with its buffers."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.ended = False
        self.deaf = False
        """It has closed its input."""
        self.moved = 0
        """Bytes that have gone either way."""
        self.longest = 0
        """Bytes of the last line that took more than one read, or of as much of it as there is."""
        self._selector = selectors.DefaultSelector()
        self._selector.register(connection.reader, selectors.EVENT_READ)
        for stream in (connection.errors, connection.watch):
            if stream is not None:
                self._selector.register(stream, selectors.EVENT_READ)
        self._outgoing: deque[bytes] = deque()
        """As it was handed over: what may be large is not copied again."""
        self._written = 0
        """So many bytes of the first of them are gone."""
        self._unsent = 0
        self._incoming = bytearray()
        self._writing = False
        self._hears = connection.errors is not None
        self._first_words = b""
        self._last_words = b""
        self._said = 0

    @property
    def unfinished(self) -> int:
        """Bytes of a line that has not ended yet."""
        return len(self._incoming)

    @property
    def unsent(self) -> int:
        """Bytes that the other side has not taken yet."""
        return self._unsent

    def send(self, data: bytes) -> None:
        """Hand over bytes; what does not fit the other side's buffer is kept for later."""
        if not data:
            return
        self._outgoing.append(data)
        self._unsent += len(data)
        if not self._writing:
            self._write()

    def turn(self, patience: float) -> list[bytes]:
        """Wait for something to happen, and deal with it; the lines that have come."""
        lines: list[bytes] = []
        exited = False
        for key, mask in self._selector.select(patience):
            if key.fd == self.connection.reader:
                if mask & selectors.EVENT_READ:
                    lines += self._read()
                if mask & selectors.EVENT_WRITE:
                    self._write()
            elif key.fd == self.connection.writer:
                self._write()
            elif key.fd == self.connection.errors:
                self._hear()
            else:
                exited = True
        if exited and not self.ended:
            lines += self._last_lines()
        return lines

    def _write(self) -> None:
        try:
            while self._outgoing:
                with memoryview(self._outgoing[0]) as view:
                    written = os.write(self.connection.writer, view[self._written : self._written + WRITE_SIZE])
                self._gone(written)
        except BlockingIOError:
            pass
        except OSError:  # nobody reads on: the end of its process, or of what it writes, tells more
            self._outgoing.clear()
            self._unsent = 0
            self.deaf = True
        if bool(self._outgoing) != self._writing:
            self._writing = not self._writing
            self._watch_writing()

    def _gone(self, size: int) -> None:
        self.moved += size
        self._unsent -= size
        self._written += size
        if self._written == len(self._outgoing[0]):
            self._outgoing.popleft()
            self._written = 0

    def _watch_writing(self) -> None:
        reader, writer = self.connection.reader, self.connection.writer
        if reader == writer:
            self._selector.modify(reader, selectors.EVENT_READ | (selectors.EVENT_WRITE if self._writing else 0))
        elif self._writing:
            self._selector.register(writer, selectors.EVENT_WRITE)
        else:
            self._selector.unregister(writer)

    def _read(self) -> list[bytes]:
        try:
            chunk = os.read(self.connection.reader, READ_SIZE)
        except BlockingIOError:
            return []
        except OSError:
            chunk = b""
        if not chunk:
            self.ended = True
            return []
        self.moved += len(chunk)
        end = chunk.rfind(b"\n")
        if end < 0:
            self._incoming += chunk
            self.longest = len(self._incoming)
            return []
        if self._incoming:
            self._incoming += chunk[:end]
            lines = bytes(self._incoming).split(b"\n")
            self.longest = len(lines[0])
            self._incoming = bytearray(chunk[end + 1 :])
        else:
            lines = chunk[:end].split(b"\n")
            self._incoming += chunk[end + 1 :]
        return lines

    def _last_lines(self) -> list[bytes]:
        """What was written before the process ended."""
        lines: list[bytes] = []
        for _ in range(LAST_WORDS):
            before = len(self._incoming)
            read = self._read()
            lines += read
            if self.ended or (not read and len(self._incoming) == before):
                break
        self.ended = True
        return lines

    def _hear(self) -> None:
        assert self.connection.errors is not None
        try:
            chunk = os.read(self.connection.errors, READ_SIZE)
        except BlockingIOError:
            return
        except OSError:
            chunk = b""
        if not chunk:
            self._selector.unregister(self.connection.errors)
            self._hears = False
            return
        room = KEPT - len(self._first_words)
        self._first_words += chunk[:room]
        self._last_words = (self._last_words + chunk[max(0, room) :])[-KEPT:]
        self._said += len(chunk)

    def stderr(self) -> bytes:
        """What it wrote for people: all of it, or its beginning and its end."""
        if self._hears:
            self._hear()
        left_out = self._said - len(self._first_words) - len(self._last_words)
        middle = f"\n... {left_out:,} bytes left out ...\n".encode() if left_out > 0 else b""
        return self._first_words + middle + self._last_words

    def ending(self) -> str:
        half = f", {self.unfinished:,} bytes into a line" if self.unfinished else ""
        return self.connection.ending() + half

    def close(self, patience: float) -> None:
        try:
            self._selector.close()
        finally:
            self.connection.close(patience)
