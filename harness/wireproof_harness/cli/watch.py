"""Waiting for a change to the files of an adapter."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from wireproof_harness.target import Target

EVERY: Final = 0.3
LEFT_OUT: Final = {"node_modules", "target", "build", "dist", "__pycache__"}
MOST: Final = 5000


def watched(target: Target) -> list[Path]:
    """The folders whose files belong to an adapter: that of its manifest, or those its command names."""
    if target.folder is not None:
        return [target.folder]
    program, *words = target.manifest.command or [""]
    files = [Path(word) for word in words if os.path.isfile(word)]
    if os.path.isfile(program) and Path(program).resolve().is_relative_to(Path.cwd()):
        files.append(Path(program))  # an adapter by itself, not an interpreter from elsewhere
    return list(dict.fromkeys(file.resolve().parent for file in files))


def baseline_for(target: Target, folders: list[Path], before: dict[str, int]) -> dict[str, int]:
    """What a change is measured against: for files the command names, from before the run; for others, from after it.

    An adapter may write beside its files as it runs, and must not set itself off again.
    """
    named = {str(Path(word).resolve()) for word in target.manifest.command if os.path.isfile(word)}
    return snapshot(folders) | {path: changed for path, changed in before.items() if path in named}


def snapshot(folders: list[Path]) -> dict[str, int]:
    """When each file was last changed."""
    found: dict[str, int] = {}
    for folder in folders:
        for path, changed in _files(folder):
            found[path] = changed
            if len(found) >= MOST:
                return found
    return found


def _files(folder: Path) -> Iterator[tuple[str, int]]:
    for place, inside, names in os.walk(folder):
        inside[:] = [name for name in inside if name not in LEFT_OUT and not name.startswith(".")]
        for name in names:
            path = os.path.join(place, name)
            try:
                yield path, os.stat(path).st_mtime_ns
            except OSError:
                continue  # an editor has just replaced it


def wait_for_change(folders: list[Path], before: dict[str, int]) -> str:
    """The name of a file that is new, gone or changed."""
    while True:
        time.sleep(EVERY)
        now = snapshot(folders)
        changed = [path for path in now.keys() | before.keys() if now.get(path) != before.get(path)]
        if changed:
            return os.path.basename(min(changed))
