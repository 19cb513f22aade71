"""The suite as it was last read, kept in the user's cache folder.

An entry is named by the digest of all vector files and of whatever decides how they are
read, and carries the digest of its own content: what does not fit is read again from the
files, never believed. It is written aside and renamed, so nobody sees half of one.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

import wireproof
from wireproof.suite.model import FORMAT, Expect, Suite, Vector

OFF: Final = "WIREPROOF_NO_CACHE"
KEPT: Final = 8
"""So many entries stay; the oldest go when a new one is written."""


def folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "wireproof"


def entry(digest: str) -> Path:
    """Where the suite with this content is kept."""
    fields = (Suite.__struct_fields__, Vector.__struct_fields__, Expect.__struct_fields__)
    key = sha256(repr((FORMAT, wireproof.__version__, msgspec.__version__, fields, digest)).encode())
    return folder() / f"suite-{key.hexdigest()}.json"


def read(digest: str) -> Suite | None:
    """The suite with this content, or None if it is not kept or not intact."""
    if os.environ.get(OFF):
        return None
    try:
        content = entry(digest).read_bytes()
    except (OSError, RuntimeError):  # RuntimeError: there is no home folder
        return None
    seal, payload = content[:32], content[32:]
    if seal != _seal(digest, payload):
        return None
    try:
        suite = msgspec.json.decode(payload, type=Suite)
    except msgspec.DecodeError:
        return None
    return suite if suite.digest == digest else None


def write(suite: Suite) -> None:
    """Keep a suite; where that is not possible, the next run is slower and that is all."""
    if os.environ.get(OFF):
        return
    with suppress(OSError, RuntimeError):
        payload = msgspec.json.encode(suite)
        target = entry(suite.digest)
        target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _replace(target, _seal(suite.digest, payload) + payload)
        _forget_oldest(target.parent)


def _seal(digest: str, payload: bytes) -> bytes:
    return sha256(digest.encode() + payload).digest()


def _replace(target: Path, content: bytes) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".suite-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(name, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(name)
        raise


def _forget_oldest(where: Path) -> None:
    entries = sorted(where.glob("suite-*.json"), key=lambda path: path.stat().st_mtime, reverse=True)
    for path in entries[KEPT:]:
        path.unlink(missing_ok=True)
