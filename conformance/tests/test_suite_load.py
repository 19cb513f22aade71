"""A broken vector file stops the suite, with the file, the line and a way out."""

from pathlib import Path

import pytest

from suite_examples import ACCEPT, REJECT, write_suite
from wireproof.suite import SuiteError, load_suite
from wireproof.suite.strictyaml import DEEPEST, LARGEST_FILE

BLOCK = ACCEPT[ACCEPT.index("hex:") : ACCEPT.index("  expect:")]
# What is replaced in the file of accepted vectors, by what, the line complained about, and words of the complaint.
SPOILED = [
    ("00 0a  ", "00 0  ", 7, "odd number of hex digits"),
    ("40 61  #", "40 6x  #", 9, "'6x' is not hex"),
    ("00 0a  ", "repeat:00:0", 7, "repeat:HEX:COUNT"),
    ("00 0a  ", "repeat:00:999999999", 7, "more than"),
    (BLOCK, "hex: 0011\n", 6, "0011 may be a number or a word"),
    (BLOCK, "hex: 11\n", 6, "hex: hex is not a string"),
    ("title: two topics", "title: 12", 2, "title: a number"),
    ("title: two topics", "title: yes", 2, "may be a number or a word"),
    ("title: two topics", "title: two topics.", 2, "full stop"),
    ("title: two topics", "tittle: two topics", 2, "the unknown key 'tittle'"),
    ("title: two topics", "id: COMET-SUBSCRIBE-002", 2, "the key 'id' a second time"),
    ("  title: two topics\n", "", 1, "the key 'title' is missing"),
    ("COMET-SUBSCRIBE-001", "comet-subscribe-1", 1, "is malformed"),
    ("COMET-SUBSCRIBE-001", "COMET-SUBSCRIBE-٠٠١", 1, "is malformed"),
    ("COMET-SUBSCRIBE-001", "TNY-SUBSCRIBE-001", 1, "in a file of comet"),
    ("[COMET-3.8, COMET-3.9]", "[]", 3, "clauses"),
    ("[COMET-3.8, COMET-3.9]", "[COMET-3.8, COMET-3.8]", 3, "twice"),
    ("level: required", "level: must", 4, "none of required"),
    ("  direction: c2s\n", "", 1, "comet has two directions"),
    ("direction: c2s", "profile: {colour: red}\n  direction: c2s", 5, "no parameter 'colour'"),
    ("{accept: [", "{acept: [", 11, "three forms"),
    ("topics: [", "topics: &a [", 11, "the anchor &a"),
    ("topics: [", "topics: !!set [", 11, "the tag"),
    ('"@b"]', "*b]", 11, "the alias *b"),
    ("made: hand", "made: by hand", 12, "made: 'by hand'"),
    ("made: hand", "canonical: 0", 12, "not true or false"),
    ("made: hand", "twin: COMET-SUBSCRIBE-003", 12, "has no twin"),
    ("why: a", "why: |\n    a\n    b", 14, "not one line"),
    ("topics: [", "topics: [" + DEEPEST * "[", 11, "nested deeper"),
    ("topics: [", "topics: {", 11, "not YAML"),
    ("- id", "id", 1, "not a list"),
    (ACCEPT, "# nothing yet\n", 1, "no vectors"),
    (ACCEPT, "- 1\n", 1, "not a vector"),
    (ACCEPT, f"{ACCEPT}---\n{ACCEPT}", 14, "second document"),
]


@pytest.mark.parametrize(("old", "new", "line", "words"), SPOILED, ids=[words for *_, words in SPOILED])
def test_a_spoiled_file_is_refused_at_its_line(tmp_path: Path, old: str, new: str, line: int, words: str) -> None:
    assert old in ACCEPT
    root = write_suite(tmp_path, ACCEPT.replace(old, new))
    with pytest.raises(SuiteError) as caught:
        load_suite(root, cached=False)
    own = [problem for problem in caught.value.problems if problem.file == "comet/accept/subscribe.yaml"]
    assert [problem for problem in own if problem.line == line and words in problem.problem], own
    assert all(problem.advice for problem in own)
    assert f"comet/accept/subscribe.yaml:{line}: " in str(caught.value)


def complaint(root: Path) -> str:
    with pytest.raises(SuiteError) as caught:
        load_suite(root, cached=False)
    return str(caught.value)


def test_all_problems_of_all_files_are_told_at_once(tmp_path: Path) -> None:
    accept = ACCEPT.replace("two topics", "two topics.").replace("level: required", "level: must")
    told = complaint(write_suite(tmp_path, accept, REJECT.replace("overrun", "overun")))
    assert [line.partition(": ")[0] for line in told.splitlines()] == [
        "comet/accept/subscribe.yaml:2",
        "comet/accept/subscribe.yaml:4",
        "comet/reject/subscribe.yaml:10",
    ]


def test_an_id_is_given_once(tmp_path: Path) -> None:
    told = complaint(write_suite(tmp_path, ACCEPT + ACCEPT))
    assert "comet/accept/subscribe.yaml:14: the id COMET-SUBSCRIBE-001 a second time" in told
    assert "comet/accept/subscribe.yaml:1;" in told


def test_a_twin_exists(tmp_path: Path) -> None:
    told = complaint(
        write_suite(tmp_path, reject=REJECT.replace("twin: COMET-SUBSCRIBE-001", "twin: COMET-SUBSCRIBE-009"))
    )
    assert "comet/reject/subscribe.yaml:11: the twin COMET-SUBSCRIBE-009 does not exist" in told


def test_a_rejection_has_a_twin_and_a_patch(tmp_path: Path) -> None:
    told = complaint(write_suite(tmp_path, reject=REJECT.replace("  twin: COMET-SUBSCRIBE-001\n", "", 1)))
    assert "comet/reject/subscribe.yaml:1: no twin or no patch" in told


def test_a_huge_file_is_not_even_parsed(tmp_path: Path) -> None:
    assert "Split it by topic" in complaint(write_suite(tmp_path, b"#" * (LARGEST_FILE + 1)))


def test_a_file_that_is_not_utf8_is_refused_at_the_line_of_the_bad_byte(tmp_path: Path) -> None:
    assert "subscribe.yaml:2: not UTF-8" in complaint(
        write_suite(tmp_path, ACCEPT.encode().replace(b"two topics", b"\xff"))
    )


def test_an_alias_bomb_does_not_go_off(tmp_path: Path) -> None:
    bomb = "- &a [x, x, x, x]\n" + "".join(
        f"- &{name} [{', '.join(4 * ['*' + before])}]\n"
        for before, name in zip("abcdefghijkl", "bcdefghijklm", strict=True)
    )
    assert "the alias *a" in complaint(write_suite(tmp_path, bomb))


def test_a_file_of_another_kind_is_not_overlooked(tmp_path: Path) -> None:
    write_suite(tmp_path).joinpath("comet", "accept", "more.yml").write_text(ACCEPT)
    assert "comet/accept/more.yml:1: not a .yaml file" in complaint(tmp_path)


def test_a_sound_suite_is_there_with_its_places(tmp_path: Path) -> None:
    suite = load_suite(
        write_suite(tmp_path, "# yaml-language-server: $schema=../../vector.schema.json\n" + ACCEPT), cached=False
    )
    assert len(suite) == 3
    vector = suite["COMET-SUBSCRIBE-001"]
    assert vector.data == bytes.fromhex("000a03020002406100024062")
    assert (vector.file, vector.line, vector.line_of("hex")) == ("comet/accept/subscribe.yaml", 2, 7)
    assert suite["COMET-SUBSCRIBE-502"].message["command"]["topics"] == ["@a", "b"]


@pytest.mark.parametrize(
    ("written", "meant"),
    [("repeat:ab:3", "ababab"), ("@repeat:a:2;7", "@aa7"), ("surrogate:d800;x", "\ud800x"), ("repeat: 3", "repeat: 3")],
)
def test_tokens_in_values_are_written_out(tmp_path: Path, written: str, meant: str) -> None:
    suite = load_suite(write_suite(tmp_path, reject=REJECT.replace('"@a", b', f'"{written}"')), cached=False)
    assert suite["COMET-SUBSCRIBE-502"].message["command"]["topics"] == [meant]
