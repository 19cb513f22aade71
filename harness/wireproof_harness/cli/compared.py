"""What `wireproof compare` prints for people: a legend, and for each protocol two matrices and what differs."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from wireproof_harness.claims import Claims
from wireproof_harness.cli.compareddetail import kind, misreadings, not_written
from wireproof_harness.cli.dump import Line
from wireproof_harness.compare import Cell, Comparison, Difference, Exchange, Pair, Standing
from wireproof_harness.terminal import Screen, Segment, clean, fit

SHOWN: Final = 10
REASONS: Final = 4
LONGEST: Final = 300
LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Person(NamedTuple):
    """An implementation as it is shown: a letter, how it was named, and what it says it is."""

    letter: str
    text: str
    title: str


class Result(NamedTuple):
    """What came of one protocol."""

    comparison: Comparison
    exchange: Exchange

    @property
    def differs(self) -> bool:
        return bool(self.comparison.differences or self.exchange.failures)

    @property
    def compared_places(self) -> set[int]:
        """Who was compared with anybody."""
        return {place for pair, found in self.comparison.pairs.items() if found.compared for place in pair}

    @property
    def stopped(self) -> dict[int, str]:
        """Who was asked no more, and why."""
        during = {place: one.stopped for place, one in enumerate(self.comparison.standings) if one.stopped}
        return during | self.exchange.stopped


def named(place: int, text: str, claims: Claims) -> Person:
    words = [claims.name, claims.version, f"({claims.language})" if claims.language else ""]
    return Person(LETTERS[place], text, " ".join(filter(None, words)))


def legend(people: list[Person], width: int) -> Iterator[Line]:
    room = min(max(len(clean(person.text)) for person in people), width - 40)
    for person in people:
        title = fit(clean(person.title), width - room - 7)
        yield [
            Segment(f"{person.letter}  ", "name"),
            Segment(fit(clean(person.text), room)),
            Segment(f"  {title}", "label"),
        ]
    yield []


def show(screen: Screen, result: Result, people: list[Person]) -> None:
    found = result.comparison
    asked = f"{found.frames:,} frames, {found.questions:,} questions, {found.seconds + result.exchange.seconds:.0f} s: "
    screen.line(Segment(f"{found.protocol:<11}", "heading"), Segment(asked), _count(found))
    if not found.questions:
        screen.line(Segment("  nothing was compared: no two of them claim the same", "fault"))
    elif len(people) > 2:
        screen.lines(_pairs(found, people))
    if found.left_out:
        words = f"  {found.left_out:,} values of a wrong shape left out: the contract does not say what to answer"
        screen.line(Segment(words, "label"))
    for person, standing in zip(people, found.standings, strict=True):
        stopped = result.stopped.get(people.index(person), "")
        screen.lines(_left_out(person, standing, stopped, screen.width))
    screen.lines(_exchange(result.exchange, people))
    kinds = _alike(found.differences)
    for one, *also in kinds[:SHOWN]:
        screen.line()
        screen.lines(kind(one, people, screen.width, also))
    if len(kinds) > SHOWN:
        screen.line(Segment(f"... and {len(kinds) - SHOWN} more kinds: --json shows all", "label"))
    screen.lines(misreadings(result.exchange, people, screen.width))
    for writer, cell in zip(people, result.exchange.written, strict=True):
        screen.lines(not_written(cell, writer, screen.width))
    screen.line()


def _alike(found: list[Difference]) -> list[list[Difference]]:
    """What decode and stream differ in alike is one thing to look at."""
    groups: dict[object, list[Difference]] = {}
    for one in found:
        operation, _, words = one.kind.partition(":")
        key = (words, one.camps, one.field, operation == "encode")
        groups.setdefault(key, []).append(one)
    return list(groups.values())


def _count(found: Comparison) -> Segment:
    if not found.differences:
        return Segment(
            "no difference" if found.questions else "nothing compared", "good" if found.questions else "fault"
        )
    kinds = "1 kind" if len(found.differences) == 1 else f"{len(found.differences)} kinds"
    times = "1 difference" if found.differing == 1 else f"{found.differing:,} differences"
    return Segment(f"{times} of {kinds}", "fault")


def _left_out(person: Person, standing: Standing, stopped: str, width: int) -> Iterator[Line]:
    """What somebody was not asked, and therefore is not compared in."""
    unclaimed = Counter({reason: times for reason, times in standing.not_asked.items() if reason != "stopped"})
    if unclaimed:
        reasons = [f"{reason} {times:,}" for reason, times in unclaimed.most_common(REASONS)]
        more = ["..."] if len(unclaimed) > REASONS else []
        words = f"{unclaimed.total():,} not claimed and not asked: {', '.join(reasons + more)}"
        yield from _wrapped(person, words, width, "label")
    if standing.unsupported:
        words = f"{standing.unsupported:,} claimed, but answered unsupported and not compared"
        yield [Segment(f"  {person.letter}  ", "name"), Segment(words, "fault")]
    if stopped:
        missed = standing.not_asked["stopped"]
        words = f"asked no more, {missed:,} questions missed: {stopped[:LONGEST]}. Mend it, and compare again."
        yield from _wrapped(person, words, width, "fault")


def _wrapped(person: Person, words: str, width: int, role: str) -> Iterator[Line]:
    for number, line in enumerate(textwrap.wrap(clean(words), width - 5, break_on_hyphens=False)):
        yield [Segment(f"  {' ' if number else person.letter}  ", "name"), Segment(line, role)]


def _pairs(found: Comparison, people: list[Person]) -> Iterator[Line]:
    yield [Segment("  questions in which two differ, of those that both were asked", "label")]
    last = len(people)

    def cell(row: int, column: int) -> Segment:
        return _pair(found.pairs[row, column]) if row < column else Segment("")

    yield from _matrix(people, range(last - 1), range(1, last), cell)


def _pair(pair: Pair) -> Segment:
    if not pair.compared:
        return Segment("-", "label")
    return Segment(f"{pair.differing:,} of {pair.compared:,}", "fault" if pair.differing else "good")


def _exchange(found: Exchange, people: list[Person]) -> Iterator[Line]:
    if not found.values:
        return
    yield [
        Segment(f"  {found.values:,} values exchanged: how many the column understands of what the row writes", "label")
    ]
    places = range(len(people))

    def cell(row: int, column: int) -> Segment:
        return Segment("", "label") if row == column else _understood(found.cells[row, column])

    yield from _matrix(people, places, places, cell)
    for person, cell_ in zip(people, found.written, strict=True):
        if cell_.read > cell_.understood:
            words = f"does not write {cell_.read - cell_.understood:,} of {cell_.read:,} values that it should"
            yield [Segment(f"  {person.letter}  ", "name"), Segment(words, "fault")]


def _understood(cell: Cell) -> Segment:
    if not cell.read:
        return Segment("-", "label")
    whole = cell.read == cell.understood
    return Segment(f"{cell.understood:,} of {cell.read:,}", "good" if whole else "fault")


def _matrix(people: list[Person], rows: range, columns: range, cell: Callable[[int, int], Segment]) -> Iterator[Line]:
    table = [[cell(row, column) for column in columns] for row in rows]
    width = 2 + max(len(segment.text) for line in table for segment in line)
    heads = [Segment(people[column].letter.rjust(width), "name") for column in columns]
    yield [Segment("   "), *heads]
    for row, line in zip(rows, table, strict=True):
        letter = Segment(f"  {people[row].letter}", "name")
        yield [letter, *(Segment(segment.text.rjust(width), segment.role) for segment in line)]


def summary(people: list[Person], results: list[Result]) -> Iterator[Line]:
    """Who stands alone, over all protocols, and who could not be compared at all."""
    for place, person in enumerate(people):
        kinds = [one for result in results for one in result.comparison.differences]
        alone = [one for one in kinds if len(one.camps) > 1 and any(camp.members == (place,) for camp in one.camps)]
        if alone and len(people) > 2:
            words = f"stands alone in {len(alone)} of {len(kinds)} kinds of difference"
            yield [Segment(f"{person.letter}  ", "name"), Segment(words, "fault")]
        if not any(place in result.compared_places for result in results):
            words = "was compared in nothing: choose a protocol that it claims with --protocol"
            yield [Segment(f"{person.letter}  ", "name"), Segment(words, "fault")]
