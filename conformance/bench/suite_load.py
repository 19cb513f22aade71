"""How long it takes to load every vector: from the files, and from the cache.

python conformance/bench/suite_load.py [--rounds N]
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time

from wireproof.suite import load_suite

COLD, WARM = 2.0, 0.1
"""Seconds that loading may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        cold = min(_seconds(cached=False) for _ in range(rounds))
        vectors = len(load_suite().vectors)  # fills the cache
        warm = min(_seconds(cached=True) for _ in range(rounds))
    print(f"{vectors:,} vectors: {cold:.2f} s from the files (at most {COLD:.0f}), {1000 * warm:.0f} ms from the cache")
    return 0 if cold <= COLD and warm <= WARM else 1


def _seconds(*, cached: bool) -> float:
    start = time.perf_counter()
    load_suite(cached=cached)
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
