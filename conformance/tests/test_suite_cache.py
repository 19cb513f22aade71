"""The cache makes loading fast and never wrong."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from suite_examples import ACCEPT, write_suite
from wireproof.suite import SuiteError, cache, load_suite, strictyaml
from wireproof.suite.model import Suite


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv(cache.OFF, raising=False)
    return tmp_path / "cache" / "wireproof"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return write_suite(tmp_path / "suite")


def never_parse(*_: object) -> None:
    raise AssertionError("the files were parsed again")


def test_the_second_time_nothing_is_parsed(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_suite(root)
    monkeypatch.setattr(strictyaml.Reader, "read", never_parse)
    assert load_suite(root) == first


def test_a_changed_file_is_read_again(root: Path) -> None:
    load_suite(root)
    write_suite(root, ACCEPT.replace("two topics", "a pair of topics"))
    assert load_suite(root)["COMET-SUBSCRIBE-001"].title == "a pair of topics"


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, -1])
def test_a_cut_entry_is_not_believed(root: Path, kept: Path, length: int) -> None:
    whole = load_suite(root)
    (entry,) = kept.iterdir()
    entry.write_bytes(entry.read_bytes()[:length])
    assert load_suite(root) == whole


def test_an_entry_with_any_other_byte_is_not_believed(root: Path, kept: Path) -> None:
    whole = load_suite(root)
    (entry,) = kept.iterdir()
    content = entry.read_bytes()
    for position in range(0, len(content), 97):
        entry.write_bytes(content[:position] + bytes([content[position] ^ 1]) + content[position + 1 :])
        assert load_suite(root) == whole


def test_the_entry_of_another_suite_is_not_believed(root: Path, kept: Path) -> None:
    whole = load_suite(root)
    other = msgspec.structs.replace(whole, vectors=[], digest="0" * 64)
    cache.write(other)
    cache.entry(other.digest).replace(cache.entry(whole.digest))
    assert load_suite(root) == whole


def test_a_broken_suite_is_never_kept(root: Path, kept: Path) -> None:
    write_suite(root, ACCEPT.replace("title", "tittle"))
    for _ in range(2):
        with pytest.raises(SuiteError):
            load_suite(root)
    assert not kept.exists()


def test_many_writers_leave_one_whole_entry(root: Path, kept: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        suites = list(pool.map(lambda _: load_suite(root), range(32)))
    assert all(suite == suites[0] for suite in suites)
    assert [path.name for path in kept.iterdir()] == [cache.entry(suites[0].digest).name]
    assert cache.read(suites[0].digest) == suites[0]


def test_old_entries_go(kept: Path) -> None:
    for number in range(cache.KEPT + 3):
        cache.write(Suite([], f"{number:064}"))
    assert len(list(kept.iterdir())) == cache.KEPT


def test_without_a_place_to_write_loading_still_works(root: Path, kept: Path) -> None:
    kept.parent.mkdir(parents=True)
    kept.write_text("a file where the folder should be")
    assert len(load_suite(root)) == 3


def test_the_suite_itself_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = load_suite()
    monkeypatch.setattr(strictyaml.Reader, "read", never_parse)
    assert load_suite().vectors == first.vectors
