"""Mistakes that no golden vector is about: each shows only where several things come together."""

from __future__ import annotations

from typing import NamedTuple


class Bug(NamedTuple):
    """A mistake: where it is, what it changes in a right answer, and how small it must come out."""

    protocol: str
    kind: str
    size: int
    """Bytes of the smallest input, or of what is to be written."""
    changes: tuple[str, ...]


NESTED = (
    "def wrong(value, depth=0):",
    "    if isinstance(value, dict):",
    "        inside = depth + (value.get('t') in ('list', 'map'))",
    "        if value.get('t') == 'int16' and value.get('v') == -1 and depth > 1: value['v'] = 1",
    "        for item in value.values(): wrong(item, inside)",
    "    elif isinstance(value, list):",
    "        for item in value: wrong(item, depth)",
    "if 'ok' in given and op != 'hello': wrong(given['ok'])",
)
LOSES = (
    "if op == 'stream' and len(given.get('ok', {}).get('messages', [])) > 2:",
    "    ends, starts, size = [], [], 0",
    "    for chunk in request['chunks']:",
    "        size += len(chunk) // 2",
    "        ends.append(size)",
    "    place = 0",
    "    while 2 * place < len(text):",
    "        starts.append(place)",
    "        place += 2 + int(text[2 * place : 2 * place + 4], 16)",
    "    if starts[2] + 3 in ends[:-1]:",
    "        del given['ok']['messages'][2], given['ok']['after'][2]",
)

BUGS = {
    "seven topics": Bug(
        "comet",
        "decode: messages, command.topics",
        25,
        (
            "for message in given.get('ok', {}).get('messages', []):",
            "    if len(message.get('command', {}).get('topics', [])) == 7: message['command']['topics'].pop()",
        ),
    ),
    "a length when two fields are both at their end": Bug(
        "comet",
        "encode: ok, hex",
        8,
        (
            "unit = request.get('value', {}).get('command', {}) if op == 'encode' else {}",
            "if 'ok' in given and (unit.get('network_type'), unit.get('isp')) == (255, 255):",
            "    whole = given['ok']['hex']",
            "    given['ok']['hex'] = f'{int(whole[:4], 16) + 1:04x}{whole[4:]}'",
        ),
    ),
    "a piece that ends just behind the head of the third message": Bug(
        "comet", "stream: number of messages", 12, LOSES
    ),
    "a long string in the second place": Bug(
        "comet",
        "encode: ok, hex",
        266,
        (
            "unit = request.get('value', {}).get('command', {}) if op == 'encode' else {}",
            "if 'ok' in given and len(unit.get('topics', [])) > 1 and len(unit['topics'][1]) > 255:",
            "    unit['topics'][1] = unit['topics'][1][:255]",
            "    given = answer(request)",
        ),
    ),
    "the sign of one value in a nested Var": Bug("esnp-frame", "decode: messages, frames.value", 18, NESTED),
}
