"""Runs of generated questions: seeds, examples kept, breakdowns, claims, and what is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from seededbugs import BUGS
from testees import CLAIM, adapter
from wireproof_harness.claims import ProtocolClaims
from wireproof_harness.cli import cli
from wireproof_harness.generated.comparison import Rules, difference
from wireproof_harness.generated.examples import MOST, BadQuestion, question_of, read_examples, write_examples
from wireproof_harness.generated.questions import Frames, Scope
from wireproof_harness.shrink import Budget, smallest

ALL = ProtocolClaims(["decode", "encode", "stream"])
SMALL = ["--protocol", "comet", "--seed", "7", "--generate"]
NEVER_ASKED = {"op": "decode", "protocol": "comet", "direction": "c2s", "hex": "000106"}
SEVEN = BUGS["seven topics"].changes


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CI", raising=False)


def check(*words: str) -> Result:
    return CliRunner().invoke(cli, ["check", *words])


def outcome(*words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(check(*words, "--format", "json").stdout)
    return found


def kept() -> list[dict[str, Any]]:
    return [each for path in Path(".wireproof/examples").glob("*.jsonl") for each in read_examples(path)]


# ---- seeds ----


def test_the_same_seed_asks_the_same_whatever_is_answered(tmp_path: Path) -> None:
    first, second = ([*Frames(Scope("tny", {}, ALL), seed=3).questions(60)] for _ in range(2))
    assert first == second
    assert first != [*Frames(Scope("tny", {}, ALL), seed=4).questions(60)]
    right, wrong = (outcome(words, *SMALL, "100")["protocols"][0] for words in ("reference", adapter(tmp_path, *SEVEN)))
    assert (right["questions"], right["improper"]) == (wrong["questions"], wrong["improper"])


def test_a_seed_is_random_and_told_unless_stated_or_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["reference", "--protocol", "tny-relay", "--generate", "3"]
    assert outcome(*words)["seed"] != outcome(*words)["seed"]
    assert outcome(*words, "--seed", "5")["seed"] == 5
    monkeypatch.setenv("CI", "true")
    assert [outcome(*words)["seed"] for _ in range(2)] == [0, 0]
    assert outcome(*words, "--seed", "5")["seed"] == 5


# ---- examples ----


def test_an_example_is_asked_first_and_told_when_it_is_mended(tmp_path: Path) -> None:
    words = adapter(tmp_path, *SEVEN)
    assert check(words, *SMALL, "600").exit_code == 1
    (example,) = kept()
    assert len(example["hex"]) // 2 == 25
    again = outcome(words, *SMALL, "1")
    (found,) = again["protocols"][0]["disagreements"]
    assert found["known"]
    assert again["exit_code"] == 1
    assert kept() == [example]
    adapter(tmp_path)  # the same program, put right
    run = check(words, *SMALL, "1")
    assert run.exit_code == 0, run.output
    assert "examples of earlier runs asked again: 1, mended: 1" in run.output
    assert example["hex"] in run.output
    assert kept() == []


def test_an_example_under_another_profile_stays(tmp_path: Path) -> None:
    words = adapter(tmp_path, *SEVEN)
    check(words, *SMALL, "600")
    before = kept()
    adapter(tmp_path)
    assert outcome(words, *SMALL, "1", "--set", "comet.order=little")["protocols"][0]["repeated"] == 0
    assert kept() == before


def test_what_is_read_is_not_trusted(tmp_path: Path) -> None:
    path = tmp_path / "examples.jsonl"
    good = NEVER_ASKED
    lines = [
        b"{",
        b"[" * 5000,
        b"\xff\xfe",
        b"null",
        b'{"op": "hello"}',
        b'{"op": ["decode"]}',
        json.dumps(good).encode(),
    ]
    lines += [json.dumps({**good, "hex": 5}).encode(), json.dumps({**good, "profile": {"no": 1}}).encode()]
    lines += [json.dumps({**good, "extra": 1}).encode(), json.dumps({**good, "protocol": {}}).encode()]
    path.write_bytes(b"\n".join(lines))
    assert read_examples(path) == [good]
    write_examples(path, [{**good, "hex": f"{number:08x}"} for number in range(2 * MOST)])
    assert len(read_examples(path)) == MOST
    assert [each.name for each in tmp_path.iterdir()] == [path.name]
    write_examples(path, [])
    assert not path.exists()


# ---- breakdowns ----


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ("if op == 'decode' and text.startswith('0001'): sys.exit(3)", "crash"),
        ("if op == 'decode' and text.startswith('0001'): print('debug', flush=True)", "contract-error"),
    ],
)
def test_a_breakdown_is_a_disagreement(tmp_path: Path, change: str, status: str) -> None:
    found = outcome(adapter(tmp_path, change), *SMALL, "25")
    assert found["exit_code"] == 1
    result = found["protocols"][0]
    assert {each["kind"].rpartition("/")[2].strip() for each in result["disagreements"]} == {status}
    assert all(len(each["question"]["hex"]) // 2 <= 9 for each in result["disagreements"])
    assert result["frames"] == 25 or result["stopped"]


def test_silence_is_a_disagreement(tmp_path: Path) -> None:
    change = "if op == 'encode' and len(line) < 150: import time; time.sleep(9)"
    found = outcome(adapter(tmp_path, change), *SMALL, "8", "--timeout-scale", "0.1")
    assert any(each["kind"].endswith("/ timeout") for each in found["protocols"][0]["disagreements"])


# ---- what the contract leaves free ----


@pytest.mark.parametrize(
    "change",
    [
        "if given.get('reject', {}).get('error') == 'overrun': given['reject']['error'] = 'length-mismatch'",
        "if 'reject' in given: given['reject'].pop('offset', 0); given['reject']['detail'] = 'no'",
        "if op == 'hello': given['ok']['reasons'] = 'none'\n    if 'reject' in given: del given['reject']['error']",
        'given = json.loads(json.dumps(given).replace(\'"name": "subscribe"\', \'"name": "sub"\'))',
    ],
)
def test_what_is_left_free_agrees(tmp_path: Path, change: str) -> None:
    found = outcome(adapter(tmp_path, change), *SMALL, "150")
    assert found["exit_code"] == 0, found["protocols"][0]["disagreements"]
    assert found["protocols"][0]["compared"] > 300


def test_an_alias_is_noted() -> None:
    right = {"reject": {"error": "overrun", "offset": 3, "detail": "x", "messages": []}}
    given = {"reject": {"error": "truncated", "messages": []}}
    assert difference(NEVER_ASKED, right, given) == ("", "", "", "truncated, an alias of overrun")
    assert difference(NEVER_ASKED, right, {"reject": {"messages": []}}, Rules(reasons=False)).kind == ""


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"ok": None},
        {"ok": {"messages": 1, "consumed": 0}},
        {"ok": {"messages": []}},
        {"reject": {"messages": []}},
        {"reject": {"error": ["x"], "messages": []}},
        {"incomplete": []},
    ],
)
def test_answers_without_the_form_of_one_are_disagreements(given: dict[str, Any]) -> None:
    right = {"ok": {"messages": [], "consumed": 0}}
    assert "not in the contract" in difference(NEVER_ASKED, right, given).kind


# ---- claims and counts ----


def test_what_is_not_claimed_is_counted_and_not_asked(tmp_path: Path) -> None:
    claims = "{'comet': {'operations': ['decode'], 'directions': ['c2s'], 'messages': ['subscribe']}}"
    refuse = "if op in ('encode', 'stream') or request.get('direction') == 's2c': sys.exit(1)"
    found = outcome(adapter(tmp_path, CLAIM.format(claims=claims), refuse), "--seed", "1", "--generate", "100")
    assert found["exit_code"] == 0
    (result,) = found["protocols"]
    assert {"operation encode", "operation stream"} <= set(result["not_claimed"])
    assert result["asked"] + sum(result["not_claimed"].values()) + result["improper"] == result["questions"]
    assert len(found["not_claimed"]) == 5


def test_nothing_asked_is_not_a_pass(tmp_path: Path) -> None:
    nothing = adapter(tmp_path, CLAIM.format(claims="{'tny': {'operations': []}}"))
    assert check(nothing, "--generate", "5").exit_code == 5
    assert check(nothing, "--generate", "5", "--protocol", "comet").exit_code == 5
    change = "if op != 'hello': given = {'id': request['id'], 'unsupported': {'reason': 'no'}}"
    run = check(adapter(tmp_path, change), *SMALL, "5")
    assert run.exit_code == 5
    assert "answered unsupported" in run.output


def test_the_declared_profile_is_asked(tmp_path: Path) -> None:
    change = "if op not in ('hello', 'frobnicate') and request.get('profile') != {'order': 'little'}: sys.exit(1)"
    words = [adapter(tmp_path, change), *SMALL, "40", "--set", "comet.order=little"]
    assert check(*words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["/no/such/program", "--generate", "1"], 3, "no program"),
        (["reference", "--generate", "0"], 2, "0 is not in the range"),
        (["reference", "--generate", "1", "--format", "junit"], 2, "told as pretty or json"),
        (["reference", "--generate", "1", "--id", "X", "--watch"], 2, "does not go with --id, --watch"),
        (["reference", "--ask", "{}", "--generate", "1"], 2, "does not go with --generate"),
        (["reference", "--ask", "{"], 2, "a request in JSON"),
        (["reference", "--ask", "{}"], 2, "op is one of decode, encode, stream"),
        (["reference", "--ask", '{"op": "decode", "protocol": "comet", "hex": "00"}'], 2, "needs a direction"),
    ],
)
def test_what_cannot_be_done_is_said(words: list[str], code: int, said: str) -> None:
    run = check(*words)
    assert run.exit_code == code, run.output
    assert said in run.output


@pytest.mark.parametrize("form", ["pretty", "json"])
def test_what_an_implementation_says_does_no_harm(tmp_path: Path, form: str) -> None:
    nasty = '"\\x1b[2J\\u202e\\ud800" + "9" * 30'
    change = f'if op == "decode": given = {{"id": request["id"], "error": {{"message": {nasty}}}}}'
    run = check(adapter(tmp_path, change), *SMALL, "20", "--format", form)
    assert run.exit_code == 1, run.output
    assert "\x1b" not in run.stdout
    assert "\u202e" not in run.stdout


def test_a_question_that_the_contract_does_not_have_is_refused() -> None:
    with pytest.raises(BadQuestion, match="no key 'value'"):
        question_of({**NEVER_ASKED, "value": 1})


# ---- making small ----


def test_candidates_are_asked_in_batches() -> None:
    sizes: list[int] = []

    def hold(some: Any) -> list[bool]:
        sizes.append(len(some))
        return [0x2A in bytes.fromhex(each["hex"]) for each in some]

    def shorter(question: dict[str, Any]) -> list[dict[str, Any]]:
        text = question["hex"]
        return [{"hex": text[:place] + text[place + 2 :]} for place in range(0, len(text), 2)]

    found = smallest({"hex": bytes(range(100)).hex()}, hold, shorter, Budget(attempts=10_000, batch=64))
    assert found == {"hex": "2a"}
    assert max(sizes) == 64
