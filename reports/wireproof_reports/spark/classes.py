"""An archive of the classes Spark loads at its start, which halves the time that takes.

Java maps such an archive into memory instead of reading and checking thousands of classes.
It fits one Java and one Spark only, so its name says which; it is made in the background by
a small session of its own the first time a session is wanted, and renamed into place when it
is whole. An archive that does not fit after all is passed over by Java.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

from wireproof.suite import cache
from wireproof_reports.spark.java import java

OFF: Final = "WIREPROOF_NO_CACHE"
QUIET: Final = "-Xlog:disable -Xlog:all=error:stderr"
"""A stale archive is told on stdout otherwise, in the middle of what programs read."""
LONGEST: Final = 600.0
"""Seconds after which whoever was making an archive is taken for dead."""


def archive(spark: str) -> Path:
    program, version = java()
    key = sha256(repr((str(program), version, spark)).encode()).hexdigest()[:24]
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
    """Start making it, unless somebody is at it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    lock = path.with_suffix(".lock")
    with suppress(FileNotFoundError):
        if time.time() - lock.stat().st_mtime > LONGEST:
            lock.unlink()
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except FileExistsError:
        return
    subprocess.Popen(
        [sys.executable, "-m", "wireproof_reports.spark.classes", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, OFF: "1", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


def make(path: Path) -> None:
    """Run what sessions usually run, and keep the classes it took."""
    from wireproof_reports.spark.session import SparkOptions, spark_session

    aside = path.with_suffix(f".{os.getpid()}")
    try:
        with spark_session(SparkOptions("local[1]"), java_options=f"-XX:ArchiveClassesAtExit={aside}") as spark:
            _exercise(spark, path.with_suffix(".exercise"))
            gateway = spark.sparkContext._gateway.proc
        gateway.stdin.close()  # Java ends with its input, and writes the archive then
        gateway.wait(LONGEST)
        if aside.exists():
            os.replace(aside, path)
    finally:
        aside.unlink(missing_ok=True)
        path.with_suffix(".lock").unlink(missing_ok=True)


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
    make(Path(sys.argv[1]))
