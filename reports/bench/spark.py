"""How fast the Spark pipeline is, as ratios in one run: against plain processes, against itself at other sizes, and
against Spark as it starts by default.

make bench-spark                              decode plus matrix on 5 million comet frames and a mix, and starts
make bench-spark ARGS="--part grow"           generate, check and decode at 0.1, 1 and 10 million frames
make bench-spark ARGS="--million 0.2"         smaller
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

from wireproof.codec import PROTOCOLS
from wireproof_reports.corpus.recipe import Recipe, Source, recipe
from wireproof_reports.spark.session import SparkOptions, spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Result = TypeVar("Result")
PROCESSES: Final = 2
MASTER: Final = f"local[{PROCESSES}]"
ROUNDS: Final = 3
FIRST: Final = 2_000
"""Frames that each step is done with once before it is measured."""
MADE: Final = 500_000
"""Frames that are really generated for a decode benchmark; more are the same files again."""
START: Final = """
import os, sys, time
begun = time.perf_counter()
if sys.argv[1] == "default":
    os.environ["PYSPARK_PYTHON"] = sys.executable
    from pyspark.sql import SparkSession
    SparkSession.builder.master("local[2]").getOrCreate().range(10).count()
    print(time.perf_counter() - begun)
else:
    from wireproof_reports.spark.session import SparkOptions, spark_session
    with spark_session(SparkOptions("local[2]"), small=sys.argv[1] == "small") as session:
        session.range(10).count()
        print(time.perf_counter() - begun)
"""


def plain(files: list[str], sources: list[Source]) -> int:
    """The same work in a process of its own: read the files, decode, count."""
    from wireproof_reports.corpus.matrix import tally_file

    codecs = [source.codec() for source in sources]
    counts: Counter[Any] = Counter()
    for file in files:
        tally_file(file, codecs, counts)
    return counts.total()


def timed(work: Callable[[], int], expected: int) -> float:
    start = time.perf_counter()
    found = work()
    assert found == expected, (found, expected)
    return time.perf_counter() - start


def decode_and_matrix(folder: Path, words: str, wanted: float, made: Recipe, times: int) -> None:
    """Frames a second through Spark and in two plain processes, in turn."""
    from wireproof_reports.corpus.generate import generate
    from wireproof_reports.corpus.matrix import matrix
    from wireproof_reports.corpus.store import open_corpus

    with spark_session(SparkOptions(MASTER)) as session, ProcessPoolExecutor(PROCESSES) as pool:
        generate(session, made, str(folder / words), 20)
        corpus = open_corpus(session, str(folder / words))
        total = made.frames * times
        corpus = corpus._replace(files=corpus.files * times)

        def through_spark() -> int:
            return sum(row["frames"] for row in matrix(session, corpus).collect())

        def in_processes() -> int:
            halves = [corpus.files[place::PROCESSES] for place in range(PROCESSES)]
            return sum(pool.map(plain, halves, [made.sources] * PROCESSES))

        timed(through_spark, total)  # workers, compilers and the cache of files are warm for both
        timed(in_processes, total)
        pairs = [(timed(through_spark, total), timed(in_processes, total)) for _ in range(ROUNDS)]
    spark, processes = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(two / one for one, two in pairs)
    print(f"{words}, {total:,} frames: decode plus matrix")
    print(f"  Spark {MASTER}            {total / spark:>12,.0f}/s")
    print(f"  {PROCESSES} plain processes         {total / processes:>12,.0f}/s")
    print(f"  Spark / plain              {ratio:>12.2f}     wanted {wanted}", flush=True)


def starts() -> None:
    """Seconds until a session has counted ten rows, in turn; medians."""
    found: dict[str, list[float]] = {"default": [], "corpus": [], "small": []}
    for number in range(ROUNDS + 1):
        for kind, seconds in found.items():
            done = subprocess.run([sys.executable, "-c", START, kind], capture_output=True, text=True, check=True)
            if number:  # the first time round has the archive of classes made
                seconds.append(float(done.stdout.split()[-1]))
        if not number:
            time.sleep(30)
    usual = statistics.median(found["default"])
    print("start of a session")
    for kind, wanted in (("default", 1.0), ("corpus", 0.6), ("small", 0.45)):
        took = statistics.median(found[kind])
        print(f"  {kind:<10} {took:>6.2f} s   {took / usual:.2f} of Spark's default   wanted {wanted}", flush=True)


class Stopwatch:
    """Seconds that steps took."""

    def __init__(self) -> None:
        self.took: list[float] = []

    def step(self, work: Callable[[], Result]) -> Result:
        start = time.perf_counter()
        result = work()
        self.took.append(time.perf_counter() - start)
        return result


def steps(session: SparkSession, where: Path, frames: int) -> list[float]:
    """Seconds for generating, checking, adding up and decoding so many frames."""
    from wireproof_harness.target import target
    from wireproof_reports.corpus.checking import check
    from wireproof_reports.corpus.generate import generate
    from wireproof_reports.corpus.matrix import matrix
    from wireproof_reports.corpus.outcome import added_up
    from wireproof_reports.corpus.settling import Implementation
    from wireproof_reports.corpus.store import open_corpus

    reference = target(("reference",))
    asked = [Implementation("reference", reference, reference.open().start())]
    watch = Stopwatch()
    watch.step(lambda: generate(session, recipe(frames, 1), str(where / "corpus")))
    corpus = open_corpus(session, str(where / "corpus"))
    out = str(where / "checked")
    done = watch.step(lambda: check(session, corpus, asked, out))
    watch.step(lambda: added_up(session, corpus, done, out, 0))
    watch.step(lambda: matrix(session, corpus).collect())
    return watch.took


def growth(folder: Path, million: float) -> None:
    """How the cost of each step grows, in a session that has done each before."""
    heads = " ".join(f"{name:>10}" for name in ("generate", "check", "tables", "matrix", "all"))
    print(f"{'frames':>12} {heads}   seconds for a million")
    for frames in (round(million * 100_000), round(million * 1_000_000), round(million * 10_000_000)):
        where = folder / str(frames)
        with spark_session(SparkOptions(MASTER)) as session:
            steps(session, where / "warm", FIRST)
            took = steps(session, where, frames)
        size = sum(file.stat().st_size for file in where.glob("corpus/frames/*.parquet"))
        figures = " ".join(f"{seconds / frames * 1e6:>10.2f}" for seconds in [*took, sum(took)])
        print(f"{frames:>12,} {figures}   {size / frames:.0f} bytes a frame on disk", flush=True)
        shutil.rmtree(where)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", choices=["comet", "mix", "start", "grow"], action="append")
    parser.add_argument("--million", type=float, default=1.0, help="by how much all sizes are multiplied")
    chosen = parser.parse_args()
    parts = chosen.part or ["comet", "mix", "start"]
    made = max(20_000, round(MADE * chosen.million))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if "comet" in parts:
            decode_and_matrix(folder, "comet", 0.7, recipe(made, 1, protocols=["comet"]), 10)
        if "mix" in parts:
            decode_and_matrix(folder, "mix", 0.85, recipe(made, 1, protocols=PROTOCOLS), 4)
        if "start" in parts:
            starts()
        if "grow" in parts:
            growth(folder, chosen.million)


if __name__ == "__main__":
    main()
