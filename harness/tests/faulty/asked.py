"""A request as a faulty implementation sees it, and the right answer to it.

The right answers are the reference's. It is not imported here, but has written them down before:
a fault testee is started hundreds of times, and would spend most of its life importing.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path
from typing import Any, Final

VICTIM: Final = "COMET-SUBSCRIBE-010"
"""The vector over which most faults happen; its splits are more requests than a window has room for."""
VICTIM_START: Final = "00830301007f406e"
VICTIM_SIZE: Final = 133
ANSWERS: Final = "answers.json"


class Sink:
    """Where answers are written."""

    def __init__(self, file: int) -> None:
        self.file = file

    def write(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self.file, view) :]


class Asked:
    """One request."""

    def __init__(self, line: bytes, sink: Sink, company: int = 1) -> None:
        self.line = line
        self.sink = sink
        self.company = company
        """How many requests came together, this one included."""
        self.request: dict[str, Any] = json.loads(line)
        self.id: int = self.request["id"]
        self.op: str = self.request["op"]

    @property
    def is_hello(self) -> bool:
        return self.op == "hello"

    @property
    def is_probe(self) -> bool:
        return self.op == "wireproof-probe"

    @property
    def is_victim(self) -> bool:
        """The victim, to be decoded as a whole."""
        text: str = self.request.get("hex", "")
        return len(text) == 2 * VICTIM_SIZE and text.startswith(VICTIM_START)

    @property
    def is_about_victim(self) -> bool:
        """The victim in any mode."""
        text: str = self.request.get("hex", "") + "".join(self.request.get("chunks", []))
        return text.startswith(VICTIM_START) or b"@nnnn" in self.line

    def right(self) -> bytes:
        end = answers()[self.line.partition(b",")[2].decode()]
        return f'{{"id":{self.id},{end}\n'.encode()

    def answer(self) -> None:
        self.sink.write(self.right())

    def say(self, **answer: Any) -> None:
        """Another answer than the right one."""
        self.sink.write(json.dumps({"id": self.id, **answer}).encode() + b"\n")


@cache
def answers() -> dict[str, str]:
    """For each request the right answer, both from behind the id."""
    found: dict[str, str] = json.loads((Path(os.environ["FAULTY_STATE"]) / ANSWERS).read_bytes())
    return found


def claims() -> dict[str, Any]:
    """The right answer to hello."""
    (end,) = (end for request, end in answers().items() if request.startswith('"op":"hello"'))
    found: dict[str, Any] = json.loads("{" + end)["ok"]
    return found
