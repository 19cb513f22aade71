"""What a user takes along from a disagreement: a test to paste, and the line that repeats it."""

from __future__ import annotations

import json
import pprint
import shlex
from textwrap import indent
from typing import Any, Final

from wireproof.suite.commented import printable
from wireproof_harness.generated.asking import Exchange, without_id
from wireproof_harness.target import Target

ROOM: Final = 100
SNIPPET: Final = '''\
import os

from wireproof_harness.generated.comparison import difference, rules_of
from wireproof_harness.peer import peer

IMPLEMENTATION = os.environ.get("WIREPROOF_IMPL", {target!r})
QUESTION = {question}
RIGHT = {right}


def test_{name}() -> None:
    """{title}"""
    implementation = peer(IMPLEMENTATION)
    try:
        (answer,) = implementation.ask([{{"id": 1, **QUESTION}}])
    finally:
        implementation.close()
    found = difference(QUESTION, RIGHT, answer, rules_of(implementation.claims, QUESTION["protocol"]))
    assert not found.kind, f"{{found.kind}} {{found.words}}: {{answer}}"
'''


def snippet(exchange: Exchange, target: Target, number: int) -> str:
    """A test that stands by itself: it fails as long as the implementation answers otherwise."""
    question = _ordered(exchange)
    right = {form: _plain(body) for form, body in without_id(exchange.right).items()}
    return SNIPPET.format(
        target=target.text,
        question=_literal(question),
        right=_literal(right),
        name=f"{question['protocol'].replace('-', '_')}_generated_{number:03}",
        title=printable(exchange.finding.kind).replace("\\", "/").replace('"', "'"),
    )


def _plain(body: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in body.items() if key != "detail"}


def _literal(value: Any) -> str:
    if len(line := repr(value)) <= ROOM:
        return line
    return f"(\n{indent(pprint.pformat(value, width=ROOM, sort_dicts=False), '    ')}\n)"


def _ordered(exchange: Exchange) -> dict[str, Any]:
    """The keys as the contract lists them."""
    question = exchange.question
    first = {key: question[key] for key in ("op", "protocol", "direction", "profile") if key in question}
    return first | without_id(question)


def repeat_command(exchange: Exchange, target: Target) -> str:
    """The line that asks this question alone."""
    words = target.text if target.text.startswith("--listen") else shlex.quote(target.text)
    return f"wireproof check {words} --ask {shlex.quote(json.dumps(_ordered(exchange)))}"
