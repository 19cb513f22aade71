"""Part of step 9: whoever says that it can be told a profile is told one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

import msgspec

from wireproof import BadValue, Refused
from wireproof.profile import Settings, alternatives, parameters
from wireproof.suite.model import Vector
from wireproof.verdict import Question
from wireproof_harness.claims import Claims, declared_values, not_claimed
from wireproof_harness.doctor.asking import ask_question
from wireproof_harness.doctor.findings import Finding
from wireproof_harness.doctor.patient import Patient

EASILY_SEEN: Final = ("order", "size_order", "error_text")
"""Parameters that change the bytes of almost any message."""
MOST_VECTORS: Final = 8


def promised(name: str, claims: Claims) -> Iterator[Settings]:
    """Profiles that it says it can be told: one for `any`, each further value of a list."""
    claimed = claims.protocols[name]
    if claimed.profile == "any":
        yield from sorted(alternatives(name), key=lambda changes: not changes.keys() & set(EASILY_SEEN))[:1]
    for parameter, values in declared_values(name, claimed).items():
        if parameters(name)[parameter].effect == "codec":
            yield from ({parameter: value} for value in values[1:])


def keep_promises(patient: Patient, name: str, claims: Claims, vectors: list[Vector]) -> None:
    """Ask for each promised profile about the first message whose bytes it changes."""
    operations = claims.protocols[name].operations
    mode = "decode" if "decode" in operations else "encode" if "encode" in operations else "bytes"
    for changes in promised(name, claims):
        question = _changed(changes, vectors, mode, claims)
        wrong = ask_question(patient, question, claims) if question is not None else None
        if wrong is not None:
            patient.report.add(_broken(name, changes, claims, wrong.finding))


def _changed(changes: Settings, vectors: list[Vector], mode: str, claims: Claims) -> Question | None:
    for vector in vectors[:MOST_VECTORS]:
        there = _written(vector, changes)
        if there is not None and there.data != vector.data:
            question = Question(there, mode)
            return None if not_claimed(question, claims) else question
    return None


def _written(vector: Vector, changes: Settings) -> Vector | None:
    """A vector's message under a profile; a Renderer takes more care, and several times as long."""
    there = msgspec.structs.replace(vector, profile=changes)
    found = there.codec
    with suppress(Refused, BadValue):
        data = b"".join(found.encode(found.message(message)) for message in vector.messages)
        return msgspec.structs.replace(there, hex=data.hex())
    return None


def _broken(name: str, changes: Settings, claims: Claims, seen: Finding) -> Finding:
    words = " and ".join(f"{key}={value}" for key, value in changes.items())
    whole = "any" if claims.protocols[name].profile == "any" else words
    return Finding(
        "profile-ignored",
        "profile",
        f"{name} claims the profile {whole}, and was asked under {words}: {seen.seen}",
        "A profile that is claimed is sent with the request, and the bytes are written for it.",
        f"Take `profile` from each request about {name}; or claim only the values it has, and leave `profile` out of "
        "hello if these are the standard ones.",
    )
