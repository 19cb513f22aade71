"""Disagreements found before, kept to be asked again first: one file for each implementation.

What is read may be old, damaged or written by somebody else: every line is looked at as if it were.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

from wireproof import PROTOCOLS
from wireproof.codec import protocol
from wireproof.errors import WireproofError
from wireproof_harness import jsonlines
from wireproof_harness.contract import OPERATIONS
from wireproof_harness.reference import answer
from wireproof_harness.target import Target

FOLDER: Final = Path(".wireproof") / "examples"
MOST: Final = 200
LARGEST_FILE: Final = 4 << 20
LARGEST: Final = 1 << 18
"""Bytes of one line: examples are small, that is what makes them good."""
CONTENT: Final = {"decode": ("hex",), "stream": ("chunks", "eof"), "encode": ("value",)}

Question = dict[str, Any]


class BadQuestion(WireproofError):
    """A request that the contract does not have, and what one looks like."""


def question_of(value: Any) -> Question:
    """A request as it may be asked, without its id; BadQuestion if it is none."""
    if not isinstance(value, dict):
        raise BadQuestion('a request is a JSON object: {"op": "decode", "protocol": "tny-relay", "hex": "00"}')
    op, name = value.get("op"), value.get("protocol")
    if op not in OPERATIONS:
        raise BadQuestion(f"op is one of {', '.join(OPERATIONS)}")
    if name not in PROTOCOLS:
        raise BadQuestion(f"protocol is one of {', '.join(PROTOCOLS)}")
    known = ("op", "protocol", *(("direction",) if protocol(name).directions else ()), "profile", *CONTENT[op])
    unknown = [key for key in value if key not in known and key != "id"]
    if unknown:
        raise BadQuestion(f"a {op} of {name} has no key {str(unknown[0])[:40]!r}; it has {', '.join(known)}")
    question = {key: value[key] for key in known if key in value}
    right = answer({"id": 0, **question})
    for form, key in (("error", "message"), ("unsupported", "reason")):
        if form in right:
            raise BadQuestion(f"the request cannot be asked: {right[form][key]}. docs/contract.md shows one of each.")
    return question


def place_of(target: Target) -> Path:
    """Where the examples of an implementation are kept: its name is not made a path."""
    name = f"{target.text}\0{target.folder or ''}"
    return FOLDER / f"{sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()[:24]}.jsonl"


def read_examples(path: Path) -> list[Question]:
    """The examples that can still be asked; whatever else is in the file is passed over."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            return []
        lines = path.read_bytes().splitlines()
    except OSError:
        return []
    found: list[Question] = []
    for line in lines[:MOST]:
        try:
            question = question_of(jsonlines.parse(line)) if len(line) <= LARGEST else None
        except (ValueError, RecursionError, WireproofError):
            continue
        if question is not None and question not in found:
            found.append(question)
    return found


def write_examples(path: Path, questions: Sequence[Question]) -> None:
    """Put the examples in place of those that were there, all or none; the first ones are kept if they are too many."""
    lines = [jsonlines.dump({key: value for key, value in each.items() if key != "id"}) for each in questions]
    kept = [line for line in dict.fromkeys(lines) if len(line) <= LARGEST][:MOST]
    if not kept:
        path.unlink(missing_ok=True)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile(dir=path.parent, prefix=".new-", delete=False) as file:
        file.writelines(kept)
    os.replace(file.name, path)
