"""Valid messages, made from the definitions.

One walk over the wire types of a message, asking a `Draw` for every choice: a seeded
random message, one typical message, every boundary of every field, or (in
`strategies`) a hypothesis example.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache, singledispatch
from random import Random
from types import CodeType
from typing import Any

from wireproof.codec import Codec
from wireproof.draw import NOT_UTF8, Draw, EdgeDraw, RandomDraw, TypicalDraw
from wireproof.errors import Refused
from wireproof.wire.base import Wire
from wireproof.wire.bits import Bits, Flag, Small
from wireproof.wire.checks import Computed
from wireproof.wire.heads import Select
from wireproof.wire.lists import Items, Several
from wireproof.wire.numbers import Number
from wireproof.wire.packets import MessagePlan
from wireproof.wire.records import Step, Struct, field_wires
from wireproof.wire.runs import Block, Bytes, Rest, Run, Text
from wireproof.wire.units import BODY, HEADER, Entry, entries
from wireproof.wire.var import Bool, Null, Var, VarType

NESTING = 3
"""How deep generated maps and lists go; the limits themselves have tests of their own."""


@singledispatch
def value(wire: Wire, draw: Draw) -> Any:
    raise TypeError(f"no values for {type(wire).__name__}")


@value.register
def _(wire: Number, draw: Draw) -> int:
    return draw.integer(wire.low, wire.high)


@value.register
def _(wire: Small, draw: Draw) -> int:
    return int(draw.pick(range(wire.values)))


@value.register(Flag)
@value.register(Bool)
def _(wire: Wire, draw: Draw) -> bool:
    return bool(draw.pick((False, True)))


@value.register(Null)
@value.register(Computed)
def _(wire: Wire, draw: Draw) -> None:
    return None


@value.register
def _(wire: Bytes, draw: Draw) -> bytes:
    return draw.blob()


@value.register
def _(wire: Text, draw: Draw) -> str | bytes:
    if not wire.strict and draw.pick((False, False, False, True)):
        return bytes(draw.pick(NOT_UTF8))
    return draw.text()


@value.register
def _(wire: Run, draw: Draw) -> Any:
    return mended(wire.content, value(wire.content, draw), {})


@value.register
def _(wire: Block, draw: Draw) -> bytes:
    return draw.blob(wire.size)


@value.register
def _(wire: Items, draw: Draw) -> tuple[Any, ...]:
    count = getattr(wire, "count", None)
    most = count.high if isinstance(count, Number) else 300
    return tuple(value(wire.item, draw) for _ in range(draw.count(most)))


@value.register
def _(wire: Several, draw: Draw) -> tuple[Any, ...]:
    return tuple(value(wire.item, draw) for _ in range(wire.count))


@value.register
def _(wire: Struct, draw: Draw) -> Any:
    return wire.record(**fields(list(wire.steps), draw))


@value.register
def _(wire: VarType, draw: Draw) -> Var:
    return var(wire, draw, min(NESTING, wire.max_depth))


def var(wire: VarType, draw: Draw, depth: int) -> Var:
    tags = [tag for tag in wire.tags if depth > 0 or not isinstance(tag.wire, str)]
    tag = draw.pick(tags)
    if not isinstance(tag.wire, str):
        return Var(tag.name, value(tag.wire, draw))
    count = draw.count(wire.count.high)
    if tag.wire == "list":
        return Var("list", tuple(var(wire, draw, depth - 1) for _ in range(count)))
    pairs = [(value(wire.key, draw), var(wire, draw, depth - 1)) for _ in range(count)]
    if wire.dup_keys != "keep":
        pairs = list({pair[0]: pair for pair in pairs}.values())
    return Var("map", tuple(pairs))


def mended(wire: Wire, drawn: Any, context: Mapping[str, Any]) -> Any:
    for rule in wire.rules:
        drawn = rule.mended(drawn, context)
    return drawn


def fields(steps: list[Step], draw: Draw, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Values for the fields of a record, each keeping the rules about it."""
    wires = field_wires(steps)
    made: dict[str, Any] = {}
    for step in steps:
        if step.is_field:
            absent = step.optional and not draw.pick((True, False))
            wire = wires[step.name]
            made[step.name] = None if absent else mended(wire, value(wire, draw), {**(given or {}), **made})
    for step in steps:
        if isinstance(step.wire, Bits | Select):
            _keep_head_rules(step, made, dict(given or {}))
    return made


def _keep_head_rules(step: Step, made: dict[str, Any], given: dict[str, Any]) -> None:
    """Rules of a selector or a bit field mend the fields they name."""
    for rule in step.wire.rules:
        for name in rule.mends:
            broken = rule.broken.format(f"given[{step.name!r}]" if step.name in given else "0", *rule.given)
            names = {**given, **made, "given": given}
            if eval(_compiled(broken), {}, names):
                code = repr(given.get(step.name, 0))
                made[name] = eval(_compiled(rule.mend.format(code, *rule.given)), {}, names)


@lru_cache(maxsize=1024)
def _compiled(expression: str) -> CodeType:
    return compile(expression, "<rule>", "eval")


def message(codec: Codec, draw: Draw, plan: MessagePlan | None = None) -> Any:
    """A message of a codec; of the given kind, or of any."""
    if codec.plan.protocol.sequence is not None:
        return _sequence(codec, draw, plan)
    plan = plan or draw.pick(codec.plan.messages)
    steps = codec.plan.head.steps + [step for container in plan.containers for step in container]
    made = fields(steps, draw, {codec.plan.code: plan.code})
    for container in plan.containers:
        takers = [step.name for step in container if isinstance(step.wire, Rest)]
        made |= dict.fromkeys(takers[1:], b"")  # the first takes all that is left
    return plan.record(**{name: made[name] for name in plan.fields})


def _sequence(codec: Codec, draw: Draw, only: MessagePlan | None) -> Any:
    rules = codec.plan.protocol.sequence.settle(codec.plan.settings)
    table = _table(codec)
    defined = kinds(codec)
    others = _undefined(codec)
    units = []
    once: set[int] = set()
    for _ in range(1 if only else draw.count(5)):
        # There are many more numbers without a definition than with one.
        kind = only or draw.pick(defined if not others or draw.pick((False, True, True, True)) else others)
        code = kind if isinstance(kind, int) else kind.code
        if table[code].once and code in once:
            continue
        once.add(code)
        units.append((table[code].category, _unit(kind, draw, rules.opaque)))
    return rules.record(tuple(_in_order(units)))


@lru_cache(maxsize=64)
def _table(codec: Codec) -> dict[int, Entry]:
    """What becomes of each number; working it out takes longer than making a message."""
    return entries(codec.plan)


@lru_cache(maxsize=64)
def _undefined(codec: Codec) -> list[int]:
    """Numbers that have no definition, and may be written."""
    table = _table(codec)
    return [code for code in range(256) if table[code].reader == "read_opaque" and table[code].refused is None]


def _writable(entry: Entry) -> bool:
    return entry.reader is not None and entry.refused is None


def _unit(kind: Any, draw: Draw, opaque: type) -> Any:
    if isinstance(kind, int):
        return opaque(kind, draw.blob())
    steps = [step for container in kind.containers for step in container]
    return kind.record(**fields(steps, draw))


def _in_order(units: list[tuple[int, Any]]) -> list[Any]:
    """Header units moved before body units, everything else where it was."""
    bound = [index for index, (category, _) in enumerate(units) if category in (HEADER, BODY)]
    moved = sorted((units[index] for index in bound), key=lambda unit: unit[0])
    for index, unit in zip(bound, moved, strict=True):
        units[index] = unit
    return [unit for _, unit in units]


def kinds(codec: Codec) -> list[MessagePlan]:
    """The messages of a codec that can be written."""
    if codec.plan.protocol.sequence is None:
        return codec.plan.messages
    table = _table(codec)
    return [plan for plan in codec.plan.messages if _writable(table[plan.code])]


def typical(codec: Codec) -> list[Any]:
    """One plain message of each kind."""
    return [message(codec, TypicalDraw(), plan) for plan in kinds(codec)]


def boundaries(codec: Codec, *, long: bool = True) -> Iterator[Any]:
    """Every kind of message with each of its choices at each boundary, all else typical."""
    for plan in kinds(codec):
        site = 0
        while True:
            edge = 0
            while True:
                draw = EdgeDraw(site, edge, long=long)
                made = message(codec, draw, plan)
                if draw.exhausted or site >= draw.sites:
                    break
                if _accepted(codec, made):
                    yield made
                edge += 1
            if site >= draw.sites:
                break
            site += 1


def _accepted(codec: Codec, made: Any) -> bool:
    """A boundary of a part may be beyond a limit of the whole."""
    try:
        codec.encode(made)
    except Refused:
        return False
    return True


def random_messages(codec: Codec, seed: int, count: int) -> Iterator[Any]:
    draw = RandomDraw(Random(seed))
    for _ in range(count):
        yield message(codec, draw)
