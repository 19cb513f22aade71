"""Running an implementation inside bubblewrap: it sees the file system but cannot change it, and has no network."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from wireproof_harness.transports.connection import CannotStart


def sandboxed(command: Sequence[str], folder: Path | None, *, network: bool) -> list[str]:
    """The command with bubblewrap before it; CannotStart if that is not there or not allowed here."""
    program = shutil.which("bwrap")
    if program is None:
        raise CannotStart(
            "--sandbox needs bubblewrap. Install it (apt-get install bubblewrap), or leave --sandbox out."
        )
    wrap = [program, "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc", "--tmpfs", "/tmp"]
    if folder is not None:  # it may be below /tmp, which is empty in there
        wrap += ["--ro-bind", str(folder), str(folder), "--chdir", str(folder)]
    wrap += ["--unshare-all", *(["--share-net"] if network else []), "--die-with-parent"]
    # In a session of its own, like an implementation: what bubblewrap leaves to be collected is known by that.
    trial = subprocess.run(
        [*wrap, "--", "/bin/true"], capture_output=True, text=True, check=False, start_new_session=True
    )
    if trial.returncode != 0:
        why = trial.stderr.strip()[:200] or f"code {trial.returncode}"
        raise CannotStart(f"--sandbox: bubblewrap does not work here ({why}). Leave --sandbox out.")
    return [*wrap, "--", *command]
