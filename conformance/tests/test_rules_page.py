"""What docs/rules.md says is what the codecs do."""

from __future__ import annotations

import json
from typing import Any

import pytest

from wireproof import PROTOCOLS, BadValue, Codec, Refused, codec
from wireproof.clauses import clauses
from wireproof.errors import ERROR_CLASSES
from wireproof.profile import parameters, profile_file

from rules_page import CITED, TEXT, Example, as_bytes, as_json, examples, quoted, section, table

EXAMPLES = examples(TEXT)
DECODED = [example for example in EXAMPLES if not example.encodes]
ENCODED = [example for example in EXAMPLES if example.encodes]

each_decode = pytest.mark.parametrize("example", DECODED, ids=lambda example: example.id)


def in_pieces(example: Example, size: int) -> dict[str, Any]:
    """The answer to the input of an example, fed so many bytes at a time."""
    stream = example.codec.stream()
    for start in range(0, len(example.data), size):
        stream.feed(example.data[start : start + size])
    return example.codec.answer(stream.result() if example.is_open else stream.end())


def as_written(example: Example, answer: dict[str, Any]) -> str:
    """An answer in the notation of the page, as far as the example tells it."""
    if example.answer.startswith("{"):
        (message,) = answer["messages"]
        assert answer == {"ok": True, "messages": [message], "consumed": len(example.data)}
        return json.dumps(message, ensure_ascii=False)
    delivered = len(answer["messages"])
    if answer["ok"] is True:
        assert answer["consumed"] == len(example.data)
        return f"ok {delivered}"
    after = f" after {delivered}" if delivered else ""
    if answer["ok"] == "incomplete":
        return f"incomplete {answer['consumed']}{after}"
    return f"{answer['error']} {answer['offset']}{after}"


def expected(example: Example) -> str:
    if example.answer.startswith("{"):
        return json.dumps(as_json(example.answer), ensure_ascii=False)
    return example.answer


@each_decode
def test_an_input_gets_the_answer_on_the_page(example: Example) -> None:
    if not example.is_open:
        whole = example.codec.answer(example.codec.decode(example.data))
        assert as_written(example, whole) == expected(example)
    for size in (1, 2, 3, 1000):
        assert as_written(example, in_pieces(example, size)) == expected(example)


@pytest.mark.parametrize("example", [example for example in DECODED if example.both_ways], ids=lambda each: each.id)
def test_a_message_encodes_back(example: Example) -> None:
    message = example.codec.message(as_json(example.answer))
    assert example.codec.encode(message) == example.data


@pytest.mark.parametrize("example", ENCODED, ids=lambda example: example.id)
def test_a_value_is_written_or_refused_as_on_the_page(example: Example) -> None:
    assert encoded(example.codec, as_json(example.question)) == written_answer(example.answer)


def encoded(found: Codec, value: Any) -> str:
    try:
        return found.encode(found.message(value)).hex()
    except Refused as refusal:
        return f"refused {refusal.error}"
    except BadValue:
        return "no value"


def written_answer(answer: str) -> str:
    return answer if answer == "no value" or answer.startswith("refused ") else as_bytes(answer).hex()


def test_the_examples_cover_every_codec_both_ways() -> None:
    assert {example.codec.name for example in DECODED} == set(PROTOCOLS)
    assert {example.codec.name for example in DECODED if example.both_ways} == set(PROTOCOLS)


def test_every_class_has_an_offset() -> None:
    rows = table(section(TEXT, 4), "class")
    assert sorted(name for row in rows for name in quoted(row[0])) == sorted(ERROR_CLASSES)


def test_the_examples_show_every_class_a_codec_can_answer() -> None:
    shown = {example.answer.split()[0] for example in DECODED}
    # The bytes of a message never show a failed decryption: only sessions have keys.
    assert set(ERROR_CLASSES) - shown == {"crypto-failure"}


def int32(number: int) -> str:
    found = codec("esnp-line")
    return found.encode(found.message({"lines": [{"type": 30, "flag": number}]}))[4:-4].hex()


def var_int32(number: int, form: str) -> str:
    """The bytes of ResultCode, between five fields of one byte and two."""
    found = codec("tny", profile={"varint": form})
    message = {"message_id": "0", "mode": 0, "line": 0, "protocol_id": 0, "result_code": number}
    payload = {"access_id": "0", "number": 0, "message": message | {"to_message": "0", "time": "0"}}
    packet = {"type": 0, "waste": False, "encrypt": False, "verify": False, "payload": payload}
    return found.encode(found.message({"packet": packet}))[14:-2].hex()


@pytest.mark.parametrize("row", table(TEXT, "number"), ids=lambda row: row[0])
def test_the_table_of_varints(row: list[str]) -> None:
    number = int(row[0])
    computed = [int32(number), *(var_int32(number, form) for form in ("plain", "zigzag", "protobuf"))]
    assert [quoted(cell) for cell in row[1:]] == [[each] for each in computed]


def test_the_limits_are_those_of_standard() -> None:
    told = {
        (name, quoted(parameter)[0], int(default))
        for codecs, parameter, default, _ in table(section(TEXT, 6), "codec")
        for name in (("esnp-frame", "esnp-line") if codecs == "both ESNP" else (codecs,))
    }
    known = {
        (name, each.name, each.default) for name in PROTOCOLS for each in parameters(name).values() if limits(each.name)
    }
    assert told == known


def limits(parameter: str) -> bool:
    return parameter.startswith("max_")


def test_every_choice_of_a_profile_is_on_the_page() -> None:
    words = {word.partition("=")[0] for word in quoted(section(TEXT, 9))}
    choices = {each.name for name in PROTOCOLS for each in parameters(name).values() if each.alternatives()}
    assert choices - words == set()


def test_values_of_parameters_exist() -> None:
    known = {each.name: each for name in PROTOCOLS for each in parameters(name).values()}
    for word in quoted(TEXT):
        name, equals, value = word.partition("=")
        if equals and name in known:
            assert known[name].from_text(value) is not None


def test_citations_exist() -> None:
    points = {point.id for name in PROTOCOLS for point in profile_file(name).open_points}
    known = points.union(*(clauses(name) for name in PROTOCOLS))
    cited = set(CITED.findall(TEXT))
    assert len(cited) > 50
    assert cited - known == set()
