"""Who is measured: for each workload, wireproof and three others that do the same."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from bench.workloads import Workload
from wireproof.results import Decoded


class Handwritten(NamedTuple):
    decode: Callable[[bytes], Decoded]
    encode: Callable[[Any], bytes]


class Construct(NamedTuple):
    """A definition in construct, its compiled form, and how a record looks to it."""

    message: Any
    compiled: Any
    shape: Callable[[Any], Any]

    @property
    def interpreted(self) -> list[str]:
        """The kinds of construct for which `compile()` has no code: it calls their interpreted form."""
        linked = self.compiled.module.linkedinstances.values()
        return sorted({type(construct).__name__ for construct in linked})


def handwritten(workload: Workload) -> Handwritten:
    module = import_module(f"bench.handwritten_{workload.protocol.replace('-', '_')}")
    name = {"c2s": "decode_client", "s2c": "decode_server", None: "decode"}[workload.direction]
    return Handwritten(getattr(module, name), module.encode)


def construct(workload: Workload) -> Construct:
    module = import_module(f"bench.construct_{workload.protocol.replace('-', '_')}")
    name = {"c2s": "CLIENT_COMMAND", "s2c": "SERVER_COMMAND", None: "MESSAGE"}[workload.direction]
    message = getattr(module, name)
    return Construct(message, message.compile(), module.shape)
