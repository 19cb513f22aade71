"""How fast the whole path is: ask, judge, log. Ratios in one run, since machines differ and are shared.

make bench-harness                 the C testee, against a process for each question
make bench-harness ARGS=--suite    and the whole suite, all modes, against the JavaScript implementation
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import time
from pathlib import Path

import msgspec

from wireproof.suite import load_suite
from wireproof.verdict import Question
from wireproof_harness.contract import full_line, hello_end, line_end, line_start
from wireproof_harness.plan import Plan, Planned
from wireproof_harness.results import Log
from wireproof_harness.runner import Runner
from wireproof_harness.session import Settled, check
from wireproof_harness.supervisor import Limits, Supervisor
from wireproof_harness.target import target
from wireproof_harness.transports.process import Command

HERE = Path(__file__).parent
JAVASCRIPT = HERE.parent / "kits" / "reference-js" / "adapter.mjs"
WANTED_RATE = 100_000
WANTED_RATIO = 60
WANTED_SECONDS = 5


def built(folder: Path) -> str:
    """The C testee, compiled."""
    program = folder / "echo"
    subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "echo.c")], check=True)
    return str(program)


def heartbeat() -> Question:
    found = next(vector for vector in load_suite().vectors if vector.hex and vector.data == bytes.fromhex("000106"))
    return Question(found, "decode")


def whole_path(program: str, folder: Path, number: int) -> float:
    """Questions a second."""
    supervisor = Supervisor(Command([program], memory=1 << 30), Limits())
    claims = supervisor.start()
    vector = heartbeat().vector
    copies = [Question(msgspec.structs.replace(vector), "decode") for _ in range(number)]  # nothing is judged twice
    assert all(question.vector.data for question in copies)  # reading the hex of a file is not part of asking
    plan = Plan([Planned(question) for question in copies], {})
    log = Log(folder / "log.jsonl")
    runner = Runner(plan, supervisor, claims, log)
    start = time.perf_counter()
    runner.run()
    log.close()
    seconds = time.perf_counter() - start
    supervisor.close()
    assert runner.counts == {"pass": number + 1}, runner.counts
    return number / seconds


def process_each(program: str, number: int) -> float:
    """Questions a second with a process started for each."""
    question = heartbeat()
    request = full_line(1, line_end(next(question.requests()), line_start(question.vector)))
    start = time.perf_counter()
    for _ in range(number):
        done = subprocess.run([program], input=full_line(0, hello_end()) + request, capture_output=True, check=True)
        assert json.loads(done.stdout.splitlines()[1])["ok"]["consumed"] == 3
    return number / (time.perf_counter() - start)


def bare_loop(program: str, number: int) -> float:
    """What the machine allows: the same lines in a window of 64, each answer parsed, and nothing else done."""
    question = heartbeat()
    end = line_end(next(question.requests()), line_start(question.vector))
    parse = msgspec.json.Decoder().decode
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin
        assert process.stdout
        asked = answered = 0
        rest = b""
        start = time.perf_counter()
        while answered < number:
            block = [full_line(asked + place, end) for place in range(min(64 - asked + answered, number - asked))]
            asked += len(block)
            process.stdin.write(b"".join(block))
            *lines, rest = (rest + process.stdout.read(1 << 16)).split(b"\n")
            for line in lines:
                parse(line)
            answered += len(lines)
        rate = number / (time.perf_counter() - start)
        process.stdin.close()
    return rate


def suite_against_javascript(folder: Path) -> float:
    """Seconds for everything."""
    settled = Settled(target=target(["node", str(JAVASCRIPT)]), log=folder / "js.jsonl")
    suite = load_suite()
    start = time.perf_counter()
    run = check(settled, suite)
    seconds = time.perf_counter() - start
    assert run.footer is not None
    assert run.footer.exit_code == 0, run.footer
    print(f"  {run.header.planned:,} questions, {sum(verdict.requests for verdict in run.verdicts):,} requests")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=200_000)
    parser.add_argument("--suite", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = built(folder)
        bare = bare_loop(program, chosen.number)
        rate = whole_path(program, folder, chosen.number)
        alone = process_each(program, 500)
        print(f"64 in flight, parsed, nothing else {bare:>10,.0f}/s")
        print(f"ask, judge and log                 {rate:>10,.0f}/s   wanted {WANTED_RATE:,}")
        print(f"a process for each question        {alone:>10,.0f}/s")
        print(f"whole path / process for each      {rate / alone:>10.1f}     wanted {WANTED_RATIO}")
        if chosen.suite:
            seconds = suite_against_javascript(folder)
            print(f"whole suite against JavaScript     {seconds:>10.1f} s   wanted {WANTED_SECONDS}")


if __name__ == "__main__":
    main()
