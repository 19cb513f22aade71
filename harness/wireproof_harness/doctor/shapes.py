"""What is wrong with a value: the ways in which a right value is written in a form that is not the contract's."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, Final, NamedTuple

from wireproof.verdict.compare import EXACT


class Misshapen(NamedTuple):
    """A value in another form than it should have, where, and how to write it."""

    name: str
    path: str
    seen: str
    fix: str


_FIXES: Final = {
    "number-beyond-2^53": "Write numbers of 64 bits as decimal strings: a JSON number beyond 2^53 - 1 loses digits in "
    "most parsers.",
    "rounded-number": "The digits are lost: a double held it. Keep 64-bit numbers in a 64-bit integer (BigInt in "
    "JavaScript, long in Java) and write them as decimal strings.",
    "float-number": "Write integers without fraction or exponent.",
    "number-as-string": "Write numbers of up to 32 bits as JSON numbers; only what has 64 bits is a decimal string.",
    "hex-upper-case": "Write hex in lower case.",
    "hex-prefix": "Write bare hex: no 0x, no spaces, no colons.",
    "bytes-as-base64": "Write bytes as lower-case hex, two digits a byte, not as base64.",
    "bytes-as-list": 'Write bytes as one string of lower-case hex, not as a list of numbers: "beef", not [190, 239].',
    "bytes-as-text": "Write bytes as lower-case hex, whatever they say as text.",
    "text-as-hex": "Write strings as text: only fields of bytes are hex.",
    "text-in-another-encoding": "The bytes are UTF-8 and were read as something else, such as Latin-1.",
    "null-for-absent": "Leave the key out where there is nothing: nothing is ever null.",
    "missing-key": "Write this key as well: docs/rules.md, section 10, lists the keys of every message.",
    "misspelt-key": "Keys are exactly those of docs/rules.md, section 10.",
    "further-key": "Leave the key out: a message has exactly the keys of docs/rules.md, section 10.",
    "bool-as-number": "Write true or false.",
    "number-as-bool": "Write a number.",
    "map-as-object": "Write a map as a list of [key, value] pairs: keys can repeat, and their order counts.",
    "sign": "The field is read with the wrong sign: see its type on the protocol's page (`wireproof docs`).",
    "type": "Write the JSON type of docs/rules.md, section 10.",
}
FORM_FAULTS: Final = frozenset(_FIXES) - {"sign", "type", "missing-key", "further-key"} | {"not-wrapped"}
"""Of these it is certain that the value is right and its form is wrong; the others can come from a wrong layout."""


def misshapen(expected: Any, given: Any, path: str = "") -> Misshapen | None:
    """The first value that is right or nearly so, and written in a wrong form."""
    return next(_all(expected, given, path), None)


def _all(expected: Any, given: Any, path: str) -> Iterator[Misshapen]:
    if isinstance(expected, dict) and isinstance(given, dict):
        yield from _objects(expected, given, path)
    elif isinstance(expected, list) and isinstance(given, list):
        for index, (item, other) in enumerate(zip(expected, given, strict=False)):
            yield from _all(item, other, f"{path}[{index}]")
    else:
        name = _form(expected, given)
        if name:
            yield _found(name, path, given, expected)


def _found(name: str, path: str, given: Any, expected: Any = None, fix: str = "") -> Misshapen:
    wanted = f" instead of {_json(expected)}" if expected is not None else ""
    return Misshapen(name, path, f"{path or 'the message'} is {_json(given)}{wanted}", fix or _FIXES[name])


def _json(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _objects(expected: dict[str, Any], given: dict[str, Any], path: str) -> Iterator[Misshapen]:
    wrapped = _not_wrapped(expected, given)
    if wrapped:
        yield Misshapen("not-wrapped", path, f"{path} is {_json(given)}", wrapped)
        return
    missing = [key for key in expected if key not in given and not _is_name(key, expected)]
    further = [key for key in given if key not in expected and not _is_name(key, expected) and key != "v"]
    for key in further:
        if given[key] is None:
            yield _found("null-for-absent", _join(path, key), None)
            continue
        near = get_close_matches(_plain(key), map(_plain, missing), 1, 0.6)
        right = next((name for name in missing if near and _plain(name) == near[0]), "")
        if right:
            fix = f"Write `{right}` instead of `{key[:40]}`. {_FIXES['misspelt-key']}"
            yield Misshapen("misspelt-key", path, f"{path} has `{key[:40]}` and no `{right}`", fix)
        elif not missing:
            yield _found("further-key", _join(path, key), given[key])
    for key in missing:
        yield Misshapen("missing-key", path, f"{path} has no `{key}`: {_json(given)}", _FIXES["missing-key"])
    for key in expected.keys() & given.keys():
        if not _is_name(key, expected):
            yield from _all(expected[key], given[key], _join(path, key))


def _join(path: str, key: str) -> str:
    return f"{path}.{key[:40]}" if path else key[:40]


def _plain(key: str) -> str:
    return key.replace("_", "").replace("-", "").lower()


def _is_name(key: str, expected: dict[str, Any]) -> bool:
    """The informative name of a type is not compared."""
    return key == "name" and ("type" in expected or "cmd" in expected)


def _not_wrapped(expected: dict[str, Any], given: dict[str, Any]) -> str:
    """How to wrap a message that lacks its one key; empty if it has one."""
    if len(expected) != 1:
        return ""
    ((key, inner),) = expected.items()
    if isinstance(inner, dict) and key not in given and len(given.keys() & inner.keys()) > len(inner) // 2:
        return f'A message is an object with one key: {{"{key}": {{...}}}}.'
    return ""


def _form(expected: Any, given: Any) -> str:
    """The name of the wrong form; empty if the value itself is wrong, or nothing is."""
    if type(expected) is type(given) and expected == given:
        return ""
    if given is None:
        return "null-for-absent"
    return next((name for name, holds in _FORMS.items() if holds(expected, given)), "")


def _is_decimal(value: Any) -> bool:
    return isinstance(value, str) and value.removeprefix("-").isdecimal()


def _is_hex(value: Any) -> bool:
    return isinstance(value, str) and len(value) % 2 == 0 and not set(value) - set("0123456789abcdef")


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    with suppress(ValueError, TypeError, OverflowError):
        return int(value)
    return None


def _wrapped_sign(expected: Any, given: Any) -> bool:
    wanted, found = _number(expected), _number(given)
    if wanted is None or found is None:
        return False
    return abs(wanted - found) in (1 << 8, 1 << 16, 1 << 32, 1 << 64)


def _is_base64(expected: Any, given: Any) -> bool:
    with suppress(ValueError):
        return bool(given) and _is_hex(expected) and base64.b64decode(given, validate=True).hex() == expected
    return False


def _is_other_encoding(expected: Any, given: Any) -> bool:
    if not isinstance(expected, str) or not isinstance(given, str) or expected.isascii():
        return False
    return "\ufffd" in given or given == expected.encode("utf-8", "replace").decode("latin-1")


def _is_list_of_bytes(expected: Any, given: Any) -> bool:
    numbers = isinstance(given, list) and all(type(item) is int and -128 <= item <= 255 for item in given)
    return numbers and _is_hex(expected) and bytes(item % 256 for item in given).hex() == expected


def _has_prefix(given: str) -> bool:
    return given.lower().startswith("0x") or any(mark in given for mark in " :-")


_FORMS: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "bool-as-number": lambda expected, given: isinstance(expected, bool) and not isinstance(given, bool),
    "number-as-bool": lambda expected, given: isinstance(given, bool),
    "bytes-as-list": _is_list_of_bytes,
    "number-beyond-2^53": lambda expected, given: (
        _is_decimal(expected) and type(given) is int and str(given) == expected and abs(given) > EXACT
    ),
    "sign": _wrapped_sign,
    "rounded-number": lambda expected, given: (
        _is_decimal(expected) and abs(int(expected)) > EXACT and _number(given) == int(float(expected))
    ),
    "float-number": lambda expected, given: isinstance(given, float) and _number(expected) == given,
    "hex-upper-case": lambda expected, given: (
        _is_hex(expected) and isinstance(given, str) and given.lower() == expected
    ),
    "hex-prefix": lambda expected, given: (
        _is_hex(expected)
        and isinstance(given, str)
        and _has_prefix(given)
        and given.lower().removeprefix("0x").translate({ord(mark): None for mark in " :-"}) == expected
    ),
    "bytes-as-base64": lambda expected, given: isinstance(given, str) and _is_base64(expected, given),
    "bytes-as-text": lambda expected, given: (
        _is_hex(expected) and isinstance(given, str) and given.encode("utf-8", "replace").hex() == expected
    ),
    "text-as-hex": lambda expected, given: (
        isinstance(expected, str) and bool(expected) and given == expected.encode("utf-8", "replace").hex()
    ),
    "text-in-another-encoding": _is_other_encoding,
    "map-as-object": lambda expected, given: isinstance(expected, list) and isinstance(given, dict),
    "type": lambda expected, given: (
        (
            isinstance(given, dict | list)
            or isinstance(expected, dict | list)
            or isinstance(expected, int) != isinstance(given, int)
        )
        and type(expected) is not type(given)
        and str(expected) != str(given)
    ),
}
