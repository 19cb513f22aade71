"""Implementations at the other end of a socket: TCP and Unix, listening and dialling, started here or elsewhere."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from faulty.asked import ANSWERS, VICTIM
from faulty.cases import EVERYTHING, WHOLE
from faulty.observe import START, descriptors, free_port, processes, right_answers
from wireproof.suite import load_suite
from wireproof_harness.results import Run
from wireproof_harness.session import Settled, check
from wireproof_harness.target import Manifest, Target, target
from wireproof_harness.transports.connection import CannotStart
from wireproof_harness.transports.sockets import Listening, address


@pytest.fixture(params=["tcp", "unix"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    (tmp_path / ANSWERS).write_bytes(right_answers(EVERYTHING))
    return f"tcp://127.0.0.1:{free_port()}" if request.param == "tcp" else f"unix://{tmp_path}/here.sock"


@contextmanager
def elsewhere(folder: Path, *words: str, connect: str = "") -> Iterator[None]:
    """An implementation that the harness has not started."""
    env = {**os.environ, "FAULTY_STATE": str(folder)} | ({"WIREPROOF_CONNECT": connect} if connect else {})
    with subprocess.Popen([*START, *words], env=env) as running:
        try:
            yield
        finally:
            running.kill()


def checked(manifest: Manifest, folder: Path) -> Run:
    before = descriptors(), processes(folder).keys()
    run = check(
        Settled(target=Target("socket", manifest, folder), log=folder / "run.jsonl", selection=EVERYTHING),
        load_suite(),
    )
    assert (descriptors(), processes(folder).keys()) == before
    return run


def statuses(run: Run) -> dict[str, str]:
    return {verdict.question: verdict.status for verdict in run.verdicts if verdict.status != "pass"}


@pytest.mark.parametrize(("fault", "broken"), [("none", {}), ("cuts off", {f"{VICTIM}/decode": "crash"})])
def test_one_that_listens_elsewhere(where: str, tmp_path: Path, fault: str, broken: dict[str, str]) -> None:
    with elsewhere(tmp_path, fault, where):
        run = checked(Manifest(connect=where), tmp_path)
    assert statuses(run) == broken
    assert run.header.protections["process"] == "none: it was not started here"


@pytest.mark.parametrize(("fault", "broken"), [("none", {}), ("cuts off", {f"{VICTIM}/decode": "crash"})])
def test_one_that_dials_from_elsewhere(where: str, tmp_path: Path, fault: str, broken: dict[str, str]) -> None:
    with elsewhere(tmp_path, fault, connect=where):
        run = checked(Manifest(listen=where), tmp_path)
    assert statuses(run) == broken
    assert not (tmp_path / "here.sock").exists()


@pytest.mark.parametrize("listens", [True, False], ids=["listens", "dials"])
def test_one_that_is_started_here(where: str, tmp_path: Path, listens: bool) -> None:
    env = {"FAULTY_STATE": str(tmp_path)}
    if listens:
        manifest = Manifest(command=[*START, "segfault", where], connect=where, env=env)
    else:
        manifest = Manifest(command=[*START, "segfault"], listen=where, env=env)
    run = checked(manifest, tmp_path)
    assert statuses(run) == {f"{VICTIM}/decode": "crash"}
    assert "orphans adopted" in run.header.protections["process"]


def test_nobody_is_there(where: str, tmp_path: Path) -> None:
    settled = Settled(target=target([where]), log=tmp_path / "log", selection=WHOLE, scale=0.03)
    with pytest.raises(CannotStart, match="nothing answers at"):
        check(settled, load_suite())


def test_nobody_comes(where: str, tmp_path: Path) -> None:
    settled = Settled(target=target([], where), log=tmp_path / "log", selection=WHOLE, scale=0.03)
    with pytest.raises(CannotStart, match="nobody connected to"):
        check(settled, load_suite())


@pytest.mark.parametrize("listens", [True, False], ids=["listens", "dials"])
def test_a_command_that_ends_is_not_waited_for(where: str, listens: bool) -> None:
    command = ["sh", "-c", "echo out of luck; exit 7"]
    manifest = Manifest(command=command, connect=where) if listens else Manifest(command=command, listen=where)
    asker = Target("socket", manifest).open(scale=100)  # it would be a thousand seconds
    start = time.monotonic()
    with pytest.raises(CannotStart, match=r"(?s)ended with exit code 7.*out of luck"):
        asker.start()
    asker.close()
    assert time.monotonic() - start < 60


@pytest.mark.parametrize("text", ["tcp://", "tcp://here", "tcp://here:port", "unix://", "http://a:1", "x"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(CannotStart, match="is no address"):
        address(text)


def test_a_path_that_is_too_long() -> None:
    with pytest.raises(CannotStart, match=r"too long. Take another address"):
        Listening(address(f"unix:///{'x' * 200}"))


def test_a_file_that_is_in_the_way_stays(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    with pytest.raises(CannotStart, match="cannot listen"):
        Listening(address(f"unix://{tmp_path}/file"))
    assert (tmp_path / "file").read_text() == "precious"
