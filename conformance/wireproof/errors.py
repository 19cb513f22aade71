"""What can be wrong with bytes or with a value, as data.

A decoder answers bytes outside the language with `Malformed`, an encoder answers a
value it must not write with `Refused`, and a value that is not of the protocol's shape
at all (a key missing, a number where a string belongs) is `BadValue`: a mistake of
whoever asked, never a verdict.
"""

from __future__ import annotations

from typing import Final

ERROR_CLASSES: Final[dict[str, str]] = {
    "truncated": "the input ends inside a unit",
    "overrun": "something inside a container needs more bytes than the container has left",
    "trailing-bytes": "bytes are left in a container after its last field",
    "length-mismatch": "a declared size is impossible for this unit",
    "negative-length": "a signed length or count is below zero",
    "varint-overflow": "a varint goes on beyond its last possible byte or bit",
    "out-of-range": "a number does not fit the width of its field",
    "bad-magic": "the magic differs, or belongs to the other class of command",
    "bad-version": "the version is not the declared one",
    "unknown-type": "the document defines no such type",
    "forbidden-type": "the type is defined but must not be on the wire",
    "unknown-enum": "the enumeration has no such value",
    "reserved-bits": "a bit that is fixed to 0 is 1",
    "bad-order": "units stand in an order the document forbids",
    "duplicate": "something that may occur once occurs again",
    "invalid-utf8": "the bytes of a string are not well-formed UTF-8",
    "invalid-value": "a rule about the meaning of a value is broken",
    "checksum-mismatch": "the check code differs from the one computed",
    "crypto-failure": "a decryption, key or authentication check fails",
    "unsupported": "the bytes need a capability that was not declared",
    "limit-exceeded": "a size, count or depth is beyond its declared limit",
}
"""The shared vocabulary: every rejection and refusal carries one of these classes."""


class WireproofError(Exception):
    """Anything this package raises on purpose."""


class WireError(WireproofError):
    """A rule of a protocol is broken: which one, where, and what would have been right."""

    def __init__(self, error: str, clause: str, path: str, expected: str) -> None:
        super().__init__(error, clause, path, expected)
        self.error = error
        self.clause = clause
        self.path = path
        self.expected = expected

    def under(self, prefix: str) -> WireError:
        """Say that the path so far lies inside `prefix`."""
        self.path = prefix + self.path
        return self


class Malformed(WireError):
    """Bytes that are not a message; `offset` counts from the first byte of the input."""

    def __init__(self, error: str, clause: str, offset: int, path: str, expected: str) -> None:
        super().__init__(error, clause, path, expected)
        self.offset = offset

    def __str__(self) -> str:
        return f"{self.error} at byte {self.offset} ({self.path}, {self.clause}): expected {self.expected}"

    def shifted(self, base: int) -> Malformed:
        """The same fault, found in a part of the input that begins at `base`."""
        self.offset += base
        return self


class Refused(WireError):
    """A value an encoder must not put on the wire."""

    def __str__(self) -> str:
        return f"{self.error} ({self.path}, {self.clause}): expected {self.expected}"


class BadValue(WireproofError):
    """A value that does not have the shape of a message of this protocol."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path = path
        self.problem = problem


class BadProfile(WireproofError):
    """A profile parameter, or a value of one, that the protocol does not have."""
