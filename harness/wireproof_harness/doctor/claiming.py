"""Step 6: whether the answer to hello is one, and what is wrong with its claims."""

from __future__ import annotations

from typing import Any, Final

from wireproof.verdict import Answer
from wireproof.verdict.answers import content_of
from wireproof_harness.claims import BadClaims, Claims, claims_of
from wireproof_harness.contract import CONTRACTS, OPERATIONS
from wireproof_harness.doctor.findings import Finding, Report, shown

REQUEST: Final = '{"id": 17, "op": "hello", "contracts": [1], "suite": "..."}'
EXAMPLE: Final = '{"id": 17, "ok": {"contract": 1, "name": "mine", "protocols": {"comet": {"operations": ["decode"]}}}}'


def claimed(report: Report, answer: Answer, extra: dict[str, Any]) -> Claims | None:
    report.reach("hello")
    content = content_of(answer)
    if answer.form != "ok":
        report.add(_refused(answer, content))
        return None
    try:
        claims = claims_of(content, extra)
    except BadClaims as problem:
        report.add(_bad_claims(content, str(problem)))
        return None
    if not any(protocol.operations for protocol in claims.protocols.values()):
        report.add(
            Finding(
                "claims-nothing",
                "hello",
                "hello claims no operation of any protocol",
                "What is not claimed is not asked: a run without a question is red.",
                f"List what it can do under protocols: {EXAMPLE}",
            )
        )
        return None
    every = all(sorted(protocol.operations) == sorted(OPERATIONS) for protocol in claims.protocols.values())
    operations = (
        ", ".join(claims.protocols)
        if every
        else ", ".join(f"{name} ({', '.join(protocol.operations)})" for name, protocol in claims.protocols.items())
    )
    report.reach("hello", shown(f"{claims.name}: {operations}", 160))
    return claims


def _refused(answer: Answer, content: Any) -> Finding:
    unreadable = answer.id is None
    name = "cannot-read-request" if unreadable else "hello-refused"
    why = (
        "It says that it could not read the request for hello, which is one line of JSON."
        if unreadable
        else "hello is the first request of every run, and its answer is ok with the claims."
    )
    return Finding(
        name,
        "hello",
        f"hello was answered with {answer.form}: {shown(answer.content, 160)}",
        why,
        f"Its message says what it could not take. The request was {REQUEST}; an id is any integer."
        if unreadable
        else f"Answer the operation hello with ok and the claims: {EXAMPLE}",
    )


def _bad_claims(content: Any, problem: str) -> Finding:
    version = content.get("contract") if isinstance(content, dict) else None
    if type(version) is int and version not in CONTRACTS:
        return Finding(
            "contract-version",
            "hello",
            shown(problem),
            "Both sides have to speak the same version of the contract.",
            f'Answer hello with one of the versions in its `contracts`: "contract": {CONTRACTS[-1]}.',
        )
    return Finding(
        "bad-claims",
        "hello",
        shown(problem),
        "What it claims decides what it is asked; claims that cannot be read end a run before it begins.",
        f"Write claims as in docs/contract.md, for example {EXAMPLE}",
    )
