"""What implementations that misbehave cost: every fault testee is checked, and what it leaves is counted.

make faults                  all of them
make faults ARGS=segfault    those with this word in their name
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "tests"))

from faulty.cases import CASES, Case, no_start, right  # noqa: E402
from faulty.observe import Observed, objections, observe  # noqa: E402
from wireproof.suite import load_suite  # noqa: E402
from wireproof_harness.supervisor import Fault, Job, Limits, Supervisor  # noqa: E402
from wireproof_harness.transports.process import Command  # noqa: E402

MOST_MEMORY = 100
"""MiB by which a flood may make the harness grow."""
FLOODS = ("flood, no line", "flood, lines", "flood, stderr", "100 MB line", "hello flood")
MOST_PER_CRASH = 200
"""Milliseconds that a crash may cost, the start of the implementation not counted."""
CRASHES = 40
BETWEEN = 250
"""Questions from one crash to the next."""


def observed(case: Case) -> Observed:
    with tempfile.TemporaryDirectory() as folder:
        return observe(case, load_suite(), Path(folder))


def came(seen: Observed) -> str:
    if seen.run is None:
        return "could not start"
    return f"{seen.victim.status} {seen.victim.cause}".strip()


def row(case: Case, seen: Observed, usual: float, start: float) -> str:
    """Beyond the deadlines: less the time of a run without faults, and of one more start for each restart."""
    footer = seen.run.footer if seen.run else None
    restarts = footer.restarts if footer else 0
    over = max(0.0, seen.seconds - case.allowed - usual - start * restarts)
    verdict = footer.verdict if footer else "cannot start"
    return (
        f"{case.fault + ' ' + case.way:<32}{came(seen):<26}{verdict:<18}{seen.exit_code:>4}{restarts:>9}"
        f"{seen.seconds:>9.2f}{over:>8.2f}{len(seen.processes):>11}{len(seen.descriptors):>8}"
    )


def table(word: str) -> bool:
    """One line for each fault; whether all are as they must be."""
    usual = statistics.median(observed(right("none")).seconds for _ in range(3))
    start = statistics.median(observed(no_start("other contract", "")).seconds for _ in range(3))
    print(
        f"A run without faults takes {usual:.2f} s, {start:.2f} of that to start; `over` is beyond that and deadlines."
    )
    print("What does not end with its input is given 1 s to go; a flood takes as long as it is wide.\n")
    print(
        f"{'fault':<32}{'the question concerned':<26}{'run':<18}{'exit':>4}{'restarts':>9}"
        f"{'seconds':>9}{'over':>8}{'processes':>11}{'files':>8}"
    )
    good = True
    for case in (case for case in CASES if word in f"{case.fault} {case.way}"):
        seen = observed(case)
        print(row(case, seen, usual, start), flush=True)
        for objection in objections(case, seen):
            good = False
            print(f"    {objection}", flush=True)
    return good


def growth(fault: str) -> int:
    """MiB by which this process has never been larger than over a fault. Meant for a process that does nothing else."""
    (case,) = (case for case in CASES if case.fault == fault)
    observed(right("none"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    observed(case)
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) >> 10


def growth_apart(fault: str) -> int:
    command = [sys.executable, __file__, "--growth", fault]
    return int(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)


def asked(program: Path, crash: bytes) -> float:
    """Seconds to ask everything; now and then comes the request given."""
    supervisor = Supervisor(Command([str(program)], memory=1 << 30), Limits())
    supervisor.start()
    plain = b',"op":"plain"}\n'
    jobs = [Job(plain if number % BETWEEN else crash) for number in range(1, CRASHES * BETWEEN + 1)]
    start = time.perf_counter()
    faults = sum(isinstance(outcome, Fault) for _, outcome in supervisor.ask(jobs))
    seconds = time.perf_counter() - start
    supervisor.close()
    assert faults == (CRASHES if crash != plain else 0)
    return seconds


def cost_of_a_crash() -> float:
    """Milliseconds, with an implementation in C that starts at once."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "crashing"
        subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "crashing.c")], check=True)
        without = asked(program, b',"op":"plain"}\n')
        return 1000 * (asked(program, b',"op":"crash"}\n') - without) / CRASHES


def within(what: str, found: float, most: float, unit: str) -> bool:
    print(f"{what:<58}{found:>8.1f} {unit} (at most {most:.0f})", flush=True)
    return found <= most


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("word", nargs="?", default="", help="only faults with this in their name")
    parser.add_argument("--growth", metavar="FAULT", help="print by how many MiB the harness grows over a fault")
    chosen = parser.parse_args()
    if chosen.growth:
        print(growth(chosen.growth))
        return 0
    good = table(chosen.word)
    print()
    for fault in (case.fault for case in CASES if case.fault in FLOODS and chosen.word in case.fault):
        good &= within(f"the harness grows over {fault!r} by", growth_apart(fault), MOST_MEMORY, "MiB")
    good &= within("a crash is noticed, attributed and gone on from in", cost_of_a_crash(), MOST_PER_CRASH, "ms")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
