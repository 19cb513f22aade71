"""Patches: one table of edits, with what they make of one command."""

from typing import Any

import pytest

from wireproof import codec
from wireproof.suite.patch import PatchProblem, patch_bytes, patch_value

COMET = codec("comet", direction="c2s")
# length, type, count, "@a", "@b"; then a heartbeat
TWIN = bytes.fromhex("000a 03 02 00024061 00024062 000106")

EDITS: list[tuple[list[dict[str, Any]], str]] = [
    ([{"set": "command.length", "to": "0009"}], "0009 03 02 00024061 00024062 000106"),
    ([{"set": "#0:command.type", "to": "04"}], "000a 04 02 00024061 00024062 000106"),
    ([{"set": "#1:command.type", "to": "07"}], "000a 03 02 00024061 00024062 000107"),
    ([{"drop": "command.topics[1]"}], "000a 03 02 00024061 000106"),
    ([{"drop": "command.topics[1].run"}], "000a 03 02 00024061 0002 000106"),
    ([{"drop": "command.topics[1].length"}], "000a 03 02 00024061 4062 000106"),
    ([{"drop": "command.topics"}], "000a 03 000106"),
    ([{"drop": "#1:command"}], "000a 03 02 00024061 00024062"),
    ([{"before": "command.topics[0]", "add": "ff"}], "000a 03 02 ff 00024061 00024062 000106"),
    ([{"after": "command.topics[0]", "add": "ff"}], "000a 03 02 00024061 ff 00024062 000106"),
    ([{"append": "repeat:ab:3"}], "000a 03 02 00024061 00024062 000106 ababab"),
    ([{"cut": 5}], "000a 03 02 00"),
    ([{"cut": 0}], ""),
    ([{"cut": 5}, {"append": "ff"}], "000a 03 02 00 ff"),
    ([{"at": 1, "set": "0b"}], "000b 03 02 00024061 00024062 000106"),
    # Edits refer to the twin as it is, in whatever order they are given.
    ([{"drop": "command.topics[1]"}, {"set": "command.length", "to": "0006"}], "0006 03 02 00024061 000106"),
    (
        [{"after": "command.type", "add": "aa"}, {"before": "command.topics", "add": "bb"}],
        "000a 03 aabb 02 00024061 00024062 000106",
    ),
]


@pytest.mark.parametrize(("patch", "made"), EDITS, ids=[str(patch) for patch, _ in EDITS])
def test_edits(patch: list[dict[str, Any]], made: str) -> None:
    assert patch_bytes(COMET, TWIN, patch).hex() == made.replace(" ", "")


MISFITS: list[tuple[list[dict[str, Any]], str]] = [
    ([{"drop": "command.topics[2]"}], "no field"),
    ([{"drop": "command.top"}], "no field"),
    ([{"drop": "#2:command.type"}], "has 2, from #0"),
    ([{"drop": "1:command.type"}], "no path"),
    ([{"cut": len(TWIN)}], "nothing is cut"),
    ([{"at": len(TWIN), "set": "00"}], "nothing to set"),
    ([{"at": 0, "set": "0009"}], "set it by that path"),
    ([{"drop": "command.topics"}, {"set": "command.topics[0]", "to": "00"}], "the same bytes"),
]


@pytest.mark.parametrize(("patch", "problem"), MISFITS, ids=[problem for _, problem in MISFITS])
def test_edits_that_do_not_fit(patch: list[dict[str, Any]], problem: str) -> None:
    with pytest.raises(PatchProblem, match=problem):
        patch_bytes(COMET, TWIN, patch)


VALUE = {"command": {"type": 3, "topics": ["@a", "@b"]}}
VALUE_EDITS: list[tuple[dict[str, Any], Any]] = [
    ({"put": "command.topics[0]", "value": "repeat:x:3"}, {"command": {"type": 3, "topics": ["xxx", "@b"]}}),
    ({"put": "command.extra", "value": 1}, {"command": {"type": 3, "topics": ["@a", "@b"], "extra": 1}}),
    ({"remove": "command.topics[1]"}, {"command": {"type": 3, "topics": ["@a"]}}),
    ({"remove": "command.type"}, {"command": {"topics": ["@a", "@b"]}}),
    ({"add": "command.topics", "value": "c"}, {"command": {"type": 3, "topics": ["@a", "@b", "c"]}}),
]


@pytest.mark.parametrize(("edit", "made"), VALUE_EDITS)
def test_edits_of_values(edit: dict[str, Any], made: Any) -> None:
    assert patch_value(VALUE, [edit]) == made
    assert VALUE["command"]["topics"] == ["@a", "@b"]


@pytest.mark.parametrize(
    "edit",
    [
        {"put": "command.topics[2]", "value": 1},
        {"remove": "command.name"},
        {"add": "command.type", "value": 1},
        {"remove": "a..b"},
    ],
)
def test_edits_of_values_that_do_not_fit(edit: dict[str, Any]) -> None:
    with pytest.raises(PatchProblem):
        patch_value(VALUE, [edit])
