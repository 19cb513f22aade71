"""A small and strict part of YAML, with the line of everything.

Each vector file is a list of mappings. There are no aliases, anchors, tags or repeated
keys, and a plain word that YAML's dialects read in different ways (`0011`, `1e5`, `12:34`,
`yes`) must be quoted. What is wrong is collected, so that one run shows all of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import yaml

from wireproof.suite.problems import Problem

DEEPEST: Final = 256
LARGEST_FILE: Final = 8 << 20
INTEGER: Final = re.compile(r"-?(?:0|[1-9][0-9]{0,39})|0x[0-9a-fA-F]{1,32}")
AMBIGUOUS: Final = re.compile(
    r"[-+]?\.?[0-9][0-9_]*(?:[.:eE][-+0-9.:_eE]*)?|[-+]?0[bo][0-7_]+|[-+]?0x[0-9a-fA-F_]+|\d{4}-\d\d?-\d\d?([Tt ].*)?"
    r"|[-+]?\.(?:inf|nan)|yes|no|on|off|true|false|null|<<|=",
    re.IGNORECASE,
)
CONSTANTS: Final = {"null": None, "~": None, "": None, "true": True, "false": False}
# The first letters of anything that is not plainly a string.
SUSPECT: Final = frozenset("0123456789+-.~<=nNyYtTfFoO")

Parser: Any = getattr(yaml, "CLoader", yaml.Loader)  # only its events are used: nothing is constructed


class Entry(NamedTuple):
    """One item of the file's list, as written."""

    keys: dict[str, Any]
    lines: dict[str, int]
    line: int
    sound: bool
    """Nothing was wrong with it so far; if something was, further complaints would only confuse."""
    blocks: frozenset[str]
    """The keys whose text is a literal block: it begins on the next line."""


class Stop(Exception):
    """The rest of the file cannot be read."""


class Reader:
    """Reads one file; `problems` is what was wrong with it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def read(self, content: bytes) -> list[Entry]:
        entries: list[Entry] = []
        try:
            self._entries(self._text(content), entries)
        except Stop:
            pass
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            said = getattr(error, "problem", None) or str(error).partition("\n")[0]
            self.problem(mark.line if mark else 0, f"not YAML: {said}", "See the YAML of the other vector files")
        return entries

    def problem(self, line: int, problem: str, advice: str) -> None:
        """Note what is wrong; `line` counts from 0."""
        self.problems.append(Problem(self.file, line + 1, problem, advice))

    def _text(self, content: bytes) -> str:
        if len(content) > LARGEST_FILE:
            self.problem(0, f"the file has {len(content)} bytes, more than {LARGEST_FILE}", "Split it by topic")
            raise Stop
        try:
            return content.decode("utf-8")
        except UnicodeDecodeError as error:
            line = content.count(b"\n", 0, error.start)
            self.problem(line, f"not UTF-8 at byte {error.start}", "Save the file as UTF-8")
            raise Stop from None

    def _entries(self, text: str, entries: list[Entry]) -> None:
        parser = Parser(text)
        self._next: Callable[[], Any] = parser.get_event
        self._next()  # the beginning of the stream
        if isinstance(self._next(), yaml.StreamEndEvent):
            self.problem(0, "the file holds no vectors", "Write a list of vectors, or delete the file")
            return
        event = self._next()
        if not isinstance(event, yaml.SequenceStartEvent):
            self.problem(event.start_mark.line, "the file is not a list", "Begin each vector with `- id: ...`")
            return
        self._check_node(event)
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            self._entry(event, entries)
        self._next()  # the end of the document
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            self.problem(event.start_mark.line, "a second document begins", "Keep one list in a file")

    def _entry(self, event: Any, entries: list[Entry]) -> None:
        before, line = len(self.problems), event.start_mark.line
        if not isinstance(event, yaml.MappingStartEvent):
            self._value(event, 2)
            self.problem(line, "an item of the list is not a vector", "Begin each vector with `- id: ...`")
            return
        self._check_node(event)
        lines: dict[str, int] = {}
        blocks: set[str] = set()
        keys = self._mapping(2, lines, blocks)
        entries.append(Entry(keys, lines, line, len(self.problems) == before, frozenset(blocks)))

    def _value(self, event: Any, depth: int) -> Any:
        kind = type(event)
        if kind is yaml.ScalarEvent:
            if event.anchor or event.tag:
                self._check_node(event)
            value = event.value
            if not event.style and (not value or value[0] in SUSPECT):
                return self._plain(value, event)
            return value
        if kind is yaml.AliasEvent:
            self.problem(
                event.start_mark.line, f"the alias *{event.anchor}", "Write the value out; long runs as repeat:"
            )
            return None
        if depth >= DEEPEST:
            self.problem(event.start_mark.line, f"nested deeper than {DEEPEST}", "Make the value less deep")
            raise Stop
        self._check_node(event)
        if kind is yaml.MappingStartEvent:
            return self._mapping(depth + 1)
        items = []
        while type(event := self._next()) is not yaml.SequenceEndEvent:
            items.append(self._value(event, depth + 1))
        return items

    def _mapping(
        self, depth: int, lines: dict[str, int] | None = None, blocks: set[str] | None = None
    ) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while type(event := self._next()) is not yaml.MappingEndEvent:
            line = event.start_mark.line
            if type(event) is yaml.ScalarEvent:
                key = event.value
                self._check_node(event)
            else:
                self._value(event, depth)
                self.problem(line, "a key is not a word", "Write keys as plain words")
                key = ""
            if key in found:
                self.problem(line, f"the key {key!r} a second time", "Keep one of them")
            value = self._next()
            found[key] = self._value(value, depth)
            if lines is not None:
                lines.setdefault(key, line)
            if blocks is not None and getattr(value, "style", None) == "|":
                blocks.add(key)
        return found

    def _plain(self, text: str, event: Any) -> Any:
        if text in CONSTANTS:
            return CONSTANTS[text]
        if INTEGER.fullmatch(text):
            return int(text, 0)
        if AMBIGUOUS.fullmatch(text):
            shown = text if len(text) <= 40 else text[:40] + "..."
            self.problem(event.start_mark.line, f"{shown} may be a number or a word", f'Put it in quotes: "{shown}"')
        return text

    def _check_node(self, event: Any) -> None:
        if event.anchor:
            self.problem(event.start_mark.line, f"the anchor &{event.anchor}", "Write each value out where it is used")
        if event.tag:
            self.problem(event.start_mark.line, f"the tag {event.tag}", "Leave it out")
