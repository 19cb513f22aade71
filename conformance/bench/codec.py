"""The codec benchmark: wireproof against hand-written code and against construct.

Ratios are how many times as long as wireproof a contender takes; all take turns in one
run, so that they hold on a noisy machine too. The command fails if a target is missed:
hand-written code at least 1.0, construct at least 15.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import msgspec

# The modules of this folder are `bench.<name>`: the folder it stands in has to be on the path.
sys.path.insert(0, str(Path(__file__).parents[1]))

from bench.agreement import Disagreement, agree, agree_on_faults
from bench.contenders import Construct, construct, handwritten
from bench.measure import AT_LEAST, BY_HAND, COMPILED, PLAIN, Row, measure
from bench.workloads import Workload, workloads
from wireproof import PROTOCOLS

ROUNDS, QUICK_ROUNDS = 150, 15
HEADINGS = ("codec", "operation", "bytes", "messages/s", "vs by hand", "vs construct", "vs compiled", "verdict")
LINE = "{:<15} {:<9} {:>6} {:>11} {:>10} {:>12} {:>11}  {}"


def main() -> int:
    options = arguments()
    chosen = [workload for workload in workloads() if workload.protocol in options.codecs]
    rows: list[Row] = []
    notes: dict[str, list[str]] = {}
    print(LINE.format(*HEADINGS))
    try:
        for workload in chosen:
            built = construct(workload)
            notes[workload.protocol] = built.interpreted
            rows += run(workload, built, QUICK_ROUNDS if options.quick else ROUNDS)
    except Disagreement as problem:
        print(f"The contenders differ, so nothing was compared: {problem}", file=sys.stderr)
        return 2
    if options.json:
        options.json.write_bytes(msgspec.json.format(msgspec.json.encode(figures(rows))) + b"\n")
    return conclude(rows, notes)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bench-codec", description=__doc__)
    parser.add_argument("codecs", nargs="*", metavar="codec", help=f"all, or some of {', '.join(PROTOCOLS)}")
    parser.add_argument("--quick", action="store_true", help="fewer rounds: some seconds, rougher figures")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to FILE as JSON")
    options = parser.parse_args()
    unknown = set(options.codecs) - set(PROTOCOLS)
    if unknown:
        parser.error(f"there is no codec {', '.join(sorted(unknown))}; there are {', '.join(PROTOCOLS)}")
    options.codecs = options.codecs or list(PROTOCOLS)
    return options


def run(workload: Workload, built: Construct, rounds: int) -> list[Row]:
    hand = handwritten(workload)
    progress(f"{workload.title}: comparing answers")
    agree(workload, hand, built)
    agree_on_faults(workload, hand)
    rows = []
    progress(f"{workload.title}: measuring")
    for row in measure(workload, hand, built, rounds):
        progress("")
        print(line_of(row), flush=True)
        rows.append(row)
        progress(f"{workload.title}: measuring")
    progress("")
    return rows


def progress(text: str) -> None:
    """What is being done, on one line of its own that does not stay."""
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
    elif text:
        print(text, file=sys.stderr, flush=True)


def line_of(row: Row) -> str:
    ratios = [row.ratio(name) for name in (BY_HAND, PLAIN, COMPILED)]
    shown = ["-" if ratio is None else f"{ratio:.2f}" for ratio in ratios]
    return LINE.format(
        row.workload, row.operation, f"{row.bytes_a_message:.0f}", f"{row.rate:,.0f}", *shown, verdict(row)
    )


def verdict(row: Row) -> str:
    if len(row.seconds) == 1:
        return "for information"
    return "too slow: " + ", ".join(f"{name} below {AT_LEAST[name]:g}" for name in row.misses) if row.misses else "ok"


def figures(rows: list[Row]) -> list[dict[str, object]]:
    return [
        {
            **msgspec.to_builtins(row),
            "messages_per_second": row.rate,
            "ratios": {name: row.ratio(name) for name in row.seconds},
            "verdict": verdict(row),
        }
        for row in rows
    ]


def conclude(rows: list[Row], notes: dict[str, list[str]]) -> int:
    print("\nWhat construct cannot compile, so that its compiled form calls the interpreted one:")
    for protocol, kinds in notes.items():
        print(f"  {protocol}: {', '.join(kinds)}")
    missed = [f"{row.workload} {row.operation}" for row in rows if row.misses]
    targets = " and ".join(f"{least:g} times {name}" for name, least in AT_LEAST.items())
    if missed:
        print(f"\nTarget missed ({targets}) by {', '.join(missed)}.")
        return 1
    print(f"\nAll targets hold: at least {targets}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
