"""Just enough of JSON Schema (draft 2020-12) to try the suite's own schema on examples."""

from __future__ import annotations

import re
from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "array": (list,),
    "object": (dict,),
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "null": (type(None),),
}
ANNOTATIONS = {"$schema", "$defs", "title", "description", "default"}

FOR_CONTAINERS = {
    *("items", "minItems", "uniqueItems"),
    *("required", "properties", "additionalProperties", "propertyNames", "minProperties"),
}


def valid(schema: Any, value: Any, root: Any) -> bool:
    """Whether a value fits; a keyword that is not known here is a mistake in the schema."""
    if isinstance(schema, bool):
        return schema
    return all(_keyword(key, schema, value, root) for key in schema.keys() - ANNOTATIONS)


def _keyword(key: str, schema: dict[str, Any], value: Any, root: Any) -> bool:
    wanted = schema[key]
    match key:
        case "$ref":
            return valid(root["$defs"][wanted.removeprefix("#/$defs/")], value, root)
        case "type":
            return isinstance(value, TYPES[wanted]) and (wanted == "boolean" or not isinstance(value, bool))
        case "enum":
            return value in wanted
        case "oneOf":
            return sum(valid(choice, value, root) for choice in wanted) == 1
        case "anyOf":
            return any(valid(choice, value, root) for choice in wanted)
        case "pattern":
            return not isinstance(value, str) or re.search(wanted, value) is not None
        case "minimum":
            return not isinstance(value, int) or value >= wanted
    return _container(key, schema, value, root)


def _container(key: str, schema: dict[str, Any], value: Any, root: Any) -> bool:
    wanted = schema[key]
    if isinstance(value, list):
        match key:
            case "items":
                return all(valid(wanted, item, root) for item in value)
            case "minItems":
                return len(value) >= int(wanted)
            case "uniqueItems":
                return len({repr(item) for item in value}) == len(value)
    if isinstance(value, dict):
        match key:
            case "required":
                return set(wanted) <= value.keys()
            case "properties":
                return all(valid(inner, value[name], root) for name, inner in wanted.items() if name in value)
            case "additionalProperties":
                others = value.keys() - schema.get("properties", {}).keys()
                return all(valid(wanted, value[name], root) for name in others)
            case "propertyNames":
                return all(valid(wanted, name, root) for name in value)
            case "minProperties":
                return len(value) >= int(wanted)
    assert key in FOR_CONTAINERS, f"the schema uses {key}"
    return True
