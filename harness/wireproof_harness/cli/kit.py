"""`wireproof kit`: an adapter to start from, in the language of the implementation."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

import click

MANIFEST: Final = "wireproof.toml"
LEFT_BY_RUNS: Final = {"__pycache__", "node_modules", "build", "target"}


@click.command()
@click.argument("language", metavar="[LANGUAGE]", required=False)
@click.argument("folder", metavar="[DIR]", type=click.Path(file_okay=False, path_type=Path), required=False)
def kit(language: str | None, folder: Path | None) -> None:
    """Write a starter kit into a new folder, or list the kits there are.

    A kit is a small adapter that is whole: it passes as it is, for comet. Replace its
    codec by calls into your own implementation, and check that.

    \b
    wireproof kit
    wireproof kit python mine
    """
    found = kits()
    if language is None:
        width = max(map(len, found))
        for name, place in found.items():
            click.echo(f"{name:<{width}}  {start_line(place)}")
        click.echo(f"\nTo write one into a new folder: wireproof kit {next(iter(found))} mine")
        return
    if language not in found:
        raise click.UsageError(f"there is no kit {language!r}: say {', '.join(found)}")
    if folder is None:
        raise click.UsageError(f"say where the kit is to be written: wireproof kit {language} mine")
    write(found[language], folder)
    _say_what_is_next(found[language], folder)


def kits() -> dict[str, Traversable]:
    """Every kit by its language, wherever the package is: a folder, or a zip."""
    places = resources.files("wireproof_harness.kits").iterdir()
    found = {place.name: place for place in places if place.is_dir() and place.joinpath(MANIFEST).is_file()}
    return dict(sorted(found.items()))


def files(place: Traversable, inside: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], bytes]]:
    """The path and content of each file of a kit, without what building and running it leaves behind."""
    for entry in sorted(place.iterdir(), key=lambda entry: entry.name):
        path = (*inside, entry.name)
        if entry.name in LEFT_BY_RUNS or entry.name.startswith("."):
            continue
        if entry.is_dir():
            yield from files(entry, path)
        else:
            yield path, entry.read_bytes()


def write(place: Traversable, folder: Path) -> None:
    """Write a kit into a folder that is new or empty."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise click.UsageError(f"{folder} has files in it, and none is overwritten: name a new or an empty folder")
        for path, content in files(place):
            target = folder.joinpath(*path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except OSError as problem:
        raise click.UsageError(f"{folder} cannot be written: {problem.strerror}") from None


def start_line(place: Traversable) -> str:
    """How a kit is built and started, as one would type it."""
    manifest = _manifest(place)
    build = manifest.get("build", [])
    commands = [build[2] if build[:2] == ["sh", "-c"] else shlex.join(build)] if build else []
    return " && ".join([*commands, shlex.join(manifest["command"])])


def _manifest(place: Traversable) -> dict[str, Any]:
    return tomllib.loads(place.joinpath(MANIFEST).read_text("utf-8"))


def _say_what_is_next(place: Traversable, folder: Path) -> None:
    manifest = shlex.quote(str(folder / MANIFEST))
    click.echo(f"{folder}: {', '.join('/'.join(path) for path, _ in files(place))}")
    click.echo("\nNext:")
    for step, meaning in (
        (f"wireproof doctor {manifest}", "is anything wrong with it?"),
        (f"wireproof check {manifest}", "build it, start it, check all it claims"),
        (f"cd {shlex.quote(str(folder))} && {start_line(place)}", "start it by hand"),
    ):
        click.echo(f"  {step}\n      {meaning}")
    click.echo(f"\n{folder / 'README.md'} says where your own codec goes.")
