"""What all rooms' tests share: hypothesis profiles, and tests that need a program outside Python.

    pytestmark = pytest.mark.requires("node")

Where the program is missing such a test is skipped, and the run ends with a red list of what did not run and
what to install. A program that WIREPROOF_REQUIRE_TOOLS names (as in "java node") is an error if it is missing.
"""

import os
import shlex
import subprocess
from collections import Counter
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from wireproof_harness.compare import Implementation

pytest_plugins = ["pytester"]

SETUP = Path(__file__).parent / "tools" / "setup"
NOT_RUN = "NOT RUN: needs "

# Deadlines measure the machine, not the code: on a busy one they fail at random.
hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
hypothesis.settings.load_profile("dev")


@cache
def wanted(tool: str) -> str | None:
    """What to install so that this tool is there, or None if it is."""
    check = subprocess.run([SETUP, "--check", tool], capture_output=True, text=True, check=False)
    match check.returncode:
        case 0:
            return None
        case 3:
            return check.stdout.strip()
        case _:
            raise pytest.UsageError(f"requires({tool!r}): {check.stderr.strip()}")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    required = os.environ.get("WIREPROOF_REQUIRE_TOOLS", "").split()
    for marker in item.iter_markers("requires"):
        for tool in marker.args:
            missing = wanted(tool)
            if missing and tool in required:
                pytest.fail(NOT_RUN + missing, pytrace=False)
            if missing:
                pytest.skip(NOT_RUN + missing)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
    yield  # pytest's own sections come first: this one is the last thing before the closing line
    reasons = Counter(
        report.longrepr[2].removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
        if isinstance(report.longrepr, tuple) and NOT_RUN in report.longrepr[2]
    )
    for reason, count in sorted(reasons.items()):
        tests = "1 test" if count == 1 else f"{count} tests"
        terminalreporter.write_line(f"{tests} {reason}", red=True, bold=True)


@pytest.fixture(scope="module")
def javascript() -> Iterator["Implementation"]:
    """The second implementation, running; tests that ask it are marked requires("node")."""
    from wireproof_harness.peer import peer

    adapter = Path(__file__).parent / "harness" / "kits" / "reference-js" / "adapter.mjs"
    found = peer(shlex.join(["node", str(adapter)]))
    yield found
    found.close()
