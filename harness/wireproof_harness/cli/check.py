"""`wireproof check`: put the golden vectors to an implementation, and say what its answers are worth."""

from __future__ import annotations

import shlex
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from wireproof.codec import PROTOCOLS
from wireproof.errors import BadProfile, WireproofError
from wireproof.profile import Settings, changes_from_text
from wireproof.verdict.statuses import BROKEN
from wireproof_harness.cli.checkoptions import PRETTY, check_options
from wireproof_harness.cli.options import colored
from wireproof_harness.cli.suite import whole_suite
from wireproof_harness.plan import Selection
from wireproof_harness.results import Run, read_log
from wireproof_harness.session import CannotResume, NothingSelected, Settled
from wireproof_harness.target import BadTarget, Target, target
from wireproof_harness.terminal import Screen, Segment, clean

COULD_NOT_START: Final = 3
HARNESS_ERROR: Final = 4


@click.command()
@click.argument("implementation", nargs=-1, metavar="[IMPL] [-- COMMAND...]", type=click.UNPROCESSED)
@check_options
@colored
@click.pass_context
def check(ctx: click.Context, /, implementation: tuple[str, ...], color: bool | None, **options: Any) -> None:
    """Check an implementation against the golden vectors.

    IMPL is `reference` (the default), a command in quotes or after --, a manifest
    (mine.toml), tcp://HOST:PORT or unix:///PATH. docs/contract.md says how it answers.

    \b
    wireproof check reference
    wireproof check "node adapter.mjs" --protocol comet
    wireproof check --id 'COMET-SUBSCRIBE-*' -- ./adapter --verbose
    wireproof check mine.toml --baseline known.yaml --report report
    wireproof check mine.toml --generate 2000

    Exit code: 0 conforms, 1 does not, 2 usage, 3 could not start, 4 error of the
    harness, 5 incomplete, 130 interrupted.
    """
    ctx.exit(_Check(ctx, implementation, Screen(color), options).run())


class _Check:
    """One invocation."""

    def __init__(
        self, ctx: click.Context, implementation: tuple[str, ...], screen: Screen, options: dict[str, Any]
    ) -> None:
        self.ctx = ctx
        self.screen = screen
        self.options = self._with_configured(ctx, options)
        self.words = implementation or self._configured_words()
        self.to_file = self.options["output"] != "-"
        if self.to_file and self.options["form"] == PRETTY:
            raise click.UsageError("--output is for another --format: json, junit, tap or md", ctx)
        self.pretty = self.to_file or self.options["form"] == PRETTY

    def _with_configured(self, ctx: click.Context, options: dict[str, Any]) -> dict[str, Any]:
        """What pyproject.toml says counts where the command line says nothing."""
        from wireproof_harness.cli.configured import configured

        self.defaults = configured(Path.cwd())
        given = {
            name for name in options if ctx.get_parameter_source(name) not in (click.core.ParameterSource.DEFAULT, None)
        }
        return {name: value if name in given else self.defaults.get(name, value) for name, value in options.items()}

    def _configured_words(self) -> tuple[str, ...]:
        said = self.defaults.get("implementation", "")
        if self.options["listen"] and not said:
            return ()
        return tuple(said) if isinstance(said, list) else (said or "reference",)

    def run(self) -> int:
        from wireproof_harness.claims import BadClaims
        from wireproof_harness.transports.connection import CannotStart

        try:
            asked = target(self.words, self.options["listen"])
            if self.options["generate"] or self.options["ask"]:
                return self._generating(asked)
            if self.options["watch"]:
                self._watch(asked)
            return self._once(asked)
        except (BadTarget, CannotResume, NothingSelected, BadProfile) as problem:
            raise click.UsageError(str(problem), self.ctx) from None
        except (CannotStart, BadClaims) as problem:
            self._complain(f"{' '.join(self.words)}: {problem}")
            self._complain(f"`wireproof doctor {shlex.join(self.words)}` examines an adapter that does not answer.")
            return COULD_NOT_START
        except (click.ClickException, click.exceptions.Exit, OSError):
            raise
        except WireproofError as problem:
            raise click.UsageError(str(problem), self.ctx) from None
        except Exception:
            traceback.print_exc()
            self._complain("This is an error of the harness, not of the implementation. What was logged is kept.")
            return HARNESS_ERROR

    @staticmethod
    def _complain(text: str) -> None:
        for line in text.splitlines():
            click.echo(clean(line), err=True)

    def _generating(self, asked: Target) -> int:
        from wireproof_harness.cli.generating import Generating

        return Generating(self.ctx, self.screen, self.options, self._stated).run(
            asked, declared(self.options["assignments"])
        )

    def _stated(self, name: str) -> bool:
        return self.ctx.get_parameter_source(name) not in (click.core.ParameterSource.DEFAULT, None)

    # ---- one run ----

    def _once(self, asked: Target) -> int:
        from wireproof_harness.session import check as asked_all

        settled = self._settled(asked)
        suite = whole_suite()
        bar = _Bar()
        try:
            run = asked_all(settled, suite, started=self._introduce(asked, bar), progress=bar.show)
        except KeyboardInterrupt:
            bar.close()
            click.echo(f"What was asked is in {settled.log}: the same command with --resume goes on.", err=True)
            raise
        finally:
            bar.close()
        self._update_baseline(run, settled)
        try:
            self._tell(run, suite, settled)
        finally:  # whoever stops reading still gets the report
            self._report(settled.log)
        assert run.footer is not None
        return run.footer.exit_code

    def _settled(self, asked: Target) -> Settled:
        from wireproof_harness.baseline import Baseline, read_baseline

        options = self.options
        path = Path(options["baseline"]) if options["baseline"] else None
        if options["update_baseline"] and path is None:
            raise click.UsageError("--update-baseline needs --baseline FILE, the file to be written", self.ctx)
        known = None
        if path is not None:
            absent = options["update_baseline"] and not path.exists()
            known = Baseline([], str(path)) if absent else read_baseline(path)
        return Settled(
            target=asked,
            log=Path(options["log"]),
            selection=self._selection(),
            declared=declared(options["assignments"]),
            baseline=known,
            seed=options["seed"],
            scale=options["scale"],
            sandbox=options["sandbox"],
            strict=options["strict"],
            resume=options["resume"],
        )

    def _selection(self) -> Selection:
        options = self.options
        return Selection(
            protocols=tuple(options["protocols"]),
            clauses=tuple(clause.upper() for clause in options["clauses"]),
            levels=tuple(options["levels"]),
            errors=tuple(options["errors"]),
            modes=tuple(options["modes"]),
            ids=tuple(options["ids"]),
            names=self._last_failed() if options["last_failed"] else (),
        )

    def _last_failed(self) -> tuple[str, ...]:
        path = Path(self.options["log"])
        if not path.exists():
            raise click.UsageError(f"there is no run here yet ({path}): leave --last-failed out", self.ctx)
        before = read_log(path)
        names = [found.question for found in before.verdicts if found.status in BROKEN | {"warn", "not-run"}]
        if not names:
            click.echo("Nothing failed in the last run: everything is checked.", err=True)
        return tuple(name for name in names if not name.startswith("CONTRACT-"))

    def _introduce(self, asked: Target, bar: _Bar) -> Callable[[Any, Any], None]:
        def introduce(claims: Any, planned: Any) -> None:
            from wireproof_harness.cli.outcome import introduced

            if self.pretty:
                self.screen.lines(introduced(claims, planned, asked.text, self.screen.width))
                self.screen.stream.flush()
            bar.open(planned.size)

        return introduce

    def _tell(self, run: Run, suite: Any, settled: Settled) -> None:
        from wireproof_harness.cli.outcome import closing, first_failures, summary

        if self.options["form"] != PRETTY:
            self._write(run, suite)
        if not self.pretty:
            return
        screen = self.screen
        screen.lines(summary(run, screen.width))
        screen.lines(first_failures(run, suite, self.options["shown"], screen.width))
        screen.lines(closing(run, str(settled.log)))

    def _write(self, run: Run, suite: Any) -> None:
        from wireproof_harness.formats import FORMATS

        lines = FORMATS[self.options["form"]](run, suite)
        if not self.to_file:
            for line in lines:
                click.echo(line)
            return
        with Path(self.options["output"]).open("w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)

    def _update_baseline(self, run: Run, settled: Settled) -> None:
        from wireproof_harness.baseline import UNEXPLAINED, updated, write_baseline

        if not self.options["update_baseline"] or settled.baseline is None:
            return
        entries = updated(settled.baseline, run.verdicts)
        write_baseline(Path(settled.baseline.name), entries)
        new = sum(entry.reason == UNEXPLAINED for entry in entries)
        told = f"{settled.baseline.name}: {len(entries)} known failures, {new} without a reason yet"
        click.echo(f"\n{told}", err=True)

    def _report(self, log: Path) -> None:
        """Hand the log to the room that makes reports, which this one does not know."""
        if not self.options["report"]:
            return
        group = self.ctx.find_root().command
        assert isinstance(group, click.Group)
        command = group.get_command(self.ctx, "report")
        if command is None:
            raise click.UsageError("--report needs the package wireproof_reports, which is not installed", self.ctx)
        sys.stdout.flush()
        command.main(["build", str(log), "--out", self.options["report"]], "wireproof report", standalone_mode=False)

    # ---- again and again ----

    def _watch(self, asked: Target) -> None:
        from wireproof_harness.cli.watch import baseline_for, snapshot, wait_for_change, watched

        if self.options["resume"]:
            raise click.UsageError("--watch begins anew each time: leave --resume out", self.ctx)
        folders = watched(asked)
        if not folders:
            raise click.UsageError("--watch: the command names no file, so there is nothing to watch", self.ctx)
        while True:
            before = snapshot(folders)
            if self.screen.is_terminal:
                click.clear()
            self._try_once(asked)
            places = ", ".join(map(str, folders))
            self.screen.line(Segment(f"watching {places}; Ctrl-C ends", "label"))
            self.screen.stream.flush()
            changed = wait_for_change(folders, baseline_for(asked, folders, before))
            self.screen.line(Segment(f"{changed} has changed", "label"))

    def _try_once(self, asked: Target) -> None:
        """An adapter under work may not even start; that is told, and waited out."""
        try:
            self._once(asked)
        except (WireproofError, click.ClickException) as problem:
            text = problem.format_message() if isinstance(problem, click.ClickException) else str(problem)
            self._complain(text)


class _Bar:
    """The progress bar, once it is known how much there is to do."""

    def __init__(self) -> None:
        self._bar: Any = None

    def open(self, total: int) -> None:
        from wireproof_harness.cli.progress import Bar

        self._bar = Bar(total)

    def show(self, done: int, counts: Any) -> None:
        self._bar.show(done, counts)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


def declared(assignments: tuple[str, ...]) -> dict[str, Settings]:
    """What `--set comet.order=little` says, for each protocol."""
    found: dict[str, Settings] = {}
    for assignment in assignments:
        name, dot, rest = assignment.partition(".")
        if not dot or name not in PROTOCOLS:
            raise BadProfile(f"write --set PROTOCOL.NAME=VALUE, as in comet.order=little, not {assignment!r}")
        found.setdefault(name, {}).update(changes_from_text(name, (rest,)))
    return found
