"""`wireproof corpus`: millions of generated frames, and what implementations make of them."""

from __future__ import annotations

import shlex
import time
from collections.abc import Container
from itertools import count
from typing import TYPE_CHECKING, Any, Final

import click

from wireproof.codec import PROTOCOLS
from wireproof.errors import WireproofError
from wireproof_harness.cli.options import colored
from wireproof_harness.terminal import Screen, clean
from wireproof_reports.cli.corpustold import checked_json, checked_lines, generated_lines, matrix_lines
from wireproof_reports.cli.onspark import Unworkable, form_option, on_spark, spark_options
from wireproof_reports.spark.session import SparkOptions

if TYPE_CHECKING:
    from wireproof_reports.corpus.settling import Implementation

COULD_NOT_START: Final = 3
INCOMPLETE: Final = 5
KINDS: Final = ("valid", "boundary", "mutated")


@click.group()
def corpus() -> None:
    """Make corpora of frames, and put them to implementations, with Spark.

    Runs on this machine with all its cores; --master spark://HOST:PORT (or any other
    address that Spark knows) runs the same on a cluster.
    """


@corpus.command()
@click.argument("out", metavar="DIR")
@click.option("--frames", "-n", type=click.IntRange(1), default=100_000, show_default=True, help="How many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Other frames for another seed.")
@click.option("--protocol", "protocols", multiple=True, type=click.Choice(PROTOCOLS), help="Only this one.")
@click.option("--direction", "directions", multiple=True, type=click.Choice(["c2s", "s2c"]), help="Only this one.")
@click.option("--message", "messages", multiple=True, metavar="NAME", help="Only this message.")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Only such frames.")
@click.option("--set", "assignments", multiple=True, metavar="PROTOCOL.NAME=VALUE", help="Declare a parameter.")
@click.option("--partitions", type=click.IntRange(0), default=0, help="Files to write; the frames stay the same.")
@click.option("--overwrite", is_flag=True, help="Replace what is there.")
@form_option
@spark_options
@colored
def generate(out: str, color: bool | None, spark: SparkOptions, form: str, **options: Any) -> None:
    """Generate frames into DIR: Parquet, each row with the reference's answer, and a manifest.

    Valid, boundary-biased and mutated frames of every codec, message by message; a mutated
    frame names the clause it breaks. The same seed gives the same frames, whatever the
    number of partitions, cores and machines.

    \b
    wireproof corpus generate frames -n 1000000
    wireproof corpus generate frames -n 1000000 --protocol comet --kind mutated --seed 7
    """
    import msgspec

    from wireproof_harness.cli.check import declared
    from wireproof_reports.corpus.recipe import recipe

    try:
        wanted = recipe(
            options["frames"],
            options["seed"],
            protocols=options["protocols"],
            directions=options["directions"],
            profiles=declared(options["assignments"]),
            messages=options["messages"],
            kinds_of_frames=options["kinds"],
        )
    except WireproofError as problem:
        raise click.UsageError(str(problem)) from None
    with on_spark(spark, "generating") as (session, _):
        from wireproof_reports.corpus.generate import generate as made
        from wireproof_reports.corpus.store import vacant

        start = time.monotonic()
        vacant(session, out, overwrite=options["overwrite"])
        manifest = made(session, wanted, out, options["partitions"])
        seconds = time.monotonic() - start
    screen = Screen(color)
    if form == "json":
        screen.json({**msgspec.to_builtins(manifest), "seconds": round(seconds, 3)})
    else:
        screen.lines(generated_lines(manifest, out, seconds))


@corpus.command()
@click.argument("path", metavar="DIR")
@form_option
@spark_options
@colored
@click.pass_context
def matrix(ctx: click.Context, path: str, color: bool | None, spark: SparkOptions, form: str) -> None:
    """Decode every frame with the reference, and count by message and error.

    Exit code: 0 every frame was decoded, 2 usage, 5 some could not be read.
    """
    with on_spark(spark, "decoding") as (session, _):
        from wireproof_reports.corpus.matrix import counted
        from wireproof_reports.corpus.store import open_corpus

        start = time.monotonic()
        rows, opened = counted(session, open_corpus(session, path))
        seconds = time.monotonic() - start
    screen = Screen(color)
    if form == "json":
        for row in rows:
            screen.json(row)
    else:
        screen.lines(matrix_lines(rows, opened.manifest.frames, seconds))
    _complain_of(opened.unreadable)
    ctx.exit(0 if sum(row["frames"] for row in rows) == opened.manifest.frames else INCOMPLETE)


@corpus.command()
@click.argument("path", metavar="DIR")
@click.option("--impl", "implementations", multiple=True, required=True, metavar="[NAME=]IMPL", help="Whom to ask.")
@click.option("--out", default=".wireproof/corpus-check", show_default=True, metavar="DIR", help="For the results.")
@click.option("--overwrite", is_flag=True, help="Begin anew where another or an interrupted check is.")
@click.option("--show", "shown", type=click.IntRange(0), default=5, show_default=True, help="Disagreements to show.")
@click.option(
    "--timeout-scale", "scale", type=click.FloatRange(0, min_open=True), default=1.0, help="Multiply deadlines."
)
@click.option("--sandbox", is_flag=True, help="Inside bubblewrap: read-only files, no network.")
@form_option
@spark_options
@colored
@click.pass_context
def check(ctx: click.Context, /, path: str, color: bool | None, spark: SparkOptions, form: str, **options: Any) -> None:
    """Put every frame of a corpus to implementations, and say who differs from the reference.

    IMPL is what `wireproof check` takes: a command in quotes, a manifest, an address, or
    `reference`; NAME= gives it a short name. Each of Spark's tasks starts one of its own.
    The same command goes on with a check that was interrupted, and asks anew after one
    that was finished.

    \b
    wireproof corpus check frames --impl "node adapter.mjs" --impl old=./old-adapter

    Exit code: 0 all agree, 1 they do not, 2 usage, 3 could not start, 4 Spark
    failed, 5 incomplete, 130 interrupted.
    """
    asked = _implementations(options["implementations"])
    kept = ""

    def told(part: int, parts: int) -> None:
        nonlocal kept
        kept = f"What was asked is kept in {out}: the same command goes on."
        bar.say("asking", part, parts)

    out = options["out"]
    try:
        with on_spark(spark, "reading the corpus") as (session, bar):
            from wireproof_reports.corpus.checking import check as asked_all
            from wireproof_reports.corpus.damage import without_damage
            from wireproof_reports.corpus.outcome import added_up
            from wireproof_reports.corpus.settling import clear
            from wireproof_reports.corpus.store import open_corpus

            opened = without_damage(session, open_corpus(session, path))
            if options["overwrite"]:
                clear(session, out)
            scale, sandbox = options["scale"], options["sandbox"]
            done = asked_all(session, opened, asked, out, scale=scale, sandbox=sandbox, progress=told)
            bar.say("adding up")
            outcome = added_up(session, opened, done, out, options["shown"])
    except (KeyboardInterrupt, Unworkable):
        if kept:
            click.echo(kept, err=True)
        raise
    screen = Screen(color)
    if form == "json":
        screen.json(checked_json(outcome))
    else:
        screen.lines(checked_lines(outcome, out, screen.width))
    _complain_of(opened.unreadable)
    ctx.exit(outcome.exit_code)


class CouldNotStart(click.ClickException):
    """An implementation that does not answer here would not answer on a worker either."""

    exit_code = COULD_NOT_START


def _implementations(named: tuple[str, ...]) -> list[Implementation]:
    """Who is named, each tried once, so that a misspelt command is told before anything else happens."""
    from wireproof_harness.claims import BadClaims
    from wireproof_harness.target import target
    from wireproof_harness.transports.connection import CannotStart
    from wireproof_reports.corpus.settling import Implementation

    found: dict[str, Implementation] = {}
    for text in named:
        name, equals, rest = text.partition("=")
        if not equals or not name.replace("-", "").replace("_", "").isalnum():
            name, rest = "", text
        try:
            asked = target((rest,))
            asker = asked.open()
            try:
                claims = asker.start()
            finally:
                asker.close()
        except (CannotStart, BadClaims) as problem:
            raise CouldNotStart(f"{rest}: {problem}") from None
        except WireproofError as problem:
            raise click.UsageError(str(problem)) from None
        if name in found:
            raise click.UsageError(f"two implementations are called {name}: give them names of their own")
        name = name or _unique(claims.name, found)
        found[name] = Implementation(name, asked, claims)
    return list(found.values())


def _unique(name: str, taken: Container[str]) -> str:
    """What an implementation calls itself; others may call themselves so too."""
    return next(each for number in count(1) if (each := name if number == 1 else f"{name} {number}") not in taken)


def _complain_of(unreadable: dict[str, str]) -> None:
    for file, reason in unreadable.items():
        click.echo(clean(f"NOT READ: {shlex.quote(file)}: {reason}"), err=True)
