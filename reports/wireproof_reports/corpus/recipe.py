"""What a corpus is made of. The recipe alone decides every frame; how Spark cuts the work does not."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

import msgspec

from wireproof import __version__
from wireproof.codec import PROTOCOLS, Codec, codec, protocol
from wireproof.errors import WireproofError
from wireproof.generate import kinds

CORPUS: Final = 1
"""The version of a corpus's form."""
BLOCK: Final = 250
"""Frames that are made together, from one seed: the smallest piece of work."""
MIX: Final = {"valid": 40, "boundary": 10, "mutated": 50}
"""Of a hundred frames."""


class BadRecipe(WireproofError):
    """A corpus that cannot be made, and what to do."""


class Source(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A codec that frames are made with."""

    protocol: str
    direction: str = ""
    profile: dict[str, Any] = {}

    def codec(self) -> Codec:
        return codec(self.protocol, direction=self.direction or None, profile=self.profile)


class Recipe(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything a corpus depends on."""

    frames: int
    seed: int
    sources: list[Source]
    messages: list[str] = []
    """Names of messages; all if none are named."""
    mix: dict[str, int] = msgspec.field(default_factory=MIX.copy)
    corpus: int = CORPUS
    suite: str = __version__

    @property
    def blocks(self) -> int:
        return -(-self.frames // BLOCK)


def recipe(
    frames: int,
    seed: int = 0,
    *,
    protocols: Iterable[str] = (),
    directions: Iterable[str] = (),
    profiles: Mapping[str, dict[str, Any]] | None = None,
    messages: Iterable[str] = (),
    kinds_of_frames: Iterable[str] = (),
) -> Recipe:
    """A recipe for chosen codecs; BadRecipe for what does not exist."""
    names = list(protocols) or list(PROTOCOLS)
    wanted = set(directions)
    sources = [
        Source(name, direction or "", (profiles or {}).get(name, {}))
        for name in names
        for direction in protocol(name).directions or (None,)
        if not wanted or direction is None or direction in wanted
    ]
    chosen = list(messages)
    _require_messages(sources, chosen)
    if chosen:
        sources = [source for source in sources if set(chosen) & {plan.title for plan in kinds(source.codec())}]
    mix = {kind: share for kind, share in MIX.items() if not set(kinds_of_frames) or kind in set(kinds_of_frames)}
    return Recipe(frames, seed, sources, chosen, mix)


def _require_messages(sources: list[Source], names: list[str]) -> None:
    known = list(dict.fromkeys(plan.title for source in sources for plan in kinds(source.codec())))
    for name in names:
        if name not in known:
            raise BadRecipe(f"there is no message {name!r} among the chosen codecs; there are {', '.join(known)}")
