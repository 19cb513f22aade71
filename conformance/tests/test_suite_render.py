"""Vectors for implementations that declare other parameters: examples of each kind, and all of them against the
reference."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
import pytest

from suite_examples import ACCEPT
from wireproof import PROTOCOLS, codec
from wireproof.profile import alternatives
from wireproof.suite import Suite, Vector, load_suite
from wireproof.suite.export import export
from wireproof.suite.hextext import repeated_size
from wireproof.suite.load import File, read_files
from wireproof.suite.patch import patch_bytes, patch_value
from wireproof.suite.proof import answers, canonical_form, refusal
from wireproof.suite.render import Unrendered, derived_text, render_suite, rendered
from wireproof.suite.spelling import meant, numbers, respelled, spelled

SMALL = 4_096
"""Longer vectors take most of the time and are about nothing that shorter ones are not."""
SAMPLE = 7
"""One in so many rendered vectors is also decoded byte by byte."""
MOST_LOST = 0.15

EVERY_ALTERNATIVE = [(protocol, changes) for protocol in PROTOCOLS for changes in alternatives(protocol)]
DECLARED_NUMBERS: list[tuple[str, dict[str, Any]]] = [
    ("magline", {"magic.control": 0xA5, "magic.data": 0x5A}),
    ("magline", {"magic.control": 0xD1, "magic.data": 0xC1}),
    ("magline", {"version": 3, "order": "little"}),
    ("magline", {"random_len": 16, "pubkey_len": 65}),
    ("esnp-frame", {"size_order": "little", "int_bits": 32, "counts": "uvarint"}),
    ("tny", {"order": "big", "varint": "zigzag", "number": "var64"}),
    ("comet", {"order": "little", "bytes": "int", "extra": "short"}),
]


@cache
def suite() -> Suite:
    """The suite without its largest vectors, which take most of the time."""
    whole = load_suite()
    small = {vector.id for vector in whole.vectors if max(vector.size, repeated_size(vector.value)) <= SMALL}
    return Suite([vector for vector in whole.vectors if vector.id in small and (vector.twin or vector.id) in small])


TOPICS = {"command": {"dir": "c2s", "type": 3, "name": "subscribe", "topics": ["@a"]}}
KEY = {"command": {"dir": "c2s", "type": 1, "name": "exchange_key", "secret_key": "cafe"}}


def a_vector(name: str, hex_text: str, expect: dict[str, Any], **more: Any) -> Vector:
    protocol = {"COMET": "comet", "ESNPF": "esnp-frame", "TNY": "tny", "MAG": "magline"}[name.partition("-")[0]]
    entry: dict[str, Any] = {
        "id": name,
        "title": "t",
        "clauses": [f"{name.partition('-')[0]}-1.2"],
        "level": "required",
    }
    entry |= {"expect": expect, "why": "w"} | ({"direction": "c2s"} if protocol == "comet" else {})
    entry |= {"hex": hex_text} if hex_text else {}
    text = json.dumps([entry | more])
    loaded, problems = read_files([File(f"{protocol}/accept/x.yaml", protocol, text.encode())])
    assert problems == []
    return loaded.vectors[0]


def rejected(name: str, twin: Vector, patch: list[dict[str, Any]], **expect: Any) -> Vector:
    data = patch_bytes(twin.codec, twin.data, patch)
    return a_vector(name, data.hex(" "), expect, twin=twin.id, patch=patch)


SUBSCRIBE = a_vector("COMET-A-001", "0006 03 01 0002 4061", {"accept": [TOPICS]})
EXCHANGE = a_vector("COMET-A-002", "0005 01 0002 cafe", {"accept": [KEY]})
LIST = {"frames": [{"type": 19, "name": "HEADER", "key": "k", "value": {"t": "list", "v": [{"t": "int", "v": "7"}]}}]}
HEADER = a_vector("ESNPF-A-001", "13000006 026b 1702 020e 00000000", {"accept": [LIST]})
PADDED = a_vector("ESNPF-A-002", "13000007 026b 178200 020e 00000000", {"accept": [LIST]}, canonical=False)
PIN = {
    "frame": {
        "magic": 193,
        "version": 1,
        "cmd": 4,
        "name": "PIN",
        "head_optional": 0,
        "seq": 1,
        "head": "",
        "number": 5,
    }
}
PING = a_vector("MAG-A-001", "c1010004 00000000 00000001 00000004 00000005", {"accept": [PIN]})
LITTLE, UVARINT = {"order": "little"}, {"counts": "uvarint"}

Example = tuple[str, Vector, Vector, dict[str, Any], str]
BECOMES: list[Example] = [
    ("the order of a length", SUBSCRIBE, SUBSCRIBE, LITTLE, "0600 03 01 0200 4061"),
    ("a longer length field", EXCHANGE, EXCHANGE, {"bytes": "int"}, "0007 01 00000002 cafe"),
    ("no length field", EXCHANGE, EXCHANGE, {"bytes": "rest"}, "0003 01 cafe"),
    ("counts in another spelling", HEADER, HEADER, UVARINT, "13000006 026b 1701 020e 00000000"),
    ("padding stays padding", PADDED, PADDED, UVARINT, "13000007 026b 178100 020e 00000000"),
    ("a declared magic", PING, PING, {"magic.control": 0xA5}, "a5010004 00000000 00000001 00000004 00000005"),
    ("a cut", rejected("COMET-A-501", SUBSCRIBE, [{"cut": 5}], reject="truncated", offset=5), SUBSCRIBE, LITTLE,
     "0600 03 01 02"),
    ("a number in a patch", rejected("COMET-A-502", SUBSCRIBE, [{"set": "command.topics[0].length", "to": "0005"}],
     reject="overrun", offset=6), SUBSCRIBE, LITTLE, "0600 03 01 0500 4061"),
    ("half a number", rejected("COMET-A-503", SUBSCRIBE, [{"set": "command.topics[0].length", "to": "00"},
     {"drop": "command.topics[0].run"}, {"set": "command.length", "to": "0003"}], reject="overrun", offset=4),
     SUBSCRIBE, LITTLE, "0300 03 01 00"),
    ("a length that follows", rejected("COMET-A-504", EXCHANGE, [{"set": "command.length", "to": "0006"},
     {"append": "00"}], reject="trailing-bytes", offset=7), EXCHANGE, {"bytes": "int"}, "0008 01 00000002 cafe 00"),
    ("a length that is a number", rejected("COMET-A-505", EXCHANGE, [{"set": "command.length", "to": "0000"}],
     reject="length-mismatch", offset=0), EXCHANGE, {"bytes": "int"}, "0000 01 00000002 cafe"),
    ("a command that is added", rejected("COMET-A-506", SUBSCRIBE, [{"append": "0002 06 00"}], reject="trailing-bytes",
     offset=11, messages=[TOPICS]), SUBSCRIBE, LITTLE, "0600 03 01 0200 4061 0200 06 00"),
    ("the magic of the other class", rejected("MAG-A-501", PING, [{"set": "frame.magic", "to": "d1"}],
     reject="bad-magic", offset=0), PING, {"magic.data": 0x5A}, "5a010004 00000000 00000001 00000004 00000005"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("vector", "twin", "changes", "there"), [row[1:] for row in BECOMES], ids=[r[0] for r in BECOMES]
)
def test_bytes_become(vector: Vector, twin: Vector, changes: dict[str, Any], there: str) -> None:
    found = rendered(Suite([twin, vector]), vector, changes)
    assert isinstance(found, Vector), found
    assert found.data.hex() == there.replace(" ", "")
    assert (found.id, found.derived, found.profile) == (vector.id, True, changes)
    assert list(answers(found, Suite([]))) == []


def put(path: str, value: Any) -> list[dict[str, Any]]:
    return [{"put": path, "value": value}]


NAMELESS = json.loads(json.dumps(LIST).replace('"int"', '"x"'))
UNKNOWN = a_vector("ESNPF-A-551", "", {"refuse": "unknown-type"}, twin="ESNPF-A-001", value=NAMELESS,
                   patch=put("frames[0].value.v[0].t", "x"))  # fmt: skip
ADDRESS = {"frames": [{"type": 22, "name": "ADDRESS", "address_type": "30", "value": "e"}]}
ADDRESSED = a_vector("ESNPF-A-003", "16000003 3c 0265 00000000", {"accept": [ADDRESS]})
TOO_WIDE = {"frames": [{"type": 22, "name": "ADDRESS", "address_type": "9223372036854775808", "value": "e"}]}
REFUSED = a_vector("ESNPF-A-552", "", {"refuse": "out-of-range"}, twin="ESNPF-A-003", value=TOO_WIDE,
                   patch=put("frames[0].address_type", "9223372036854775808"))  # fmt: skip


def test_values_take_the_shape_of_the_profile() -> None:
    found = rendered(Suite([ADDRESSED]), ADDRESSED, {"int_bits": 32})
    assert isinstance(found, Vector)
    assert found.messages[0]["frames"][0]["address_type"] == 30
    assert found.data == ADDRESSED.data
    opaque = rendered(Suite([ADDRESSED]), ADDRESSED, {"bodies": "opaque"})
    assert isinstance(opaque, Vector)
    assert opaque.messages == [{"frames": [{"type": 22, "name": "ADDRESS", "body": "3c0265"}]}]


def test_a_refused_value_takes_it_too_and_its_patch_with_it() -> None:
    found = rendered(Suite([ADDRESSED, REFUSED]), REFUSED, {"int_bits": 32})
    assert isinstance(found, Vector)
    assert found.patch == put("frames[0].address_type", 9223372036854775808)
    assert list(refusal(found, Suite([]))) == []


def test_what_does_not_depend_on_the_change_is_itself() -> None:
    assert rendered(Suite([SUBSCRIBE]), SUBSCRIBE, {"bytes": "rest"}) is SUBSCRIBE
    cut = rejected("COMET-A-507", EXCHANGE, [{"cut": 4}], reject="truncated", offset=4)
    assert rendered(Suite([EXCHANGE, cut]), cut, {"bytes": "rest"}) is cut  # inside a length that is not there
    assert rendered(Suite([HEADER, UNKNOWN]), UNKNOWN, {"size_order": "little"}) is UNKNOWN


NOT_RENDERED: list[tuple[str, Vector, Vector, dict[str, Any], str]] = [
    ("the rule is gone", rejected("COMET-A-511", SUBSCRIBE, [{"set": "command.topics[0].run", "to": "40ff"}],
     reject="invalid-utf8", offset=6), SUBSCRIBE, {"utf8": "bytes"}, "accepted instead of invalid-utf8"),
    ("the field is gone", rejected("COMET-A-512", EXCHANGE, [{"set": "command.secret_key.length", "to": "0003"}],
     reject="overrun", offset=5), EXCHANGE, {"bytes": "rest"}, "a field of the patch does not exist there"),
    ("no such number", rejected("COMET-A-513", SUBSCRIBE, [{"set": "command.topics[0].length", "to": "ffff"}],
     reject="overrun", offset=6), SUBSCRIBE, {"short": "signed"}, "65535 is beyond the range of the field"),
    ("no room", a_vector("COMET-A-003", "0006 08 80 01 0000 00",
     {"accept": [{"command": {"dir": "c2s", "type": 8, "name": "report_environ",
     "network_type": 128, "isp": 1, "phone_type": "", "extra": []}}]}), SUBSCRIBE, {"byte": "signed"},
     "out-of-range when it is written"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("vector", "twin", "changes", "reason"), [row[1:] for row in NOT_RENDERED], ids=[row[0] for row in NOT_RENDERED]
)
def test_what_has_no_counterpart_is_left_out_with_the_reason(
    vector: Vector, twin: Vector, changes: dict[str, Any], reason: str
) -> None:
    assert rendered(Suite([twin, vector]), vector, changes) == Unrendered(vector, reason)


@pytest.mark.parametrize(("protocol", "changes"), EVERY_ALTERNATIVE + DECLARED_NUMBERS, ids=str)
def test_the_reference_confirms_all_that_is_rendered(protocol: str, changes: dict[str, Any]) -> None:
    rendering = render_suite(suite(), protocol, changes)
    all_of_them = [vector.id for vector in suite().by_protocol[protocol]]
    assert sorted([v.id for v in rendering.vectors] + [left.vector.id for left in rendering.unrendered]) == sorted(
        all_of_them
    )
    assert len(rendering.unrendered) <= MOST_LOST * len(all_of_them)
    by_id = {vector.id: vector for vector in rendering.vectors}
    for number, vector in enumerate(rendering.vectors):
        there = declared(vector, changes)
        if vector.kind != "refuse":
            assert there.codec.answer(there.codec.decode(vector.data)) == vector.answer, vector.id
        if number % SAMPLE == 0:
            assert list(answers(there, suite())) == [], vector.id
        assert [*canonical_form(there, suite()), *refusal(there, suite())] == [], vector.id
        if vector.derived and vector.kind != "accept":
            assert one_patch_away(vector, by_id[vector.twin]), vector.id


def declared(vector: Vector, changes: dict[str, Any]) -> Vector:
    """The vector as somebody with that declaration is asked it."""
    return msgspec.structs.replace(vector, profile=vector.profile | changes)


def one_patch_away(vector: Vector, twin: Vector) -> bool:
    if vector.kind == "reject":
        return patch_bytes(vector.codec, twin.data, vector.patch) == vector.data
    return bool(patch_value(twin.messages[0], vector.patch) == vector.message)


def test_a_derived_vector_says_so_and_is_no_vector_of_a_file() -> None:
    found = rendered(Suite([SUBSCRIBE]), SUBSCRIBE, LITTLE)
    assert isinstance(found, Vector)
    text = derived_text(found)
    assert "derived: true" in text
    _, (problem,) = read_files([File("comet/accept/x.yaml", "comet", text.encode())])
    assert "the unknown key 'derived'" in problem.problem
    assert json.loads(export(Suite([found])))["vectors"][0]["derived"] is True
    assert (
        "derived"
        not in json.loads(export(read_files([File("c/accept/x.yaml", "comet", ACCEPT.encode())])[0]))["vectors"][0]
    )


@pytest.mark.parametrize(("protocol", "changes"), EVERY_ALTERNATIVE, ids=str)
def test_numbers_are_spelled_as_the_codec_spells_them(protocol: str, changes: dict[str, Any]) -> None:
    direction = "s2c" if protocol == "comet" else None
    for wire in numbers(codec(protocol, direction=direction, profile=changes)).values():
        for value in (0, 1, 63, 64, 127, wire.low, wire.high):
            data = spelled(wire, value)
            assert data is not None
            assert meant(wire, data) == value
        assert spelled(wire, 1 << 70) is None


def test_bytes_that_spell_nothing_stay_where_nothing_is_what_they_spell() -> None:
    plain, zigzag = (numbers(codec("tny", profile={"varint": form}))["VarInt32"] for form in ("plain", "zigzag"))
    protobuf = numbers(codec("tny", profile={"varint": "protobuf"}))["VarInt32"]
    endless = bytes.fromhex("ffffffffff")
    assert respelled(plain, zigzag, endless) == endless
    assert respelled(plain, zigzag, bytes.fromhex("8100")) == bytes.fromhex("8200")
    with pytest.raises(ValueError, match="spell no number"):
        respelled(plain, protobuf, endless)
