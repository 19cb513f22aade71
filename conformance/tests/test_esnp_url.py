"""Addresses as URLs: the document's samples, what it leaves open, and the laws between reading and writing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from wireproof.errors import BadValue, Malformed, Refused
from wireproof.protocols.esnp_url import Value, parse, write

Pairs = list[list[Any]]


def value(addresses: Pairs, params: Pairs | None = None) -> Value:
    return {"addresses": addresses, "params": params or []}


HOST = [40, "127.0.0.1:1080"]

READ_AND_WRITTEN: list[tuple[str, Value]] = [
    # the two samples of the document
    ("esnp://127.0.0.1:1080/test/add", value([HOST, [30, "test"], [20, "add"]])),
    ("esnp://127.0.0.1:1080/test/_", value([HOST, [30, "test"]])),
    # `_` in each place, and in all
    ("esnp://_/test/add", value([[30, "test"], [20, "add"]])),
    ("esnp://h/_/add", value([[40, "h"], [20, "add"]])),
    ("esnp://_/_/_", value([])),
    # object and group stand after the others, in this order
    ("esnp://h/s/op?o=thing&g=all", value([[40, "h"], [30, "s"], [20, "op"], [10, "thing"], [50, "all"]])),
    # a parser that splits the path first leaves the query in OP
    ("esnp://h/s/op?to=1234", value([[40, "h"], [30, "s"], [20, "op"]], [["to", "1234"]])),
    ("esnp://h/s/_?to=1&x=2&x=2", value([[40, "h"], [30, "s"]], [["to", "1"], ["x", "2"], ["x", "2"]])),
    # an item that is called _ is not a missing one
    ("esnp://%5F/%5F/%5F?o=%5F&g=%5F", value([[40, "_"], [30, "_"], [20, "_"], [10, "_"], [50, "_"]])),
    ("esnp://h/__/_a", value([[40, "h"], [30, "__"], [20, "_a"]])),
    # nor is one without characters
    ("esnp:////?o=&g=", value([[40, ""], [30, ""], [20, ""], [10, ""], [50, ""]])),
    ("esnp://h/s/op?=&=x", value([[40, "h"], [30, "s"], [20, "op"]], [["", ""], ["", "x"]])),
    # separators inside an item are escaped, and + is itself
    ("esnp://h/a%2Fb/c%3Fd%23", value([[40, "h"], [30, "a/b"], [20, "c?d#"]])),
    ("esnp://h/s/a+b?o=a%2Bb%26c%3Dd", value([[40, "h"], [30, "s"], [20, "a+b"], [10, "a+b&c=d"]])),
    ("esnp://h/%E4%BD%A0%E5%A5%BD/%25", value([[40, "h"], [30, "你好"], [20, "%"]])),
    ("esnp://[::1]:1080/s/op", value([[40, "[::1]:1080"], [30, "s"], [20, "op"]])),
    ("esnp://user:pw@h:1/s/op", value([[40, "user:pw@h:1"], [30, "s"], [20, "op"]])),
]

READ_ONLY: list[tuple[str, Value]] = [
    ("ESNP://h/s/op", value([[40, "h"], [30, "s"], [20, "op"]])),
    ("esnp://h", value([[40, "h"]])),
    ("esnp://h/s", value([[40, "h"], [30, "s"]])),
    ("esnp://h?o=1", value([[40, "h"], [10, "1"]])),
    ("esnp://h/", value([[40, "h"], [30, ""]])),
    ("esnp://h/s/op?g=2&x=3&o=1", value([[40, "h"], [30, "s"], [20, "op"], [10, "1"], [50, "2"]], [["x", "3"]])),
    ("esnp://h/s/op?o=_&g=_&x=_", value([[40, "h"], [30, "s"], [20, "op"]], [["x", "_"]])),
    ("esnp://h/s/op?%6f=1", value([[40, "h"], [30, "s"], [20, "op"], [10, "1"]])),
    ("esnp://h/s/op?", value([[40, "h"], [30, "s"], [20, "op"]])),
    ("esnp://h/s/op?&x&&y=1=2&", value([[40, "h"], [30, "s"], [20, "op"]], [["x", ""], ["y", "1=2"]])),
    ("esnp://h/你 好/%e4%bd%a0", value([[40, "h"], [30, "你 好"], [20, "你"]])),
    ("esnp://h/s/op?o=a/b?c", value([[40, "h"], [30, "s"], [20, "op"], [10, "a/b?c"]])),
]


@pytest.mark.parametrize(("url", "expected"), READ_AND_WRITTEN + READ_ONLY)
def test_parse(url: str, expected: Value) -> None:
    assert parse(url) == expected


@pytest.mark.parametrize(("url", "given_value"), READ_AND_WRITTEN)
def test_write(url: str, given_value: Value) -> None:
    assert write(given_value) == url


def test_addresses_are_written_in_their_order() -> None:
    assert write(value([[50, "g"], [20, "op"], [10, "o"], [40, "h"]])) == "esnp://h/_/op?o=o&g=g"


@pytest.mark.parametrize(
    ("url", "error", "clause", "offset"),
    [
        ("", "invalid-value", "ESNPL-3.38", 0),
        ("http://h/s/op", "invalid-value", "ESNPL-3.38", 0),
        ("esnp:/h/s/op", "invalid-value", "ESNPL-3.38", 0),
        (" esnp://h/s/op", "invalid-value", "ESNPL-3.38", 0),
        ("esnp://h/s/op/more", "invalid-value", "ESNPL-3.38", 13),
        ("esnp://h/s/op/", "invalid-value", "ESNPL-3.38", 13),
        ("esnp://h/s/op#part", "invalid-value", "ESNPL-3.38", 13),
        ("esnp://h/%/op", "invalid-value", "ESNPL-S19", 9),
        ("esnp://h/s/a%4", "invalid-value", "ESNPL-S19", 12),
        ("esnp://h/s/op?x=%+1", "invalid-value", "ESNPL-S19", 16),
        ("esnp://h/s/op?x=%４1", "invalid-value", "ESNPL-S19", 16),
        ("esnp://h/%ff/op", "invalid-utf8", "ESNPL-S19", 9),
        ("esnp://h/a%E4%BDb/op", "invalid-utf8", "ESNPL-S19", 10),
        ("esnp://h/s/op?你=%c0%80", "invalid-utf8", "ESNPL-S19", 16),
        ("esnp://h/s\ud800/op", "invalid-utf8", "ESNPL-S19", 10),
        ("esnp://h/s/op?o=1&g=2&o=3", "duplicate", "ESNPL-S19", 22),
        ("esnp://h/s/op?o=_&o=3", "duplicate", "ESNPL-S19", 18),
    ],
)
def test_parse_rejects(url: str, error: str, clause: str, offset: int) -> None:
    with pytest.raises(Malformed) as caught:
        parse(url)
    assert (caught.value.error, caught.value.clause, caught.value.offset) == (error, clause, offset)


@pytest.mark.parametrize(
    ("given_value", "error", "path"),
    [
        (value([[41, "h"]]), "unknown-enum", "addresses[0]"),
        (value([[40, "h"], [40, "i"]]), "duplicate", "addresses[1]"),
        (value([[10, "\udcff"]]), "invalid-utf8", "addresses[0]"),
        (value([], [["\ud800", ""]]), "invalid-utf8", "params[0]"),
        (value([], [["x", ""], ["to", "\ud800"]]), "invalid-utf8", "params[1]"),
        (value([], [["o", "1"]]), "invalid-value", "params[0]"),
    ],
)
def test_write_refuses(given_value: Value, error: str, path: str) -> None:
    with pytest.raises(Refused) as caught:
        write(given_value)
    assert (caught.value.error, caught.value.path) == (error, path)


@pytest.mark.parametrize(
    ("given_value", "path"),
    [
        ([], ""),
        ({"addresses": []}, ""),
        ({"addresses": {}, "params": []}, "addresses"),
        ({"addresses": [["40", "h"]], "params": []}, "addresses[0]"),
        ({"addresses": [[True, "h"]], "params": []}, "addresses[0]"),
        ({"addresses": [[40, "h", "i"]], "params": []}, "addresses[0]"),
        ({"addresses": [], "params": [["x", 1]]}, "params[0]"),
    ],
)
def test_write_wants_the_shape_of_a_value(given_value: Any, path: str) -> None:
    with pytest.raises(BadValue) as caught:
        write(given_value)
    assert caught.value.path == path


texts = st.text(st.characters(exclude_categories=["Cs"])) | st.sampled_from(
    ["_", "__", "", "%5F", "..", "a/b?c#d&e=f+g"]
)
addresses = st.dictionaries(st.sampled_from([40, 30, 20, 10, 50]), texts).map(
    lambda found: [[number, found[number]] for number in (40, 30, 20, 10, 50) if number in found]
)
params = st.lists(st.tuples(texts.filter(lambda name: name not in ("o", "g")), texts).map(list))


@given(addresses, params)
def test_a_written_value_is_read_back(found: Pairs, others: Pairs) -> None:
    url = write(value(found, others))
    assert url.isascii()
    assert parse(url) == value(found, others)


@given(st.text() | st.text("_/?&=%4fogé[]:#\ud800").map("esnp://".__add__))
@example("esnp://")
def test_any_text_is_a_value_or_a_typed_error(url: str) -> None:
    try:
        found, offset = parse(url), 0
    except Malformed as error:
        found, offset = value([]), error.offset
    assert 0 <= offset <= len(url)
    assert parse(write(found)) == found
