"""`wireproof compare`: several implementations, the same questions."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

import click

from wireproof import PROTOCOLS, WireproofError
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.compared import Result, legend, named, show, summary
from wireproof_harness.cli.comparedjson import as_json as report
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.compare import Implementation, compare, exchange, implementation
from wireproof_harness.target import BadTarget, target
from wireproof_harness.terminal import Screen, clean

COULD_NOT_ASK: Final = 3
REFERENCE: Final = "reference"
MOST: Final = 26


@click.command("compare")
@click.argument("texts", metavar="IMPL [IMPL ...]", nargs=-1, required=True)
@click.option("--protocol", "protocols", multiple=True, type=click.Choice(PROTOCOLS), help="Only this one; may recur.")
@click.option("--frames", type=click.IntRange(1), default=20_000, show_default=True, help="Frames for each protocol.")
@click.option("--values", type=click.IntRange(0), help="Values for the exchange: a tenth of the frames; 0 for none.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed asks the same questions.")
@click.option("--no-reference", is_flag=True, help="Leave the bundled reference out.")
@as_json
@colored
@click.pass_context
def compare_command(
    ctx: click.Context,
    texts: tuple[str, ...],
    protocols: tuple[str, ...],
    frames: int,
    values: int | None,
    seed: int,
    no_reference: bool,
    as_json: bool,
    color: bool | None,
) -> None:
    """Ask several implementations the same generated questions and show who differs from whom.

    IMPL is `reference`, a command that starts an adapter, a manifest (mine.toml),
    tcp://HOST:PORT or unix:///PATH. The bundled reference is always one of them, unless
    --no-reference leaves it out. Frames are valid, at boundaries, mutated in structure and
    in bytes, concatenated, cut short and random, under `standard` and other profiles; each
    is asked whole and in pieces, values are asked for their bytes. Then each writes sample
    values and all others read them. What differs is made as small as possible.

    \b
    wireproof compare "node harness/kits/reference-js/adapter.mjs" --protocol comet
    wireproof compare mine.toml "python3 theirs.py" tcp://127.0.0.1:9000

    Exit code: 0 all agree, 1 differences, 2 usage, 3 an implementation could not be asked.
    """
    names = _names(texts, no_reference)
    screen = Screen(color)
    try:
        with ExitStack() as stack:
            voices = [_open(name, stack) for name in names]
            count = frames // 10 if values is None else values
            results = [_one(voices, name, frames, count, seed) for name in protocols or PROTOCOLS]
    except WireproofError as problem:
        for number, line in enumerate(str(problem).splitlines()):
            click.echo(("" if number else "Error: ") + clean(line), err=True)
        ctx.exit(COULD_NOT_ASK)
    people = [named(place, name, voice.claims) for place, (name, voice) in enumerate(zip(names, voices, strict=True))]
    if as_json:
        screen.json(report(people, results, seed))
    else:
        screen.lines(legend(people, screen.width))
        for result in results:
            show(screen, result, people)
        screen.lines(summary(people, results))
    ctx.exit(_code(results, len(names)))


def _names(texts: tuple[str, ...], no_reference: bool) -> list[str]:
    """Who is to be asked: the reference first, unless it is named at another place or left out."""
    names = list(texts)
    if no_reference and REFERENCE in names:
        raise click.UsageError("reference is named, and left out with --no-reference: say one of the two")
    if not no_reference and REFERENCE not in names:
        names.insert(0, REFERENCE)
    if not 2 <= len(names) <= MOST:
        raise click.UsageError(f"name 2 to {MOST} implementations to be compared, the reference included")
    for name in names:
        try:
            target((name,))
        except BadTarget as problem:
            raise click.UsageError(str(problem)) from None
    return names


def _open(name: str, stack: ExitStack) -> Implementation:
    try:
        found = implementation(name)
    except WireproofError as problem:
        raise WireproofError(f"{name}: {problem}\nwireproof doctor says what is wrong with an adapter.") from None
    stack.callback(found.close)
    return found


def _one(voices: list[Implementation], name: str, frames: int, values: int, seed: int) -> Result:
    with _Progress(name, frames, "frames") as progress:
        compared = compare(voices, name, frames=frames, seed=seed, progress=progress)
    compared.seconds = progress.seconds
    with _Progress(name, values, "values exchanged") as progress:
        exchanged = exchange(voices, name, values=values, seed=seed, progress=progress)
    exchanged.seconds = progress.seconds
    return Result(compared, exchanged)


class _Progress:
    """A line on a terminal that says how far it is; nothing where nobody looks."""

    def __init__(self, protocol: str, planned: int, what: str) -> None:
        self.protocol, self.planned, self.what = protocol, planned, what
        self.write: Callable[[str], None] = _to_terminal if sys.stderr.isatty() else _nowhere
        self.start = time.monotonic()
        self.seconds = 0.0

    def __enter__(self) -> _Progress:
        return self

    def __call__(self, done: int) -> None:
        rate = done / max(time.monotonic() - self.start, 0.001)
        self.write(f"\r{self.protocol}: {done:,} of {self.planned:,} {self.what}, {rate:,.0f}/s ")

    def __exit__(self, *_: object) -> None:
        self.seconds = time.monotonic() - self.start
        self.write("\r\x1b[K")


def _to_terminal(text: str) -> None:
    click.echo(text, nl=False, err=True)


def _nowhere(text: str) -> None:
    pass


def _code(results: list[Result], voices: int) -> int:
    if any(result.differs for result in results):
        return REJECTED
    compared = {place for result in results for place in result.compared_places}
    stopped = any(result.stopped for result in results)
    return COULD_NOT_ASK if stopped or len(compared) < voices else 0
