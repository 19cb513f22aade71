"""An implementation at the other end of a TCP or Unix socket: it listens, or it dials."""

from __future__ import annotations

import os
import select
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from wireproof_harness.transports.connection import CannotStart
from wireproof_harness.transports.process import Command, Process

CONNECT: Final = "WIREPROOF_CONNECT"
"""The variable that tells a command where to dial."""
RETRY: Final = 0.05
NOT_OURS: Final = {"process": "none: it was not started here", "memory": "not watched", "sandbox": "none"}


class Address(NamedTuple):
    """Where a socket is: a host and a port, or a path."""

    text: str
    host: str = ""
    port: int = 0
    path: str = ""

    @property
    def family(self) -> socket.AddressFamily:
        if self.path:
            return socket.AF_UNIX
        return socket.AF_INET6 if ":" in self.host else socket.AF_INET

    @property
    def place(self) -> str | tuple[str, int]:
        return self.path or (self.host, self.port)


def address(text: str) -> Address:
    """What `tcp://host:port` or `unix:///path` names; CannotStart if it names nothing."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme == "unix" and parts.path and not parts.netloc:
        return Address(text, path=parts.path)
    if parts.scheme == "tcp" and parts.hostname and port and not parts.path.strip("/"):
        return Address(text, parts.hostname, port)
    raise CannotStart(f"{text!r} is no address: write tcp://HOST:PORT or unix:///PATH")


class SocketConnection:
    """An open socket, and the process behind it if it is ours."""

    errors: int | None
    watch: int | None

    def __init__(self, opened: socket.socket, process: Process | None) -> None:
        opened.setblocking(False)
        with suppress(OSError):
            opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket = opened
        self._process = process
        self.reader = self.writer = opened.fileno()
        self.errors = process.reader if process else None  # what it prints is for people here
        self.watch = process.watch if process else None

    def memory(self) -> int:
        return self._process.memory() if self._process else 0

    def ending(self) -> str:
        closed = "closed the connection"
        return f"{closed} and {self._process.ending()}" if self._process else closed

    def close(self, patience: float) -> None:
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)
        self._socket.close()
        if self._process:
            self._process.close(patience)


@contextmanager
def _ended_on_failure(process: Process | None) -> Iterator[None]:
    try:
        yield
    except BaseException:  # an interrupt as well
        if process:
            process.close(0)
        raise


def _epitaph(process: Process) -> str:
    words = process.last_words()
    said = f"\nIts output ends with:\n{words}" if words else "\nIt printed nothing."
    return f"it {process.ending()}.{said}"


class Dialled:
    """Connects to an implementation that listens; starts it first, if it is given a command."""

    def __init__(self, where: Address, command: Command | None = None) -> None:
        self.name = where.text + (f" {command.name}" if command else "")
        self.where = where
        self.command = command
        self.protections = command.protections if command else NOT_OURS

    def open(self, patience: float) -> SocketConnection:
        process = self.command.start_apart({}) if self.command else None
        with _ended_on_failure(process):
            return SocketConnection(self._connect(patience, process), process)

    def _connect(self, patience: float, process: Process | None) -> socket.socket:
        end = time.monotonic() + patience
        while True:
            attempt = socket.socket(self.where.family, socket.SOCK_STREAM)
            attempt.settimeout(max(0.1, end - time.monotonic()))
            try:
                attempt.connect(self.where.place)
                return attempt
            except OSError as problem:
                attempt.close()
                if process and process.exit_code(0) is not None:
                    raise CannotStart(f"it does not listen at {self.where.text}: {_epitaph(process)}") from None
                if time.monotonic() + RETRY > end or not self._may_come(problem):
                    advice = "Start it first, or check the address."
                    raise CannotStart(
                        f"nothing answers at {self.where.text}: {problem.strerror or problem}. {advice}"
                    ) from None
                time.sleep(RETRY)

    @staticmethod
    def _may_come(problem: OSError) -> bool:
        """Nobody listens yet: that may change. A name that does not exist will not begin to."""
        return isinstance(problem, ConnectionRefusedError | FileNotFoundError | ConnectionResetError)

    def close(self) -> None:
        pass


class Listening:
    """Waits for an implementation to dial; starts it, if it is given a command."""

    def __init__(self, where: Address, command: Command | None = None) -> None:
        self.name = f"--listen {where.text}" + (f" {command.name}" if command else "")
        self.where = where
        self.command = command
        self.protections = command.protections if command else NOT_OURS
        self._socket = socket.socket(where.family, socket.SOCK_STREAM)
        try:
            if where.path:
                self._make_way(where.path)
            else:
                self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._socket.bind(where.place)
            self._socket.listen(1)
        except OSError as problem:
            self._socket.close()
            raise CannotStart(
                f"cannot listen at {where.text}: {problem.strerror or problem}. Take another address."
            ) from None

    @staticmethod
    def _make_way(path: str) -> None:
        """A socket that an earlier run left, and nothing else, is taken away."""
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            os.unlink(path)

    def open(self, patience: float) -> SocketConnection:
        if self.command is None:
            return SocketConnection(self._accept(patience, None), None)
        self._turn_away()
        process = self.command.start_apart({CONNECT: self.where.text})
        with _ended_on_failure(process):
            return SocketConnection(self._accept(patience, process), process)

    def _turn_away(self) -> None:
        """Whoever has dialled by now is a process that has been ended."""
        self._socket.settimeout(0)
        with suppress(OSError):
            while True:
                self._socket.accept()[0].close()

    def _accept(self, patience: float, process: Process | None) -> socket.socket:
        waiting = select.poll()
        waiting.register(self._socket, select.POLLIN)
        if process and process.watch is not None:
            waiting.register(process.watch, select.POLLIN)
        events = [file for file, _ in waiting.poll(1000 * patience)]
        if self._socket.fileno() in events:
            self._socket.settimeout(0)
            with suppress(OSError):  # it has hung up already
                return self._socket.accept()[0]
        elif events and process:
            raise CannotStart(f"it does not dial {self.where.text}: {_epitaph(process)}")
        raise CannotStart(f"nobody connected to {self.where.text} within {patience:.0f} s.")

    def close(self) -> None:
        self._socket.close()
        if self.where.path:
            with suppress(OSError):
                os.unlink(self.where.path)
