"""The processes of an implementation: all that it has started, what they take, and their end.

A process belongs to it if it is below the first one, in its session, or carries the mark in
its environment that the first one was given: a process can leave its parent and its
session, but has to work at it to lose all three. Where there is no /proc only the first
one's process group is known. A process that forks faster than it is looked for can get away;
inside the sandbox it cannot, for there all end with the first.
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
ENOUGH: Final = 3
"""So often nothing is found where others start processes all the time."""
ROOTS: Final[set[int]] = set()
"""The first processes that are running: somebody waits for each."""


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
    inside = _inside(root, found)
    return [entry.pid for entry in found if entry.pid in inside and entry.state != "Z"]


def _inside(root: int, found: list[Entry]) -> set[int]:
    inside = {root}
    grown = True
    while grown:
        more = {entry.pid for entry in found if entry.parent in inside or entry.session == root}
        grown = not more <= inside
        inside |= more
    return inside


def memory(root: int) -> int:
    """Bytes of memory that all its processes hold."""
    pages = (_read(f"/proc/{pid}/statm").split() for pid in members(root))
    return sum(int(fields[1]) for fields in pages if fields) * PAGE


def _others(root: int, mark: str) -> set[int]:
    """All that belongs to it but the first one, those that have ended and wait to be collected excepted."""
    found = list(processes())
    inside = _inside(root, found)
    wanted = f"{MARK}={mark}".encode()
    return {
        entry.pid
        for entry in found
        if entry.state != "Z"
        and entry.pid not in (root, os.getpid())
        and (entry.pid in inside or wanted in _read(f"/proc/{entry.pid}/environ").split(b"\0"))
    }


def end_all(root: int, mark: str) -> set[int]:
    """Kill the group and whatever else belongs to it, until nothing is left; those that were not in the group.

    The first one must not have been collected yet, or its number may be somebody else's by now.
    """
    ended: set[int] = set()
    empty = 0
    for _ in range(ROUNDS):
        newest = _newest()
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(root, signal.SIGKILL)
        left = _others(root, mark)
        if not left:
            empty += 1
            if empty == ENOUGH or newest == _newest():
                break
            continue
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= left
        time.sleep(0.002)
    return ended


def _newest() -> bytes:
    """The process that was started last: as long as it is the same, nobody can have hidden behind a child."""
    return _read("/proc/loadavg").rpartition(b" ")[2]


def collect(ended: set[int]) -> None:
    """Take the exit codes of adopted orphans, so that they do not stay as zombies.

    To be called when the first process has been collected: what it left is ours from then on. Orphans that ended by
    themselves have lost their mark. They are known by a session that is neither ours nor that of a
    process we wait for.
    """
    for pid in ended:
        _collect(pid, ROUNDS)
    ours = os.getsid(0)
    for entry in processes():
        if entry.state == "Z" and entry.parent == os.getpid() and entry.session != ours and entry.pid not in ROOTS:
            _collect(entry.pid, 1)


def _collect(pid: int, rounds: int) -> None:
    for _ in range(rounds):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            return
        time.sleep(0.005)
