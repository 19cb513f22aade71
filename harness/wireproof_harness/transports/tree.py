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
from pathlib import Path
from typing import Final, NamedTuple

PROC: Final = Path("/proc")
HAS_PROC: Final = (PROC / "self" / "stat").is_file()
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
    for name in os.listdir(PROC) if HAS_PROC else ():
        if name.isdecimal():
            try:
                text = (PROC / name / "stat").read_text("utf-8", "replace")
            except OSError:
                continue  # it has just ended
            state, parent, _, session, *_ = text[text.rindex(")") + 2 :].split(" ", 4)
            yield Entry(int(name), state, int(parent), int(session))


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
    total = 0
    for pid in members(root):
        with suppress(OSError, ValueError, IndexError):
            total += int((PROC / str(pid) / "statm").read_text().split()[1]) * PAGE
    return total


def marked(mark: str) -> list[int]:
    """The processes with a mark in their environment, those that have ended and wait to be collected excepted."""
    wanted = f"{MARK}={mark}".encode()
    found = []
    for entry in processes():
        with suppress(OSError):
            environment = (PROC / str(entry.pid) / "environ").read_bytes()
            if entry.state != "Z" and wanted in environment.split(b"\0"):
                found.append(entry.pid)
    return found


def end_all(root: int, mark: str) -> None:
    """Kill the group and whatever else belongs to it, until nothing is left."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(root, signal.SIGKILL)
    ended: set[int] = set()
    for _ in range(ROUNDS):
        left = {pid for pid in {*marked(mark), *members(root)} - {root, os.getpid()} if _is_theirs(pid)}
        if not left:
            break
        for pid in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        ended |= left
        time.sleep(0.002)
    for pid in ended:
        _collect(pid)


def _is_theirs(pid: int) -> bool:
    return (PROC / str(pid)).exists()


def _collect(pid: int) -> None:
    """Take the exit code of an adopted orphan, so that it does not stay as a zombie."""
    for _ in range(ROUNDS):
        try:
            if os.waitpid(pid, os.WNOHANG)[0]:
                return
        except ChildProcessError:
            return
        time.sleep(0.005)
