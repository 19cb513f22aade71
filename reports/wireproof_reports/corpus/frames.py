"""The frames of a recipe, block by block, each with the reference's answer. No Spark here."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, Final, NamedTuple

from wireproof import Refused
from wireproof.codec import Codec
from wireproof.generate import boundaries, kinds, message, typical
from wireproof.mutate import break_once
from wireproof.wire.packets import MessagePlan
from wireproof_harness import jsonlines
from wireproof_harness.generated.draw import WideDraw
from wireproof_harness.reference import decode_answer
from wireproof_reports.corpus.recipe import BLOCK, Recipe, Source

TRIES: Final = 4


class Frame(NamedTuple):
    """One row of a corpus."""

    frame: int
    source: int
    protocol: str
    direction: str
    kind: str
    """valid, boundary or mutated."""
    message: str
    mutation: str
    """What was done to a valid frame; empty if nothing."""
    data: bytes
    error: str
    """The class with which it has to be rejected; empty if it is to be accepted."""
    clause: str
    """The clause that is broken."""
    offset: int | None
    path: str
    answer: str
    """The reference's answer in the form of the contract, without its id."""


class Kitchen:
    """Makes the blocks of a recipe; what takes long is worked out once."""

    def __init__(self, recipe: Recipe) -> None:
        self.recipe = recipe
        self.makers = [Maker(source, set(recipe.messages)) for source in recipe.sources]
        self._kinds = list(recipe.mix)
        self._shares = list(recipe.mix.values())

    def block(self, number: int) -> Iterator[Frame]:
        """The frames of one block: the same ones whoever makes it, and whatever was made before."""
        random = Random(f"wireproof corpus {self.recipe.seed} {number}")
        draw = WideDraw(random)
        start = number * BLOCK
        for frame in range(start, min(start + BLOCK, self.recipe.frames)):
            source = frame % len(self.makers)
            (kind,) = random.choices(self._kinds, self._shares)
            yield self.makers[source].frame(frame, source, kind, draw)


class Maker:
    """Makes frames of one codec."""

    def __init__(self, source: Source, titles: set[str]) -> None:
        self.source = source
        self.codec: Codec = source.codec()
        self.plans: list[MessagePlan] = [plan for plan in kinds(self.codec) if not titles or plan.title in titles]
        self._only = bool(titles)
        self._titles = {plan.record: plan.title for plan in self.codec.plan.messages}
        self._boundaries: list[Any] = []

    def frame(self, number: int, place: int, kind: str, draw: WideDraw) -> Frame:
        made = self._boundary(draw.random) if kind == "boundary" else self._valid(draw)
        data, mutation = self.codec.encode(made), ""
        if kind == "mutated":
            mutation, data = break_once(self.codec, data, draw.random)
        decoded = self.codec.decode(data)
        error = decoded.error
        return Frame(
            number,
            place,
            self.source.protocol,
            self.source.direction,
            kind,
            self._titles.get(type(made), "message"),
            mutation,
            data,
            error.error if error else "",
            error.clause if error else "",
            error.offset if error else None,
            error.path if error else "",
            jsonlines.dump(decode_answer(self.codec, decoded)).decode().rstrip("\n"),
        )

    def _valid(self, draw: WideDraw) -> Any:
        sequence = self.codec.plan.protocol.sequence is not None
        for _ in range(TRIES):
            draw.begin()
            any_series = sequence and not self._only and draw.random.random() < 0.6
            made = message(self.codec, draw, None if any_series else draw.random.choice(self.plans))
            try:
                self.codec.encode(made)
            except Refused:  # beyond a limit of the profile
                continue
            return made
        return typical(self.codec)[0]

    def _boundary(self, random: Random) -> Any:
        if not self._boundaries:
            wanted = {plan.record for plan in self.plans}
            found = list(boundaries(self.codec, long=False))
            self._boundaries = [made for made in found if not self._only or type(made) in wanted] or found
        return random.choice(self._boundaries)
