"""The result log: what was asked of whom, and a verdict a line, in planned order.

A header, verdicts, a footer; each a JSON object on a line. It is only ever appended to, so
a run that is killed leaves whole lines and at most one torn one, which is cut off when the
run is resumed. Without the fields that hold times the same run gives the same bytes.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec

from wireproof.errors import WireproofError
from wireproof.verdict import BROKEN, EXECUTED, STATUSES

LOG: Final = 1
"""The version of the log's form."""
TIMES: Final = ("started", "seconds")
"""The fields that differ between two runs that are otherwise alike."""
FLUSH_EVERY: Final = 1 << 16
LONGEST_LINE: Final = 1 << 20


class BadLog(WireproofError):
    """A result log that cannot be used, and what to do."""


class Header(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="record", tag="run"):
    """Who was asked, under which conditions."""

    log: int = LOG
    suite: str
    digest: str
    """Of all vector files."""
    target: str
    """What was given as the implementation, as a command line would have it."""
    implementation: dict[str, Any]
    """Its answer to hello."""
    profiles: dict[str, dict[str, Any]]
    """For each protocol the parameters that differ from `standard`."""
    selection: dict[str, Any]
    """What was selected; empty for everything."""
    baseline: str = ""
    seed: int = 0
    strict: bool = False
    """Whether a warning is a failure."""
    timeout: float = 0
    planned: int
    protections: dict[str, str]
    platform: str = ""
    started: str = ""


class Verdict(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, tag_field="record", tag="verdict"):
    """What came of one question."""

    question: str
    vector: str
    mode: str
    protocol: str
    direction: str
    level: str
    kind: str
    """accept, reject, refuse, or probe."""
    clauses: list[str]
    status: str
    error: str = ""
    """The class a rejection or refusal should have."""
    cause: str = ""
    reason: str = ""
    """For a rejection: exact, alias, other, not-stated."""
    detail: str = ""
    notes: list[str] = []
    path: str = ""
    requests: int = 1
    """How many it takes."""
    failed: int = 0
    request: dict[str, Any] | None = None
    """The first that was not answered rightly, without its id."""
    answer: Any = None
    """What came instead, cut where it is long."""
    derived: bool = False
    known: str = ""
    """The reason that the baseline gives."""
    stderr: str = ""
    """The end of what the implementation wrote there, if it broke down."""
    seconds: float = 0


class Footer(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="record", tag="end"):
    """That the run came to its end, and what it counted."""

    counts: dict[str, int]
    verdict: str
    exit_code: int
    stale: list[str] = []
    """Baseline entries that matched nothing."""
    restarts: int = 0
    stopped: str = ""
    """Why the rest was not run."""
    seconds: float = 0


Record = Header | Verdict | Footer
_encoder: Final = msgspec.json.Encoder(order="deterministic")
_decoder: Final = msgspec.json.Decoder(Record)


class Log:
    """A result log being written."""

    def __init__(self, path: Path, *, append: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self._file: BinaryIO = path.open("ab" if append else "wb")
        self._waiting = bytearray()

    def write(self, record: Record) -> None:
        try:
            self._waiting += _encoder.encode(record)
        except (UnicodeEncodeError, OverflowError):  # an encoder is asked about such things, and may answer with them
            self._waiting += _encoder.encode(msgspec.convert(_writable(msgspec.to_builtins(record)), Record))
        self._waiting += b"\n"
        if len(self._waiting) > FLUSH_EVERY:
            self.flush()

    def flush(self) -> None:
        """Hand everything to the system, which keeps it even if this process is killed."""
        self._file.write(self._waiting)
        self._file.flush()
        self._waiting.clear()

    def close(self) -> None:
        self.flush()
        os.fsync(self._file.fileno())
        self._file.close()


def _writable(value: Any) -> Any:
    """A value without lone surrogates and numbers of more than 64 bits, which are told as text."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        return str(value)
    if isinstance(value, dict):
        return {_writable(key): _writable(item) for key, item in value.items()}
    return [_writable(item) for item in value] if isinstance(value, list) else value


class Run(msgspec.Struct):
    """A result log that was read: all of it, or as far as a killed run came."""

    header: Header
    verdicts: list[Verdict]
    footer: Footer | None = None


def read_log(path: Path) -> Run:
    """The run in a log; a torn last line is left out."""
    records = list(_records(path))
    if not records or not isinstance(records[0], Header):
        raise BadLog(f"{path} does not begin with the header of a run. Name a log that `wireproof check` has written.")
    header = records[0]
    footer = records[-1] if isinstance(records[-1], Footer) else None
    verdicts = [record for record in records if isinstance(record, Verdict)]
    if len(verdicts) + (2 if footer else 1) != len(records):
        raise BadLog(f"{path} has a header or a footer in its middle. Two runs were written to one log: run again.")
    return Run(header, verdicts, footer)


def _records(path: Path) -> Iterator[Record]:
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    return  # torn: the run was killed while it was written
                yield _parsed(line, f"{path}:{number}")
    except OSError as problem:
        raise BadLog(f"{path} cannot be read: {problem.strerror}") from None


def _parsed(line: bytes, place: str) -> Record:
    try:
        record: Record = _decoder.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BadLog(f"{place} is no record of a result log: {problem}") from None
    return record


def whole_lines(path: Path) -> int:
    """How many bytes of a log are whole lines."""
    content = path.read_bytes()
    return content.rfind(b"\n") + 1


def without_times(content: bytes) -> bytes:
    """A log as it would be if time did not pass."""
    names = "|".join(TIMES)
    return re.sub(rb',"(?:%s)":(?:"[^"]*"|[-+.0-9e]+)' % names.encode(), b"", content)


def counts_of(verdicts: list[Verdict]) -> dict[str, int]:
    """How many of each status, those with none included."""
    found = Counter(verdict.status for verdict in verdicts)
    return {status: found[status] for status in STATUSES}


CONFORMS, DOES_NOT, INCOMPLETE = "conforms", "does not conform", "incomplete"


def verdict_of(counts: dict[str, int], planned: int, *, strict: bool = False) -> str:
    """What a run says of an implementation. What was not run can say nothing good."""
    if sum(counts.values()) != planned or counts["not-run"]:
        return INCOMPLETE
    if sum(counts[status] for status in EXECUTED) <= 1:
        return INCOMPLETE  # the probe alone shows nothing
    if any(counts[status] for status in BROKEN) or (strict and counts["warn"]):
        return DOES_NOT
    return CONFORMS


EXIT_CODES: Final = {CONFORMS: 0, DOES_NOT: 1, INCOMPLETE: 5}
