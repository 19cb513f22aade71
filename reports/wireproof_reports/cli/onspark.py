"""What the commands that run on Spark share: options, a session with a bar, and failures told in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from wireproof.errors import WireproofError
from wireproof_harness.cli.options import Command
from wireproof_reports.spark.session import LOCAL, SparkOptions

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.spark.bar import Teller

PRETTY: Final = "pretty"
form_option = click.option(
    "--format", "form", type=click.Choice([PRETTY, "json"]), default=PRETTY, show_default=True, help="How to tell it."
)


def spark_options(command: Command) -> Command:
    """--master and --conf; the command gets them as `spark`."""

    def settled(ctx: click.Context, _: click.Parameter, values: tuple[str, ...]) -> SparkOptions:
        pairs = [value.partition("=") for value in values]
        for key, equals, _value in pairs:
            if not equals or not key.startswith("spark."):
                raise click.UsageError(f"write --conf spark.KEY=VALUE, not {key}{equals}{_value}", ctx)
        return SparkOptions(ctx.params.pop("master"), tuple((key, value) for key, _, value in pairs))

    command = click.option(
        "--conf", "spark", multiple=True, metavar="KEY=VALUE", callback=settled, help="A setting of Spark."
    )(command)
    return click.option(
        "--master", default=LOCAL, show_default=True, metavar="URL", is_eager=True, help="Where Spark runs."
    )(command)


class Unworkable(click.ClickException):
    """Nobody asked for anything wrong, and yet it cannot be done."""

    exit_code = 4


@contextmanager
def on_spark(options: SparkOptions, words: str, *, small: bool = False) -> Iterator[tuple[SparkSession, Teller]]:
    """A session, and whom to tell what it is doing; `small` is for jobs over a few thousand rows."""
    from wireproof_reports.spark.bar import progress
    from wireproof_reports.spark.failure import SparkFailed, told
    from wireproof_reports.spark.java import NoSpark
    from wireproof_reports.spark.session import spark_session
    from wireproof_reports.spark.storage import StorageError

    try:
        with progress("starting Spark") as bar, spark_session(options, small=small) as session, told():
            bar.follow(session)
            bar.say(words)
            yield session, bar
    except (NoSpark, SparkFailed, StorageError) as problem:
        raise Unworkable(str(problem)) from None
    except WireproofError as problem:
        raise click.UsageError(str(problem)) from None
    except OSError as problem:
        raise Unworkable(f"{problem.filename or 'a file'}: {problem.strerror}") from None
