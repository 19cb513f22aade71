"""What a user names as the implementation, and how it is reached: `reference`, a manifest, a command, an address."""

from __future__ import annotations

import shlex
import subprocess
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from wireproof.errors import WireproofError
from wireproof_harness.supervisor import Asker, Limits, Supervisor
from wireproof_harness.transports.connection import CannotStart, Transport
from wireproof_harness.transports.inprocess import NAME, InProcess
from wireproof_harness.transports.process import MEBIBYTE, Command
from wireproof_harness.transports.sockets import Dialled, Listening, address

SCHEMES: Final = ("tcp://", "unix://")
LONGEST_BUILD: Final = 600.0
LARGEST_MANIFEST: Final = 1 << 20


class BadTarget(WireproofError):
    """An implementation that is not named rightly, and how it is."""


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a manifest."""

    command: list[str] = []
    build: list[str] = []
    connect: str = ""
    listen: str = ""
    env: dict[str, str] = {}
    timeout: float = 0
    memory: int = 0
    protocols: dict[str, dict[str, Any]] = {}


class Target(msgspec.Struct, frozen=True):
    """How to reach an implementation."""

    text: str
    """As a command line would have it."""
    manifest: Manifest
    folder: Path | None = None

    @property
    def is_reference(self) -> bool:
        return self.text == NAME

    def limits(self, scale: float) -> Limits:
        """What it may take, all times multiplied."""
        usual = Limits()
        memory = self.manifest.memory * MEBIBYTE or usual.memory
        timeout = (self.manifest.timeout or usual.timeout) * scale
        return usual._replace(timeout=timeout, start=usual.start * scale, lost=usual.lost * scale, memory=memory)

    def open(self, *, scale: float = 1.0, sandbox: bool = False) -> Asker:
        """Something to ask; CannotStart if it cannot even be tried."""
        if self.is_reference:
            return InProcess()
        limits = self.limits(scale)
        self._build()
        return Supervisor(self._transport(limits.memory, sandbox), limits, self.manifest.protocols)

    def _transport(self, memory: int, sandbox: bool) -> Transport:
        manifest = self.manifest
        network = bool(manifest.connect or manifest.listen)
        command = None
        if manifest.command:
            command = Command(
                manifest.command,
                folder=self.folder,
                env=manifest.env,
                memory=memory,
                sandbox=sandbox,
                network=network,
            )
        elif sandbox:
            raise CannotStart("--sandbox is for a command that is started here, and there is none.")
        if manifest.connect:
            return Dialled(address(manifest.connect), command)
        if manifest.listen:
            return Listening(address(manifest.listen), command)
        assert command is not None
        return command

    def _build(self) -> None:
        if not self.manifest.build:
            return
        words = shlex.join(self.manifest.build)
        try:
            done = subprocess.run(
                self.manifest.build,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=LONGEST_BUILD,
                check=False,
            )
        except OSError as problem:
            raise CannotStart(f"its build cannot be started, {words}: {problem.strerror}") from None
        except subprocess.TimeoutExpired:
            raise CannotStart(f"its build took more than {LONGEST_BUILD:.0f} s: {words}") from None
        if done.returncode != 0:
            said = (done.stdout + done.stderr)[-2000:].decode("utf-8", "replace").strip()
            raise CannotStart(f"its build failed with code {done.returncode}: {words}\n{said}")


def target(words: Sequence[str], listen: str = "") -> Target:
    """What the words of a command line name; with `listen`, where it is waited for."""
    if len(words) > 1:
        return Target(shlex.join(words), Manifest(command=list(words), listen=listen))
    (word,) = words or ("",)
    if not word.strip():
        if listen:
            return Target(f"--listen {listen}", Manifest(listen=listen))
        raise BadTarget(
            "name an implementation: reference, a command, a manifest.toml, tcp://HOST:PORT or unix:///PATH"
        )
    if word == NAME:
        if listen:
            raise BadTarget("the reference does not dial: leave --listen out")
        return Target(NAME, Manifest())
    if word.startswith(SCHEMES):
        return Target(word, Manifest(connect=word))
    if word.endswith(".toml"):
        return _from_manifest(Path(word))
    try:
        command = shlex.split(word)
    except ValueError as problem:
        raise BadTarget(f"{word!r} is no command line: {problem}") from None
    return Target(word, Manifest(command=command, listen=listen))


def _from_manifest(path: Path) -> Target:
    try:
        if path.stat().st_size > LARGEST_MANIFEST:
            raise BadTarget(f"{path} is larger than a manifest can be")
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
        manifest = msgspec.convert(content, Manifest)
    except OSError as problem:
        raise BadTarget(f"the manifest {path} cannot be read: {problem.strerror}") from None
    except (ValueError, msgspec.ValidationError) as problem:
        raise BadTarget(f"the manifest {path} cannot be used: {problem}. docs/contract.md shows one.") from None
    ways = [name for name in ("connect", "listen") if getattr(manifest, name)]
    if not manifest.command and not ways:
        raise BadTarget(f"the manifest {path} says neither command nor connect nor listen: there is nothing to ask")
    if len(ways) > 1:
        raise BadTarget(f"the manifest {path} says both connect and listen: leave one out")
    if manifest.timeout < 0 or manifest.memory < 0:
        raise BadTarget(f"the manifest {path}: timeout and memory are above 0")
    return Target(str(path), manifest, path.parent.resolve())
