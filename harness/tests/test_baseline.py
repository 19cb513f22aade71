"""Known failures: expected ones are told as such, and nothing else hides behind them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wireproof_harness.baseline import BadBaseline, Baseline, Entry, read_baseline, updated, write_baseline
from wireproof_harness.results import Verdict

KNOWN = Entry("COMET-X-50?/*", "fail", "see issue 12", "accepted")


def verdict(question: str, status: str, cause: str = "") -> Verdict:
    vector, _, mode = question.partition("/")
    return Verdict(question, vector, mode, "comet", "c2s", "required", "reject", [], status, cause=cause)


@pytest.mark.parametrize(
    ("question", "status", "cause", "now"),
    [
        ("COMET-X-501/decode", "fail", "accepted", "known-fail"),
        ("COMET-X-501/decode", "fail", "delivered", "fail"),
        ("COMET-X-501/decode", "crash", "ended", "crash"),
        ("COMET-X-501/decode", "flaky", "accepted", "flaky"),
        ("COMET-X-501/decode", "pass", "", "unexpected-pass"),
        ("COMET-X-501/decode", "warn", "reason", "unexpected-pass"),
        ("COMET-X-501/decode", "unsupported", "unclaimed", "unsupported"),
        ("COMET-X-501/decode", "not-run", "stopped", "not-run"),
        ("COMET-X-601/decode", "fail", "accepted", "fail"),
        ("COMET-X-601/decode", "pass", "", "pass"),
    ],
)
def test_a_verdict_meets_the_baseline(question: str, status: str, cause: str, now: str) -> None:
    found = verdict(question, status, cause)
    Baseline([KNOWN]).apply(found)
    assert found.status == now
    asked = status not in ("unsupported", "not-run") and question.startswith("COMET-X-50")
    assert found.known == ("see issue 12" if asked else "")


def test_another_failure_says_what_was_expected() -> None:
    found = verdict("COMET-X-501/decode", "fail", "delivered")
    Baseline([KNOWN]).apply(found)
    assert "fail (accepted)" in found.detail


def test_an_exact_entry_counts_more_than_a_pattern() -> None:
    exact = Entry("COMET-X-501/decode", "crash", "it divides by zero")
    found = verdict("COMET-X-501/decode", "crash", "ended")
    Baseline([KNOWN, exact]).apply(found)
    assert (found.status, found.known) == ("known-fail", "it divides by zero")


def test_an_entry_that_matches_nothing_is_stale() -> None:
    baseline = Baseline([KNOWN, Entry("COMET-Y-1/decode", "fail", "gone")])
    baseline.apply(verdict("COMET-X-501/decode", "pass"))
    assert baseline.stale == ["COMET-Y-1/decode"]


def test_updating_keeps_reasons_and_drops_what_is_mended(tmp_path: Path) -> None:
    baseline = Baseline([KNOWN, Entry("COMET-X-700/decode", "fail", "old")])
    verdicts = [
        verdict("COMET-X-501/decode", "fail", "accepted"),
        verdict("COMET-X-502/decode", "fail", "accepted"),
        verdict("COMET-X-600/decode", "crash", "ended"),
        verdict("COMET-X-601/decode", "warn", "reason"),
        verdict("COMET-X-602/decode", "pass"),
        verdict("COMET-X-700/decode", "pass"),
    ]
    for each in verdicts:
        baseline.apply(each)
    path = tmp_path / "known.yaml"
    write_baseline(path, updated(baseline, verdicts))
    again = read_baseline(path)
    assert [entry.question for entry in again.entries] == ["COMET-X-50?/*", "COMET-X-600/decode"]
    assert again.entries[0] == KNOWN
    assert "say here why" in again.entries[1].reason


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("- question: X\n  status: fail\n  reason: ' '\n", "say why"),
        ("- question: X\n  status: fial\n  reason: r\n", "status is one of"),
        ("- question: X\n  status: pass\n  reason: r\n", "status is one of"),
        ("- question: X\n  status: fail\n", "reason"),
        ("- question: X\n  status: fail\n  reason: r\n  until: 2030\n", "until"),
        ("question: X", "no baseline"),
        ("- [", "no baseline"),
        ("- &a [*a]", "no baseline"),
    ],
)
def test_a_file_that_is_no_baseline_is_told_as_such(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "known.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadBaseline, match=problem):
        read_baseline(path)


def test_an_empty_file_and_a_missing_one(tmp_path: Path) -> None:
    path = tmp_path / "known.yaml"
    with pytest.raises(BadBaseline, match="--update-baseline"):
        read_baseline(path)
    path.write_text("# nothing yet\n", encoding="utf-8")
    assert read_baseline(path).entries == []
