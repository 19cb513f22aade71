"""A small suite in text, and ways to spoil it: used by the tests of the suite's reader and tools."""

from __future__ import annotations

from pathlib import Path

ACCEPT = """\
- id: COMET-SUBSCRIBE-001
  title: two topics
  clauses: [COMET-3.8, COMET-3.9]
  level: required
  direction: c2s
  hex: |
    00 0a        # length 10
    03 02        # subscribe, count 2
    00 02 40 61  # "@a"
    00 02 40 62  # "@b"
  expect: {accept: [{command: {dir: c2s, type: 3, name: subscribe, topics: ["@a", "@b"]}}]}
  made: hand
  why: a decoder that stops after one topic loses the other
"""

REJECT = """\
- id: COMET-SUBSCRIBE-501
  title: count says two, one topic follows
  clauses: [COMET-3.8, COMET-3.9]
  level: required
  direction: c2s
  hex: |
    00 06        # length 6
    03 02        # subscribe, count 2
    00 02 40 61  # "@a", and nothing more
  expect: {reject: overrun, offset: 8}
  twin: COMET-SUBSCRIBE-001
  patch: [{set: command.length, to: "0006"}, {drop: "command.topics[1]"}]
  made: patched
  why: a decoder that trusts the count reads past the command

- id: COMET-SUBSCRIBE-502
  title: a topic without its mark
  clauses: [COMET-3.9]
  level: required
  direction: c2s
  value: {command: {dir: c2s, type: 3, name: subscribe, topics: ["@a", b]}}
  expect: {refuse: invalid-value}
  twin: COMET-SUBSCRIBE-001
  patch: [{put: "command.topics[1]", value: b}]
  made: patched
  why: an encoder that does not look writes a topic that nobody can be subscribed to
"""


def write_suite(root: Path, accept: str | bytes = ACCEPT, reject: str | bytes = REJECT) -> Path:
    for half, text in (("accept", accept), ("reject", reject)):
        folder = root / "comet" / half
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "subscribe.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    return root
