"""The pages in docs/protocols are what the definitions say, and say all of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from wireproof.clauses import clauses
from wireproof.codec import PROTOCOLS, codec, protocol
from wireproof.document import page
from wireproof.profile import profile_file

PAGES = Path(__file__).parents[2] / "docs" / "protocols"
REFRESH = "run `wireproof docs --write docs/protocols`"

each_protocol = pytest.mark.parametrize("name", PROTOCOLS)


@each_protocol
def test_the_page_is_up_to_date(name: str) -> None:
    path = PAGES / f"{name}.md"
    assert path.is_file(), f"{path.name} is missing: {REFRESH}"
    # compared as a truth value: a diff of a thousand lines would hide what to do
    assert (path.read_text(encoding="utf-8") == page(name)) is True, f"{path.name} is out of date: {REFRESH}"


def test_there_is_no_page_too_many() -> None:
    assert {path.name for path in PAGES.iterdir()} == {f"{name}.md" for name in PROTOCOLS}


@each_protocol
def test_nothing_is_left_out(name: str) -> None:
    text = page(name)
    profile = profile_file(name)
    for clause in clauses(name).values():
        assert f"- **{clause.id}** `{clause.term}`: {clause.level}" in text
        assert clause.rule in text
    for point in profile.open_points:
        assert f"### {point.id}: {point.title}" in text
        assert point.reading in text
    for parameter in profile.parameters:
        assert f"### `{parameter.name}`" in text
    for direction in protocol(name).directions or (None,):
        for message in codec(name, direction=direction).plan.messages:
            assert re.search(rf"^### (\w+ )?{message.title}$", text, re.MULTILINE)
            for field in message.fields:
                assert f"| `{field}` |" in text


@each_protocol
def test_every_row_of_a_table_has_the_columns_of_its_header(name: str) -> None:
    for block in re.findall(r"(?:^\|.*\n)+", page(name), re.MULTILINE):
        columns = {len(re.findall(r"(?<!\\)\|", row)) for row in block.splitlines()}
        assert len(columns) == 1, block


@pytest.mark.parametrize(
    ("name", "line"),
    [
        # what a field is, under `standard` and otherwise
        ("comet", "| `secret_key` | `bytes` | 2 + n | hex | COMET-3.5 | `bytes=rest`: the rest; `bytes=int`: 4 + n |"),
        ("comet", "| `length` | `short` | 2 | COMET-2.4 | size of `content` + 1 (the rest of this head) |"),
        ("comet", "  - `order=little`: 2 bytes, unsigned, least significant first"),
        ("comet", "- `integer`: 4 bytes, unsigned, most significant first; only under `bytes=int`"),
        ("esnp-line", "| `flag` | `Int32` | 1–10 | integer | ESNPL-3.62 | `flag_int=fix32`: `FixInt32`, 4 |"),
        ("esnp-frame", "- `bodies=opaque`: `body` (`Bytes`, the rest) instead"),
        ("tny", "- bits 1 to 0: `mode`, 0 to 2, else `unknown-enum` (TNY-3.10)"),
        ("magline", "| `random` | `random` | 32 | hex | MAG-4.1 | set by `random_len` |"),
        # what can go wrong, and under which profile only
        ("esnp-line", "| `duplicate` | `duplicates=reject` |  | something that may occur once occurs again |"),
    ],
)
def test_a_line_of_a_page(name: str, line: str) -> None:
    assert line in page(name).splitlines()
