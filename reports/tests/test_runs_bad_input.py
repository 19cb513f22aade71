"""What is no log is put aside with the reason, and the rest is taken; tables with a gap are an error."""

from __future__ import annotations

import io
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.runlogs import write_log
from wireproof_harness.results import BadLog, Run

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]

Change = Callable[[list[bytes]], list[bytes]]


def in_line(number: int, before: bytes, after: bytes) -> Change:
    def change(lines: list[bytes]) -> list[bytes]:
        assert before in lines[number]
        return [*lines[:number], lines[number].replace(before, after, 1), *lines[number + 1 :]]

    return change


LOGS: dict[str, tuple[Change, str]] = {
    "empty": (lambda lines: [], "does not begin with the header of a run"),
    "garbage": (lambda lines: [b"\x00\xff\x1b[31m garbage\n"], "line 1 is no record of a result log"),
    "no header": (lambda lines: lines[1:], "does not begin with the header of a run"),
    "only a torn header": (lambda lines: [lines[0][:-9]], "does not begin with the header of a run"),
    "torn in its middle": (lambda lines: [*lines[:3], lines[3][:40] + b"\n", *lines[4:]], "line 4 is no record"),
    "two runs": (lambda lines: [*lines, *lines], "has a header or a footer in its middle"),
    "an unknown field": (in_line(5, b'{"record"', b'{"colour":1,"record"'), "line 6 is no record"),
    "an unknown field of the run": (in_line(0, b'"seed"', b'"speed"'), "line 1 is no record"),
    "another type": (in_line(5, b'"mode":"decode"', b'"mode":7'), "line 6 is no record"),
    "another form": (in_line(0, b'"log":1', b'"log":2'), "the log has form 2, this suite reads 1"),
    "an unknown status": (in_line(5, b'"status":"fail"', b'"status":"meh"'), "has an unknown status, 'meh'"),
    "a verdict twice": (lambda lines: [*lines[:5], lines[4], *lines[5:]], "has two verdicts on"),
    "more than planned": (in_line(0, b'"planned":10', b'"planned":3'), "10 verdicts and 3 were planned"),
    "a number too large": (in_line(0, b'"seed":0', b'"seed":' + b"9" * 30), "more than 64 bits"),
    "half a letter": (in_line(5, b'"detail":"', b'"detail":"\\ud800'), "line 6 is no record"),
    "too deep": (in_line(5, b'"detail":', b'"answer":' + b"[" * 9000 + b"]" * 9000 + b',"detail":'), ""),
}
"""What is done to the lines of a good log, and what is then said of it."""


@pytest.fixture
def log(small_run: Run, tmp_path: Path) -> Path:
    return write_log(small_run, tmp_path / "good.jsonl")


def refused(log: Path, folder: Path) -> dict[str, str]:
    """Write each of `LOGS`, and archives and files that cannot be read; for each file what is to be said of it."""
    folder.mkdir()
    lines = log.read_bytes().splitlines(keepends=True)
    for name, (change, _) in LOGS.items():
        (folder / f"{name}.jsonl").write_bytes(b"".join(change(lines)))
    said = {f"{name}.jsonl": words for name, (_, words) in LOGS.items()}
    return {str(folder / name): words for name, words in {**said, **archives(log, folder), **files(folder)}.items()}


def archives(log: Path, folder: Path) -> dict[str, str]:
    content = log.read_bytes()
    with zipfile.ZipFile(folder / "outside.zip", "w") as archive:
        for name in ("../../up.jsonl", "/root.jsonl", "a\\..\\..\\up.jsonl"):
            archive.writestr(name, content)
    with tarfile.open(folder / "outside.tar", "w") as tar:
        tar.add(log, "a/../../up.jsonl")
    with zipfile.ZipFile(folder / "whole.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("log.jsonl", os.urandom(5000))
        archive.writestr("other.txt", "no log")
    with tarfile.open(folder / "whole.tar.gz", "w:gz") as tar:
        for name in ("a.jsonl", "b.jsonl"):
            info = tarfile.TarInfo(name)
            info.size = 5000
            tar.addfile(info, io.BytesIO(os.urandom(5000)))
    with zipfile.ZipFile(folder / "nothing.zip", "w") as archive:
        archive.writestr("readme.txt", "no log")
    with tarfile.open(folder / "ends early.tar", "w") as tar:
        tar.add(log, "log.jsonl")
        end = tar.offset
    os.truncate(folder / "ends early.tar", end)
    for name, part in {"whole.zip": 0.5, "whole.tar.gz": 0.5}.items():
        packed = (folder / name).read_bytes()
        (folder / f"cut {name}").write_bytes(packed[: int(part * len(packed))])
    damaged = bytearray((folder / "whole.zip").read_bytes())
    damaged[100] ^= 0xFF
    (folder / "damaged.zip").write_bytes(damaged)
    for name in ("whole.zip", "whole.tar.gz"):
        (folder / name).unlink()
    return {
        **{f"outside.zip!{name}": "leads out" for name in ("../../up.jsonl", "/root.jsonl", "a\\..\\..\\up.jsonl")},
        "outside.tar!a/../../up.jsonl": "leads out",
        "nothing.zip": "holds no log: nothing in it ends in .jsonl or .jsonl.gz",
        "ends early.tar": "cannot be unpacked: it is cut off",
        "cut whole.zip": "cannot be unpacked: File is not a zip file",
        "cut whole.tar.gz": "cannot be unpacked: Compressed file ended before the end-of-stream marker",
        "damaged.zip!log.jsonl": "cannot be unpacked",
    }


def files(folder: Path) -> dict[str, str]:
    (folder / "packed.jsonl.gz").write_bytes(b"\x1f\x8b no gzip")
    (folder / "gone.jsonl").symlink_to("nowhere")
    (folder / "memory.jsonl").symlink_to("/proc/self/mem")
    os.mkfifo(folder / "pipe.jsonl")
    return {
        "packed.jsonl.gz": "cannot be unpacked: Unknown compression method",
        "gone.jsonl": "is no file, or a link to one that is gone",
        "memory.jsonl": "cannot be read: Input/output error",
        "pipe.jsonl": "is no file",
    }


def test_what_is_no_log_is_put_aside_and_the_rest_is_taken(spark: SparkSession, log: Path) -> None:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import quarantine, tables

    folder = log.parent / "many"
    said = refused(log, folder)
    shutil.copy(log, folder / "good.jsonl")
    empty = log.parent / "empty"
    empty.mkdir()
    said[str(empty)] = "holds no log: no file in it ends in"
    out = str(log.parent / "tables")
    first = ingest(spark, [folder, empty], out)
    assert (first.new, first.longer, first.again) == (1, 0, 0)
    found = ingest(spark, [folder, empty], out)
    assert (found.new, found.longer, found.again) == (0, 0, 1)
    assert [row.file for row in first.aside] == [row.file for row in found.aside] == sorted(said)
    wrong = {row.file: row.reason for row in found.aside if said[row.file] not in row.reason or not row.reason}
    assert wrong == {}
    assert not [row for row in found.aside if row.reason.startswith(row.file) or "wireproof-log-" in row.reason]
    assert [tuple(row) for row in quarantine(spark, out).collect()] == found.aside
    assert tables(spark, out).verdicts.count() == 10
    assert not [path for path in (log.parent / "up.jsonl", Path("/root.jsonl")) if path.exists()]


def test_what_was_put_aside_and_is_mended_is_no_longer_there(spark: SparkSession, log: Path) -> None:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import quarantine

    folder, out = log.parent / "logs", str(log.parent / "tables")
    for name in ("a", "b"):
        (folder / name).mkdir(parents=True)
        (folder / name / "log.jsonl").write_text("garbage\n")
    bad = log.parent / "bad.jsonl"
    bad.write_text("garbage\n")
    assert ingest(spark, [folder, bad], out).new == 0
    shutil.copy(log, folder / "a" / "log.jsonl")
    assert ingest(spark, [folder / "a"], out).new == 1
    assert [row.file for row in quarantine(spark, out).collect()] == [str(bad), str(folder / "b" / "log.jsonl")]


def test_nothing_named_or_there_is_an_error(spark: SparkSession, tmp_path: Path) -> None:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import tables

    with pytest.raises(BadLog, match="no log was named"):
        ingest(spark, [], str(tmp_path))
    with pytest.raises(BadLog, match="there is no "):
        ingest(spark, [tmp_path / "nowhere"], str(tmp_path))
    with pytest.raises(BadLog, match="there are no runs in"):
        tables(spark, str(tmp_path))


def test_a_log_larger_than_any_is_not_read(log: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import gzip

    from wireproof_reports.runs import sources

    packed = log.with_suffix(".jsonl.gz")
    packed.write_bytes(gzip.compress(log.read_bytes()))
    monkeypatch.setattr(sources, "LARGEST", 1000)
    for path in (log, packed):
        with (
            pytest.raises(BadLog, match="larger than 1,000 bytes"),
            sources.unpacked(sources.Source(str(path), str(path))),
        ):
            pass


def cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def emptied(file: Path) -> None:
    file.write_bytes(b"")


GAPS: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "verdicts cut off": ("verdicts", cut, "cannot be read. Remove both folders run="),
    "runs cut off": ("runs", cut, "cannot be read. Remove both folders run="),
    "verdicts emptied": ("verdicts", emptied, "0 of the 10 verdicts of a run are there"),
    "verdicts gone": ("verdicts", Path.unlink, "0 of the 10 verdicts of a run are there"),
}


@pytest.mark.parametrize("gap", GAPS)
def test_tables_with_a_gap_are_an_error_that_says_how_to_close_it(spark: SparkSession, log: Path, gap: str) -> None:
    from wireproof_reports.runs.ingest import ingest
    from wireproof_reports.runs.store import damage_told, tables
    from wireproof_reports.spark.storage import StorageError

    out = log.parent / "tables"
    ingest(spark, [log], str(out))
    table, damage, words = GAPS[gap]
    (file,) = (out / table).glob("run=*/*.parquet")
    file.with_name(f".{file.name}.crc").unlink(missing_ok=True)
    damage(file)
    with pytest.raises(StorageError, match=words) as told, damage_told():
        tables(spark, str(out)).runs.collect()
    run = file.parent.name
    assert run in str(told.value)
    if table == "runs":
        for folder in ("runs", "verdicts"):
            shutil.rmtree(out / folder / run)
        assert ingest(spark, [log], str(out)).new == 1
        assert tables(spark, str(out)).verdicts.count() == 10
