"""`wireproof vectors`: writing, checking and handing on the vectors of the suite."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from wireproof.suite.problems import Problem, SuiteError
from wireproof_harness.cli.options import codec_options, open_codec
from wireproof_harness.terminal import clean

paths = click.argument("paths", nargs=-1, type=click.Path(path_type=Path), metavar="[PATH]...")


@click.group()
def vectors() -> None:
    """Write, check and hand on the vectors of the suite."""


def report(problems: list[Problem]) -> None:
    for problem in problems:
        click.echo(clean(str(problem)))


@vectors.command()
@paths
@click.pass_context
def lint(ctx: click.Context, paths: tuple[Path, ...]) -> None:
    """Check vector files: their form, and that the reference codec agrees.

    PATH is a file, a folder or a protocol's folder; without one, the whole suite is checked.

    Exit code: 0 nothing is wrong, 1 something is, 2 not usable as input.
    """
    from wireproof.suite.check import check

    try:
        checked = check(paths)
    except SuiteError as error:
        raise click.UsageError(str(error)) from None
    report(checked.problems)
    total = f"{len(checked.vectors)} vectors, {len(checked.problems)} problems"
    click.echo(total, err=bool(checked.problems))
    ctx.exit(1 if checked.problems else 0)


@vectors.command("hex")
@codec_options
@click.argument("text", metavar="HEX")
@click.option("--paths", is_flag=True, help="List the path of each field as well, for patches.")
def hex_(text: str, paths: bool, **chosen: Any) -> None:
    """Print bytes as a vector file shows them, a commented line for each field, and the answer to them.

    HEX may be spaced, with comments, and with runs like repeat:ab:256.
    """
    from wireproof.suite.commented import annotated_hex
    from wireproof.suite.hextext import HexProblem, parse_hex
    from wireproof.suite.patch import Fields
    from wireproof.suite.written import expectation

    codec = open_codec(**chosen)
    try:
        data = parse_hex(text)
    except HexProblem as problem:
        raise click.UsageError(str(problem)) from None
    click.echo("  hex: |")
    for line in annotated_hex(codec, data).splitlines():
        click.echo(f"    {clean(line)}")
    click.echo(f"  expect: {clean(expectation(codec, data))}")
    if paths:
        for number, spans in enumerate(Fields(codec, data).messages):
            for span in spans:
                click.echo(f"{span.start:5}..{span.stop:<5} #{number}:{clean(span.path)}")


if __name__ == "__main__":
    sys.exit(vectors(prog_name="wireproof vectors"))
