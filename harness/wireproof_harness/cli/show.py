"""`wireproof show` and `wireproof explain`: one vector, byte by byte, and the reasons behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

import click

from wireproof_harness.cli.dump import Line, dump
from wireproof_harness.cli.list import summary
from wireproof_harness.cli.options import as_json, colored
from wireproof_harness.cli.suite import vector_named, whole_suite
from wireproof_harness.terminal import Screen, Segment, entry, json_line

if TYPE_CHECKING:
    from wireproof.suite.model import Vector

LONGEST_MESSAGE: Final = 1200


@click.command()
@click.argument("name", metavar="ID")
@as_json
@colored
def show(name: str, as_json: bool, color: bool | None) -> None:
    """Show a vector: its annotated bytes, the one right answer, and where it comes from.

    \b
    wireproof show COMET-SUBSCRIBE-001
    """
    vector = vector_named(whole_suite(), name)
    screen = Screen(color)
    if as_json:
        screen.json(_as_json(vector))
    else:
        screen.lines(shown(vector, screen.width))


@click.command()
@click.argument("name", metavar="ID")
@as_json
@colored
def explain(name: str, as_json: bool, color: bool | None) -> None:
    """Explain a vector: what `show` shows, its twin beside it, the rules behind it, and common causes.

    \b
    wireproof explain COMET-SUBSCRIBE-501
    """
    from wireproof_harness.cli.explanation import as_json as json_form
    from wireproof_harness.cli.explanation import explained

    suite = whole_suite()
    vector = vector_named(suite, name)
    screen = Screen(color)
    if as_json:
        screen.json(_as_json(vector) | json_form(vector, suite))
    else:
        screen.lines(shown(vector, screen.width))
        screen.lines(explained(vector, suite, screen.width))


def _as_json(vector: Vector) -> dict[str, Any]:
    """The vector with everything written out."""
    answer = {"refuse": vector.expect.refuse} if vector.kind == "refuse" else vector.answer
    asked = {"value": vector.message} if vector.kind == "refuse" else {"hex": vector.data.hex()}
    return summary(vector) | asked | {"expect": answer, "patch": vector.patch, "why": vector.why}


def shown(vector: Vector, width: int) -> Iterator[Line]:
    """A vector for people."""
    from wireproof.annotate import annotate

    yield [Segment(vector.id, "heading"), Segment(f"  {vector.title}")]
    yield from entry("asked of", _asked_of(vector), width)
    yield from entry("level", vector.level, width)
    yield from entry("clauses", ", ".join(vector.clauses), width)
    yield from entry("made", _provenance(vector), width)
    yield from entry("file", f"{vector.file}:{vector.line}", width)
    yield []
    if vector.kind == "refuse":
        yield from entry("value", message_text(vector.value), width)
    else:
        codec = vector.codec
        yield from dump(vector.data, annotate(codec, codec.trace(vector.data)), width)
    yield []
    yield from _expected(vector, width)
    yield from entry("why", vector.why, width)


def _asked_of(vector: Vector) -> str:
    profile = ", ".join(f"{name}={value}" for name, value in vector.profile.items())
    side = "an encoder" if vector.kind == "refuse" else "a decoder"
    both = " and an encoder" if vector.kind == "accept" and vector.canonical else ""
    return f"{side}{both} of {vector.protocol} {vector.direction}".rstrip() + f", profile {profile or 'standard'}"


def _provenance(vector: Vector) -> str:
    words = {"hand": "written by hand", "patched": "derived by its patch", "generated": "generated, then reviewed"}
    family = f", family {vector.family}" if vector.family else ""
    return f"{words[vector.made]}{f', from {vector.twin}' if vector.twin else ''}{family}"


def _expected(vector: Vector, width: int) -> Iterator[Line]:
    from wireproof.suite.wording import expectation_words

    role = "good" if vector.kind == "accept" else "fault"
    yield [Segment("  expected  ", "label"), Segment(expectation_words(vector), role)]
    for message in vector.expect.messages if vector.expect.accept is None else vector.expect.accept:
        yield from entry("", message_text(message), width)
    if vector.kind == "accept" and not vector.canonical:
        yield from entry("", "an encoder writes it differently", width)


def message_text(message: Any) -> str:
    text = json_line(message, "utf-8")
    return text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "... (whole with --json)"
