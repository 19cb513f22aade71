"""An implementation as a child process: requests on its stdin, answers on its stdout.

Up to a window of requests is in flight, and answers are read while requests are
written, so that neither side waits for the other's buffer.
"""

from __future__ import annotations

import os
import selectors
import shlex
import subprocess
from collections.abc import Sequence
from typing import Any

from wireproof.errors import WireproofError
from wireproof_harness import jsonlines

WINDOW = 64
QUIET = 60.0
"""Seconds without a byte after which an implementation counts as hanging."""
LONGEST_LINE = 256 * 1024 * 1024


class Broken(WireproofError):
    """The implementation did not keep to the contract, or is gone."""


class Pipe:
    """A running implementation."""

    def __init__(self, command: Sequence[str]) -> None:
        self.name = shlex.join(command)
        try:
            self._process = subprocess.Popen(
                list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0, start_new_session=True
            )
        except OSError as problem:
            raise Broken(f"cannot start {self.name}: {problem.strerror}") from None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin = self._process.stdin.fileno()
        self._stdout = self._process.stdout.fileno()
        os.set_blocking(self._stdin, False)
        os.set_blocking(self._stdout, False)
        self._pending = bytearray()

    def ask(self, requests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers, in the order of the requests, whose ids must differ."""
        answers: dict[int, dict[str, Any]] = {}
        waiting = [jsonlines.dump(request) for request in requests]
        sent = 0
        outgoing = bytearray()
        with selectors.DefaultSelector() as selector:
            selector.register(self._stdout, selectors.EVENT_READ)
            writing = False
            while len(answers) < len(requests):
                while sent < len(waiting) and sent - len(answers) < WINDOW:
                    outgoing += waiting[sent]
                    sent += 1
                if bool(outgoing) != writing:
                    writing = not writing
                    if writing:
                        selector.register(self._stdin, selectors.EVENT_WRITE)
                    else:
                        selector.unregister(self._stdin)
                ready = selector.select(QUIET)
                if not ready:
                    raise Broken(
                        f"{self.name} has been silent for {QUIET:.0f} s with {sent - len(answers)} requests open"
                    )
                for key, _ in ready:
                    if key.fd == self._stdin:
                        self._write(outgoing)
                    else:
                        for line in self._read_lines():
                            answer = self._parsed(line)
                            if answer["id"] is None:  # it could not read a question: the oldest one still open
                                answer["id"] = next(sent["id"] for sent in requests if sent["id"] not in answers)
                            answers[answer["id"]] = answer
        try:
            return [answers[request["id"]] for request in requests]
        except KeyError as missing:
            raise Broken(f"{self.name} answered another id than {missing}") from None

    def _write(self, outgoing: bytearray) -> None:
        try:
            written = os.write(self._stdin, outgoing[:65536])
        except BrokenPipeError:
            raise Broken(f"{self.name} closed its input") from None
        del outgoing[:written]

    def _read_lines(self) -> list[bytes]:
        chunk = os.read(self._stdout, 1 << 20)
        if not chunk:
            raise Broken(f"{self.name} ended with code {self._process.wait()} before it had answered everything")
        start = len(self._pending)
        self._pending += chunk
        if len(self._pending) > LONGEST_LINE:
            raise Broken(f"{self.name} wrote a line of more than {LONGEST_LINE} bytes")
        end = self._pending.rfind(b"\n", start)
        if end < 0:
            return []
        lines = bytes(self._pending[:end]).split(b"\n")
        del self._pending[: end + 1]
        return lines

    def _parsed(self, line: bytes) -> dict[str, Any]:
        try:
            answer = jsonlines.parse(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or not self._is_about_something(answer):
            raise Broken(f"{self.name} wrote a line that is no answer: {line[:80]!r}")
        return answer

    @staticmethod
    def _is_about_something(answer: dict[str, Any]) -> bool:
        number = answer.get("id")
        return type(number) is int or (number is None and "error" in answer)

    def close(self) -> None:
        """End the implementation, by force if it does not go by itself."""
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
