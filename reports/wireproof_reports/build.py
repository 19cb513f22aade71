"""From a result log to the files of a report."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import msgspec

from wireproof.suite import Suite, load_suite
from wireproof_harness.results import BadLog, Run, read_log
from wireproof_reports.headline import first_to_look_at, verdict_line
from wireproof_reports.markdown import markdown
from wireproof_reports.model import ReportModel, report_model
from wireproof_reports.page import page


class Written(NamedTuple):
    """A report that was written, and what to say of it."""

    page: Path
    verdict: str
    verdict_line: str
    first: str
    """What to look at first."""


def write_report(log: Path, out: Path) -> Written:
    """Write report.html, report.md and report.json about the run in a log; BadLog if there is none."""
    if not log.is_file():
        raise BadLog(f"there is no result log {log}. Run `wireproof check` first, or name the log it has written.")
    run = read_log(log)
    suite = load_suite()
    return write_files(report_model(run, suite), run, suite, out)


def write_files(model: ReportModel, run: Run, suite: Suite, out: Path) -> Written:
    """Write the three files; of the run only the verdicts that did not pass are needed.

    Each file is replaced as a whole, so that whoever reads the folder finds the old report or the new one.
    """
    contents = {
        "report.json": as_json(model),
        "report.md": markdown(model).encode(),
        "report.html": page(model, run, suite).encode(),
    }
    out.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        _replace(out / name, content)
    return Written(out / "report.html", model.verdict, verdict_line(model), first_to_look_at(model))


def as_json(model: ReportModel) -> bytes:
    return msgspec.json.format(msgspec.json.encode(model), indent=1) + b"\n"


def _replace(path: Path, content: bytes) -> None:
    descriptor, aside = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        os.chmod(aside, 0o644)  # mkstemp makes files for one user, and reports are there to be read
        os.replace(aside, path)
    except BaseException:
        os.unlink(aside)
        raise
