"""Small files wherever Spark can write: local folders, HDFS, object stores. Paths are Hadoop's."""

from __future__ import annotations

import os
import re
from typing import Any, Final

from wireproof.errors import WireproofError

SCHEME: Final = re.compile(r"[a-z][a-z0-9+.-]*:/")


class StorageError(WireproofError):
    """A file that cannot be written or read, and why."""


def join(folder: str, name: str) -> str:
    return f"{folder.rstrip('/')}/{name}"


def name_of(path: str) -> str:
    """The last word of a path."""
    return path.rpartition("/")[2]


def located(path: str) -> str:
    """A path as Spark's workers understand it: a local one becomes absolute."""
    return path if SCHEME.match(path) else os.path.abspath(path)


def _place(session: Any, path: str) -> tuple[Any, Any]:
    context = session.sparkContext
    place = context._jvm.org.apache.hadoop.fs.Path(located(path))
    return place.getFileSystem(context._jsc.hadoopConfiguration()), place


def exists(session: Any, path: str) -> bool:
    system, place = _place(session, path)
    return bool(system.exists(place))


def is_file(session: Any, path: str) -> bool:
    system, place = _place(session, path)
    return bool(system.exists(place) and system.getFileStatus(place).isFile())


def size(session: Any, path: str) -> int:
    system, place = _place(session, path)
    return int(system.getFileStatus(place).getLen())


def files(session: Any, folder: str) -> list[str]:
    """The files right inside a folder; none if there is no such folder."""
    system, place = _place(session, folder)
    if not system.exists(place):
        return []
    return [str(status.getPath().toString()) for status in system.listStatus(place) if status.isFile()]


def folders(session: Any, folder: str) -> list[str]:
    """The names of the folders right inside a folder."""
    system, place = _place(session, folder)
    if not system.exists(place):
        return []
    return sorted(status.getPath().getName() for status in system.listStatus(place) if status.isDirectory())


def read(session: Any, path: str) -> bytes:
    system, place = _place(session, path)
    stream = system.open(place)
    try:
        return bytes(session.sparkContext._jvm.org.apache.commons.io.IOUtils.toByteArray(stream))
    finally:
        stream.close()


def last_int(session: Any, path: str, length: int) -> int:
    """The last four bytes of a file as a number."""
    system, place = _place(session, path)
    stream = system.open(place)
    try:
        stream.seek(length - 4)
        return int(stream.readInt())
    finally:
        stream.close()


def write(session: Any, path: str, content: bytes) -> None:
    """Write a file aside and rename it, so that nobody sees half of it."""
    system, place = _place(session, path)
    _, aside = _place(session, f"{path}.part")
    stream = system.create(aside, True)
    try:
        stream.write(bytearray(content))
    finally:
        stream.close()
    system.delete(place, False)
    if not system.rename(aside, place):
        raise StorageError(f"{path} cannot be written")


def remove(session: Any, path: str) -> None:
    system, place = _place(session, path)
    system.delete(place, True)
