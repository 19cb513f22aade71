"""Checking files: the whole suite, one protocol, or the file somebody is just writing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from wireproof.codec import PROTOCOLS
from wireproof.suite.lint import lint
from wireproof.suite.load import FOLDERS, read_files, suite_folder, vector_files
from wireproof.suite.model import Suite, Vector
from wireproof.suite.problems import Problem, SuiteError


class Checked(NamedTuple):
    """How many vectors were looked at, and what is wrong with them."""

    vectors: list[Vector]
    problems: list[Problem]
    suite: Suite
    """All vectors of the protocols concerned."""


class Place(NamedTuple):
    """A part of a suite: its folder, a protocol, and the beginning of the names of the files meant."""

    root: Path
    protocol: str
    names: str


def check(paths: Sequence[Path] = ()) -> Checked:
    """Load and lint what the paths name, the whole suite for none; twins are looked up in the protocol."""
    places = [place for path in paths for place in places_of(path)] or _whole()
    vectors: list[Vector] = []
    problems: list[Problem] = []
    suites: list[Vector] = []
    for root in dict.fromkeys(place.root for place in places):
        mine = [place for place in places if place.root == root]
        suite, found = read_files(
            vector_files(root, [name for name in PROTOCOLS if name in {p.protocol for p in mine}])
        )
        names = tuple(place.names for place in mine)
        problems += [problem for problem in found if problem.file.startswith(names)]
        problems += lint(suite, lambda vector, names=names: vector.file.startswith(names))  # type: ignore[misc]
        vectors += [vector for vector in suite.vectors if vector.file.startswith(names)]
        suites += suite.vectors
    return Checked(vectors, sorted(set(problems)), Suite(suites))


def _whole() -> list[Place]:
    return list(_protocols(Path(str(suite_folder()))))


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
