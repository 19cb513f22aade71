"""What several subcommands ask for: a codec, a colour, JSON."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from functools import partial, reduce
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from wireproof.codec import PROTOCOLS, Codec, codec
from wireproof.errors import BadProfile
from wireproof.profile import changes_from_text, parameters

Command = TypeVar("Command", bound=Callable[..., Any])
LARGEST_PROFILE: Final = 1 << 20

colored = click.option("--color/--no-color", default=None, help="Colours; on a terminal unless NO_COLOR is set.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")

_CODEC_OPTIONS: Final = (
    click.argument("protocol", type=click.Choice(PROTOCOLS), metavar="PROTOCOL"),
    click.option("--direction", type=click.Choice(["c2s", "s2c"]), help="Who sends it (comet): client or server."),
    click.option("--profile", default="standard", metavar="NAME", help="standard, or a YAML, TOML or JSON file."),
    click.option("--set", "assignments", multiple=True, metavar="NAME=VALUE", help="Change one parameter of it."),
)


def codec_options(command: Command) -> Command:
    """The arguments of `open_codec`."""
    return reduce(lambda inner, option: option(inner), reversed(_CODEC_OPTIONS), command)


def open_codec(protocol: str, direction: str | None, profile: str, assignments: tuple[str, ...]) -> Codec:
    """The codec that the options describe, or a usage error that says what exists."""
    try:
        changes = read_profile(protocol, profile) | changes_from_text(protocol, assignments)
        return codec(protocol, direction=direction, profile=changes)
    except BadProfile as error:
        raise click.UsageError(_hinted(str(error), protocol, direction)) from None


def _hinted(problem: str, protocol: str, direction: str | None) -> str:
    if direction is None and "direction" in problem:
        return f"{problem}. Say --direction c2s for what a client sends."
    return problem


def read_profile(protocol: str, name: str) -> dict[str, Any]:
    """The parameters that a profile sets: none for `standard`, those in a file otherwise."""
    if name == "standard":
        return {}
    path = Path(name)
    if not path.is_file():
        raise BadProfile(f"there is no profile {name!r}: say standard, or the path of a YAML, TOML or JSON file")
    changes = _read(path)
    if not isinstance(changes, dict):
        raise BadProfile(f"{name} does not hold parameters: write {next(iter(parameters(protocol)))}: value")
    for parameter, value in changes.items():
        if not isinstance(parameter, str) or not _is_flat(value):
            raise BadProfile(f"{name}: {parameter!r} needs a word, a number, or a map of numbers to words")
    return changes


def _read(path: Path) -> Any:
    import yaml

    if path.stat().st_size > LARGEST_PROFILE:
        raise BadProfile(f"{path} is larger than a profile can be")
    parse = {".json": json.loads, ".toml": tomllib.loads}.get(path.suffix, partial(yaml.load, Loader=yaml.SafeLoader))
    try:
        return parse(path.read_text(encoding="utf-8-sig"))
    except (ValueError, yaml.YAMLError) as error:
        raise BadProfile(f"{path} cannot be read: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise BadProfile(f"{path} cannot be read: it is nested too deeply") from None
    except OSError as error:
        raise BadProfile(f"{path} cannot be read: {error.strerror}") from None


def _is_flat(value: Any) -> bool:
    """Nothing inside anything: a profile written with aliases could otherwise be as large as it likes."""
    if isinstance(value, dict):
        return all(isinstance(item, str | int) for pair in value.items() for item in pair)
    return isinstance(value, str | int)
