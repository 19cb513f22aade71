"""The JSON Schema and the loader agree on what a vector file looks like."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from small_json_schema import valid
from suite_examples import ACCEPT, REJECT
from wireproof.suite.load import File, load_suite, read_files, suite_folder
from wireproof.suite.schema import schema, schema_text

# What one replacement makes of a good file, and whether the file is still good.
EXAMPLES = [
    ("", "", True),
    ("title: two topics", "title: two topics.", False),
    ("title: two topics", "title: 12", False),
    ("title: two topics", "name: two topics", False),
    ("title: two topics", "title: two topics\n  family: F6", True),
    ("COMET-SUBSCRIBE-001\n  title", "COMET-001\n  title", True),
    ("COMET-SUBSCRIBE-001\n  title", "COMET-SUBSCRIBE-1\n  title", False),
    ("COMET-SUBSCRIBE-001\n  title", "BOGUS-SUBSCRIBE-001\n  title", False),
    ("[COMET-3.8, COMET-3.9]", "[]", False),
    ("[COMET-3.8, COMET-3.9]", "[COMET-3.8, COMET-S14]", True),
    ("[COMET-3.8, COMET-3.9]", "[COMET-3.8, COMET-3.8]", False),
    ("[COMET-3.8, COMET-3.9]", "[comet 3.8]", False),
    ("level: required", "level: optional", False),
    ("direction: c2s", "direction: up", False),
    ("direction: c2s", "direction: c2s\n  profile: {order: little}", True),
    ("direction: c2s", "direction: c2s\n  profile: {}", False),
    ("00 0a  ", "00 0  ", False),
    ("00 0a  ", "000A  ", True),
    ("00 0a  ", "repeat:00:2 ", True),
    ("00 0a  ", "repeat:00:0 ", False),
    ("00 0a  ", "0x0a  ", False),
    ("{accept: [", "{accept: [1, ", False),
    ("{accept: [", "{offset: 1, accept: [", False),
    ("reject: overrun", "reject: overun", False),
    ("reject: overrun, offset: 8", "reject: overrun", False),
    ("reject: overrun, offset: 8", "reject: overrun, offset: -1", False),
    ("reject: overrun, offset: 8", "reject: overrun, offset: 8, messages: []", True),
    ("{refuse: invalid-value}", "{refuse: invalid-value, offset: 0}", False),
    ("made: hand", "made: hand\n  canonical: false", True),
    ("made: hand", "made: hand\n  canonical: 0", False),
    ("made: hand", "made: hand\n  twin: COMET-SUBSCRIBE-001", False),
    ("made: patched", "canonical: true", False),
    ("  twin: COMET-SUBSCRIBE-001\n", "", False),
    ("value: {command", "hex: ''\n  value: {command", False),
    ('[{set: command.length, to: "0006"}, ', "[", True),
    ('to: "0006"', 'to: "006"', False),
    ('to: "0006"', "to: 6", False),
    ("{drop:", "{dorp:", False),
    ("{drop:", "{cut: 3}, {drop:", True),
    ("{drop:", "{cut: -3}, {drop:", False),
    ("{drop:", '{at: 3, set: "00"}, {drop:', True),
    ("{drop:", '{append: "00", at: 3}, {drop:', False),
    ("why: a decoder that stops after one topic loses the other", 'why: " blank first"', False),
]


def by_schema(text: str) -> bool:
    content: Any = yaml.safe_load(text)
    return valid(schema(), content, schema())


def by_loader(text: str) -> bool:
    return not read_files([File("comet/accept/subscribe.yaml", "comet", text.encode())])[1]


@pytest.mark.parametrize(("old", "new", "good"), EXAMPLES, ids=[f"{old} > {new}" for old, new, _ in EXAMPLES])
def test_schema_and_loader_say_the_same(old: str, new: str, good: bool) -> None:
    text = ACCEPT + REJECT
    assert old in text
    text = text.replace(old, new)
    assert (by_loader(text), by_schema(text)) == (good, good)


def test_the_schema_in_the_suite_is_the_one_the_loader_gives() -> None:
    assert suite_folder().joinpath("vector.schema.json").read_text(encoding="utf-8") == schema_text()


def test_every_file_of_the_suite_fits_the_schema() -> None:
    root = Path(str(suite_folder()))
    for name in sorted({vector.file for vector in load_suite().vectors}):
        loaded = yaml.load((root / name).read_bytes(), Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        assert valid(schema(), loaded, schema()), name
