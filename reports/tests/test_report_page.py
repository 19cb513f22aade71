"""The page and the Markdown: what they show, and that nothing an implementation says can do harm."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest

from wireproof.suite import Suite
from wireproof.verdict.questions import Question
from wireproof.verdict.statuses import STATUSES
from wireproof_harness.results import Run
from wireproof_harness.shorten import shortened
from wireproof_harness.terminal import Segment
from wireproof_reports.choice import IN_FULL, choose
from wireproof_reports.markdown import code, markdown, words
from wireproof_reports.model import report_model
from wireproof_reports.page import page
from wireproof_reports.view import BAR_ORDER, BAR_WIDTH, UNREPORTED, bar, date_of

MakeRun = Callable[..., Run]
GOLDEN = Path(__file__).parent / "golden_report.md"
VOID = {"meta", "input", "rect", "circle", "path", "br", "link"}
OPTIONAL = {"tr", "th", "td", "li"}
HOSTILE = [
    "<script>alert(1)</script>",
    '"></pre><img src=x onerror=alert(1)>',
    "\x1b[31mred\x1b[0m\x07",
    "\u202egnp.exe\u202c\u200b\ufeff",
    "x" * 100_000,
    "{{ 7 * 7 }}{% raw %}",
    "](http://evil.example) ![](http://evil.example/a.png) @everyone `` ` | <!--",
    "a\nb\r\n| c |",
    "\x00\x9b\u2028\U000e0041",
]


class Elements(HTMLParser):
    """The tags and attributes of a page, as a browser would find them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID | OPTIONAL:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID | OPTIONAL:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)

    def values(self, name: str) -> list[str]:
        return [value for _, attribute, value in self.attributes if attribute == name]


def failing(question: Question, number: int) -> dict[str, Any]:
    """All ways in which a question can end, thousands of failures among them."""
    if number % 6:
        return {}
    status = [status for status in STATUSES if status != "pass"][number // 12 % 10]
    if number % 12:
        status = "fail"
    cause = ("accepted", "value", "rejected", "messages")[number % 4]
    return {"status": status, "cause": cause, "detail": "frames[0].v is 1 instead of 2", "answer": {"ok": [1]}}


@pytest.fixture(scope="module")
def failed(run_of: MakeRun) -> Run:
    return run_of(failing)


@pytest.fixture(scope="module")
def failed_page(suite: Suite, failed: Run) -> str:
    return page(report_model(failed, suite), failed, suite)


# ---- what it asks for ----


def test_the_policy_allows_the_one_style_by_its_hash_and_nothing_else(failed_page: str) -> None:
    (policy,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', failed_page)
    (style,) = re.findall(r"<style>(.*?)</style>", failed_page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    rules = [rule.strip() for rule in policy.replace("&#39;", "'").split(";")]
    assert rules == ["default-src 'none'", f"style-src 'sha256-{digest}'", "base-uri 'none'", "form-action 'none'"]
    assert failed_page.index("Content-Security-Policy") < failed_page.index("<style>")


def test_the_page_asks_for_nothing(failed_page: str) -> None:
    found = Elements(failed_page)
    assert not {"script", "img", "iframe", "link", "object", "embed", "base", "form", "audio", "video"} & set(
        found.tags
    )
    assert not {"src", "srcset", "action", "style", "background", "ping"} & {name for _, name, _ in found.attributes}
    assert all(value.startswith("#") for value in found.values("href"))
    assert not [name for _, name, _ in found.attributes if name.startswith("on")]
    assert not re.findall(r"https?:|@import|url\((?!#)", failed_page)


def test_every_tag_is_closed_every_link_arrives_and_no_place_has_two(failed_page: str) -> None:
    found = Elements(failed_page)
    assert found.open == []
    places = found.values("id")
    assert len(places) == len(set(places))
    assert {value[1:] for value in found.values("href")} <= set(places)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9.-]*", place) for place in places)


# ---- what it shows ----


@pytest.mark.parametrize(
    ("options", "words", "tone"),
    [
        ({}, "Conforms", "good"),
        ({"judge": failing}, "Incomplete", "open"),
        ({"judge": lambda q, n: {"status": "fail", "cause": "value"} if n == 5 else {}}, "Does not conform", "bad"),
        ({"killed_after": 300}, "Incomplete", "open"),
    ],
)
def test_the_verdict_is_the_first_thing_on_the_page(
    suite: Suite, run_of: MakeRun, options: dict[str, Any], words: str, tone: str
) -> None:
    run = run_of(every=19, **options)
    text = page(report_model(run, suite), run, suite)
    assert f"<h1>{words}</h1>" in text
    assert f'<section class="banner {tone}"' in text
    assert "acme 1.2" in text
    assert "13 March 2026, 10:22 UTC" in text


def test_every_status_has_its_own_colour_and_its_own_number(failed: Run, failed_page: str) -> None:
    for status, number in failed.footer.counts.items() if failed.footer else []:
        assert f'class="f-{status}"' in failed_page
        assert f".f-{status}" in failed_page, "no colour in the style sheet"
        assert f".b-{status}" in failed_page
        assert f"{number:,} {status}</title>" in failed_page


def test_a_failure_shows_its_bytes_what_came_the_rule_and_the_command(suite: Suite, run_of: MakeRun) -> None:
    vector = next(vector for vector in suite.vectors if vector.id == "COMET-SUBSCRIBE-501")
    change = {"status": "fail", "cause": "accepted", "detail": "ok with 1 messages", "answer": {"ok": {}}}
    run = run_of(lambda q, n: change if q.id == "COMET-SUBSCRIBE-501/decode" else {})
    text = "".join(Elements(page(report_model(run, suite), run, suite)).text)
    for expected in (
        *("COMET-SUBSCRIBE-501/decode", vector.title, "ok with 1 messages", vector.clauses[0]),
        *("expected", "advice", "--id COMET-SUBSCRIBE-501/decode"),
    ):
        assert expected in text


def test_clauses_not_exercised_are_open_and_marked_like_failing_ones(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(lambda q, n: {"status": "unsupported", "cause": "unclaimed"} if q.vector.protocol == "tny" else {})
    text = page(report_model(run, suite), run, suite)
    assert text.count('<tr class="c-not-exercised"') >= 36
    chapters = re.findall(r'<details class="chapter[^>]*>\s*<summary><span class="chapter-name"><b>(\S+)</b>', text)
    opened = re.findall(r'<details class="chapter" open>\s*<summary><span class="chapter-name"><b>(\S+)</b>', text)
    assert {name.partition("-")[0] for name in opened} == {"TNY"}
    assert set(opened) < set(chapters)


def test_a_killed_run_shows_what_was_planned_and_not_reported(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(killed_after=9000)
    text = page(report_model(run, suite), run, suite)
    missing = f"{run.header.planned - 9000:,}"
    assert f"<b>{missing}</b>without a verdict" in text
    assert f"{missing} planned questions have no verdict at all" in text


def test_vectors_of_another_suite_are_not_shown_as_those_of_the_run(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(failing, every=19, header={"digest": "0" * 64})
    text = page(report_model(run, suite), run, suite)
    assert "other vectors than this suite has" in text
    assert 'class="r-offset"' not in text


# ---- how much of it ----


def test_every_way_of_failing_is_shown_in_full_at_least_once_and_nothing_is_lost(suite: Suite, failed: Run) -> None:
    model = report_model(failed, suite)
    groups = choose(model.findings)
    assert {(group.protocol, group.cause) for group in groups} == {
        (finding.protocol, finding.cause) for finding in model.findings if finding.status != "known-fail"
    }
    assert all(group.full for group in groups)
    assert sum(len(group.full) for group in groups) <= IN_FULL
    shown = [number for group in groups for number in group.full + group.short]
    assert len(shown) == len(set(shown))
    assert sum(group.size for group in groups) == sum(finding.status != "known-fail" for finding in model.findings)


def test_thousands_of_failures_make_a_page_that_can_be_sent(suite: Suite, run_of: MakeRun) -> None:
    run = run_of(lambda q, n: failing(q, n) or ({"status": "fail", "cause": "value"} if n % 29 == 0 else {}))
    started = time.process_time()
    model = report_model(run, suite)
    text = page(model, run, suite)
    assert len(model.findings) > 2500
    assert len(text.encode()) < 3_000_000
    assert time.process_time() - started < 5


def test_a_long_explanation_keeps_its_beginning_its_end_and_its_faults() -> None:
    lines = [[Segment(f"line {number}", "fault" if number == 500 else "")] for number in range(1000)]
    told = ["".join(text for text, _ in line) for line in shortened(lines)]
    assert told[0] == "line 0"
    assert told[-1] == "line 999"
    assert "line 500" in told
    assert len(told) < 100
    left_out = sum(int(line.split()[1]) for line in told if line.startswith("  ..."))
    assert left_out + sum(line.startswith("line") for line in told) == 1000
    assert list(shortened(lines[:60])) == lines[:60]
    assert len("".join(text for line in shortened([[Segment("x" * 10_000)]]) for text, _ in line)) < 500


def test_a_bar_is_full_and_a_single_failure_can_be_seen() -> None:
    parts = bar({"pass": 100_000, "fail": 1}, unreported=5)
    assert [part.status for part in parts] == ["pass", "fail", UNREPORTED]
    assert sum(part.width for part in parts) == pytest.approx(BAR_WIDTH, abs=0.5)
    assert all(part.width > 5 for part in parts)
    assert set(BAR_ORDER) == {*STATUSES, UNREPORTED}
    assert bar({}) == []


# ---- hostile texts ----


def hostile_run(run_of: MakeRun, text: str) -> Run:
    """A run in which everything that comes from outside is this text."""

    def said(question: Question, number: int) -> dict[str, Any]:
        status = list(STATUSES)[number % len(STATUSES)]
        outside = dict.fromkeys(("detail", "stderr", "known", "path", "cause"), text)
        return {"status": status, **outside, "notes": [text], "answer": {text: text}, "request": {"op": text}}

    implementation = {"name": text, "version": text, "language": text, "protocols": {text: {text: text}}}
    header = {
        **dict.fromkeys(("target", "suite", "platform", "baseline", "started"), text),
        "implementation": implementation,
        "protections": {text: text},
        "profiles": {text: {text: text}},
        "selection": {text: [text]},
    }
    return run_of(said, every=97, header=header, footer={"stopped": text, "stale": [text]})


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("same_suite", [True, False])
def test_nothing_hostile_reaches_the_page(suite: Suite, run_of: MakeRun, text: str, same_suite: bool) -> None:
    run = hostile_run(run_of, text)
    if not same_suite:
        # Ids, protocols and clauses of such a log are not known here, and can be anything.
        run.header = msgspec.structs.replace(run.header, digest=text)
        for number, verdict in enumerate(run.verdicts):
            verdict.question = verdict.vector = f"{text}{number}"
            verdict.protocol, verdict.clauses, verdict.level, verdict.mode = text, [text], text, text
    html = page(report_model(run, suite), run, suite)
    found = Elements(html)
    assert found.open == []
    assert not {"script", "img"} & set(found.tags)
    assert all(value.startswith("#") for value in found.values("href"))
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9.-]*", place) for place in found.values("id"))
    assert not set("\x1b\x07\r\u202e\u202c\u200b\ufeff\x00\x9b\u2028\U000e0041") & set(html)
    assert ("{{ 7 * 7 }}" in "".join(found.text)) == text.startswith("{{"), "a text was taken for a template"
    assert len(html.encode()) < 3_000_000


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_nothing_hostile_reaches_the_markdown(suite: Suite, run_of: MakeRun, text: str) -> None:
    told = markdown(report_model(hostile_run(run_of, text), suite))
    assert not set("\x1b\x07\r\u202e\u202c\u200b\ufeff\x00\x9b\u2028\U000e0041") & set(told)
    outside = re.sub(r"(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", told)
    assert not re.findall(r"<|!\[|@|https?:|]\(", outside)
    assert len(told) < 40_000
    for line in told.splitlines():
        if line.startswith("|"):
            assert line.endswith(" |")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain", "`plain`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("a|b", r"`a\|b`"),
        ("a\nb", r"`a\x0ab`"),
        ("", ""),
        ("y" * 200, f"`{'y' * 160}…`"),
    ],
)
def test_a_code_span_holds_any_text(text: str, expected: str) -> None:
    assert code(text) == expected


@pytest.mark.parametrize("text", ["*a*", "a_b", "@you", "www.evil.example", "http://x", "# x", "- x", "[x](y)", "<b>"])
def test_words_that_mean_something_in_markdown_become_code(text: str) -> None:
    assert words(text).startswith("`")


def test_the_small_report_in_markdown_is_the_golden_one(small_run: Run) -> None:
    assert markdown(report_model(small_run, None)) == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize(
    ("started", "shown"),
    [
        ("2026-03-13T10:22:31+00:00", "13 March 2026, 10:22 UTC"),
        ("2026-03-13T01:22:31+02:00", "12 March 2026, 23:22 UTC"),
        ("2026-03-13T10:22:31", "13 March 2026, 10:22"),
        ("yesterday", "yesterday"),
        ("0001-01-01T00:00:00+14:00", "0001-01-01T00:00:00+14:00"),
    ],
)
def test_dates(started: str, shown: str) -> None:
    assert date_of(started) == shown
