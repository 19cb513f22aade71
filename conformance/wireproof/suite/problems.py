"""What can be wrong with vector files, always with the place and a way out."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from wireproof.errors import WireproofError


class Problem(msgspec.Struct, frozen=True, order=True):
    """One thing that is wrong: where, what, and what to do about it."""

    file: str
    line: int
    problem: str
    advice: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}. {self.advice}."


class SuiteError(WireproofError):
    """Vector files that cannot be used: nothing of them is. The attributes are those of the first problem."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)
        first = self.problems[0]
        self.file, self.line, self.problem, self.advice = first.file, first.line, first.problem, first.advice
