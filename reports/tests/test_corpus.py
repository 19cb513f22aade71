"""Corpora: the same frames whoever makes them, each with the reference's answer; and what a check finds in them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.standalone import NO_AT_SIGN, kit, rows, told

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from wireproof_reports.corpus.store import Corpus

pytestmark = [pytest.mark.requires("java"), pytest.mark.xdist_group("spark")]


def shape(schema: Any) -> list[tuple[str, str]]:
    """Names and types; whether a column may be empty is not kept by every step."""
    return [(field.name, field.dataType.simpleString()) for field in schema]


@pytest.mark.parametrize("partitions", [1, 3, 5])
def test_partitions_do_not_change_the_frames(spark: SparkSession, comet_corpus: Corpus, partitions: int) -> None:
    from wireproof_reports.corpus.generate import frames

    made = frames(spark, comet_corpus.manifest.recipe, partitions)
    assert made.rdd.getNumPartitions() == partitions
    assert rows(made.drop("offset")) == rows(comet_corpus.frames(spark).drop("offset"))


def test_the_master_does_not_change_the_frames(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from wireproof_reports.corpus.store import open_corpus

    made = told(["generate", str(tmp_path / "one"), "-n", "2000", "--protocol", "comet"], "local[1]")
    assert made["digest"] == comet_corpus.manifest.digest
    one = open_corpus(spark, str(tmp_path / "one")).frames(spark)
    assert rows(one.drop("offset")) == rows(comet_corpus.frames(spark).drop("offset"))


def test_another_seed_gives_other_frames(spark: SparkSession, comet_corpus: Corpus) -> None:
    import msgspec

    from wireproof_reports.corpus.generate import frames

    other = msgspec.structs.replace(comet_corpus.manifest.recipe, seed=1)
    assert rows(frames(spark, other).select("frame", "data")) != rows(
        comet_corpus.frames(spark).select("frame", "data")
    )


def test_the_schema_on_disk(spark: SparkSession, comet_corpus: Corpus) -> None:
    from wireproof_reports.corpus.schemas import FRAMES

    for file in comet_corpus.files:
        assert shape(spark.read.parquet(file).schema) == shape(FRAMES)


def test_every_row_says_what_the_reference_says(spark: SparkSession, comet_corpus: Corpus) -> None:
    codecs = [source.codec() for source in comet_corpus.manifest.recipe.sources]
    kinds = Counter[str]()
    for row in comet_corpus.frames(spark).collect():
        error = codecs[row.source].decode(bytes(row.data)).error
        kinds[row.kind] += 1
        if row.kind == "mutated":
            assert error is not None
            assert (row.error, row.clause, row.offset) == (error.error, error.clause, error.offset)
            assert row.clause
            assert row.mutation
        else:
            assert error is None
            assert (row.error, row.clause, row.offset, row.mutation) == ("", "", None, "")
    assert dict(kinds) == comet_corpus.manifest.kinds


def test_the_matrix_is_what_a_loop_counts(spark: SparkSession, comet_corpus: Corpus) -> None:
    from wireproof_reports.corpus.matrix import matrix
    from wireproof_reports.corpus.schemas import MATRIX

    sources = comet_corpus.manifest.recipe.sources
    codecs = [source.codec() for source in sources]
    titles = [{plan.record: plan.title for plan in codec.plan.messages} for codec in codecs]
    counts = Counter[tuple[str, ...]]()
    for place, data in comet_corpus.frames(spark).select("source", "data").collect():
        decoded = codecs[place].decode(bytes(data))
        name = titles[place][type(decoded.messages[0])] if decoded.messages else ""
        error = decoded.error.error if decoded.error else ""
        counts[sources[place].protocol, sources[place].direction, name, error] += 1
    table = matrix(spark, comet_corpus)
    assert shape(table.schema) == shape(MATRIX)
    assert rows(table) == sorted((*key, number) for key, number in counts.items())


def test_the_reference_passes_and_a_bug_is_found(spark: SparkSession, comet_corpus: Corpus, tmp_path: Path) -> None:
    from tests.test_spark_cluster import implementation
    from wireproof_reports.corpus.checking import check
    from wireproof_reports.corpus.schemas import COMPLIANCE, DISAGREEMENTS, RESULTS
    from wireproof_reports.corpus.tables import compliance, disagreements

    asked = [implementation("reference", "ours"), implementation(kit(tmp_path / "kit", replace=NO_AT_SIGN), "buggy")]
    done = check(spark, comet_corpus, asked, str(tmp_path / "out"))
    results, frames = done.results(spark), comet_corpus.frames(spark)
    wrong = {row.frame for row in frames.where("error = 'invalid-value'").collect()}
    assert wrong
    found = {(row.implementation, row.frame): row.status for row in results.collect()}
    assert len(found) == results.count() == 4000
    assert {frame for (name, frame), status in found.items() if status != "pass"} == wrong
    assert {name for (name, _), status in found.items() if status != "pass"} == {"buggy"}

    table = compliance(results)
    differing = disagreements(results, frames, comet_corpus.manifest.recipe.sources)
    schemas = [(results, RESULTS), (table, COMPLIANCE), (differing, DISAGREEMENTS)]
    assert [shape(made.schema) for made, _ in schemas] == [shape(schema) for _, schema in schemas]
    kept = {row.frame: {camp.said: camp.implementations for camp in row.camps} for row in differing.collect()}
    assert kept.keys() == wrong
    for camps in kept.values():
        assert camps.pop("as the reference") == ["ours"]
        assert list(camps.values()) == [["buggy"]]
    assert sum(row.frames for row in table.where("status != 'pass'").collect()) == len(wrong)
