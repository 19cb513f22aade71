"""A corpus on disk: its manifest, its files, and which of them can be read."""

from __future__ import annotations

from typing import Final, NamedTuple

import msgspec
from pyspark.sql import DataFrame, SparkSession

from wireproof import __version__
from wireproof.codec import PROTOCOLS
from wireproof.errors import WireproofError
from wireproof_reports.corpus.recipe import CORPUS, Recipe
from wireproof_reports.corpus.schemas import FRAMES
from wireproof_reports.spark import storage

MANIFEST: Final = "corpus.json"
PARQUET: Final = 0x50415231
"""A whole Parquet file ends with the letters PAR1."""


class BadCorpus(WireproofError):
    """A corpus that cannot be used, and what to do."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a corpus was made of, and what lies in it."""

    recipe: Recipe
    frames: int
    digest: str
    """Of all frames and answers, in whatever order they lie."""
    protocols: dict[str, int]
    kinds: dict[str, int]
    errors: dict[str, int]


class Corpus(NamedTuple):
    """A corpus that can be read."""

    path: str
    manifest: Manifest
    files: list[str]
    unreadable: dict[str, str]
    """Files that cannot be read, and why."""

    def frames(self, session: SparkSession, files: list[str] | None = None) -> DataFrame:
        return session.read.schema(FRAMES).parquet(*(self.files if files is None else files))


def frames_folder(path: str) -> str:
    return storage.join(path, "frames")


def open_corpus(session: SparkSession, path: str) -> Corpus:
    """The corpus in a folder; BadCorpus if there is none, or an unfinished one."""
    manifest = _manifest(session, path)
    if manifest.recipe.suite != __version__:
        raise BadCorpus(
            f"{path} was made by wireproof {manifest.recipe.suite}, this is {__version__}: its answers may be others. "
            "Generate it again with the same --seed."
        )
    files = sorted(file for file in storage.files(session, frames_folder(path)) if file.endswith(".parquet"))
    unreadable = {file: reason for file in files if (reason := _problem(session, file))}
    whole = [file for file in files if file not in unreadable]
    if not whole:
        raise BadCorpus(f"{path} has no file of frames that can be read: generate it again.")
    return Corpus(path, manifest, whole, unreadable)


def _manifest(session: SparkSession, path: str) -> Manifest:
    place = storage.join(path, MANIFEST)
    if not storage.exists(session, path):
        raise BadCorpus(f"there is no corpus {path}: make one with `wireproof corpus generate {path}`.")
    if not storage.exists(session, place):
        raise BadCorpus(
            f"{path} has no {MANIFEST}: it is no corpus, or generating it was not finished. "
            "Generate it again with --overwrite."
        )
    try:
        manifest = msgspec.json.decode(storage.read(session, place), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BadCorpus(f"{place} cannot be used: {problem}") from None
    if manifest.recipe.corpus != CORPUS:
        raise BadCorpus(f"{place} is of version {manifest.recipe.corpus}; this suite reads {CORPUS}")
    for source in manifest.recipe.sources:
        if source.protocol not in PROTOCOLS:
            raise BadCorpus(f"{place}: there is no protocol {source.protocol!r}; there are {', '.join(PROTOCOLS)}")
    return manifest


def _problem(session: SparkSession, file: str) -> str:
    """Why a file cannot be read; empty if its end is there."""
    size = storage.size(session, file)
    if size < 12:
        return f"it has {size} bytes, too few for Parquet"
    if storage.last_int(session, file, size) != PARQUET:
        return f"it does not end as Parquet does: it was cut off after {size:,} bytes, or overwritten"
    return ""


def vacant(session: SparkSession, path: str, *, overwrite: bool) -> None:
    """That a corpus may be written there; BadCorpus if something else is there."""
    if not storage.files(session, path) and not storage.folders(session, path):
        return
    if not overwrite:
        raise BadCorpus(f"{path} is not empty: name another folder, or replace what is there with --overwrite.")
    if not storage.exists(session, storage.join(path, MANIFEST)) and not storage.exists(session, frames_folder(path)):
        raise BadCorpus(f"{path} holds something that is no corpus, and is left alone: name another folder.")
