"""An adapter that is the reference but for a few lines, and what the doctor says of it."""

import sys
from pathlib import Path

from wireproof_harness.doctor.examination import examine
from wireproof_harness.doctor.findings import Report
from wireproof_harness.target import target

PATIENCE = 2.0
"""This machine may be busy: waits are longer than a user's, and no test measures them."""

ADAPTER = '''
import base64, json, os, sys, time
from wireproof_harness.reference import answer_line

CLAIMS = {"comet": {"operations": ["decode", "encode", "stream"]}}
FIXED = {}

def start(): pass
def asked(request): return request
def changed(request, answer): return answer
def text(answer): return json.dumps(answer)
def write(line): print(line, flush=True)
def finish(): pass

def answered(line):
    try:
        request = asked(json.loads(line))
        if request.get("protocol") in FIXED:
            request["profile"] = FIXED[request["protocol"]]
        line = json.dumps(request).encode()
    except ValueError:
        return answer_line(line.encode())
    answer = answer_line(line)
    if request.get("op") == "hello":
        answer["ok"]["protocols"] = CLAIMS
    return changed(request, answer)

def each(value, change):
    """A value with every leaf changed."""
    if isinstance(value, dict):
        return {key: each(item, change) for key, item in value.items()}
    if isinstance(value, list):
        return [each(item, change) for item in value]
    return change(value)

def in_messages(answer, change):
    for form in ("ok", "incomplete", "reject"):
        if "messages" in answer.get(form, {}):
            answer[form]["messages"] = change(answer[form]["messages"])
    return answer

def run():
    for line in sys.stdin:
        write(text(answered(line)))

# ---- what is wrong with this one ----
%s
# ----

start()
run()
finish()
'''


def sick(folder: Path, code: str) -> list[str]:
    """The command of an adapter that is the reference but for this code."""
    program = folder / "adapter.py"
    program.write_text(ADAPTER % code, encoding="utf-8")
    return [sys.executable, str(program)]


def diagnosed(command: list[str]) -> Report:
    return examine(target(command), PATIENCE)
