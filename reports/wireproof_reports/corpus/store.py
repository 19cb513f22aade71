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
UNFINISHED: Final = "corpus.unfinished"
"""There while a corpus is being made; then the manifest comes in its place."""
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
    files: dict[str, int]
    """How many frames are in which; what else lies there has nothing to do with it."""
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
    present = frame_files(session, path)
    unreadable = {file: reason for name, file in present.items() if (reason := _problem(session, manifest, name, file))}
    missing = {storage.join(frames_folder(path), name): "it is missing" for name in manifest.files.keys() - present}
    whole = [file for file in present.values() if file not in unreadable]
    return readable(Corpus(path, manifest, whole, missing | unreadable))


def readable(corpus: Corpus) -> Corpus:
    """The same; BadCorpus if nothing is left of it."""
    if corpus.files:
        return corpus
    reasons = "; ".join(dict.fromkeys(corpus.unreadable.values()))
    raise BadCorpus(f"{corpus.path} has no file of frames that can be read ({reasons}): generate it again.")


def frame_files(session: SparkSession, path: str) -> dict[str, str]:
    """Names of the files of frames, and where they are."""
    found = sorted(file for file in storage.files(session, frames_folder(path)) if file.endswith(".parquet"))
    return {storage.name_of(file): file for file in found}


def _manifest(session: SparkSession, path: str) -> Manifest:
    place = storage.join(path, MANIFEST)
    if not storage.exists(session, path):
        raise BadCorpus(f"there is no corpus {path}: make one with `wireproof corpus generate {path}`.")
    if not storage.exists(session, place):
        if storage.exists(session, storage.join(path, UNFINISHED)):
            raise BadCorpus(f"generating {path} was not finished: run the same `wireproof corpus generate` again.")
        raise BadCorpus(f"{path} is no corpus: it has no {MANIFEST}.")
    try:
        manifest = msgspec.json.decode(storage.read(session, place), type=Manifest)
    except (msgspec.DecodeError, UnicodeDecodeError) as problem:
        raise BadCorpus(f"{place} cannot be used: {problem}") from None
    if manifest.recipe.corpus != CORPUS:
        raise BadCorpus(f"{place} is of version {manifest.recipe.corpus}; this suite reads {CORPUS}")
    for source in manifest.recipe.sources:
        if source.protocol not in PROTOCOLS:
            raise BadCorpus(f"{place}: there is no protocol {source.protocol!r}; there are {', '.join(PROTOCOLS)}")
        try:
            source.codec()
        except WireproofError as problem:
            raise BadCorpus(f"{place} cannot be used: {problem}") from None
    return manifest


def _problem(session: SparkSession, manifest: Manifest, name: str, file: str) -> str:
    """Why a file is not read; empty if its end is there."""
    if name not in manifest.files:
        return f"{MANIFEST} does not name it, so its frames are none of this corpus"
    size = storage.size(session, file)
    if size < 12:
        return f"it has {size} bytes, too few for Parquet"
    if storage.last_int(session, file, size) != PARQUET:
        return f"it does not end as Parquet does: it was cut off after {size:,} bytes, or overwritten"
    return ""


def vacant(session: SparkSession, path: str, *, overwrite: bool) -> None:
    """That a corpus may be written there; BadCorpus if something else is there."""
    if storage.is_file(session, path):
        raise BadCorpus(f"{path} is a file: name a folder.")
    if not storage.files(session, path) and not storage.folders(session, path):
        return
    if storage.exists(session, storage.join(path, MANIFEST)):
        if not overwrite:
            raise BadCorpus(f"{path} holds a corpus: name another folder, or replace it with --overwrite.")
    elif not storage.exists(session, storage.join(path, UNFINISHED)):
        raise BadCorpus(f"{path} holds something that is no corpus, and is left alone: name another folder.")
