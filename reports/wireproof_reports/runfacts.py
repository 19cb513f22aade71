"""The conditions of a run: who was asked, with what, and under which protections."""

from __future__ import annotations

from typing import Any

import msgspec

from wireproof.suite.model import Suite
from wireproof_harness.results import Footer, Header


class RunFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What a reader needs to know, or to repeat, a run."""

    implementation: str
    """The name it gives itself."""
    version: str
    language: str
    claims: dict[str, Any]
    """For each protocol what it claims, as it says it."""
    target: str
    """How it was reached, as a command line has it."""
    suite: str
    digest: str
    same_suite: bool
    """Whether titles and rules in the report are those of the run."""
    profiles: dict[str, dict[str, Any]]
    """For each protocol the parameters that differ from `standard`."""
    selection: dict[str, Any]
    baseline: str
    seed: int
    timeout: float
    protections: dict[str, str]
    platform: str
    started: str
    finished: bool
    seconds: float
    restarts: int
    stopped: str
    """Why the rest was not run."""
    exit_code: int | None


def run_facts(header: Header, footer: Footer | None, suite: Suite | None) -> RunFacts:
    said = header.implementation
    claims = said.get("protocols")
    return RunFacts(
        implementation=_text(said, "name") or header.target,
        version=_text(said, "version"),
        language=_text(said, "language"),
        claims=claims if isinstance(claims, dict) else {},
        target=header.target,
        suite=header.suite,
        digest=header.digest,
        same_suite=suite is not None and suite.digest == header.digest,
        profiles=header.profiles,
        selection=header.selection,
        baseline=header.baseline,
        seed=header.seed,
        timeout=header.timeout,
        protections=header.protections,
        platform=header.platform,
        started=header.started,
        finished=footer is not None,
        seconds=0 if footer is None else footer.seconds,
        restarts=0 if footer is None else footer.restarts,
        stopped="" if footer is None else footer.stopped,
        exit_code=None if footer is None else footer.exit_code,
    )


def _text(said: dict[str, Any], key: str) -> str:
    value = said.get(key)
    return value if isinstance(value, str) else ""
