"""Answers wireproof: a JSON request a line on standard input, a JSON answer a line on standard output.
Your codec is hooked in with two functions: give it a `decode` and an `encode` like those of comet.py."""

import json
import sys

from comet import PROFILE, Rejected, check, decode, encode, unhex

CLAIMS = {"operations": ["decode", "encode", "stream"], "directions": ["c2s", "s2c"]}
HELLO = {"contract": 1, "name": "Python kit", "language": "Python", "version": "1", "protocols": {"comet": CLAIMS}}


def answer(line):
    try:
        request = json.loads(line.decode())
    except (ValueError, RecursionError):
        request = None
    if not isinstance(request, dict) or type(request.get("id")) is not int:
        return {"id": None, "error": {"message": "a request is a JSON object with an integer id"}}
    try:
        return {"id": request["id"], **outcome(request)}
    except (ValueError, KeyError) as problem:
        return {"id": request["id"], "error": {"message": f"missing or wrong: {problem}"}}
    except Rejected as refusal:
        return {"id": request["id"], "reject": {"error": refusal.args[0]}}


def outcome(request):
    operation = request["op"]
    if operation == "hello":
        return {"ok": HELLO}
    if operation not in CLAIMS["operations"] or request["protocol"] != "comet":
        return {"unsupported": {"reason": "only comet is decoded, encoded and streamed"}}
    direction, profile = request["direction"], request.get("profile", {})
    check(direction in CLAIMS["directions"] and isinstance(profile, dict), ValueError("direction or profile"))
    if not profile.items() <= PROFILE.items():
        return {"unsupported": {"reason": "only the profile standard is known"}}
    if operation == "encode":
        return {"ok": {"hex": encode(direction, request["value"]).hex()}}
    whole = operation == "decode"
    chunks, eof = ([request["hex"]], True) if whole else (request["chunks"], request.get("eof", True))
    check(isinstance(chunks, list) and isinstance(eof, bool), ValueError("chunks or eof"))
    status, content, after = decoded(direction, [unhex(chunk) for chunk in chunks], eof)
    return {status: content if whole else {**content, "after": after}}


def decoded(direction, chunks, eof):
    data, end, messages, after = bytearray(), 0, [], []
    try:
        for index, chunk in enumerate(chunks):
            data += chunk
            for message, end in decode(direction, data, end):  # noqa: B007, B020 on from the last end
                messages.append(message)
                after.append(index)
        check(end == len(data) or not eof, Rejected("truncated", len(data)))
    except Rejected as fault:
        return "reject", {"error": fault.args[0], "offset": fault.args[1], "messages": messages}, after
    return "ok" if end == len(data) else "incomplete", {"messages": messages, "consumed": end}, after


for line in sys.stdin.buffer:
    print(json.dumps(answer(line)), flush=True)
