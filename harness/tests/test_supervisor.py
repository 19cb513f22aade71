"""Asking what may break: deadlines that count progress, attribution, interrupts, memory, and the sandbox."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from faulty.asked import ANSWERS
from faulty.cases import EVERYTHING, WHOLE, Case, crash, no_start, right
from faulty.observe import descriptors, faulty_target, objections, observe, processes, right_answers
from wireproof.suite import load_suite
from wireproof_harness.session import Settled, check
from wireproof_harness.supervisor import Fault, Job, Limits, Supervisor
from wireproof_harness.target import Manifest, Target
from wireproof_harness.transports.process import Command

BENCH = Path(__file__).parents[1] / "bench" / "faults.py"
HEAD = """
import json, os, sys, time
def say(number, **answer): os.write(1, json.dumps({"id": number, **answer}).encode() + b"\\n")
hello = json.loads(sys.stdin.buffer.readline())["id"]
say(hello, ok={"contract": 1, "name": "inline", "protocols": {}})
"""
ALL = "for line in sys.stdin.buffer: "
ECHO = 'say(json.loads(line)["id"], unsupported={"reason": "no"})'


@contextmanager
def supervised(program: str, **limits: Any) -> Iterator[Supervisor]:
    supervisor = Supervisor(Command([sys.executable, "-S", "-c", HEAD + program]), Limits()._replace(**limits))
    try:
        supervisor.start()
        yield supervisor
    finally:
        supervisor.close()


def jobs(count: int, content: str = "x") -> list[Job]:
    return [Job(f',"op":"{content}","n":{number}}}\n'.encode(), index=number) for number in range(count)]


def outcomes(supervisor: Supervisor, asked: list[Job]) -> dict[int, str]:
    """For each job what came of it; exactly one thing."""
    found = [(job.index, outcome) for job, outcome in supervisor.ask(asked)]
    assert sorted(index for index, _ in found) == [job.index for job in asked]
    return {index: outcome.status if isinstance(outcome, Fault) else outcome.form for index, outcome in found}


def test_a_request_may_be_overtaken_by_many_others() -> None:
    program = """
kept, count = None, 0
for line in sys.stdin.buffer:
    number = json.loads(line)["id"]
    if kept is None: kept = number; continue
    say(number, unsupported={"reason": "no"}); count += 1
    if count == 500: say(kept, unsupported={"reason": "late"})
"""
    with supervised(program) as supervisor:
        assert Counter(outcomes(supervisor, jobs(600)).values()) == {"unsupported": 600}
        assert supervisor.restarts == 0


def test_a_request_that_is_never_answered_does_not_wait_for_the_end() -> None:
    program = f"""
for line in sys.stdin.buffer:
    if b'"n":3}}' in line: continue
    time.sleep(0.002); {ECHO}
"""
    with supervised(program, timeout=0.5) as supervisor:
        found = outcomes(supervisor, jobs(1000))
        assert found.pop(3) == "timeout"
        assert Counter(found.values()) == {"unsupported": 999}


def test_a_slow_reader_is_not_a_silent_one() -> None:
    """2 MiB in more than the 2 s that it has: as long as bytes go, it may take longer."""
    program = """
while True:
    line = b""
    while not line.endswith(b"\\n"):
        line += os.read(0, 1 << 16)
        if len(line) > 1000: time.sleep(0.075)
    say(json.loads(line)["id"], unsupported={"reason": "no"})
"""
    with supervised(program, timeout=1) as supervisor:
        assert outcomes(supervisor, [Job(b',"op":"x","hex":"%s"}\n' % (b"0" * (2 << 20)))]) == {0: "unsupported"}


def test_large_requests_go_both_ways() -> None:
    program = 'for line in sys.stdin.buffer: say((a := json.loads(line))["id"], ok={"hex": a["hex"]})'
    large = [Job(b',"op":"x","hex":"%s"}\n' % (b"0" * (3 << 20)), index=number) for number in range(6)]
    with supervised(program, timeout=20) as supervisor:
        assert set(outcomes(supervisor, large).values()) == {"ok"}
        assert supervisor.restarts == 0


def test_each_crash_costs_one_question() -> None:
    program = f"""
for line in sys.stdin.buffer:
    if json.loads(line)["n"] in (0, 77, 78, 250, 299): os.abort()
    {ECHO}
"""
    with supervised(program) as supervisor:
        found = outcomes(supervisor, jobs(300))
        assert {index for index, status in found.items() if status == "crash"} == {0, 77, 78, 250, 299}
        assert Counter(found.values()) == {"crash": 5, "unsupported": 295}
        assert supervisor.restarts <= 3 * 5


def test_lost_time_ends_a_run() -> None:
    with supervised("time.sleep(3600)", timeout=0.2, lost=0.1) as supervisor:
        assert set(outcomes(supervisor, jobs(50)).values()) == {"timeout", "not-run"}
        assert "were lost to" in supervisor.stopped


class Interrupted(KeyboardInterrupt):
    pass


@pytest.mark.parametrize(
    "case", [Case("hangs on one"), Case("hello never"), Case("none", way="never comes")], ids=lambda case: case.fault
)
def test_an_interrupt_leaves_nothing(case: Case, tmp_path: Path) -> None:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupted

    (tmp_path / ANSWERS).write_bytes(right_answers(EVERYTHING))
    target = faulty_target(case._replace(timeout=60), tmp_path)
    if case.way:
        target = Target("waits", Manifest(command=["sleep", "99"], listen=f"unix://{tmp_path}/x"))
    before, running = descriptors(), processes(tmp_path)
    previous = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with pytest.raises(Interrupted):
            check(Settled(target=target, log=tmp_path / "log", selection=EVERYTHING), load_suite())
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert (descriptors(), processes(tmp_path)) == (before, running)


@pytest.mark.parametrize("fault", ["flood, no line", "flood, lines"])
def test_a_flood_is_not_kept(fault: str) -> None:
    """In a process of its own: only the most that one has ever held is known."""
    command = [sys.executable, str(BENCH), "--growth", fault]
    assert int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout) < 100


def test_protections_are_recorded(tmp_path: Path) -> None:
    run = observe(right("none", memory=256), load_suite(), tmp_path).run
    assert run is not None
    assert run.header.protections == {
        "process": "session of its own, orphans adopted",
        "limits": "core 0, file size 1 GiB, data",
        "memory": "watched, 256 MiB for all its processes",
        "sandbox": "none",
    }


@pytest.mark.requires("bwrap")
@pytest.mark.parametrize(
    "case",
    [
        right("none", way="dials", selection=WHOLE),
        right("daemon"),
        crash("segfault", "exit code 139"),
        crash("allocates in child", "MiB of memory", cause="memory", memory=256, timeout=10),
        no_start("starts once", "Read-only file system"),
    ],
    ids=lambda case: case.fault,
)
def test_in_the_sandbox(case: Case, tmp_path: Path) -> None:
    seen = observe(case._replace(sandbox=True), load_suite(), tmp_path)
    assert objections(case, seen) == []
    if seen.run is None:
        return
    network = "network" if case.way else "no network"
    assert seen.run.header.protections["sandbox"] == f"bubblewrap: read-only files, {network}"
