"""A wireproof adapter: a JSON request a line on standard input, a JSON answer a line on standard output.
This file is the contract. HOOK marks the two calls into the codec: put your own in the place of comet."""

import json
import sys

import comet

CLAIMS = {"operations": ["decode", "encode", "stream"], "directions": ["c2s", "s2c"]}
HELLO = {"contract": 1, "name": "Python kit", "language": "Python", "protocols": {"comet": CLAIMS}}
STANDARD = {"order": "big", "utf8": "strict", "bytes": "short", "extra": "byte", "short": "unsigned",
            "byte": "unsigned", "ts": "signed", "crypto": "none", "environ_reply": "ok"}  # fmt: skip


def answer(line):
    number = None
    try:
        request = json.loads(line.decode())
        number = int(request["id"])
        return {"id": number, **outcome(request)}
    except comet.Rejected as refusal:
        return {"id": number, "reject": {"error": refusal.args[0]}}
    except Exception as problem:  # a missing key, a wrong type, bad hex: the next request may be better
        return {"id": number, "error": {"message": f"{type(problem).__name__}: {problem}"}}


def outcome(request):
    op = request["op"]
    if op == "hello":
        return {"ok": HELLO}
    if op not in CLAIMS["operations"] or request["protocol"] != "comet":
        return {"unsupported": {"reason": "only comet is decoded, encoded and streamed"}}
    if not request.get("profile", {}).items() <= STANDARD.items():
        return {"unsupported": {"reason": "only the profile standard is known"}}
    if op == "encode":
        return {"ok": {"hex": comet.encode(request["direction"], request["value"]).hex()}}  # HOOK
    if op == "decode":
        return decoded(request["direction"], [request["hex"]], True, {})
    return decoded(request["direction"], request["chunks"], request.get("eof", True), {"after": []})


def decoded(direction, chunks, eof, more):  # more: what only the answer to a stream has
    data, consumed, messages = bytearray(), 0, []  # data: what has arrived and is not consumed
    try:
        for index, chunk in enumerate(chunks):
            data += bytes.fromhex(chunk)
            while found := comet.decode(direction, data):  # HOOK
                message, size = found
                messages.append(message)
                more.get("after", []).append(index)
                consumed += size
                del data[:size]
        comet.check(not data or not eof, "truncated", len(data))
    except comet.Rejected as fault:
        error, offset = fault.args
        return {"reject": {"error": error, "offset": consumed + offset, "messages": messages, **more}}
    return {"incomplete" if data else "ok": {"messages": messages, "consumed": consumed, **more}}


for line in sys.stdin.buffer:
    print(json.dumps(answer(line)), flush=True)
