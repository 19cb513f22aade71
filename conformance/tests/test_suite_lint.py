"""Every rule of the linter: a small suite with one thing wrong, and what is said about it."""

from pathlib import Path

import pytest

from suite_examples import ACCEPT, REJECT, write_suite
from wireproof.suite.check import check

COUNT = "Count says two,  one topic follows"
# What is replaced in which half of the suite, the place complained about, and words of the complaint.
WRONG = [
    ("accept", "[COMET-3.8, COMET-3.9]", "[COMET-3.8, COMET-9.9]", "accept/subscribe.yaml:3", "no clause COMET-9.9"),
    ("accept", "[COMET-3.8, COMET-3.9]", "[TNY-1.1]", "accept/subscribe.yaml:3", "no clause TNY-1.1"),
    ("accept", "[COMET-3.8, COMET-3.9]", "[COMET-S14]", "accept/subscribe.yaml:3", "only open points"),
    ("accept", "[COMET-3.8,", "[COMET-S08, COMET-3.8,", "accept/subscribe.yaml:4", "although it cites the open point"),
    ("accept", "made: hand", "profile: {ts: unsigned}", "accept/subscribe.yaml:4", "changed parameter"),
    ("accept", '  # "@a"', "", "accept/subscribe.yaml:9", "no comment after '00 02 40 61'"),
    ("accept", '["@a", "@b"]', '["@a"]', "accept/subscribe.yaml:11", "the reference answers"),
    ("accept", "made: hand", "canonical: false", "accept/subscribe.yaml:12", "it encodes back to its bytes"),
    ("accept", "title: two topics", 'title: "?"', "accept/subscribe.yaml:2", "the title is still to be written"),
    ("reject", "offset: 8", "offset: 7", "reject/subscribe.yaml:10", '"offset": 8'),
    ("reject", "overrun", "truncated", "reject/subscribe.yaml:10", "the reference answers"),
    ("reject", 'to: "0006"', 'to: "0007"', "reject/subscribe.yaml:12", "the patch makes 00 07"),
    ("reject", "topics[1]", "topics[2]", "reject/subscribe.yaml:12", "no field 'command.topics[2]'"),
    ("reject", "twin: COMET-SUBSCRIBE-001", "twin: COMET-SUBSCRIBE-501", "reject/subscribe.yaml:11", "not accepted"),
    ("reject", "twin: COMET-SUBSCRIBE-001", "twin: COMET-SUBSCRIBE-009", "reject/subscribe.yaml:11", "does not exist"),
    ("reject", "invalid-value", "unknown-type", "reject/subscribe.yaml:22", "the reference says invalid-value"),
    ("reject", ", b]}}", ', "@c"]}}', "reject/subscribe.yaml:22", "the reference writes"),
    ("reject", ", b]}}", ", 7]}}", "reject/subscribe.yaml:21", "not the shape of a message"),
    ("reject", "value: b}]", "value: c}]", "reject/subscribe.yaml:24", "the patch makes"),
    ("reject", "a topic without its mark", COUNT, "reject/subscribe.yaml:17", "same title"),
    ("reject", "an encoder that does not look writes a topic that nobody can be subscribed to",
     "a decoder that stops after one topic loses the other", "reject/subscribe.yaml:26", "the same why"),
]  # fmt: skip


@pytest.mark.parametrize(("half", "old", "new", "place", "words"), WRONG, ids=[words for *_, words in WRONG])
def test_what_is_wrong_is_told(tmp_path: Path, half: str, old: str, new: str, place: str, words: str) -> None:
    texts = {"accept": ACCEPT, "reject": REJECT}
    assert old in texts[half]
    texts[half] = texts[half].replace(old, new)
    problems = check([write_suite(tmp_path, **texts)]).problems
    assert [
        problem
        for problem in problems
        if f"{problem.file}:{problem.line}" == f"comet/{place}" and words in problem.problem
    ], problems


def test_nothing_is_wrong_with_a_sound_suite(tmp_path: Path) -> None:
    checked = check([write_suite(tmp_path)])
    assert (len(checked.vectors), checked.problems) == (3, [])


def test_the_twin_of_a_single_file_is_found_in_the_others(tmp_path: Path) -> None:
    checked = check([write_suite(tmp_path) / "comet" / "reject" / "subscribe.yaml"])
    assert (len(checked.vectors), checked.problems) == (2, [])


def test_another_file_that_is_broken_is_not_complained_about(tmp_path: Path) -> None:
    root = write_suite(tmp_path)
    (root / "comet" / "accept" / "other.yaml").write_text("- id: half a vec")
    assert check([root / "comet" / "reject" / "subscribe.yaml"]).problems == []
    assert check([root]).problems != []


def test_a_padded_form_is_not_canonical(tmp_path: Path) -> None:
    folder = tmp_path / "esnp-frame" / "accept"
    folder.mkdir(parents=True)
    (folder / "bool.yaml").write_text("""\
- id: ESNPF-BOOL-001
  title: two is true
  clauses: [ESNPF-3.1]
  level: required
  hex: |
    13 00 00 04  # HEADER, four bytes
    02 6b        # key "k"
    01 02        # Bool 2
    00 00 00 00  # END
  expect: {accept: [{frames: [{type: 19, name: HEADER, key: k, value: {t: bool, v: true}}]}]}
  why: a decoder that compares with one reads false
""")
    assert "it encodes to 13000004026b010100000000" in check([tmp_path]).problems[0].problem
