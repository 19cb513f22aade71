"""The part of a page about messages that are a series of units: which types there are and what is done with them."""

from __future__ import annotations

from collections.abc import Iterator

from wireproof.definition import Plan
from wireproof.document.layout import Layout, merged
from wireproof.wire.units import CATEGORIES, Entry, Sequence, entries

ORDER = {number: word for word, number in CATEGORIES.items()}


def handling(entry: Entry) -> str:
    if entry.rejected is not None:
        return f"rejected, `{entry.rejected.error}` ({entry.rejected.clause})"
    return "passed over" if entry.reader is None else "kept"


def differences(standard: Entry, other: Entry) -> Iterator[str]:
    if handling(standard) != handling(other):
        yield handling(other)
    if standard.category != other.category:
        yield f"{ORDER[other.category]} unit"
    if standard.size != other.size:
        yield f"size {other.size}" if other.size >= 0 else "any size"
    if other.once and not standard.once:
        yield "a second one is `duplicate`"


def type_table(layout: Layout) -> list[list[str]]:
    """Type numbers, those that are treated alike together: number, name, order, size, decoder, encoder, notes."""
    plan = layout.plan
    names = {message.code: message.title for message in plan.messages} | {0: "END"}
    table = entries(plan)
    others = [(each, entries(each.plan)) for each in layout.variants]
    found: list[tuple[int, int, list[str]]] = []
    for code in range(256):
        entry = table[code]
        notes = [each.says(text) for each, other in others for text in differences(entry, other[code])]
        cells = [
            names.get(code, ""),
            ORDER[entry.category],
            str(entry.size) if entry.size >= 0 else "",
            "closes the message" if code == 0 else handling(entry),
            "" if entry.refused is None else f"refused, `{entry.refused.error}` ({entry.refused.clause})",
            "; ".join(merged(notes)),
        ]
        if found and code not in names and found[-1][2] == cells:
            found[-1] = (found[-1][0], code, cells)
        else:
            found.append((code, code, cells))
    return [[_numbers(first, last), *cells] for first, last, cells in found]


def _numbers(first: int, last: int) -> str:
    return f"{first:02X}" if first == last else f"{first:02X} to {last:02X}"


def rules_of(plan: Plan) -> Iterator[str]:
    """What holds for the units of a message together."""
    rules: Sequence = plan.protocol.sequence.settle(plan.settings)
    yield f"The unit of type 0 closes the message ({rules.end_clause}). It is not listed in JSON."
    if rules.order_clause:
        yield (
            f"Header units come before body units, else `bad-order` ({rules.order_clause}). Units that are neither "
            "may stand anywhere."
        )
    yield (
        f"A unit has at most {rules.max_frame} bytes after its head (`max_frame`) and a message at most "
        f"{rules.max_message} bytes with all heads (`max_message`), else `limit-exceeded` ({rules.limit_clause})."
    )
    yield "A type whose size is given below has that size, else `length-mismatch`."
