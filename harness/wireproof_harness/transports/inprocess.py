"""The bundled reference, asked in this process: the same lines in and out, and nobody to supervise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from wireproof.verdict import parse_answer
from wireproof.verdict.answers import content_of
from wireproof_harness import jsonlines
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.contract import full_line, hello_end
from wireproof_harness.reference import answer_line
from wireproof_harness.supervisor import WINDOW, Job, Outcome

NAME: Final = "reference"


class InProcess:
    """The reference as something that can be asked."""

    name = NAME
    restarts = 0
    stopped = ""

    def __init__(self) -> None:
        self.protections = {"process": "in this one"}

    def start(self) -> Claims:
        return claims_of(content_of(parse_answer(jsonlines.dump(answer_line(full_line(0, hello_end()))))))

    def ask(self, jobs: Iterable[Job], window: int = WINDOW) -> Iterator[tuple[Job, Outcome]]:
        for job in jobs:
            yield job, parse_answer(jsonlines.dump(answer_line(full_line(0, job.end))))

    def close(self) -> None:
        pass
