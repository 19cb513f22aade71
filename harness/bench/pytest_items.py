"""How fast vectors run as pytest items, beside as many empty tests in the same run, since machines differ.

make bench-pytest                    copies of all vectors under other ids, asked once each (decode)
make bench-pytest ARGS="--copies 1"  the vectors once

The five inputs of 16 MiB are there once, as in the suite: with every copy they would be most of what is measured.
"""

from __future__ import annotations

import argparse
import os
import re
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final, NamedTuple

from wireproof.suite import load_suite

HERE: Final = Path(__file__).parent
VECTORS: Final = HERE.parents[1] / "vectors"
JAVASCRIPT: Final = HERE.parent / "kits" / "reference-js" / "adapter.mjs"
ID: Final = re.compile(r"\b((?:ESNPF|ESNPL|TNY|RPK|MAG|COMET)-[A-Z0-9-]*[A-Z0-9])-([0-9]{3})\b")
WANTED_RATE: Final = 2_000
HUGE: Final = 1 << 20
NOT_AS_A_USER: Final = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
QUIET: Final = ("-q", "-p", "no:cacheprovider", "-p", "no:randomly", "--color=no", "-W", "ignore")


class Measured(NamedTuple):
    """A run of pytest: how many items passed, how long it took, and how much of that it computed itself."""

    items: int
    seconds: float
    computed: float

    @property
    def rate(self) -> float:
        return self.items / self.seconds


def copied(folder: Path, copies: int) -> Path:
    """A suite that has every vector so many times, each time under another id."""
    for file in VECTORS.glob("*/*/*.yaml"):
        text = file.read_text(encoding="utf-8")
        room = folder / file.parent.relative_to(VECTORS)
        room.mkdir(parents=True, exist_ok=True)
        for number in range(copies):
            mark = f"Q{number}"
            (room / f"{file.stem}-{number}.yaml").write_text(ID.sub(rf"\1{mark}-\2", text), encoding="utf-8")
    return folder


def once_if_huge(copies: int) -> str:
    """What pytest's -k takes to leave the further copies of huge inputs out."""
    huge = [vector.id.rsplit("-", 1) for vector in load_suite().vectors if vector.size > HUGE]
    names = [f"{stem}Q{copy}-{number}" for stem, number in huge for copy in range(1, copies)]
    return f"not ({' or '.join(['nothing', *names])})"


def empty(folder: Path, number: int) -> Path:
    """A file with so many tests that do nothing."""
    file = folder / "test_empty.py"
    lines = "import pytest\n\n@pytest.mark.parametrize('number', range({}))\ndef test_empty(number):\n    pass\n"
    file.write_text(lines.format(number), encoding="utf-8")
    return file


def measured(folder: Path, *words: str) -> Measured:
    """pytest in a process of its own, start and end included."""
    command = [sys.executable, "-m", "pytest", *QUIET, "--rootdir", str(folder), *words]
    # As for a user: modules are compiled once, and output is not written letter by letter.
    env = {name: value for name, value in os.environ.items() if name not in NOT_AS_A_USER}
    env |= {"XDG_CACHE_HOME": str(folder / "cache"), "PYTHONPYCACHEPREFIX": str(folder / "compiled")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)
    seconds = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = re.search(r"^(\d+) passed", done.stdout.splitlines()[-1] if done.stdout else "")
    if done.returncode != 0 or found is None:
        raise SystemExit(f"pytest ended with {done.returncode}:\n{(done.stdout + done.stderr)[-2000:]}")
    computed = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Measured(int(found[1]), seconds, computed)


def tell(what: str, run: Measured, wanted: str = "") -> None:
    took = f"{run.seconds:>7.1f} s {run.rate:>8,.0f}/s {run.computed:>7.1f} s computed"
    print(f"{what:34} {run.items:>6,} items {took}{wanted}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=3)
    parser.add_argument("--impl", default=shlex.join(["node", str(JAVASCRIPT)]))
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        suite = copied(folder / "suite", chosen.copies)
        asked = [str(suite), "--wireproof-impl", chosen.impl, "--wireproof-mode", "decode", "-m", "not refuse"]
        measured(folder, *asked, "-k", "COMET-SUBSCRIBE")  # the suite is read from YAML once, and kept
        vectors = measured(folder, *asked, "-k", once_if_huge(chosen.copies))
        nothing = measured(folder, str(empty(folder, vectors.items)))
    tell("vectors", vectors, f"   wanted {WANTED_RATE:,}/s")
    tell("empty tests", nothing)
    print(f"a vector / an empty test           {vectors.seconds / nothing.seconds:>6.2f}")


if __name__ == "__main__":
    main()
