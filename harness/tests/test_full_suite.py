"""The whole suite, all modes, against both implementations: all pass, nothing is left out, nothing needs a note.

The JavaScript implementation was written from the documents alone; that it gives every
expectation to the byte, offsets included, is what makes the vectors golden.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from wireproof.suite import load_suite
from wireproof.verdict import questions
from wireproof_harness.results import Run, read_log
from wireproof_harness.session import Settled, check
from wireproof_harness.target import target

JAVASCRIPT = shlex.join(["node", str(Path(__file__).parents[1] / "kits" / "reference-js" / "adapter.mjs")])


def whole(words: str, log: Path) -> Run:
    return check(Settled(target=target((words,)), log=log, scale=4), load_suite())


@pytest.mark.parametrize("words", ["reference", pytest.param(JAVASCRIPT, marks=pytest.mark.requires("node"))])
def test_everything_passes_without_a_note(words: str, tmp_path: Path) -> None:
    run = whole(words, tmp_path / "log.jsonl")
    assert run.footer is not None
    assert run.footer.verdict == "conforms"
    assert [verdict.question for verdict in run.verdicts if verdict.status != "pass" or verdict.notes] == []
    planned = [question.id for vector in load_suite().vectors for question in questions(vector)]
    assert [verdict.question for verdict in run.verdicts[1:]] == planned
    assert run.header.planned == len(run.verdicts)
    assert {verdict.reason for verdict in run.verdicts if verdict.kind in ("reject", "refuse")} == {"exact"}
    assert (run.footer.restarts, run.footer.stopped) == (0, "")
    kept = read_log(tmp_path / "log.jsonl")
    assert (kept.header, kept.footer) == (run.header, run.footer)
    assert kept.verdicts == run.verdicts
