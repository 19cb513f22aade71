"""Every run is in the tables once, whatever its log is called, how often it comes, and whoever is interrupted."""

from __future__ import annotations

import gzip
import json
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import pytest

from tests.runlogs import write_log
from wireproof_harness.results import Run, Verdict, read_log

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.runs.ingest import Ingested

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]
Take = Callable[..., "Ingested"]
Content = dict[str, list[Any]]


@pytest.fixture
def take(spark: SparkSession, tmp_path: Path) -> Take:
    """Ingest logs into the tables of this test."""
    from wireproof_reports.runs.ingest import ingest

    return lambda *logs: ingest(spark, logs, str(tmp_path / "tables"))


@pytest.fixture
def held(spark: SparkSession, tmp_path: Path) -> Callable[[], Content]:
    """What is in these tables, apart from where it came from."""
    from wireproof_reports.runs.store import tables

    def content() -> Content:
        verdicts, runs = tables(spark, str(tmp_path / "tables"))
        return {
            "runs": sorted(json.dumps(row.asDict()) for row in runs.drop("source").collect()),
            "verdicts": sorted(json.dumps(row.asDict()) for row in verdicts.collect()),
        }

    return content


@pytest.fixture
def log(small_run: Run, tmp_path: Path) -> Path:
    return write_log(small_run, tmp_path / "log.jsonl")


def cut(run: Run, verdicts: int) -> Run:
    """The run, killed after so many verdicts."""
    return Run(run.header, run.verdicts[:verdicts], None)


def packed(log: Path, folder: Path) -> None:
    """The same log in every form in which it is taken."""
    folder.mkdir()
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "copy.jsonl").write_bytes(log.read_bytes())
    (folder / "copy.jsonl.gz").write_bytes(gzip.compress(log.read_bytes()))
    with zipfile.ZipFile(folder / "ci.zip", "w") as archive:
        archive.write(log, "artefacts/plain.jsonl")
        archive.write(folder / "copy.jsonl.gz", "artefacts/packed.jsonl.gz")
        archive.writestr("artefacts/notes.txt", "no log")
    tars: tuple[tuple[str, Literal["w", "w:gz", "w:xz", "w:bz2"]], ...] = (
        *(("ci.tar", "w"), ("ci.tar.gz", "w:gz"), ("ci.tgz", "w:gz")),
        *(("ci.tar.xz", "w:xz"), ("ci.tar.bz2", "w:bz2")),
    )
    for name, mode in tars:
        with tarfile.open(folder / name, mode) as tar:
            tar.add(log, "./artefacts/plain.jsonl")
            tar.add(folder / "copy.jsonl.gz", "packed.jsonl.gz")


def test_a_log_counts_once_in_whatever_form_and_however_often_it_comes(
    take: Take, held: Callable[[], Content], log: Path, small_run: Run
) -> None:
    first = take(log)
    assert (first.new, first.longer, first.again, first.aside, first.unfinished) == (1, 0, 0, [], 0)
    alone = held()
    assert (len(alone["runs"]), len(alone["verdicts"])) == (1, len(small_run.verdicts))
    packed(log, log.parent / "many")
    second = take(log, log.parent / "many", log)
    assert (second.new, second.longer, second.again, second.aside) == (0, 0, 1 + 1 + 1 + 2 + 5 * 2, [])
    assert held() == alone


def test_verdicts_come_out_as_they_went_in(spark: SparkSession, take: Take, small_run: Run, tmp_path: Path) -> None:
    from wireproof_reports.runs.model import counted_from
    from wireproof_reports.runs.store import tables

    hard = {
        "request": {"op": "decode", "hex": "00"},
        "answer": [None, {"b": 1, "a": 1e300}, "\x00\u202e名"],
        "notes": ["a", ""],
        "detail": 'a "quoted"\nline',
        "requests": (1 << 63) - 1,
        "seconds": 0.1,
    }
    small_run.verdicts[4] = msgspec.structs.replace(small_run.verdicts[4], **hard)
    take(write_log(small_run, tmp_path / "log"))
    there = tables(spark, str(tmp_path / "tables"))
    assert counted_from(there, "", None).shown == [v for v in small_run.verdicts if v.status in _SHOWN]
    assert counted_from(there, "", None).header == small_run.header
    assert counted_from(there, "", None).footer == small_run.footer
    assert [row.profile for row in there.verdicts.orderBy("place").collect()] == [
        "order=little" if verdict.protocol == "comet" else "standard" for verdict in small_run.verdicts
    ]


_SHOWN = ("fail", "crash", "known-fail", "warn")


def test_resumed_runs_take_the_place_of_the_killed_ones(
    take: Take, held: Callable[[], Content], small_run: Run, tmp_path: Path
) -> None:
    """Three runs: killed before the first verdict, half-way, and before the footer."""
    planned = len(small_run.verdicts)
    whole, killed = [], []
    for seed, verdicts in enumerate((0, 4, planned)):
        run = Run(msgspec.structs.replace(small_run.header, seed=seed), small_run.verdicts, small_run.footer)
        whole.append(write_log(run, tmp_path / f"whole-{seed}.jsonl"))
        killed.append(write_log(cut(run, verdicts), tmp_path / f"killed-{seed}.jsonl"))
    first = take(*killed)
    assert (first.new, first.unfinished) == (3, 3)
    assert len(held()["verdicts"]) == 0 + 4 + planned
    second = take(*whole)
    assert (second.new, second.longer, second.again, second.unfinished) == (0, 3, 0, 0)
    there = held()
    assert [json.loads(row)["finished"] for row in there["runs"]] == [True] * 3
    assert len(there["verdicts"]) == 3 * planned
    third = take(*killed, *whole)
    assert (third.new, third.longer, third.again) == (0, 0, 6)
    assert held() == there


def test_a_killed_run_and_what_became_of_it_may_come_together(
    take: Take, held: Callable[[], Content], log: Path, small_run: Run
) -> None:
    logs = [write_log(cut(small_run, count), log.parent / f"killed-{count}.jsonl") for count in (0, 3, 7)]
    with log.open("rb") as file:
        torn = log.parent / "torn.jsonl"
        torn.write_bytes(file.read()[:-20])
    found = take(*logs, torn, log)
    assert (found.new, found.longer, found.again, found.aside) == (1, 0, 4, [])
    assert (len(held()["runs"]), len(held()["verdicts"])) == (1, len(small_run.verdicts))


def test_runs_that_began_alike_and_went_on_differently_are_two(
    take: Take, held: Callable[[], Content], log: Path, small_run: Run
) -> None:
    """Two jobs that began in the same second have the same header."""
    other = Run(small_run.header, [*small_run.verdicts], None)
    other.verdicts[3] = msgspec.structs.replace(other.verdicts[3], seconds=0.25)
    other.verdicts.pop()
    found = take(write_log(other, log.parent / "other.jsonl"), log)
    assert (found.new, found.again) == (2, 0)
    assert len(held()["verdicts"]) == 2 * len(small_run.verdicts) - 1
    assert take(write_log(cut(small_run, 5), log.parent / "third.jsonl")).again == 1
    late = cut(small_run, 6)
    late.verdicts[3] = msgspec.structs.replace(late.verdicts[3], seconds=0.5)
    assert take(write_log(late, log.parent / "late.jsonl")).new == 1


def test_an_ingestion_that_is_interrupted_between_verdicts_and_runs(
    take: Take, held: Callable[[], Content], log: Path, small_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wireproof_reports.runs import store

    before = write_log(
        Run(msgspec.structs.replace(small_run.header, seed=1), small_run.verdicts), log.parent / "before"
    )
    take(before)
    alone = held()
    save = store.save

    def interrupted(frame: Any, out: str, name: str) -> None:
        if name == "runs":
            raise KeyboardInterrupt
        save(frame, out, name)

    with monkeypatch.context() as patch:
        patch.setattr(store, "save", interrupted)
        with pytest.raises(KeyboardInterrupt):
            take(log)
    assert len([*(log.parent / "tables" / "verdicts").glob("run=*")]) == 2
    assert held() == alone
    assert take(log).new == 1
    assert (len(held()["runs"]), len(held()["verdicts"])) == (2, 2 * len(small_run.verdicts))


def test_an_ingestion_that_is_interrupted_before_the_shorter_run_is_removed(
    take: Take, held: Callable[[], Content], log: Path, small_run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wireproof_reports.runs import store

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    take(write_log(cut(small_run, 4), log.parent / "killed.jsonl"))
    with monkeypatch.context() as patch:
        patch.setattr(store, "drop", interrupted)
        with pytest.raises(KeyboardInterrupt):
            take(log)
    take(log)
    assert (len(held()["runs"]), len(held()["verdicts"])) == (1, len(small_run.verdicts))


def test_tables_may_be_named_as_spark_does(spark: SparkSession, log: Path, small_run: Run) -> None:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import tables

    out = (log.parent / "elsewhere").as_uri()
    assert [ingest(spark, [log], out)[:3] for _ in range(2)] == [(1, 0, 0), (0, 0, 1)]
    assert tables(spark, str(log.parent / "elsewhere")).verdicts.count() == len(small_run.verdicts)


def test_a_log_that_was_read_is_the_one_that_was_written(log: Path, small_run: Run) -> None:
    """What the tests above rest on."""
    run = read_log(log)
    assert run == small_run
    assert all(isinstance(verdict, Verdict) for verdict in run.verdicts)
