"""The command `wireproof`: one group, whose subcommands are loaded when they are called.

Each room registers a table of its subcommands as an entry point, so that no room has to
import a later one, and `wireproof --help` reads the tables alone.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

import click

from wireproof_harness.cli.table import COMMANDS

REJECTED: Final = 1
UNUSABLE: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141  # as if the signal had done it
LONGEST_COMPLAINT: Final = 500
HELP_INSTEAD: Final[Any] = getattr(click.exceptions, "NoArgsIsHelpError", ())  # since click 8.2


class Rooms(click.Group):
    """A group that knows its subcommands by name and imports one when it is called."""

    @cached_property
    def table(self) -> dict[str, tuple[str, str]]:
        """The tables of all rooms that are installed."""
        from importlib.metadata import entry_points

        found: dict[str, tuple[str, str]] = {}
        for room in sorted(entry_points(group="wireproof.commands"), key=lambda entry: entry.name):
            commands: Mapping[str, tuple[str, str]] = room.load()
            found = {**commands, **found}
        return found

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(self.table)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        # This room's own commands need no look at what else is installed, which takes 30 ms.
        entry = COMMANDS.get(cmd_name) or self.table.get(cmd_name)
        if entry is None:
            return None
        module, _, attribute = entry[1].partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, self.table[name][0]) for name in self.list_commands(ctx)])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would end with 1, which means that something was rejected
            _stop_writing()
            ctx.exit(BROKEN_PIPE)


def _print_version(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        click.echo(f"wireproof {version('wireproof')}")
        ctx.exit()


@click.group(cls=Rooms, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_print_version,
    help="Show the version and exit.",
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Say what is right on the wire of six binary protocols, and show it byte by byte."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(arguments: list[str] | None = None) -> int:
    """Run the command; its exit code, whatever happened that is not a bug."""
    if sys.stdout is None:  # closed by whoever called
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 (it stays open until the end)
    try:
        code = cli.main(arguments, prog_name="wireproof", standalone_mode=False)
        sys.stdout.flush()
    except click.Abort:
        click.echo("Interrupted.", err=True)
        return INTERRUPTED
    except click.ClickException as error:
        _complain(error)
        return error.exit_code
    except BrokenPipeError:
        _stop_writing()
        return BROKEN_PIPE
    except OSError as error:
        click.echo(f"Error: {error.strerror or error}", err=True)
        return UNUSABLE
    return int(code or 0)


def _stop_writing() -> None:
    """Nobody reads on; at exit Python would flush once more, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(error: click.ClickException) -> None:
    from wireproof_harness.terminal import clean

    if isinstance(error, HELP_INSTEAD):
        error.show()
        return
    for number, line in enumerate(error.format_message().splitlines()):
        click.echo(("" if number else "Error: ") + clean(line[:LONGEST_COMPLAINT]), err=True)
    context = getattr(error, "ctx", None)
    if context is not None:
        click.echo(f"Try '{context.command_path} --help'.", err=True)
