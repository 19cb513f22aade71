"""`wireproof doctor`: every sickness an adapter can have is named first, with the right cure."""

import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from wireproof import codec
from wireproof.profile import parameters
from wireproof.suite import load_suite
from wireproof_harness.cli import main
from wireproof_harness.doctor.easy import TELLTALES
from wireproof_harness.doctor.examination import examine
from wireproof_harness.doctor.findings import Report
from wireproof_harness.doctor.languages import language_of
from wireproof_harness.target import target

ROOT = Path(__file__).parents[2]
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


class Case(NamedTuple):
    """A sickness as code, the name of the first finding, and a word of its cure."""

    code: str
    name: str
    fix: str


CASES = {
    # ---- it does not start ----
    "ends": Case("sys.exit('no configuration')", "ends-at-once", "until the end of its input"),
    "killed": Case("os.kill(os.getpid(), 9)", "ends-at-once", "by hand"),
    "does not compile": Case("def (:", "ends-at-once", "by hand"),
    # ---- what it prints ----
    "banner": Case("print('comet adapter 1.0 ready', flush=True)", "stray-output", "stderr"),
    "empty line": Case("print(flush=True)", "stray-output", "stderr"),
    "debug line": Case(
        "def asked(request):\n    if request['op'] == 'decode': print('DEBUG decoding')\n    return request",
        "stray-output",
        "stderr",
    ),
    "logger": Case("def text(answer): return 'INFO:root:' + json.dumps(answer)", "prefixed-answer", "bare answer"),
    "echo": Case("def asked(request): print(json.dumps(request)); return request", "echo", "echo"),
    "flood": Case("while True: print('.' * 500)", "flood", "one line for each line"),
    "flood without end of line": Case("while True: sys.stdout.write('.' * 65536)", "flood", "one line for each line"),
    # ---- flushing ----
    "no flush": Case(
        "out = open(1, 'w', 1 << 16, closefd=False)\ndef write(line): out.write(line + '\\n')",
        "does-not-flush",
        "Flush",
    ),
    "answers at the end": Case(
        "def run(): print(*[text(answered(line)) for line in sys.stdin.readlines()], sep='\\n')",
        "does-not-flush",
        "Flush",
    ),
    "batches of five": Case(
        "kept = []\ndef write(line):\n    kept.append(line)\n"
        "    if len(kept) == 5: print(*kept, sep='\\n', flush=True); kept.clear()",
        "reads-ahead",
        "as soon as",
    ),
    "never answers": Case("def write(line): pass", "no-answer", "one JSON line"),
    "does not read": Case("time.sleep(60)", "does-not-read", "stdin"),
    # ---- ids ----
    "no id": Case("def changed(r, a): del a['id']; return a", "no-id", "Copy `id`"),
    "string id": Case("def changed(r, a): a['id'] = str(a['id']); return a", "string-id", "as a number"),
    "same id": Case("def changed(r, a): a['id'] = 1; return a", "same-id", "each request anew"),
    "off by one": Case("def changed(r, a): a['id'] += 1; return a", "id-off-by-one", "one beside it"),
    "counts": Case("n = [0]\ndef changed(r, a): n[0] += 1; a['id'] = n[0]; return a", "own-ids", "do not count"),
    "twice": Case("def write(line): print(line); print(line, flush=True)", "answers-twice", "exactly one line"),
    # ---- JSON ----
    "Python": Case("def text(answer): return str(answer)", "python-repr", "json.dumps"),
    "NaN": Case("def changed(r, a): a['ok']['version'] = float('nan'); return a", "json-nan", "bits"),
    "comma": Case("def text(answer): return json.dumps(answer)[:-1] + ',}'", "trailing-comma", "between items"),
    "no line feed": Case("def write(line): print(line, end='', flush=True)", "missing-newline", "line feed"),
    "indented": Case("def text(answer): return json.dumps(answer, indent=2)", "pretty-printed", "without line breaks"),
    "mark": Case(
        "def text(answer): return '\\ufeff' + json.dumps(answer)", "byte-order-mark", "without a byte order mark"
    ),
    "UTF-16": Case("sys.stdout.reconfigure(encoding='utf-16')", "utf-16", "UTF-8"),
    "Latin-1": Case(
        "sys.stdout.reconfigure(encoding='latin-1')\n"
        "def text(answer): return json.dumps(answer).replace('comet', 'com\\xe8te')",
        "not-utf-8",
        "UTF-8",
    ),
    "JavaScript": Case(
        "def text(answer): return json.dumps(answer).replace('\"id\"', 'id')", "unquoted-keys", "JSON.stringify"
    ),
    "JSON twice": Case("def text(answer): return json.dumps(json.dumps(answer))", "json-in-a-string", "once"),
    "result": Case(
        "def changed(r, a): a['result'] = a.pop('ok', 0); return a", "unknown-key", "`ok` instead of `result`"
    ),
    "no ok": Case("def changed(r, a): return {'id': a['id'], **a['ok']}", "not-in-ok", "into ok"),
    # ---- hello ----
    "version": Case("def changed(r, a): a['ok']['contract'] = 2; return a", "contract-version", '"contract": 1'),
    "protocol": Case("CLAIMS = {'commet': {'operations': ['decode']}}", "bad-claims", "docs/contract.md"),
    "claims": Case("CLAIMS = {'comet': {'operation': ['decode']}}", "bad-claims", "docs/contract.md"),
    "nothing": Case("CLAIMS = {}", "claims-nothing", "protocols"),
    "cannot read": Case(
        "def answered(line): return {'id': None, 'error': {'message': 'what?'}}", "cannot-read-request", '"op": "hello"'
    ),
    "no hello": Case(
        "def changed(r, a): return {'id': a['id'], 'unsupported': {'reason': 'hello?'}} if r['op'] == 'hello' else a",
        "hello-refused",
        "ok and the claims",
    ),
    # ---- honesty ----
    "any operation": Case(
        "def changed(r, a): return {'id': a['id'], 'ok': {}} if 'unsupported' in a else a", "unknown-operation", "`op`"
    ),
    "any protocol": Case(
        "def asked(r):\n    if 'protocol' in r: r['protocol'] = 'comet'\n    return r", "unknown-protocol", "`protocol`"
    ),
    "wrong shape": Case(
        "REJECT = {'error': 'truncated', 'messages': []}\n"
        "def changed(r, a): return {'id': a['id'], 'reject': REJECT} if 'error' in a else a",
        "missing-key",
        "`hex`",
    ),
    "dies on a wrong shape": Case("def asked(r): r['op'] == 'decode' and r['hex']; return r", "dies", "each request"),
    "one answer": Case("def run(): write(text(answered(sys.stdin.readline())))", "dies", "end of the input"),
    # ---- values ----
    "number": Case(
        "def number(v): return int(v) if isinstance(v, str) and len(v) > 9 and v.lstrip('-').isdigit() else v\n"
        "def changed(r, a): return in_messages(a, lambda m: each(m, number))",
        "number-beyond-2^53",
        "decimal strings",
    ),
    "double": Case(
        "def number(v): return float(v) if type(v) is int else v\n"
        "def changed(r, a): return in_messages(a, lambda m: each(m, number))",
        "float-number",
        "without fraction",
    ),
    "upper case": Case(
        "def changed(r, a):\n    if 'hex' in a.get('ok', {}): a['ok']['hex'] = a['ok']['hex'].upper()\n    return a",
        "hex-upper-case",
        "lower case",
    ),
    "base64": Case(
        "def b64(m):\n    for c in m:\n        for k in ('secret_key', 'encrypt_key'):\n"
        "            if k in c['command']:\n"
        "                c['command'][k] = base64.b64encode(bytes.fromhex(c['command'][k])).decode()\n"
        "    return m\n"
        "def changed(r, a): return in_messages(a, b64)",
        "bytes-as-base64",
        "not as base64",
    ),
    "list": Case(
        "def numbers(m):\n    for c in m:\n        for k in ('secret_key', 'encrypt_key'):\n"
        "            if k in c['command']: c['command'][k] = list(bytes.fromhex(c['command'][k]))\n"
        "    return m\n"
        "def changed(r, a): return in_messages(a, numbers)",
        "bytes-as-list",
        "one string",
    ),
    "null": Case(
        "def null(m):\n    for c in m: c['command'].setdefault('topics', None)\n    return m\n"
        "def changed(r, a): return in_messages(a, null)",
        "null-for-absent",
        "Leave the key out",
    ),
    "misspelt": Case(
        "def rename(m): return json.loads(json.dumps(m).replace('\"client_id\"', '\"clientId\"'))\n"
        "def changed(r, a): return in_messages(a, rename)",
        "misspelt-key",
        "`client_id` instead of `clientId`",
    ),
    "bare": Case(
        "def changed(r, a): return in_messages(a, lambda m: [c['command'] for c in m])",
        "not-wrapped",
        '{"command": {...}}',
    ),
    "no consumed": Case(
        "def changed(r, a):\n    if 'messages' in a.get('ok', {}): del a['ok']['consumed']\n    return a",
        "missing-consumed",
        "size of the input",
    ),
    "no after": Case(
        "def changed(r, a):\n    for b in a.values(): isinstance(b, dict) and b.pop('after', 0)\n    return a",
        "missing-after",
        "index of the chunk",
    ),
    "one message": Case(
        "def changed(r, a): return in_messages(a, lambda m: m[0] if m else None)", "messages-not-a-list", "a list"
    ),
    "class": Case(
        "def changed(r, a):\n"
        "    if 'error' in a.get('reject', {}): a['reject']['error'] = 'TRUNCATED_INPUT'\n    return a",
        "unknown-error-class",
        "`truncated`",
    ),
    "no class": Case(
        "def changed(r, a):\n    if 'reject' in a: a['reject'].pop('error')\n    return a",
        "no-error-class",
        '"reasons": "none"',
    ),
    "Latin-1 text": Case(
        "def latin(v): return v.encode().decode('latin-1') if isinstance(v, str) else v\n"
        "def changed(r, a): return in_messages(a, lambda m: each(m, latin))",
        "text-in-another-encoding",
        "UTF-8",
    ),
    "a bug": Case(
        "def changed(r, a):\n    if r['op'] == 'decode' and r.get('hex') in ('000106', '000105'):\n"
        "        return {'id': a['id'], 'reject': {'error': 'unknown-type', 'messages': []}}\n    return a",
        "wrong-answer",
        "wireproof explain COMET-",
    ),
    "withdraws": Case(
        "def changed(r, a): return {'id': a['id'], 'unsupported': {'reason': 'later'}} if r['op'] == 'stream' else a",
        "withdrawn",
        "claim less",
    ),
    "hangs": Case(
        "def asked(r):\n    if r['op'] == 'encode' and r['protocol'] == 'comet': time.sleep(60)\n    return r",
        "no-answer",
        "flush",
    ),
    # ---- many at once ----
    "one read, one line": Case(
        "def run():\n    while data := os.read(0, 1 << 20): write(text(answered(data.decode().splitlines()[0])))",
        "loses-requests",
        "One read is not one line",
    ),
    "short buffer": Case(
        "def run():\n    while line := sys.stdin.readline(4096):\n"
        "        if line.endswith('\\n'): write(text(answered(line)))\n        else: time.sleep(60)",
        "stuck-on-long-requests",
        "any length",
    ),
}


def sick(folder: Path, code: str) -> list[str]:
    """The command of an adapter that is the reference but for this code."""
    program = folder / "adapter.py"
    program.write_text(ADAPTER % code, encoding="utf-8")
    return [sys.executable, str(program)]


def diagnosed(command: list[str]) -> Report:
    return examine(target(command), PATIENCE)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_each_sickness_is_named_first_with_its_cure(case: Case, tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, case.code))
    assert report.faults, report.steps
    first = report.faults[0]
    assert (first.name, case.fix in first.fix) == (case.name, True), first
    assert first.seen
    assert first.why
    assert first.seen.isprintable()


def test_the_adapter_without_a_sickness_is_healthy(tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, ""))
    assert report.findings == []
    assert {step.state for step in report.steps} == {"ok"}


# ---- the profile that fits ----

LAYOUTS: list[tuple[str, dict[str, Any]]] = [
    ("comet", {"order": "little"}),
    ("comet", {"bytes": "int"}),
    ("comet", {"extra": "short"}),
    ("comet", {"order": "little", "bytes": "int"}),
    ("tny", {"order": "big"}),
    ("tny", {"varint": "zigzag"}),
    ("tny", {"ping": "bare"}),
    ("tny-relay", {"order": "big"}),
    ("tny-relay", {"relay_length": "total"}),
    ("tny-relay", {"relay_length": "args"}),
    ("tny-relay", {"order": "big", "relay_length": "args"}),
    ("magline", {"order": "little"}),
    ("magline", {"head_length": "total"}),
    ("magline", {"message_length": "frame"}),
    ("magline", {"fields_in": "header"}),
    ("magline", {"random_len": 4, "pubkey_len": 4}),
    ("esnp-frame", {"size_order": "little"}),
    ("esnp-frame", {"counts": "uvarint"}),
    ("esnp-line", {"flag_int": "fix32"}),
    ("esnp-line", {"error_text": "lenstring"}),
    ("esnp-line", {"cancelled": "skip"}),
    ("magline", {"version_check": "ignore"}),
    ("tny", {"access_id": "var32"}),
    ("comet", {"ts": "unsigned"}),
]


def with_layout(name: str, profile: dict[str, Any], operations: str = "['decode', 'encode', 'stream']") -> str:
    return f"CLAIMS = {{{name!r}: {{'operations': {operations}}}}}\nFIXED = {{{name!r}: {profile!r}}}"


@pytest.mark.parametrize(("name", "profile"), LAYOUTS, ids=str)
def test_a_fixed_layout_gets_exactly_its_declaration(name: str, profile: dict[str, Any], tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, with_layout(name, profile)))
    (found,) = report.faults
    assert found.name == "undeclared-profile"
    assert found.declare == {name: profile}
    assert json.dumps({"profile": profile})[1:-1] in found.fix


def test_only_an_encoder_shows_its_layout_too(tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, with_layout("comet", {"order": "little"}, "['encode']")))
    assert report.faults[0].declare == {"comet": {"order": "little"}}


def test_what_is_declared_and_not_so_is_told_to_be_left_out(tmp_path: Path) -> None:
    code = "CLAIMS = {'comet': {'operations': ['decode'], 'profile': {'order': 'little'}}}\nFIXED = {'comet': {}}"
    (found,) = diagnosed(sick(tmp_path, code)).faults
    assert (found.name, found.declare) == ("undeclared-profile", {"comet": {}})
    assert "Leave order out" in found.fix


@pytest.mark.parametrize("profile", ["any", {"order": ["big", "little"]}], ids=str)
def test_who_claims_to_be_told_a_profile_has_to_listen(profile: Any, tmp_path: Path) -> None:
    code = f"CLAIMS = {{'comet': {{'operations': ['decode', 'encode'], 'profile': {profile!r}}}}}\n"
    (found,) = diagnosed(sick(tmp_path, code + "FIXED = {'comet': {}}")).faults
    assert (found.name, "Take `profile` from each request" in found.fix) == ("profile-ignored", True)
    assert diagnosed(sick(tmp_path, code)).findings == []


def test_a_layout_that_is_declared_is_healthy(tmp_path: Path) -> None:
    code = "CLAIMS = {'comet': {'operations': ['decode', 'encode'], 'profile': {'order': 'little'}}}\n"
    assert diagnosed(sick(tmp_path, code + "FIXED = {'comet': {'order': 'little'}}")).findings == []


def test_a_manifest_can_declare_what_hello_leaves_out(tmp_path: Path) -> None:
    command = sick(tmp_path, with_layout("comet", {"order": "little"}))
    manifest = tmp_path / "mine.toml"
    manifest.write_text(f"command = {json.dumps(command)}\n[protocols.comet]\nprofile = {{order = 'little'}}\n")
    assert examine(target([str(manifest)]), PATIENCE).findings == []


def test_an_arbitrary_bug_is_not_taken_for_a_layout(tmp_path: Path) -> None:
    code = "def changed(r, a): return in_messages(a, lambda m: each(m, lambda v: v + 1 if type(v) is int else v))"
    report = diagnosed(sick(tmp_path, code))
    assert report.faults
    assert all(not found.declare for found in report.faults)


@pytest.mark.parametrize(("name", "parameter"), [(name, key) for name, keys in TELLTALES.items() for key in keys])
def test_a_telltale_tells_every_value_of_its_parameter_apart(name: str, parameter: str) -> None:
    vector = load_suite()[TELLTALES[name][parameter]]
    found = parameters(name)[parameter]
    answers = []
    for value in [found.default, *found.alternatives()]:
        there = codec(name, direction=vector.direction or None, profile={parameter: value})
        answers.append(json.dumps(there.answer(there.decode(vector.data))))
    assert len(set(answers)) == len(answers) > 1


# ---- what is healthy ----


@pytest.mark.parametrize("words", [["reference"], [sys.executable, "-m", "wireproof_harness.reference"]], ids=len)
def test_the_reference_is_healthy(words: list[str]) -> None:
    assert diagnosed(words).findings == []


@pytest.mark.requires("node")
def test_the_javascript_kit_is_healthy() -> None:
    assert diagnosed([str(ROOT / "harness/kits/javascript/wireproof.toml")]).findings == []


def test_the_python_kit_is_healthy() -> None:
    assert diagnosed([str(ROOT / "harness/kits/python/wireproof.toml")]).findings == []


def test_what_starts_slowly_and_thinks_about_hello_is_healthy(tmp_path: Path) -> None:
    code = "time.sleep(0.5)\ndef asked(r):\n    if r['op'] == 'hello': time.sleep(1.5)\n    return r"
    assert diagnosed(sick(tmp_path, code)).findings == []


ADVICE = {
    "dies": Case("def answered(line, right=answered): json.loads(line); return right(line)", "dies-on-garbage", "null"),
    "is silent": Case(
        "def run():\n    for line in sys.stdin:\n        if line.startswith('{'): write(text(answered(line)))",
        "garbage-not-answered",
        "null",
    ),
}


@pytest.mark.parametrize("case", ADVICE.values(), ids=ADVICE.keys())
def test_a_line_that_is_no_request_is_a_matter_of_advice(case: Case, tmp_path: Path) -> None:
    report = diagnosed(sick(tmp_path, case.code))
    (found,) = report.findings
    assert (found.name, found.advice, case.fix in found.fix) == (case.name, True, True)
    assert report.faults == []


# ---- what cannot be started ----


def test_a_program_that_does_not_exist() -> None:
    (found,) = diagnosed(["/no/such/program", "x"]).faults
    assert (found.name, "spelling" in found.fix) == ("no-such-program", True)


def test_a_program_that_may_not_be_executed(tmp_path: Path) -> None:
    program = tmp_path / "adapter"
    program.write_text("#!/bin/sh\n")
    (found,) = diagnosed([str(program), "x"]).faults
    assert (found.name, "chmod +x" in found.fix) == ("not-executable", True)


def test_a_program_without_an_interpreter(tmp_path: Path) -> None:
    program = tmp_path / "adapter"
    program.write_text("print('hello')\n")
    program.chmod(0o755)
    (found,) = diagnosed([str(program), "x"]).faults
    assert (found.name, "#!" in found.fix) == ("no-shebang", True)


def test_a_build_that_fails(tmp_path: Path) -> None:
    manifest = tmp_path / "mine.toml"
    manifest.write_text("build = ['sh', '-c', 'echo no compiler; exit 7']\ncommand = ['true']\n")
    (found,) = diagnosed([str(manifest)]).faults
    assert (found.name, "no compiler" in found.seen) == ("build-fails", True)


def test_nobody_listens(tmp_path: Path) -> None:
    (found,) = examine(target([f"unix://{tmp_path}/none.sock"]), 0.1).faults
    assert (found.name, "Start the adapter" in found.fix) == ("nobody-listens", True)


# ---- sockets ----

LISTENING = """
import socket
def run():
    if os.path.exists(sys.argv[1]): os.unlink(sys.argv[1])
    server = socket.socket(socket.AF_UNIX)
    server.bind(sys.argv[1])
    server.listen()
    while True:
        connection, _ = server.accept()
        with connection, connection.makefile("r") as requests, connection.makefile("w") as answers:
            for line in requests:
                answers.write(text(answered(line)) + "\\n")
                %s
"""


@pytest.mark.parametrize(
    ("last", "names"), [("answers.flush()", []), ("pass", ["does-not-flush"])], ids=["well", "sick"]
)
def test_an_adapter_on_a_socket(last: str, names: list[str], tmp_path: Path) -> None:
    path = tmp_path / "a.sock"
    command = [*sick(tmp_path, LISTENING % last), str(path)]
    manifest = tmp_path / "mine.toml"
    manifest.write_text(f"command = {json.dumps(command)}\nconnect = 'unix://{path}'\n")
    assert [found.name for found in examine(target([str(manifest)]), 1).faults] == names


DIALLING = """
import socket
def run():
    connection = socket.socket(socket.AF_UNIX)
    connection.connect(os.environ["WIREPROOF_CONNECT"].removeprefix("unix://"))
    with connection.makefile("r") as requests, connection.makefile("w") as answers:
        for line in requests:
            print(text(answered(line)), file=answers, flush=True)
"""


def test_an_adapter_that_dials(tmp_path: Path) -> None:
    report = examine(target(sick(tmp_path, DIALLING), listen=f"unix://{tmp_path}/d.sock"), PATIENCE)
    assert report.findings == []


# ---- the command ----


def test_exit_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--timeout-scale", "3", "reference"]) == 0
    assert "wireproof check reference" in capsys.readouterr().out.splitlines()[-1]
    assert main(["doctor", "--", *sick(tmp_path, "print('hi', flush=True)")]) == 1
    assert "wireproof doctor -- " in capsys.readouterr().out.splitlines()[-1]
    assert main(["doctor", ""]) == 2
    assert main(["doctor"]) == 2
    assert main(["doctor", str(tmp_path / "none.toml")]) == 2
    assert main(["doctor", "/no/such/program"]) == 3


def test_json_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--json", "--", *sick(tmp_path, CASES["no id"].code)]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["healthy"] is False
    assert told["findings"][0]["name"] == "no-id"
    assert told["findings"][0]["hints"]["Python"] == 'answer["id"] = request["id"]'
    assert [step["state"] for step in told["steps"][:5]] == ["ok", "ok", "ok", "ok", "fault"]
    assert told["next"].startswith("wireproof doctor -- ")


def test_what_it_says_cannot_do_harm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = "print('\\x1b[2J\\u202eevil [bold]', flush=True); sys.stderr.write('\\x1b]0;title\\x07'); sys.exit(3)"
    assert main(["doctor", "--", *sick(tmp_path, code)]) == 3
    shown = capsys.readouterr().out
    assert "evil [bold]" in shown
    assert not {"\x1b", "\x07", "\u202e"} & set(shown)


def test_the_hint_is_in_the_language_of_the_command() -> None:
    assert language_of(["/usr/bin/python3.11", "a.py"]) == "Python"
    assert language_of(["node", "adapter.mjs"]) == "JavaScript"
    assert language_of(["./adapter.rb"]) == "Ruby"
    assert language_of(["./adapter"]) == ""


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("sickness", ["no flush", "hangs", "flood", "dies on a wrong shape"])
def test_nothing_is_left_behind(sickness: str, tmp_path: Path) -> None:
    orphan = "os.fork() or (os.setsid(), time.sleep(300))\n"
    before = len(os.listdir("/proc/self/fd"))
    diagnosed(sick(tmp_path, orphan + CASES[sickness].code))
    left = [pid for pid in os.listdir("/proc") if pid.isdecimal() and str(tmp_path) in _command_of(pid)]
    assert left == []
    assert len(os.listdir("/proc/self/fd")) <= before


def _command_of(pid: str) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text()
    except OSError:
        return ""
