"""The bundled reference codec as an implementation: it answers the contract's requests.

In process it is a function; as a program (`python -m wireproof_harness.reference`) it
is an adapter like any other, one JSON object a line in, one out.
"""

from __future__ import annotations

import sys
from typing import Any

from wireproof import PROTOCOLS, BadProfile, BadValue, Codec, Refused, __version__, codec
from wireproof.codec import protocol
from wireproof.results import Decoded
from wireproof.wire.runs import parse_hex
from wireproof_harness import jsonlines

CONTRACT = 1
Request = dict[str, Any]
Answer = dict[str, Any]


class Unsupported(Exception):
    """The request asks for something this implementation does not have."""


class BadRequest(Exception):
    """The request itself is wrong."""


def answer(request: Any) -> Answer:
    """The answer to one request, whatever it is."""
    number = request.get("id") if isinstance(request, dict) else None
    if type(number) is not int:
        return {"id": None, "error": {"message": "a request is an object with an integer id"}}
    try:
        return {"id": number, **_outcome(request)}
    except Unsupported as problem:
        return {"id": number, "unsupported": {"reason": str(problem)}}
    except (BadRequest, BadValue) as problem:
        return {"id": number, "error": {"message": str(problem)}}


def _outcome(request: Request) -> Answer:
    operation = request.get("op")
    if not isinstance(operation, str):
        raise BadRequest("a request has op, a string")
    if operation == "hello":
        return {"ok": hello()}
    if operation not in OPERATIONS:
        raise Unsupported(f"no operation {operation!r}")
    return OPERATIONS[operation](codec_for(request), request)


def hello() -> Answer:
    return {
        "contract": CONTRACT,
        "name": "wireproof reference",
        "language": "Python",
        "version": __version__,
        "reasons": "classes",
        "protocols": {name: _claims(name) for name in PROTOCOLS},
    }


def _claims(name: str) -> Answer:
    directions = protocol(name).directions
    claims: Answer = {"operations": list(OPERATIONS), "profile": "any"}
    return claims | ({"directions": list(directions)} if directions else {})


def codec_for(request: Request) -> Codec:
    name = request.get("protocol")
    if not isinstance(name, str):
        raise BadRequest("a request has protocol, a string")
    if name not in PROTOCOLS:
        raise Unsupported(f"no protocol {name!r}")
    directions = protocol(name).directions
    direction = request.get("direction") if directions else None
    if directions and direction not in directions:
        raise BadRequest(f"{name} needs a direction: {' or '.join(directions)}")
    profile = request.get("profile", {})
    if not isinstance(profile, dict):
        raise BadRequest("profile is an object from parameter to value")
    try:
        return codec(name, direction=direction, profile=profile)
    except BadProfile as problem:
        raise Unsupported(str(problem)) from None


def _decode(found: Codec, request: Request) -> Answer:
    return decode_answer(found, found.decode(_bytes(request.get("hex"), "hex")))


def _stream(found: Codec, request: Request) -> Answer:
    chunks = request.get("chunks")
    eof = request.get("eof", True)
    if not isinstance(chunks, list) or not isinstance(eof, bool):
        raise BadRequest("a stream has a list of chunks, and eof is true or false")
    pieces = [_bytes(chunk, f"chunks[{index}]") for index, chunk in enumerate(chunks)]
    stream = found.stream()
    after = [index for index, piece in enumerate(pieces) for _ in stream.feed(piece)]
    outcome = decode_answer(found, stream.end() if eof else stream.result())
    (body,) = outcome.values()
    body["after"] = after
    return outcome


def _encode(found: Codec, request: Request) -> Answer:
    if "value" not in request:
        raise BadRequest("the key 'value' is missing")
    try:
        return {"ok": {"hex": found.encode(found.message(request["value"])).hex()}}
    except Refused as refusal:
        return {"reject": {"error": refusal.error, "detail": str(refusal)}}


def decode_answer(found: Codec, decoded: Decoded) -> Answer:
    """What is said of a decode, but for the id."""
    messages = [found.value(message) for message in decoded.messages]
    error = decoded.error
    if error is not None:
        rejection = {"error": error.error, "offset": error.offset, "detail": str(error), "messages": messages}
        return {"reject": rejection}
    status = "ok" if decoded.complete else "incomplete"
    return {status: {"messages": messages, "consumed": decoded.consumed}}


OPERATIONS = {"decode": _decode, "encode": _encode, "stream": _stream}


def _bytes(text: Any, name: str) -> bytes:
    try:
        return parse_hex(text, name)
    except BadValue as problem:
        raise BadRequest(str(problem)) from None


def main() -> None:
    """Answer requests on stdin until it ends."""
    for line in sys.stdin.buffer:
        sys.stdout.buffer.write(jsonlines.dump(answer_line(line)))
        sys.stdout.buffer.flush()


def answer_line(line: bytes) -> Answer:
    try:
        return answer(jsonlines.parse(line))
    except (ValueError, RecursionError) as problem:
        return {"id": None, "error": {"message": f"not a JSON object: {problem}"}}


if __name__ == "__main__":
    main()
