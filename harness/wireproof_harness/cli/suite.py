"""What the commands about vectors share: finding them, and saying what is wrong with their files."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from wireproof.suite.problems import SuiteError

if TYPE_CHECKING:
    from wireproof.suite.model import Suite, Vector

NEAR = 5


@contextmanager
def told() -> Iterator[None]:
    """Broken files are told to the user, problem by problem."""
    try:
        yield
    except SuiteError as error:
        raise click.UsageError(str(error)) from None


def whole_suite() -> Suite:
    from wireproof.suite.load import load_suite

    with told():
        return load_suite()


def vector_named(suite: Suite, name: str) -> Vector:
    """The vector with an id, in any case; or a usage error that names those with an id like it."""
    wanted = name.upper()
    found = suite.by_id.get(wanted)
    if found is not None:
        return found
    near = [known for known in suite.by_id if known.startswith(wanted)][:NEAR]
    near = near or get_close_matches(wanted, suite.by_id, NEAR, 0.6)
    hint = f"near it are {', '.join(near)}" if near else "`wireproof list` lists all"
    raise click.UsageError(f"there is no vector {name[:60]!r}; {hint}")
