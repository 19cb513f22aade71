"""`wireproof check --watch`: checks again when a file of the adapter changes, whatever state it is in."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from testees import ACCEPTS, adapter
from wireproof_harness.cli.watch import baseline_for, snapshot, watched
from wireproof_harness.target import target

PATIENCE = 60.0


class Watching:
    """The command, running; its lines as they come."""

    def __init__(self, words: str, folder: Path) -> None:
        program = [sys.executable, "-c", "from wireproof_harness.cli import main; raise SystemExit(main())"]
        arguments = ["check", words, "--id", "COMET-SUBSCRIBE-501/decode", "--watch"]
        self.process = subprocess.Popen(
            program + arguments, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self._lines: Queue[str] = Queue()
        self._reader = Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self._lines.put(line)

    def until(self, text: str) -> None:
        end = time.monotonic() + PATIENCE
        seen = []
        while time.monotonic() < end:
            try:
                seen.append(self._lines.get(timeout=0.2))
            except Empty:
                continue
            if text in seen[-1]:
                return
        pytest.fail(f"no line with {text!r} in {seen}")

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        assert self.process.stdout
        self.process.stdout.close()
        return code


@pytest.fixture
def watching(tmp_path: Path) -> Iterator[Watching]:
    found = Watching(adapter(tmp_path, ACCEPTS), tmp_path)
    yield found
    if found.process.poll() is None:
        found.process.kill()
        found.stop()


def change(folder: Path, *changes: str) -> None:
    adapter(folder, *changes)
    later = time.time() + 5  # a file system may not tell times apart that are close together
    os.utime(folder / "adapter.py", (later, later))


def test_it_checks_again_on_a_change_and_survives_an_adapter_that_does_not_start(
    watching: Watching, tmp_path: Path
) -> None:
    watching.until("does not conform")
    watching.until("watching")
    change(tmp_path, "raise SystemExit(7)")
    watching.until("exit code 7")
    watching.until("watching")
    change(tmp_path)
    os.utime(tmp_path / "adapter.py", (time.time() + 50, time.time() + 50))
    watching.until("conforms: ")
    watching.until("watching")
    assert watching.stop() == 130


def test_what_belongs_to_an_adapter(tmp_path: Path) -> None:
    words = adapter(tmp_path)
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "index").touch()
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules" / "other.js").touch()
    (tmp_path / "codec.py").touch()
    assert watched(target((words,))) == [tmp_path]
    assert {Path(path).name for path in snapshot([tmp_path])} == {"adapter.py", "codec.py"}
    (tmp_path / "mine.toml").write_text('command = ["true"]\n', encoding="utf-8")
    assert watched(target((str(tmp_path / "mine.toml"),))) == [tmp_path]


def test_what_an_adapter_writes_as_it_runs_is_no_change(tmp_path: Path) -> None:
    asked = target((adapter(tmp_path),))
    before = snapshot([tmp_path])
    (tmp_path / "debug.log").write_text("started", encoding="utf-8")
    change(tmp_path, "pass")  # the adapter itself was saved meanwhile: that is one
    measured, now = baseline_for(asked, [tmp_path], before), snapshot([tmp_path])
    assert {Path(path).name for path in now if now[path] != measured.get(path)} == {"adapter.py"}
