"""The options --generate and --ask of `wireproof check`: what they mean, and what they do not go with."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from wireproof.profile import Settings
from wireproof_harness.cli.checkoptions import PRETTY
from wireproof_harness.cli.generated import Meter, asked_one, exchange_lines, told, verdict_of
from wireproof_harness.cli.generatedjson import as_json, exchange_json
from wireproof_harness.cli.suite import whole_suite
from wireproof_harness.generated.examples import question_of
from wireproof_harness.generated.run import run
from wireproof_harness.target import Target
from wireproof_harness.terminal import Screen, Segment, json_line

OF_VECTORS: Final = {
    "clauses": "--clause",
    "levels": "--level",
    "ids": "--id",
    "errors": "--error",
    "modes": "--mode",
    "last_failed": "--last-failed",
    "resume": "--resume",
    "baseline": "--baseline",
    "update_baseline": "--update-baseline",
    "report": "--report",
    "watch": "--watch",
}
"""Options that are about golden vectors, or about the log of asking them."""


class Generating:
    """One invocation of check with --generate or --ask."""

    def __init__(self, ctx: click.Context, screen: Screen, options: dict[str, Any], stated: Callable[[str], bool]):
        self.ctx, self.screen, self.options, self.stated = ctx, screen, options, stated

    def run(self, asked: Target, declared: dict[str, Settings]) -> int:
        self._refuse_others()
        return self._ask(asked) if self.options["ask"] else self._generate(asked, declared)

    def _refuse_others(self) -> None:
        """What the command line says and cannot be heeded; what a project says for its vectors is passed over."""
        option = "--ask" if self.options["ask"] else "--generate"
        others = dict(OF_VECTORS)
        if self.options["ask"]:
            others |= {"generate": "--generate", "protocols": "--protocol", "assignments": "--set", "seed": "--seed"}
        found = [words for name, words in others.items() if self.stated(name)]
        if found:
            raise click.UsageError(f"{option} does not go with {', '.join(found)}: leave that out", self.ctx)
        if self.options["form"] not in (PRETTY, "json"):
            raise click.UsageError(f"{option} is told as pretty or json, not as {self.options['form']}", self.ctx)

    # ---- generated questions ----

    def _generate(self, asked: Target, declared: dict[str, Settings]) -> int:
        options = self.options
        meter = Meter(options["generate"])
        try:
            outcome = run(
                asked,
                frames=options["generate"],
                seed=self._seed(),
                protocols=options["protocols"],
                declared=declared,
                scale=options["scale"],
                sandbox=options["sandbox"],
                progress=meter.show,
            )
        finally:
            meter.close()
        suite = whole_suite()
        if options["form"] == "json":
            self._write_json(as_json(outcome, suite))
        if self._for_people():
            self.screen.lines(told(outcome, suite, options["shown"], self.screen.width))
        return outcome.exit_code

    def _seed(self) -> int:
        """As stated; in CI always the same, so that a build does not fail by chance; else another one each time."""
        if self.stated("seed") or self.options["seed"] or os.environ.get("CI"):
            return int(self.options["seed"])
        return secrets.randbelow(1 << 32)

    # ---- one question ----

    def _ask(self, asked: Target) -> int:
        try:
            question = question_of(json.loads(self.options["ask"]))
        except (ValueError, RecursionError) as problem:
            raise click.UsageError(f"--ask needs a request in JSON, in quotes: {problem}", self.ctx) from None
        found = asked_one(asked, question, self.options["scale"], self.options["sandbox"])
        code, words = verdict_of(found)
        if self.options["form"] == "json":
            self._write_json({**exchange_json(found), "exit_code": code})
        if self._for_people():
            self.screen.lines(exchange_lines(found, self.screen.width))
            self.screen.line(Segment(words, "fault" if code else "good"))
        return code

    # ---- where it goes ----

    def _for_people(self) -> bool:
        return bool(self.options["form"] == PRETTY or self.options["output"] != "-")

    def _write_json(self, content: dict[str, Any]) -> None:
        if self.options["output"] == "-":
            self.screen.json(content)
            return
        Path(self.options["output"]).write_text(json_line(content, "utf-8") + "\n", encoding="utf-8")
