"""One fault, checked and looked at from outside: what came of it, what it cost, what it left."""

from __future__ import annotations

import os
import socket
import sys
import time
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from faulty.asked import ANSWERS, VICTIM
from faulty.cases import CANNOT_START, Case
from wireproof.errors import WireproofError
from wireproof.suite import load_suite
from wireproof.suite.model import Suite
from wireproof.verdict import questions
from wireproof_harness import jsonlines
from wireproof_harness.contract import full_line, hello_end, line_end, line_start, probe_end
from wireproof_harness.plan import Selection
from wireproof_harness.reference import answer_line
from wireproof_harness.results import Run, Verdict
from wireproof_harness.session import Settled, check
from wireproof_harness.target import Manifest, Target
from wireproof_harness.transports import tree

START: Final = [sys.executable, "-S", str(Path(__file__).parent / "faulty.py")]  # it needs no packages


class Observed(NamedTuple):
    """What was seen of a check."""

    run: Run | None
    error: str
    exit_code: int
    seconds: float
    processes: list[str]
    """Those that are left."""
    descriptors: list[str]

    @property
    def victim(self) -> Verdict:
        assert self.run is not None, self.error
        return next(verdict for verdict in self.run.verdicts if verdict.question == f"{VICTIM}/decode")

    @property
    def others(self) -> list[Verdict]:
        assert self.run is not None, self.error
        return [verdict for verdict in self.run.verdicts if verdict.question != f"{VICTIM}/decode"]


def observe(case: Case, suite: Suite, folder: Path) -> Observed:
    """Check a faulty implementation; the folder is for its state, its socket and the log."""
    (folder / ANSWERS).write_bytes(right_answers(case.selection))
    settled = Settled(
        target=faulty_target(case, folder),
        log=folder / "run.jsonl",
        selection=case.selection,
        scale=case.scale,
        sandbox=case.sandbox,
    )
    before, children = descriptors(), processes(folder)
    start = time.monotonic()
    run, error = None, ""
    try:
        run = check(settled, suite)
    except WireproofError as problem:
        error = str(problem)
    seconds = time.monotonic() - start
    code = run.footer.exit_code if run and run.footer else CANNOT_START
    left = [shown for pid, shown in processes(folder).items() if pid not in children]
    files = [shown for file, shown in descriptors().items() if before.get(file) != shown]
    return Observed(run, error, code, seconds, left, files)


def objections(case: Case, seen: Observed) -> list[str]:
    """In what a check was not as it must be."""
    found = [f"left behind: {left}" for left in [*seen.processes, *seen.descriptors]]
    if seen.exit_code != case.exit_code:
        found.append(f"exit code {seen.exit_code}, not {case.exit_code} {seen.error}")
    if seen.run is None:
        return found if case.says in seen.error else [*found, f"says {seen.error!r}"]
    victim = seen.victim
    if len(seen.run.verdicts) != seen.run.header.planned:
        found.append(f"{seen.run.header.planned} planned, {len(seen.run.verdicts)} told")
    if (victim.status, victim.cause) != (case.status, "stopped" if case.status == "not-run" else case.cause):
        found.append(f"the victim got {victim.status}, {victim.cause}: {victim.detail}")
    elif case.says not in victim.detail:
        found.append(f"says {victim.detail!r}")
    strange = [verdict for verdict in seen.others if verdict.status not in case.others]
    return found + [f"{verdict.question} got {verdict.status}: {verdict.detail}" for verdict in strange]


@cache
def right_answers(selection: Selection) -> bytes:
    """What the reference says to every request about the vectors that are selected."""
    ends = [hello_end(), probe_end()]
    for vector in filter(selection.takes_vector, load_suite().vectors):
        for question in questions(vector):
            if selection.takes(vector.id, question.mode):
                ends += [line_end(request, line_start(vector)) for request in question.requests()]
    answered = {end: jsonlines.dump(answer_line(full_line(0, end))) for end in ends}
    start = len('{"id":0,')
    return jsonlines.dump({end[1:-1].decode(): line[start:-1].decode() for end, line in answered.items()})


def faulty_target(case: Case, folder: Path) -> Target:
    command = [*START, case.fault]
    connect = listen = ""
    if case.way == "listens":
        connect = f"tcp://127.0.0.1:{free_port()}"
        command.append(connect)
    elif case.way == "dials":
        listen = f"unix://{folder}/dialled.sock"
    manifest = Manifest(
        command=command,
        connect=connect,
        listen=listen,
        env={"FAULTY_STATE": str(folder)},
        timeout=case.timeout,
        memory=case.memory,
    )
    return Target(f"faulty {case.fault}", manifest, folder)


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port


def descriptors() -> dict[str, str]:
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = os.readlink(f"/proc/self/fd/{name}")
        except OSError:  # the one that listed them
            continue
    return found


def processes(folder: Path) -> dict[int, str]:
    """Children of this process, zombies included, and whatever carries the mark of a testee that has this folder.

    Others on this machine may run the same tests at the same time.
    """
    state = f"FAULTY_STATE={folder}".encode()
    found = {}
    for entry in tree.processes():
        environ = _read(f"/proc/{entry.pid}/environ")
        if entry.parent == os.getpid() or (tree.MARK.encode() in environ and state in environ.split(b"\0")):
            found[entry.pid] = f"{entry.pid} {entry.state} {_read(f'/proc/{entry.pid}/cmdline')[:80]!r}"
    return found


def _read(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except OSError:
        return b""
