"""Archives that CI keeps: what logs are in them, and their bytes. Nothing is ever unpacked under a name of theirs."""

from __future__ import annotations

import gzip
import lzma
import re
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from wireproof_harness.results import BadLog

LOGS: Final = (".jsonl", ".jsonl.gz")
ZIP: Final = ".zip"
TARS: Final = (".tar", ".tar.gz", ".tgz", ".tar.xz", ".tar.bz2")
ARCHIVES: Final = (ZIP, *TARS)
DAMAGES: Final = (
    *(gzip.BadGzipFile, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, tarfile.TarError),
    *(KeyError, RuntimeError, NotImplementedError, ValueError),
)
"""What the readers of archives raise about bytes that are not in order, encrypted or packed in an unknown way."""
Packed = IO[bytes] | gzip.GzipFile


def members(path: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """The logs in an archive, and those that are not taken, with the reason; BadLog if it cannot be read."""
    with readable(str(path)):
        names = _in_zip(path) if path.name.endswith(ZIP) else _in_tar(path)
    logs = Counter(name for name in names if name.endswith(LOGS))
    if not logs:
        raise BadLog(f"holds no log: nothing in it ends in {' or '.join(LOGS)}")
    refused = {name: reason for name, number in logs.items() if (reason := _refused(name, number))}
    return sorted(logs.keys() - refused.keys()), sorted(refused.items())


def _refused(name: str, number: int) -> str:
    if number > 1:
        return f"the archive has {number} files of this name. Pack it again."
    if ".." in re.split(r"[/\\]", name) or re.match(r"[/\\]|\w:", name):
        return "its name leads out of the archive. Pack it again, without such names."
    return ""


def _in_zip(path: Path) -> list[str]:
    with zipfile.ZipFile(path) as archive:
        return [info.filename for info in archive.infolist() if not info.is_dir()]


def _in_tar(path: Path) -> list[str]:
    with tarfile.open(path) as archive:
        names = [info.name for info in archive.getmembers() if info.isfile()]
        # tarfile takes a torn archive for one that ends early; a whole one ends in zeros.
        assert archive.fileobj is not None
        archive.fileobj.seek(archive.offset)
        if archive.fileobj.read(tarfile.BLOCKSIZE) != tarfile.NUL * tarfile.BLOCKSIZE:
            raise tarfile.ReadError("it is cut off")
    return names


@contextmanager
def readable(name: str) -> Iterator[None]:
    """What is wrong with a file or an archive as BadLog."""
    try:
        yield
    except DAMAGES as problem:
        raise BadLog(f"{name} cannot be unpacked: {problem}") from None
    except OSError as problem:
        raise BadLog(f"{name} cannot be read: {problem.strerror or problem}") from None


@contextmanager
def opened(path: str, member: str) -> Iterator[Packed]:
    """The bytes of a packed log, or of a member of an archive."""
    if not member:
        with gzip.open(path) as file:
            yield file
    else:
        with _member(path, member) as packed:
            if not member.endswith(".gz"):
                yield packed
                return
            with gzip.open(packed) as file:
                yield file


@contextmanager
def _member(path: str, name: str) -> Iterator[IO[bytes]]:
    if path.endswith(ZIP):
        with zipfile.ZipFile(path) as archive, archive.open(name) as member:
            yield member
        return
    with tarfile.open(path) as tar:
        found = tar.extractfile(name)
        if found is None:
            raise KeyError(name)
        with found:
            yield found
