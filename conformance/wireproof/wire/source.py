"""Writing the specialised functions a definition is compiled to.

Generated code is kept as a person would write it: it is printed by `wireproof source`,
shown in tracebacks, and a snapshot per protocol is reviewed.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from wireproof.wire.packing import BYTE
from wireproof.wire.pieces import Piece, joined


@dataclass(frozen=True)
class Site:
    """Where in a message a piece of code works: its path and the clause behind it.

    A path may name loop variables in braces (`topics[{i}]`); they are filled in only
    when an error is raised or a field is traced.
    """

    path: str
    clause: str

    def sub(self, suffix: str, clause: str = "") -> Site:
        return Site(self.path + suffix, clause or self.clause)

    @property
    def literal(self) -> str:
        return f'f"{self.path}"' if "{" in self.path else f'"{self.path}"'


@dataclass
class Source:
    """A function body under construction.

    `traced` code notes every field it reads; `fits` says that the bytes about to be
    read are known to be there; `streamed` code counts offsets from the start of the
    stream although its buffer starts later; the table of readers has `codes` entries
    where a message number can be beyond it; `end` names where the container ends. Written
    `pieces` are kept until a branch or a loop makes it necessary to push them.
    """

    traced: bool = False
    fits: bool = False
    streamed: bool = False
    codes: int = 0
    end: str = "end"
    names: dict[str, Any] = field(default_factory=dict)
    helpers: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    depth: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    pieces: list[Piece] = field(default_factory=list)
    pushes: bool = False

    def __call__(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line if line else "" for line in lines]

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        self(header)
        self.depth += 1
        yield
        self.depth -= 1

    @contextmanager
    def branch(self, header: str) -> Iterator[None]:
        """A block that writes: what was written before is pushed first, and so is what it writes."""
        self.push()
        with self.block(header):
            before = len(self.lines)
            yield
            self.push()
            if len(self.lines) == before:
                self("pass")

    def put(self, value: str, size: str, letter: str = "", order: str = "") -> None:
        """Write bytes, or a value that `struct` packs under `letter`."""
        self.pieces.append(Piece(value, size, letter, order))

    def push(self) -> None:
        """Push what has been written so far; from here on the container is made of `parts`."""
        self.pushes = True
        if self.pieces:
            self.const("BYTE", BYTE)
            self(f"push({' + '.join(joined(self, self.pieces))})")
            self.pieces.clear()

    def container(self, name: str, write: Callable[[Source], None]) -> list[Piece]:
        """Emit what writes a container; its pieces, `name_bytes` alone if they had to be pushed."""
        inner = Source(names=self.names, helpers=self.helpers, depth=self.depth, counts=self.counts)
        write(inner)
        if not inner.pushes:
            self.lines += inner.lines
            return inner.pieces
        inner.push()
        self("parts = []", "push = parts.append")
        self.lines += inner.lines
        self(f'{name}_bytes = b"".join(parts)')
        return [Piece(f"{name}_bytes", f"len({name}_bytes)")]

    @contextmanager
    def certain(self) -> Iterator[None]:
        """The bytes read inside are known to be there: no room checks."""
        before, self.fits = self.fits, True
        yield
        self.fits = before

    def unneeded(self, *lines: str) -> bool:
        """Take back the last line if it is one of these: nothing after it looks at what it sets."""
        found = bool(self.lines) and self.lines[-1][4 * self.depth :] in lines
        if found:
            self.lines.pop()
        return found

    def local(self, hint: str) -> str:
        """A variable name not used yet in this function."""
        seen = self.counts.get(hint, 0)
        self.counts[hint] = seen + 1
        return f"{hint}{seen + 1}" if seen else hint

    def function(self) -> None:
        """Start a new scope for `local`."""
        self.counts.clear()

    def const(self, name: str, value: Any) -> str:
        """Make `value` a global of the generated module and give its name."""
        if self.names.setdefault(name, value) != value:
            raise ValueError(f"two different constants are called {name}")
        return name

    def helper(self, name: str, emit: Callable[[Source], None]) -> str:
        """Have `emit` write functions of their own, once a module, before this one."""
        if name not in self.helpers:
            self.helpers[name] = ""  # a helper may call itself
            part = Source(traced=self.traced, names=self.names, helpers=self.helpers)
            emit(part)
            self.helpers[name] = part.text()
        return name

    def at(self, position: str = "pos") -> str:
        if self.streamed and position != "start":
            return f"base + {position}"
        return position

    def malformed(self, error: str, site: Site, expected: str, position: str = "pos", *, caught: bool = False) -> None:
        raised = f'Malformed("{error}", {quoted(site.clause)}, {self.at(position)}, {site.literal}, {quoted(expected)})'
        self(f"raise {raised} from None" if caught else f"raise {raised}")

    def refused(self, error: str, site: Site, expected: str, *, caught: bool = False) -> None:
        raised = f'Refused("{error}", {quoted(site.clause)}, {site.literal}, {quoted(expected)})'
        self(f"raise {raised} from None" if caught else f"raise {raised}")

    def room(self, need: str, site: Site, expected: str) -> None:
        """Set `stop` to the end of an element of `need` bytes, or overrun."""
        self(f"stop = pos + {need}")
        if not self.fits:
            with self.block(f"if stop > {self.end}:"):
                self.malformed("overrun", site, expected)

    def trace(self, site: Site, label: str, value: str, stop: str = "stop") -> None:
        if self.traced:
            self(f'note(pos, {stop}, {site.literal}, "{label}", {value}, "{site.clause}")')

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


def quoted(text: str) -> str:
    """A string literal in the style of the rest of the source."""
    return repr(text) if '"' in text or "\\" in text else f'"{text}"'


def load(source: str, filename: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run generated source; tracebacks through it show its lines."""
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    module = dict(names)
    exec(compile(source, filename, "exec"), module)
    return module
