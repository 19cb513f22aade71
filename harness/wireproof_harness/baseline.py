"""Known failures: a file that says which questions fail, how, and why that is so for now.

    - question: COMET-SUBSCRIBE-50?/*
      status: fail
      cause: accepted
      reason: counts are not checked yet, see issue 12

They are asked all the same. What fails as described is a known failure; what passes, or
fails in another way, is not, and an entry that matches nothing is stale.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import msgspec

from wireproof.errors import WireproofError
from wireproof.verdict import BROKEN
from wireproof_harness.results import Verdict

EXPECTED: Final = BROKEN - {"unexpected-pass"} | {"warn"}
LARGEST: Final = 4 << 20
UNEXPLAINED: Final = "recorded by --update-baseline: say here why, and until when"


class BadBaseline(WireproofError):
    """A baseline file that cannot be used, and where."""


class Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Which questions, how they fail, and why."""

    question: str
    status: str
    reason: str
    cause: str = ""

    @property
    def is_pattern(self) -> bool:
        return any(letter in self.question for letter in "*?[")

    def matches(self, question: str) -> bool:
        return fnmatchcase(question, self.question) if self.is_pattern else question == self.question


class Baseline:
    """Entries, and which of them have matched a question so far."""

    def __init__(self, entries: Iterable[Entry], name: str = "") -> None:
        self.entries = list(entries)
        self.name = name
        self._used: set[int] = set()

    @cached_property
    def _exact(self) -> dict[str, int]:
        return {entry.question: number for number, entry in enumerate(self.entries) if not entry.is_pattern}

    @cached_property
    def _patterns(self) -> list[tuple[int, Entry]]:
        return [(number, entry) for number, entry in enumerate(self.entries) if entry.is_pattern]

    def apply(self, verdict: Verdict) -> None:
        """Let a verdict say that it was expected, or that what was expected did not come."""
        if not self.entries:
            return
        number = self._exact.get(verdict.question)
        if number is None:
            number = next((each for each, entry in self._patterns if entry.matches(verdict.question)), None)
        if number is None:
            return
        entry = self.entries[number]
        self._used.add(number)
        if verdict.status in ("unsupported", "not-run"):
            return
        verdict.known = entry.reason
        if verdict.status == entry.status and entry.cause in ("", verdict.cause):
            verdict.status = "known-fail"
        elif verdict.status in ("pass", "warn"):
            verdict.detail = f"the baseline says {_words(entry)}; take the entry out. {verdict.detail}".strip()
            verdict.status = "unexpected-pass"
        else:
            verdict.detail = f"the baseline says {_words(entry)}, and this is another failure. {verdict.detail}".strip()

    @property
    def stale(self) -> list[str]:
        """Entries that no question has matched."""
        return [entry.question for number, entry in enumerate(self.entries) if number not in self._used]


def _words(entry: Entry) -> str:
    return f"{entry.status} ({entry.cause})" if entry.cause else entry.status


def read_baseline(path: Path) -> Baseline:
    """The baseline in a YAML file; BadBaseline if it is not one."""
    import yaml

    try:
        if path.stat().st_size > LARGEST:
            raise BadBaseline(f"{path} is larger than a baseline can be")
        content = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        entries = msgspec.convert(content or [], list[Entry])
    except OSError as problem:
        raise BadBaseline(f"{path} cannot be read: {problem.strerror}. --update-baseline writes one.") from None
    except (ValueError, yaml.YAMLError, RecursionError) as problem:
        text = " ".join(str(problem).split())[:300]
        raise BadBaseline(f"{path} is no baseline: {text}. An entry has question, status, cause and reason.") from None
    for number, entry in enumerate(entries, 1):
        _check(entry, f"{path}, entry {number}")
    return Baseline(entries, str(path))


def _check(entry: Entry, place: str) -> None:
    if entry.status not in EXPECTED:
        raise BadBaseline(f"{place}: status is one of {', '.join(sorted(EXPECTED))}, not {entry.status!r}")
    if not entry.reason.strip():
        raise BadBaseline(f"{place}: say why {entry.question} fails; an entry without a reason explains nothing")


def updated(baseline: Baseline, verdicts: Iterable[Verdict]) -> list[Entry]:
    """The entries that describe what has failed now; reasons stay with the questions they were given for."""
    found: list[Entry] = []
    for verdict in verdicts:
        status = verdict.status
        if status == "known-fail":
            known = next(entry for entry in baseline.entries if entry.matches(verdict.question))
            if known not in found:
                found.append(known)
        elif status in EXPECTED and status != "warn":
            found.append(Entry(verdict.question, status, verdict.known or UNEXPLAINED, verdict.cause))
    return found


def write_baseline(path: Path, entries: list[Entry]) -> None:
    """Replace a baseline file as a whole."""
    import yaml

    rows: list[dict[str, Any]] = [
        {key: value for key in ("question", "status", "cause", "reason") if (value := getattr(entry, key))}
        for entry in entries
    ]
    head = "# Known failures of an implementation. Each still runs; one that passes, or fails otherwise, is reported.\n"
    text = yaml.safe_dump(rows, sort_keys=False, allow_unicode=True, width=120) if rows else "[]\n"
    aside = path.with_name(f".{path.name}.new")
    aside.write_text(head + text, encoding="utf-8")
    aside.replace(path)
