"""`wireproof list`: the vectors of the suite, all or some."""

from __future__ import annotations

from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import click

from wireproof.codec import PROTOCOLS
from wireproof.errors import ERROR_CLASSES
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.cli.suite import whole_suite
from wireproof_harness.cli.verdict import counted
from wireproof_harness.terminal import Screen, Segment, fit

if TYPE_CHECKING:
    from wireproof.suite.model import Vector

LEVELS = ("required", "recommended", "profile")
MADE = ("hand", "patched", "generated")


@click.command("list")
@click.option("--protocol", "protocols", multiple=True, type=click.Choice(PROTOCOLS), help="Only this one; may recur.")
@click.option("--clause", metavar="CLAUSE", help="Only vectors that cite this clause or open point.")
@click.option("--level", type=click.Choice(LEVELS), help="Only vectors of this level.")
@click.option("--error", type=click.Choice(list(ERROR_CLASSES)), metavar="CLASS", help="Only those answered so.")
@click.option("--made", type=click.Choice(MADE), help="Only vectors made in this way.")
@click.option("--id", "pattern", metavar="PATTERN", help="Only ids like this, as in 'COMET-*-5??'.")
@as_json
@colored
@click.pass_context
def list_command(ctx: click.Context, /, as_json: bool, color: bool | None, **wanted: Any) -> None:
    """List the vectors of the suite, one line each.

    \b
    wireproof list --protocol comet --error overrun
    wireproof list --clause COMET-3.8 --json

    Exit code: 0, or 1 if no vector is as described.
    """
    found = [vector for vector in whole_suite().vectors if _is_wanted(vector, **wanted)]
    screen = Screen(color)
    if as_json:
        screen.json([summary(vector) for vector in found])
    else:
        wide = max((len(vector.id) for vector in found), default=0)
        for vector in found:
            screen.line(*_row(vector, wide, screen.width))
        click.echo(counted(len(found), "vector"), err=True)
    ctx.exit(0 if found else REJECTED)


def _is_wanted(
    vector: Vector,
    protocols: tuple[str, ...],
    clause: str | None,
    level: str | None,
    error: str | None,
    made: str | None,
    pattern: str | None,
) -> bool:
    return (
        (not protocols or vector.protocol in protocols)
        and (clause is None or clause.upper() in vector.clauses)
        and level in (None, vector.level)
        and error in (None, vector.expect.reject or vector.expect.refuse)
        and made in (None, vector.made)
        and (pattern is None or fnmatchcase(vector.id, pattern.upper()))
    )


def _row(vector: Vector, wide: int, width: int) -> list[Segment]:
    expect = vector.expect
    answer = expect.reject or expect.refuse or "accept"
    role = "good" if vector.kind == "accept" else "fault"
    return [
        Segment(f"{vector.id:<{wide}}  ", "name"),
        Segment(f"{vector.level:<12}", "label"),
        Segment(f"{answer:<18}", role),
        Segment(fit(vector.title, max(20, width - wide - 32))),
    ]


def summary(vector: Vector) -> dict[str, Any]:
    """A vector in JSON, without its bytes."""
    expect = vector.expect
    answer = {"reject": expect.reject, "offset": expect.offset} if expect.reject else {vector.kind: expect.refuse}
    return {
        "id": vector.id,
        "title": vector.title,
        "protocol": vector.protocol,
        "direction": vector.direction or None,
        "profile": vector.profile,
        "level": vector.level,
        "clauses": vector.clauses,
        "expect": {"accept": len(expect.accept)} if expect.accept is not None else answer,
        "canonical": vector.canonical,
        "twin": vector.twin or None,
        "made": vector.made,
        "file": vector.file,
        "line": vector.line,
    }
