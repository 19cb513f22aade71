"""`[tool.wireproof]` of the nearest pyproject.toml: what a project says once, instead of on every command line."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

import click

KEYS: Final[dict[str, tuple[str, tuple[type, ...]]]] = {
    "implementation": ("implementation", (str, list)),
    "protocols": ("protocols", (list,)),
    "levels": ("levels", (list,)),
    "baseline": ("baseline", (str,)),
    "log": ("log", (str,)),
    "report": ("report", (str,)),
    "seed": ("seed", (int,)),
    "timeout-scale": ("scale", (int, float)),
    "sandbox": ("sandbox", (bool,)),
    "strict": ("strict", (bool,)),
    "set": ("assignments", (list,)),
}
"""Key of the file -> parameter of the command, and what it may be. Command lines count more."""
PATHS: Final = ("baseline", "log", "report")


def configured(start: Path) -> dict[str, Any]:
    """Defaults for `check`; a usage error if the table has something that it cannot have."""
    for folder in (start, *start.parents):
        file = folder / "pyproject.toml"
        if file.is_file():
            return _defaults(_table(file), file)
    return {}


def _table(file: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {}).get("wireproof", {})
    except (OSError, ValueError) as problem:
        raise click.UsageError(f"{file} cannot be read: {problem}") from None
    if not isinstance(found, dict):
        raise click.UsageError(f"{file}: tool.wireproof is a table")
    return found


def _defaults(table: dict[str, Any], file: Path) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in table.items():
        if key not in KEYS:
            raise click.UsageError(f"{file}: [tool.wireproof] has no key {key!r}; it has {', '.join(KEYS)}")
        name, kinds = KEYS[key]
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise click.UsageError(f"{file}: {key} of [tool.wireproof] is a {kinds[0].__name__}, not {value!r}")
        found[name] = str(file.parent / str(value)) if key in PATHS else value
    return found
