"""Vectors for a declared profile: the options that declare one, and what became of the vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from wireproof.errors import BadProfile
from wireproof.profile import changes_from_text, settings
from wireproof_harness.cli.options import Command, read_profile
from wireproof_harness.cli.suite import vector_named, whole_suite
from wireproof_harness.cli.verdict import counted
from wireproof_harness.terminal import clean

if TYPE_CHECKING:
    from wireproof.suite.model import Vector
    from wireproof.suite.render import Rendering


def profile_options(command: Command) -> Command:
    """The arguments of `declared`."""
    command = click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Declare one parameter.")(
        command
    )
    return click.option(
        "--profile", default="standard", metavar="NAME", help="standard, or a YAML, TOML or JSON file."
    )(command)


def declared(protocol: str, profile: str, assignments: tuple[str, ...]) -> dict[str, Any]:
    """The parameters that the options declare, or a usage error that says what exists."""
    try:
        changes = read_profile(protocol, profile) | changes_from_text(protocol, assignments)
        settings(protocol, changes)
    except BadProfile as error:
        raise click.UsageError(str(error)) from None
    return changes


def rendering_for(protocol: str, changes: dict[str, Any]) -> Rendering:
    """All vectors of a protocol under the declared profile; their counts are told."""
    from wireproof.suite.render import render_suite

    rendering = render_suite(whole_suite(), protocol, changes)
    total, derived = len(rendering.vectors) + len(rendering.unrendered), len(rendering.derived)
    click.echo(
        f"{counted(total, 'vector')}: {len(rendering.vectors) - derived} unchanged, {derived} re-rendered, "
        f"{len(rendering.unrendered)} not renderable",
        err=True,
    )
    for reason, count in rendering.reasons.most_common():
        click.echo(clean(f"{count:5}  {reason}"), err=True)
    return rendering


def vectors_named(protocol: str, ids: tuple[str, ...]) -> list[Vector]:
    """The vectors of a protocol with some ids."""
    found = [vector_named(whole_suite(), name) for name in ids]
    for vector in found:
        if vector.protocol != protocol:
            raise click.UsageError(f"{vector.id} is a vector of {vector.protocol}, not of {protocol}")
    return found
