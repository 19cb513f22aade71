"""The golden vectors as pytest items: one for each vector, asked of the implementation that is named.

    pytest vectors --wireproof-impl "node adapter.mjs"
    pytest --pyargs wireproof.vectors --wireproof-impl mine.toml -m "comet and required"

pytest loads this in every run of whoever has wireproof installed, so nothing heavy is
imported until a vector file is reached.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from wireproof_harness.pytest_plugin.summary import SUMMARY, Summary

if TYPE_CHECKING:
    from wireproof_harness.pytest_plugin.feed import Feed
    from wireproof_harness.pytest_plugin.items import VectorFile

FOLDERS: Final = ("accept", "reject")
PROTOCOLS: Final = ("esnp-frame", "esnp-line", "tny", "tny-relay", "magline", "comet")
FEED: Final = pytest.StashKey["Feed"]()
MARKERS: Final = pytest.StashKey[bool]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("wireproof", "golden vectors of wireproof")
    group.addoption(
        "--wireproof-impl",
        metavar="IMPL",
        help="what to check: reference, a command, a manifest, an address; or implementation of [tool.wireproof]",
    )
    group.addoption("--wireproof-baseline", metavar="FILE", help="known failures, as of `wireproof check --baseline`")
    group.addoption("--wireproof-mode", metavar="MODE", action="append", help="only this way of asking; may recur")
    group.addoption("--wireproof-set", metavar="PROTOCOL.NAME=VALUE", action="append", help="declare a parameter")
    group.addoption("--wireproof-timeout-scale", metavar="X", type=float, help="multiply all deadlines")


def is_vector_file(path: Path) -> bool:
    return path.suffix == ".yaml" and path.parent.name in FOLDERS and path.parent.parent.name in PROTOCOLS


def pytest_configure(config: pytest.Config) -> None:
    config.stash[SUMMARY] = Summary(config)
    config.pluginmanager.register(config.stash[SUMMARY], "wireproof-summary")
    if config.getoption("markers", default=False):
        register_markers(config)


def register_markers(config: pytest.Config) -> None:
    """Once, and as late as possible: the names of all clauses come from files."""
    from wireproof_harness.pytest_plugin.marking import marker_lines

    if MARKERS not in config.stash:
        config.stash[MARKERS] = True
        for line in marker_lines():
            config.addinivalue_line("markers", line)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> VectorFile | None:
    if not is_vector_file(file_path):
        return None
    from wireproof_harness.pytest_plugin.items import VectorFile
    from wireproof_harness.pytest_plugin.settings import settle

    if not settle(parent.config, file_path):
        return None
    register_markers(parent.config)
    return VectorFile.from_parent(parent, path=file_path)


def feed_of(session: pytest.Session) -> Feed:
    """The implementation of this process, started when the first vector is run."""
    if FEED not in session.stash:
        from wireproof_harness.pytest_plugin.feed import started

        session.stash[FEED] = started(session)
    return session.stash[FEED]


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    feed = session.stash.get(FEED, None)
    if feed is not None:
        feed.close()


def pytest_report_header(config: pytest.Config) -> str | None:
    named: Any = config.getoption("wireproof_impl")
    return f"wireproof: {named}" if named else None
