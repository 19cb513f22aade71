"""The starter kits: each is small, is written out whole, and answers every comet vector rightly as it stands."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wireproof.suite import Vector, load_suite
from wireproof.verdict import questions
from wireproof_harness.cli import cli
from wireproof_harness.cli.kit import LEFT_BY_RUNS, files, kits
from wireproof_harness.peer import Peer
from wireproof_harness.plan import Selection
from wireproof_harness.reference import answer
from wireproof_harness.session import Settled, check
from wireproof_harness.target import target

KITS = Path(__file__).parents[1] / "kits"
LANGUAGES = list(kits())
TOOLS = {"node", "java", "cc", "javac", "cargo", "go"}
"""What tools/setup knows: a kit needs those that its manifest names."""

CODE = {".py", ".mjs", ".c", ".h", ".java", ".go", ".rs"}
JSON = {"json.h", "Json.java", "json.rs"}
"""One file of a kit may stand for the JSON library that its language lacks: it does not count."""
MOST_LINES = 150
LONGEST_LINE = 110

each_kit = pytest.mark.parametrize("language", LANGUAGES)


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["kit", *arguments], catch_exceptions=False)
    return result.exit_code, result.output


def written(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    named = {path.relative_to(folder): path for path in paths}
    return {
        inside.as_posix(): path.read_bytes()
        for inside, path in named.items()
        if not any(part in LEFT_BY_RUNS or part.startswith(".") for part in inside.parts)
    }


# ---- the kits as files, and the command that writes them ----


def test_every_language_is_listed_with_how_it_is_started() -> None:
    assert {"python", "javascript", "c"} <= set(LANGUAGES)
    assert "reference-js" not in LANGUAGES
    code, listed = run()
    assert code == 0
    for language in LANGUAGES:
        command = tomllib.loads((KITS / language / "wireproof.toml").read_text("utf-8"))["command"]
        assert re.search(rf"^{language} .*{re.escape(' '.join(command))}$", listed, re.MULTILINE)


def code(language: str) -> list[str]:
    return [path for path in written(KITS / language) if Path(path).suffix in CODE]


def own_lines(language: str) -> list[str]:
    """All lines that a user has to read, blank ones and comments included."""
    own = [KITS / language / path for path in code(language) if path not in JSON]
    return [line for path in own for line in path.read_text("utf-8").splitlines()]


@each_kit
def test_a_kit_is_small(language: str) -> None:
    lines = own_lines(language)
    assert len(lines) <= MOST_LINES
    assert [line for line in lines if len(line) > LONGEST_LINE] == []


@each_kit
def test_a_kit_shows_where_a_codec_is_called(language: str) -> None:
    assert sum("HOOK" in line for line in own_lines(language)) >= 2


@each_kit
def test_a_kit_says_what_is_where(language: str) -> None:
    readme = (KITS / language / "README.md").read_text("utf-8")
    assert "wireproof check wireproof.toml" in readme
    for path in code(language):
        assert path in readme


@each_kit
def test_a_kit_is_written_out_whole_into_a_new_or_an_empty_folder(language: str, tmp_path: Path) -> None:
    for folder in (tmp_path / "new" / "mine", tmp_path / "empty"):
        if folder.name == "empty":
            folder.mkdir()
        code, said = run(language, str(folder))
        assert code == 0
        assert written(folder) == written(KITS / language)
        for step in ("wireproof doctor", "wireproof check"):
            assert f"{step} {folder / 'wireproof.toml'}" in said


@each_kit
def test_a_kit_can_be_read_from_a_zip(language: str, tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "kits.zip", "w") as archive:
        for path, content in written(KITS / language).items():
            archive.writestr(path, content)
    found = {"/".join(path): content for path, content in files(zipfile.Path(tmp_path / "kits.zip"))}
    assert found == written(KITS / language)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "adapter.py").write_text("mine")
    code, said = run("python", str(tmp_path))
    assert (code, "none is overwritten" in said) == (2, True)
    assert written(tmp_path) == {"adapter.py": b"mine"}


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["cobol", "mine"], "there is no kit 'cobol': say c, "),
        (["python"], "say where the kit is to be written: wireproof kit python mine"),
        (["python", "/dev/null/mine"], "cannot be written"),
    ],
)
def test_what_cannot_be_written_is_a_usage_error(arguments: list[str], complaint: str) -> None:
    code, said = run(*arguments)
    assert (code, complaint in said) == (2, True)


# ---- the kits as implementations ----


def tools(language: str) -> set[str]:
    manifest = tomllib.loads((KITS / language / "wireproof.toml").read_text("utf-8"))
    return TOOLS.intersection(" ".join([*manifest.get("build", []), *manifest["command"]]).split())


@pytest.fixture(
    scope="module",
    params=[
        pytest.param(name, marks=[pytest.mark.requires(*sorted(tools(name))), pytest.mark.xdist_group(f"kit {name}")])
        for name in LANGUAGES
    ],
)
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The manifest of a kit that has been written out and built, and need not be built again."""
    folder = tmp_path_factory.mktemp(request.param)
    assert run(request.param, str(folder))[0] == 0
    manifest = folder / "wireproof.toml"
    content = tomllib.loads(manifest.read_text("utf-8"))
    if "build" in content:
        done = subprocess.run(content["build"], cwd=folder, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        text = re.sub(r"^build = .*\n", "", manifest.read_text("utf-8"), flags=re.MULTILINE)
        manifest.write_text(text, "utf-8")
        assert "build" not in tomllib.loads(text)
    return manifest


@pytest.fixture(scope="module")
def adapter(built: Path) -> Iterator[Peer]:
    peer = Peer(target((str(built),)).open(scale=4))
    yield peer
    peer.close()


def test_all_that_is_claimed_passes_without_a_note(built: Path, tmp_path: Path) -> None:
    """Every comet vector under `standard`: decoded, encoded, refused, and in pieces."""
    selection = Selection(protocols=("comet",))
    settled = Settled(target=target((str(built),)), log=tmp_path / "log.jsonl", selection=selection, scale=4)
    found = check(settled, load_suite())
    assert [
        verdict for verdict in found.verdicts if verdict.status not in ("pass", "unsupported") or verdict.notes
    ] == []
    standard = [question.id for vector in vectors() for question in questions(vector)]
    assert {verdict.question for verdict in found.verdicts if verdict.status == "pass"} >= set(standard)
    assert {verdict.reason for verdict in found.verdicts if verdict.error and verdict.status == "pass"} == {"exact"}
    assert found.footer is not None
    assert (found.footer.verdict, found.footer.restarts) == ("conforms", 0)


@cache
def vectors() -> list[Vector]:
    """Those of comet under `standard`."""
    return [vector for vector in load_suite().by_protocol["comet"] if not vector.profile]


def test_offsets_are_exact(adapter: Peer) -> None:
    """They need not be, for the suite. But a kit is there to be copied."""
    rejected = [vector for vector in vectors() if vector.kind == "reject"]
    answers = adapter.ask(
        [
            {"id": number, "op": "decode", "protocol": "comet", "direction": vector.direction, "hex": vector.data.hex()}
            for number, vector in enumerate(rejected)
        ]
    )
    for vector, given in zip(rejected, answers, strict=True):
        assert given["reject"]["offset"] == vector.answer["offset"], vector.id


def test_an_open_stream_says_which_chunk_completed_a_message(adapter: Peer) -> None:
    """Every vector without its last byte, in threes: what the reference says, `after` included."""
    asked = [
        {
            "id": number,
            "op": "stream",
            "protocol": "comet",
            "direction": vector.direction,
            "chunks": ["", *(vector.data[at : at + 3].hex() for at in range(0, len(vector.data) - 1, 3))],
            "eof": False,
        }
        for number, vector in enumerate(vectors())
        if vector.kind != "refuse" and len(vector.data) < 10_000
    ]
    for question, given in zip(asked, adapter.ask(asked), strict=True):
        expected = answer(question)
        expected.get("reject", {}).pop("detail", None)
        assert given == expected, question


def test_another_profile_is_unsupported_and_the_standard_one_may_be_spelt_out(adapter: Peer) -> None:
    common = {"op": "decode", "protocol": "comet", "direction": "c2s", "hex": "000106"}
    profiles: list[tuple[Any, str]] = [
        ({}, "ok"),
        ({"order": "big", "environ_reply": "ok"}, "ok"),
        ({"order": "little"}, "unsupported"),
        ({"order": "big", "utf8": "bytes"}, "unsupported"),
    ]
    asked = [{"id": number, **common, "profile": profile} for number, (profile, _) in enumerate(profiles)]
    for given, (profile, key) in zip(adapter.ask(asked), profiles, strict=True):
        assert key in given, (profile, given)


MEBIBYTE = 1 << 20
LARGE = (b"\xff\xff\x00\xff\xfa" + b"\xc2\x80" * 32765 + b"\x00\x00") * 255
"""A little less than 16 MiB of auth commands, as long as they come."""


def test_16_mib_are_taken_whole_and_in_pieces(adapter: Peer) -> None:
    assert 15 * MEBIBYTE < len(LARGE) < 16 * MEBIBYTE
    common = {"protocol": "comet", "direction": "c2s"}
    chunks = [LARGE[at : at + 1000].hex() for at in range(0, len(LARGE), 1000)]
    whole, pieces = adapter.ask(
        [
            {"id": 1, "op": "decode", "hex": LARGE.hex(), **common},
            {"id": 2, "op": "stream", "chunks": chunks, **common},
        ]
    )
    assert ("fault" in whole, "fault" in pieces) == (False, False), (whole.get("fault"), pieces.get("fault"))
    assert whole["ok"]["consumed"] == len(LARGE)
    assert len(whole["ok"]["messages"]) == 255
    assert whole["ok"]["messages"][0]["command"]["client_id"] == "\x80" * 32765
    assert pieces["ok"]["messages"] == whole["ok"]["messages"]


ANY = ("ok", "reject", "unsupported", "error", "incomplete")
COMET = b'"protocol": "comet", "direction": "c2s"'
LINES: list[tuple[bytes, tuple[int | None, ...], tuple[str, ...]]] = [
    (b'{"id": 7, "op": "hello", "contracts": [1], "suite": "0"}', (7,), ("ok",)),
    (b'{"id": 7, "op": "frobnicate"}', (7,), ("unsupported",)),
    (b'{"id": 7, "op": "decode", "protocol": "tny", "hex": ""}', (7,), ("unsupported",)),
    (b'{"hex": "000106", "direction": "c2s", "protocol": "comet", "op": "decode", "id": 7}', (7,), ("ok",)),
    (b'{"id": 7, "op": "stream", "chunks": [], "eof": false, ' + COMET + b"}", (7,), ("ok",)),
    (b'{"id": 7, "op": "stream", "chunks": ["00"], "eof": false, ' + COMET + b"}", (7,), ("incomplete",)),
    ('{"id": 7, "op": "hello", "suite": "\u2028"}'.encode(), (7,), ("ok",)),
    # what is no request
    (b'{"id": 7, "op": "hel', (None,), ("error",)),
    (b"[7]", (None,), ("error",)),
    (b"null", (None,), ("error",)),
    (b"", (None,), ("error",)),
    (b"[" * 100_000, (None,), ("error",)),
    (b"\x00", (None,), ("error",)),
    # what lacks something, or has something of another kind
    (b'{"id": 7, "op": "decode", ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "decode", "hex": 1, ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "decode", "hex": "0", ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "decode", "hex": "0x", ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "stream", ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "stream", "chunks": 1, ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "stream", "chunks": ["00", 1], ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "encode", ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "encode", "value": null, ' + COMET + b"}", (7,), ("error",)),
    (b'{"id": 7, "op": "encode", "value": 5, ' + COMET + b"}", (7,), ("error",)),
    # what the suite never asks: any answer will do
    (b'{"id": 7}', (7,), ANY),
    (b'{"id": 7, "op": "decode", "protocol": "comet", "direction": "up", "hex": "000106"}', (7,), ANY),
    (b'{"id": 7, "op": "decode", "hex": "000106", "profile": null, ' + COMET + b"}", (7,), ANY),
    (b'{"id": 7, "op": "decode", "hex": "000106", "profile": [1], ' + COMET + b"}", (7,), ANY),
    (b'{"id": "7", "op": "hello"}', (7, None), ANY),
    (b'{"id": 7, "op": "hello", "suite": "\xff"}', (7, None), ANY),
]
SHAPES = [
    "null",
    "1",
    "-1.5",
    "1e999",
    '"@"',
    '"zz"',
    "[]",
    "[null]",
    "[[]]",
    "{}",
    '{"hex": 1}',
    "9" * 400,
    "[" * 250 + "]" * 250,
]
"""One after the other they are put in the place of each field of each message."""


def misshapen() -> Iterator[bytes]:
    for vector in vectors():
        if vector.kind == "accept" and len(vector.data) < 100:
            for message in vector.messages[:1]:
                for field in message["command"]:
                    command = {**message["command"], field: "HERE"}
                    value = json.dumps({"command": command})
                    for shape in SHAPES:
                        yield (
                            f'{{"id": 7, "op": "encode", "protocol": "comet", "direction": "{vector.direction}", '
                            f'"value": {value.replace(json.dumps("HERE"), shape)}}}'
                        ).encode()


def answers_of(built: Path, lines: list[bytes]) -> list[dict[str, Any]]:
    """What comes for lines that no Peer would send."""
    command = tomllib.loads(built.read_text("utf-8"))["command"]
    asked = b"".join(line + b"\n" for line in lines)
    done = subprocess.run(command, cwd=built.parent, input=asked, capture_output=True, check=False, timeout=60)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, len(answers)) == (0, len(lines)), done.stderr[-1000:]
    return answers


def test_whatever_is_on_a_line_is_answered(built: Path) -> None:
    for (line, numbers, keys), given in zip(LINES, answers_of(built, [line for line, _, _ in LINES]), strict=True):
        (key,) = given.keys() - {"id"}
        assert given["id"] in numbers, (line[:120], given)
        assert key in keys, (line[:120], given)


def test_a_value_of_a_wrong_shape_does_no_harm(built: Path) -> None:
    lines = sorted(set(misshapen()))
    assert len(lines) > 500
    *answers, alive = answers_of(built, [*lines, LINES[0][0]])
    for line, given in zip(lines, answers, strict=True):
        (key,) = given.keys() - {"id"}
        assert (given["id"], key in ("ok", "reject", "error")) == (7, True), (line[:200], given)
    assert alive["ok"]["contract"] == 1
