"""Formatting, drafting, exporting, and what a vector depends on."""

import json
from pathlib import Path
from typing import Any

import pytest

from suite_examples import ACCEPT, REJECT, write_suite
from wireproof import codec
from wireproof.suite import Suite, SuiteError, load_suite
from wireproof.suite.check import files_of
from wireproof.suite.commented import annotated_hex
from wireproof.suite.depends import depends_on
from wireproof.suite.draft import draft_text, from_bytes, from_twin, numbered, parse_patch
from wireproof.suite.export import export
from wireproof.suite.formatting import format_file
from wireproof.suite.hextext import parse_hex
from wireproof.suite.load import File, read_files

UNTIDY = """\
# yaml-language-server: $schema=../../vector.schema.json
# Subscriptions.

- why: "a decoder that stops after one topic loses the other"
  id: COMET-SUBSCRIBE-001
  # of the same document
  clauses: [ COMET-3.8,
     COMET-3.9 ]
  title: >-
    two
    topics
  level: required
  direction: c2s
  hex: |
    000A # length 10

    03 02     # subscribe, count 2
    # the topics
    00 024061 # "@a"
    00024062  # "@b"
  expect:
     accept:
       - command: {dir: c2s, type: 3, name: "subscribe", topics: ["@a", '@b']}
# the end
"""
TIDY = """\
# yaml-language-server: $schema=../../vector.schema.json
# Subscriptions.

# of the same document
""" + ACCEPT.replace("    00 02 40 61", "    # the topics\n    00 02 40 61")


def file_of(text: str) -> File:
    return File("comet/accept/subscribe.yaml", "comet", text.encode())


def test_format_has_one_way_to_write_a_file() -> None:
    assert format_file(file_of(UNTIDY)).decode() == TIDY + "\n# the end\n"
    assert format_file(file_of(TIDY)).decode() == TIDY


@pytest.mark.parametrize("text", [ACCEPT, REJECT])
def test_what_is_tidy_stays(text: str) -> None:
    assert format_file(file_of(text)).decode() == text


def test_format_refuses_to_lose_a_comment() -> None:
    with pytest.raises(SuiteError, match=r"subscribe\.yaml:4: a comment that would be lost"):
        format_file(file_of(ACCEPT.replace("level: required", "level: required  # surely")))


def test_formatting_the_suite_twice_is_formatting_it_once() -> None:
    for _, file in files_of([]):
        once = format_file(file)
        assert format_file(file._replace(content=once)) == once, file.name


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return load_suite(write_suite(tmp_path), cached=False)


DRAFTS: list[tuple[str, str, str]] = [
    ('{set: command.length, to: "0006"}, {drop: "command.topics[1]"}', "reject", "overrun"),
    ("{cut: 7}", "reject", "truncated"),
    ('{put: "command.topics[1]", value: b}', "refuse", "invalid-value"),
]


@pytest.mark.parametrize(("patch", "kind", "error"), DRAFTS)
def test_a_draft_from_a_twin_loads_and_says_what_the_reference_says(
    suite: Suite, patch: str, kind: str, error: str
) -> None:
    drafted = numbered(from_twin(suite["COMET-SUBSCRIBE-001"], parse_patch(f"[{patch}]")), "SUBSCRIBE", suite, ())
    loaded, problems = read_files([file_of(draft_text(drafted))])
    assert problems == []
    vector = loaded["COMET-SUBSCRIBE-503"]
    assert (vector.kind, vector.expect.reject or vector.expect.refuse) == (kind, error)
    assert vector.title == vector.why == "?"


def test_a_draft_takes_no_number_that_was_ever_given(suite: Suite) -> None:
    drafted = from_bytes(codec("comet", direction="c2s"), {}, bytes.fromhex("000106"))
    assert numbered(drafted, "SUBSCRIBE", suite, ()).id == "COMET-SUBSCRIBE-002"
    assert numbered(drafted, "SUBSCRIBE", suite, ["COMET-SUBSCRIBE-002"]).id == "COMET-SUBSCRIBE-003"
    assert numbered(drafted, "HEARTBEAT", suite, ()).id == "COMET-HEARTBEAT-001"


@pytest.mark.parametrize("patch", ["{drop: nothing}", '{append: "000106"}', "{remove: command.topics}"])
def test_a_patch_that_makes_no_defect_is_told(suite: Suite, patch: str) -> None:
    with pytest.raises(SuiteError, match="COMET-SUBSCRIBE-001"):
        from_twin(suite["COMET-SUBSCRIBE-001"], parse_patch(patch))


def test_the_export_is_whole_and_always_the_same(suite: Suite) -> None:
    text = export(suite)
    assert text == export(suite)
    whole: dict[str, Any] = json.loads(text)
    assert (whole["format"], whole["count"]) == (1, 3)
    first, rejected, refused = whole["vectors"]
    assert first["hex"] == "000a03020002406100024062"
    assert rejected["expect"] == {"reject": "overrun", "offset": 8, "messages": []}
    assert refused["value"]["command"]["topics"] == ["@a", "b"]


@pytest.mark.parametrize(
    ("name", "direction", "data"),
    [
        ("comet", "c2s", "000a03020002406100024062000106"),
        ("comet", "c2s", "00ff0302"),
        ("esnp-frame", None, "13000006026b17020e0300000000"),
        ("tny", None, "746e792e0100000000"),
        ("comet", "c2s", "0103 01 00fe" + "41" * 254),
        ("esnp-frame", None, "13 0000cb 02 6b" + "1702" * 100 + "00 00000000"),
    ],
)
def test_commented_hex_is_the_same_bytes_with_a_comment_on_every_line(name: str, direction: str, data: str) -> None:
    text = annotated_hex(codec(name, direction=direction), bytes.fromhex(data))
    assert parse_hex(text) == bytes.fromhex(data)
    assert all("# " in line for line in text.splitlines())


def test_what_a_vector_depends_on(suite: Suite) -> None:
    assert depends_on(suite["COMET-SUBSCRIBE-001"]) == ["order"]


def test_a_very_long_vector_is_exported_in_parts() -> None:
    text = ACCEPT.replace("    00 0a  ", "    repeat:0Abb:70000  # too much\n    00 0a  ")
    (vector,) = json.loads(export(read_files([file_of(text)])[0]))["vectors"]
    assert vector["parts"][:2] == [["0abb", 70000], ["000a03020002406100024062", 1]]
    assert "hex" not in vector


def test_what_comes_again_and_again_is_abbreviated() -> None:
    frame = bytes.fromhex("13 0007d3 02 6b" + "1702" * 1000 + "00 00000000")
    assert "repeat:0217:998" in annotated_hex(codec("esnp-frame", profile={"max_depth": 1}), frame)
