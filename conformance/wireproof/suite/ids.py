"""Ids that never change: every id ever given is recorded with a digest of what it means.

`ids.lock` has a line for each: the id and its digest, or `retired` for one that was
withdrawn and must not come back with another meaning.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable
from hashlib import sha256
from typing import Final, NamedTuple

from wireproof.suite.model import Suite, Vector
from wireproof.suite.problems import Problem, SuiteError

LOCK: Final = "ids.lock"
RETIRED: Final = "retired"
LINE: Final = re.compile(r"([A-Z0-9-]+-[0-9]{3}) ([0-9a-f]{32}|retired)")
HEADER: Final = "# Every id of the suite and what it means. `wireproof vectors lint --record` adds to it.\n"


class Recorded(NamedTuple):
    digest: str
    line: int


Lock = dict[str, Recorded]


def digest(vector: Vector) -> str:
    """What a vector asks and what answer it expects, in 32 hex digits; its words do not count."""
    expect = vector.expect
    meaning = [
        vector.protocol,
        vector.direction,
        vector.profile,
        None if vector.hex is None else sha256(vector.data).hexdigest(),
        vector.message,
        [expect.kind, expect.reject or expect.refuse, expect.offset, vector.messages, vector.canonical],
    ]
    return sha256(json.dumps(meaning, sort_keys=True).encode()).hexdigest()[:32]


def read_lock(text: str) -> Lock:
    """The recorded ids; SuiteError if the record is damaged."""
    lock: Lock = {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#") or not line:
            continue
        match = LINE.fullmatch(line)
        if match is None or match[1] in lock:
            advice = "Take the last good version of the file; it is not edited by hand"
            raise SuiteError([Problem(LOCK, number, f"damaged: {line[:60]!r}", advice)])
        lock[match[1]] = Recorded(match[2], number)
    return lock


def lock_text(lock: Lock) -> str:
    return HEADER + "".join(f"{name} {lock[name].digest}\n" for name in sorted(lock))


def unrecorded(vectors: Iterable[Vector], lock: Lock) -> list[Vector]:
    """Vectors whose ids are new."""
    return [vector for vector in vectors if vector.id not in lock]


def changes(vectors: Iterable[Vector], lock: Lock) -> list[Problem]:
    """Recorded ids that now mean something else."""
    problems = []
    for vector in vectors:
        recorded = lock.get(vector.id)
        if recorded is None or recorded.digest == digest(vector):
            continue
        if recorded.digest == RETIRED:
            problem, advice = f"the id {vector.id} was withdrawn", "Take the next free number"
        else:
            problem = f"{vector.id} means something else than when it was recorded"
            advice = f"Give the new vector a new id, or say --accept-change {vector.id} if it was wrong"
        problems.append(Problem(vector.file, vector.line, problem, advice))
    return problems


def missing(suite: Suite, lock: Lock, prefixes: Collection[str]) -> list[Problem]:
    """Recorded ids with one of the prefixes that no vector has any more."""
    return [
        Problem(LOCK, recorded.line, f"the vector {name} is gone", f"Bring it back, or say --accept-change {name}")
        for name, recorded in lock.items()
        if recorded.digest != RETIRED and name not in suite.by_id and name.partition("-")[0] in prefixes
    ]


def record(suite: Suite, lock: Lock, accepted: Collection[str] = ()) -> Lock:
    """The record with new ids added, and changed only for the ids accepted."""
    new = {vector.id: Recorded(digest(vector), 0) for vector in unrecorded(suite.vectors, lock)}
    for name in accepted:
        if name not in lock:
            raise SuiteError([Problem(LOCK, 1, f"{name} is not recorded", "Accept changes of recorded ids only")])
        vector = suite.by_id.get(name)
        new[name] = Recorded(RETIRED if vector is None else digest(vector), 0)
    return lock | new
