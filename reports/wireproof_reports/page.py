"""The page: one HTML file that asks for nothing, runs nothing, and shows nothing unescaped.

Texts of an implementation are untrusted. Every expression of the template goes through
`clean` and is then escaped; styles are allowed by their hash and nothing else is.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from typing import Any, Final, NamedTuple

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from wireproof.suite.coverage import ELSEWHERE
from wireproof.suite.model import Suite
from wireproof.verdict.questions import MODES
from wireproof_harness.failure import failure_lines
from wireproof_harness.results import Header, Run, Verdict
from wireproof_harness.shorten import cut
from wireproof_harness.terminal import STYLES, Segment, clean, json_line
from wireproof_reports import headline, view
from wireproof_reports.choice import Group, choose
from wireproof_reports.clauserows import STATES
from wireproof_reports.findings import Finding
from wireproof_reports.model import ReportModel

LONGEST_TEXT: Final = 600
WIDTH: Final = 92
KIND_WORDS: Final = {
    "accept": "bytes that have to be read",
    "reject": "bytes that must not be accepted",
    "refuse": "values that must not be written",
    "probe": "that it says unsupported",
}
MOST_ROWS: Final = 60
"""Of a table whose rows an implementation can multiply."""


class Shown(NamedTuple):
    """A finding in full."""

    number: int
    finding: Finding
    lines: list[list[Segment]]


def page(model: ReportModel, run: Run, suite: Suite | None) -> str:
    """The report as HTML. `run` has the requests and answers that the model leaves out."""
    groups = choose(model.findings)
    verdicts = {verdict.question: verdict for verdict in run.verdicts if verdict.status != "pass"}
    # The bytes of other vectors than those of the run would explain nothing.
    vectors = suite if suite is not None and model.run.same_suite else Suite([])
    style = _resource("report.css")
    return (
        _environment()
        .get_template("report.html")
        .render(
            model=model,
            style=Markup(style),
            policy=_policy(style),
            headline=headline,
            view=view,
            states=STATES,
            groups=[(group, _shown(group, model.findings, verdicts, run.header, vectors)) for group in groups],
            failures=view.failures_by_clause(model.findings, groups),
            chapters=view.chapters(model),
            most=MOST_ROWS,
            words={
                "modes": MODES | {"probe": "an operation that does not exist"},
                "kinds": KIND_WORDS,
                "tests": ELSEWHERE,
            },
        )
    )


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_resource),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalized,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"n": lambda number: f"{number:,}", "cut": _cut, "role": _role, "json": _json}
    return environment


def _resource(name: str) -> str:
    return files("wireproof_reports").joinpath("templates", name).read_text(encoding="utf-8")


def _finalized(value: Any) -> Any:
    """What an expression gives, made harmless; only what a macro has already escaped stays as it is."""
    return value if isinstance(value, Markup) else clean(str(value))


def _policy(style: str) -> str:
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _cut(text: str, longest: int = LONGEST_TEXT) -> str:
    return cut(text, longest)


def _role(role: str) -> str:
    return f"r-{role}" if role in STYLES else "r-text"


def _json(value: Any) -> str:
    return _cut(json_line(value, "utf-8"))


def _shown(
    group: Group, findings: list[Finding], verdicts: dict[str, Verdict], header: Header, suite: Suite
) -> list[Shown]:
    return [
        Shown(number, findings[number], _lines(verdicts[findings[number].question], header, suite))
        for number in group.full
    ]


def _lines(verdict: Verdict, header: Header, suite: Suite) -> list[list[Segment]]:
    return list(failure_lines(verdict, header, suite, WIDTH))
