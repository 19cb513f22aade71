"""`wireproof coverage`: what the vectors show of each document, and what nothing can show."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from wireproof.codec import PROTOCOLS
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.dump import Line
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.cli.suite import whole_suite
from wireproof_harness.cli.verdict import counted
from wireproof_harness.terminal import Screen, Segment, fit

if TYPE_CHECKING:
    from wireproof.suite.coverage import ClauseCoverage, Coverage, FieldCoverage

KINDS: Final = {"accept": "accepted", "reject": "rejected", "refuse": "refused"}
INDENT: Final = Segment("  ")
ID_WIDTH: Final = 13


@click.command()
@click.argument("protocols", nargs=-1, type=click.Choice(PROTOCOLS), metavar="[PROTOCOL]...")
@click.option("--missing", "only_missing", is_flag=True, help="Only what is demanded and not there.")
@as_json
@colored
@click.pass_context
def coverage(
    ctx: click.Context, protocols: tuple[str, ...], only_missing: bool, as_json: bool, color: bool | None
) -> None:
    """Say which vectors show each clause, each error class and the boundaries of each field.

    Clauses that no vector can show (live sessions, unit tests, the URL form) are listed
    with the reason. Ids in full are in the JSON form.

    \b
    wireproof coverage comet
    wireproof coverage --missing

    Exit code: 0 nothing is missing, 1 something is.
    """
    from wireproof.suite.coverage import as_json as json_form
    from wireproof.suite.coverage import coverage as covered

    screen = Screen(color)
    suite = whole_suite()
    found = [covered(suite, name) for name in dict.fromkeys(protocols or PROTOCOLS)]
    if as_json:
        screen.json({"protocols": [json_form(each) for each in found], "totals": _totals(found)})
    else:
        for each in found:
            screen.lines(_gaps(each) if only_missing else _page(each, screen.width))
        screen.lines(_closing(found))
    ctx.exit(REJECTED if any(each.gaps() for each in found) else 0)


def _totals(found: list[Coverage]) -> dict[str, Any]:
    clauses = [clause for each in found for clause in each.clauses]
    return {
        "vectors": sum(sum(each.kinds.values()) for each in found),
        "kinds": _sums(each.kinds for each in found),
        "levels": _sums(each.levels for each in found),
        "made": _sums(each.made for each in found),
        "clauses": len(clauses),
        "tests": _sums({clause.test: 1} for clause in clauses),
        "boundaries": sum(len(field.taken) for each in found for field in each.fields),
        "gaps": sum(len(each.gaps()) for each in found),
    }


def _sums(counts: Iterable[dict[str, int]]) -> dict[str, int]:
    total: dict[str, int] = {}
    for each in counts:
        for key, number in each.items():
            total[key] = total.get(key, 0) + number
    return total


def _page(found: Coverage, width: int) -> Iterator[Line]:
    yield _heading(found)
    levels = {level: found.levels.get(level, 0) for level in ("required", "recommended", "profile")}
    made = {f"made by {how}" if how == "hand" else how: number for how, number in found.made.items()}
    yield [INDENT, Segment(f"{_listed(levels)}; {_listed(made)}", "label")]
    yield []
    yield from _clauses(found, width)
    yield from _elsewhere(found, width)
    yield from _open_points(found, width)
    yield from _classes(found, width)
    yield from _fields(found.fields, width)
    yield from _gaps(found, named=False)
    yield []


def _heading(found: Coverage) -> Line:
    kinds = {KINDS[kind]: found.kinds.get(kind, 0) for kind in KINDS}
    return [
        Segment(found.protocol, "heading"),
        Segment(f"  {counted(sum(found.kinds.values()), 'vector')}: {_listed(kinds)}"),
    ]


def _listed(counts: dict[str, int]) -> str:
    return ", ".join(f"{number:,} {key}" for key, number in counts.items()) or "none"


def _clauses(found: Coverage, width: int) -> Iterator[Line]:
    yield [Segment(f"  {'clause':<{ID_WIDTH}} accepted rejected refused  for example", "label")]
    for clause in found.clauses:
        if clause.test == "codec":
            yield _counts(clause, width)


def _counts(clause: ClauseCoverage, width: int) -> Line:
    numbers = f" {len(clause.accept):>8} {len(clause.reject):>8} {len(clause.refuse):>7}  "
    example = " ".join([*clause.accept[:1], *clause.reject[:1], *clause.refuse[:1]])
    role = "fault" if clause.missing else ""
    return [
        Segment(f"  {clause.id:<{ID_WIDTH}}", "clause"),
        Segment(numbers, role),
        Segment(fit(example, max(20, width - len(numbers) - ID_WIDTH - 3)), "label"),
    ]


def _elsewhere(found: Coverage, width: int) -> Iterator[Line]:
    """What vectors cannot show: as visible as what they do."""
    from wireproof.suite.coverage import ELSEWHERE

    for test, words in ELSEWHERE.items():
        clauses = [clause for clause in found.clauses if clause.test == test]
        if clauses:
            yield []
            yield [INDENT, Segment(f"{counted(len(clauses), 'clause')} {words}", "heading")]
        for clause in clauses:
            yield from _reason(clause.id, clause.reason, width)


def _reason(name: str, text: str, width: int) -> Iterator[Line]:
    room = max(40, width - ID_WIDTH - 4)
    for number, line in enumerate(textwrap.wrap(text, room)):
        yield [Segment(f"  {'' if number else name:<{ID_WIDTH}}  ", "clause"), Segment(line)]


def _open_points(found: Coverage, width: int) -> Iterator[Line]:
    cited = [point for point in found.open_points if point.accept or point.reject or point.refuse]
    if cited:
        yield []
        yield [Segment(f"  {'open point':<{ID_WIDTH}} accepted rejected refused  for example", "label")]
        yield from (_counts(point, width) for point in cited)


def _classes(found: Coverage, width: int) -> Iterator[Line]:
    yield []
    yield [Segment(f"  {'answer of':<{ID_WIDTH}} {'error class':<18} vectors  for example", "label")]
    for each in found.classes:
        role = "" if each.vectors else "fault"
        yield [
            Segment(f"  {each.side:<{ID_WIDTH}} ", "label"),
            Segment(f"{each.error:<18} {len(each.vectors):>7}  ", role),
            Segment(fit(" ".join(each.vectors[:2]), max(20, width - ID_WIDTH - 30)), "label"),
        ]


def _fields(fields: list[FieldCoverage], width: int) -> Iterator[Line]:
    names = [f"{field.direction} {field.path}".strip() for field in fields]
    wide = min(44, max(map(len, names), default=0))
    yield []
    yield [Segment(f"  {'field':<{wide}}  boundary values taken", "label")]
    for name, field in zip(names, fields, strict=True):
        values = _values(field.taken)
        yield [
            Segment(f"  {fit(name, wide)}  ", "field"),
            Segment(fit(values, max(20, width - wide - 6)), "fault" if field.missing else ""),
        ]


def _values(taken: Iterable[str]) -> str:
    """Boundary values, with a unit said once for all numbers that have it."""
    groups: dict[str, list[str]] = {}
    for value in taken:
        number, _, unit = value.partition(" ")
        if number.isdecimal() and unit:
            groups.setdefault(f" {unit.rstrip('s')}s", []).append(number)
        else:
            groups.setdefault("", []).append(value)
    return "; ".join(", ".join(values) + unit for unit, values in groups.items()) or "none"


def _gaps(found: Coverage, *, named: bool = True) -> Iterator[Line]:
    gaps = found.gaps()
    if not named and gaps:
        yield []
    if named or gaps:
        words = f"{counted(len(gaps), 'gap')}" if gaps else "nothing is missing"
        yield [Segment(f"{found.protocol}  ", "heading"), Segment(words, "fault" if gaps else "good")]
    yield from ([INDENT, Segment(gap)] for gap in gaps)


def _closing(found: list[Coverage]) -> Iterator[Line]:
    totals = _totals(found)
    tests = ", ".join(f"{number} {test}" for test, number in totals["tests"].items())
    yield [
        Segment("complete" if not totals["gaps"] else counted(totals["gaps"], "gap"), _role(totals["gaps"])),
        Segment(f"  {counted(totals['vectors'], 'vector')}, {counted(totals['clauses'], 'clause')} ({tests}), "),
        Segment(f"{totals['boundaries']:,} boundary values"),
    ]


def _role(gaps: int) -> str:
    return "fault" if gaps else "good"
