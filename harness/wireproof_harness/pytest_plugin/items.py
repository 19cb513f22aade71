"""A vector file and its vectors, as pytest sees them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NoReturn

import pytest

from wireproof import WireproofError
from wireproof.suite import Suite, Vector, load_suite
from wireproof.verdict import BROKEN
from wireproof_harness.failure import failure_lines
from wireproof_harness.pytest_plugin import feed_of
from wireproof_harness.pytest_plugin.feed import CouldNotAsk, Feed
from wireproof_harness.pytest_plugin.marking import marker, marker_names
from wireproof_harness.pytest_plugin.summary import SECTION, STATUS
from wireproof_harness.results import Verdict
from wireproof_harness.terminal import clean

WIDTH: Final = 100
WORST_FIRST: Final = (
    *("crash", "timeout", "contract-error", "flaky", "fail", "unexpected-pass"),
    *("not-run", "known-fail", "warn", "pass", "unsupported"),
)
"""What is not supported comes last: a vector counts as unsupported if nothing about it was answered."""
WRONG: Final = ("fail", "unexpected-pass")
"""An answer came and was judged. Whatever else is broken is a different thing, and reports keep them apart."""


class Answered(AssertionError):
    """A vector that was not answered rightly."""


class BrokeDown(Exception):
    """A vector over which an implementation broke down."""


class VectorFile(pytest.File):
    """A file of vectors."""

    def collect(self) -> Iterator[VectorItem]:
        folder = self.path.parents[2]
        name = self.path.relative_to(folder).as_posix()
        try:
            suite, by_file = _suite(folder)
        except WireproofError as problem:
            raise self.CollectError(str(problem)) from None
        for vector in by_file.get(name, ()):
            yield VectorItem.from_parent(self, name=vector.id, vector=vector, suite=suite)


@cache
def _suite(folder: Path) -> tuple[Suite, dict[str, list[Vector]]]:
    suite = load_suite(folder)
    by_file: dict[str, list[Vector]] = {}
    for vector in suite.vectors:
        by_file.setdefault(vector.file, []).append(vector)
    return suite, by_file


class VectorItem(pytest.Item):
    """A vector, asked in every way."""

    feed: Feed
    verdicts: list[Verdict]
    worst: Verdict

    def __init__(self, *, vector: Vector, suite: Suite, **others: Any) -> None:
        super().__init__(**others)
        self.vector = vector
        self.suite = suite
        for name in marker_names(vector):
            self.add_marker(marker(name))
        self.user_properties += [
            ("wireproof_protocol", vector.protocol),
            ("wireproof_level", vector.level),
            ("wireproof_clauses", " ".join(vector.clauses)),
        ]

    def setup(self) -> None:
        """Ask. What goes wrong here is an error, and no failure: nothing is known of the vector then."""
        self.feed = feed_of(self.session)
        self.verdicts = self.feed.verdicts(self.vector.id)
        if not self.verdicts:
            self.user_properties.append((STATUS, "not-selected"))
            _skip("no question about it is selected by --wireproof-mode")
        self.worst = min(self.verdicts, key=lambda verdict: WORST_FIRST.index(verdict.status))
        self.user_properties.append((STATUS, self.worst.status))
        self.user_properties += [(f"wireproof_{verdict.mode}", verdict.status) for verdict in self.verdicts]
        if told := self._allure():
            told.describe(self)
        if self.worst.status == "not-run":
            raise CouldNotAsk(f"{self.worst.question} not run: {self.worst.detail}")

    def runtest(self) -> None:
        """One outcome for all questions about a vector; what is not a plain pass is told in words."""
        worst = self.worst
        if told := self._allure():
            told.attach(self)
        if worst.status in BROKEN:
            text = clean(f"{worst.question}: {worst.status}, {worst.detail}")
            raise Answered(text) if worst.status in WRONG else BrokeDown(text)
        if worst.status == "known-fail":
            pytest.xfail(clean(worst.known))
        if worst.status == "unsupported":
            _skip(clean(f"unsupported: {worst.detail}"))
        words = [_words(verdict) for verdict in self.verdicts if verdict.status != "pass"]
        if words:
            self.add_report_section("call", SECTION, "\n".join(words))

    def _allure(self) -> ModuleType | None:
        """The module that tells Allure, if it is to be told."""
        if not self.config.pluginmanager.has_plugin("allure_listener"):
            return None
        from wireproof_harness.pytest_plugin import allure

        return allure

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        problem = excinfo.value
        if isinstance(problem, Answered | BrokeDown):
            return "\n".join(self.explained())
        if isinstance(problem, CouldNotAsk):
            return clean(str(problem))
        return super().repr_failure(excinfo, style)

    def explained(self) -> Iterator[str]:
        """The worst verdict as `wireproof check` explains it, and the others in a line each."""
        for line in failure_lines(self.worst, self.feed.header, self.suite, WIDTH):
            yield "".join(clean(segment.text) for segment in line).rstrip()
        for verdict in self.verdicts:
            if verdict is not self.worst and verdict.status != "pass":
                yield f"  also      {_words(verdict)}"

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.vector.line - 1, f"{self.vector.id} {self.vector.title}"


def _skip(reason: str) -> NoReturn:
    """The place that is told is the vector's, not a line of this file."""
    raise pytest.skip.Exception(reason, _use_item_location=True)


def _words(verdict: Verdict) -> str:
    return clean(f"{verdict.question} {verdict.status}: {verdict.detail}")
