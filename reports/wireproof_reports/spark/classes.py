"""An archive of the classes Spark loads at its start, which halves the time that takes.

Java maps such an archive into memory instead of reading and checking thousands of classes.
It fits one Java and one Spark only, so its name says which; it is made in the background by
a small session of its own the first time a session is wanted, and renamed into place when it
is whole. An archive that does not fit after all is passed over by Java.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from wireproof.suite import cache
from wireproof_reports.spark.java import java

OFF: Final = "WIREPROOF_NO_CACHE"
QUIET: Final = "-Xlog:disable -Xlog:all=error:stderr"
"""A stale archive is told on stdout otherwise, in the middle of what programs read."""
LONGEST: Final = 120.0
"""Seconds that Java may take to write it."""


def archive(spark: str) -> Path:
    program, version = java()
    found = find_spec("pyspark")  # in another place it is another class path, which the archive does not fit
    key = sha256(repr((str(program), version, spark, found and found.origin)).encode()).hexdigest()[:24]
    return cache.folder() / f"spark-classes-{key}.jsa"


def options(spark: str) -> str:
    """Java's options for a session: use the archive if there is one, and have it made if not."""
    if os.environ.get(OFF):
        return QUIET
    path = archive(spark)
    if path.exists():
        return f"{QUIET} -XX:SharedArchiveFile={path}"
    with suppress(OSError, RuntimeError):
        _begin(path)
    return QUIET


def _begin(path: Path) -> None:
    """Have it made by a process that belongs to nobody here, unless somebody is at it.

    The process started here ends at once and leaves the work to a child of its own, which whoever
    adopts orphans waits for: we may end first, and must not leave a child that nobody waits for.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with _alone(path) as alone:
        if not alone:
            return
    subprocess.run(
        [sys.executable, "-m", "wireproof_reports.spark.classes", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        check=False,
        env={**os.environ, OFF: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@contextmanager
def _alone(path: Path) -> Iterator[bool]:
    """Whether nobody else makes this archive; the lock of one who has died is free."""
    with path.with_suffix(".lock").open("ab") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def make(path: Path) -> None:
    """Run what sessions usually run, and keep the classes it took."""
    with _alone(path) as alone:
        if alone and not path.exists():
            _make(path, path.with_suffix(".part"))


def _make(path: Path, aside: Path) -> None:
    from wireproof_reports.spark.session import SparkOptions, spark_session

    try:
        with spark_session(SparkOptions("local[1]"), java_options=f"-XX:ArchiveClassesAtExit={aside}") as spark:
            _exercise(spark, path.with_suffix(".exercise"))
            gateway = spark.sparkContext._gateway.proc
        gateway.stdin.close()  # Java ends with its input, and writes the archive then
        try:
            gateway.wait(LONGEST)
        except subprocess.TimeoutExpired:
            gateway.kill()
            gateway.wait()
            return
        if aside.exists():
            os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)


def _exercise(spark: object, folder: Path) -> None:
    """A little of everything the pipeline does: Parquet, Python workers, grouping, sorting."""
    import shutil
    from typing import Any

    session: Any = spark
    try:
        frame = session.range(1000).mapInArrow(lambda batches: batches, "id long")
        frame.selectExpr("id", "id % 7 as key", "array(string(id)) as words").write.mode("overwrite").parquet(
            str(folder)
        )
        read = session.read.parquet(str(folder))
        read.selectExpr("key", "explode(words) as word").groupBy("key", "word").count().orderBy("key").collect()
        read.groupBy("key").agg({"id": "sum"}).toArrow()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if os.fork() == 0:
        make(Path(sys.argv[1]))
