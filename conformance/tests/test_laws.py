"""What holds for every message of every codec under every alternative."""

from __future__ import annotations

from contextlib import suppress
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codecs_of_the_suite import each_variant
from wireproof import Codec, Malformed, Refused, codec
from wireproof.generate import boundaries, kinds, random_messages
from wireproof.mutate import mutate
from wireproof.strategies import chunked, messages

few = settings(max_examples=25, suppress_health_check=list(HealthCheck))


def without_check(value: Any) -> Any:
    """A check code is computed when written: it is in what is read, not in what was given."""
    if isinstance(value, dict):
        return {key: without_check(item) for key, item in value.items() if key != "check"}
    return [without_check(item) for item in value] if isinstance(value, list) else value


def fed(found: Codec, chunks: list[bytes]) -> dict[str, Any]:
    stream = found.stream()
    for chunk in chunks:
        stream.feed(chunk)
    return found.answer(stream.end())


@each_variant
def test_what_is_written_reads_back(name: str, direction: str | None, changes: dict[str, Any]) -> None:
    found = codec(name, direction=direction, profile=changes)

    @few
    @given(st.data())
    def holds(data: st.DataObject) -> None:
        message = data.draw(messages(found, data.draw(st.sampled_from(kinds(found)))))
        written = found.encode(message)
        decoded = found.decode(written)
        assert decoded.error is None
        assert [without_check(found.value(read)) for read in decoded.messages] == [without_check(found.value(message))]
        assert found.encode(decoded.messages[0]) == written
        assert found.message(found.value(message)) == message
        assert fed(found, data.draw(chunked(written))) == found.answer(decoded)

    within_limits = {key: value for key, value in changes.items() if not key.startswith("max_")}
    if within_limits == changes:
        holds()
    else:
        # Small limits refuse most generated messages; those within them obey the same law.
        for message in random_messages(found, seed=1, count=200):
            with suppress(Refused):
                assert found.decode(found.encode(message)).error is None


@each_variant
def test_boundary_values_read_back(name: str, direction: str | None, changes: dict[str, Any]) -> None:
    found = codec(name, direction=direction, profile=changes)
    count = 0
    for message in boundaries(found, long=False):
        count += 1
        written = found.encode(message)
        decoded = found.decode(written)
        assert decoded.error is None
        assert found.encode(decoded.messages[0]) == written
    assert count > 20


@each_variant
def test_any_bytes_get_the_same_answer_in_pieces(name: str, direction: str | None, changes: dict[str, Any]) -> None:
    found = codec(name, direction=direction, profile=changes)
    random = Random(name)
    made = list(random_messages(codec(name, direction=direction), seed=2, count=60))
    plain = [codec(name, direction=direction).encode(message) for message in made]
    for data in plain:
        changed = mutate(found, data, random)
        whole = found.decode(changed)
        assert whole.error is None or isinstance(whole.error, Malformed)
        pieces = [changed[index : index + 1] for index in range(len(changed))]
        assert fed(found, pieces) == found.answer(whole)
        cut = random.randint(0, len(changed))
        assert fed(found, [changed[:cut], b"", changed[cut:]]) == found.answer(whole)
        assert found.answer(found.trace(changed).decoded) == found.answer(whole)


@each_variant
def test_random_bytes_get_a_typed_answer(name: str, direction: str | None, changes: dict[str, Any]) -> None:
    found = codec(name, direction=direction, profile=changes)

    @few
    @given(st.binary(max_size=60))
    def holds(data: bytes) -> None:
        decoded = found.decode(data)
        if decoded.error is None:
            assert decoded.consumed == len(data)
        else:
            assert 0 <= decoded.error.offset <= len(data)
            assert decoded.error.path

    holds()
