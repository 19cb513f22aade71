"""Sessions: what they say, how they end, and what they leave behind."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.standalone import alive, command, descendants, kit, wait_until
from wireproof_reports.spark import classes
from wireproof_reports.spark.bar import line
from wireproof_reports.spark.failure import words

if TYPE_CHECKING:
    from wireproof_reports.corpus.store import Corpus

ATTACH = """
import fcntl, os, signal, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""
"""Tests in the background of a script inherit an ignored SIGINT, and a terminal has to be taken by its session."""


class Terminal:
    """A driver that sees a terminal, and what it has written there."""

    def __init__(self, words: list[str]) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", ATTACH, *words], stdin=slave, stdout=slave, stderr=slave, start_new_session=True
        )
        os.close(slave)
        self._said = bytearray()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        with suppress(OSError):  # the other side is closed
            while some := os.read(self.master, 65536):
                self._said += some

    @property
    def text(self) -> str:
        return self._said.decode("utf-8", "replace")

    @property
    def left(self) -> str:
        """What a person sees in the end: a bar is overwritten."""
        return re.sub(r"\r\x1b\[K(?:[█░]+[^\r\n]*)?", "", self.text).replace("\r", "").replace("^C", "").lstrip()

    def until(self, true: Callable[[], bool], what: str) -> None:
        def look() -> bool:
            assert self.process.poll() is None, self.text
            return true()

        wait_until(look, what)

    def press_ctrl_c(self) -> None:
        os.write(self.master, b"\x03")

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self._reader.join()
        os.close(self.master)


@contextmanager
def on_a_terminal(words: list[str]) -> Iterator[Terminal]:
    terminal = Terminal(words)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_ctrl_c_while_an_implementation_is_asked(comet_corpus: Corpus, tmp_path: Path) -> None:
    started = tmp_path / "started"
    started.mkdir()
    mark = f"open(os.path.join({str(started)!r}, str(os.getpid())), 'w').close()"
    manifest, out = kit(tmp_path / "kit", first=mark, each="time.sleep(0.05)"), str(tmp_path / "out")
    asked = ["check", comet_corpus.path, "--impl", f"kit={manifest}", "--out", out]
    with on_a_terminal(command(asked, "local[2]")) as driver:
        # The first start is the command's own, which hears its claims.
        driver.until(lambda: len([*started.iterdir()]) >= 3, "two tasks ask")
        driver.until(lambda: " of 8 tasks" in driver.text, "the bar shows it")
        family = descendants(driver.process.pid)
        assert family >= {int(path.name) for path in started.iterdir() if alive({int(path.name)})}
        driver.press_ctrl_c()
        assert driver.process.wait(60) == 130
    assert "starting Spark" in driver.text
    assert "WARNING" not in driver.text
    assert driver.left == f"What was asked is kept in {out}: the same command goes on.\n\nInterrupted.\n"
    wait_until(lambda: not alive(family), f"nobody is left over: {alive(family)}", 30)


@pytest.mark.requires("java")
@pytest.mark.xdist_group("spark")
def test_ctrl_c_while_spark_starts(tmp_path: Path) -> None:
    with on_a_terminal(command(["generate", str(tmp_path / "made"), "-n", "10"], "local[1]")) as driver:
        driver.until(lambda: "starting Spark" in driver.text, "the bar shows it")
        family = descendants(driver.process.pid)
        driver.press_ctrl_c()
        assert driver.process.wait(60) == 130
    assert driver.left == "Interrupted.\n"
    wait_until(lambda: not alive(family), f"nobody is left over: {alive(family)}", 30)
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (("asking", 0, 1, 0, 0), "░░░░░░░░░░░░░░░░░░░░░░░░░░░░ asking  7 s"),
        (("asking", 0, 1, 4, 8), "██████████████░░░░░░░░░░░░░░ asking  4 of 8 tasks  7 s"),
        (("asking", 1, 2, 4, 8), "█████████████████████░░░░░░░ asking, part 2 of 2  4 of 8 tasks  7 s"),
        (("asking", 2, 2, 0, 0), "████████████████████████████ asking, part 2 of 2  7 s"),
    ],
)
def test_the_bar(told: tuple[str, int, int, int, int], shown: str) -> None:
    assert line(*told, 7.4) == shown


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        (
            "java.io.IOException: No space left on device\n\tat x",
            "the disk is full: make room, and run the same command",
        ),
        (
            "Mkdirs failed to create file:/proc/x/frames/_temporary/0/_temporary/a",
            "/proc/x/frames cannot be made there",
        ),
        ("Parent path is not a directory: file:/a/b\n\tat x", "/a/b is a file, not a folder"),
        (
            "a\n\tat x\nCaused by: java.net.UnknownHostException: nowhere\n\tat y",
            "java.net.UnknownHostException: nowhere",
        ),
        ("file:/c/part-1.parquet is not a Parquet file. Expected", "a Parquet file is damaged: file:/c/part-1.parquet"),
        (
            "An error: wireproof.CannotStart: no such file",
            "an implementation could not be started on a worker: no such",
        ),
        ("", "it does not say why"),
    ],
)
def test_what_spark_says_becomes_a_sentence(said: str, meaning: str) -> None:
    assert words(said).startswith(meaning)


def test_an_archive_is_made_by_nobody_here(tmp_path: Path) -> None:
    """Whoever has it made ends first, without a child to warn of."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    wait = f"for i in $(seq 600); do [ -e {tmp_path}/go ] && exit 1; sleep 0.1; done"
    java.write_text(f"#!/bin/sh\ntouch {tmp_path}/begun\n{wait}\n")
    java.chmod(0o755)
    path = tmp_path / "cache" / "classes.jsa"

    def making(pids: set[int]) -> list[str]:
        return [words for words in alive(pids).values() if str(path) in words]

    begin = (
        f"from pathlib import Path\nfrom wireproof_reports.spark import classes\nclasses._begin(Path({str(path)!r}))"
    )
    began = subprocess.run(
        [sys.executable, "-W", "error", "-c", begin],
        env={**os.environ, "JAVA_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (began.returncode, began.stdout, began.stderr) == (0, "", "")
    wait_until((tmp_path / "begun").exists, "it is at work")
    assert making(everybody())
    with classes._alone(path) as alone:
        assert not alone
    (tmp_path / "go").touch()
    wait_until(lambda: not making(everybody()), "it ends")
    with classes._alone(path) as alone:
        assert alone


def everybody() -> set[int]:
    return {int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()}


@pytest.mark.requires("java")
def test_an_archive_is_made_once_and_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyspark

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(classes.OFF, raising=False)
    path = classes.archive(pyspark.__version__)
    begun: list[Path] = []
    monkeypatch.setattr(classes, "_begin", begun.append)
    assert "SharedArchiveFile" not in classes.options(pyspark.__version__)
    assert begun == [path]
    path.parent.mkdir()
    path.write_bytes(b"made")
    assert f"-XX:SharedArchiveFile={path}" in classes.options(pyspark.__version__)
    classes.make(path)
    assert path.read_bytes() == b"made"
    assert begun == [path]
