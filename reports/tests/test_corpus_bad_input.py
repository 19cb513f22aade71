"""What cannot be used is told in words, or put aside with a reason; nothing is guessed."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.standalone import command, kit

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.corpus.store import Corpus


def copied(corpus: Corpus, path: Path) -> Path:
    shutil.copytree(corpus.path, path)
    return path


def damaged(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def parts(path: Path) -> list[Path]:
    return sorted((path / "frames").glob("*.parquet"))


def flipped(content: bytes, eighth: int) -> bytes:
    place = len(content) * eighth // 8
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def cut(content: bytes, kept: float) -> bytes:
    return content[: int(kept * len(content) if 0 < kept < 1 else kept)]


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda content: b"", "it has 0 bytes"),
        (lambda content: content[:7], "it has 7 bytes"),
        (lambda content: cut(content, 0.5), "cut off after"),
        (lambda content: content[:4] + bytes(len(content) - 12) + content[-8:], "it is damaged"),
    ],
    ids=["empty", "seven bytes", "half", "zeros inside"],
)
def test_a_file_that_is_damaged(
    spark: SparkSession, comet_corpus: Corpus, tmp_path: Path, change: Callable[[bytes], bytes], reason: str
) -> None:
    from tests.test_spark_cluster import implementation
    from wireproof_reports.corpus.checking import check
    from wireproof_reports.corpus.damage import without_damage
    from wireproof_reports.corpus.matrix import counted
    from wireproof_reports.corpus.store import open_corpus

    path = copied(comet_corpus, tmp_path / "corpus")
    victim = parts(path)[3]
    damaged(victim, change)
    opened = open_corpus(spark, str(path))
    rows, left = counted(spark, opened)
    assert sum(row["frames"] for row in rows) == 1750
    sound = without_damage(spark, opened)
    assert sound == left
    ((file, told),) = sound.unreadable.items()
    assert file.endswith(victim.name)
    assert reason in told
    done = check(spark, sound, [implementation("reference", "ours")], str(tmp_path / "out"))
    assert done.results(spark).count() == 1750


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_a_bit_that_flipped(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from wireproof_reports.corpus.damage import without_damage
    from wireproof_reports.corpus.store import open_corpus

    path = copied(comet_corpus, tmp_path / "corpus")
    for eighth, victim in enumerate(parts(path)[:4], 3):
        damaged(victim, partial(flipped, eighth=eighth))
    assert len(without_damage(spark, open_corpus(spark, str(path))).unreadable) == 4


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_files_that_are_not_those_of_the_manifest(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from wireproof_reports.corpus.damage import without_damage
    from wireproof_reports.corpus.store import open_corpus

    path = copied(comet_corpus, tmp_path / "corpus")
    first, second, third, fourth, *_ = parts(path)
    shutil.copy(first, path / "frames" / "part-again.parquet")
    second.unlink()
    spark.read.parquet(str(third)).limit(9).coalesce(1).write.parquet(str(tmp_path / "fewer"))
    shutil.copy(next((tmp_path / "fewer").glob("*.parquet")), third)
    spark.range(250).coalesce(1).write.parquet(str(tmp_path / "other"))
    shutil.copy(next((tmp_path / "other").glob("*.parquet")), fourth)
    sound = without_damage(spark, open_corpus(spark, str(path)))
    assert {file.rpartition("/")[2]: reason for file, reason in sound.unreadable.items()} == {
        "part-again.parquet": "corpus.json does not name it, so its frames are none of this corpus",
        second.name: "it is missing",
        third.name: "it has 9 frames, and 250 were written",
        fourth.name: "its columns are not those of a corpus",
    }
    assert sound.frames(spark).count() == 1250


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda text: text.replace(b'"comet"', b'"comett"'), "there is no protocol 'comett'; there are esnp-frame, "),
        (lambda text: text.replace(b'"c2s"', b'"up"'), "cannot be used: comet needs a direction"),
        (lambda text: text[:100], "cannot be used"),
        (lambda text: b"\xff\xfe", "cannot be used"),
        (lambda text: b"", "cannot be used"),
        (lambda text: text.replace(b'"corpus": 1', b'"corpus": 9'), "is of version 9; this suite reads 1"),
        (lambda text: text.replace(b'"suite": "', b'"suite": "9.'), r"was made by wireproof 9\..* Generate it again"),
    ],
    ids=["protocol", "direction", "cut", "no text", "empty", "version", "suite"],
)
def test_a_manifest_that_says_something_else(
    spark: SparkSession, comet_corpus: Corpus, tmp_path: Path, change: Callable[[bytes], bytes], words: str
) -> None:
    from wireproof_reports.corpus.store import BadCorpus, open_corpus

    path = copied(comet_corpus, tmp_path / "corpus")
    damaged(path / "corpus.json", change)
    with pytest.raises(BadCorpus, match=words):
        open_corpus(spark, str(path))


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_a_folder_that_is_no_corpus(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from wireproof_reports.corpus.store import BadCorpus, open_corpus

    with pytest.raises(BadCorpus, match="there is no corpus"):
        open_corpus(spark, str(tmp_path / "missing"))
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadCorpus, match=r"is no corpus: it has no corpus\.json"):
        open_corpus(spark, str(tmp_path / "empty"))
    unfinished = copied(comet_corpus, tmp_path / "unfinished")
    (unfinished / "corpus.json").rename(unfinished / "corpus.unfinished")
    with pytest.raises(BadCorpus, match="was not finished: run the same"):
        open_corpus(spark, str(unfinished))
    bare = copied(comet_corpus, tmp_path / "bare")
    shutil.rmtree(bare / "frames")
    with pytest.raises(BadCorpus, match="no file of frames that can be read"):
        open_corpus(spark, str(bare))


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_results_of_another_check(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from tests.test_spark_cluster import implementation
    from wireproof_reports.corpus.checking import check
    from wireproof_reports.corpus.store import BadCorpus

    ours, out = implementation("reference", "ours"), tmp_path / "out"
    check(spark, comet_corpus, [ours], str(out))
    before = sorted(out.rglob("*"))
    with pytest.raises(BadCorpus, match=r"holds the results of another check \(ours on "):
        check(spark, comet_corpus, [ours._replace(name="theirs")], str(out))
    assert sorted(out.rglob("*")) == before


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_an_implementation_that_does_not_start_on_a_worker(
    spark: SparkSession, comet_corpus: Corpus, tmp_path: Path
) -> None:
    from tests.test_spark_cluster import implementation
    from wireproof_reports.corpus.checking import check
    from wireproof_reports.spark.failure import SparkFailed, told

    asked = implementation(kit(tmp_path / "kit"))
    (tmp_path / "kit" / "adapter.py").unlink()
    with pytest.raises(SparkFailed, match="could not be started on a worker"), told():
        check(spark, comet_corpus, [asked], str(tmp_path / "out"))
    assert not list(tmp_path.glob("out/results/*/_SUCCESS"))


@pytest.mark.requires("java", "bwrap")
@pytest.mark.xdist_group("spark")
def test_a_full_disk(tmp_path: Path) -> None:
    out = tmp_path / "small"
    out.mkdir()
    small = ["bwrap", "--dev-bind", "/", "/", "--size", "100000", "--tmpfs", str(out)]
    words = ["generate", str(out / "corpus"), "-n", "5000", "--protocol", "comet"]
    done = subprocess.run([*small, *command(words, "local[2]")], capture_output=True, text=True, check=False)
    assert done.returncode not in (0, 1)
    assert "the disk is full" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.requires("java", "bwrap")
@pytest.mark.xdist_group("spark")
def test_a_disk_that_becomes_full_while_asking(comet_corpus: Corpus, tmp_path: Path) -> None:
    out = tmp_path / "small"
    out.mkdir()
    small = ["bwrap", "--dev-bind", "/", "/", "--size", "20000", "--tmpfs", str(out)]
    words = ["check", comet_corpus.path, "--impl", "reference", "--out", str(out / "checked")]
    done = subprocess.run([*small, *command(words, "local[2]")], capture_output=True, text=True, check=False)
    assert done.returncode == 4
    assert "the disk is full: make room, and run the same command again" in done.stderr
    assert "the same command goes on" in done.stderr
    assert "at org.apache" not in done.stderr


@pytest.mark.parametrize("case", ["no java", "bogus home", "too old"])
def test_java_is_missing(tmp_path: Path, case: str) -> None:
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    if case == "too old":
        java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\"' >&2\n", encoding="utf-8")
        java.chmod(0o755)
    env = {key: value for key, value in os.environ.items() if key not in ("JAVA_HOME", "PATH")}
    home = {
        "no java": {},
        "bogus home": {"JAVA_HOME": str(tmp_path / "nowhere")},
        "too old": {"JAVA_HOME": str(tmp_path)},
    }
    done = subprocess.run(
        command(["generate", str(tmp_path / "out"), "-n", "10"], "local[1]"),
        env={**env, "PATH": str(tmp_path / "empty"), **home[case]},
        capture_output=True,
        text=True,
        check=False,
    )
    words = {"no java": "no `java` on PATH", "bogus home": "there is no bin/java", "too old": "17 or newer; "}
    assert done.returncode not in (0, 1)
    assert words[case] in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "out").exists()
