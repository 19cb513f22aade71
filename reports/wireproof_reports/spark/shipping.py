"""What a cluster's workers need of ours: the code as a zip, and the compiled packages it rests on as an archive.

Workers need Python of the same version, and nothing installed into it.
"""

from __future__ import annotations

import os
import re
import sys
import tarfile
import tempfile
import zipfile
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, distribution
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from wireproof.suite import cache as kept

ROOMS: Final = ("wireproof", "wireproof_harness", "wireproof_reports")
DATA: Final = {"wireproof/vectors": "wireproof.vectors", "wireproof_harness/kits": "wireproof_harness.kits"}
"""Folders whose place in a checkout is not their place in the package."""
NEEDED: Final = ("msgspec", "pyyaml", "click", "pyarrow", "numpy", "pandas", "python-dateutil", "pytz", "tzdata", "six")
UNPACKED: Final = "wireproof_packages"
LEFT_OUT: Final = frozenset({"__pycache__", "node_modules", "target", "build", "tests", "include", "bin"})
NAME: Final = re.compile(r"^[\w.-]+")


def cluster_settings() -> dict[str, str]:
    return {
        "spark.archives": f"{packages()}#{UNPACKED}",
        "spark.executorEnv.PYTHONPATH": f"./{UNPACKED}",
        "spark.executorEnv.PYTHONDONTWRITEBYTECODE": "1",
        "spark.task.maxFailures": "4",
    }


def code(folder: Path) -> Path:
    """A zip of the three packages with their data, made in a folder; Spark fetches it from there."""
    path = folder / "wireproof.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for room in ROOMS:
            _add(archive, files(room), room)
        for place, package in DATA.items():
            _add(archive, files(package), place)
    return path


def _add(archive: zipfile.ZipFile, folder: Traversable, place: str) -> None:
    known = set(archive.namelist())
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name = f"{place}/{entry.name}"
        if entry.name in LEFT_OUT or entry.name.startswith("."):
            continue
        if entry.is_dir():
            _add(archive, entry, name)
        elif name not in known:
            archive.writestr(name, entry.read_bytes())


def packages() -> Path:
    """An archive of the packages ours rest on, kept for the next time."""
    found = [each for each in NEEDED if _version(each)]
    key = sha256(repr((sys.version, [(each, _version(each)) for each in found])).encode()).hexdigest()[:24]
    path = kept.folder() / f"spark-packages-{key}.tar.gz"
    if path.exists():
        return path
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=".spark-packages-", suffix=".tar.gz")
    os.close(handle)
    try:
        with tarfile.open(aside, "w:gz", compresslevel=1) as archive:
            for each in found:
                _pack(archive, each)
        os.replace(aside, path)
    except BaseException:
        Path(aside).unlink(missing_ok=True)
        raise
    return path


def _version(name: str) -> str:
    try:
        return distribution(name).version
    except PackageNotFoundError:
        return ""


def _pack(archive: tarfile.TarFile, name: str) -> None:
    for file in distribution(name).files or ():
        inside = not file.is_absolute() and ".." not in file.parts and not LEFT_OUT & set(file.parts[:-1])
        real = Path(str(file.locate()))
        if inside and real.is_file():
            archive.add(real, str(file))
