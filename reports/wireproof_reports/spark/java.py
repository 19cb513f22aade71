"""The Java that Spark runs on: whether it is there, and what to do if it is not."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

from wireproof.errors import WireproofError

OLDEST: Final = 17
VERSION: Final = re.compile(r'version "(?:1\.)?(\d+)([^"]*)"')
INSTALL: Final = (
    f"Install Java {OLDEST} or newer (Debian: apt-get install default-jre-headless) "
    "and have `java` on PATH, or set JAVA_HOME."
)


class NoSpark(WireproofError):
    """Spark cannot run here, and what to do about it."""


@cache
def java() -> tuple[Path, str]:
    """The program and its version; NoSpark if it is missing or too old."""
    home = os.environ.get("JAVA_HOME", "")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else shutil.which("java")
    if found is None:
        where = f"JAVA_HOME is {home}, and there is no bin/java" if home else "there is no `java` on PATH"
        raise NoSpark(f"Spark needs Java, and {where}. {INSTALL}")
    said = subprocess.run([found, "-version"], capture_output=True, text=True, check=False).stderr
    version = VERSION.search(said)
    if version is None:
        raise NoSpark(f"Spark needs Java, and {found} does not tell its version. {INSTALL}")
    if int(version[1]) < OLDEST:
        raise NoSpark(f"Spark needs Java {OLDEST} or newer; {found} is {version[1]}. {INSTALL}")
    return Path(found).resolve(), version[1] + version[2]
