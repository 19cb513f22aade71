"""An implementation that is right but for one fault: `python faulty.py FAULT`.

It reads requests from stdin, or from a socket: with an address as a second argument it listens
there, and where WIREPROOF_CONNECT is set it dials. FAULTY_STATE names a folder for what a fault
has to remember between two starts.
"""

from __future__ import annotations

import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

sys.path[0] = os.path.dirname(sys.path[0])  # this file has the name of its folder

from faulty.asked import Asked, Sink  # noqa: E402
from faulty.faults import FAULTS, STARTS  # noqa: E402


def main() -> None:
    name = sys.argv[1]
    STARTS.get(name, lambda: None)()
    if "WIREPROOF_CONNECT" in os.environ:
        _dial(name, os.environ["WIREPROOF_CONNECT"])
    elif len(sys.argv) > 2:
        _listen(name, sys.argv[2])
    else:
        _serve(name, 0, Sink(1))


def _serve(name: str, source: int, sink: Sink) -> None:
    respond = FAULTS.get(name, Asked.answer)
    try:
        for batch in _batches(source):
            asked = [Asked(line, sink, len(batch)) for line in batch]
            for each in reversed(asked) if name == "out-of-order" else asked:
                if each.is_hello:
                    FAULTS.get(f"{name}, hello", Asked.answer)(each)
                else:
                    respond(each)
    except OSError:  # the other side has gone
        return


def _batches(source: int) -> Iterator[list[bytes]]:
    """The whole lines of each read: what is in flight together."""
    rest = b""
    while chunk := os.read(source, 1 << 16):
        *lines, rest = (rest + chunk).split(b"\n")
        if lines:
            yield lines


def _dial(name: str, where: str) -> None:
    while True:
        with _socket(where) as line, suppress(OSError):  # nobody waits for it yet, or any more
            line.connect(_place(where))
            _serve(name, line.fileno(), Sink(line.fileno()))
        time.sleep(0.02)


def _listen(name: str, where: str) -> None:
    with _socket(where) as waiting:
        waiting.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if where.startswith("unix:") and os.path.exists(_path(where)):
            os.unlink(_path(where))
        waiting.bind(_place(where))
        waiting.listen(1)
        while True:
            line, _ = waiting.accept()
            with line:
                _serve(name, line.fileno(), Sink(line.fileno()))


def _socket(where: str) -> socket.socket:
    return socket.socket(socket.AF_UNIX if where.startswith("unix:") else socket.AF_INET, socket.SOCK_STREAM)


def _path(where: str) -> str:
    return where.removeprefix("unix://")


def _place(where: str) -> str | tuple[str, int]:
    if where.startswith("unix:"):
        return _path(where)
    host, _, port = where.removeprefix("tcp://").partition(":")
    return host, int(port)


if __name__ == "__main__":
    main()
