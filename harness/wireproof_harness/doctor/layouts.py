"""Step 9: whether answers that are wrong are right under another profile, and which declaration says so.

An adapter with a fixed layout ignores the profile of a request. So bytes are rendered under each other value of
each parameter and asked without a profile: the value under which everything is right is the one it has.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final, NamedTuple

import msgspec

from wireproof.profile import Settings, parameters, profile_file
from wireproof.suite.model import Expect, Suite, Vector
from wireproof.suite.render import Renderer, Unrendered
from wireproof.verdict import Question
from wireproof_harness.claims import Claims, declared_profile, not_claimed
from wireproof_harness.doctor.asking import Asked, ask_question, is_telltale
from wireproof_harness.doctor.findings import Finding
from wireproof_harness.doctor.patient import GaveUp, Patient

NUMBERS: Final[dict[str, tuple[int, ...]]] = {"random_len": (4, 16, 64), "pubkey_len": (4, 33, 64), "version": (0, 2)}
"""Of parameters that are numbers, the values that are tried."""
MODES: Final = {"decode": "decode", "stream": "bytes", "encode": "encode"}
PAIRS: Final = 2.0
"""Seconds for trying two values together."""
FEWEST_RIGHT: Final = 2
SAMPLES: Final = 12


class Trial(NamedTuple):
    """How much is right under a profile."""

    changes: Settings
    fixed: int
    broken: int
    right: int
    wrong: int

    @property
    def fits(self) -> bool:
        return self.wrong == 0 and self.fixed > 0 and self.right >= FEWEST_RIGHT


class Layouts:
    """The search for the profile of one protocol."""

    def __init__(self, patient: Patient, suite: Suite, name: str, claims: Claims, asked: Asked) -> None:
        self.patient = patient
        self.suite = suite
        self.name = name
        self.claims = claims
        self.declared = declared_profile(name, claims.protocols[name])
        self.mode, self.samples, self.wrong = self._chosen(asked)

    def _chosen(self, asked: Asked) -> tuple[str, list[Vector], set[str]]:
        """In which way it is asked: the first in which samples are wrong. These come first."""
        operations = self.claims.protocols[self.name].operations
        for mode in [MODES[operation] for operation in MODES if operation in operations]:
            claimed = [vector for vector in asked.vectors if not not_claimed(Question(vector, mode), self.claims)]
            usable = [
                vector for vector in claimed if mode != "encode" or (vector.kind == "accept" and vector.canonical)
            ]
            failed = {found.question.vector.id for found in asked.wrong if found.question.mode == mode}
            wrong = [vector for vector in usable if vector.id in failed]
            if wrong:
                right = [vector for vector in usable if vector.id not in failed]
                samples = _spread(wrong, SAMPLES) + _spread(right, SAMPLES // 2)
                return mode, samples, {vector.id for vector in wrong}
        return "", [], set()

    def fitting(self) -> Settings | None:
        """The declaration under which all samples are right: one value changed, or two."""
        with suppress(GaveUp):
            return self._fitting() if self.wrong else None
        return None

    def _fitting(self) -> Settings | None:
        singles = list(self._trials(_others(self.name, self.declared)))
        found = next((trial for trial in singles if trial.fits), None)
        if found is not None:
            return found.changes
        # Where one value alone gains something the second is looked for beside it; else it takes both at once.
        leads = sorted((trial for trial in singles if trial.fixed), key=lambda trial: trial.broken - trial.fixed)
        end = time.monotonic() + PAIRS * self.patient.clock.scale
        for lead in [*leads, *(trial for trial in singles if not trial.fixed)]:
            more = _others(self.name, self.declared | lead.changes, besides=lead.changes)
            found = next((trial for trial in self._trials(more) if trial.fits), None)
            if found is not None:
                return self._in_order(found.changes)
            if time.monotonic() > end:
                break
        return None

    def _in_order(self, changes: Settings) -> Settings:
        """As the profile lists them, whichever was found first."""
        return {key: changes[key] for key in parameters(self.name) if key in changes}

    def _trials(self, candidates: Iterator[Settings]) -> Iterator[Trial]:
        for changes in candidates:
            if self.patient.clock.left <= 0:
                return
            yield self._trial(changes)

    def _under(self, renderer: Renderer, sample: Vector) -> Vector | None:
        """A sample under other values: written anew, or, where only the answer changes, the same bytes."""
        if not is_telltale(sample):
            vector = renderer.rendered(sample)
            if not isinstance(vector, Unrendered):
                return vector
        return None if self.mode == "encode" else _as_read(sample, renderer.changes)

    def _trial(self, changes: Settings) -> Trial:
        renderer = Renderer(self.suite, self.declared | changes)
        fixed = broken = right = wrong = 0
        for sample in self.samples:
            vector = self._under(renderer, sample)
            if vector is None:
                continue
            found = ask_question(self.patient, Question(vector, self.mode), self.claims, profile=False)
            right += found is None
            wrong += found is not None
            fixed += found is None and sample.id in self.wrong
            broken += found is not None and sample.id not in self.wrong
            if wrong > 2 and not fixed:
                break  # nothing is gained with this one
        return Trial(changes, fixed, broken, right, wrong)


def _as_read(vector: Vector, changes: Settings) -> Vector:
    """The same bytes, with the answer that is right under another profile."""
    there = msgspec.structs.replace(vector, profile=vector.profile | changes)
    decoded = there.codec.decode(vector.data)
    messages = [there.codec.value(message) for message in decoded.messages]
    error = decoded.error
    expect = (
        Expect(accept=messages) if error is None else Expect(reject=error.error, offset=error.offset, messages=messages)
    )
    return msgspec.structs.replace(there, expect=expect)


def _spread(vectors: list[Vector], most: int) -> list[Vector]:
    """So many of them, evenly from the shortest to the longest."""
    if len(vectors) <= most:
        return vectors
    return [vectors[number * (len(vectors) - 1) // (most - 1)] for number in range(most)]


def _others(name: str, current: Settings, besides: Settings | None = None) -> Iterator[Settings]:
    """Every way to change one more parameter that changes bytes."""
    fixed = besides or {}
    open_ones = [
        found for found in profile_file(name).parameters if found.effect == "codec" and found.name not in fixed
    ]
    words = [(found, value) for found in open_ones for value in found.values or ()]
    numbers = [(found, value) for found in open_ones for value in NUMBERS.get(found.name, ())]
    for parameter, value in [*words, *numbers]:  # whoever ignores the version takes any number for it: words first
        if value != current.get(parameter.name, parameter.default):
            yield {**fixed, parameter.name: value}


def suggestion(name: str, claims: Claims, changes: Settings, wrong: int, rest: int) -> Finding:
    """The finding that says which declaration fits."""
    known = parameters(name)
    declared = declared_profile(name, claims.protocols[name])
    whole = {key: value for key, value in (declared | changes).items() if value != known[key].default}
    values = " and ".join(f"{key}={value}" for key, value in changes.items())
    still = f"{rest} are" if rest else "all are right"
    meaning = "; ".join(f"{key}={value}: {_meaning(name, key, value)}" for key, value in changes.items())
    return Finding(
        "undeclared-profile",
        "profile",
        f"{name}: {wrong} easy questions are answered wrongly; under {values} {still}",
        f"The document leaves this open, and the adapter reads it otherwise than declared ({meaning}).",
        _declaration(name, claims, changes, whole),
        declare={name: whole},
    )


def _meaning(name: str, key: str, value: Any) -> str:
    return " ".join((parameters(name)[key].values or {}).get(value, str(value)).split())


def _declaration(name: str, claims: Claims, changes: Settings, whole: Settings) -> str:
    if not whole:
        return (
            f"Leave {' and '.join(changes)} out of the profile that hello declares for {name}: standard is what fits."
        )
    text = json.dumps({"profile": whole})[1:-1]
    toml = ", ".join(f"{_toml_key(key)} = {json.dumps(value)}" for key, value in whole.items())
    where = (
        f"Put {text} into hello's answer under protocols.{name}, or into a manifest: "
        f"[protocols.{name}] profile = {{{toml}}}."
    )
    if claims.protocols[name].profile == "any":
        return f"A parameter that a request leaves out has its standard value, also with `any`. If it is fixed: {where}"
    return f"{where} Or change the codec, if the standard layout is what you mean to have."


def _toml_key(key: str) -> str:
    return key if key.replace("_", "").isalnum() else json.dumps(key)
