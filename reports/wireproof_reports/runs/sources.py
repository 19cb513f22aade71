"""Where logs are: files, folders, and archives."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from wireproof_harness.results import BadLog
from wireproof_reports.runs.archives import ARCHIVES, LOGS, Packed, members, opened, readable

LARGEST: Final = 1 << 29
"""Bytes a log may have, packed or not: 40 times that of the whole suite. It is read as a whole."""
_PIECE: Final = 1 << 20


class Source(NamedTuple):
    """A file that may be a log."""

    name: str
    path: str
    member: str = ""
    """Of an archive."""


class Aside(NamedTuple):
    """Something that was named or found and holds no run that can be counted."""

    file: str
    reason: str


def find(paths: Iterable[Path]) -> tuple[list[Source], list[Aside]]:
    """The logs under these paths, each once; BadLog for a path that does not exist."""
    found: dict[Source | Aside, None] = {}
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise BadLog(f"there is no {path}. Name logs that `wireproof check` has written, or folders of them.")
        found |= dict.fromkeys(_under(path.absolute()))
    return [each for each in found if isinstance(each, Source)], [each for each in found if isinstance(each, Aside)]


def reason_of(problem: Exception, name: str) -> str:
    """What is wrong with a file, apart from its name, which stands beside it."""
    said = str(problem).removeprefix(name)
    if said.startswith(":"):
        number, _, rest = said[1:].partition(" ")
        return f"line {number} {rest}"
    return said.strip()


def _under(path: Path) -> Iterator[Source | Aside]:
    if not path.is_dir():
        yield from _file(path)
        return
    empty = True
    problems: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=problems.append):
        folders.sort()
        for name in sorted(names):
            if name.endswith((*LOGS, *ARCHIVES)):
                empty = False
                yield from _file(Path(folder, name))
    for problem in problems:
        yield Aside(str(problem.filename), f"cannot be read: {problem.strerror}")
    if empty and not problems:
        yield Aside(str(path), f"holds no log: no file in it ends in {', '.join((*LOGS, *ARCHIVES))}")


def _file(path: Path) -> Iterator[Source | Aside]:
    name = str(path)
    if not path.is_file():
        # A pipe would keep whoever opens it waiting for ever.
        yield Aside(name, "is no file, or a link to one that is gone")
    elif not name.endswith(ARCHIVES):
        yield Source(name, name)
    else:
        try:
            logs, refused = members(path)
        except BadLog as problem:
            yield Aside(name, reason_of(problem, name))
            return
        yield from (Aside(f"{name}!{member}", reason) for member, reason in refused)
        yield from (Source(f"{name}!{member}", name, member) for member in logs)


@contextmanager
def unpacked(source: Source) -> Iterator[Path]:
    """The log as a plain file for as long as the block takes; BadLog if it cannot be unpacked."""
    if not source.member and not source.path.endswith(".gz"):
        with readable(source.name):
            size = os.stat(source.path).st_size
        _fits(size, source.name)
        yield Path(source.path)
        return
    with tempfile.TemporaryDirectory(prefix="wireproof-log-") as folder:
        path = Path(folder, "log")
        with readable(source.name), opened(source.path, source.member) as packed, path.open("wb") as plain:
            _copy(packed, plain, source.name)
        yield path


def _copy(packed: Packed, plain: IO[bytes], name: str) -> None:
    """A packed file may be small and yet hold more than there is room for."""
    size = 0
    while piece := packed.read(_PIECE):
        size += len(piece)
        _fits(size, name)
        plain.write(piece)


def _fits(size: int, name: str) -> None:
    if size > LARGEST:
        raise BadLog(f"{name} is larger than {LARGEST:,} bytes, and no run has so much to say")
