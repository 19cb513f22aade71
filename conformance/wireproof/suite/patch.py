"""Patches: how an accepted vector becomes one with a defect.

All edits of a patch refer to the twin as it is, not to what earlier edits made of it. A
path names the field of that name in the twin's trace with everything inside it, its
length prefix included; `PATH.run` names what follows the prefix. `#1:` before a path
means the second message in the buffer.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from wireproof.codec import Codec
from wireproof.suite.hextext import expand, parse_hex
from wireproof.trace import Span

STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
RUN: Final = ".run"

Edit = dict[str, Any]


class PatchProblem(ValueError):
    """An edit that does not fit its twin."""


class Cut(NamedTuple):
    """Bytes of the twin, and what takes their place."""

    start: int
    stop: int
    bytes: bytes


class Fields:
    """The fields of a buffer by path."""

    def __init__(self, codec: Codec, data: bytes) -> None:
        spans = sorted(codec.trace(data).spans, key=lambda span: (span.start, span.stop))
        self.data = data
        self.messages: list[list[Span]] = []
        for span in spans:
            if span.path == spans[0].path:  # every message begins with the same field
                self.messages.append([])
            self.messages[-1].append(span)

    def find(self, path: str) -> tuple[int, int]:
        """Where the bytes of a path begin and end."""
        number, name = self._message(path)
        spans = self.messages[number]
        if name.endswith(RUN):
            name = name.removesuffix(RUN)
            found = [index for index, span in enumerate(spans) if span.path == name]
        else:
            inside = (f"{name}.", f"{name}[")
            found = [index for index, span in enumerate(spans) if span.path == name or span.path.startswith(inside)]
        if not found:
            raise PatchProblem(f"the twin has no field {path!r}; it has {', '.join(span.path for span in spans)}")
        if found[-1] - found[0] != len(found) - 1:
            raise PatchProblem(f"the bytes of {path!r} do not stand together")
        return spans[found[0]].start, spans[found[-1]].stop

    def _message(self, path: str) -> tuple[int, str]:
        prefix, colon, name = path.partition(":")
        if not colon:
            prefix, name = "#0", path
        if not prefix.startswith("#") or not prefix[1:].isdecimal():
            raise PatchProblem(f"{path!r} is no path; a message is named as in #1:{name}")
        number = int(prefix[1:])
        if number >= len(self.messages):
            raise PatchProblem(f"{path!r} is about message {number}; the twin has {len(self.messages)}, from #0")
        return number, name

    def name_of(self, start: int, stop: int) -> str | None:
        """The path of the field that is exactly these bytes."""
        for number, spans in enumerate(self.messages):
            for span in spans:
                if (span.start, span.stop) == (start, stop) and start < stop:
                    return f"#{number}:{span.path}" if number else span.path
        return None


def patch_bytes(codec: Codec, data: bytes, patch: Sequence[Edit]) -> bytes:
    """The twin's bytes after the edits; PatchProblem if one does not fit."""
    fields = Fields(codec, data)
    cuts = sorted((_cut(fields, edit) for edit in patch), key=lambda cut: (cut.start, cut.stop))
    position, parts = 0, []
    for cut in cuts:
        if cut.start < position:
            raise PatchProblem(f"two edits are about the same bytes, at {cut.start}")
        parts += [data[position : cut.start], cut.bytes]
        position = cut.stop
    return b"".join([*parts, data[position:]])


def _cut(fields: Fields, edit: Edit) -> Cut:
    size = len(fields.data)
    match edit:
        case {"at": start, "set": text}:
            return _raw(fields, start, parse_hex(text))
        case {"set": path, "to": text}:
            return Cut(*fields.find(path), parse_hex(text))
        case {"drop": path}:
            return Cut(*fields.find(path), b"")
        case {"before": path, "add": text}:
            start, _ = fields.find(path)
            return Cut(start, start, parse_hex(text))
        case {"after": path, "add": text}:
            _, stop = fields.find(path)
            return Cut(stop, stop, parse_hex(text))
        case {"append": text}:
            return Cut(size, size, parse_hex(text))
        case {"cut": length}:
            if length >= size:
                raise PatchProblem(f"the twin has {size} bytes: nothing is cut at {length}")
            return Cut(length, size, b"")
    raise PatchProblem(f"{edit!r} is no edit of bytes")


def _raw(fields: Fields, start: int, content: bytes) -> Cut:
    stop = start + len(content)
    if stop > len(fields.data):
        raise PatchProblem(f"the twin has {len(fields.data)} bytes: there is nothing to set at {start}")
    name = fields.name_of(start, stop)
    if name is not None:
        raise PatchProblem(f"the bytes at {start} are the field {name!r}: set it by that path")
    return Cut(start, stop, content)


def patch_value(value: Any, patch: Sequence[Edit]) -> Any:
    """The twin's value after the edits, which are applied in the order given."""
    changed = copy.deepcopy(value)
    for edit in patch:
        path = str(edit.get("put") or edit.get("remove") or edit.get("add") or "")
        holder, key = _place(changed, path)
        new = expand(edit.get("value"))
        try:
            if "put" in edit:
                holder[key] = new
            elif "remove" in edit:
                del holder[key]
            else:
                _list(holder[key], path).append(new)
        except (KeyError, IndexError, TypeError):
            raise PatchProblem(f"the twin's value has no {path!r}") from None
    return changed


def _list(found: Any, path: str) -> list[Any]:
    if not isinstance(found, list):
        raise PatchProblem(f"{path!r} is not a list: put a value there instead")
    return found


def _place(value: Any, path: str) -> tuple[Any, Any]:
    """What holds the last step of a path, and that step."""
    steps: list[Any] = [int(match[2]) if match[2] else match[1] for match in STEP.finditer(path)]
    if not steps or "".join(match[0] for match in STEP.finditer(path)) != path:
        raise PatchProblem(f"{path!r} is no path")
    try:
        for step in steps[:-1]:
            value = value[step]
    except (KeyError, IndexError, TypeError):
        raise PatchProblem(f"the twin's value has no {path!r}") from None
    return value, steps[-1]
