"""Where logs are: files, folders, and the archives that CI keeps."""

from __future__ import annotations

import gzip
import os
import tempfile
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, NamedTuple

from wireproof_harness.results import BadLog

LOGS: Final = (".jsonl", ".jsonl.gz")
LARGEST: Final = 1 << 32
"""Bytes a packed log may have when it is unpacked."""
_PIECE: Final = 1 << 20
Packed = IO[bytes] | gzip.GzipFile


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
    sources: dict[str, Source] = {}
    aside: list[Aside] = []
    for path in paths:
        if not path.exists() and not path.is_symlink():
            raise BadLog(f"there is no {path}. Name logs that `wireproof check` has written, or folders of them.")
        for found in _under(path.absolute()):
            if isinstance(found, Aside):
                aside.append(found)
            else:
                sources[found.name] = found
    return list(sources.values()), list(dict.fromkeys(aside))


def _under(path: Path) -> Iterator[Source | Aside]:
    if not path.is_dir():
        yield from _inside(path) if path.suffix == ".zip" else [Source(str(path), str(path))]
        return
    empty = True
    problems: list[OSError] = []
    for folder, folders, names in os.walk(path, onerror=problems.append):
        folders.sort()
        for name in sorted(names):
            if name.endswith((*LOGS, ".zip")):
                empty = False
                yield from _under(Path(folder, name))
    for problem in problems:
        yield Aside(str(problem.filename), f"cannot be read: {problem.strerror}")
    if empty and not problems:
        yield Aside(str(path), f"holds no log: no file in it ends in {', '.join(LOGS)} or .zip")


def _inside(path: Path) -> Iterator[Source | Aside]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = sorted(name for name in archive.namelist() if name.endswith(LOGS))
    except OSError as problem:
        yield Aside(str(path), f"cannot be read: {problem.strerror or problem}")
        return
    except (zipfile.BadZipFile, NotImplementedError, ValueError) as problem:
        yield Aside(str(path), f"is no zip archive: {problem}")
        return
    if not members:
        yield Aside(str(path), f"holds no log: nothing in it ends in {' or '.join(LOGS)}")
    yield from (Source(f"{path}!{member}", str(path), member) for member in members)


@contextmanager
def unpacked(source: Source) -> Iterator[Path]:
    """The log as a plain file for as long as the block takes; BadLog if it cannot be unpacked."""
    if not source.member and not source.path.endswith(".gz"):
        yield Path(source.path)
        return
    with tempfile.TemporaryDirectory(prefix="wireproof-log-") as folder:
        path = Path(folder, "log")
        try:
            with _opened(source) as packed, path.open("wb") as plain:
                _copy(packed, plain)
        except OSError as problem:
            raise BadLog(f"{source.name} cannot be read: {problem.strerror or problem}") from None
        except (EOFError, zlib.error, zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError) as problem:
            raise BadLog(f"{source.name} cannot be unpacked: {problem}") from None
        yield path


@contextmanager
def _opened(source: Source) -> Iterator[Packed]:
    if not source.member:
        with gzip.open(source.path) as file:
            yield file
        return
    with zipfile.ZipFile(source.path) as archive, archive.open(source.member) as member:
        if not source.member.endswith(".gz"):
            yield member
            return
        with gzip.open(member) as file:
            yield file


def _copy(packed: Packed, plain: IO[bytes]) -> None:
    """A packed file may be small and yet hold more than there is room for."""
    left = LARGEST
    while piece := packed.read(_PIECE):
        left -= len(piece)
        if left < 0:
            raise RuntimeError(f"it is larger than {LARGEST:,} bytes")
        plain.write(piece)
