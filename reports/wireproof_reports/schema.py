"""The published form of report.json: JSON Schema, derived from the model.

python -m wireproof_reports.schema > reports/wireproof_reports/report.schema.json
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from wireproof.verdict.statuses import STATUSES
from wireproof_harness.results import EXIT_CODES
from wireproof_reports.clauserows import STATES
from wireproof_reports.model import REPORT, ReportModel

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
COUNTS: Final = {"questions", "executed", "passed", "planned", "unreported", "requests", "failed", "restarts"}
WORDS: Final[dict[str, Iterable[str]]] = {"status": STATUSES, "state": STATES, "verdict": EXIT_CODES}
KEYS: Final[dict[str, Iterable[str]]] = {"statuses": STATUSES, "states": STATES}


def report_schema() -> dict[str, Any]:
    """The schema of the current version."""
    (form,), definitions = msgspec.json.schema_components([ReportModel], ref_template="#/$defs/{name}")
    model = definitions["ReportModel"]["properties"]
    model["report"] = {"enum": [REPORT], "description": "The version of this form."}
    for definition in definitions.values():
        _narrowed(definition)
    return {
        "$schema": DRAFT,
        "title": "The report of wireproof on one run",
        **form,
        "$defs": dict(sorted(definitions.items())),
    }


def _narrowed(definition: dict[str, Any]) -> None:
    """Say what types do not: nothing else is there, counts are never negative, and words come from a list."""
    properties = definition["properties"]
    definition["additionalProperties"] = False
    for name in COUNTS & properties.keys():
        properties[name]["minimum"] = 0
    for name, words in WORDS.items():
        if name in properties:
            properties[name] = {"enum": list(words)}
    for name, words in KEYS.items():
        if name in properties:
            properties[name]["propertyNames"] = {"enum": list(words)}


def schema_text() -> str:
    return json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
