"""`wireproof corpus` as its users have it: what it prints, its exit codes, and what it leaves alone."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.standalone import NO_AT_SIGN, kit
from wireproof_harness.cli import main

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.corpus.store import Corpus

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]


class Said(NamedTuple):
    code: int
    out: str
    err: str


class Command:
    """`wireproof corpus` in this process, on the session that is there."""

    def __init__(self, capsys: pytest.CaptureFixture[str]) -> None:
        self.capsys = capsys

    def __call__(self, words: str) -> Said:
        self.capsys.readouterr()
        code = main(["corpus", *shlex.split(words)])
        return Said(code, *self.capsys.readouterr())

    def told(self, words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self(f"{words} --format json").out)
        return found


@pytest.fixture
def corpus_command(
    spark: SparkSession, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Command:
    @contextmanager
    def kept(*_: object, **__: object) -> Iterator[SparkSession]:
        yield spark

    monkeypatch.setattr("wireproof_reports.spark.session.spark_session", kept)
    monkeypatch.chdir(tmp_path)
    return Command(capsys)


@pytest.fixture
def small(comet_corpus: Corpus, tmp_path: Path) -> Path:
    """A copy of the corpus, to be damaged."""
    shutil.copytree(comet_corpus.path, tmp_path / "small")
    return tmp_path / "small"


def test_from_generating_to_the_bug(corpus_command: Command, tmp_path: Path) -> None:
    made = corpus_command("generate frames -n 2000 --protocol comet")
    assert (made.code, made.err) == (0, "")
    assert made.out.startswith("2,000 frames in frames, ")

    decoded = corpus_command("matrix frames")
    assert (decoded.code, decoded.err) == (0, "")
    assert "2,000 frames decoded, " in decoded.out
    counted = corpus_command("matrix frames --format json").out.splitlines()
    assert sum(json.loads(row)["frames"] for row in counted) == 2000

    kit(tmp_path / "kit", replace=NO_AT_SIGN)
    said = corpus_command("check frames --impl reference --impl buggy=kit/wireproof.toml")
    assert (said.code, said.err) == (1, "")
    assert "breaks COMET-1.21" in said.out
    assert "\n  expected  reject invalid-value at byte " in said.out
    assert "\n  agrees    wireproof reference\n" in said.out
    assert "they do not agree: 2,000 frames, 2 implementations, " in said.out

    (again, *_) = [line for line in said.out.splitlines() if line.startswith("  again")]
    _, wireproof, *words = shlex.split(again)
    assert wireproof == "wireproof"
    main(words)
    assert "they disagree: decode: invalid-value / " in corpus_command.capsys.readouterr().out


def test_the_corpus_is_plain_parquet(corpus_command: Command, tmp_path: Path) -> None:
    import pyarrow.parquet as pq

    told = corpus_command.told("generate frames -n 600 --seed 3 --partitions 2")
    table = pq.read_table(tmp_path / "frames" / "frames")
    assert table.num_rows == told["frames"] == sum(told["files"].values()) == 600
    rows = table.to_pylist()
    assert sorted(row["frame"] for row in rows) == list(range(600))
    for row in rows:
        broken = row["kind"] == "mutated"
        assert (bool(row["clause"]), bool(row["error"]), bool(row["mutation"])) == (broken, broken, broken), row
        ((form, content),) = json.loads(row["answer"]).items()
        assert form == ("reject" if broken else "ok")
        assert not broken or content["error"] == row["error"]
    assert {path.name for path in (tmp_path / "frames").iterdir()} == {"corpus.json", "frames"}


@pytest.mark.parametrize(
    ("words", "column", "found"),
    [
        ("--direction c2s", "direction", {"c2s"}),
        ("--direction s2c", "direction", {"s2c"}),
        ("--message subscribe --message message", "message", {"subscribe", "message"}),
        ("--kind valid --kind boundary", "kind", {"valid", "boundary"}),
        ("--message heartbeat --kind valid --set comet.order=little", "data", {b"\1\0\6"}),
    ],
)
def test_only_what_was_asked_for(
    corpus_command: Command, spark: SparkSession, tmp_path: Path, words: str, column: str, found: set[Any]
) -> None:
    assert corpus_command(f"generate some -n 300 --protocol comet {words}").code == 0
    rows = spark.read.parquet(str(tmp_path / "some" / "frames")).select(column).distinct().collect()
    assert {bytes(row[0]) if column == "data" else row[0] for row in rows} == found


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("generate x --protocol comett", "'comett' is not one of"),
        ("generate x --protocol comet --message nothing", "there is no message 'nothing'"),
        ("generate x -n 0", "0 is not in the range"),
        ("generate x --conf spark.ui", "write --conf spark.KEY=VALUE"),
        ("generate x --set comet.order=sideways", "sideways"),
        ("matrix nowhere", "there is no corpus nowhere: make one with"),
        ("matrix empty", "empty is no corpus: it has no corpus.json"),
        ("check small", "Missing option '--impl'"),
        ("check small --impl nowhere.toml", "nowhere.toml cannot be read"),
        ("check small --impl a=reference --impl a=reference", "two implementations are called a"),
        ("check small --impl reference --out small", "holds something that is no check"),
    ],
)
def test_a_wrong_word(corpus_command: Command, small: Path, words: str, told: str) -> None:
    (small.parent / "empty").mkdir()
    said = corpus_command(words)
    assert said.code == 2
    assert told in " ".join(said.err.split())
    assert not said.out
    assert not (small.parent / "x").exists()


def test_an_implementation_that_does_not_start(corpus_command: Command, small: Path) -> None:
    said = corpus_command("check small --impl ./nothing-here")
    assert said.code == 3
    assert "./nothing-here" in said.err


def test_what_cannot_be_read_is_told_and_not_counted(corpus_command: Command, small: Path) -> None:
    (lost, cut, *_) = sorted((small / "frames").glob("*.parquet"))
    lost.unlink()
    cut.write_bytes(cut.read_bytes()[:-5])
    for words in ("matrix small", "check small --impl reference"):
        said = corpus_command(words)
        assert said.code == 5
        assert "1,500" in said.out
        assert f"{lost.name}: it is missing" in said.err
        assert f"{cut.name}: it does not end as Parquet does" in said.err
        assert said.err.count("NOT READ: ") == 2
        if words.startswith("check"):
            assert "incomplete: 2,000 frames" in said.out
            assert "wireproof reference was not asked about 500 of 2,000 frames, which cannot be read" in said.out


def test_generate_replaces_its_own_alone(corpus_command: Command, small: Path) -> None:
    before = json.loads((small / "corpus.json").read_text())
    refused = corpus_command("generate small -n 250 --protocol comet")
    assert (refused.code, json.loads((small / "corpus.json").read_text())) == (2, before)
    assert "replace it with --overwrite" in " ".join(refused.err.split())
    assert corpus_command.told("generate small -n 250 --protocol comet --overwrite")["frames"] == 250
    (small / "corpus.json").rename(small / "corpus.unfinished")
    assert corpus_command.told("generate small -n 250 --protocol comet")["frames"] == 250

    theirs = small.parent / "theirs" / "frames" / "holiday.jpg"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("dear to somebody")
    for words in ("generate theirs --overwrite", "check small --impl reference --out theirs --overwrite"):
        assert corpus_command(words).code == 2
        assert theirs.exists()
    assert "is a file" in corpus_command("generate theirs/frames/holiday.jpg --overwrite").err


def test_a_finished_check_is_asked_anew(corpus_command: Command, small: Path, tmp_path: Path) -> None:
    kit(tmp_path / "kit", replace=NO_AT_SIGN)
    words = "check small --impl kit/wireproof.toml"
    assert corpus_command.told(words)["exit_code"] == 1
    codec = tmp_path / "kit" / "comet.py"
    codec.write_text((Path(__file__).parents[2] / "harness" / "kits" / "python" / "comet.py").read_text())
    mended = corpus_command.told(words)
    assert (mended["exit_code"], mended["resumed"]) == (0, 0)
    assert json.loads((tmp_path / ".wireproof" / "corpus-check" / "finished.json").read_text())["exit_code"] == 0


def test_an_interrupted_check_goes_on_unless_something_changed(
    corpus_command: Command, small: Path, tmp_path: Path
) -> None:
    kit(tmp_path / "kit")
    words = "check small --impl kit/wireproof.toml --out out"
    assert corpus_command.told(words)["resumed"] == 0
    (tmp_path / "out" / "finished.json").unlink()
    again = corpus_command(words)
    assert again.code == 0
    assert "1 of 1 parts were asked before, and not again" in again.out

    (tmp_path / "out" / "finished.json").unlink()
    with (tmp_path / "kit" / "adapter.py").open("a") as adapter:
        adapter.write("# changed\n")
    refused = corpus_command(words)
    assert refused.code == 2
    assert "was interrupted, and Python kit changed since" in " ".join(refused.err.split())
    anew = corpus_command(f"{words} --overwrite")
    assert (anew.code, "asked before" in anew.out) == (0, False)
