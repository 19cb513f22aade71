"""The result log: a killed run goes on where it was, and the same run gives the same bytes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from faulty.asked import ANSWERS
from faulty.cases import EVERYTHING, Case
from faulty.observe import faulty_target, right_answers
from wireproof.suite import load_suite
from wireproof_harness.plan import Selection
from wireproof_harness.results import read_log, without_times
from wireproof_harness.session import CannotResume, Settled, check
from wireproof_harness.target import target

MANY = Selection(protocols=("comet",), modes=("decode", "encode"))
CHILD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_resume import MANY, killing
from wireproof.suite import load_suite
from wireproof_harness.session import check
check(killing(Path(sys.argv[2]), int(sys.argv[3])), load_suite())
"""


def killing(folder: Path, seed: int, *, resume: bool = False) -> Settled:
    """A run that is killed by the implementation, the first time."""
    case = Case("kills harness", selection=MANY, timeout=10)
    log = folder / "run.jsonl"
    return Settled(target=faulty_target(case, folder), log=log, selection=MANY, seed=seed, resume=resume)


@pytest.mark.parametrize(
    ("seed", "torn"), [(0, b'{"record":"verdict","question":"COM'), (7, b"")], ids=["torn", "shuffled"]
)
def test_a_killed_run_goes_on(tmp_path: Path, seed: int, torn: bytes) -> None:
    (tmp_path / ANSWERS).write_bytes(right_answers(MANY))
    child = [sys.executable, "-c", CHILD, str(Path(__file__).parent), str(tmp_path), str(seed)]
    assert subprocess.run(child, check=False).returncode == -signal.SIGKILL
    log = tmp_path / "run.jsonl"
    before = log.read_bytes()
    assert read_log(log).footer is None
    if not seed:  # shuffled, the first verdict in the plan may be among the last to come
        assert len(read_log(log).verdicts) > 100
    log.write_bytes(before + torn)

    run = check(killing(tmp_path, seed, resume=True), load_suite())
    assert len(run.verdicts) == run.header.planned
    resumed = log.read_bytes()
    assert resumed.startswith(before)

    check(killing(tmp_path, seed), load_suite())
    assert without_times(resumed) == without_times(log.read_bytes())


def reference(log: Path, *, resume: bool = False, seed: int = 0) -> Settled:
    return Settled(target=target(["reference"]), log=log, selection=EVERYTHING, seed=seed, resume=resume)


@pytest.mark.parametrize("part", [0.0, 0.1, 0.33, 0.5, 0.77, 0.99])
def test_cut_anywhere(tmp_path: Path, part: float) -> None:
    log = tmp_path / "run.jsonl"
    check(reference(log), load_suite())
    whole = log.read_bytes()
    log.write_bytes(whole[: int(len(whole) * part)])
    check(reference(log, resume=True), load_suite())
    assert without_times(log.read_bytes()) == without_times(whole)


def test_the_log_of_another_run_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "run.jsonl"
    check(reference(log), load_suite())
    whole = log.read_bytes()
    with pytest.raises(CannotResume, match="came to its end"):
        check(reference(log, resume=True), load_suite())
    unfinished = b"".join(whole.splitlines(keepends=True)[:-1])
    log.write_bytes(unfinished)
    with pytest.raises(CannotResume, match=r"another run \(seed differs\)"):
        check(reference(log, resume=True, seed=3), load_suite())
    assert log.read_bytes() == unfinished


def test_the_order_of_asking_does_not_show(tmp_path: Path) -> None:
    logs = []
    for name, seed in (("a", 0), ("b", 5), ("c", 5)):
        check(reference(tmp_path / name, seed=seed), load_suite())
        logs.append(without_times((tmp_path / name).read_bytes()))
    assert logs[1] == logs[2]
    assert logs[0].splitlines()[1:] == logs[1].splitlines()[1:]


@pytest.mark.parametrize("fault", ["segfault, every mode", "100 MB line", "twice"])
def test_a_fault_is_told_the_same_way_twice(tmp_path: Path, fault: str) -> None:
    (tmp_path / ANSWERS).write_bytes(right_answers(EVERYTHING))
    settled = Settled(target=faulty_target(Case(fault, timeout=10), tmp_path), log=tmp_path / "a", selection=EVERYTHING)
    check(settled, load_suite())
    check(msgspec.structs.replace(settled, log=tmp_path / "b", seed=0), load_suite())
    assert without_times((tmp_path / "a").read_bytes()) == without_times((tmp_path / "b").read_bytes())
