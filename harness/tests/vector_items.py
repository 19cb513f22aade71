"""A project of a user, as the tests of the pytest plugin see it: a few vectors, strict settings, an adapter."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

VECTORS = Path(__file__).parents[2] / "vectors"
FILES = ("comet/accept/commands.yaml", "comet/accept/subscribe.yaml", "comet/reject/subscribe.yaml")
STRICT = "[pytest]\naddopts = --strict-markers --strict-config -p no:cacheprovider\nfilterwarnings = error\n"


class Project:
    """Runs pytest on vectors, in a process of its own."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        for name in FILES:
            copy = self.path / "suite" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(VECTORS / name, copy)
        (self.path / "pytest.ini").write_text(STRICT, encoding="utf-8")

    def run(self, *words: str, impl: str = "reference") -> pytest.RunResult:
        named = ["--wireproof-impl", impl] if impl else []
        return self.pytester.runpytest_subprocess("suite", *named, *words, timeout=300)


def outcomes(run: pytest.RunResult) -> dict[str, set[str]]:
    """What -rA says: for each outcome the ids."""
    found: dict[str, set[str]] = {}
    for line in run.outlines:
        word, _, rest = line.partition(" ")
        if word in ("PASSED", "FAILED", "ERROR", "XFAIL", "XPASS") and "::" in rest:
            found.setdefault(word, set()).add(rest.split("::")[1].split(" ")[0])
    return found
