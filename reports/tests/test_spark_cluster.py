"""Mass checks where processes die: workers, tasks, drivers, testees. No row is lost, none is there twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.standalone import (
    NO_AT_SIGN,
    ON_CLUSTER,
    Cluster,
    alive,
    cluster,
    command,
    descendants,
    kit,
    rows,
    told,
    wait_until,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.corpus.checking import Outcome
    from wireproof_reports.corpus.settling import Implementation
    from wireproof_reports.corpus.store import Corpus

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]

SLOW = "time.sleep(0.002)"


def implementation(manifest: str, name: str = "kit") -> Implementation:
    from wireproof_harness.target import target
    from wireproof_reports.corpus.settling import Implementation

    asked = target((manifest,))
    asker = asked.open()
    try:
        return Implementation(name, asked, asker.start())
    finally:
        asker.close()


def undisturbed(spark: SparkSession, corpus: Corpus, manifest: str, out: Path) -> Outcome:
    from wireproof_reports.corpus.checking import check

    return check(spark, corpus, [implementation(manifest)], str(out))


def tables(spark: SparkSession, out: Path) -> dict[str, Any]:
    """What a driver of its own has left: each table's rows, and the results of all its waves."""
    from wireproof_reports.corpus.schemas import RESULTS

    found = {name: rows(spark.read.parquet(str(out / name))) for name in ("compliance", "disagreements")}
    return {**found, "results": rows(spark.read.schema(RESULTS).parquet(str(out / "results" / "*")))}


def expected(spark: SparkSession, corpus: Corpus, done: Outcome) -> dict[str, Any]:
    from wireproof_reports.corpus.tables import compliance, disagreements

    results, frames = done.results(spark), corpus.frames(spark)
    made = {
        "compliance": compliance(results),
        "disagreements": disagreements(results, frames, corpus.manifest.recipe.sources),
    }
    return {**{name: rows(table) for name, table in made.items()}, "results": rows(results)}


def each_once(found: list[tuple[Any, ...]], frames: int) -> bool:
    return sorted(row[2] for row in found) == list(range(frames)) and len({row[:2] for row in found}) == 1


def attempts(spark: SparkSession, out: Path) -> set[int]:
    return {row[0] for row in spark.read.parquet(str(out / "results" / "*")).select("attempt").distinct().collect()}


@pytest.fixture(scope="module")
def two_workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with cluster(tmp_path_factory.mktemp("cluster")) as running:
        yield running


def bare_python() -> str:
    """A Python of this version into which nothing of ours is installed, so that everything has to be shipped."""
    python: str = getattr(sys, "_base_executable", sys.executable)
    for package in ("wireproof", "msgspec", "pyarrow"):
        lacks = subprocess.run([python, "-I", "-c", f"import {package}"], capture_output=True, check=False)
        assert lacks.returncode == 1, f"{python} has {package}: it proves nothing about what is shipped"
    return python


def test_a_cluster_that_loses_a_worker(
    spark: SparkSession, comet_corpus: Corpus, two_workers: Cluster, tmp_path: Path
) -> None:
    conf = {**ON_CLUSTER, "spark.pyspark.python": bare_python()}
    made = told(
        ["generate", str(tmp_path / "corpus"), "-n", "2000", "--protocol", "comet", "--partitions", "8"],
        two_workers.url,
        conf,
    )
    assert made["digest"] == comet_corpus.manifest.digest

    started = tmp_path / "started"
    started.mkdir()
    mark = f"open(os.path.join({str(started)!r}, str(os.getpid())), 'w').close()"
    manifest = kit(tmp_path / "kit", first=mark, each=SLOW, replace=NO_AT_SIGN)
    words = ["check", str(tmp_path / "corpus"), "--impl", f"kit={manifest}", "--out", str(tmp_path / "out")]
    victim = two_workers.workers[0]
    with subprocess.Popen(
        command(words, two_workers.url, conf), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as driver:
        wait_until(lambda: bool({int(path.name) for path in started.iterdir()} & victim.family()), "it is asked")
        victim.kill()
        assert driver.poll() is None
        said, _ = driver.communicate(timeout=120)
    assert driver.returncode == 1, said
    assert "they do not agree" in said

    found = tables(spark, tmp_path / "out")
    assert each_once(found["results"], 2000)
    assert max(attempts(spark, tmp_path / "out")) > 0
    assert found == expected(spark, comet_corpus, undisturbed(spark, comet_corpus, manifest, tmp_path / "calm"))
    assert found["disagreements"]


def test_tasks_that_fail_are_tried_again(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    starts = str(tmp_path / "starts")
    # The first start is the command's own, which hears its claims.
    count = (
        f"handle = os.open({starts!r}, os.O_WRONLY | os.O_APPEND | os.O_CREAT)\n"
        "os.write(handle, b'.')\n"
        "if 2 <= os.fstat(handle).st_size <= 4: sys.exit('not yet')"
    )
    manifest = kit(tmp_path / "kit", first=count, replace=NO_AT_SIGN)
    out = tmp_path / "out"
    told(["check", comet_corpus.path, "--impl", f"kit={manifest}", "--out", str(out)], "local[2,4]")
    found = tables(spark, out)
    assert each_once(found["results"], 2000)
    assert max(attempts(spark, out)) > 0
    assert found == expected(spark, comet_corpus, undisturbed(spark, comet_corpus, manifest, tmp_path / "calm"))


def test_a_driver_that_is_killed(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from wireproof_reports.corpus.checking import check

    manifest, out = kit(tmp_path / "kit", each=SLOW), tmp_path / "out"
    words = ["check", comet_corpus.path, "--impl", f"kit={manifest}", "--out", str(out)]
    results = out / "results"
    with subprocess.Popen(
        [sys.executable, "-c", WAVES_OF_TWO, *command(words, "local[2]")[1:]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as driver:
        wait_until(lambda: len([*results.glob("*")]) > len([*results.glob("*/_SUCCESS")]) > 0, "one wave, and another")
        family = descendants(driver.pid)
        os.killpg(driver.pid, signal.SIGKILL)
    wait_until(lambda: not alive(family), f"nobody is left over: {family}", 20)
    whole = len([*results.glob("*/_SUCCESS")])
    assert 0 < whole < 4

    done = check(spark, comet_corpus, [implementation(manifest)], str(out))
    assert (done.resumed, len(done.folders)) == (whole, 4)
    assert each_once(rows(done.results(spark)), 2000)
    assert rows(spark.read.parquet(str(results / "*"))) == rows(done.results(spark))
    again = check(spark, comet_corpus, [implementation(manifest)], str(out))
    assert again.resumed == 4


WAVES_OF_TWO = """
import sys
from wireproof_harness.cli import main
from wireproof_reports.corpus import checking
checking.WAVE = 1
sys.exit(main())
"""
"""A driver that goes forward two files at a time."""


def test_a_testee_that_dies_on_one_frame_in_ten(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    dies = "zlib.crc32(json.loads(line).get('hex', '-').encode()) % 10 == 3 and os._exit(7)"
    done = undisturbed(spark, comet_corpus, kit(tmp_path / "kit", each=dies), tmp_path / "out")
    found = {row["frame"]: row["status"] for row in done.results(spark).collect()}
    fatal = {
        frame for frame, data in comet_corpus.frames(spark).select("frame", "data").collect() if _is_fatal(bytes(data))
    }
    assert fatal
    assert found == {frame: "crash" if frame in fatal else "pass" for frame in range(2000)}
    assert each_once(rows(done.results(spark)), 2000)


def _is_fatal(data: bytes) -> bool:
    import zlib

    return zlib.crc32(data.hex().encode()) % 10 == 3
