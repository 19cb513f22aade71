"""`wireproof compare`: two implementations, the same questions."""

from __future__ import annotations

import shlex
import sys
import time
from typing import Any

import click

from wireproof import PROTOCOLS, WireproofError, codec
from wireproof.annotate import annotate
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.dump import dump
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.compare import Comparison, Difference, compare, implementation
from wireproof_harness.terminal import Screen, Segment, clean, json_line

COULD_NOT_START = 3
SHOWN = 10


@click.command("compare")
@click.argument("first", metavar="IMPL_A")
@click.argument("second", metavar="IMPL_B")
@click.option("--protocol", "protocols", multiple=True, type=click.Choice(PROTOCOLS), help="Only this one; may recur.")
@click.option("--frames", type=click.IntRange(1), default=20_000, show_default=True, help="Frames for each protocol.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed asks the same questions.")
@as_json
@colored
@click.pass_context
def compare_command(
    ctx: click.Context,
    first: str,
    second: str,
    protocols: tuple[str, ...],
    frames: int,
    seed: int,
    as_json: bool,
    color: bool | None,
) -> None:
    """Ask two implementations the same generated questions and show where they differ.

    IMPL is `reference`, or a command that starts an adapter. Frames are valid, at
    boundaries, mutated in structure and in bytes, concatenated, cut short and random,
    under `standard` and other profiles; each is asked whole and in pieces, values are
    asked for their bytes. What differs is made as small as possible.

    \b
    wireproof compare reference "node harness/kits/reference-js/adapter.mjs"

    Exit code: 0 no difference, 1 differences, 3 an implementation could not be asked.
    """
    screen = Screen(color)
    try:
        results = _run(first, second, protocols or PROTOCOLS, frames, seed)
    except WireproofError as problem:
        click.echo(f"Error: {clean(str(problem))}", err=True)
        ctx.exit(COULD_NOT_START)
    if as_json:
        screen.json([_as_json(result) for result in results])
    else:
        for result in results:
            _show(screen, result, first, second)
    ctx.exit(REJECTED if any(result.differences for result in results) else 0)


def _run(first: str, second: str, protocols: tuple[str, ...], frames: int, seed: int) -> list[Comparison]:
    a = implementation(first)
    try:
        b = implementation(second)
        try:
            return [_one(a, b, name, frames, seed) for name in protocols]
        finally:
            b.close()
    finally:
        a.close()


def _one(a: Any, b: Any, name: str, frames: int, seed: int) -> Comparison:
    start = time.monotonic()

    def progress(done: int) -> None:
        if sys.stderr.isatty():
            rate = done / max(time.monotonic() - start, 0.001)
            click.echo(f"\r{name}: {done:,} of {frames:,} frames, {rate:,.0f}/s ", nl=False, err=True)

    result = compare(a, b, name, frames=frames, seed=seed, progress=progress)
    result.seconds = time.monotonic() - start
    if sys.stderr.isatty():
        click.echo("\r\x1b[K", nl=False, err=True)
    return result


def _show(screen: Screen, result: Comparison, first: str, second: str) -> None:
    role = "fault" if result.differences else "good"
    count = f"{result.differing:,} differences" if result.differences else "no difference"
    asked = f"{result.frames:,} frames, {result.questions:,} questions, {result.seconds:.0f} s"
    screen.line(Segment(f"{result.protocol:<11}", "heading"), Segment(f"{asked}: "), Segment(count, role))
    answers = ", ".join(f"{name} {times:,}" for name, times in result.outcomes.most_common())
    screen.line(Segment(f"  {answers}", "label"))
    if result.not_asked:
        missing = ", ".join(result.not_asked)
        screen.line(Segment(f"  not asked, since one of the two does not claim it: {missing}", "fault"))
    if result.unsupported:
        screen.line(Segment(f"  {result.unsupported:,} questions were answered unsupported and not compared", "fault"))
    for difference in sorted(result.differences.values(), key=lambda found: -found.count)[:SHOWN]:
        screen.line()
        _show_difference(screen, difference, first, second)
    if len(result.differences) > SHOWN:
        screen.line(Segment(f"... and {len(result.differences) - SHOWN} more kinds: --json shows all", "label"))


def _show_difference(screen: Screen, difference: Difference, first: str, second: str) -> None:
    question = difference.question
    times = "once" if difference.count == 1 else f"{difference.count:,} times"
    screen.line(Segment(f"  {difference.kind}", "fault"), Segment(f"  {times}", "label"))
    data = _bytes(question)
    if data is not None:
        found = codec(
            question["protocol"], direction=question.get("direction"), profile=question.get("profile") or None
        )
        screen.lines(dump(data, annotate(found, found.trace(data)), screen.width))
    screen.line(Segment("  question  ", "label"), Segment(_line(question)))
    for name, answer in zip((first, second), difference.answers, strict=True):
        screen.line(Segment(f"  {name}  ", "label"), Segment(_line(answer)))
    for name in (first, second):
        adapter = f"{sys.executable} -m wireproof_harness.reference" if name == "reference" else name
        screen.line(Segment(f"  again: echo {shlex.quote(_line(question))} | {adapter}", "label"))


def _bytes(question: dict[str, Any]) -> bytes | None:
    if question["op"] == "encode":
        return None
    return bytes.fromhex(question.get("hex", "".join(question.get("chunks", ()))))


def _line(value: Any) -> str:
    return json_line(value, "ascii")


def _as_json(result: Comparison) -> dict[str, Any]:
    return {
        "protocol": result.protocol,
        "frames": result.frames,
        "questions": result.questions,
        "seconds": round(result.seconds, 1),
        "not_asked": result.not_asked,
        "unsupported": result.unsupported,
        "answers": dict(result.outcomes),
        "differences": [
            {"kind": found.kind, "count": found.count, "question": found.question, "answers": list(found.answers)}
            for found in result.differences.values()
        ],
    }
