"""How much of the accepted vectors matters: change each byte and see whether the answer changes.

    python conformance/bench/bytes_matter.py [--longest N] [PROTOCOL ...]

Every byte of every accepted vector is changed in three ways (its lowest bit, its highest
bit, all its bits) and decoded again; of long vectors, the first and the last byte of each
field. A change that is neither rejected nor visible in the
value must be on the list of those that a document or a parameter allows; any other is
printed, and the exit code is 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from wireproof import PROTOCOLS
from wireproof.suite import Vector, load_suite
from wireproof.trace import Span

CHANGES: Final = (0x01, 0x80, 0xFF)
LONGEST: Final = 1024
LONGEST_OF_ALL: Final = 70_000
SHOWN: Final = 20


class Unseen(NamedTuple):
    """A change that no decoder can tell."""

    vector: Vector
    place: int
    change: int
    span: Span | None
    """The innermost field at that place, if it was decoded."""


class Reason(NamedTuple):
    """Why some bytes do not matter."""

    words: str
    applies: Callable[[Unseen], bool]


def _parameter(unseen: Unseen, name: str, *values: str) -> bool:
    return unseen.vector.profile.get(name) in values


def _is_true(unseen: Unseen) -> bool:
    """Both the byte and what it was changed to are true."""
    byte = unseen.vector.data[unseen.place]
    return unseen.span is not None and unseen.span.type == "Bool" and byte != 0 and byte ^ unseen.change != 0


def _skipped(unseen: Unseen) -> bool:
    """In the body of a unit that is passed over, or in its type, which may become another of that kind."""
    names = ("unknown_frames", "unknown_lines", "reserved_lines", "cancelled")
    unread = unseen.span is None or unseen.span.path.endswith("].type")
    return unread and any(_parameter(unseen, name, "skip") for name in names)


def _lost_entry(unseen: Unseen) -> bool:
    inside = unseen.span is not None and ".v[" in unseen.span.path
    return inside and _parameter(unseen, "dup_keys", "first", "last")


REASONS: Final = (
    Reason("a Bool is true for every byte but 00 (ESNPF-3.3, ESNPL-2.3)", _is_true),
    Reason("units that a profile skips are not examined (unknown_frames=skip and its like)", _skipped),
    Reason("of entries with the same key a profile keeps one (dup_keys=first, last)", _lost_entry),
)
"""What the documents, or parameters that stand for what they leave open, allow."""


def places(vector: Vector, longest: int) -> list[int]:
    """Which bytes are changed."""
    if len(vector.data) <= longest:
        return list(range(len(vector.data)))
    if len(vector.data) > LONGEST_OF_ALL:
        return []
    spans = [span for span in vector.codec.trace(vector.data).spans if span.start < span.stop]
    return sorted({place for span in spans for place in (span.start, span.stop - 1)})


def unseen_changes(vector: Vector, places: list[int]) -> Iterator[Unseen]:
    """The changes of single bytes that decode to the very same messages."""
    codec, data = vector.codec, vector.data
    messages = codec.decode(data).messages
    for place in places:
        for change in CHANGES:
            decoded = codec.decode(data[:place] + bytes([data[place] ^ change]) + data[place + 1 :])
            if decoded.error is None and decoded.messages == messages:
                yield Unseen(vector, place, change, _field_at(vector, place))


def _field_at(vector: Vector, place: int) -> Span | None:
    around = [span for span in vector.codec.trace(vector.data).spans if span.start <= place < span.stop]
    return min(around, key=lambda span: span.stop - span.start, default=None)


def reason_of(unseen: Unseen) -> str:
    """Why the change may go unseen; empty if nothing allows it."""
    return next((reason.words for reason in REASONS if reason.applies(unseen)), "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("protocols", nargs="*", default=PROTOCOLS, metavar="PROTOCOL")
    parser.add_argument(
        "--longest", type=int, default=LONGEST, help="of vectors of more bytes, only the ends of fields"
    )
    arguments = parser.parse_args()
    start = time.perf_counter()
    accepted = [vector for vector in load_suite().vectors if vector.kind == "accept"]
    chosen = [vector for vector in accepted if vector.protocol in arguments.protocols]
    tried = [(vector, places(vector, arguments.longest)) for vector in chosen]
    unseen = [change for vector, where in tried for change in unseen_changes(vector, where)]
    size = sum(len(where) for _, where in tried)
    left_out = sum(not where for _, where in tried)
    print(f"{len(tried) - left_out:,} accepted vectors, {left_out} left out as empty or too long")
    return report(size, unseen, time.perf_counter() - start)


def report(size: int, unseen: list[Unseen], seconds: float) -> int:
    """Print what came of it; the exit code."""
    changes = len(CHANGES) * size
    print(f"{size:,} bytes, {changes:,} changes, {seconds:.1f} s")
    seen = f"{100 * (1 - len(unseen) / max(1, changes)):.3f} %"
    print(f"{changes - len(unseen):,} change the answer of a decoder ({seen}), {len(unseen):,} do not:")
    reasons = Counter(reason_of(change) for change in unseen)
    for words, number in reasons.most_common():
        print(f"{number:8,}  {words or 'NOT ALLOWED BY ANYTHING'}")
    caught = sum(change.vector.canonical for change in unseen)
    print(f"{caught:,} of them are in canonical vectors, where an encoder does not write the changed byte")
    for change in [change for change in unseen if not reason_of(change)][:SHOWN]:
        field = "no field" if change.span is None else change.span.path
        print(f"{change.vector.id} byte {change.place} xor {change.change:02x}: {field} ({change.vector.file})")
    return 1 if reasons[""] else 0


if __name__ == "__main__":
    sys.exit(main())
