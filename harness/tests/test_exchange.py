"""What one implementation writes, all others read: who does not understand whom, and over which value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice, permutations
from typing import Any

import pytest

from wireproof import PROTOCOLS
from wireproof_harness.claims import Claims, claims_of
from wireproof_harness.cli.compared import Result, named
from wireproof_harness.cli.comparedjson import as_json
from wireproof_harness.compare import Comparison, Reference, Standing, exchange
from wireproof_harness.compare.exchange import delivered, misread, samples
from wireproof_harness.compare.voices import ENOUGH_BREAKDOWNS

Question = dict[str, Any]
Answer = dict[str, Any]
CRASH = {"fault": {"status": "crash", "detail": "ended with exit code 3"}}


class Testee(Reference):
    """The reference, with something done to its answers, and with other claims."""

    __test__ = False  # for pytest, which likes the name

    def __init__(self, spoil: Callable[[Question, Answer], Answer] = lambda _, answer: answer, **claims: Any) -> None:
        self.spoil = spoil
        self._claims = {"operations": ["decode", "encode", "stream"], "profile": "any", **claims}
        self.asked: list[Question] = []

    @property
    def claims(self) -> Claims:
        return claims_of({"contract": 1, "name": "testee", "protocols": {"comet": self._claims}})

    def ask(self, requests: Sequence[Question]) -> list[Answer]:
        self.asked += requests
        return [self.spoil(request, answer) for request, answer in zip(requests, super().ask(requests), strict=True)]


def writes_heartbeats_wrongly(question: Question, answer: Answer) -> Answer:
    if answer.get("ok", {}).get("hex") == "000106":
        return {"id": answer["id"], "ok": {"hex": "00020600"}}
    return answer


def reads_one_topic(question: Question, answer: Answer) -> Answer:
    for message in answer.get("ok", {}).get("messages", []):
        message["command"].pop("name")  # which nobody minds
        if "topics" in message["command"]:
            del message["command"]["topics"][1:]
    return answer


def breaks_over_topics(question: Question, answer: Answer) -> Answer:
    if question["op"] == "encode" and "topics" in question["value"]["command"]:
        return {"id": answer["id"], **CRASH}
    return answer


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_reference_understands_itself(protocol: str) -> None:
    found = exchange([Reference(), Reference()], protocol, values=120, seed=1)
    assert found.values == 120
    assert found.failures == 0
    assert {(cell.read, cell.understood) for cell in found.cells.values()} == {(120, 120)}


def test_the_matrix_names_the_pair_and_the_direction() -> None:
    voices = [Testee(), Testee(writes_heartbeats_wrongly), Testee(reads_one_topic)]
    found = exchange(voices, "comet", values=300, seed=1)
    lost = {pair: cell.read - cell.understood for pair, cell in found.cells.items()}
    assert {cell.read for cell in found.cells.values()} == {300}
    assert lost[0, 1] == lost[2, 1] == 0  # it writes wrongly, and reads rightly
    assert lost[1, 0] > 0
    assert lost[0, 2] > 0
    assert lost[2, 0] == 0  # it reads wrongly, and writes rightly
    assert lost[1, 2] == lost[1, 0] + lost[0, 2]


def test_the_counterexample_is_small_and_says_what_differs() -> None:
    voices = [Testee(), Testee(writes_heartbeats_wrongly), Testee(reads_one_topic)]
    cells = exchange(voices, "comet", values=300, seed=1).cells
    written, read = cells[1, 0].example, cells[0, 2].example
    assert written is not None
    assert (written.hex, written.reason) == ("00020600", "trailing-bytes")
    assert read is not None
    assert read.reason == "another command.topics"
    assert read.question["value"]["command"]["topics"] == ["@", "@"]
    assert read.hex == "00080302000140000140"
    assert read.answer["ok"]["messages"][0]["command"]["topics"] == ["@"]


def test_whoever_only_decodes_reads_and_does_not_write() -> None:
    reader = Testee(operations=["decode"], directions=["c2s"])
    found = exchange([Testee(), reader], "comet", values=200, seed=1)
    assert {question["op"] for question in reader.asked} == {"decode"}
    assert 0 < found.cells[0, 1].read < 200  # one direction of two
    assert found.cells[1, 0].read == found.written[1].read == 0
    assert found.failures == 0


def test_what_several_write_alike_is_read_once() -> None:
    reader = Testee(operations=["decode"])
    exchange([Testee(), Testee(), reader], "comet", values=100, seed=1)
    assert len(reader.asked) == 100


def test_a_value_that_is_not_written_is_the_fault_of_the_writer() -> None:
    found = exchange([Testee(), Testee(breaks_over_topics)], "comet", values=100, seed=1)
    writer = found.written[1]
    assert writer.reasons.keys() == {"crash"}
    assert writer.example is not None
    assert writer.example.hex == ""
    assert found.cells[1, 0].read == writer.understood < writer.read
    assert found.cells[0, 1].read == found.cells[0, 1].understood == 100


def test_whoever_breaks_down_too_often_is_asked_no_more() -> None:
    broken = Testee(lambda question, answer: {"id": answer["id"], **CRASH})
    found = exchange([Testee(), broken], "comet", values=1200, seed=1)
    assert found.stopped.keys() == {1}
    assert f"{found.written[1].read} times" in found.stopped[1]
    assert ENOUGH_BREAKDOWNS <= found.written[1].read <= 500  # a batch may be under way
    assert found.cells[0, 1].read == 0


def test_what_is_unsupported_does_not_count() -> None:
    withdrawn = Testee(lambda question, answer: {"id": answer["id"], "unsupported": {"reason": "not yet"}})
    found = exchange([Testee(), withdrawn], "comet", values=50, seed=1)
    assert {cell.read for cell in found.cells.values()} == {0}
    assert found.failures == 0


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ({"ok": {"messages": [{"a": {"type": 1, "id": 5}}], "consumed": 2}}, ""),
        ({"ok": {"messages": [{"a": {"type": 1, "id": "5", "name": "x"}}], "consumed": 2}}, ""),
        ({"ok": {"messages": [{"a": {"type": 1, "id": 6}}], "consumed": 2}}, "another a.id"),
        ({"ok": {"messages": [], "consumed": 2}}, "another number of messages"),
        ({"ok": {"messages": [{"a": {"type": 1, "id": "5"}}], "consumed": 1}}, "another consumed"),
        ({"reject": {"error": "overrun", "messages": []}}, "overrun"),
        ({"reject": {"messages": []}}, "rejected"),
        (CRASH, "crash"),
    ],
)
def test_what_counts_as_understood(answer: Answer, reason: str) -> None:
    assert misread({"a": {"type": 1, "id": "5"}}, "0000", {"id": 1, **answer}) == reason


def test_samples_are_values_and_the_same_for_the_same_seed() -> None:
    first, second = (list(samples("tny", 3, 400)) for _ in range(2))
    assert first == second
    assert first != list(samples("tny", 4, 400))
    assert all(delivered(question) is not None for question in islice(first, 0, None, 10))


def test_the_same_exchange_gives_the_same_report() -> None:
    def report() -> Any:
        voices = [Testee(), Testee(reads_one_topic), Testee(writes_heartbeats_wrongly)]
        people = [named(place, "testee", voice.claims) for place, voice in enumerate(voices)]
        found = exchange(voices, "comet", values=150, seed=5)
        comparison = Comparison("comet", [], standings=[Standing() for _ in voices])
        return as_json(people, [Result(comparison, found)], 5)

    first, second = report(), report()
    assert first == second
    read = first["protocols"][0]["exchange"]["read"]
    assert [(cell["writer"], cell["reader"]) for cell in read] == list(permutations("ABC", 2))
    assert [(cell["writer"], cell["reader"]) for cell in read if cell["example"]] == [
        ("A", "B"), ("C", "A"), ("C", "B"),
    ]  # fmt: skip
