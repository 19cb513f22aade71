"""The commands `docs` and `url`: what they print, where they write, how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from wireproof.codec import PROTOCOLS
from wireproof.document import page
from wireproof_harness.cli import main

SAMPLE = "esnp://127.0.0.1:1080/test/add?to=1234"
VALUE = {"addresses": [[40, "127.0.0.1:1080"], [30, "test"], [20, "add"]], "params": [["to", "1234"]]}

Captured = pytest.CaptureFixture[str]


def test_docs_prints_a_page(capsys: Captured) -> None:
    assert main(["docs", "tny-relay"]) == 0
    assert capsys.readouterr().out == page("tny-relay")


def test_docs_writes_all_pages(tmp_path: Path, capsys: Captured) -> None:
    assert main(["docs", "--write", str(tmp_path / "new")]) == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {f"{name}.md" for name in PROTOCOLS}
    assert len(capsys.readouterr().out.splitlines()) == len(PROTOCOLS)


def test_docs_writes_one_page(tmp_path: Path) -> None:
    assert main(["docs", "comet", "--write", str(tmp_path)]) == 0
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == [page("comet")]


def test_docs_needs_something_to_do(capsys: Captured) -> None:
    assert main(["docs"]) == 2
    assert "--write DIR" in capsys.readouterr().err


def test_url_parse_as_json(capsys: Captured) -> None:
    assert main(["url", "parse", SAMPLE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"ok": True, "value": VALUE}


def test_url_parse_for_people(capsys: Captured) -> None:
    assert main(["url", "parse", "esnp://h/%1B%5B31m/_"]) == 0
    out = capsys.readouterr().out
    assert '"h"' in out
    assert "\x1b" not in out


def test_url_parse_rejects(capsys: Captured) -> None:
    assert main(["url", "parse", "esnp://h/%zz", "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"ok": False, "error": "invalid-value", "offset": 9}
    assert main(["url", "parse", "esnp://h/%zz"]) == 1
    assert "at character 9" in capsys.readouterr().out


def test_url_write(capsys: Captured) -> None:
    assert main(["url", "write", json.dumps(VALUE)]) == 0
    assert capsys.readouterr().out == SAMPLE + "\n"


def test_url_write_refuses(capsys: Captured) -> None:
    assert main(["url", "write", '{"addresses": [[41, "x"]], "params": []}', "--json"]) == 1
    assert json.loads(capsys.readouterr().out) == {"ok": False, "error": "unknown-enum"}


@pytest.mark.parametrize("text", ["", "{", "[]", '{"addresses": []}', "[" * 100_000, "9" * 10_000])
def test_url_write_says_what_a_value_is(text: str, capsys: Captured) -> None:
    assert main(["url", "write", text]) == 2
    assert '"addresses"' in capsys.readouterr().err
