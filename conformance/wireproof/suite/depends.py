"""Which parameters of the profile a vector's answer rests on."""

from __future__ import annotations

from typing import Any

from wireproof.codec import codec
from wireproof.errors import BadValue, Refused
from wireproof.profile import Parameter, parameters, settings
from wireproof.suite.model import Vector
from wireproof.suite.proof import same


def depends_on(vector: Vector) -> list[str]:
    """The parameters that have a value under which the reference would answer otherwise.

    Of a parameter that is a number, the values next to the declared one are tried: a
    message at the limit depends on the limit, a smaller one does not.
    """
    here = settings(vector.protocol, vector.profile)
    usual = _answers(vector, vector.profile)
    return [
        name
        for name, parameter in parameters(vector.protocol).items()
        if parameter.effect == "codec"
        and any(
            not same(_answers(vector, vector.profile | {name: value}), usual)
            for value in _others(parameter, here[name])
        )
    ]


def _others(parameter: Parameter, value: Any) -> list[Any]:
    """Other values a parameter could have."""
    if parameter.map is not None:
        low, high = parameter.map.keys
        return [dict.fromkeys(range(low, high + 1), word) for word in parameter.map.values]
    if parameter.values is not None:
        return [other for other in parameter.values if other != value]
    low, high = parameter.range or (0, 0)
    return [other for other in (value - 1, value + 1) if low <= other <= high]


def _answers(vector: Vector, profile: dict[str, Any]) -> list[Any]:
    """What the reference says to everything this vector asks."""
    there = codec(vector.protocol, direction=vector.direction or None, profile=profile)
    answers: list[Any] = [] if vector.hex is None else [there.answer(there.decode(vector.data))]
    if vector.kind == "reject" or not vector.canonical:
        return answers
    for message in vector.messages if vector.kind == "accept" else [vector.message]:
        try:
            answers.append(there.encode(there.message(message)).hex())
        except Refused as refused:
            answers.append(refused.error)
        except BadValue:
            answers.append("no value of this profile")
    return answers
