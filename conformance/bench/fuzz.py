"""Random and mutated inputs, in bulk: every answer is a value or a typed rejection.

    python conformance/bench/fuzz.py [--count N] [--seed S] [PROTOCOL ...]

Each input is decoded whole and as a stream cut somewhere, and the two answers must be
the same. Any exception that escapes, or any difference, is printed with the bytes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from random import Random

from wireproof import PROTOCOLS, Codec, codec
from wireproof.codec import protocol
from wireproof.draw import RandomDraw
from wireproof.errors import Refused
from wireproof.generate import message
from wireproof.mutate import mutate
from wireproof.profile import alternatives

CHANGES_PER_MESSAGE = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protocols", nargs="*", default=PROTOCOLS, metavar="PROTOCOL")
    parser.add_argument("--count", type=int, default=1_000_000, help="inputs per protocol")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    failures = 0
    for name in arguments.protocols:
        failures += fuzz(name, arguments.count, arguments.seed)
    print("no untyped exception, no difference in pieces" if not failures else f"{failures} failures")
    return 1 if failures else 0


def fuzz(name: str, count: int, seed: int) -> int:
    random = Random(f"{seed} {name}")
    draw = RandomDraw(random)
    codecs = [
        codec(name, direction=direction, profile=profile)
        for direction in protocol(name).directions or (None,)
        for profile in [{}, {}, {}, *alternatives(name)]
    ]
    outcomes: Counter[str] = Counter()
    failures = done = 0
    start = time.perf_counter()
    while done < count:
        found = random.choice(codecs)
        data = _message(found, draw)
        for _ in range(min(CHANGES_PER_MESSAGE, count - done)):
            changed = random.randbytes(random.randint(0, 40)) if random.random() < 0.1 else mutate(found, data, random)
            outcome = answer(found, changed, random)
            outcomes[outcome] += 1
            failures += outcome.startswith("FAILED")
            done += 1
        if sys.stderr.isatty() and done % 4000 == 0:
            print(f"\r{name}: {done:,} of {count:,}", end="", file=sys.stderr)
    rate = done / (time.perf_counter() - start)
    shares = ", ".join(f"{outcome} {times / done:.1%}" for outcome, times in outcomes.most_common())
    print(f"\r{name}: {done:,} inputs, {failures} failures, {rate:,.0f}/s\n    {shares}", flush=True)
    return failures


def _message(found: Codec, draw: RandomDraw) -> bytes:
    try:
        return found.encode(message(found, draw))
    except Refused:
        return b""


def answer(found: Codec, data: bytes, random: Random) -> str:
    """`ok` or the error class; `FAILED` with the bytes when an answer is no answer."""
    try:
        whole = found.decode(data)
        cut = random.randint(0, len(data))
        stream = found.stream()
        stream.feed(data[:cut])
        stream.feed(data[cut:])
        pieces = stream.end()
    except Exception as escaped:
        print(f"{found.name} {found.plan.settings}: {data.hex()}: {escaped!r}", file=sys.stderr)
        return "FAILED"
    error, other = whole.error, pieces.error
    same = whole.messages == pieces.messages and whole.consumed == pieces.consumed
    if error is not None and other is not None:
        same = same and (error.error, error.offset) == (other.error, other.offset)
    if not same or (error is None) != (other is None):
        print(f"{found.name} {found.plan.settings}: {data.hex()}: in pieces another answer", file=sys.stderr)
        return "FAILED"
    return error.error if error is not None else "ok"


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
