"""What an implementation says of itself, and what it is therefore asked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

import msgspec

from wireproof import PROTOCOLS, BadProfile, codec
from wireproof.codec import protocol
from wireproof.errors import WireproofError
from wireproof.profile import Settings, parameters
from wireproof.suite.model import Vector
from wireproof.verdict import Question
from wireproof_harness.contract import CONTRACTS, OPERATIONS

LONGEST_WORD: Final = 40


class BadClaims(WireproofError):
    """An answer to hello that cannot be used, and what to do about it."""


class ProtocolClaims(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an implementation says of itself for one protocol."""

    operations: list[str]
    directions: list[str] | None = None
    messages: list[str | int] | None = None
    profile: str | dict[str, Any] | None = None
    limits: dict[str, int] = {}
    map_order: str = "kept"


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What an implementation says of itself."""

    contract: int
    name: str
    protocols: dict[str, ProtocolClaims]
    language: str = ""
    version: str = ""
    reasons: str = "classes"

    @property
    def states_reasons(self) -> bool:
        return self.reasons != "none"


def claims_of(content: Any, extra: Mapping[str, Any] | None = None) -> Claims:
    """The claims in an answer to hello, with what a manifest adds; BadClaims if they make no sense."""
    if isinstance(content, dict) and type(content.get("contract")) is int and content["contract"] not in CONTRACTS:
        spoken = ", ".join(map(str, CONTRACTS))
        raise BadClaims(
            f"it speaks version {content['contract']} of the contract, this suite speaks {spoken}. "
            "Answer hello with one of the versions in `contracts`, or use a suite that speaks yours."
        )
    try:
        claims = msgspec.convert(_merged(content, extra or {}), Claims)
    except msgspec.ValidationError as problem:
        raise BadClaims(f"its answer to hello has not the form of the contract: {problem}") from None
    for name, claimed in claims.protocols.items():
        _check(name, claimed)
    if claims.reasons not in ("classes", "none"):
        raise BadClaims(f"reasons is classes or none, not {claims.reasons[:LONGEST_WORD]!r}")
    return claims


def _merged(content: Any, extra: Mapping[str, Any]) -> Any:
    if not isinstance(content, dict) or not isinstance(content.get("protocols"), dict):
        return content
    protocols = dict(content["protocols"])
    for name, added in extra.items():
        if isinstance(protocols.get(name), dict):
            protocols[name] = {**added, **protocols[name]}
    return {**content, "protocols": protocols}


def _check(name: str, claimed: ProtocolClaims) -> None:
    """Words that exist: a typing error must not turn into questions that are never asked."""
    _among("protocols", [name], PROTOCOLS)
    _among(f"{name}: operations", claimed.operations, OPERATIONS)
    _among(f"{name}: directions", claimed.directions or [], protocol(name).directions)
    _among(f"{name}: messages", claimed.messages or [], message_names(name))
    _among(f"{name}: limits", list(claimed.limits), ("input",))
    _among(f"{name}: map_order", [claimed.map_order], ("kept", "none"))
    if isinstance(claimed.profile, str):
        _among(f"{name}: profile, unless an object from parameter to value", [claimed.profile], ("any",))
    try:
        declared_profile(name, claimed)
    except BadProfile as problem:
        raise BadClaims(f"{name}: {problem}") from None


def _among(what: str, stated: Iterable[str | int], known: Iterable[str | int]) -> None:
    words = list(known)
    for word in stated:
        if word not in words:
            listed = ", ".join(map(str, words)) or "none"
            raise BadClaims(f"hello claims {str(word)[:LONGEST_WORD]!r} among {what}; there are {listed}")


@cache
def message_names(name: str) -> tuple[str | int, ...]:
    """How messages of a protocol can be named: by title or by number."""
    plans = [codec(name, direction=direction).plan for direction in protocol(name).directions or (None,)]
    found = [word for plan in plans for message in plan.messages for word in (message.title, message.code)]
    return tuple(dict.fromkeys(found))


def declared_values(name: str, claimed: ProtocolClaims) -> dict[str, list[Any]]:
    """The values each declared parameter can have, the one it is checked with first."""
    if not isinstance(claimed.profile, dict):
        return {}
    known = parameters(name)
    found: dict[str, list[Any]] = {}
    for parameter, stated in claimed.profile.items():
        if parameter not in known:
            raise BadProfile(f"{name} has no parameter {parameter[:LONGEST_WORD]!r}; it has {', '.join(known)}")
        values = stated if isinstance(stated, list) else [stated]
        if not values:
            raise BadProfile(f"an empty list of values for {parameter} declares nothing")
        for value in values:
            known[parameter].accept(value)
        found[parameter] = values
    return found


def declared_profile(name: str, claimed: ProtocolClaims) -> Settings:
    """What an implementation is checked with where it differs from `standard`."""
    known = parameters(name)
    first = {parameter: values[0] for parameter, values in declared_values(name, claimed).items()}
    return {parameter: value for parameter, value in first.items() if value != known[parameter].default}


def not_claimed(question: Question, claims: Claims) -> str:
    """Why an implementation is not asked a question; empty if it is."""
    vector = question.vector
    claimed = claims.protocols.get(vector.protocol)
    if claimed is None:
        return f"protocol {vector.protocol}"
    if question.operation not in claimed.operations:
        return f"operation {question.operation}"
    if vector.direction and claimed.directions is not None and vector.direction not in claimed.directions:
        return f"direction {vector.direction}"
    if vector.size > claimed.limits.get("input", vector.size):
        return f"input of more than {claimed.limits['input']:,} bytes"
    return _not_declared(vector, claimed)


def _not_declared(vector: Vector, claimed: ProtocolClaims) -> str:
    if claimed.profile != "any" and vector.profile:
        values = declared_values(vector.protocol, claimed)
        for name, value in vector.profile.items():
            if value not in values.get(name, [parameters(vector.protocol)[name].default]):
                return f"profile {name}={value}"
    if claimed.messages is not None:
        for code, title in messages_of(vector).items():
            if code not in claimed.messages and title not in claimed.messages:
                return f"message {title}"
    return ""


def messages_of(vector: Vector) -> dict[int, str]:
    """The messages that a vector is about, as far as they have a definition: number and title."""
    plan = vector.codec.plan
    titles = {message.code: message.title for message in plan.messages}
    bodies = [body for value in _values(vector) for body in value.values()]
    if plan.protocol.sequence is not None:
        bodies = [unit for units in bodies for unit in units]
    found = {body.get("cmd", body.get("type", 0)) for body in bodies}
    if vector.kind == "reject":
        selector = ".type" if plan.selector is None else f".{plan.selector.name}"
        found |= {span.value for span in vector.codec.trace(vector.data).spans if span.path.endswith(selector)}
    return {code: titles[code] for code in found if type(code) is int and code in titles}


def _values(vector: Vector) -> list[Any]:
    return [vector.message] if vector.kind == "refuse" else vector.messages
