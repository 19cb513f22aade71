"""The examples of docs/contract.md are what the reference answers."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from wireproof_harness.compare import kind_of_difference
from wireproof_harness.reference import answer

PAGE = (Path(__file__).parents[2] / "docs" / "contract.md").read_text(encoding="utf-8")
BLOCK = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[0]
PAIRS = [tuple(map(json.loads, pair.splitlines())) for pair in BLOCK.strip().split("\n\n")]


@pytest.mark.parametrize(("question", "shown"), PAIRS, ids=lambda line: str(line.get("op", "answer")))
def test_an_example_of_the_page(question: dict[str, object], shown: dict[str, object]) -> None:
    given = answer(question)
    assert given.keys() == shown.keys()
    if question["op"] == "hello":
        return  # another implementation says other things of itself
    assert kind_of_difference(question, given, shown) == ""
