"""The JSON Schema of a vector file, made from the tables the loader reads by."""

from __future__ import annotations

import json
from typing import Any, Final

from wireproof.errors import ERROR_CLASSES
from wireproof.suite.model import LEVELS, MADE, PREFIXES
from wireproof.suite.shape import CHECKS, EDITS, NUMBERED, REFERENCE, REQUIRED

Schema = dict[str, Any]

LINE: Final = r"^\S(.*\S)?$"
TITLE: Final = r"^\S(.*[^\s.])?$"
HEX: Final = r"^(\s*(#[^\n]*(\n|$)|(repeat:([0-9a-fA-F]{2})+:[1-9][0-9]{0,8}|([0-9a-fA-F]{2})+)(?=\s|#|$)))*\s*$"


def schema_text() -> str:
    """The content of vector.schema.json."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def schema() -> Schema:
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "wireproof vectors",
        "description": "A file of golden vectors: inputs of one protocol, each with the one right answer.",
        "type": "array",
        "minItems": 1,
        "items": {"$ref": "#/$defs/vector"},
        "$defs": {
            "vector": _vector(),
            "line": {"type": "string", "pattern": LINE},
            "hex": {"type": "string", "pattern": HEX},
            "id": {"type": "string", "pattern": f"^({'|'.join(PREFIXES.values())}){NUMBERED}$"},
            "class": {"enum": list(ERROR_CLASSES)},
            "messages": {"type": "array", "items": {"type": "object"}},
            "edit": {"oneOf": [_edit(sorted(keys), kind) for keys, kind in EDITS.items()]},
        },
    }


def _vector() -> Schema:
    properties = _properties()
    assert list(properties) == list(CHECKS)
    return {
        "type": "object",
        "additionalProperties": False,
        "required": list(REQUIRED),
        "properties": properties,
        "oneOf": [
            _case("Accepted bytes.", "accept", ["hex"], ["value", "twin", "patch"]),
            _case("Rejected bytes.", "reject", ["hex", "twin", "patch"], ["value", "canonical"]),
            _case("A value an encoder refuses.", "refuse", ["value", "twin", "patch"], ["hex", "canonical"]),
        ],
    }


def _case(description: str, kind: str, present: list[str], absent: list[str]) -> Schema:
    return {
        "description": description,
        "properties": {"expect": {"type": "object", "required": [kind]}} | dict.fromkeys(absent, False),
        "required": present,
    }


def _properties() -> Schema:
    return {
        "id": _ref("id", "Stable for ever, unique in the suite, never used again."),
        "title": {"type": "string", "pattern": TITLE, "description": "One line, without a full stop."},
        "family": _ref("line", "A label that groups vectors of one kind."),
        "clauses": {
            "description": "The clauses it shows, and open points that bear on it.",
            "type": "array",
            "minItems": 1,
            "uniqueItems": True,
            "items": {"type": "string", "pattern": f"^{REFERENCE.pattern}$"},
        },
        "level": {"enum": list(LEVELS), "description": "What the document settles is required."},
        "direction": {"enum": ["c2s", "s2c"], "description": "Who sends it; comet only."},
        "profile": {"type": "object", "minProperties": 1, "description": "Parameters that differ from `standard`."},
        "hex": _ref("hex", "The bytes: # begins a comment, repeat:ab:256 is ab 256 times."),
        "value": {"type": "object", "minProperties": 1, "description": "The message an encoder must refuse."},
        "expect": {"description": "The one right answer.", "oneOf": _expectations()},
        "canonical": {"type": "boolean", "description": "false: an encoder writes it otherwise."},
        "twin": _ref("id", "The accepted vector that differs by one defect."),
        "patch": {
            "description": "The edits that turn the twin into this vector.",
            "type": "array",
            "minItems": 1,
            "items": {"$ref": "#/$defs/edit"},
        },
        "made": {
            "enum": list(MADE),
            "description": "Written by hand, derived by its patch, or generated and reviewed.",
        },
        "why": _ref("line", "What goes wrong in an implementation that gets this wrong."),
    }


def _ref(name: str, description: str) -> Schema:
    return {"$ref": f"#/$defs/{name}", "description": description}


def _expectations() -> list[Schema]:
    offset = {"type": "integer", "minimum": 0}
    error, messages = {"$ref": "#/$defs/class"}, {"$ref": "#/$defs/messages"}
    return [
        _object({"accept": messages}, ["accept"]),
        _object({"reject": error, "offset": offset, "messages": messages}, ["reject", "offset"]),
        _object({"refuse": error}, ["refuse"]),
    ]


def _edit(keys: list[str], kind: str) -> Schema:
    return _object({key: _edit_value(key, kind, keys) for key in keys}, keys)


def _edit_value(key: str, kind: str, keys: list[str]) -> Schema | bool:
    if key in ("at", "cut"):
        return {"type": "integer", "minimum": 0}
    is_hex = key in ("to", "append") or (key == "add" and kind == "bytes") or (key == "set" and "at" in keys)
    if is_hex:
        return {"$ref": "#/$defs/hex"}
    return True if key == "value" else {"$ref": "#/$defs/line"}


def _object(properties: Schema, required: list[str]) -> Schema:
    return {"type": "object", "additionalProperties": False, "required": required, "properties": properties}
