"""One log, read where Spark's workers are: its run as a row, its verdicts as batches of rows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from itertools import islice
from typing import Any, Final, NamedTuple

import msgspec
import pyarrow as pa
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from wireproof_harness.results import BadLog, Run, counts_of, read_log
from wireproof_reports.runfacts import run_facts
from wireproof_reports.runs.schemas import RUNS, VERDICTS, schema
from wireproof_reports.runs.sources import Source, reason_of, unpacked
from wireproof_reports.soundness import check, judged

SOURCES: Final = schema("name string, path string, member string, run string, reported long")
LOOKED: Final = StructType([*RUNS, *schema("path string, member string, reason string")])
BATCH: Final = 10_000
NOT_HERE: Final = "is not where Spark's workers are. Put it where all can read it, or ingest with --master 'local[*]'."
_SMALLEST, _LARGEST = -(1 << 63), (1 << 63) - 1
_TEXTS: Final = ("request", "answer")


class Taken(NamedTuple):
    """A log that was read."""

    run: Run
    id: str
    """The digest of its header and verdicts. The footer is left out: with or without it, it is the same run."""
    chains: list[int]
    """For each verdict the beginning of the digest up to it: equal chains, equal beginnings."""
    header: str


def taken(source: Source) -> Taken:
    """A log whose verdicts can be counted; BadLog otherwise."""
    with unpacked(source) as path:
        try:
            run = read_log(path)
            with path.open("rb") as file:
                lines = list(islice(file, 1 + len(run.verdicts)))
        except BadLog as problem:
            raise BadLog(str(problem).replace(str(path), source.name, 1)) from None
    check(run)
    _storable(run)
    digest = sha256(lines[0])
    chains = []
    for line in lines[1:]:
        digest.update(line)
        chains.append(chain(digest.hexdigest()))
    return Taken(run, digest.hexdigest(), chains, lines[0].decode().rstrip("\n"))


def chain(digest: str) -> int:
    return int.from_bytes(bytes.fromhex(digest[:16]), signed=True)


def _storable(run: Run) -> None:
    """JSON has numbers of any size, and columns have not."""
    numbers = [run.header.seed, run.header.planned]
    numbers += [number for verdict in run.verdicts for number in (verdict.requests, verdict.failed)]
    if run.footer is not None:
        numbers += [run.footer.restarts]
    ends = [] if run.footer is None else [run.footer.exit_code]
    if not all(_SMALLEST <= n <= _LARGEST for n in numbers) or not all(-(1 << 31) <= n < 1 << 31 for n in ends):
        raise BadLog("a number in the log has more than 64 bits. Run `wireproof check` again.")


def looked_at(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """For each source a row about its run, or about why there is none."""
    form = to_arrow_schema(LOOKED)
    for batch in batches:
        for row in batch.to_pylist():
            yield pa.RecordBatch.from_pylist([_looked(Source(row["name"], row["path"], row["member"]))], form)


def _looked(source: Source) -> dict[str, Any]:
    where = {"source": source.name, "path": source.path, "member": source.member}
    try:
        return where | _run_row(taken(source))
    except BadLog as problem:
        return where | {"reason": reason_of(problem, source.name) if os.path.exists(source.path) else NOT_HERE}
    except (OSError, RecursionError, MemoryError) as problem:
        return where | {"reason": f"cannot be read: {str(problem) or type(problem).__name__}"}


def _run_row(log: Taken) -> dict[str, Any]:
    header, footer = log.run.header, log.run.footer
    facts = run_facts(header, footer, None)
    same = ("implementation", "version", "language", "target", "suite", "digest", "started", "seed", "baseline")
    row = {name: getattr(facts, name) for name in (*same, "finished", "exit_code", "seconds", "restarts", "stopped")}
    row |= {name: _json(getattr(facts, name)) for name in ("profiles", "claims", "selection", "protections")}
    return row | {
        "run": log.id,
        "planned": header.planned,
        "reported": len(log.run.verdicts),
        "verdict": judged(header, footer, counts_of(log.run.verdicts)),
        "header": log.header,
        "footer": None if footer is None else msgspec.json.encode(footer).decode(),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def profile_of(parameters: dict[str, Any]) -> str:
    """The parameters of a codec in words, the same for the same profile."""
    return ", ".join(f"{name}={_value(parameters[name])}" for name in sorted(parameters)) or "standard"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def verdict_rows(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The verdicts of each source, as many as it had when it was looked at."""
    form = to_arrow_schema(VERDICTS)
    for batch in batches:
        for row in batch.to_pylist():
            log, reported = taken(Source(row["name"], row["path"], row["member"])), row["reported"]
            if reported and (len(log.chains) < reported or log.chains[reported - 1] != chain(row["run"])):
                raise BadLog(f"{row['name']} was changed while it was read. Ingest it again.")
            for start in range(0, reported, BATCH):
                yield _batch(log, row["run"], range(start, min(start + BATCH, reported)), form)


def _batch(log: Taken, run: str, places: range, form: pa.Schema) -> pa.RecordBatch:
    verdicts = log.run.verdicts[places.start : places.stop]
    profiles = log.run.header.profiles
    columns: dict[str, list[Any]] = {
        "run": [run] * len(places),
        "place": list(places),
        "chain": log.chains[places.start : places.stop],
        "profile": [profile_of(profiles.get(verdict.protocol, {})) for verdict in verdicts],
    }
    for name in form.names[len(columns) :]:
        values = [getattr(verdict, name) for verdict in verdicts]
        columns[name] = [None if value is None else _json(value) for value in values] if name in _TEXTS else values
    return pa.RecordBatch.from_pydict(columns, form)
