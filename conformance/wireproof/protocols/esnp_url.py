"""The URL form of addresses in ESNP of document 001 (ESNPL-3.38 to 3.41).

    esnp://HOST/SERVICE/OP?o=OBJECT&g=GROUP&....

No line carries a URL; it is a notation for people and configuration. Its value has the
addresses a message would name, in the order 40, 30, 20, 10, 50, and all other parameters
(`to`, a timeout, among them) as they stand:

    {"addresses": [[40, "127.0.0.1:1080"], [30, "test"], [20, "add"]], "params": []}

What the document leaves open is read by RFC 3986 (ESNPL-S19): `%XX` stands for a byte of
UTF-8 and every other character for itself, `+` included. An item that is missing or a
bare `_` is left out, so an item that is called `_` is written `%5F`. Nothing between two
separators is an item of no characters, not a missing one. HOST is one text, be it a
name, a name with a port or an IPv6 address in brackets.
"""

from __future__ import annotations

import string
from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from wireproof.errors import BadValue, Malformed, Refused

Value = dict[str, list[list[Any]]]

SCHEME: Final = "esnp://"
ITEMS: Final = {40: "HOST", 30: "SERVICE", 20: "OP", 10: "o", 50: "g"}
"""Address types in the order of a value, and their names in the URL."""

IN_PATH: Final = (40, 30, 20)
IN_QUERY: Final = {"o": 10, "g": 50}
ABSENT: Final = "_"

FORM, OPEN = "ESNPL-3.38", "ESNPL-S19"

# RFC 3986: what may stand for itself. In a query `&` and `=` separate, and readers of web
# forms take `+` for a space, so those are escaped although the RFC would not ask for it.
SAFE_IN_HOST, SAFE_IN_PATH, SAFE_IN_QUERY = "!$&'()*+,;=:@[]", "!$&'()*+,;=:@", "!$'()*,;:@/?"


class Piece(NamedTuple):
    """A part of the URL that is still escaped, and where it begins."""

    text: str
    start: int

    def split(self, separator: str) -> Iterator[Piece]:
        start = self.start
        for text in self.text.split(separator):
            yield Piece(text, start)
            start += len(text) + len(separator)

    def partition(self, separator: str) -> tuple[Piece, Piece | None]:
        """What stands before the first separator, and what after it if there is one."""
        before, found, after = self.text.partition(separator)
        rest = Piece(after, self.start + len(before) + len(separator)) if found else None
        return Piece(before, self.start), rest


def parse(url: str) -> Value:
    """The value of a URL; Malformed, with the offset of a character, if it is none."""
    if url[: len(SCHEME)].lower() != SCHEME:
        raise Malformed("invalid-value", FORM, 0, "url", f"a URL that begins with {SCHEME}")
    if "#" in url:  # a fragment has no place in the form; in an item the character is %23
        raise Malformed("invalid-value", FORM, url.index("#"), "url", "no fragment")
    path, query = Piece(url[len(SCHEME) :], len(SCHEME)).partition("?")
    found = _read_path(path)
    params: list[list[Any]] = []
    for piece in query.split("&") if query else ():
        if piece.text:
            _read_parameter(piece, found, params)
    return {
        "addresses": [[number, found[number]] for number in ITEMS if found.get(number) is not None],
        "params": params,
    }


def _read_path(path: Piece) -> dict[int, str | None]:
    pieces = list(path.split("/"))
    if len(pieces) > len(IN_PATH):
        where = pieces[len(IN_PATH)].start - 1
        raise Malformed("invalid-value", FORM, where, "url", "no more than HOST/SERVICE/OP before the parameters")
    return {number: _read_item(piece, ITEMS[number]) for number, piece in zip(IN_PATH, pieces, strict=False)}


def _read_parameter(piece: Piece, found: dict[int, str | None], params: list[list[Any]]) -> None:
    """Add `name=text` to the addresses or, if it is none, to the parameters."""
    before, after = piece.partition("=")
    path = f"params[{len(params)}]"
    name = _decoded(before, path)
    text = after or Piece("", piece.start + len(piece.text))
    number = IN_QUERY.get(name)
    if number is None:
        params.append([name, _decoded(text, path)])
    elif number in found:
        raise Malformed("duplicate", OPEN, piece.start, name, f"at most one parameter {name}")
    else:
        found[number] = _read_item(text, name)


def _read_item(piece: Piece, path: str) -> str | None:
    return None if piece.text == ABSENT else _decoded(piece, path)


def _decoded(piece: Piece, path: str) -> str:
    raw, offsets = bytearray(), []
    position = 0
    while position < len(piece.text):
        offset = piece.start + position
        size = 3 if piece.text[position] == "%" else 1
        part = (
            _byte(piece.text[position + 1 : position + 3], offset, path) if size == 3 else _utf8(piece, position, path)
        )
        raw += part
        offsets += [offset] * len(part)
        position += size
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        where = offsets[error.start]
        raise Malformed("invalid-utf8", OPEN, where, path, "escapes that are well-formed UTF-8") from None


def _byte(digits: str, offset: int, path: str) -> bytes:
    if len(digits) != 2 or not set(digits) <= set(string.hexdigits):
        raise Malformed("invalid-value", OPEN, offset, path, "two hex digits after %")
    return bytes.fromhex(digits)


def _utf8(piece: Piece, position: int, path: str) -> bytes:
    try:
        return piece.text[position].encode()
    except UnicodeEncodeError:
        offset = piece.start + position
        raise Malformed("invalid-utf8", OPEN, offset, path, "text without lone surrogates") from None


def write(value: Value) -> str:
    """The URL of a value, with every item of the path in its place; Refused if there is none."""
    addresses, params = _pairs(value, "addresses", int), _pairs(value, "params", str)
    found: dict[int, str] = {}
    for index, (number, text) in enumerate(addresses):
        path = f"addresses[{index}]"
        if number not in ITEMS:
            raise Refused("unknown-enum", FORM, path, f"one of the address types {', '.join(map(str, ITEMS))}")
        if number in found:
            raise Refused("duplicate", OPEN, path, f"at most one address of type {number}")
        safe = SAFE_IN_HOST if number == 40 else SAFE_IN_PATH if number in IN_PATH else SAFE_IN_QUERY
        found[number] = "%5F" if text == ABSENT else _encoded(text, safe, path)
    query = [f"{name}={found[number]}" for name, number in IN_QUERY.items() if number in found]
    query += [_parameter(name, text, f"params[{index}]") for index, (name, text) in enumerate(params)]
    items = "/".join(found.get(number, ABSENT) for number in IN_PATH)
    return SCHEME + items + ("?" + "&".join(query) if query else "")


def _parameter(name: str, text: str, path: str) -> str:
    if name in IN_QUERY:
        raise Refused("invalid-value", FORM, path, f"the address of type {IN_QUERY[name]} among the addresses")
    return f"{_encoded(name, SAFE_IN_QUERY, path)}={_encoded(text, SAFE_IN_QUERY, path)}"


def _encoded(text: str, safe: str, path: str) -> str:
    try:
        return quote(text, safe)
    except UnicodeEncodeError:
        raise Refused("invalid-utf8", OPEN, path, "text without lone surrogates") from None


def _pairs(value: Any, key: str, first: type) -> list[list[Any]]:
    if not isinstance(value, dict) or set(value) != {"addresses", "params"}:
        raise BadValue("", "a URL's value is an object with the keys addresses and params")
    pairs = value[key]
    if not isinstance(pairs, list):
        raise BadValue(key, "expected a list")
    for index, pair in enumerate(pairs):
        if not isinstance(pair, list) or [type(part) for part in pair] != [first, str]:
            kind = "an address type" if first is int else "a name"
            raise BadValue(f"{key}[{index}]", f"expected a pair of {kind} and a text")
    return pairs
