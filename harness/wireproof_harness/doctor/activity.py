"""Whether an implementation is at work or waits: on a slow machine a clock alone cannot tell."""

from __future__ import annotations

import array
import fcntl
import os
import socket
import termios
from contextlib import suppress

from wireproof_harness.transports import tree
from wireproof_harness.transports.connection import Connection


def unread(connection: Connection) -> int | None:
    """Bytes in the pipe to it that it has not read; None where that cannot be seen."""
    if connection.reader == connection.writer:  # a socket: what has left here may lie in any buffer
        return None
    count = array.array("i", [0])
    try:
        fcntl.ioctl(connection.writer, termios.FIONREAD, count)
    except OSError:
        return None
    return count[0]


def close_input(connection: Connection) -> None:
    """End its input, and leave its output open to be read."""
    with suppress(OSError):
        if connection.reader == connection.writer:
            with socket.socket(fileno=os.dup(connection.writer)) as other:
                other.shutdown(socket.SHUT_WR)
            return
        # The number stays taken, so that whoever owns the pipe can close it as ever.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, connection.writer, inheritable=False)
        os.close(nowhere)


class Activity:
    """The processes behind a connection, looked at again and again."""

    def __init__(self, connection: Connection) -> None:
        self.root: int | None = getattr(connection, "pid", None)
        self._ticks = -1

    @property
    def known(self) -> bool:
        return self.root is not None and tree.HAS_PROC

    def busy(self) -> bool:
        """Whether any of them runs, or has run since the last look."""
        if self.root is None or not tree.HAS_PROC:
            return False
        running, ticks = False, 0
        for pid in tree.members(self.root):
            state, spent = _state(pid)
            running = running or state in ("R", "D")
            ticks += spent
        worked, self._ticks = ticks != self._ticks, ticks
        return running or worked


def _state(pid: int) -> tuple[str, int]:
    """State and processor time of a process, all its threads together."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            text = file.read()
    except OSError:
        return "", 0
    fields = text[text.rindex(b")") + 2 :].split()
    return fields[0].decode(), int(fields[11]) + int(fields[12])
