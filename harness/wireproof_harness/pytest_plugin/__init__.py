"""The golden vectors as pytest items: one for each vector, asked of the implementation that is named.

    pytest vectors --wireproof-impl "node adapter.mjs"
    pytest --pyargs wireproof.vectors --wireproof-impl mine.toml -m "comet and required"

pytest loads this in every run of whoever has wireproof installed, so nothing heavy is
imported until a vector file is reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

if TYPE_CHECKING:
    from wireproof_harness.pytest_plugin.feed import Failing, Feed
    from wireproof_harness.pytest_plugin.items import VectorFile

FOLDERS: Final = ("accept", "reject")
PROTOCOLS: Final = ("esnp-frame", "esnp-line", "tny", "tny-relay", "magline", "comet")
FEED: Final = pytest.StashKey["Feed | Failing"]()
COULD_NOT_START: Final = 3


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wireproof", "golden vectors of wireproof")
    group.addoption(
        "--wireproof-impl", metavar="IMPL", help="what to check: reference, a command, a manifest, an address"
    )
    group.addoption("--wireproof-baseline", metavar="FILE", help="known failures, as of `wireproof check --baseline`")
    group.addoption("--wireproof-mode", metavar="MODE", action="append", help="only this way of asking; may recur")
    group.addoption("--wireproof-set", metavar="PROTOCOL.NAME=VALUE", action="append", help="declare a parameter")
    group.addoption("--wireproof-timeout-scale", metavar="X", type=float, default=1.0, help="multiply all deadlines")


def is_vector_file(path: Path) -> bool:
    return path.suffix == ".yaml" and path.parent.name in FOLDERS and path.parent.parent.name in PROTOCOLS


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("wireproof_impl"):
        from wireproof_harness.pytest_plugin.items import marker_lines

        for line in marker_lines():
            config.addinivalue_line("markers", line)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> VectorFile | None:
    if not is_vector_file(file_path):
        return None
    if not parent.config.getoption("wireproof_impl"):
        raise pytest.UsageError(f'{file_path.name} holds vectors: say whom to ask with --wireproof-impl "COMMAND"')
    from wireproof_harness.pytest_plugin.items import VectorFile

    return VectorFile.from_parent(parent, path=file_path)


def feed_of(session: pytest.Session) -> Feed | Failing:
    """The implementation of this process, started when the first vector is run."""
    from wireproof import WireproofError
    from wireproof_harness.pytest_plugin.feed import Failing, Feed
    from wireproof_harness.pytest_plugin.items import VectorItem

    if FEED not in session.stash:
        try:
            items = [item for item in session.items if isinstance(item, VectorItem)]
            session.stash[FEED] = Feed(session.config, items)
        except WireproofError as problem:
            if not hasattr(session.config, "workerinput"):
                pytest.exit(f"{session.config.getoption('wireproof_impl')}: {problem}", COULD_NOT_START)
            session.stash[FEED] = Failing(problem)
    return session.stash[FEED]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    feed = session.stash.get(FEED, None)
    if feed is not None:
        feed.close()


def pytest_report_header(config: pytest.Config) -> str | None:
    named = config.getoption("wireproof_impl")
    return f"wireproof: {named}" if named else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What did not run is as visible as what failed."""
    counts: dict[str, int] = {}
    for report in _reports(terminalreporter):
        for name, value in report.user_properties:
            if name == "wireproof_status":
                counts[str(value)] = counts.get(str(value), 0) + 1
    if counts:
        words = ", ".join(f"{number:,} {status}" for status, number in sorted(counts.items()))
        terminalreporter.write_sep("-", "wireproof")
        terminalreporter.write_line(f"vectors by their worst answer: {words}")


def _reports(terminalreporter: Any) -> Iterator[pytest.TestReport]:
    for found in terminalreporter.stats.values():
        for report in found:
            if isinstance(report, pytest.TestReport) and report.when == "call":
                yield report
