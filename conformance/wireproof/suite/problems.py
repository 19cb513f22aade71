"""What can be wrong with vector files, always with the place and a way out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from wireproof.errors import WireproofError

SHOWN: Final = 20
"""So many problems are told in the text of an error; all of them are in its attribute."""


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
        shown = [str(problem) for problem in problems[:SHOWN]]
        if len(problems) > SHOWN:
            shown.append(f"... and {len(problems) - SHOWN} more")
        super().__init__("\n".join(shown))
        self.problems = tuple(problems)
        first = self.problems[0]
        self.file, self.line, self.problem, self.advice = first.file, first.line, first.problem, first.advice
