"""Reading the vector files: all of them, or an error that says what is wrong where."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wireproof.codec import PROTOCOLS
from wireproof.suite import cache
from wireproof.suite.model import Suite, Vector
from wireproof.suite.problems import Problem, SuiteError

if TYPE_CHECKING:
    from wireproof.suite.strictyaml import Reader

FOLDERS: Final = ("accept", "reject")


class File(NamedTuple):
    """A vector file, read but not yet understood."""

    name: str
    """Where it is: the path below the suite's folder."""
    protocol: str
    content: bytes


def suite_folder() -> Traversable:
    """The folder of the suite that comes with the package."""
    return files("wireproof.vectors")


def load_suite(folder: Traversable | Path | None = None, *, cached: bool = True) -> Suite:
    """Every vector of the suite; SuiteError if any file of it is broken."""
    found = list(vector_files(suite_folder() if folder is None else folder))
    digest = content_digest(found)
    with _without_collector():
        suite = cache.read(digest) if cached else None
    if suite is None:
        suite, problems = read_files(found, digest)
        problems = problems or linked(suite)  # what could not be read may be the twin that seems to be missing
        if problems:
            raise SuiteError(sorted(problems))
        if cached:
            cache.write(suite)
    return suite


def vector_files(folder: Traversable | Path, protocols: Iterable[str] = PROTOCOLS) -> Iterator[File]:
    """The vector files below a folder, in the order of their names."""
    for protocol in protocols:
        for half in FOLDERS:
            room = folder.joinpath(protocol).joinpath(half)
            if not room.is_dir():
                continue
            for file in sorted(room.iterdir(), key=lambda file: file.name):
                name = f"{protocol}/{half}/{file.name}"
                if not file.name.startswith("."):
                    yield File(name, protocol, _content(file, name))


def _content(file: Traversable | Path, name: str) -> bytes:
    if not file.name.endswith(".yaml"):
        raise SuiteError([Problem(name, 1, "not a .yaml file", "Rename it, or keep it elsewhere")])
    try:
        return file.read_bytes()
    except OSError as error:
        raise SuiteError([Problem(name, 1, f"cannot be read: {error.strerror}", "Make it a readable file")]) from None


def content_digest(found: Iterable[File]) -> str:
    whole = sha256()
    for file in found:
        whole.update(file.name.encode() + b"\0" + sha256(file.content).digest())
    return whole.hexdigest()


def read_files(found: Iterable[File], digest: str = "") -> tuple[Suite, list[Problem]]:
    """The sound vectors of some files, and what is wrong with the others."""
    vectors: list[Vector] = []
    problems: list[Problem] = []
    with _without_collector():
        for file in found:
            reader = _read(file, vectors)
            problems += reader.problems
    return Suite(vectors, digest), problems + repeated(vectors)


def _read(file: File, vectors: list[Vector]) -> Reader:
    from wireproof.suite.shape import vector_of
    from wireproof.suite.strictyaml import Reader

    reader = Reader(file.name)
    found = (vector_of(entry, file.protocol, reader) for entry in reader.read(file.content) if entry.sound)
    vectors.extend(vector for vector in found if vector is not None)
    return reader


@contextmanager
def _without_collector() -> Iterator[None]:
    """Many small objects that all stay: looking for garbage among them takes most of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def repeated(vectors: Iterable[Vector]) -> list[Problem]:
    """Ids that were given twice."""
    first: dict[str, Vector] = {}
    problems = []
    for vector in vectors:
        other = first.setdefault(vector.id, vector)
        if other is not vector:
            advice = f"It is taken at {other.file}:{other.line}; take the next free number"
            problems.append(Problem(vector.file, vector.line, f"the id {vector.id} a second time", advice))
    return problems


def linked(suite: Suite) -> list[Problem]:
    """Twins that do not exist."""
    return [
        Problem(
            vector.file, vector.line_of("twin"), f"the twin {vector.twin} does not exist", "Name an accepted vector"
        )
        for vector in suite.vectors
        if vector.twin and vector.twin not in suite.by_id
    ]
