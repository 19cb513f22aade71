"""Every codec under every alternative, for tests that hold for all of them."""

from __future__ import annotations

from typing import Any

import pytest

from wireproof import PROTOCOLS, Codec, codec
from wireproof.codec import protocol
from wireproof.profile import alternatives

# Parameters that are numbers or maps have no list of alternatives: some telling ones.
NUMBERS: dict[str, list[dict[str, Any]]] = {
    "esnp-frame": [{"max_depth": 1}, {"max_frame": 20}, {"max_message": 40}],
    "esnp-line": [
        {"max_depth": 256},
        {"max_frame": 20},
        {"max_message": 40},
        {"app_category": {"128": "header", "129": "body"}},
        {"duplicates": "reject", "cancelled": "skip", "flag_int": "fix32", "utf8": "bytes"},
    ],
    "tny": [{"max_payload": 30}, {"varint": "zigzag", "order": "big", "ping": "bare"}],
    "tny-relay": [{"max_packet": 20}, {"relay_length": "total", "order": "big"}],
    "magline": [
        {"random_len": 4, "pubkey_len": 4},
        {"magic.control": 1, "magic.data": 2, "version": 0},
        {"max_message": 30},
        {"fields_in": "header", "head_length": "total", "message_length": "frame", "order": "little"},
    ],
    "comet": [{"short": "signed", "byte": "signed", "order": "little"}, {"bytes": "rest", "extra": "rest"}],
}


def settings_of(name: str) -> list[dict[str, Any]]:
    return [{}, *alternatives(name), *NUMBERS[name]]


def variants() -> list[Any]:
    """(protocol, direction, profile) of every codec, as pytest parameters."""
    return [
        pytest.param(name, direction, changes, id=" ".join(filter(None, [name, direction, str(changes or "standard")])))
        for name in PROTOCOLS
        for direction in protocol(name).directions or (None,)
        for changes in settings_of(name)
    ]


each_variant = pytest.mark.parametrize(("name", "direction", "changes"), variants())


def standard() -> list[Codec]:
    return [codec(name, direction=way) for name in PROTOCOLS for way in protocol(name).directions or (None,)]
