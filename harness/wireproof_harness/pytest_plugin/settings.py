"""What the command line and `[tool.wireproof]` say, made sense of before anything is asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import click
import pytest

from wireproof.errors import WireproofError
from wireproof.verdict.questions import MODES
from wireproof_harness.baseline import read_baseline
from wireproof_harness.cli.check import declared
from wireproof_harness.cli.configured import configured
from wireproof_harness.plan import Selection
from wireproof_harness.pytest_plugin.summary import SUMMARY
from wireproof_harness.session import Settled
from wireproof_harness.target import target
from wireproof_harness.terminal import clean

SETTLED: Final = pytest.StashKey[Settled]()


def settle(config: pytest.Config, file: Path) -> bool:
    """Once for each process: whether there is sense in it. What is wrong is told once, and ends the run."""
    summary = config.stash[SUMMARY]
    if SETTLED in config.stash or summary.problem:
        return not summary.problem
    try:
        config.stash[SETTLED] = _settled(config, file)
    except (WireproofError, pytest.UsageError) as problem:
        summary.give_up(clean(str(problem)), pytest.ExitCode.USAGE_ERROR)
    except click.UsageError as problem:
        summary.give_up(clean(problem.format_message()), pytest.ExitCode.USAGE_ERROR)
    if summary.problem:
        raise pytest.Collector.CollectError(summary.problem)
    return True


def _settled(config: pytest.Config, file: Path) -> Settled:
    said = _said(config)
    if not said["implementation"]:
        raise pytest.UsageError(
            f"{file.name} holds vectors of wireproof: say whom to ask with "
            '--wireproof-impl "COMMAND", or with implementation of [tool.wireproof] in pyproject.toml'
        )
    if unknown := set(said["modes"]) - set(MODES):
        raise pytest.UsageError(f"--wireproof-mode: no mode {unknown.pop()!r}; there are {', '.join(MODES)}")
    if said["scale"] <= 0:
        raise pytest.UsageError("--wireproof-timeout-scale: a number above 0 is wanted")
    return Settled(
        target=target(said["implementation"]),
        log=Path(),
        selection=Selection(modes=said["modes"]),
        declared=declared(said["assignments"]),
        baseline=read_baseline(Path(said["baseline"])) if said["baseline"] else None,
        scale=said["scale"],
    )


def _said(config: pytest.Config) -> dict[str, Any]:
    """Command lines count more than the project's file."""
    option, project = config.getoption, configured(config.invocation_params.dir)
    named = option("wireproof_impl") or project.get("implementation", "")
    return {
        "implementation": tuple(named) if isinstance(named, list) else (named,) if named else (),
        "baseline": option("wireproof_baseline") or project.get("baseline", ""),
        "assignments": tuple(option("wireproof_set") or project.get("assignments", ())),
        "scale": option("wireproof_timeout_scale") or project.get("scale", 1.0),
        "modes": tuple(option("wireproof_mode") or ()),
    }
