"""The words for what came of a question. They are counted apart and never merged."""

from __future__ import annotations

from typing import Final

STATUSES: Final[dict[str, str]] = {
    "pass": "the answer is right",
    "warn": "the answer is right but for its reason, or departs from a recommendation",
    "fail": "the answer is wrong",
    "unsupported": "not claimed, or answered unsupported",
    "known-fail": "fails as the baseline says",
    "unexpected-pass": "the baseline says it fails, and it does not",
    "crash": "the implementation ended, or was ended, over this question",
    "timeout": "no answer came in time",
    "contract-error": "what came is no answer",
    "flaky": "asked again alone, it was answered differently",
    "not-run": "planned, and not asked",
}

EXECUTED: Final = frozenset(STATUSES) - {"unsupported", "not-run"}
"""An answer, or the lack of one, was seen and judged."""

BROKEN: Final = frozenset({"fail", "unexpected-pass", "crash", "timeout", "contract-error", "flaky"})
"""With one of these an implementation does not conform."""

CAUSES: Final[dict[str, str]] = {
    "rejected": "rejects what the document allows",
    "accepted": "accepts what the document does not define",
    "value": "reads a value that is not there",
    "messages": "finds another number of messages",
    "delivered": "hands over other messages before the defect",
    "consumed": "counts other bytes as read",
    "reason": "rejects for another reason",
    "after": "hands a message over too early or too late",
    "incomplete": "does not tell an unfinished message from a finished one",
    "bytes": "writes other bytes",
    "refused": "does not write what the document allows",
    "written": "writes what must not be written",
    "error": "calls a right question wrong",
    "shape": "answers in a form that is not in the contract",
    "twin": "rejects, but rejects the valid twin as well",
    "probe": "claims an operation that does not exist",
    "ended": "ended before it had answered",
    "memory": "took more memory than it was given",
    "silence": "did not answer in time",
    "stray": "wrote a line that answers nothing",
    "long-line": "wrote a line longer than any answer",
    "unclaimed": "the implementation does not claim it",
    "unrendered": "cannot be asked under the declared profile",
    "withdrawn": "claimed, and then answered unsupported",
    "stopped": "the run ended before it was asked",
}
"""In which way an answer is not right; words for a summary."""

ALIASES: Final[dict[str, tuple[str, ...]]] = {
    "truncated": ("overrun",),
    "overrun": ("truncated", "length-mismatch"),
    "trailing-bytes": ("length-mismatch",),
    "length-mismatch": ("overrun", "trailing-bytes"),
    "negative-length": ("out-of-range", "overrun"),
    "varint-overflow": ("out-of-range", "overrun"),
    "out-of-range": ("varint-overflow",),
    "bad-magic": ("unknown-type",),
    "unknown-type": ("unknown-enum",),
    "forbidden-type": ("unknown-type",),
    "unknown-enum": ("invalid-value",),
    "reserved-bits": ("unknown-type",),
    "invalid-utf8": ("invalid-value",),
    "checksum-mismatch": ("crypto-failure",),
    "limit-exceeded": ("overrun", "truncated"),
}
"""For each error class, others that an implementation may tell in its place: a pass with a note."""
