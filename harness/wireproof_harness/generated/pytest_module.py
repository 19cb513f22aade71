"""Generated questions as pytest tests, for an implementation of your own; hypothesis makes what fails small.

    WIREPROOF_IMPL="node adapter.mjs" pytest --pyargs wireproof_harness.generated.pytest_module

`WIREPROOF_FRAMES` says how many examples each test tries. With CI set they are the same in every run.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

hypothesis = pytest.importorskip("hypothesis", reason="these tests need hypothesis: pip install 'wireproof[test]'")

from hypothesis import HealthCheck, given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from hypothesis.stateful import RuleBasedStateMachine, rule, run_state_machine_as_test  # noqa: E402

from wireproof import PROTOCOLS, Codec, Refused  # noqa: E402
from wireproof.codec import protocol  # noqa: E402
from wireproof.mutate import mutate  # noqa: E402
from wireproof.strategies import chunked, messages  # noqa: E402
from wireproof_harness.claims import declared_profile  # noqa: E402
from wireproof_harness.generated.asking import askable, exchange  # noqa: E402
from wireproof_harness.generated.questions import Scope  # noqa: E402
from wireproof_harness.peer import Peer, peer  # noqa: E402
from wireproof_harness.reference import answer  # noqa: E402

VARIABLE = "WIREPROOF_IMPL"
SETTINGS = settings(
    max_examples=int(os.environ.get("WIREPROOF_FRAMES", "100")),
    deadline=None,
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=list(HealthCheck),
)
WAYS = [(name, direction) for name in PROTOCOLS for direction in protocol(name).directions or (None,)]
each_way = pytest.mark.parametrize(
    ("name", "direction"), WAYS, ids=[f"{name} {direction or ''}".rstrip() for name, direction in WAYS]
)


@pytest.fixture(scope="module")
def implementation() -> Iterator[Peer]:
    named = os.environ.get(VARIABLE, "")
    if not named:
        pytest.skip(f"{VARIABLE} names no implementation; set it to a command, a manifest or an address")
    started = peer(named)
    yield started
    started.close()


class Subject:
    """One protocol in one direction, as an implementation claims it."""

    def __init__(self, asked: Peer, name: str, direction: str | None) -> None:
        claimed = asked.claims.protocols.get(name)
        if claimed is None:
            pytest.skip(f"{asked.claims.name} does not claim {name}")
        self.asked = asked
        self.scope = Scope(name, declared_profile(name, claimed), claimed)
        if direction not in self.scope.directions:
            pytest.skip(f"{asked.claims.name} does not claim {name} {direction}")
        self.codec: Codec = self.scope.codec(direction)
        self.common: dict[str, Any] = {"id": 1, "protocol": name, "profile": self.scope.profile}
        if direction:
            self.common["direction"] = direction

    def needs(self, op: str) -> None:
        if op not in self.scope.claimed.operations:
            pytest.skip(f"{self.asked.claims.name} does not claim {op} of {self.scope.protocol}")

    def check(self, **content: Any) -> None:
        """The implementation answers as the reference does, or does not claim to."""
        question = {**self.common, **content}
        if self.scope.unclaimed(question) or not askable(answer(question)):
            return
        (found,) = exchange(self.asked, [question])
        assert not found.finding.kind, (
            f"{found.finding.kind}. {found.finding.words}\n"
            f"asked      {question}\nreference  {found.right}\nanswered   {found.given}"
        )


@pytest.fixture
def subject(implementation: Peer, name: str, direction: str | None) -> Subject:
    return Subject(implementation, name, direction)


def encoded(codec: Codec, message: Any) -> bytes:
    try:
        return codec.encode(message)
    except Refused:  # beyond a limit of the profile
        return b""


@each_way
def test_encode(subject: Subject) -> None:
    """Every message is written as the reference writes it, or refused as it is."""
    subject.needs("encode")

    @SETTINGS
    @given(messages(subject.codec))
    def holds(message: Any) -> None:
        subject.check(op="encode", value=subject.codec.value(message))

    holds()


@each_way
def test_decode(subject: Subject) -> None:
    """Messages, one after the other."""
    subject.needs("decode")

    @SETTINGS
    @given(st.lists(messages(subject.codec), max_size=3))
    def holds(several: list[Any]) -> None:
        subject.check(op="decode", hex=b"".join(encoded(subject.codec, each) for each in several).hex())

    holds()


@each_way
def test_decode_mutated(subject: Subject) -> None:
    """Bytes that are almost a message."""
    subject.needs("decode")

    @SETTINGS
    @given(messages(subject.codec), st.integers(0, 1 << 16))
    def holds(message: Any, seed: int) -> None:
        data = mutate(subject.codec, encoded(subject.codec, message), Random(seed))
        subject.check(op="decode", hex=data.hex())

    holds()


@each_way
def test_stream(subject: Subject) -> None:
    """Pieces of several messages, mutated ones among them, then an open or an ended stream."""
    subject.needs("stream")
    codec = subject.codec

    class Stream(RuleBasedStateMachine):
        def __init__(self) -> None:
            super().__init__()
            self.chunks: list[str] = []

        def feed(self, pieces: list[bytes]) -> None:
            self.chunks += [piece.hex() for piece in pieces]
            subject.check(op="stream", chunks=self.chunks, eof=False)

        @rule(message=messages(codec), data=st.data())
        def message_in_pieces(self, message: Any, data: st.DataObject) -> None:
            self.feed(data.draw(chunked(encoded(codec, message))))

        @rule(message=messages(codec), seed=st.integers(0, 1 << 16), data=st.data())
        def mutated_in_pieces(self, message: Any, seed: int, data: st.DataObject) -> None:
            self.feed(data.draw(chunked(mutate(codec, encoded(codec, message), Random(seed)))))

        @rule()
        def nothing(self) -> None:
            self.feed([b""])

        @rule()
        def end(self) -> None:
            subject.check(op="stream", chunks=self.chunks)
            self.chunks = []

    few = settings(SETTINGS, max_examples=max(1, SETTINGS.max_examples // 4), stateful_step_count=6)
    run_state_machine_as_test(Stream, settings=few)
