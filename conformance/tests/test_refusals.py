"""What an encoder refuses, one rule at a time, and in which order."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof import BadValue, Refused, codec

Value = dict[str, Any]


def comet(kind: int, **fields: Any) -> Value:
    return {"command": {"dir": "c2s", "type": kind, **fields}}


def frames(*units: Value) -> Value:
    return {"frames": list(units)}


def lines(*units: Value) -> Value:
    return {"lines": list(units)}


def header(value: Value, key: str = "k") -> Value:
    return {"type": 19, "key": key, "value": value}


def tny(*, packet: Value | None = None, payload: Value | None = None, **message: Any) -> Value:
    whole = {
        "message_id": "1", "mode": 0, "line": 0, "protocol_id": 1, "result_code": 0, "to_message": "0", "time": "0",
    } | message  # fmt: skip
    inside = {"access_id": "1", "number": 1, "message": whole} | (payload or {})
    flags = {"type": 0, "waste": False, "encrypt": False, "verify": False}
    return {"packet": flags | {"payload": inside} | (packet or {})}


def ping(**changes: Any) -> Value:
    return {"packet": {"type": 1, "waste": False, "encrypt": False, "verify": False, "payload_raw": ""} | changes}


def magline(cmd: int = 4, **fields: Any) -> Value:
    head = {"magic": 0xD1 if cmd in (6, 7, 8) else 0xC1, "version": 1, "cmd": cmd, "head_optional": 0, "seq": 1}
    return {"frame": head | {"head": ""} | (fields or {"number": 1})}


def app(number: int) -> Value:
    return {"type": number, "body": ""}


FOUR = {"random_len": 4, "pubkey_len": 4}


def relay(**changes: Any) -> Value:
    return {"relay": {"pack_id": 1, "mark": 0, "sub_id": 0, "time": "0", "args": ""} | changes}


def nested(depth: int) -> Value:
    value: Value = {"t": "null"}
    for _ in range(depth):
        value = {"t": "list", "v": [value]}
    return value


REFUSED = [
    ("comet", comet(8, network_type=256, isp=0, phone_type="", extra=[]), "out-of-range"),
    ("comet", comet(8, network_type=-1, isp=0, phone_type="", extra=[]), "out-of-range"),
    ("comet", comet(3, topics=["@a"] * 256), "limit-exceeded"),
    ("comet", comet(0, client_id="x" * 65536, token=""), "limit-exceeded"),
    ("comet", comet(0, client_id="x" * 40000, token="x" * 40000), "limit-exceeded"),
    ("comet", comet(1, secret_key="00" * 65533), "limit-exceeded"),
    ("comet", comet(3, topics=["news"]), "invalid-value"),
    ("comet", comet(3, topics=[""]), "invalid-value"),
    ("comet", comet(3, topics=["\ud800"]), "invalid-utf8"),
    ("comet", comet(3, topics=[{"hex": "40ff"}]), "invalid-utf8"),
    ("comet", comet(9), "unknown-type"),
    ("comet", comet(256), "out-of-range"),
    ("esnp-frame", frames({"type": 9}), "forbidden-type"),
    ("esnp-frame", frames({"type": 0}), "unknown-type"),
    ("esnp-frame", frames({"type": 256, "body": ""}), "out-of-range"),
    ("esnp-frame", frames({"type": 17, "id": "18446744073709551616"}), "out-of-range"),
    ("esnp-frame", frames({"type": 17, "id": "-1"}), "out-of-range"),
    ("esnp-frame", frames({"type": 17, "id": "9" * 5000}), "out-of-range"),
    ("esnp-frame", frames({"type": 18, "kind": 256}), "out-of-range"),
    ("esnp-frame", frames(header({"t": "int8", "v": 128})), "out-of-range"),
    ("esnp-frame", frames(header({"t": "int", "v": "9223372036854775808"})), "out-of-range"),
    ("esnp-frame", frames(header({"t": "date", "v": 1})), "unknown-type"),
    ("esnp-frame", frames(header({"t": "string", "v": "\udfff"})), "invalid-utf8"),
    ("esnp-frame", frames(header({"t": "null"}, key="\ud800")), "invalid-utf8"),
    ("esnp-frame", frames(header(nested(65))), "limit-exceeded"),
    ("esnp-frame", frames(header(nested(400))), "limit-exceeded"),
    ("esnp-frame", frames({"type": 21, "body": "00" * 0x1000000}), "limit-exceeded"),
    ("esnp-line", lines({"type": 1, "body": ""}), "forbidden-type"),
    ("esnp-line", lines({"type": 15, "body": ""}), "forbidden-type"),
    ("esnp-line", lines({"type": 0x13, "kind": 1}), "forbidden-type"),
    ("esnp-line", lines({"type": 0x19}), "forbidden-type"),
    ("esnp-line", lines({"type": 0x1A}), "forbidden-type"),
    ("esnp-line", lines({"type": 22, "body": ""}, {"type": 17, "id": "1"}), "bad-order"),
    ("esnp-line", lines({"type": 27, "current": 0, "max": 0}), "invalid-value"),
    ("esnp-line", lines({"type": 27, "current": 5, "max": 3}), "invalid-value"),
    ("esnp-line", lines({"type": 27, "current": 5, "max": -1}), "invalid-value"),
    ("esnp-line", lines({"type": 30, "flag": 2**31}), "out-of-range"),
    ("esnp-line", lines({"type": 31, "version": [1, 0, 0]}), "length-mismatch"),
    ("esnp-line", lines({"type": 31, "version": [256, 0, 0, 0]}), "out-of-range"),
    ("tny", tny(mode=3), "unknown-enum"),
    ("tny", tny(mode=4), "out-of-range"),
    ("tny", tny(line=8), "out-of-range"),
    ("tny", tny(protocol_id=2**31), "out-of-range"),
    ("tny", tny(message_id="9223372036854775808"), "out-of-range"),
    ("tny", tny(packet={"waste": True}), "unsupported"),
    ("tny", tny(packet={"encrypt": True}), "unsupported"),
    ("tny", tny(packet={"type": 3}), "unknown-type"),
    ("tny", tny(packet={"type": 4}), "out-of-range"),
    ("tny", tny(body="00" * 16777216), "limit-exceeded"),
    ("tny", ping(payload_raw="00" * 16777217), "limit-exceeded"),
    ("tny-relay", relay(pack_id=2**32), "out-of-range"),
    ("tny-relay", relay(mark=2), "out-of-range"),
    ("tny-relay", relay(sub_id=16), "out-of-range"),
    ("tny-relay", relay(args="00" * 16777216), "limit-exceeded"),
    ("magline", magline(version=2, number=1), "bad-version"),
    ("magline", magline(magic=0x55, number=1), "bad-magic"),
    ("magline", magline(magic=0xD1, number=1), "bad-magic"),
    ("magline", magline(6, magic=0xC1, business_cmd=1, hmac="00" * 16, data=""), "bad-magic"),
    ("magline", magline(10, number=1), "unknown-type"),
    ("magline", magline(1, random="00" * 31, public_key="00" * 32), "length-mismatch"),
    ("magline", magline(1, random="00" * 32, public_key="00" * 33), "length-mismatch"),
    ("magline", magline(6, business_cmd=1, hmac="00" * 15, data=""), "length-mismatch"),
    ("magline", magline(seq=2**32, number=1), "out-of-range"),
    ("magline", magline(head="00" * 65536, number=1), "limit-exceeded"),
    ("magline", magline(6, business_cmd=1, hmac="00" * 16, data="00" * 16777216), "limit-exceeded"),
]


def encode(name: str, value: Value, **profile: Any) -> bytes:
    found = codec(name, direction="c2s" if name == "comet" else None, profile=profile)
    return found.encode(found.message(value))


@pytest.mark.parametrize(("name", "value", "error"), REFUSED, ids=lambda item: str(item)[:60])
def test_refused(name: str, value: Value, error: str) -> None:
    with pytest.raises(Refused) as refusal:
        encode(name, value)
    assert refusal.value.error == error
    assert refusal.value.path
    assert refusal.value.clause


UNDER_A_PROFILE: list[tuple[str, Value, dict[str, Any], str]] = [
    ("comet", comet(3, topics=["@a"] * 128), {"byte": "signed"}, "limit-exceeded"),
    ("comet", comet(0, client_id="x" * 32768, token=""), {"short": "signed"}, "limit-exceeded"),
    ("comet", comet(8, network_type=128, isp=0, phone_type="", extra=[]), {"byte": "signed"}, "out-of-range"),
    ("comet", comet(-1), {"byte": "signed"}, "unknown-type"),
    ("tny", ping(payload_raw="00"), {"ping": "bare"}, "length-mismatch"),
    ("tny", tny(payload={"access_id": 2**31}), {"access_id": "var32"}, "out-of-range"),
    ("tny", tny(body="00" * 100), {"max_payload": 50}, "limit-exceeded"),
    ("esnp-frame", frames(header({"t": "int", "v": 2**31})), {"int_bits": 32}, "out-of-range"),
    ("esnp-frame", frames(header(nested(2))), {"max_depth": 1}, "limit-exceeded"),
    ("esnp-frame", frames({"type": 21, "body": "00" * 10}), {"max_frame": 9}, "limit-exceeded"),
    ("esnp-frame", frames({"type": 25}), {"max_message": 7}, "limit-exceeded"),
    ("esnp-line", lines(app(129), {"type": 17, "id": "1"}), {"app_category": {129: "body"}}, "bad-order"),
    ("magline", magline(1, random="00" * 32, public_key="00" * 4), FOUR, "length-mismatch"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "value", "profile", "error"), UNDER_A_PROFILE, ids=lambda item: str(item)[:60])
def test_refused_under_a_profile(name: str, value: Value, profile: dict[str, Any], error: str) -> None:
    with pytest.raises(Refused) as refusal:
        encode(name, value, **profile)
    assert refusal.value.error == error


FIRST = [
    # the first refusal in the order of the wire is the one that is told
    ("comet", comet(8, network_type=256, isp=0, phone_type="\ud800", extra=[]), "out-of-range"),
    ("comet", comet(3, topics=["\ud800", "x"]), "invalid-utf8"),
    ("comet", comet(3, topics=["x"] * 256), "limit-exceeded"),
    ("esnp-line", lines({"type": 0x19}, {"type": 0}), "forbidden-type"),
    ("esnp-line", lines({"type": 27, "current": 0, "max": -1}), "invalid-value"),
    ("magline", magline(10, version=2, number=1), "bad-version"),
    ("magline", magline(6, magic=0xC1, seq=2**32, business_cmd=1, hmac="", data=""), "bad-magic"),
]


@pytest.mark.parametrize(("name", "value", "error"), FIRST, ids=lambda item: str(item)[:60])
def test_the_first_refusal_wins(name: str, value: Value, error: str) -> None:
    with pytest.raises(Refused) as refusal:
        encode(name, value)
    assert refusal.value.error == error


MISSHAPEN = [
    ("comet", {}, "one key"),
    ("comet", comet(0, client_id="a"), "'token' is missing"),
    ("comet", comet(0, client_id="a", token=1), "expected a string"),
    ("comet", comet(0, client_id="a", token="b", more=1), "no such key"),
    ("comet", {"command": {"dir": "s2c", "type": 0}}, "expected 'c2s'"),
    ("comet", comet(3, topics="@a"), "expected a list"),
    ("comet", comet(8, network_type=True, isp=0, phone_type="", extra=[]), "expected an integer"),
    ("comet", comet(1, secret_key="abc"), "hex"),
    ("comet", comet(1, secret_key="AB"), "hex"),
    ("esnp-frame", frames({"type": 17, "id": 5}), "decimal string"),
    ("esnp-frame", frames({"type": 17, "id": "-0"}), "decimal string"),
    ("esnp-frame", frames({"type": 17, "id": "05"}), "decimal string"),
    ("esnp-frame", frames(header({"t": "null", "v": 1})), "exactly the keys"),
    ("esnp-frame", frames(header({"t": "float32", "bits": "00"})), "hex digits"),
    ("esnp-frame", frames(header({"t": "map", "v": [["a"]]})), "pair"),
    ("esnp-line", lines({"type": 1, "nobody": ""}), "exactly the keys"),
    ("tny", tny(packet={"waste": 0}), "true or false"),
    ("magline", {"frame": []}, "expected an object"),
]


@pytest.mark.parametrize(("name", "value", "problem"), MISSHAPEN, ids=lambda item: str(item)[:60])
def test_a_wrong_shape_is_never_encoded(name: str, value: Value, problem: str) -> None:
    with pytest.raises(BadValue, match=problem):
        encode(name, value)


def test_what_is_ignored_when_writing() -> None:
    named = encode("comet", comet(6, name="anything"))
    assert named.hex() == "000106"
    checked = encode("tny", tny(packet={"verify": True}, payload={"check": "00000000"}))
    assert checked[-4:].hex() != "00000000"
    float_with_v = frames(header({"t": "float32", "bits": "3f800000", "v": 1.0}))
    assert encode("esnp-frame", float_with_v).hex() == "13000007026b0d3f80000000000000"


def test_flags_and_payload_of_a_ping_are_written_as_given() -> None:
    written = encode("tny", ping(waste=True, encrypt=True, verify=True, payload_raw="cafe"))
    assert written.hex() == "746e792e1d02000000cafe"
