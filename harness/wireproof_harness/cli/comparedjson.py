"""What `wireproof compare --json` prints: everything, by the letters of the implementations."""

from __future__ import annotations

from typing import Any

from wireproof_harness.cli.compared import Person, Result
from wireproof_harness.compare import Cell, Difference, Exchange, Standing


def as_json(people: list[Person], results: list[Result], seed: int) -> dict[str, Any]:
    """The whole report; only `seconds` differs between two runs with the same seed."""
    letters = [person.letter for person in people]
    return {
        "seed": seed,
        "implementations": [person._asdict() for person in people],
        "protocols": [_protocol(result, letters) for result in results],
    }


def _protocol(result: Result, letters: list[str]) -> dict[str, Any]:
    found = result.comparison
    return {
        "protocol": found.protocol,
        "frames": found.frames,
        "questions": found.questions,
        "left_out": found.left_out,
        "differing": found.differing,
        "seconds": round(found.seconds + result.exchange.seconds, 1),
        "asked": {letter: _standing(one) for letter, one in zip(letters, found.standings, strict=True)},
        "pairs": [
            {
                "between": [letters[a], letters[b]],
                "compared": pair.compared,
                "agree": pair.compared - pair.differing,
                "differ": pair.differing,
            }
            for (a, b), pair in found.pairs.items()
        ],
        "differences": [_difference(one, letters) for one in found.differences],
        "exchange": _exchange(result.exchange, letters),
    }


def _standing(one: Standing) -> dict[str, Any]:
    return {
        "asked": one.asked,
        "not_asked": dict(one.not_asked),
        "unsupported": one.unsupported,
        "stopped": one.stopped,
        "answers": dict(one.outcomes),
    }


def _difference(one: Difference, letters: list[str]) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "field": one.field,
        "count": one.count,
        "camps": [
            {"implementations": [letters[place] for place in camp.members], "says": camp.says} for camp in one.camps
        ],
        "made_small": one.small,
        "question": one.question,
        "answers": {letters[place]: answer for place, answer in one.answers.items()},
    }


def _exchange(found: Exchange, letters: list[str]) -> dict[str, Any]:
    return {
        "values": found.values,
        "written": [{"writer": letters[place], **_cell(cell)} for place, cell in enumerate(found.written)],
        "read": [
            {"writer": letters[writer], "reader": letters[reader], **_cell(cell)}
            for (writer, reader), cell in found.cells.items()
        ],
        "stopped": {letters[place]: why for place, why in found.stopped.items()},
    }


def _cell(cell: Cell) -> dict[str, Any]:
    found = cell.example
    example = None
    if found is not None:
        example = {"reason": found.reason, "question": found.question, "hex": found.hex, "answer": found.answer}
    return {"asked": cell.read, "right": cell.understood, "reasons": dict(cell.reasons), "example": example}
