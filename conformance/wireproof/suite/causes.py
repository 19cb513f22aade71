"""What usually lies behind an answer that differs, for each error class."""

from __future__ import annotations

from typing import Final

CAUSES: Final[dict[str, tuple[str, ...]]] = {
    "truncated": (
        "The end of the input is not told apart from the end of a container; overrun is for the latter.",
        "A field is examined before its block is complete, so that another error comes first.",
        "A read returns fewer bytes than asked for, and the rest is taken as zeros.",
    ),
    "overrun": (
        "Reads are bounded by the input instead of the container around the field.",
        "A length or a count is believed before it is compared with what is left.",
        "Slicing past the end gives a shorter run silently, as it does in many languages.",
    ),
    "trailing-bytes": (
        "After the last field nobody compares the position with the end of the container.",
        "The next unit is read from where the fields end, not from where the container ends.",
    ),
    "length-mismatch": (
        "A fixed body is read without a look at the size that was declared for it.",
        "A length below its least value is taken as empty, or wraps around when something is subtracted.",
    ),
    "negative-length": (
        "A signed length is converted to unsigned before it is checked, and becomes huge.",
        "A length below zero moves the position back, or makes an empty run.",
    ),
    "varint-overflow": (
        "The loop over the bytes of a varint has no upper bound.",
        "Bits beyond the widest are shifted out without notice.",
    ),
    "out-of-range": (
        "A number is stored in a narrower type, and its upper bits are lost.",
        "The range is checked on the wire form instead of the value it stands for.",
        "An encoder masks a number to its width instead of refusing it.",
    ),
    "bad-magic": (
        "Only the first bytes of a magic are compared, or letters without regard to case.",
        "The class of a magic is not compared with the command that follows.",
    ),
    "bad-version": ("The version is read and never looked at.", "Newer versions are taken to be compatible."),
    "unknown-type": (
        "The table of types has a default that takes any number.",
        "A wide type number is looked up by its lowest byte.",
        "The tables of the two directions are one.",
    ),
    "forbidden-type": (
        "The type is in the table because it exists, although it must not be sent.",
        "What a receiver still tolerates is taken as permission to write it.",
    ),
    "unknown-enum": ("A value without a name is mapped to a default.", "More bits are masked away than are unused."),
    "reserved-bits": (
        "Flags are tested one by one, and the bits in between never.",
        "Bits are counted from the wrong end of the byte.",
    ),
    "bad-order": (
        "Units are collected by type, so that their order is lost before it is checked.",
        "A unit that binds nothing is taken to end the header part.",
    ),
    "duplicate": ("A later unit replaces an earlier one without notice.",),
    "invalid-utf8": (
        "Malformed sequences are replaced instead of rejected, the default of many libraries.",
        "Overlong forms or surrogates pass a decoder that only counts continuation bytes.",
        "A run is cut at a byte count in the middle of a character.",
    ),
    "invalid-value": (
        "Structure is checked and meaning is left to the application.",
        "The rule is checked when writing, not when reading, or the other way round.",
    ),
    "checksum-mismatch": (
        "The check code covers other bytes: the whole payload instead of the message, or itself.",
        "The check code is written in the other byte order.",
        "Another polynomial, start value or final inversion is used.",
    ),
    "crypto-failure": ("The key, the nonce or the order of what is authenticated differs.",),
    "unsupported": (
        "A flag that announces an unknown layout is ignored, and the bytes are read as if it were not set.",
        "The refusal comes too late, after the unknown layout was read as something else.",
    ),
    "limit-exceeded": (
        "The limit is checked after the bytes were waited for, or memory was taken.",
        "The comparison is off by one: the limit itself is allowed.",
        "Nesting is followed by recursion until the stack ends.",
    ),
}
"""Sentences for people, in the order of likelihood."""

ACCEPTED: Final = (
    "A rule is stricter than the document: something it allows is rejected.",
    "A boundary is off by one, or a number is read in the wrong width, sign or byte order.",
    "The value is right and is told in another form: 64-bit numbers are decimal strings, bytes are hex.",
)
"""Why an implementation may fail on an input that is right."""


def causes(error: str) -> tuple[str, ...]:
    """The usual causes of not answering `error`; of not accepting, for an empty one."""
    return CAUSES[error] if error else ACCEPTED
