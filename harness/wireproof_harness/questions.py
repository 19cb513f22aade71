"""Generated questions: frames of every kind, asked whole, in pieces, and as values.

The same seed gives the same questions, whatever they are used for.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from wireproof import Codec, Refused, codec
from wireproof.codec import protocol
from wireproof.draw import RandomDraw
from wireproof.generate import boundaries, message
from wireproof.mutate import mutate
from wireproof.profile import alternatives, parameters
from wireproof_harness.values import disturbed

Question = dict[str, Any]

MIXTURES = 16
"""Profiles that differ from `standard` in several parameters at once."""
SMALL_LIMITS = {"max_depth": 2, "max_frame": 40, "max_message": 90, "max_payload": 40, "max_packet": 40}
NUMBERS = {"random_len": 4, "pubkey_len": 4, "magic.control": 0x7E, "magic.data": 0x7F, "version": 2}
CATEGORIES = {"128": "header", "129": "body", "200": "header", "255": "body"}


def profiles(name: str, random: Random) -> list[dict[str, Any]]:
    """`standard`, every alternative by itself, other numbers, small limits, and mixtures."""
    known = parameters(name)
    singles = alternatives(name)
    singles += [{key: value} for key, value in (NUMBERS | SMALL_LIMITS).items() if key in known]
    if "app_category" in known:
        singles.append({"app_category": CATEGORIES})
    mixtures = []
    for _ in range(MIXTURES):
        mixture: dict[str, Any] = {}
        for single in random.sample(singles, min(len(singles), random.randint(2, 5))):
            mixture |= single
        mixtures.append(mixture)
    return [{}, *singles, *mixtures]


class Generator:
    """Questions about one protocol."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.random = Random(f"{seed} {name}")
        self.draw = RandomDraw(self.random)
        self.profiles = profiles(name, self.random)
        self.directions: tuple[str | None, ...] = protocol(name).directions or (None,)
        self._edges: dict[str, list[bytes]] = {}
        self._kept: dict[str, list[bytes]] = {}

    def questions(self, frames: int) -> Iterator[Question]:
        """Two or three questions for each of so many frames; ids count from 0."""
        number = 0
        for _ in range(frames):
            for question in self.frame():
                number += 1
                yield {"id": number, "protocol": self.name, **question}

    def frame(self) -> Iterator[Question]:
        # Half of the frames under `standard`: it is what most implementations declare.
        profile = {} if self.random.random() < 0.5 else self.random.choice(self.profiles)
        direction = self.random.choice(self.directions)
        found = codec(self.name, direction=direction, profile=profile)
        common: Question = {"profile": profile} if profile else {}
        if direction:
            common["direction"] = direction
        made = message(found, self.draw)
        value = found.value(made)
        try:
            data = found.encode(made)
        except Refused:  # beyond one of the small limits
            data = b""
        if self.random.random() < 0.25:
            yield {"op": "encode", **common, "value": value}
        elif self.random.random() < 0.25:
            yield {"op": "encode", **common, "value": disturbed(value, self.random)}
        data = self._varied(found, data, str((direction, profile)))
        yield {"op": "decode", **common, "hex": data.hex()}
        yield {"op": "stream", **common, "chunks": [piece.hex() for piece in self._cut(data)], **self._end()}

    def _varied(self, found: Codec, data: bytes, key: str) -> bytes:
        chance = self.random.random()
        kept = self._kept.setdefault(key, [])
        if chance < 0.2:
            varied = data
        elif chance < 0.3:
            varied = self.random.choice(self._boundary(found, key) or [data])
        elif chance < 0.75:
            varied = mutate(found, data, self.random)
        elif chance < 0.9:
            others = [self.random.choice(kept) for _ in range(self.random.randint(1, 3))] if kept else []
            varied = b"".join([data, *others])
        elif chance < 0.96:
            varied = data[: self.random.randint(0, len(data))]
        else:
            varied = self.random.randbytes(self.random.randint(0, 24))
        if len(varied) < 300:
            kept.append(varied)
            del kept[:-50]
        return varied

    def _boundary(self, found: Codec, key: str) -> list[bytes]:
        if key not in self._edges:
            self._edges[key] = [found.encode(made) for made in boundaries(found, long=False)]
        return self._edges[key]

    def _cut(self, data: bytes) -> list[bytes]:
        """All in one, byte by byte, or at some places; now and then an empty piece."""
        how = self.random.random()
        if how < 0.3 and len(data) < 200:
            return [data[index : index + 1] for index in range(len(data))]
        if how < 0.4:
            return [data]
        cuts = sorted(self.random.randint(0, len(data)) for _ in range(self.random.randint(1, 5)))
        return [data[start:stop] for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True)]

    def _end(self) -> Question:
        return {} if self.random.random() < 0.6 else {"eof": self.random.random() < 0.5}
