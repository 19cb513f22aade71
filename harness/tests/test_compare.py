"""`compare` finds a difference, says who is on which side, counts it, and makes it small."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from testees import CLAIM, adapter
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.cli.compare import compare_command
from wireproof_harness.compare import Camp, Reference, compare, kind_of_difference
from wireproof_harness.compare.answers import difference, received
from wireproof_harness.compare.camps import split
from wireproof_harness.peer import peer
from wireproof_harness.questions import Generator
from wireproof_harness.shrink import smaller
from wireproof_harness.transports.connection import CannotStart

Question = dict[str, Any]
Answer = dict[str, Any]


class Spoilt(Reference):
    """The reference, with something done to its answers."""

    def __init__(self, spoil: Callable[[Question, Answer], Answer], name: str = "spoilt") -> None:
        self.name = name
        self.spoil = spoil

    def ask(self, requests: Sequence[Question]) -> list[Answer]:
        return [self.spoil(request, answer) for request, answer in zip(requests, super().ask(requests), strict=True)]


def takes_topics_without_at(question: Question, answer: Answer) -> Answer:
    if answer.get("reject", {}).get("error") == "invalid-value" and "offset" in answer["reject"]:
        content = {"messages": [], "consumed": 0, **({"after": []} if question["op"] == "stream" else {})}
        return {"id": answer["id"], "ok": content}
    return answer


def keeps_one_topic(question: Question, answer: Answer) -> Answer:
    for message in answer.get("ok", {}).get("messages", []):
        message["command"].pop("name")  # which nobody minds
        if "topics" in message["command"]:
            del message["command"]["topics"][1:]
    return answer


def breaks_over_heartbeats(question: Question, answer: Answer) -> Answer:
    if question.get("hex", "").endswith("000106"):
        return {"id": answer["id"], "fault": {"status": "crash", "detail": "ended with exit code 3"}}
    return answer


def test_equal_implementations_do_not_differ() -> None:
    result = compare([Reference(), Reference(), Reference()], "comet", frames=300, seed=1)
    assert result.differences == []
    assert result.frames == 300
    assert {(pair.compared, pair.differing) for pair in result.pairs.values()} == {(result.questions, 0)}
    assert [sum(standing.outcomes.values()) for standing in result.standings] == [result.questions] * 3


def test_a_difference_is_found_counted_and_made_small() -> None:
    result = compare([Reference(), Spoilt(takes_topics_without_at)], "comet", frames=1500, seed=1)
    found = next(found for found in result.differences if found.kind == "decode: invalid-value / ok")
    assert found.count > 1
    assert len(found.question["hex"]) // 2 <= 7  # a length, a type, a count, and one topic without @
    assert not found.question.get("profile")
    assert found.field == "command.topics"


def test_three_implementations_with_different_bugs_are_told_apart() -> None:
    bugs = takes_topics_without_at, keeps_one_topic, breaks_over_heartbeats
    result = compare([Reference(), *map(Spoilt, bugs)], "comet", frames=1500, seed=1)
    found = {found.kind: (found.field, found.camps) for found in result.differences if found.kind.startswith("decode")}
    assert found == {
        "decode: invalid-value / ok": ("command.topics", (Camp((0, 2, 3), "invalid-value"), Camp((1,), "ok"))),
        "decode: ok, messages": ("command.topics", (Camp((0, 1, 3), "ok"), Camp((2,), "ok"))),
        "decode: answer / crash": ("", (Camp((0, 1, 2), "answer"), Camp((3,), "crash"))),
    }
    differing = {pair: cell.differing for pair, cell in result.pairs.items()}
    assert all(differing.values())
    assert differing[1, 2] == differing[0, 1] + differing[0, 2]
    assert sum(found.count for found in result.differences) == result.differing
    crash = next(found for found in result.differences if found.camps[-1].says == "crash")
    assert crash.question["hex"] == "000106"
    assert crash.answers[3]["fault"]["status"] == "crash"


@pytest.mark.parametrize(
    ("answers", "camps"),
    [
        ([{"ok": {"hex": "00"}}, {"ok": {"hex": "01"}}, {"ok": {"hex": "00"}}], [(0, 2), (1,)]),
        ([{"ok": {"hex": "00"}}, {"ok": {"hex": "01"}}, {"ok": {"hex": "02"}}], [(0,), (1,), (2,)]),
        ([{"reject": {"error": "overrun"}}, {"ok": {"hex": "01"}}, {"reject": {}}], [(0, 2), (1,)]),
        ([{"fault": {"status": "crash", "detail": "a"}}, {"fault": {"status": "crash", "detail": "b"}}], [(0, 1)]),
        ([{"fault": {"status": "crash", "detail": ""}}, {"fault": {"status": "timeout", "detail": ""}}], [(0,), (1,)]),
    ],
)  # fmt: skip
def test_camps(answers: list[Answer], camps: list[tuple[int, ...]]) -> None:
    found = split({"op": "encode"}, {place: {"id": 1, **answer} for place, answer in enumerate(answers)})
    assert found is not None
    assert [camp.members for camp in found.camps] == camps


@pytest.mark.parametrize(
    ("a", "b", "field"),
    [
        ({"command": {"type": 6, "name": "x"}}, {"command": {"type": 6}}, None),
        ({"packet": {"id": "5"}}, {"packet": {"id": 5}}, None),
        ({"packet": {"id": "5"}}, {"packet": {"id": 6}}, "packet.id"),
        ({"a": {"topics": ["x", "y"]}}, {"a": {"topics": ["x", "z"]}}, "a.topics"),
        ({"frames": [{"t": [{"v": 1}]}]}, {"frames": [{"t": [{"v": 2}]}]}, "frames.t.v"),
    ],
)
def test_messages_are_compared_as_the_contract_says(a: Answer, b: Answer, field: str | None) -> None:
    first, second = ({"id": 1, "ok": {"messages": [value], "consumed": 3}} for value in (a, b))
    found = difference({"op": "decode"}, first, second)
    assert (None if found is None else found.field) == field


@pytest.mark.parametrize(
    ("operation", "answer"),
    [
        ("decode", {"ok": []}),
        ("decode", {"ok": {"messages": {}, "consumed": 1}}),
        ("decode", {"ok": {"messages": []}}),
        ("decode", {"reject": {"error": "\x1b[31m", "messages": []}}),
        ("decode", {"reject": {"messages": []}}),
        ("encode", {"ok": {"hex": "0"}}),
        ("encode", {"ok": {"hex": "AB"}}),
    ],
)
def test_what_has_not_the_form_of_an_answer_is_a_breakdown(operation: str, answer: Answer) -> None:
    assert received({"op": operation}, {"id": 1, **answer})["fault"]["status"] == "contract-error"


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


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["reference", ""], "name an implementation"),
        (["reference", 'perl "unclosed'], "no command line"),
        (["reference"], "name 2 to"),
        (["cat", "--no-reference"], "name 2 to"),
        (["reference", "cat", "--no-reference"], "say one of the two"),
    ],
)
def test_usage(arguments: list[str], words: str) -> None:
    run = CliRunner().invoke(compare_command, [*arguments, "--protocol", "comet", "--frames", "10"])
    assert run.exit_code == 2
    assert words in run.output


class Partial(Reference):
    """An implementation that claims part of comet, is asked for nothing else, and leaves offsets out."""

    def __init__(self, **claims: Any) -> None:
        self.name = "partial"
        self._claims = claims_of({"contract": 1, "name": "partial", "protocols": {"comet": claims}})

    @property
    def claims(self) -> Claims:
        return self._claims

    def ask(self, requests: Sequence[Question]) -> list[Answer]:
        claimed = self._claims.protocols["comet"]
        assert {request["op"] for request in requests} <= set(claimed.operations)
        assert all(request["direction"] in (claimed.directions or ("c2s", "s2c")) for request in requests)
        assert claimed.profile == "any" or not any(request.get("profile") for request in requests)
        answers = super().ask(requests)
        for answer in answers:
            answer.get("reject", {}).pop("offset", None)
        return answers


def test_what_is_not_claimed_is_not_asked_and_said() -> None:
    result = compare([Reference(), Partial(operations=["decode"], profile="any")], "comet", frames=200, seed=1)
    assert result.differences == []
    assert result.standings[1].not_asked.keys() == {"operation encode", "operation stream"}
    assert result.questions == result.frames == 200
    assert compare([Reference(), Partial(operations=["decode"])], "tny", frames=20, seed=1).questions == 0


def test_values_of_a_wrong_shape_are_nobodys_fault() -> None:
    def lenient(question: Question, answer: Answer) -> Answer:
        return {"id": answer["id"], "ok": {"hex": ""}} if "error" in answer else answer

    fair = compare([Reference(), Spoilt(lenient)], "comet", frames=300, seed=1)
    assert fair.differences == []
    assert fair.left_out > 0
    every = compare([Reference(), Spoilt(lenient)], "comet", frames=300, seed=1, any_shape=True)
    assert every.differing == fair.left_out
    assert every.questions == fair.questions + fair.left_out


def test_every_pair_has_its_own_denominator() -> None:
    partial = Partial(operations=["decode", "stream"], directions=["c2s"], messages=["heartbeat", "subscribe"])
    result = compare([Reference(), partial, Reference()], "comet", frames=400, seed=1)
    compared = {pair: cell.compared for pair, cell in result.pairs.items()}
    assert result.differences == []
    assert 0 < compared[0, 1] == compared[1, 2] < compared[0, 2] == result.questions
    assert compared[0, 1] == result.standings[1].asked
    assert result.standings[1].asked + result.standings[1].not_asked.total() == result.questions
    assert result.standings[0].asked == result.questions
    assert "message auth" in result.standings[1].not_asked


def test_a_difference_that_not_all_are_asked_about_is_counted_once() -> None:
    voices = [Reference(), Spoilt(keeps_one_topic), Partial(operations=["decode"])]
    result = compare(voices, "comet", frames=600, seed=1)
    (found,) = (found for found in result.differences if found.kind.startswith("decode"))
    assert found.camps == (Camp((0, 2), "ok"), Camp((1,), "ok"))
    assert found.count > result.pairs[1, 2].differing > 0


def test_shrinking_keeps_what_matters() -> None:
    start: Question = {"op": "decode", "profile": {"order": "big"}, "hex": "00112233ff445566"}
    found = smaller(start, lambda question: "ff" in question["hex"])
    assert found == {"op": "decode", "profile": {}, "hex": "ff"}


def test_an_adapter_that_does_not_answer_hello_is_named(tmp_path: Path) -> None:
    with pytest.raises(CannotStart, match="ended with exit code 3"):
        peer(adapter(tmp_path, "sys.exit(3)"))


def test_an_adapter_that_breaks_down_differs(tmp_path: Path) -> None:
    found = peer(adapter(tmp_path, "if text.startswith('00'): sys.exit(3)"))
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
    assert "wireproof doctor" in result.output


def test_whoever_claims_nothing_that_is_compared_could_not_be_asked(tmp_path: Path) -> None:
    command = adapter(tmp_path, CLAIM.format(claims='{"tny": {"operations": ["decode"]}}'))
    run = CliRunner().invoke(compare_command, [command, "--protocol", "comet", "--frames", "20"])
    assert run.exit_code == 3
    assert "B  was compared in nothing" in run.output


OTHER_CLASS = "if given.get('reject', {}).get('error') == 'bad-magic': given['reject']['error'] = 'unknown-type'"
WRONG_NUMBER = "if given.get('ok', {}).get('messages'): given['ok']['messages'][0]['packet']['type'] = 7"


def test_the_command_shows_who_says_what_with_the_bytes(tmp_path: Path) -> None:
    commands = [adapter(tmp_path, OTHER_CLASS, name="b.py"), adapter(tmp_path, WRONG_NUMBER, name="c.py")]
    arguments = [*commands, "--protocol", "tny", "--frames", "100", "--values", "20"]
    run = CliRunner().invoke(compare_command, arguments, catch_exceptions=False)
    assert run.exit_code == 1, run.output
    lines = run.output.splitlines()
    assert lines[0].split()[:2] == ["A", "reference"]
    assert any(line.startswith("  decode: bad-magic / unknown-type") for line in lines)
    assert any(line.startswith("  A C       bad-magic at byte 0") for line in lines)
    assert any(line.startswith("  B         unknown-type at byte 0") for line in lines)
    assert any(line.startswith("  again B: echo") and line.endswith("b.py") for line in lines)
    assert any("C does not understand A, B" in line for line in lines)
    assert all(len(line) <= 100 for line in lines if "again" not in line)
    reports = [json.loads(CliRunner().invoke(compare_command, [*arguments, "--json"]).stdout) for _ in range(2)]
    for report in reports:
        report["protocols"][0].pop("seconds")
    assert reports[0] == reports[1]
    (protocol,) = reports[0]["protocols"]
    assert protocol["frames"] == 100
    kinds = {found["kind"]: found for found in protocol["differences"]}
    assert [camp["implementations"] for camp in kinds["decode: ok, messages"]["camps"]] == [["A", "B"], ["C"]]
    assert kinds["decode: ok, messages"]["field"] == "packet.type"
    assert {tuple(pair["between"]) for pair in protocol["pairs"]} == {("A", "B"), ("A", "C"), ("B", "C")}
    assert all(pair["agree"] + pair["differ"] == pair["compared"] for pair in protocol["pairs"])
