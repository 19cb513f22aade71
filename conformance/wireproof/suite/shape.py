"""From an entry of a file to a vector: every key has its form, or the reader is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar

from wireproof.codec import protocol
from wireproof.errors import ERROR_CLASSES, BadProfile
from wireproof.profile import settings
from wireproof.suite.hextext import LARGEST, HexProblem, check_hex, repeated_size
from wireproof.suite.model import LEVELS, MADE, PREFIXES, Expect, Vector
from wireproof.suite.strictyaml import Entry, Reader

NUMBERED: Final = "(-[A-Z0-9]+)*-[0-9]{3}"
ID: Final = re.compile(f"[A-Z0-9]+{NUMBERED}")
T = TypeVar("T")
REFERENCE: Final = re.compile(r"[A-Z0-9]+-([0-9]+(\.[0-9]+)*|S[0-9]+)")
REQUIRED: Final = ("id", "title", "clauses", "level", "expect", "why")
EDITS: Final[Mapping[frozenset[str], str]] = {
    frozenset(keys): kind
    for keys, kind in [
        (("set", "to"), "bytes"),
        (("drop",), "bytes"),
        (("before", "add"), "bytes"),
        (("after", "add"), "bytes"),
        (("append",), "bytes"),
        (("cut",), "bytes"),
        (("at", "set"), "bytes"),
        (("put", "value"), "value"),
        (("remove",), "value"),
        (("add", "value"), "value"),
    ]
}
"""The keys of each edit of a patch, and whether it changes bytes or a value."""


class Wrong(Exception):
    """What is wrong with a key: the problem, the advice, and how many lines below the key."""

    def __init__(self, problem: str, advice: str, below: int = 0) -> None:
        super().__init__(problem, advice)
        self.problem, self.advice, self.below = problem, advice, below


def a_string(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, int)) or value is None:
        raise Wrong("a number, truth value or nothing where a string belongs", "Put it in quotes")
    raise Wrong("a list or mapping where a string belongs", "Write one string")


def a_line(value: Any) -> str:
    text = a_string(value)
    if not text.strip() or text != text.strip() or "\n" in text:
        raise Wrong("not one line of text", "Write one line, without spaces around it")
    return text


def one_of(*words: str) -> Callable[[Any], str]:
    def check(value: Any) -> str:
        if value in words and isinstance(value, str):
            return value
        raise Wrong(f"{value!r} is none of {', '.join(words)}", "Choose one of them")

    return check


def _id(value: Any) -> str:
    if not ID.fullmatch(a_string(value)):
        raise Wrong(f"the id {value!r} is malformed", "Write words in capitals and three digits: COMET-SUBSCRIBE-007")
    return str(value)


def _title(value: Any) -> str:
    if a_line(value).endswith("."):
        raise Wrong("the title ends with a full stop", "Leave it out")
    return str(value)


def _references(value: Any) -> list[str]:
    if not isinstance(value, list) or not value:
        raise Wrong("clauses is not a list of clause ids", "Write clauses: [COMET-3.8, COMET-S14]")
    for item in value:
        if not REFERENCE.fullmatch(a_string(item)):
            raise Wrong(f"{item!r} is no clause id", "Write it like COMET-3.8, an open point like COMET-S14")
    if len(set(value)) != len(value):
        raise Wrong("a clause is named twice", "Name each once")
    return value


def hex_string(value: Any) -> str:
    if not isinstance(value, str):
        raise Wrong("hex is not a string", 'Put it in quotes ("00 06"), or in a block after |')
    try:
        check_hex(value)
    except HexProblem as problem:
        raise Wrong(str(problem), "Write two hex digits for each byte, comments after #", problem.line) from None
    return value


def _messages(value: Any) -> list[Any]:
    if not isinstance(value, list) or not all(isinstance(message, dict) for message in value):
        raise Wrong("messages are not a list of values", "Write a list of messages in their JSON form")
    return _expandable(value)


def _expandable(value: T) -> T:
    size = repeated_size(value)
    if size > 2 * LARGEST:
        raise Wrong(f"the value stands for {size} characters, more than {2 * LARGEST}", "Write a smaller count")
    return value


def _expect(value: Any) -> Expect:
    keys = set(value) if isinstance(value, dict) else set()
    if keys == {"accept"}:
        return Expect(accept=_messages(value["accept"]))
    if keys == {"refuse"}:
        return Expect(refuse=_error_class(value["refuse"]))
    if keys - {"messages"} == {"reject", "offset"}:
        offset = value["offset"]
        if type(offset) is not int or offset < 0:
            raise Wrong("the offset is not a number of bytes", "Write the offset of the defect, from 0")
        return Expect(
            reject=_error_class(value["reject"]), offset=offset, messages=_messages(value.get("messages", []))
        )
    raise Wrong(
        "expect has not one of its three forms",
        "Write {accept: [...]}, {reject: CLASS, offset: N} (and messages: [...]), or {refuse: CLASS}",
    )


def _error_class(value: Any) -> str:
    if value not in ERROR_CLASSES:
        raise Wrong(f"{value!r} is no error class", f"Choose one of {', '.join(ERROR_CLASSES)}")
    return str(value)


def patch_of(value: Any) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not value:
        raise Wrong("patch is not a list of edits", 'Write patch: [{set: PATH, to: "hex"}]')
    for edit in value:
        _edit(edit)
    if len({EDITS[frozenset(edit)] for edit in value}) > 1:
        raise Wrong(
            "the patch edits bytes and a value", "Use put, remove and add for values, the other edits for bytes"
        )
    return value


def _edit(edit: Any) -> None:
    kind = EDITS.get(frozenset(edit)) if isinstance(edit, dict) else None
    if kind is None:
        forms = "; ".join(", ".join(sorted(keys)) for keys in EDITS)
        raise Wrong(f"{edit!r} is no edit", f"The keys of an edit are one of: {forms}")
    numbers = {"at", "cut"}
    hexes = {"to", "append"} | ({"add"} if kind == "bytes" else set()) | ({"set"} if "at" in edit else set())
    for key, value in edit.items():
        if key in numbers:
            if type(value) is not int or value < 0:
                raise Wrong(f"{key} is not a number of bytes", "Write an offset, from 0")
        elif key in hexes:
            hex_string(value)
        elif key == "value":
            _expandable(value)
        else:
            a_line(value)


def _canonical(value: Any) -> bool:
    if not isinstance(value, bool):
        raise Wrong("canonical is not true or false", "Write canonical: false, or leave it out")
    return value


def _mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict) or not value:
        raise Wrong("not a mapping", "Write {key: value}, or leave it out")
    return _expandable(value)


CHECKS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "id": _id,
    "title": _title,
    "family": a_line,
    "clauses": _references,
    "level": one_of(*LEVELS),
    "direction": one_of("c2s", "s2c"),
    "profile": _mapping,
    "hex": hex_string,
    "value": _mapping,
    "expect": _expect,
    "canonical": _canonical,
    "twin": _id,
    "patch": patch_of,
    "made": one_of(*MADE),
    "why": a_line,
}
"""The keys of a vector, in the order in which they are written."""


def vector_of(entry: Entry, name: str, reader: Reader) -> Vector | None:
    """The vector an entry describes, or None and problems in the reader."""
    before = len(reader.problems)
    fields = _fields(entry, reader)
    if len(reader.problems) == before:
        for key, wrong in _together(fields, name):
            reader.problem(entry.lines.get(key, entry.line), wrong.problem, wrong.advice)
    if len(reader.problems) > before:
        return None
    lines = {key: line + 1 for key, line in entry.lines.items()}
    return Vector(protocol=name, file=reader.file, line=entry.line + 1, lines=lines, **fields)


def _fields(entry: Entry, reader: Reader) -> dict[str, Any]:
    fields = {}
    for key, value in entry.keys.items():
        line = entry.lines[key]
        check = CHECKS.get(key)
        if check is None:
            reader.problem(line, f"the unknown key {key!r}", f"The keys of a vector are {', '.join(CHECKS)}")
            continue
        try:
            fields[key] = check(value)
        except Wrong as wrong:
            below = wrong.below + (1 if key in entry.blocks else 0)
            reader.problem(line + below, f"{key}: {wrong.problem}", wrong.advice)
    for key in REQUIRED:
        if key not in entry.keys:
            reader.problem(entry.line, f"the key {key!r} is missing", "Every vector has one")
    return fields


def _together(fields: dict[str, Any], name: str) -> list[tuple[str, Wrong]]:
    """What is wrong with keys that are right by themselves."""
    found: list[tuple[str, Wrong]] = []

    def wrong(key: str, problem: str, advice: str) -> None:
        found.append((key, Wrong(problem, advice)))

    kind = fields["expect"].kind
    if fields["id"].partition("-")[0] != PREFIXES[name]:
        wrong("id", f"the id {fields['id']} in a file of {name}", f"Begin it with {PREFIXES[name]}-")
    if kind == "refuse" and ("hex" in fields or "value" not in fields):
        wrong("expect", "a refusal is about a value", "Give a value and no hex")
    if kind != "refuse" and ("value" in fields or "hex" not in fields):
        wrong("expect", f"an expectation to {kind} is about bytes", "Give hex and no value")
    if "canonical" in fields and kind != "accept":
        wrong("canonical", "only accepted vectors are canonical or not", "Leave it out")
    if kind == "accept" and ("twin" in fields or "patch" in fields):
        wrong("twin", "an accepted vector has no twin", "Leave twin and patch out")
    if kind != "accept" and not ("twin" in fields and "patch" in fields):
        wrong("id", "no twin or no patch", "Name an accepted vector and the edits that turn it into this one")
    directions = protocol(name).directions
    if bool(directions) != ("direction" in fields):
        advice = f"Write direction: {' or '.join(directions)}" if directions else "Leave it out"
        wrong("direction", f"{name} has {'two directions' if directions else 'no direction'}", advice)
    try:
        settings(name, fields.get("profile"))
    except BadProfile as problem:
        wrong("profile", str(problem), "See the parameters in the protocol's profile.yaml")
    return found
