"""What docs/rules.md says is what the codecs do.

A line of its `wire` blocks reads `codec [direction] [name=value]... [open]: question -> answer`.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wireproof import PROTOCOLS, BadValue, Codec, Refused, codec
from wireproof.clauses import clauses
from wireproof.errors import ERROR_CLASSES
from wireproof.profile import changes_from_text, parameters, profile_file
from worked import expand

TEXT = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```wire\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINE = re.compile(r"(?P<codec>\S.*?): (?P<question>.*?) (?P<arrow><?->) (?P<answer>.*?)(?: +# .*)?")
CITED = re.compile(r"\b(?:ESNPF|ESNPL|TNY|RPK|MAG|COMET)-S?\d+(?:\.\d+)?")
PROSE = BLOCK.sub("", TEXT)
SECTIONS = re.split(r"^## \d+\. .*$", PROSE, flags=re.MULTILINE)


class Example(NamedTuple):
    codec: Codec
    is_open: bool
    question: str
    both_ways: bool
    answer: str
    id: str

    @property
    def encodes(self) -> bool:
        return self.question.startswith("{")

    @property
    def data(self) -> bytes:
        return as_bytes(self.question.strip('"'))


def as_bytes(text: str) -> bytes:
    return bytes.fromhex(expand(text))


def as_json(text: str) -> Any:
    return expand(json.loads(text))


def parse(line: str) -> Example:
    match = LINE.fullmatch(line)
    assert match is not None, f"not an example: {line}"
    name, *words = match["codec"].split()
    directions = [word for word in words if word in ("c2s", "s2c")]
    changes = changes_from_text(name, tuple(word for word in words if "=" in word))
    found = codec(name, direction=directions[0] if directions else None, profile=changes)
    return Example(found, "open" in words, match["question"], match["arrow"] == "<->", match["answer"], line[:70])


EXAMPLES = [parse(line) for block in BLOCK.findall(TEXT) for line in block.splitlines()]
DECODED = [example for example in EXAMPLES if not example.encodes]
ENCODED = [example for example in EXAMPLES if example.encodes]
BOTH_WAYS = [example for example in DECODED if example.both_ways]


def table(text: str, first_header: str) -> list[list[str]]:
    """The rows of the table whose header begins with a cell."""
    start = text.index(f"\n| {first_header} |") + 1
    lines = text[start:].split("\n\n", 1)[0].splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def quoted(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def streamed(example: Example, size: int) -> dict[str, Any]:
    """The answer to an example that is fed so many bytes at a time."""
    stream = example.codec.stream()
    for start in range(0, len(example.data), size):
        stream.feed(example.data[start : start + size])
    return example.codec.answer(stream.result() if example.is_open else stream.end())


def as_written(example: Example, answer: dict[str, Any]) -> str:
    """An answer in the notation of the page, as far as the example tells it."""
    delivered = len(answer["messages"])
    if answer["ok"] is True:
        assert answer["consumed"] == len(example.data)
        in_full = example.answer.startswith("{") and delivered == 1
        return json.dumps(answer["messages"][0]) if in_full else f"ok {delivered}"
    after = f" after {delivered}" if delivered else ""
    if answer["ok"] == "incomplete":
        return f"incomplete {answer['consumed']}{after}"
    return f"{answer['error']} {answer['offset']}{after}"


@pytest.mark.parametrize("example", DECODED, ids=lambda example: example.id)
def test_bytes_get_the_answer_on_the_page(example: Example) -> None:
    # Compared as text: the page also shows the order in which keys are printed.
    expected = json.dumps(as_json(example.answer)) if example.answer.startswith("{") else example.answer
    if not example.is_open:
        assert as_written(example, example.codec.answer(example.codec.decode(example.data))) == expected
    for size in (1, 2, 3, 1000):
        assert as_written(example, streamed(example, size)) == expected


@pytest.mark.parametrize("example", BOTH_WAYS, ids=lambda example: example.id)
def test_a_message_encodes_back(example: Example) -> None:
    assert encoded(example.codec, as_json(example.answer)) == example.data.hex()


@pytest.mark.parametrize("example", ENCODED, ids=lambda example: example.id)
def test_a_value_is_written_or_refused_as_on_the_page(example: Example) -> None:
    no_bytes = example.answer == "no value" or example.answer.startswith("refused ")
    expected = example.answer if no_bytes else as_bytes(example.answer).hex()
    assert encoded(example.codec, as_json(example.question)) == expected


def encoded(found: Codec, value: Any) -> str:
    try:
        return found.encode(found.message(value)).hex()
    except Refused as refusal:
        return f"refused {refusal.error}"
    except BadValue:
        return "no value"


def test_the_examples_show_every_codec_and_every_class() -> None:
    assert {example.codec.name for example in BOTH_WAYS} == set(PROTOCOLS)
    shown = {example.answer.split()[0] for example in DECODED}
    # Without a session there are no keys, so no bytes fail to decrypt.
    assert set(ERROR_CLASSES) - shown == {"crypto-failure"}


def test_every_class_has_an_offset() -> None:
    names = [name for row in table(SECTIONS[4], "class") for name in quoted(row[0])]
    assert sorted(names) == sorted(ERROR_CLASSES)


def int32(number: int) -> str:
    return encoded(codec("esnp-line"), {"lines": [{"type": 30, "flag": number}]})[8:-8]


def var_int32(number: int, form: str) -> str:
    """ResultCode, which has a head of 9 bytes and five fields of one byte before it, two after it."""
    message = {"message_id": "0", "mode": 0, "line": 0, "protocol_id": 0, "result_code": number}
    payload = {"access_id": "0", "number": 0, "message": message | {"to_message": "0", "time": "0"}}
    packet = {"type": 0, "waste": False, "encrypt": False, "verify": False, "payload": payload}
    return encoded(codec("tny", profile={"varint": form}), {"packet": packet})[28:-4]


@pytest.mark.parametrize("row", table(PROSE, "number"), ids=lambda row: row[0])
def test_the_table_of_varints(row: list[str]) -> None:
    number = int(row[0])
    assert quoted(" ".join(row)) == [
        int32(number),
        *(var_int32(number, form) for form in ("plain", "zigzag", "protobuf")),
    ]


@pytest.mark.parametrize("text", [text for row in table(PROSE, "t") for text in quoted(row[2])])
def test_the_table_of_var(text: str) -> None:
    """Each is read back as it stands, in the revision whose `int` has that form."""
    name, key = ("esnp-line", "lines") if text == '{"t": "int", "v": 7}' else ("esnp-frame", "frames")
    found = codec(name)
    value = {key: [{"type": 16, "name": "SESSION_INFO", "key": "k", "value": json.loads(text)}]}
    (message,) = found.decode(bytes.fromhex(encoded(found, value))).messages
    assert found.value(message) == value


def test_the_limits_are_those_of_standard() -> None:
    told = {
        (name, quoted(parameter)[0], default)
        for codecs, parameter, default, _ in table(SECTIONS[6], "codec")
        for name in (("esnp-frame", "esnp-line") if codecs == "both ESNP" else (codecs,))
    }
    known = {(name, each.name, str(each.default)) for name in PROTOCOLS for each in parameters(name).values()}
    assert told == {limit for limit in known if limit[1].startswith("max_")}


def test_every_choice_of_a_profile_is_explained() -> None:
    named = {word.partition("=")[0] for word in quoted(SECTIONS[9])}
    choices = {each.name for name in PROTOCOLS for each in parameters(name).values() if each.alternatives()}
    assert choices - named == set()


def test_citations_exist() -> None:
    points = {point.id for name in PROTOCOLS for point in profile_file(name).open_points}
    known = points.union(*(clauses(name) for name in PROTOCOLS))
    cited = set(CITED.findall(TEXT))
    assert len(cited) > 50
    assert cited - known == set()
