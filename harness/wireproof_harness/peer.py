"""An implementation that is asked with requests as values, many at a time, and answers with values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wireproof.verdict import Answer
from wireproof.verdict.answers import content_of
from wireproof_harness import jsonlines
from wireproof_harness.supervisor import Asker, Job, Outcome
from wireproof_harness.target import target


class Peer:
    """A running implementation; what came instead of an answer is told under the key `fault`."""

    def __init__(self, asker: Asker) -> None:
        self.name = asker.name
        self._asker = asker
        try:
            self.claims = asker.start()
        except BaseException:
            asker.close()
            raise

    def ask(self, requests: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """The answers, in the order of the requests."""
        found: dict[int, Outcome] = {}
        for job, outcome in self._asker.ask(Job(_end(request), index=place) for place, request in enumerate(requests)):
            found[job.index] = outcome
        return [{"id": request["id"], **_told(found[place])} for place, request in enumerate(requests)]

    def close(self) -> None:
        self._asker.close()


def peer(text: str) -> Peer:
    """What a user names as an implementation, started."""
    return Peer(target((text,)).open())


def _end(request: dict[str, Any]) -> bytes:
    content = {key: value for key, value in request.items() if key != "id"}
    return b"," + jsonlines.dump(content)[1:]


def _told(outcome: Outcome) -> dict[str, Any]:
    if isinstance(outcome, Answer):
        return {outcome.form: content_of(outcome)}
    return {"fault": {"status": outcome.status, "detail": outcome.detail}}
