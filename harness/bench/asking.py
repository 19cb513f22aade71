"""How fast the whole path is: ask, judge, log. Ratios in one run, since machines differ and are shared.

make bench-harness                 the C testee, against a process for each request
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
from wireproof.verdict import questions
from wireproof_harness import jsonlines
from wireproof_harness.contract import full_line, hello_end, line_end, line_start, probe_end
from wireproof_harness.plan import Plan, Planned
from wireproof_harness.reference import answer_line
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
LONGEST = 256
"""Bytes of the inputs that are asked about: those that are cut at every byte."""


def built(folder: Path) -> str:
    """The C testee, compiled."""
    program = folder / "echo"
    subprocess.run(["cc", "-O2", "-o", str(program), str(HERE / "echo.c")], check=True)
    return str(program)


def short_vectors() -> list[Planned]:
    """Every way of asking about every vector with a short input."""
    vectors = [vector for vector in load_suite().vectors if vector.hex is not None and vector.size <= LONGEST]
    return [Planned(question) for vector in vectors for question in questions(vector)]


def lines_of(planned: list[Planned]) -> list[bytes]:
    """The requests of a run, from behind their ids, in the order in which they are sent."""
    asked = [
        line_end(request, line_start(each.question.vector)) for each in planned for request in each.question.requests()
    ]
    return [hello_end(), probe_end(), *asked]


def answers_to(lines: list[bytes], path: Path) -> None:
    """What the reference answers, for the C testee to read off."""
    with path.open("wb") as file:
        for line in lines:
            answer = jsonlines.dump(answer_line(full_line(0, line)))
            file.write(answer.removeprefix(b'{"id":0,'))


def whole_path(program: str, folder: Path, planned: list[Planned]) -> float:
    """Requests a second."""
    supervisor = Supervisor(Command([program, str(folder / "answers")], memory=1 << 30), Limits())
    claims = supervisor.start()
    log = Log(folder / "log.jsonl")
    runner = Runner(Plan(planned, {}), supervisor, claims, log)
    start = time.perf_counter()
    runner.run()
    log.close()
    seconds = time.perf_counter() - start
    supervisor.close()
    assert runner.counts == {"pass": len(planned) + 1}, runner.counts
    return sum(verdict.requests for verdict in runner.verdicts) / seconds


def process_each(program: str, folder: Path, number: int) -> float:
    """Requests a second with a process started for each."""
    hello = full_line(0, hello_end())
    start = time.perf_counter()
    for _ in range(number):
        command = [program, str(folder / "answers")]
        done = subprocess.run(command, input=hello + full_line(1, probe_end()), capture_output=True, check=True)
        assert "unsupported" in json.loads(done.stdout.splitlines()[1])
    return number / (time.perf_counter() - start)


def bare_loop(program: str, folder: Path, lines: list[bytes]) -> float:
    """What the machine allows: the same lines in a window of 64, each answer parsed, and nothing else done."""
    parse = msgspec.json.Decoder().decode
    command = [program, str(folder / "answers")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin
        assert process.stdout
        asked = answered = 0
        rest = b""
        start = time.perf_counter()
        while answered < len(lines):
            block = lines[asked : answered + 64]
            process.stdin.write(b"".join([full_line(asked + place, end) for place, end in enumerate(block)]))
            asked += len(block)
            *found, rest = (rest + process.stdout.read(1 << 16)).split(b"\n")
            for line in found:
                parse(line)
            answered += len(found)
        rate = len(lines) / (time.perf_counter() - start)
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
    parser.add_argument("--suite", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = built(folder)
        planned = short_vectors()
        lines = lines_of(planned)
        answers_to(lines, folder / "answers")
        bare = bare_loop(program, folder, lines)
        rate = whole_path(program, folder, planned)
        alone = process_each(program, folder, 500)
        print(f"{len(planned):,} questions about {LONGEST} bytes or less, {len(lines):,} requests, to a C testee")
        print(f"64 in flight, parsed, nothing else {bare:>10,.0f}/s")
        print(f"ask, judge and log                 {rate:>10,.0f}/s   wanted {WANTED_RATE:,}")
        print(f"a process for each request         {alone:>10,.0f}/s")
        print(f"whole path / process for each      {rate / alone:>10.1f}     wanted {WANTED_RATIO}")
        verdicts = rate * len(planned) / len(lines)
        print(
            f"questions with a verdict each      {verdicts:>10,.0f}/s   {len(lines) / len(planned):.1f} requests each"
        )
        if chosen.suite:
            seconds = suite_against_javascript(folder)
            print(f"whole suite against JavaScript     {seconds:>10.1f} s   wanted {WANTED_SECONDS}")


if __name__ == "__main__":
    main()
