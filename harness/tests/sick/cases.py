"""Every sickness an adapter can have, as the lines that give it to a healthy one."""

from typing import NamedTuple


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
