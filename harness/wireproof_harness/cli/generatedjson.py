"""What came of generated questions, for programs."""

from __future__ import annotations

from typing import Any

from wireproof.suite.model import Suite
from wireproof_harness.cli.generated import ordered
from wireproof_harness.generated.asking import Exchange, without_id
from wireproof_harness.generated.explaining import explain
from wireproof_harness.generated.rendering import repeat_command, snippet
from wireproof_harness.generated.run import Disagreement, Outcome, Result
from wireproof_harness.generated.vectors import entries
from wireproof_harness.target import Target


def as_json(outcome: Outcome, suite: Suite) -> dict[str, Any]:
    number = 0
    results = []
    for result in outcome.results:
        found = []
        for each in ordered(result):
            number += 1
            found.append(_disagreement_json(each, outcome.target, number, suite))
        results.append(_result_json(result) | {"disagreements": found})
    return {
        "target": outcome.target.text,
        "implementation": outcome.claims.name,
        "seed": outcome.seed,
        "exit_code": outcome.exit_code,
        "not_claimed": outcome.unclaimed,
        "protocols": results,
    }


def _result_json(result: Result) -> dict[str, Any]:
    return {
        "protocol": result.protocol,
        "planned": result.planned,
        "frames": result.frames,
        "questions": result.generated,
        "asked": result.asked,
        "compared": result.compared,
        "not_claimed": dict(result.unclaimed),
        "improper": result.improper,
        "unsupported": result.unsupported,
        "not_run": result.not_run,
        "stopped": result.stopped,
        "let_pass": dict(result.notes),
        "repeated": result.repeated,
        "mended": result.mended,
        "seconds": round(result.seconds, 3),
    }


def _disagreement_json(each: Disagreement, target: Target, number: int, suite: Suite) -> dict[str, Any]:
    explanation = explain(each.exchange)
    return {
        **exchange_json(each.exchange),
        "count": each.count,
        "in_pieces": each.in_pieces,
        "frame": each.frame,
        "known": each.known,
        "seconds": round(each.seconds, 3),
        "field": explanation.path,
        "clause": explanation.clause,
        "rule": explanation.rule,
        "vector": entries(each.exchange, number, suite),
        "test": snippet(each.exchange, target, number),
        "again": repeat_command(each.exchange, target),
    }


def exchange_json(found: Exchange) -> dict[str, Any]:
    return {
        "kind": found.finding.kind,
        "differs": found.finding.words,
        "note": found.finding.note,
        "question": without_id(found.question),
        "reference": without_id(found.right),
        "answer": without_id(found.given),
    }
