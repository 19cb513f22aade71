"""Why the reference is right: the field in which answers part, and the clause that stands behind it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from wireproof import BadValue, Codec, Refused
from wireproof.annotate import Field, Item, annotate
from wireproof.clauses import rule_text
from wireproof.suite.patch import Fields
from wireproof.trace import Span
from wireproof_harness.generated.asking import Exchange
from wireproof_harness.reference import codec_for


class Explanation(NamedTuple):
    """The bytes that a disagreement is about, annotated, and the rule."""

    data: bytes | None
    items: list[Item]
    clause: str
    rule: str
    path: str = ""
    """The field the reference finds at fault."""
    written: bytes | None = None
    """What the implementation wrote instead."""


def explain(exchange: Exchange) -> Explanation:
    question = exchange.question
    codec = codec_for(question)
    if question["op"] == "encode":
        return _written(exchange, codec)
    data = bytes.fromhex(question.get("hex", "".join(question.get("chunks", ()))))
    items = annotate(codec, codec.trace(data))
    error = codec.decode(data).error
    if error is not None and ("reject" in exchange.right or not exchange.finding.path):
        return Explanation(data, items, error.clause, rule_text(codec.name, error.clause), error.path)
    span = _span(exchange.finding.path, Fields(codec, data).messages)
    if span is None:
        return Explanation(data, items, "", "")
    return _at(codec, data, items, span)


def _at(codec: Codec, data: bytes, items: list[Item], span: Span, written: bytes | None = None) -> Explanation:
    marked = list(_marked(items, span))
    return Explanation(data, marked, span.clause, rule_text(codec.name, span.clause), span.path, written)


def _written(exchange: Exchange, codec: Codec) -> Explanation:
    """What an encoder was asked for, at the first byte that is another one."""
    if "ok" not in exchange.right:
        try:
            codec.encode(codec.message(exchange.question["value"]))
        except Refused as refused:
            return Explanation(None, [], refused.clause, rule_text(codec.name, refused.clause), refused.path)
        except BadValue:
            pass
        return Explanation(None, [], "", "")
    data = bytes.fromhex(exchange.right["ok"]["hex"])
    trace = codec.trace(data)
    items = annotate(codec, trace)
    written = _bytes(exchange.given)
    if written is None:
        return Explanation(data, items, "", "")
    place = next((n for n, (a, b) in enumerate(zip(data, written, strict=False)) if a != b), None)
    at = min(len(data), len(written)) if place is None else place
    spans = [span for span in trace.spans if span.start <= at < span.stop] or trace.spans[-1:]
    return _at(codec, data, items, spans[-1], written) if spans else Explanation(data, items, "", "", "", written)


def _bytes(given: dict[str, Any]) -> bytes | None:
    content = given.get("ok")
    try:
        return bytes.fromhex(content["hex"]) if isinstance(content, dict) else None
    except (KeyError, TypeError, ValueError):
        return None


def _span(path: str, messages: list[list[Span]]) -> Span | None:
    """The field that `[0].command.topics[1]` names, or the nearest there is."""
    number, _, inside = path.removeprefix("[").partition("]")
    name = inside.removeprefix(".")
    if not number.isdecimal() or int(number) >= len(messages):
        return None
    spans = messages[int(number)]
    exact = [span for span in spans if span.path == name and span.stop > span.start]
    below = [span for span in spans if span.path.startswith(name)]
    above = sorted((span for span in spans if span.path and name.startswith(span.path)), key=lambda s: len(s.path))
    return next(iter(exact[-1:] or below[:1] or above[-1:] or spans[:1]), None)


def _marked(items: list[Item], span: Span) -> Iterator[Item]:
    done = False
    for item in items:
        if isinstance(item, Field):
            here = not done and item.start <= span.start < item.stop
            done = done or here
            yield item._replace(fault=span.start if here else None)
        else:
            yield item
