"""A vector file and its vectors, as pytest sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from wireproof import PROTOCOLS, WireproofError
from wireproof.clauses import clauses
from wireproof.errors import ERROR_CLASSES
from wireproof.suite import Suite, Vector, load_suite
from wireproof.suite.model import LEVELS
from wireproof.suite.rules import open_points
from wireproof.verdict import BROKEN
from wireproof_harness.failure import failure_lines
from wireproof_harness.pending import SEVERITY
from wireproof_harness.pytest_plugin import feed_of
from wireproof_harness.pytest_plugin.feed import Failing, Feed
from wireproof_harness.results import Verdict
from wireproof_harness.terminal import clean

WIDTH: Final = 100
ORDER: Final = ("unexpected-pass", *SEVERITY[:-3], "known-fail", *SEVERITY[-3:])


class Answered(Exception):
    """A vector that was not answered rightly."""

    def __init__(self, worst: Verdict, verdicts: list[Verdict], feed: Feed) -> None:
        super().__init__(f"{worst.question}: {worst.status}, {worst.detail}")
        self.worst, self.verdicts, self.feed = worst, verdicts, feed


class CouldNotAsk(Exception):
    """Nothing could be asked: an error, not a failure of a vector."""


@cache
def _suite(folder: Path) -> Suite:
    return load_suite(folder)


class VectorFile(pytest.File):
    """A file of vectors."""

    def collect(self) -> Iterator[VectorItem]:
        folder = self.path.parents[2]
        name = self.path.relative_to(folder).as_posix()
        try:
            suite = _suite(folder)
        except WireproofError as problem:
            raise self.CollectError(str(problem)) from None
        for vector in suite.vectors:
            if vector.file == name:
                yield VectorItem.from_parent(self, name=vector.id, vector=vector, suite=suite)


class VectorItem(pytest.Item):
    """A vector, asked in every way."""

    def __init__(self, *, vector: Vector, suite: Suite, **others: Any) -> None:
        super().__init__(**others)
        self.vector = vector
        self.suite = suite
        for name in markers(vector):
            self.add_marker(name)
        self.user_properties += [
            ("wireproof_protocol", vector.protocol),
            ("wireproof_level", vector.level),
            ("wireproof_clauses", " ".join(vector.clauses)),
        ]

    def runtest(self) -> None:
        feed = feed_of(self.session)
        if isinstance(feed, Failing):
            raise CouldNotAsk(str(feed.problem))
        verdicts = feed.verdicts(self.vector.id)
        if not verdicts:
            pytest.skip("no question about it is selected")
        worst = min(verdicts, key=lambda verdict: ORDER.index(verdict.status))
        self.verdicts = verdicts
        self.user_properties.append(("wireproof_status", worst.status))
        self.user_properties += [(f"wireproof_{verdict.mode}", verdict.status) for verdict in verdicts]
        self._conclude(worst, feed)

    def _conclude(self, worst: Verdict, feed: Feed) -> None:
        """One outcome for all questions about a vector; what is not a plain pass is told in words."""
        if worst.status in BROKEN:
            raise Answered(worst, self.verdicts, feed)
        if worst.status == "not-run":
            raise CouldNotAsk(f"not run: {worst.detail}")
        if worst.status == "known-fail":
            pytest.xfail(clean(worst.known))
        if all(verdict.status == "unsupported" for verdict in self.verdicts):
            pytest.skip(clean(f"unsupported: {worst.detail}"))
        for verdict in self.verdicts:
            if verdict.status in ("warn", "unsupported"):
                self.add_report_section("call", "wireproof", clean(_words(verdict)))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        problem = excinfo.value
        if isinstance(problem, Answered):
            return "\n".join(_explained(problem))
        if isinstance(problem, CouldNotAsk):
            return clean(str(problem).replace("\n", " | "))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.vector.line - 1, f"{self.vector.id} {self.vector.title}"


def _words(verdict: Verdict) -> str:
    return f"{verdict.question} {verdict.status}: {verdict.detail}"


def _explained(problem: Answered) -> Iterator[str]:
    """The worst verdict as `wireproof check` explains it, and the others in a line each."""
    for line in failure_lines(problem.worst, problem.feed.header, problem.feed.suite, WIDTH):
        yield "".join(clean(segment.text) for segment in line).rstrip()
    for verdict in problem.verdicts:
        if verdict is not problem.worst and verdict.status != "pass":
            yield clean(f"  also      {_words(verdict)}")


def markers(vector: Vector) -> list[str]:
    """Names for -m: protocol, level, kind, error class, and each clause."""
    error = vector.expect.reject or vector.expect.refuse
    return [vector.protocol, vector.level, vector.kind, *([error] if error else []), *vector.clauses]


def marker_lines() -> Iterator[str]:
    """Every marker that a vector can have, so that strict markers are satisfied."""
    for name in (*PROTOCOLS, *LEVELS, "accept", "reject", "refuse", *ERROR_CLASSES):
        yield f"{name}: vectors of wireproof"
    for protocol in PROTOCOLS:
        for name in (*clauses(protocol), *open_points(protocol)):
            yield f"{name}: vectors that cite this clause"
