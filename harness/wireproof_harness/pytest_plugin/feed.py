"""Verdicts for items, asked ahead: a stretch of vectors at a time, so that items run at pytest's own speed.

With xdist each worker has an implementation of its own. What a worker will be given is not
known to it, but it is handed out in stretches, so that the vectors that follow are a good guess.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

from wireproof.errors import WireproofError
from wireproof_harness.baseline import Baseline, read_baseline
from wireproof_harness.cli.check import declared
from wireproof_harness.plan import Plan, Planned, Selection, plan
from wireproof_harness.results import Record, Verdict
from wireproof_harness.runner import Runner
from wireproof_harness.session import Settled, header_of
from wireproof_harness.target import target

if TYPE_CHECKING:
    from wireproof_harness.pytest_plugin.items import VectorItem

AHEAD: Final = 64
"""So many vectors are asked for in one go."""
AHEAD_OF_A_WORKER: Final = 16


class NoLog:
    """pytest keeps the results here."""

    def write(self, record: Record) -> None:
        pass

    def flush(self) -> None:
        pass


class Feed:
    """An implementation that is asked about the vectors that come next."""

    def __init__(self, config: pytest.Config, items: list[VectorItem]) -> None:
        self.suite = items[0].suite
        self._order = [item.vector.id for item in items]
        self._place = {name: place for place, name in enumerate(self._order)}
        self._ahead = AHEAD_OF_A_WORKER if hasattr(config, "workerinput") else AHEAD
        self._known: dict[str, list[Verdict]] = {}
        option = config.getoption
        self._baseline = read_baseline(Path(path)) if (path := option("wireproof_baseline")) else Baseline([])
        settled = Settled(
            target=target((option("wireproof_impl"),)),
            log=Path(),
            selection=Selection(modes=tuple(option("wireproof_mode") or ())),
            declared=declared(tuple(option("wireproof_set") or ())),
            scale=option("wireproof_timeout_scale"),
        )
        self._asker = settled.target.open(scale=settled.scale)
        try:
            self._claims = self._asker.start()
            planned = plan(self.suite, self._claims, settled.selection, settled.declared)
        except BaseException:
            self._asker.close()
            raise
        self.header = header_of(settled, self.suite, self._asker, self._claims, planned)
        self._planned: dict[str, list[Planned]] = {}
        for each in planned.questions:
            self._planned.setdefault(each.question.vector.id, []).append(each)

    def verdicts(self, vector_id: str) -> list[Verdict]:
        """What came of each question about a vector."""
        if vector_id not in self._known:
            place = self._place[vector_id]
            self._ask([name for name in self._order[place : place + self._ahead] if name not in self._known])
        return self._known.pop(vector_id)

    def _ask(self, names: list[str]) -> None:
        """Ask about some vectors, and about the twins of those that are rejected."""
        questions: dict[str, Planned] = {}
        for name in names:
            for each in self._planned.get(name, ()):
                twin = each.question.vector.twin if each.question.vector.kind == "reject" else ""
                questions |= {found.question.id: found for found in self._decode_of(twin)}
                questions[each.question.id] = each
        probed = Verdict("CONTRACT-PROBE/decode", "", "probe", "contract", "", "required", "probe", [], "pass")
        asked = Plan(list(questions.values()), {})
        runner = Runner(asked, self._asker, self._claims, NoLog(), baseline=self._baseline, done=[probed])
        runner.run()
        found: dict[str, list[Verdict]] = {name: [] for name in names}
        for verdict in runner.verdicts[1:]:
            if verdict.vector in found:
                found[verdict.vector].append(verdict)
        self._known |= found

    def _decode_of(self, twin: str) -> list[Planned]:
        return [each for each in self._planned.get(twin, ()) if each.question.mode == "decode"]

    def close(self) -> None:
        self._asker.close()


class Failing:
    """Takes the place of a feed that could not be made: every item says why."""

    def __init__(self, problem: WireproofError) -> None:
        self.problem = problem

    def close(self) -> None:
        pass
