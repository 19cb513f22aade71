"""What is shown to people: colours, widths, and text that cannot do harm.

Whatever came out of bytes, a file or another program is untrusted. `clean` is the one
place that makes it fit to be printed, and `Screen` cleans all it is given; rich is
loaded only for colours, and only ever sees text, never markup.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final, NamedTuple, TextIO

WIDTH_OF_A_PIPE: Final = 100
LABELS: Final = 10
"""Columns for the labels of paragraphs."""

STYLES: Final = {
    "": "",
    "heading": "bold",
    "name": "bold cyan",
    "offset": "dim",
    "bytes": "",
    "field": "cyan",
    "type": "dim",
    "value": "green",
    "text": "",
    "clause": "dim blue",
    "undecoded": "dim italic",
    "fault": "bold red",
    "good": "bold green",
    "label": "dim",
}

# Control characters, surrogates, line and paragraph separators, everything that is invisible or turns the
# direction of text around: what a terminal obeys, or what makes two different texts look the same.
_HARMFUL: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)


class Segment(NamedTuple):
    """A piece of a line and the role it plays there, a key of `STYLES`."""

    text: str
    role: str = ""


def clean(text: str) -> str:
    """Text with every harmful character written as an escape."""
    return _HARMFUL.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def json_line(value: Any, encoding: str | None) -> str:
    """One line of JSON that any program reads and no terminal obeys."""
    universal = (encoding or "").lower().replace("-", "").replace("_", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not universal)
    return _HARMFUL.sub(lambda match: json.dumps(match[0])[1:-1].replace("\x7f", "\\u007f"), text)


def cells(text: str) -> int:
    """How many columns a text takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(letter) else 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        for letter in text
    )


def fit(text: str, width: int) -> str:
    """Text padded to a width, or cut with dots at its end."""
    taken = cells(text)
    if taken <= width:
        return text + " " * (width - taken)
    while cells(text) > width - 3:
        text = text[: min(len(text) - 1, width)]
    return fit(text + "...", width)


def entry(label: str, text: str, width: int, role: str = "text") -> Iterator[list[Segment]]:
    """A labelled paragraph, wrapped; safe to print as it is."""
    room = max(40, width - 2 - LABELS)
    for number, line in enumerate(textwrap.wrap(clean(text), room, break_on_hyphens=False)):
        yield [Segment(f"  {'' if number else label:{LABELS}}", "label"), Segment(line, role)]


class Screen:
    """Standard output, as a person sees it."""

    def __init__(self, color: bool | None = None, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.is_terminal = self.stream.isatty()
        self.color = self._wants_color() if color is None else color

    def _wants_color(self) -> bool:
        return self.is_terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        return shutil.get_terminal_size((WIDTH_OF_A_PIPE, 24)).columns if self.is_terminal else WIDTH_OF_A_PIPE

    @cached_property
    def _styles(self) -> dict[str, Any]:
        from rich.style import Style

        return {role: Style.parse(style) for role, style in STYLES.items()}

    def line(self, *segments: Segment) -> None:
        """Print one line; what stands before and after nothing is not padded."""
        pieces = [Segment(clean(text), role) for text, role in segments]
        while pieces and not pieces[-1].text.strip():
            pieces.pop()
        if pieces:
            pieces[-1] = pieces[-1]._replace(text=pieces[-1].text.rstrip())
        self._write("".join(map(self._painted, pieces)) if self.color else "".join(piece.text for piece in pieces))

    def lines(self, lines: Iterable[Iterable[Segment]]) -> None:
        for segments in lines:
            self.line(*segments)

    def json(self, value: Any) -> None:
        """Print one line of JSON, at once."""
        self._write(json_line(value, self.stream.encoding))
        self.stream.flush()

    def source(self, text: str) -> None:
        """Print Python source, with its own line breaks."""
        for line in text.splitlines():
            self._write(clean(line))

    def _painted(self, piece: Segment) -> str:
        if not piece.text.strip() or not piece.role:
            return piece.text
        painted: str = self._styles[piece.role].render(piece.text)
        return painted

    def _write(self, text: str) -> None:
        encoding = self.stream.encoding or "utf-8"
        self.stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
