"""The options of `wireproof check`: what to ask, how to ask it, and how to tell what came."""

from __future__ import annotations

from functools import reduce
from typing import Final

import click

from wireproof.codec import PROTOCOLS
from wireproof.errors import ERROR_CLASSES
from wireproof.suite.model import LEVELS
from wireproof.verdict.questions import MODES
from wireproof_harness.cli.options import Command

LOG: Final = ".wireproof/results.jsonl"
PRETTY: Final = "pretty"

_SELECTING: Final = (
    click.option("--protocol", "protocols", multiple=True, type=click.Choice(PROTOCOLS), help="Only this one."),
    click.option("--clause", "clauses", multiple=True, metavar="CLAUSE", help="Only a clause, or a chapter: COMET-3."),
    click.option("--level", "levels", multiple=True, type=click.Choice(LEVELS), help="Only vectors of this level."),
    click.option("--id", "ids", multiple=True, metavar="PATTERN", help="Only such ids: 'COMET-*', 'COMET-*/splits'."),
    click.option("--error", "errors", multiple=True, type=click.Choice(list(ERROR_CLASSES)), metavar="CLASS",
                 help="Only what is to be rejected or refused so."),
    click.option("--mode", "modes", multiple=True, type=click.Choice(list(MODES)), help="Only asked in this way."),
    click.option("--last-failed", is_flag=True, help="Only what did not pass in the log of the last run."),
)  # fmt: skip
_ASKING: Final = (
    click.option("--listen", metavar="ADDRESS", default="", help="Wait there for the implementation to dial."),
    click.option("--set", "assignments", multiple=True, metavar="PROTOCOL.NAME=VALUE", help="Declare a parameter."),
    click.option("--sandbox", is_flag=True, help="Inside bubblewrap: read-only files, no network."),
    click.option("--timeout-scale", "scale", type=click.FloatRange(0, min_open=True), default=1.0, show_default=True,
                 help="Multiply all deadlines."),
    click.option("--seed", type=int, default=0, help="Ask in another order; 0 asks in the order of the suite."),
    click.option("--generate", type=click.IntRange(1), metavar="N", help="Ask about N generated frames instead."),
    click.option("--ask", metavar="JSON", help="Ask this one request, and compare with the reference."),
    click.option("--resume", is_flag=True, help="Go on with the run whose log was cut short."),
)  # fmt: skip
_TELLING: Final = (
    click.option("--baseline", metavar="FILE", default="", help="Known failures, each with a reason."),
    click.option("--update-baseline", is_flag=True, help="Write what fails now to the baseline."),
    click.option("--strict", is_flag=True, help="Warnings are failures."),
    click.option("--log", metavar="FILE", default=LOG, show_default=True, help="Where verdicts are kept."),
    click.option("--report", metavar="DIR", default="", help="Write a compliance report there."),
    click.option("--format", "form", type=click.Choice([PRETTY, "json", "junit", "tap", "md"]), default=PRETTY,
                 show_default=True, help="For people, or for a program."),
    click.option("--output", metavar="FILE", default="-", help="A file for that format; people are told as well."),
    click.option("--show", "shown", type=click.IntRange(0), default=3, show_default=True, help="Failures to explain."),
    click.option("--watch", is_flag=True, help="Check again whenever a file of the adapter changes."),
)  # fmt: skip


def check_options(command: Command) -> Command:
    return reduce(lambda inner, option: option(inner), reversed(_SELECTING + _ASKING + _TELLING), command)
