"""What all vectors of a run came to: what did not run is as visible as what failed.

This is loaded in every run of pytest and imports nothing. With xdist the workers send
what they found out about the implementation, and it is said once.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, Final

import pytest

SUMMARY: Final = pytest.StashKey["Summary"]()
STATUS: Final = "wireproof_status"
SECTION: Final = "wireproof"
SHOWN: Final = 10
NOTHING_EXECUTED: Final = 5
NOT_EXECUTED: Final = ("unsupported", "not-run", "not-selected")


class Summary:
    """Counts verdicts as they are reported, and has the last word on the exit code."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.counts: Counter[str] = Counter()
        self.partly = 0
        self.told: list[str] = []
        self.problem = ""
        """Why nothing can be asked."""
        self.code = 0
        self.probe = ""
        """What is wrong with its answer to a question that does not exist."""

    @property
    def is_worker(self) -> bool:
        return hasattr(self.config, "workeroutput")

    def give_up(self, problem: str, code: int) -> None:
        """Say why nothing can be asked, and what the run is to end with."""
        self.problem, self.code = problem, int(code)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown" or (report.when == "setup" and report.passed):
            return
        found = dict(report.user_properties)
        status = found.get(STATUS)
        if status is None:
            return
        self.counts[str(status)] += 1
        if report.passed:
            self.partly += "unsupported" in found.values()
            if status == "warn":
                self.told += [text for title, text in report.sections if SECTION in title and " warn: " in text]

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any, error: object) -> None:
        said = getattr(node, "workeroutput", {})
        if said.get("wireproof_problem"):
            self.give_up(said["wireproof_problem"], said["wireproof_code"])
        self.probe = self.probe or said.get("wireproof_probe", "")

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self.is_worker:
            output: dict[str, Any] = self.config.workeroutput  # type: ignore[attr-defined]
            output.update(wireproof_problem=self.problem, wireproof_code=self.code, wireproof_probe=self.probe)
        elif self.problem:
            session.exitstatus = self.code
        elif session.exitstatus == pytest.ExitCode.OK:
            executed = sum(number for status, number in self.counts.items() if status not in NOT_EXECUTED)
            if self.counts and not executed:
                session.exitstatus = NOTHING_EXECUTED
            if self.probe:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        if not self.counts and not self.problem:
            return
        write = terminalreporter.write_line
        terminalreporter.write_sep("-", "wireproof")
        for text in self.told[:SHOWN]:
            write(text)
        if len(self.told) > SHOWN:
            write(f"... and {len(self.told) - SHOWN:,} more warnings; -rP tells them all")
        if self.partly:
            write(f"{self.partly:,} passed in part: not all ways of asking are supported (-rP tells which)")
        if self.counts:
            words = ", ".join(f"{number:,} {status}" for status, number in sorted(self.counts.items()))
            write(f"vectors by their worst answer: {words}")
        self._complain(write)

    def _complain(self, write: Any) -> None:
        if self.probe:
            write(f"does not conform: {self.probe}", red=True)
        if self.problem:
            write(self.problem, red=True)
        elif self.counts and not any(status not in NOT_EXECUTED for status in self.counts):
            write("no vector was executed: that shows nothing, and is not a success", red=True)
