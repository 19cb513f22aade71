"""Where the results of a check lie, and whether what is there already belongs to it.

The same command goes on with a check that was interrupted. It begins anew after one that was
finished: whoever asks again has changed something, perhaps where nobody here can see it.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from pyspark.sql import SparkSession

from wireproof import __version__
from wireproof_harness.claims import Claims
from wireproof_harness.target import Target
from wireproof_reports.corpus.store import BadCorpus, Corpus
from wireproof_reports.spark import storage

RUN: Final = "check.json"
FINISHED: Final = "finished.json"
RESULTS_FOLDER: Final = "results"
TABLES: Final = ("compliance", "disagreements")
LARGEST: Final = 64 << 20
"""Bytes of a program's file that are looked at to see whether it has changed."""


class Implementation(NamedTuple):
    """Who is asked."""

    name: str
    """Unique in a run."""
    target: Target
    claims: Claims


class Checked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run of checks is about: results of another one must not be mixed with it."""

    run: str
    corpus: str
    digest: str
    frames: int
    implementations: dict[str, str]
    """For each name how it is reached."""
    builds: dict[str, str]
    """For each name a digest of what it says of itself and of the files that its command names."""
    wave: int
    """Files in a wave. Who goes on has to cut the corpus alike, and has perhaps other cores, or fewer so far."""
    suite: str = __version__


def describe(corpus: Corpus, implementations: list[Implementation], wave: int) -> Checked:
    named = {each.name: each.target.text for each in implementations}
    builds = {each.name: _build(each) for each in implementations}
    key = repr((corpus.manifest.digest, sorted(named.items()), sorted(builds.items()), __version__)).encode()
    run = sha256(key).hexdigest()[:16]
    path = storage.located(corpus.path)
    return Checked(run, path, corpus.manifest.digest, corpus.manifest.frames, named, builds, wave)


def _build(each: Implementation) -> str:
    seen = sha256(repr((each.claims, each.target.manifest)).encode())
    for word in each.target.manifest.command:
        path = (each.target.folder or Path.cwd()) / word
        if path.is_file() and path.stat().st_size <= LARGEST:
            seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def settle(session: SparkSession, out: str, checked: Checked) -> Checked:
    """Say what the folder is about, or what it has said before; BadCorpus if that is something else."""
    before = _before(session, out)
    if before is not None:
        if (before.corpus, before.implementations) != (checked.corpus, checked.implementations):
            raise BadCorpus(
                f"{out} holds the results of another check ({', '.join(before.implementations)} on {before.corpus}): "
                "name another --out, or replace them with --overwrite."
            )
        if not storage.exists(session, storage.join(out, FINISHED)):
            if before.run == checked.run:
                return before
            raise BadCorpus(
                f"{out} holds a check that was interrupted, and {_changed(before, checked)} since: "
                "begin anew with --overwrite, or name another --out."
            )
        clear(session, out)
    _write(session, out, RUN, checked)
    return checked


def _changed(before: Checked, now: Checked) -> str:
    names = [name for name, build in now.builds.items() if before.builds.get(name) != build]
    if before.digest != now.digest:
        names.append("the corpus")
    if before.suite != now.suite:
        names.append("wireproof")
    return f"{' and '.join(names) or 'something'} changed"


def _before(session: SparkSession, out: str) -> Checked | None:
    place = storage.join(out, RUN)
    if not storage.exists(session, place):
        if storage.is_file(session, out) or storage.files(session, out) or storage.folders(session, out):
            raise BadCorpus(f"{out} holds something that is no check, and is left alone: name another --out.")
        return None
    try:
        return msgspec.json.decode(storage.read(session, place), type=Checked)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BadCorpus(f"{place} cannot be used: {problem}. Name another --out, or use --overwrite.") from None


def clear(session: SparkSession, out: str) -> None:
    """Take away a check that is there, its name last; whatever else lies there stays."""
    if not storage.exists(session, storage.join(out, RUN)):
        return
    for name in (*TABLES, RESULTS_FOLDER, FINISHED, RUN):
        storage.remove(session, storage.join(out, name))


def finish(session: SparkSession, out: str, told: Any) -> None:
    """Every table is written: what was found, for programs that do not read Parquet."""
    _write(session, out, FINISHED, told)


def _write(session: SparkSession, out: str, name: str, content: Any) -> None:
    storage.write(session, storage.join(out, name), msgspec.json.format(msgspec.json.encode(content), indent=1))
