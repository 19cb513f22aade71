"""An implementation as a child process: requests on its stdin, answers on its stdout."""

from __future__ import annotations

import fcntl
import os
import resource
import secrets
import select
import shlex
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from wireproof_harness.transports import tree
from wireproof_harness.transports.connection import CannotStart
from wireproof_harness.transports.sandbox import sandboxed

MEBIBYTE: Final = 1 << 20
LARGEST_FILE: Final = 1024 * MEBIBYTE
PIPE_SIZE: Final = 1 << 20
SET_PIPE_SIZE: Final = getattr(fcntl, "F_SETPIPE_SZ", 1031)
LAST_WORDS: Final = 2000
LAST_MOMENT: Final = 0.5
"""Seconds in which a process that has closed its output is expected to have ended."""


class Process:
    """A running child, in a session of its own."""

    def __init__(
        self, command: Sequence[str], folder: Path | None, env: Mapping[str, str], memory: int, *, pipes: bool = True
    ) -> None:
        self.mark = secrets.token_hex(16)
        ours = subprocess.PIPE if pipes else subprocess.DEVNULL
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=ours,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE if pipes else subprocess.STDOUT,
                bufsize=0,
                start_new_session=True,
                cwd=folder,
                env={**os.environ, **env, tree.MARK: self.mark},
            )
        except OSError as problem:
            raise CannotStart(_start_problem(command, folder, problem)) from None
        except ValueError as problem:  # a NUL in an argument or a variable
            raise CannotStart(f"{shlex.join(command)} cannot be started: {problem}") from None
        self.pid = self._process.pid
        tree.ROOTS.add(self.pid)
        self.watch: int | None = None
        try:
            self._make_ready(memory)
        except BaseException:
            self.close(0)
            raise

    def _make_ready(self, memory: int) -> None:
        _limit(self.pid, memory)
        if hasattr(os, "pidfd_open"):
            with suppress(OSError):  # not allowed in some containers
                self.watch = os.pidfd_open(self.pid)
        assert self._process.stdout is not None
        self.reader = self._process.stdout.fileno()
        self.writer = self._process.stdin.fileno() if self._process.stdin else -1
        self.errors = self._process.stderr.fileno() if self._process.stderr else None
        for stream in (self.reader, self.writer, self.errors):
            if stream is not None and stream >= 0:
                os.set_blocking(stream, False)
                with suppress(OSError):  # a user may hold only so much of pipes
                    fcntl.fcntl(stream, SET_PIPE_SIZE, PIPE_SIZE)

    def memory(self) -> int:
        return tree.memory(self.pid)

    def ending(self) -> str:
        code = self.exit_code(LAST_MOMENT)
        if code is None:
            return "closed its output and went on running"
        if code < 0:
            return f"was ended by {_signal_name(-code)}"
        return f"ended with exit code {code}"

    def close(self, patience: float) -> None:
        if patience > 0:
            self._ask_to_go(patience)
        ended = tree.end_all(self.pid, self.mark)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(5)
        tree.ROOTS.discard(self.pid)
        tree.collect(ended)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
        if self.watch is not None:
            os.close(self.watch)
            self.watch = None

    def _ask_to_go(self, patience: float) -> None:
        """The end of its input, then SIGTERM; what ignores both is killed."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        if self.exit_code(patience) is not None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGTERM)
        self.exit_code(patience)

    def exit_code(self, patience: float) -> int | None:
        """Its exit code, if it ends in so many seconds; the number of a signal is negative.

        It is not collected by this: until then its number cannot become that of a stranger, who would be killed.
        """
        if self.watch is None:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
            return self._process.returncode
        waiting = select.poll()
        waiting.register(self.watch, select.POLLIN)
        waiting.poll(1000 * patience)
        found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if found is None:
            return None
        return found.si_status if found.si_code == os.CLD_EXITED else -found.si_status

    def last_words(self) -> str:
        """The end of what it has printed and nobody has read."""
        with suppress(BlockingIOError):
            return os.read(self.reader, MEBIBYTE)[-LAST_WORDS:].decode("utf-8", "replace").strip()
        return ""


def _limit(pid: int, memory: int) -> None:
    """Limits that hold from outside; memory is also watched, since this one binds each process by itself."""
    if not hasattr(resource, "prlimit"):
        return
    with suppress(OSError, ValueError):
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
        if memory:
            most = 2 * memory + 1024 * MEBIBYTE
            resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start_problem(command: Sequence[str], folder: Path | None, problem: OSError) -> str:
    program = shlex.quote(command[0])
    if isinstance(problem, FileNotFoundError) and (folder or Path()).joinpath(command[0]).is_file():
        return f"{program} is a file here, not a program: say what runs it, or make it executable and say ./{program}"
    if isinstance(problem, FileNotFoundError):
        where = f" (in {folder})" if folder else ""
        return f"there is no program {program}{where}. Check the spelling, the folder and PATH."
    if isinstance(problem, PermissionError):
        return f"{program} may not be executed. Make it executable (chmod +x), or start it through its interpreter."
    return f"{program} cannot be started: {problem.strerror}"


class Command:
    """Starts a command anew for each connection."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        folder: Path | None = None,
        env: Mapping[str, str] | None = None,
        memory: int = 0,
        sandbox: bool = False,
        network: bool = False,
    ) -> None:
        self.name = shlex.join(command)
        self.command = sandboxed(command, folder, network=network) if sandbox else list(command)
        self.folder = folder
        self.env = env or {}
        self.memory = memory
        self.protections = _protections(memory, sandbox, network)

    def open(self, patience: float) -> Process:
        return Process(self.command, self.folder, self.env, self.memory)

    def start_apart(self, env: Mapping[str, str]) -> Process:
        """The command with nothing on its stdin, to be reached by a socket."""
        return Process(self.command, self.folder, {**self.env, **env}, self.memory, pipes=False)

    def close(self) -> None:
        pass


def _protections(memory: int, sandbox: bool, network: bool) -> dict[str, str]:
    """What keeps an implementation from doing harm, as far as this system can."""
    watched = tree.HAS_PROC and memory
    return {
        "process": "session of its own" + (", orphans adopted" if tree.adopt_orphans() else ""),
        "limits": "core 0, file size 1 GiB, data" if hasattr(resource, "prlimit") else "none on this system",
        "memory": f"watched, {memory // MEBIBYTE} MiB for all its processes" if watched else "not watched",
        "sandbox": _sandbox(network) if sandbox else "none",
    }


def _sandbox(network: bool) -> str:
    return "bubblewrap: read-only files, " + ("network" if network else "no network")
