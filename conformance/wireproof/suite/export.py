"""All vectors as one JSON document, for programs in any language."""

from __future__ import annotations

import json
from typing import Any

import wireproof
from wireproof.suite.ids import digest
from wireproof.suite.model import FORMAT, Suite, Vector


def export(suite: Suite) -> str:
    """The suite with everything written out; the same suite gives the same text."""
    vectors = [exported(vector) for vector in suite.vectors]
    head = {"format": FORMAT, "suite": wireproof.__version__, "digest": suite.digest, "count": len(vectors)}
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
        found |= {"value": vector.message, "expect": {"refuse": vector.expect.refuse}}
    else:
        found |= {"hex": vector.data.hex(), "expect": _expect(vector)}
    if vector.kind == "accept":
        found["canonical"] = vector.canonical
    else:
        found |= {"twin": vector.twin, "patch": vector.patch}
    return found | {"made": vector.made, "why": vector.why, "source": vector.file, "meaning": digest(vector)}


def _expect(vector: Vector) -> dict[str, Any]:
    if vector.kind == "accept":
        return {"accept": vector.messages}
    return {"reject": vector.expect.reject, "offset": vector.expect.offset, "messages": vector.messages}
