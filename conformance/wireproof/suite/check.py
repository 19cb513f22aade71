"""Checking files: the whole suite, one protocol, or the file somebody is just writing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from wireproof.codec import PROTOCOLS
from wireproof.suite import ids
from wireproof.suite.lint import lint
from wireproof.suite.load import FOLDERS, File, read_files, suite_folder, vector_files
from wireproof.suite.model import PREFIXES, Suite, Vector
from wireproof.suite.problems import Problem, SuiteError


class Checked(NamedTuple):
    """What was looked at, what is wrong with it, and how many of its ids are not recorded."""

    vectors: list[Vector]
    problems: list[Problem]
    new: int


class Place(NamedTuple):
    """A part of a suite: its folder, a protocol, and how the names of the files meant begin."""

    root: Path
    protocol: str
    names: str


def check(paths: Sequence[Path] = (), accepted: Collection[str] = ()) -> Checked:
    """Load and lint what the paths name, the whole suite for none; twins are looked up in the protocol.

    Recorded ids may not change, except those `accepted`.
    """
    vectors: list[Vector] = []
    problems: list[Problem] = []
    new = 0
    for root, places in _by_root(paths).items():
        names = tuple(place.names for place in places)
        suite, found = read_files(_files(root, places))
        mine = [vector for vector in suite.vectors if vector.file.startswith(names)]
        selected = {vector.id for vector in mine}
        problems += [problem for problem in found if problem.file.startswith(names)]
        problems += lint(suite, lambda vector, selected=selected: vector.id in selected)  # type: ignore[misc]
        lock = {name: entry for name, entry in recorded(root).items() if name not in accepted}
        whole = {PREFIXES[place.protocol] for place in places if place.names == f"{place.protocol}/"}
        problems += ids.changes(mine, lock) + ids.missing(suite, lock, whole)
        new += len(ids.unrecorded(mine, lock)) - len(selected.intersection(accepted))
        vectors += mine
    return Checked(vectors, sorted(set(problems)), new)


def _by_root(paths: Sequence[Path]) -> dict[Path, list[Place]]:
    places = [place for path in paths for place in places_of(path)] if paths else list(_protocols(root_folder()))
    grouped: dict[Path, list[Place]] = {}
    for place in places:
        grouped.setdefault(place.root, []).append(place)
    return grouped


def _files(root: Path, places: Iterable[Place]) -> Iterator[File]:
    concerned = {place.protocol for place in places}
    return vector_files(root, [name for name in PROTOCOLS if name in concerned])


def root_folder() -> Path:
    """The suite's folder, where it is a folder that can be written to."""
    return Path(str(suite_folder()))


def recorded(root: Path) -> ids.Lock:
    """The ids recorded for a suite; none for a suite without a record."""
    lock = root / ids.LOCK
    return ids.read_lock(lock.read_text(encoding="utf-8")) if lock.is_file() else {}


def record_ids(paths: Sequence[Path], accepted: Collection[str]) -> int:
    """Add new ids to the record; how many lines of it are new or changed."""
    count = 0
    for root, places in _by_root(paths).items():
        names = tuple(place.names for place in places)
        suite, problems = read_files(_files(root, places))
        if problems:
            raise SuiteError(problems)
        before = recorded(root)
        here = Suite([vector for vector in suite.vectors if vector.file.startswith(names) or vector.id in accepted])
        after = ids.record(here, before, accepted)
        count += sum(before.get(name) != entry for name, entry in after.items())
        (root / ids.LOCK).write_text(ids.lock_text(after), encoding="utf-8")
    return count


def files_of(paths: Sequence[Path]) -> Iterator[tuple[Path, File]]:
    """The vector files that paths name, with their places."""
    for root, places in _by_root(paths).items():
        names = tuple(place.names for place in places)
        for file in _files(root, places):
            if file.name.startswith(names):
                yield root / file.name, file


def load_for(target: Path | None, protocol: str) -> Suite:
    """The vectors of a protocol, in the suite that a file belongs to."""
    suite, problems = read_files(vector_files(_root_of(target), [protocol]))
    if problems:
        raise SuiteError(sorted(problems))
    return suite


def known_ids(target: Path | None) -> Collection[str]:
    """Ids that were given before, in the suite that a file belongs to."""
    return recorded(_root_of(target))


def _root_of(target: Path | None) -> Path:
    return root_folder() if target is None else target.absolute().parents[2]


def _protocols(root: Path) -> Iterable[Place]:
    return (Place(root, name, f"{name}/") for name in PROTOCOLS)


def places_of(path: Path) -> list[Place]:
    """What a path means: a file of vectors, a folder of them, a protocol, or a whole suite."""
    absolute = path.absolute()
    if not absolute.exists():
        raise SuiteError([Problem(str(path), 1, "there is no such file", "Name a vector file or a folder of them")])
    parts = (absolute.parent.parent.name, absolute.parent.name, absolute.name)
    if parts[0] in PROTOCOLS and parts[1] in FOLDERS:
        return [Place(absolute.parents[2], parts[0], "/".join(parts))]
    if parts[1] in PROTOCOLS and parts[2] in FOLDERS:
        return [Place(absolute.parents[1], parts[1], f"{parts[1]}/{parts[2]}/")]
    if parts[2] in PROTOCOLS:
        return [Place(absolute.parent, parts[2], f"{parts[2]}/")]
    if any((absolute / name).is_dir() for name in PROTOCOLS):
        return list(_protocols(absolute))
    advice = "Vector files are <protocol>/accept/<topic>.yaml and <protocol>/reject/<topic>.yaml"
    raise SuiteError([Problem(str(path), 1, "not in the folder of a protocol", advice)])
