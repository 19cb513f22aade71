"""The options every Spark command has."""

from __future__ import annotations

import click

from wireproof_harness.cli.options import Command
from wireproof_reports.spark.session import LOCAL, SparkOptions


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
