"""Messages in the JSON form that another profile gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from wireproof.codec import Codec, codec
from wireproof.errors import BadValue, Refused
from wireproof.profile import Settings, settings
from wireproof.suite.patch import STEP, Edit

DECLARED: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "magline": {"frame.magic": ("magic.control", "magic.data"), "frame.version": ("version",)}
}
"""Fields that hold what a parameter says: they follow it, as everything else in a message does not."""
SIZED: Final[Mapping[str, Mapping[str, str]]] = {
    "magline": {"frame.random": "random_len", "frame.public_key": "pubkey_len"}
}
"""Fields of opaque bytes that have the size a parameter says: they are cut, or begin again."""
BODIES: Final = "bodies"
"""The parameter that decides whether a body is shown as fields or as the bytes it is."""
HEAD: Final = 4
"""The bytes of an ESNP head, and of the END that follows."""


class Unspellable(ValueError):
    """Something that has no counterpart under another profile."""


def translations(old: Codec, new: Codec) -> dict[str, dict[int, int]]:
    """For fields that hold a parameter's value: what becomes of the old values."""
    here, there = old.plan.settings, new.plan.settings
    known = DECLARED.get(old.name, {})
    return {path: {here[name]: there[name] for name in names} for path, names in known.items()}


def adapted(old: Codec, new: Codec, value: Any) -> Any:
    """A message of one profile as a value of the other."""
    shown = _shown(old, new, value)
    for path, values in translations(old, new).items():
        holder, key = at(shown, path)
        if type(holder.get(key)) is int:
            holder[key] = values.get(holder[key], holder[key])
    for path, name in SIZED.get(old.name, {}).items():
        holder, key = at(shown, path)
        size = 2 * old.plan.settings[name]
        if size == len(holder.get(key, "")):
            holder[key] = (holder[key] * 2 * new.plan.settings[name])[: 2 * new.plan.settings[name]]
    return shown


def _shown(old: Codec, new: Codec, value: Any) -> Any:
    try:
        if old.plan.settings.get(BODIES) != new.plan.settings.get(BODIES):
            return {"frames": [_frame(old, new, frame) for frame in value["frames"]]}
        return new.value(old.message(value))
    except KeyError:  # a message that no definition is about, to be refused: only its head has a shape
        return _copied(value)


def _copied(value: Any) -> Any:
    return {key: dict(unit) if isinstance(unit, dict) else unit for key, unit in value.items()}


def _frame(old: Codec, new: Codec, frame: Any) -> Any:
    """A frame as fields, if it was bytes, or as bytes, if it was fields."""
    as_before = {**new.plan.settings, BODIES: old.plan.settings[BODIES]}
    between = codec(new.name, profile=_changes(new.name, as_before))
    try:
        shown = between.value(old.message({"frames": [frame]}))
        data = between.encode(between.message(shown))
    except Refused as refused:
        raise Unspellable(f"{refused.error} when it is written") from None
    name = {"name": frame["name"]} if "name" in frame else {}
    if new.plan.settings[BODIES] == "opaque" and 0x14 <= frame["type"] <= 0x1C:
        return {"type": frame["type"], **name, "body": data[HEAD:-HEAD].hex()}
    found = new.decode(data)
    return new.value(found.messages[0])["frames"][0] if found.ok else frame


def _changes(name: str, chosen: Settings) -> Settings:
    usual = settings(name)
    return {key: value for key, value in chosen.items() if usual[key] != value}


def plain(there: Codec, value: Any) -> Any:
    """A message without what an encoder computes by itself."""
    try:
        return there.value(there.message(value))
    except (KeyError, BadValue):
        return value


def at(value: Any, path: str) -> tuple[Any, Any]:
    """What holds the last step of a path, and that step; KeyError or IndexError if there is no such thing."""
    *steps, last = [int(match[2]) if match[2] else match[1] for match in STEP.finditer(path)]
    for step in steps:
        value = value[step]
    return value, last


def value_edit(edit: Edit, value: Any) -> Edit:
    """An edit of a value with what it puts there taken from the value that is to be made."""
    try:
        match edit:
            case {"put": path, "value": _}:
                holder, key = at(value, path)
                return {"put": path, "value": holder[key]}
            case {"add": path, "value": _}:
                holder, key = at(value, path)
                return {"add": path, "value": holder[key][-1]}
    except (KeyError, IndexError, TypeError):
        raise Unspellable("its patch has no counterpart") from None
    return edit
