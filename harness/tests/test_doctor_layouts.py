"""`wireproof doctor` finds the profile that fits an adapter, and says how to declare it."""

import json
from pathlib import Path
from typing import Any

import pytest

from sick.adapter import PATIENCE, diagnosed, sick
from wireproof import codec
from wireproof.profile import parameters
from wireproof.suite import load_suite
from wireproof_harness.doctor.easy import TELLTALES
from wireproof_harness.doctor.examination import examine
from wireproof_harness.target import target

LAYOUTS: list[tuple[str, dict[str, Any]]] = [
    ("comet", {"order": "little"}),
    ("comet", {"bytes": "int"}),
    ("comet", {"extra": "short"}),
    ("comet", {"order": "little", "bytes": "int"}),
    ("tny", {"order": "big"}),
    ("tny", {"varint": "zigzag"}),
    ("tny", {"ping": "bare"}),
    ("tny-relay", {"order": "big"}),
    ("tny-relay", {"relay_length": "total"}),
    ("tny-relay", {"relay_length": "args"}),
    ("tny-relay", {"order": "big", "relay_length": "args"}),
    ("magline", {"order": "little"}),
    ("magline", {"head_length": "total"}),
    ("magline", {"message_length": "frame"}),
    ("magline", {"fields_in": "header"}),
    ("magline", {"random_len": 4, "pubkey_len": 4}),
    ("esnp-frame", {"size_order": "little"}),
    ("esnp-frame", {"counts": "uvarint"}),
    ("esnp-line", {"flag_int": "fix32"}),
    ("esnp-line", {"error_text": "lenstring"}),
    ("esnp-line", {"cancelled": "skip"}),
    ("magline", {"version_check": "ignore"}),
    ("tny", {"access_id": "var32"}),
    ("comet", {"ts": "unsigned"}),
]


def with_layout(name: str, profile: dict[str, Any], operations: str = "['decode', 'encode', 'stream']") -> str:
    return f"CLAIMS = {{{name!r}: {{'operations': {operations}}}}}\nFIXED = {{{name!r}: {profile!r}}}"


@pytest.mark.parametrize(("name", "profile"), LAYOUTS, ids=str)
def test_a_fixed_layout_gets_exactly_its_declaration(name: str, profile: dict[str, Any], tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, with_layout(name, profile)))
    (found,) = report.faults
    assert found.name == "undeclared-profile"
    assert found.declare == {name: profile}
    assert json.dumps({"profile": profile})[1:-1] in found.fix


def test_only_an_encoder_shows_its_layout_too(tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, with_layout("comet", {"order": "little"}, "['encode']")))
    assert report.faults[0].declare == {"comet": {"order": "little"}}


def test_what_is_declared_and_not_so_is_told_to_be_left_out(tmp_path: Path) -> None:
    code = "CLAIMS = {'comet': {'operations': ['decode'], 'profile': {'order': 'little'}}}\nFIXED = {'comet': {}}"
    (found,) = diagnosed(sick(tmp_path, code)).faults
    assert (found.name, found.declare) == ("undeclared-profile", {"comet": {}})
    assert "Leave order out" in found.fix


@pytest.mark.parametrize("profile", ["any", {"order": ["big", "little"]}], ids=str)
def test_who_claims_to_be_told_a_profile_has_to_listen(profile: Any, tmp_path: Path) -> None:
    code = f"CLAIMS = {{'comet': {{'operations': ['decode', 'encode'], 'profile': {profile!r}}}}}\n"
    (found,) = diagnosed(sick(tmp_path, code + "FIXED = {'comet': {}}")).faults
    assert (found.name, "Take `profile` from each request" in found.fix) == ("profile-ignored", True)
    assert diagnosed(sick(tmp_path, code)).findings == []


def test_a_layout_that_is_declared_is_healthy(tmp_path: Path) -> None:
    code = "CLAIMS = {'comet': {'operations': ['decode', 'encode'], 'profile': {'order': 'little'}}}\n"
    assert diagnosed(sick(tmp_path, code + "FIXED = {'comet': {'order': 'little'}}")).findings == []


def test_a_manifest_can_declare_what_hello_leaves_out(tmp_path: Path) -> None:
    command = sick(tmp_path, with_layout("comet", {"order": "little"}))
    manifest = tmp_path / "mine.toml"
    manifest.write_text(f"command = {json.dumps(command)}\n[protocols.comet]\nprofile = {{order = 'little'}}\n")
    assert examine(target([str(manifest)]), PATIENCE).findings == []


def test_an_arbitrary_bug_is_not_taken_for_a_layout(tmp_path: Path) -> None:
    code = "def changed(r, a): return in_messages(a, lambda m: each(m, lambda v: v + 1 if type(v) is int else v))"
    report = diagnosed(sick(tmp_path, code))
    assert report.faults
    assert all(not found.declare for found in report.faults)


@pytest.mark.parametrize(("name", "parameter"), [(name, key) for name, keys in TELLTALES.items() for key in keys])
def test_a_telltale_tells_every_value_of_its_parameter_apart(name: str, parameter: str) -> None:
    vector = load_suite()[TELLTALES[name][parameter]]
    found = parameters(name)[parameter]
    answers = []
    for value in [found.default, *found.alternatives()]:
        there = codec(name, direction=vector.direction or None, profile={parameter: value})
        answers.append(json.dumps(there.answer(there.decode(vector.data))))
    assert len(set(answers)) == len(answers) > 1
