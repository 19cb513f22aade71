"""Generated questions about one protocol as an implementation claims it: its profile, directions and messages.

They depend on the seed and on the claims alone, never on what is answered.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wireproof import Codec, Refused, codec
from wireproof.codec import protocol
from wireproof.generate import kinds, message
from wireproof.mutate import mutate
from wireproof.profile import Settings
from wireproof.wire.packets import MessagePlan
from wireproof_harness.claims import ProtocolClaims
from wireproof_harness.generated.draw import WideDraw
from wireproof_harness.questions import Generator, Question
from wireproof_harness.values import disturbed

LONGEST_KEPT = 300
KEPT = 50


class Scope(NamedTuple):
    """What of a protocol is asked about."""

    protocol: str
    profile: Settings
    claimed: ProtocolClaims

    @property
    def directions(self) -> tuple[str | None, ...]:
        known = protocol(self.protocol).directions
        if not known:
            return (None,)
        return tuple(name for name in known if self.claimed.directions is None or name in self.claimed.directions)

    def codec(self, direction: str | None) -> Codec:
        return codec(self.protocol, direction=direction, profile=self.profile)

    def claims_message(self, code: int, title: str) -> bool:
        claimed = self.claimed.messages
        return claimed is None or code in claimed or title in claimed

    def unclaimed(self, question: Question) -> str:
        """Why a question is not asked; empty if it is."""
        if question["op"] not in self.claimed.operations:
            return f"operation {question['op']}"
        text = question.get("hex", "".join(question.get("chunks", ())))
        most = self.claimed.limits.get("input")
        if most is not None and len(text) // 2 > most:
            return f"input of more than {most:,} bytes"
        if self.claimed.messages is None:
            return ""
        found = self.codec(question.get("direction"))
        known = {plan.code: plan.title for plan in found.plan.messages}
        for code in _codes(found, question, text):
            if code in known and not self.claims_message(code, known[code]):
                return f"message {known[code]}"
        return ""


def _codes(found: Codec, question: Question, text: str) -> Iterator[Any]:
    """The numbers of the messages that a question is about."""
    if question["op"] == "encode":
        value = question["value"]
        for unit in value.values() if isinstance(value, dict) else ():
            for part in unit if isinstance(unit, list) else [unit]:
                if isinstance(part, dict):
                    yield part.get("cmd", part.get("type", 0))
        return
    selector = ".type" if found.plan.selector is None else f".{found.plan.selector.name}"
    for span in found.trace(bytes.fromhex(text)).spans:
        if span.path.endswith(selector):
            yield span.value


class Frames(Generator):
    """Frames of every kind under one profile, two to four questions for each."""

    def __init__(self, scope: Scope, seed: int) -> None:
        super().__init__(scope.protocol, seed)
        self.scope = scope
        self.draw: WideDraw = WideDraw(self.random)
        self.directions = scope.directions
        self._turn = 0
        self._claimed: dict[str, list[MessagePlan]] = {}
        self._valid: dict[str, list[bytes]] = {}

    def frame(self) -> Iterator[Question]:
        direction = self.random.choice(self.directions)
        found = self.scope.codec(direction)
        common: Question = {"profile": self.scope.profile} if self.scope.profile else {}
        if direction:
            common["direction"] = direction
        made = self._message(found)
        value = found.value(made)
        try:
            data = found.encode(made)
        except Refused:  # beyond a limit of the profile
            data = b""
        if self.random.random() < 0.6:
            yield {"op": "encode", **common, "value": value}
        if self.random.random() < 0.25:
            yield {"op": "encode", **common, "value": disturbed(value, self.random)}
        data = self._varied(found, data, direction or "")
        yield {"op": "decode", **common, "hex": data.hex()}
        pieces = [piece.hex() for piece in self._pieces(found, data)]
        yield {"op": "stream", **common, "chunks": pieces, **self._end()}

    def _message(self, found: Codec) -> Any:
        """Every message in its turn; of messages that are a series of units, any series as well."""
        plans = self._plans(found)
        self._turn += 1
        self.draw.begin()
        plan = plans[self._turn % len(plans)] if plans else None
        if found.plan.protocol.sequence is not None and self.random.random() < 0.6:
            plan = None
        return message(found, self.draw, plan)

    def _plans(self, found: Codec) -> list[MessagePlan]:
        key = found.plan.direction
        if key not in self._claimed:
            claims = self.scope.claims_message
            self._claimed[key] = [plan for plan in kinds(found) if claims(plan.code, plan.title)]
        return self._claimed[key]

    def _varied(self, found: Codec, data: bytes, key: str) -> bytes:
        valid, kept = self._valid.setdefault(key, []), self._kept.setdefault(key, [])
        chance = self.random.random()
        if chance < 0.22:
            varied = data
        elif chance < 0.3:
            varied = self.random.choice(self._boundary(found, key) or [data])
        elif chance < 0.66:
            varied = mutate(found, data, self.random)
        elif chance < 0.94:
            others = valid if self.random.random() < 0.8 else kept
            several = [self.random.choice(others) for _ in range(self.random.randint(1, 4))] if others else []
            varied = b"".join([*several, data])
            if chance > 0.88:
                varied = varied[: self.random.randint(0, len(varied))]
        else:
            varied = self.random.randbytes(self.random.randint(0, 24))
        for store, each in ((valid, data), (kept, varied)):
            if 0 < len(each) < LONGEST_KEPT:
                store.append(each)
                del store[:-KEPT]
        return varied

    def _pieces(self, found: Codec, data: bytes) -> list[bytes]:
        """Cut anywhere, or just where fields begin and end."""
        if self.random.random() >= 0.3:
            return self._cut(data)
        borders = sorted({border for span in found.trace(data).spans for border in (span.start, span.stop)})
        cuts = sorted(self.random.choices(borders, k=self.random.randint(1, 3))) if borders else []
        return [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]
