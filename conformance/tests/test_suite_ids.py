"""Ids never change: a rename, a removal, a second use or a silent change does not pass."""

from pathlib import Path

import pytest

from suite_examples import ACCEPT, REJECT, write_suite
from wireproof.suite import SuiteError, load_suite
from wireproof.suite.check import check, record_ids, recorded, root_folder
from wireproof.suite.ids import LOCK, RETIRED, read_lock, unrecorded


@pytest.fixture
def root(tmp_path: Path) -> Path:
    write_suite(tmp_path)
    record_ids([tmp_path], [])
    return tmp_path


def told(root: Path) -> list[str]:
    return [f"{problem.file}:{problem.line} {problem.problem}" for problem in check([root]).problems]


def test_what_is_recorded_passes(root: Path) -> None:
    assert told(root) == []


@pytest.mark.parametrize(("old", "new"), [("two topics", "a pair of topics"), ('# "@b"', "# the second topic")])
def test_words_may_be_improved(root: Path, old: str, new: str) -> None:
    write_suite(root, ACCEPT.replace(old, new))
    assert told(root) == []


def test_a_silent_change_is_told(root: Path) -> None:
    write_suite(root, ACCEPT.replace("40 62", "40 63").replace("@b", "@c"))
    assert told(root)[0].startswith("comet/accept/subscribe.yaml:1 COMET-SUBSCRIBE-001 means something else")


def test_a_rename_is_told(root: Path) -> None:
    write_suite(root, ACCEPT.replace("-001", "-002"), REJECT.replace("-001", "-002"))
    assert told(root) == ["ids.lock:2 the vector COMET-SUBSCRIBE-001 is gone"]


def test_a_removal_is_told_until_it_is_accepted_and_the_id_never_comes_back(root: Path) -> None:
    only_first = REJECT[: REJECT.index("\n- id")]
    write_suite(root, reject=only_first)
    assert told(root) == ["ids.lock:4 the vector COMET-SUBSCRIBE-502 is gone"]
    record_ids([root], ["COMET-SUBSCRIBE-502"])
    assert recorded(root)["COMET-SUBSCRIBE-502"].digest == RETIRED
    assert told(root) == []
    write_suite(root)
    assert told(root) == ["comet/reject/subscribe.yaml:16 the id COMET-SUBSCRIBE-502 was withdrawn"]


def test_recording_adds_and_leaves_the_rest_alone(root: Path) -> None:
    before = recorded(root)
    changed = ACCEPT.replace("40 62", "40 63").replace("@b", "@c")
    added = ACCEPT.replace("-001", "-002").replace("two topics", "again").replace("a decoder", "one")
    write_suite(root, changed + added)
    assert record_ids([root], []) == 1
    assert recorded(root)["COMET-SUBSCRIBE-001"].digest == before["COMET-SUBSCRIBE-001"].digest
    record_ids([root], ["COMET-SUBSCRIBE-001"])
    assert recorded(root)["COMET-SUBSCRIBE-001"].digest != before["COMET-SUBSCRIBE-001"].digest


def test_only_what_is_recorded_can_be_accepted(root: Path) -> None:
    with pytest.raises(SuiteError, match="COMET-SUBSCRIBE-009 is not recorded"):
        record_ids([root], ["COMET-SUBSCRIBE-009"])


@pytest.mark.parametrize("line", ["COMET-A-001", "COMET-A-001 1234", "COMET-A-001 retired\nCOMET-A-001 retired"])
def test_a_damaged_record_is_told(line: str) -> None:
    with pytest.raises(SuiteError, match=LOCK):
        read_lock(line)


def test_every_id_of_the_suite_is_recorded_and_means_what_it_meant() -> None:
    lock = recorded(root_folder())
    new = [vector.id for vector in unrecorded(load_suite().vectors, lock)]
    assert new == [], "record new vectors with `wireproof vectors lint --record`"
