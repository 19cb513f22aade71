"""For tests of Spark under real conditions: a standalone cluster on loopback, drivers of their own, and testees.

The cluster is a master and workers as processes, started from the pip package.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

LONGEST_START: Final = 60.0
DEPLOY: Final = "org.apache.spark.deploy"
MASTER: Final = re.compile(r"Starting Spark master at (spark://\S+)")
REGISTERED: Final = re.compile(r"Successfully registered with master")
QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
KIT: Final = Path(__file__).parents[2] / "harness" / "kits" / "python"
ON_CLUSTER: Final = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executor.cores": "1",
    "spark.executor.memory": "512m",
    "spark.executor.extraJavaOptions": QUICK,
    "spark.sql.shuffle.partitions": "2",
}
LOOP: Final = "for line in sys.stdin.buffer:\n"


class Daemon:
    """A master or a worker, with what it says in a file."""

    def __init__(self, name: str, folder: Path, *arguments: str) -> None:
        import pyspark

        home = Path(pyspark.__file__).parent
        self.log = folder / f"{name}.log"
        cleared = {key: value for key, value in os.environ.items() if not key.startswith(("SPARK_", "PYSPARK_"))}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [home / "bin" / "spark-class", *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                env={
                    **cleared,
                    "SPARK_HOME": str(home),
                    "SPARK_DAEMON_MEMORY": "256m",
                    "SPARK_DAEMON_JAVA_OPTS": f"{QUICK} -Dspark.master.rest.enabled=false",
                    "SPARK_LOCAL_IP": "127.0.0.1",
                },
            )

    def said(self, pattern: re.Pattern[str]) -> re.Match[str]:
        """What it says when it is ready."""
        found: list[re.Match[str]] = []

        def look() -> bool:
            text = self.log.read_text(encoding="utf-8", errors="replace")
            assert self.process.poll() is None, f"it ended with {self.process.returncode}:\n{text[-3000:]}"
            found.extend(pattern.finditer(text))
            return bool(found)

        wait_until(look, f"{self.log.name}: {pattern.pattern}")
        return found[0]

    def family(self) -> set[int]:
        """Its process and everything that came of it: executors, their Pythons, and whom these ask."""
        return descendants(self.process.pid)

    def kill(self) -> None:
        """As when a machine loses its power: everything at once. Python's daemons have groups of their own."""
        for pid in self.family():
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(LONGEST_START)


class Cluster:
    """A running cluster."""

    def __init__(self, url: str, workers: list[Daemon]) -> None:
        self.url = url
        self.workers = workers


@contextmanager
def cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster whose workers have one core each; none of its processes outlives the block."""
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        options = shlex.split("--host 127.0.0.1 --port 0 --webui-port 0")
        master = Daemon("master", folder, f"{DEPLOY}.master.Master", *options)
        stack.callback(master.kill)
        url = master.said(MASTER)[1]
        started = []
        for number in range(workers):
            options = shlex.split("--host 127.0.0.1 --cores 1 --memory 1g --webui-port 0 --work-dir")
            work = str(folder / f"work-{number}")
            started.append(Daemon(f"worker-{number}", folder, f"{DEPLOY}.worker.Worker", url, *options, work))
            stack.callback(started[-1].kill)
        for worker in started:
            worker.said(REGISTERED)
        yield Cluster(url, started)


def descendants(root: int) -> set[int]:
    """A process and all below it."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found, waiting = set[int](), [root]
    while waiting:
        pid = waiting.pop()
        found.add(pid)
        waiting += children.get(pid, [])
    return found


def alive(pids: set[int]) -> dict[int, str]:
    """Who of them still runs, and as what; one that has ended and waits for its parent to look does not."""
    found = {}
    for pid in pids:
        with suppress(OSError):
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
            if state != "Z":
                found[pid] = Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:200]
    return found


def wait_until(true: Callable[[], bool], what: str, seconds: float = LONGEST_START) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, f"not within {seconds:.0f} s: {what}"
        time.sleep(0.05)


def command(words: list[str], master: str, conf: dict[str, str] | None = None) -> list[str]:
    """`wireproof corpus` with its words, as a driver of its own."""
    settings = [word for key, value in (conf or {}).items() for word in ("--conf", f"{key}={value}")]
    return [str(Path(sys.executable).parent / "wireproof"), "corpus", *words, "--master", master, *settings]


def told(words: list[str], master: str, conf: dict[str, str] | None = None) -> dict[str, Any]:
    """What such a driver tells as JSON, once it has finished well or with a difference."""
    done = subprocess.run(
        command([*words, "--format", "json"], master, conf), capture_output=True, text=True, check=False, timeout=180
    )
    assert done.returncode in (0, 1), done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def kit(folder: Path, *, first: str = "", each: str = "", replace: tuple[str, str] = ("", "")) -> str:
    """A copy of the Python kit, as a manifest: lines to run first, and for each request, and a bug in its codec."""
    shutil.copytree(KIT, folder, ignore=shutil.ignore_patterns("__pycache__"))
    adapter = folder / "adapter.py"
    text = adapter.read_text(encoding="utf-8")
    assert text.count(LOOP) == 1
    adapter.write_text(text.replace(LOOP, f"import os, time, zlib\n{first}\n{LOOP}    {each or 'pass'}\n"), "utf-8")
    codec = folder / "comet.py"
    text = codec.read_text(encoding="utf-8")
    assert replace[0] in text
    codec.write_text(text.replace(*replace) if replace[0] else text, "utf-8")
    manifest = folder / "wireproof.toml"
    manifest.write_text(f"command = {json.dumps([sys.executable, 'adapter.py'])}\n", "utf-8")
    return str(manifest)


NO_AT_SIGN: Final = ('check(layout == "string" or text.startswith("@"), "invalid-value", start)', "pass")
"""A bug: topics that do not begin as they must are accepted."""


def rows(table: Any) -> list[tuple[Any, ...]]:
    """The rows of a table in an order of their own, without the attempt they come from."""
    kept = table.drop("attempt") if "attempt" in table.columns else table
    return sorted(tuple(row) for row in kept.collect())
