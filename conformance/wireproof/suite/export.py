"""All vectors as one JSON document, for programs in any language.

Everything is written out, except in the few vectors of more than 65,536 bytes: those have
`parts` instead of `hex`, pairs of hex and how often it comes, and in the strings of their
messages or of their value `repeat:TEXT:COUNT` stands for the text so many times (a `;` may
end it).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import wireproof
from wireproof.suite.hextext import hex_parts, repeated_size
from wireproof.suite.ids import digest
from wireproof.suite.model import FORMAT, LARGE, Suite, Vector


def export(suite: Suite, about: Mapping[str, Any] | None = None) -> str:
    """The suite with everything written out; the same suite gives the same text.

    `about` is what else to say of the whole, as of a suite that was rendered for another profile.
    """
    vectors = [exported(vector) for vector in suite.vectors]
    head: dict[str, Any] = {
        "format": FORMAT,
        "suite": wireproof.__version__,
        "digest": suite.digest,
        "count": len(vectors),
    }
    head |= about or {}
    lines = ",\n".join(json.dumps(vector, separators=(",", ":")) for vector in vectors)
    # A vector a line: the file can be searched, compared and read in part.
    return json.dumps(head)[:-1] + ', "vectors": [\n' + lines + "\n]}\n"


def exported(vector: Vector) -> dict[str, Any]:
    """A vector without anything that has to be expanded or looked up."""
    found: dict[str, Any] = {
        "id": vector.id,
        "protocol": vector.protocol,
        "title": vector.title,
        "clauses": vector.clauses,
        "level": vector.level,
        "direction": vector.direction or None,
        "profile": vector.profile,
    }
    if vector.hex is None:
        short = repeated_size(vector.value) <= 2 * LARGE
        found |= {"value": vector.message if short else vector.value, "expect": {"refuse": vector.expect.refuse}}
    else:
        found |= _bytes(vector) | {"expect": _expect(vector)}
    if vector.kind == "accept":
        found["canonical"] = vector.canonical
    else:
        found |= {"twin": vector.twin, "patch": vector.patch}
    if vector.derived:
        found["derived"] = True
    return found | {"made": vector.made, "why": vector.why, "source": vector.file, "meaning": digest(vector)}


def _bytes(vector: Vector) -> dict[str, Any]:
    if vector.size <= LARGE:
        return {"hex": vector.data.hex()}
    return {"parts": hex_parts(vector.hex or "")}


def _expect(vector: Vector) -> dict[str, Any]:
    messages = vector.messages if vector.size <= LARGE else vector.expect.accept or vector.expect.messages
    if vector.kind == "accept":
        return {"accept": messages}
    return {"reject": vector.expect.reject, "offset": vector.expect.offset, "messages": messages}
