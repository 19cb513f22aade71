"""What a mass check comes to: counts, clauses, disagreements, and whether everything was asked."""

from __future__ import annotations

from typing import Any, NamedTuple

from pyspark.sql import SparkSession

from wireproof.verdict.statuses import BROKEN
from wireproof_reports.corpus.checking import Outcome
from wireproof_reports.corpus.settling import TABLES, finish
from wireproof_reports.corpus.store import Corpus
from wireproof_reports.corpus.tables import compliance, disagreements, examples
from wireproof_reports.spark import storage

AGREE, DIFFER, INCOMPLETE = 0, 1, 5


class Added(NamedTuple):
    """The figures of a check."""

    run: str
    implementations: dict[str, str]
    """For each name how it is reached."""
    frames: int
    """That the corpus has by its manifest."""
    statuses: dict[str, dict[str, int]]
    """For each implementation how many frames have each status."""
    clauses: list[dict[str, Any]]
    """What did not pass, by clause."""
    differing: int
    shown: list[dict[str, Any]]
    """The shortest of those that differ in the same way, and how many are alike; the most frequent first."""
    waves: int
    resumed: int
    """How many of the waves were there already."""
    unreadable: dict[str, str]

    @property
    def exit_code(self) -> int:
        for counts in self.statuses.values():
            executed = sum(counts.values()) - counts.get("unsupported", 0) - counts.get("not-run", 0)
            if sum(counts.values()) != self.frames or counts.get("not-run") or not executed:
                return INCOMPLETE
        broken = any(counts.get(status) for counts in self.statuses.values() for status in BROKEN)
        return DIFFER if broken else AGREE


def added_up(session: SparkSession, corpus: Corpus, done: Outcome, out: str, shown: int) -> Added:
    """Write the tables once, and read the figures off them."""
    results, frames = done.results(session), corpus.frames(session)
    made = {
        "compliance": compliance(results),
        "disagreements": disagreements(results, frames, corpus.manifest.recipe.sources),
    }
    out = storage.located(out)
    for name, table in made.items():
        table.write.mode("overwrite").parquet(storage.join(out, name))
    read = {name: session.read.parquet(storage.join(out, name)) for name in TABLES}
    counts: dict[str, dict[str, int]] = {name: {} for name in done.checked.implementations}
    rows = [row.asDict() for row in read["compliance"].collect()]
    for row in rows:
        found = counts[row["implementation"]]
        found[row["status"]] = found.get(row["status"], 0) + row["frames"]
    wrong = [row for row in rows if row["status"] not in ("pass", "unsupported")]
    wrong.sort(key=lambda row: (-row["frames"], row["implementation"], row["clause"]))
    differing = read["disagreements"]
    first = examples(differing).limit(shown).collect()
    added = Added(
        done.checked.run,
        done.checked.implementations,
        corpus.manifest.frames,
        counts,
        wrong,
        differing.count(),
        [row.asDict(recursive=True) for row in first],
        len(done.folders),
        done.resumed,
        corpus.unreadable,
    )
    finish(session, out, {**added._asdict(), "exit_code": added.exit_code})
    return added
