"""`wireproof docs`: the page of a protocol, made from its definitions."""

from __future__ import annotations

from pathlib import Path

import click

from wireproof.codec import PROTOCOLS
from wireproof.document import page


@click.command()
@click.argument("protocol", type=click.Choice(PROTOCOLS), metavar="[PROTOCOL]", required=False)
@click.option(
    "--write",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write a page for each protocol, or the one named, into this folder.",
)
def docs(protocol: str | None, folder: Path | None) -> None:
    """Print the page of a protocol in Markdown, or write the pages of all.

    A page has the layout, every message, the types, error classes, parameters, open
    points and clauses of a protocol.

    \b
    wireproof docs comet
    wireproof docs --write docs/protocols
    """
    if folder is not None:
        _write([protocol] if protocol else list(PROTOCOLS), folder)
    elif protocol is not None:
        click.echo(page(protocol), nl=False)
    else:
        raise click.UsageError(f"name a protocol ({', '.join(PROTOCOLS)}), or say --write DIR for all pages")


def _write(names: list[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = folder / f"{name}.md"
        path.write_text(page(name), encoding="utf-8", newline="\n")
        click.echo(path)
