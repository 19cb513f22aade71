"""`compare` finds a difference, counts it, and makes it small."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wireproof_harness.cli.compare import compare_command
from wireproof_harness.compare import Reference, compare, kind_of_difference
from wireproof_harness.peer import peer
from wireproof_harness.questions import Generator
from wireproof_harness.shrink import smaller
from wireproof_harness.transports.connection import CannotStart

Question = dict[str, Any]


class Faulty(Reference):
    """The reference, but it reads a topic without @ as if the rule did not exist."""

    name = "faulty"

    def ask(self, requests: Sequence[Question]) -> list[dict[str, Any]]:
        return [self._spoilt(answer) for answer in super().ask(requests)]

    @staticmethod
    def _spoilt(answer: dict[str, Any]) -> dict[str, Any]:
        if answer.get("reject", {}).get("error") == "invalid-value" and "offset" in answer["reject"]:
            return {"id": answer["id"], "ok": {"messages": [], "consumed": 0}}
        return answer


def test_equal_implementations_do_not_differ() -> None:
    result = compare(Reference(), Reference(), "comet", frames=300, seed=1)
    assert result.differences == {}
    assert result.frames == 300
    assert sum(result.outcomes.values()) == result.questions


def test_a_difference_is_found_counted_and_made_small() -> None:
    result = compare(Reference(), Faulty(), "comet", frames=1500, seed=1)
    found = result.differences["decode: invalid-value / ok"]
    assert found.count > 1
    assert len(found.question["hex"]) // 2 <= 7  # a length, a type, a count, and one topic without @
    assert not found.question.get("profile")


def test_the_same_seed_asks_the_same() -> None:
    first, second = ([*Generator("tny", seed=3).questions(50)] for _ in range(2))
    assert first == second
    assert first != [*Generator("tny", seed=4).questions(50)]


@pytest.mark.parametrize(
    ("a", "b", "kind"),
    [
        ({"ok": {"messages": []}}, {"ok": {"messages": []}}, ""),
        ({"reject": {"error": "overrun", "offset": 1}}, {"reject": {"error": "overrun"}}, ""),
        ({"reject": {"error": "x", "offset": 1}}, {"reject": {"error": "x", "offset": 2}}, "x: x, offset"),
        ({"op": "decode"}, {"ok": {}}, "x: no answer / ok"),
        ({"unsupported": {}}, {"ok": {}}, ""),
        ({"reject": {"error": "overrun", "detail": "a"}}, {"reject": {"error": "overrun", "detail": "b"}}, ""),
        ({"reject": {"error": "overrun"}}, {"ok": {}}, "x: overrun / ok"),
        ({"error": {"message": "a"}}, {"error": {"message": "b"}}, ""),
        ({"ok": {"hex": "00"}}, {"ok": {"hex": "01"}}, "x: ok, hex"),
    ],
)  # fmt: skip
def test_kinds_of_difference(a: dict[str, Any], b: dict[str, Any], kind: str) -> None:
    assert kind_of_difference({"op": "x"}, {"id": 1, **a}, {"id": 1, **b}) == kind


@pytest.mark.parametrize("command", ["", 'perl "unclosed'])
def test_what_is_no_command_is_said(command: str) -> None:
    result = CliRunner().invoke(compare_command, ["reference", command, "--protocol", "comet", "--frames", "10"])
    assert result.exit_code == 3
    assert "command" in result.output


class DecodeOnly(Reference):
    """An implementation that claims to decode, and leaves offsets out."""

    name = "decode only"

    def ask(self, requests: Sequence[Question]) -> list[dict[str, Any]]:
        assert {request["op"] for request in requests} <= {"hello", "decode"}
        return [self._partial(answer) for answer in super().ask(requests)]

    @staticmethod
    def _partial(answer: dict[str, Any]) -> dict[str, Any]:
        if "protocols" in answer.get("ok", {}):
            return {"id": 0, "ok": {"protocols": {"comet": {"operations": ["decode"]}}}}
        answer.get("reject", {}).pop("offset", None)
        return answer


def test_what_is_not_claimed_is_not_asked_and_said() -> None:
    result = compare(Reference(), DecodeOnly(), "comet", frames=200, seed=1)
    assert result.differences == {}
    assert result.not_asked == ["encode", "stream"]
    assert result.questions == result.frames == 200
    assert compare(Reference(), DecodeOnly(), "tny", frames=20, seed=1).questions == 0


def test_shrinking_keeps_what_matters() -> None:
    start: Question = {"op": "decode", "profile": {"order": "big"}, "hex": "00112233ff445566"}
    found = smaller(start, lambda question: "ff" in question["hex"])
    assert found == {"op": "decode", "profile": {}, "hex": "ff"}


def adapter(tmp_path: Path, body: str) -> list[str]:
    path = tmp_path / "adapter.py"
    path.write_text("import sys, json\n" + body, encoding="utf-8")
    return [sys.executable, str(path)]


def test_an_adapter_that_does_not_answer_hello_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="ended with exit code 3"):
        peer(" ".join(adapter(tmp_path, "sys.exit(3)")))


def test_an_adapter_that_breaks_down_differs(tmp_path: Path) -> None:
    body = (
        "from wireproof_harness.reference import answer\n"
        "for line in sys.stdin:\n"
        "    request = json.loads(line)\n"
        "    if request.get('hex', '').startswith('00'): sys.exit(3)\n"
        "    print(json.dumps(answer(request)), flush=True)\n"
    )
    found = peer(" ".join(adapter(tmp_path, body)))
    try:
        common = {"op": "decode", "protocol": "comet", "direction": "c2s"}
        requests = [{"id": number, **common, "hex": text} for number, text in enumerate(["ff", "000106", "ff"])]
        given = found.ask(requests)
    finally:
        found.close()
    assert [answer["id"] for answer in given] == [0, 1, 2]
    assert given[0].keys() == given[2].keys() == {"id", "reject"}
    assert given[1]["fault"]["status"] == "crash"
    ok = {"id": 1, "ok": {"messages": [], "consumed": 0}}
    assert kind_of_difference(requests[1], ok, given[1]) == "decode: ok / crash"


def test_an_adapter_that_cannot_start() -> None:
    result = CliRunner().invoke(compare_command, ["reference", "/no/such/program"])
    assert result.exit_code == 3
    assert "no program" in result.output


def test_the_command_shows_a_difference_with_its_bytes(tmp_path: Path) -> None:
    body = (
        "from wireproof_harness.reference import answer\n"
        "for line in sys.stdin:\n"
        "    given = answer(json.loads(line))\n"
        "    if given.get('reject', {}).get('error') == 'bad-magic': given['reject']['error'] = 'unknown-type'\n"
        "    print(json.dumps(given), flush=True)\n"
    )
    command = " ".join(adapter(tmp_path, body))
    run = CliRunner().invoke(compare_command, ["reference", command, "--protocol", "tny", "--frames", "200"])
    assert run.exit_code == 1, run.output
    assert "decode: bad-magic / unknown-type" in run.output
    assert "again: echo" in run.output
    run = CliRunner().invoke(compare_command, ["reference", command, "--protocol", "tny", "--frames", "200", "--json"])
    (report,) = json.loads(run.stdout)
    assert report["frames"] == 200
    assert "decode: bad-magic / unknown-type" in [found["kind"] for found in report["differences"]]
