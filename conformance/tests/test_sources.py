"""The generated code: reviewed as a snapshot, readable in tracebacks."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from codecs_of_the_suite import standard
from wireproof import Codec, Malformed, codec

SNAPSHOTS = Path(__file__).parent / "snapshots"


def snapshot_name(found: Codec) -> str:
    return "-".join(filter(None, [found.name, found.plan.direction])) + ".txt"


@pytest.mark.parametrize("found", standard(), ids=snapshot_name)
def test_the_generated_code_is_the_reviewed_code(found: Codec) -> None:
    path = SNAPSHOTS / snapshot_name(found)
    known = path.read_text(encoding="utf-8") if path.exists() else ""
    if found.module.source != known:
        command = f"wireproof source {found.name}" + (
            f" --direction {found.plan.direction}" * bool(found.plan.direction)
        )
        pytest.fail(f"the code generated for {found.name} changed; review it and keep it: {command} > {path}")


def test_a_traceback_shows_the_generated_line() -> None:
    decode = codec("comet", direction="c2s").module.names["read_subscribe"]
    with pytest.raises(Malformed) as caught:
        decode(b"\x01", 0, 1)
    shown = "".join(traceback.format_exception(caught.value))
    assert 'raise Malformed("overrun", "COMET-2.3", pos, f"command.topics[{i}].length"' in shown


def test_every_profile_has_code_of_its_own() -> None:
    plain = codec("comet", direction="c2s").module.source
    little = codec("comet", direction="c2s", profile={"order": "little"}).module.source
    assert "unpack_be_H" in plain
    assert "unpack_be_H" not in little
