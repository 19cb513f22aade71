"""A codec: a protocol under a profile, in one direction."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Final

from wireproof.compile import Module, build
from wireproof.definition import Plan, Protocol, plan
from wireproof.errors import BadProfile
from wireproof.profile import settings
from wireproof.results import Decoded
from wireproof.stream import Stream
from wireproof.trace import Trace
from wireproof.values import Shapes, shapes

PROTOCOLS: Final = ("esnp-frame", "esnp-line", "tny", "tny-relay", "magline", "comet")


class Codec:
    """Decodes, encodes and explains the messages of one protocol."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan

    @property
    def name(self) -> str:
        return self.plan.protocol.name

    @cached_property
    def module(self) -> Module:
        return build(self.plan)

    @cached_property
    def _traced(self) -> Module:
        return build(self.plan, traced=True)

    @cached_property
    def shapes(self) -> Shapes:
        return shapes(self.plan, self.module.names.get("Undefined", object))

    @cached_property
    def decode(self) -> Callable[[bytes], Decoded]:
        """Every message in a buffer, up to its end or the first error."""
        return self.module.decode

    @cached_property
    def encode(self) -> Callable[[Any], bytes]:
        """The canonical bytes of a message; Refused if it must not be written."""
        return self.module.encode

    def stream(self) -> Stream:
        """A decoder to be fed piece by piece."""
        return Stream(self.module.stream)

    def trace(self, data: bytes) -> Trace:
        """A decode that notes every field it reads."""
        trace = Trace(data)
        trace.decoded = self._traced.decode(data, trace.note)
        return trace

    def value(self, message: Any) -> Any:
        """A message in its JSON form."""
        return self.shapes.render(message)

    def message(self, value: Any) -> Any:
        """The message a JSON form stands for; BadValue if it has not the shape of one."""
        return self.shapes.parse(value)

    def answer(self, decoded: Decoded) -> dict[str, Any]:
        """The JSON form of a decode's answer."""
        messages = [self.value(message) for message in decoded.messages]
        if decoded.error is not None:
            error = decoded.error
            return {"ok": False, "error": error.error, "offset": error.offset, "messages": messages}
        ok = True if decoded.complete else "incomplete"
        return {"ok": ok, "messages": messages, "consumed": decoded.consumed}


def protocol(name: str) -> Protocol:
    """The definition of a protocol."""
    if name not in PROTOCOLS:
        raise BadProfile(f"there is no protocol {name!r}; there are {', '.join(PROTOCOLS)}")
    module = importlib.import_module(f"wireproof.protocols.{name.replace('-', '_')}")
    found: Protocol = module.PROTOCOL
    return found


def codec(name: str, *, direction: str | None = None, profile: Mapping[str, Any] | None = None) -> Codec:
    """The codec of a protocol under `standard` with the parameters in `profile` changed."""
    found = protocol(name)
    if found.directions and direction not in found.directions:
        raise BadProfile(f"{name} needs a direction: {' or '.join(found.directions)}")
    if direction and not found.directions:
        raise BadProfile(f"{name} has no directions")
    chosen = settings(name, profile)
    return _codec(name, direction or "", tuple(chosen.items()))


@lru_cache(maxsize=512)
def _codec(name: str, direction: str, chosen: tuple[tuple[str, Any], ...]) -> Codec:
    return Codec(plan(protocol(name), dict(chosen), direction))
