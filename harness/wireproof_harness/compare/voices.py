"""Who is asked: implementations, what each of them claims, and therefore is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from wireproof import Codec, codec
from wireproof.profile import parameters
from wireproof_harness.claims import Claims, claims_of, declared_values
from wireproof_harness.compare.answers import Answer, received
from wireproof_harness.peer import peer
from wireproof_harness.questions import Question
from wireproof_harness.reference import OPERATIONS, answer, hello

A_LITTLE: Final = 20
MANY: Final = 100
ENOUGH_BREAKDOWNS: Final = 30
"""So often a voice may break down before it is asked no more; what is left is for making questions small."""


class Implementation(Protocol):
    """Something that answers questions."""

    name: str

    @property
    def claims(self) -> Claims: ...
    def ask(self, requests: Sequence[Question]) -> list[Answer]: ...
    def close(self) -> None: ...


class Reference:
    """The bundled reference, in process."""

    name = "reference"

    @property
    def claims(self) -> Claims:
        return claims_of(hello())

    def ask(self, requests: Sequence[Question]) -> list[Answer]:
        return [answer(request) for request in requests]

    def close(self) -> None:
        pass


def implementation(text: str) -> Implementation:
    """`reference`, or whatever else `wireproof check` can reach."""
    return Reference() if text == "reference" else peer(text)


def operations(implementation: Implementation, protocol: str) -> frozenset[str]:
    """What an implementation says it can do."""
    claimed = implementation.claims.protocols.get(protocol)
    return frozenset(OPERATIONS) & frozenset(claimed.operations if claimed else ())


class Voice:
    """An implementation asked about one protocol."""

    def __init__(self, implementation: Implementation, protocol: str) -> None:
        claims = implementation.claims
        self.implementation = implementation
        self.protocol = protocol
        self.stopped = ""
        """Why it is asked no more; empty as long as it is."""
        self.breakdowns = 0
        self._at_a_time = A_LITTLE
        self._reasons = claims.states_reasons
        self._claimed = claims.protocols.get(protocol)
        self.map_order = self._claimed is None or self._claimed.map_order == "kept"
        self._values = declared_values(protocol, self._claimed) if self._claimed else {}
        self._defaults = {name: parameter.default for name, parameter in parameters(protocol).items()}

    def ask(self, questions: Sequence[Question]) -> list[Answer]:
        """The answers, or what came instead of them; nothing more once it has broken down too often."""
        found: list[Answer] = []
        while len(found) < len(questions) and not self.stopped:
            given = self.once(questions[len(found) : len(found) + self._at_a_time])
            self._count(given)
            found += given
        rest = questions[len(found) :]
        return found + [
            {"id": question["id"], "fault": {"status": "not-run", "detail": self.stopped}} for question in rest
        ]

    def once(self, questions: Sequence[Question]) -> list[Answer]:
        """The answers, and no count of what goes wrong: for looking more closely at what is known to go wrong."""
        given = self.implementation.ask(questions) if questions else []
        return [
            received(question, answer, reasons=self._reasons) for question, answer in zip(questions, given, strict=True)
        ]

    def _count(self, answers: list[Answer]) -> None:
        faults = [given["fault"] for given in answers if "fault" in given]
        # Whoever breaks down may do so again and again: it is asked a little at a time, and more when all goes well.
        self._at_a_time = A_LITTLE if faults else MANY
        self.breakdowns += sum(fault["status"] != "not-run" for fault in faults)
        if self.breakdowns >= ENOUGH_BREAKDOWNS:
            self.stopped = f"it broke down {self.breakdowns} times"
        for fault in faults:
            if fault["status"] == "not-run":
                self.stopped = str(fault["detail"])

    def unclaimed(self, question: Question) -> str:
        """Why it is not asked a question; empty if it is."""
        claimed = self._claimed
        if claimed is None:
            return f"protocol {self.protocol}"
        if question["op"] not in claimed.operations:
            return f"operation {question['op']}"
        direction = question.get("direction")
        if direction and claimed.directions is not None and direction not in claimed.directions:
            return f"direction {direction}"
        if "input" in claimed.limits and _size(question) > claimed.limits["input"]:
            return f"input of more than {claimed.limits['input']:,} bytes"
        if claimed.profile != "any" and (parameter := self._undeclared(question.get("profile", {}))):
            return parameter
        return self._unknown_message(question, claimed.messages) if claimed.messages is not None else ""

    def _undeclared(self, profile: dict[str, Any]) -> str:
        """A parameter with a value it does not have. What a profile does not state has the default."""
        for name in {**profile, **self._values}:
            value = profile.get(name, self._defaults[name])
            if value not in self._values.get(name, [self._defaults[name]]):
                return f"profile {name}={value}"
        return ""

    def _unknown_message(self, question: Question, known: list[str | int]) -> str:
        found = codec(self.protocol, direction=question.get("direction"), profile=question.get("profile"))
        titles = {message.code: message.title for message in found.plan.messages}
        for code in _codes(found, question):
            if code in titles and code not in known and titles[code] not in known:
                return f"message {titles[code]}"
        return ""


def _size(question: Question) -> int:
    return len(data_of(question) or b"")


def data_of(question: Question) -> bytes | None:
    """The bytes a question is about, if it is about bytes."""
    if question["op"] == "encode":
        return None
    return bytes.fromhex(question["hex"] if "hex" in question else "".join(question["chunks"]))


def _codes(found: Codec, question: Question) -> list[int]:
    """The numbers of the messages that a question is about, in a value or on the wire."""
    data = data_of(question)
    if data is not None:
        selector = ".type" if found.plan.selector is None else f".{found.plan.selector.name}"
        codes = [span.value for span in found.trace(data).spans if span.path.endswith(selector)]
    else:
        value = question["value"]
        bodies = list(value.values()) if isinstance(value, dict) else []
        units = [unit for body in bodies for unit in (body if isinstance(body, list) else [body])]
        codes = [unit.get("cmd", unit.get("type", 0)) for unit in units if isinstance(unit, dict)]
    return [code for code in codes if isinstance(code, int)]
