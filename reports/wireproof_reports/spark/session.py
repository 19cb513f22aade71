"""The one place where a Spark session is made."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final, NamedTuple

from wireproof_reports.spark import classes, driver
from wireproof_reports.spark.failure import words
from wireproof_reports.spark.java import NoSpark, java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCAL: Final = "local[*]"
INSTALL: Final = "Install it with its companions: pip install 'wireproof[spark]'"
LAUNCHER: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
"""For the short-lived Java that only works out how to start the other."""
SMALL: Final = "-XX:TieredStopAtLevel=1"
"""Starts sooner and computes two to four times slower: for jobs that are mostly start."""
PYTHON: Final = "spark.pyspark.python"
EVERYWHERE: Final = {
    "spark.app.name": "wireproof",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "20000",
    "spark.sql.sources.partitionOverwriteMode": "dynamic",
    "spark.sql.parquet.compression.codec": "zstd",
    # Frames take 80 bytes in a file and many times as much in memory: what is small enough to be sent to every task is
    # seen when it is there, and not guessed from the size of files.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.autoBroadcastJoinThreshold": "10m",
    # Pages of Parquet have checksums of their own, which are looked at. Those of Hadoop, hidden files beside local
    # ones, would only turn every file that was mended by hand into a puzzle.
    "spark.hadoop.parquet.page.verify-checksum.enabled": "true",
    "spark.hadoop.fs.file.impl": "org.apache.hadoop.fs.RawLocalFileSystem",
    # Testees are children of the worker; one that has hung must not keep a finished worker's slot.
    "spark.python.worker.reuse": "true",
}
EMBEDDED: Final = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "localhost",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
}


class SparkOptions(NamedTuple):
    """Where Spark runs, and what a user sets beyond our own."""

    master: str = LOCAL
    conf: tuple[tuple[str, str], ...] = ()

    @property
    def embedded(self) -> bool:
        return self.master.startswith("local")


@contextmanager
def spark_session(options: SparkOptions, *, small: bool = False, java_options: str = "") -> Iterator[SparkSession]:
    """A session that ends with the block; `small` is for jobs over a few thousand rows."""
    _require_pyspark()
    java()
    with ExitStack() as stack:
        stack.enter_context(_environment(options))
        log4j = stack.enter_context(as_file(files("wireproof_reports.spark") / "log4j2.properties"))
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="wireproof-code-", ignore_cleanup_errors=True)))
        session = _built(options, f"-Dlog4j2.configurationFile={log4j} {java_options} {SMALL if small else ''}".strip())
        stack.callback(driver.stop, session)
        if not options.embedded:
            from wireproof_reports.spark.shipping import code

            session.sparkContext.addPyFile(str(code(folder)))
        yield session


@contextmanager
def _environment(options: SparkOptions) -> Iterator[None]:
    """What Spark takes from the environment alone, as it was before when the block ends.

    The Python of the workers is the one that runs here, unless the user names another: on a cluster
    ours is often not there.
    """
    named = dict(options.conf).get(PYTHON) or ("" if options.embedded else os.environ.get("PYSPARK_PYTHON"))
    wanted = {
        "SPARK_LAUNCHER_OPTS": os.environ.get("SPARK_LAUNCHER_OPTS", LAUNCHER),
        "PYSPARK_PYTHON": named or sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _built(options: SparkOptions, java_options: str) -> SparkSession:
    import pyspark
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    settings = dict(EVERYWHERE)
    if options.embedded:
        settings |= EMBEDDED
        settings["spark.sql.shuffle.partitions"] = str(os.cpu_count() or 2)
    else:
        from wireproof_reports.spark.shipping import cluster_settings

        settings |= cluster_settings()
    settings["spark.driver.extraJavaOptions"] = f"{classes.options(pyspark.__version__)} {java_options}"
    settings |= dict(options.conf)
    conf = SparkConf().setMaster(options.master).setAll(list(settings.items()))
    try:
        with _our_interrupts():
            driver.launch(conf)
            session: SparkSession = SparkSession.builder.config(conf=conf).getOrCreate()
    except Exception as problem:
        raise NoSpark(_no_session(options, problem)) from problem
    return session


@contextmanager
def _our_interrupts() -> Iterator[None]:
    """Ctrl-C stays as it is: Spark's own handler asks Java something while an answer is awaited, and drowns in it."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


def _no_session(options: SparkOptions, problem: Exception) -> str:
    what = "Check the address, and that the cluster runs" if not options.embedded else "Check --conf, and `java`"
    return f"Spark did not start with --master {options.master}: {words(str(problem))}. {what}."


def _require_pyspark() -> None:
    missing = [name for name in ("pyspark", "pyarrow") if find_spec(name) is None]
    if missing:
        raise NoSpark(f"this needs {' and '.join(missing)}, which is not installed. {INSTALL}")
