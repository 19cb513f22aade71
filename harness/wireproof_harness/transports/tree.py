"""The processes of an implementation: all that it has started, what they take, and their end.

A process belongs to it if it is below the first one, in its session, or carries the mark in
its environment that the first one was given: a process can leave its parent and its
session, but has to work at it to lose all three. Where there is no /proc only the first
one's process group is known.
"""

from __future__ import annotations

import ctypes
import os
import signal
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Final, NamedTuple

HAS_PROC: Final = os.path.isfile("/proc/self/stat")
MARK: Final = "WIREPROOF_TESTEE"
PAGE: Final = os.sysconf("SC_PAGE_SIZE")
SUBREAPER: Final = 36
"""PR_SET_CHILD_SUBREAPER of prctl(2)."""
ROUNDS: Final = 20


class Entry(NamedTuple):
    """A process as /proc tells it."""

    pid: int
    state: str
    parent: int
    session: int


def adopt_orphans() -> bool:
    """Become the parent of what an implementation leaves behind, so that it can be collected."""
    try:
        return bool(ctypes.CDLL(None, use_errno=True).prctl(SUBREAPER, 1, 0, 0, 0) == 0)
    except (OSError, AttributeError):
        return False


def processes() -> Iterator[Entry]:
    for name in os.listdir("/proc") if HAS_PROC else ():
        if name.isdecimal():
            text = _read(f"/proc/{name}/stat")
            if text:  # otherwise it has just ended
                state, parent, _, session, *_ = text[text.rindex(b")") + 2 :].split(b" ", 4)
                yield Entry(int(name), state.decode(), int(parent), int(session))


def _read(path: str) -> bytes:
    """A small file of /proc; this is done many times a second, so without what `open` does besides."""
    try:
        file = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        return os.read(file, 1 << 20)
    except OSError:
        return b""
    finally:
        os.close(file)


def members(root: int) -> list[int]:
    """The processes below the first one or in its session."""
    found = list(processes())
    inside = {root}
    grown = True
    while grown:
        more = {entry.pid for entry in found if entry.parent in inside or entry.session == root}
        grown = not more <= inside
        inside |= more
    return [entry.pid for entry in found if entry.pid in inside and entry.state != "Z"]


def memory(root: int) -> int:
    """Bytes of memory that all its processes hold."""
    pages = (_read(f"/proc/{pid}/statm").split() for pid in members(root))
    return sum(int(fields[1]) for fields in pages if fields) * PAGE


def marked(mark: str) -> list[int]:
    """The processes with a mark in their environment, those that have ended and wait to be collected excepted."""
    wanted = f"{MARK}={mark}".encode()
    return [
        entry.pid
        for entry in processes()
        if entry.state != "Z" and wanted in _read(f"/proc/{entry.pid}/environ").split(b"\0")
    ]


def end_all(root: int, mark: str) -> None:
    """Kill the group and whatever else belongs to it, until nothing is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(root, signal.SIGKILL)
    ended: set[int] = set()
    for _ in range(ROUNDS):
        left = {*marked(mark), *members(root)} - {root, os.getpid()}
        if not left:
            break
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= left
        time.sleep(0.002)
    for pid in ended:
        _collect(pid)


def _collect(pid: int) -> None:
    """Take the exit code of an adopted orphan, so that it does not stay as a zombie."""
    for _ in range(ROUNDS):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            return
        time.sleep(0.005)
