"""Rules that ask the reference codec: the answer, its canonical form, and the one defect."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from wireproof.codec import Codec
from wireproof.errors import BadValue, Refused
from wireproof.suite.model import LARGE, Suite, Vector
from wireproof.suite.patch import PatchProblem, patch_bytes, patch_value

SHOWN: Final = 300


class Finding(NamedTuple):
    """What a rule found: at which key of the vector, what, and what to do."""

    key: str
    problem: str
    advice: str
    below: int = 0
    """Lines below the key."""


def answers(vector: Vector, _: Suite) -> Iterator[Finding]:
    """The reference gives the expectation, whole and byte by byte."""
    if vector.kind == "refuse":
        return
    found = decode(vector.codec, vector.data)
    if not same(found, vector.answer):
        advice = f"Expected was {shown(vector.answer)}: one of the two is wrong"
        yield Finding("expect", f"the reference answers {shown(found)}", advice)
    elif vector.size <= LARGE and not same(in_pieces(vector.codec, vector.data), found):
        yield Finding("expect", "the answer differs byte by byte", "The reference is wrong: report it")


def canonical_form(vector: Vector, _: Suite) -> Iterator[Finding]:
    """Canonical vectors encode back to their bytes, the others do not."""
    if vector.kind != "accept":
        return
    written = encode_all(vector)
    free = any(writes_either_way(vector.protocol, message) for message in vector.messages)
    if vector.canonical and free:
        yield Finding("expect", "a ping or pong with flags or a payload is not canonical", "Write canonical: false")
    elif vector.canonical and written != vector.data:
        now = written if isinstance(written, str) else written.hex()
        advice = "Write canonical: false, if a decoder accepts what an encoder writes otherwise"
        yield Finding("hex", f"it encodes to {now[:SHOWN]}", advice)
    elif not vector.canonical and written == vector.data and not free:
        yield Finding("canonical", "it encodes back to its bytes", "Leave canonical: false out")


def refusal(vector: Vector, _: Suite) -> Iterator[Finding]:
    """The reference refuses the value, for the reason given."""
    if vector.kind != "refuse":
        return
    try:
        written = vector.codec.encode(vector.codec.message(vector.message))
    except Refused as refused:
        if refused.error != vector.expect.refuse:
            yield Finding("expect", f"the reference says {refused}", "One of the two is wrong")
    except BadValue as problem:
        yield Finding("value", f"the value has not the shape of a message: {problem}", "Such a value is never asked")
    else:
        yield Finding("expect", f"the reference writes {written.hex()[:SHOWN]}", "One of the two is wrong")


def one_defect(vector: Vector, suite: Suite) -> Iterator[Finding]:
    """The patch makes this vector of an accepted twin."""
    if vector.kind == "accept":
        return
    twin = suite.by_id.get(vector.twin)
    if twin is None:
        yield Finding("twin", f"the twin {vector.twin} does not exist", "Name an accepted vector")
    elif twin.kind != "accept":
        yield Finding("twin", f"the twin {twin.id} is not accepted", "Name an accepted vector")
    elif (twin.protocol, twin.direction, twin.profile) != (vector.protocol, vector.direction, vector.profile):
        yield Finding(
            "twin", f"the twin {twin.id} has another protocol, direction or profile", "Name one with the same"
        )
    elif not _accepted(twin):
        yield Finding("twin", f"the reference does not accept the twin {twin.id}", "Put the twin right first")
    else:
        yield from _patched(vector, twin)


def _patched(vector: Vector, twin: Vector) -> Iterator[Finding]:
    try:
        if vector.kind == "reject":
            made = patch_bytes(twin.codec, twin.data, vector.patch)
            if made != vector.data:
                yield Finding(
                    "patch", f"the patch makes {made.hex(' ')[:SHOWN]}", "Describe every difference to the twin"
                )
        elif len(twin.messages) != 1 or not isinstance(encode_all(twin), bytes):
            yield Finding("twin", f"the twin {twin.id} is not one message that encodes", "Name a canonical one")
        elif not same(value := patch_value(twin.messages[0], vector.patch), vector.message):
            yield Finding("patch", f"the patch makes {shown(value)}", "Describe every difference to the twin")
    except PatchProblem as problem:
        yield Finding("patch", str(problem), "Paths are those of the twin's fields")


def _accepted(twin: Vector) -> bool:
    return twin.codec.decode(twin.data).ok


def decode(codec: Codec, data: bytes) -> dict[str, Any]:
    return codec.answer(codec.decode(data))


def in_pieces(codec: Codec, data: bytes) -> dict[str, Any]:
    """The answer of a stream that is fed one byte at a time."""
    stream = codec.stream()
    for index in range(len(data)):
        stream.feed(data[index : index + 1])
    return codec.answer(stream.end())


def encode_all(vector: Vector) -> bytes | str:
    """The bytes the reference writes for the messages of a vector, or why it does not."""
    codec = vector.codec
    try:
        return b"".join(codec.encode(codec.message(message)) for message in vector.messages)
    except (Refused, BadValue) as refused:
        return f"nothing: {refused}"


def writes_either_way(protocol: str, message: Any) -> bool:
    """Flags or a payload on a tny ping or pong: accepted, written as given, and yet not canonical."""
    packet = message.get("packet", {}) if protocol == "tny" else {}
    if packet.get("type") not in (1, 2):
        return False
    return bool(packet.get("payload_raw")) or any(packet.get(flag) for flag in ("waste", "encrypt", "verify"))


def same(one: Any, other: Any) -> bool:
    """Equal as JSON: a number is no truth value and no string."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."
