"""The contract with an implementation, version 1: requests as lines, and how long lines may be.

docs/contract.md is the page for people, contract.schema.json the form of every message.
"""

from __future__ import annotations

import json
from typing import Final

from wireproof import __version__
from wireproof.suite.model import Vector
from wireproof.verdict import Request
from wireproof_harness import jsonlines

CONTRACTS: Final = (1,)
"""The versions this suite can speak."""
OPERATIONS: Final = ("decode", "encode", "stream")
PROBE: Final = "wireproof-probe"
"""An operation that does not exist: whoever claims to support it supports nothing for certain."""
ANSWER_FACTOR: Final = 4
ANSWER_ROOM: Final = 1 << 20
"""An answer has at most this many bytes more than `ANSWER_FACTOR` times the longest open request."""


def hello_end() -> bytes:
    """The request for claims, from behind its id."""
    return jsonlines.dump({"op": "hello", "contracts": list(CONTRACTS), "suite": __version__}).replace(b"{", b",", 1)


def probe_end() -> bytes:
    """A request for something that does not exist, from behind its id."""
    return f',"op":"{PROBE}"}}\n'.encode()


def line_id(number: int) -> bytes:
    """The beginning of a request as a line."""
    return b'{"id":%d' % number


def full_line(number: int, end: bytes) -> bytes:
    return line_id(number) + end


def line_start(vector: Vector) -> bytes:
    """What all requests about a vector have in common, between the operation and its content."""
    text = f',"protocol":"{vector.protocol}"'
    if vector.direction:
        text += f',"direction":"{vector.direction}"'
    if vector.profile:
        text += f',"profile":{json.dumps(vector.profile, separators=(",", ":"))}'
    return text.encode()


def line_end(request: Request, start: bytes) -> bytes:
    """A request as a line, but for its beginning up to the id. Hex needs no escaping, so this is mere joining."""
    if request.op == "decode":
        return b"".join((b',"op":"decode"', start, b',"hex":"', request.pieces[0], b'"}\n'))
    if request.op == "stream":
        eof = b"" if request.eof else b',"eof":false'
        return b',"op":"stream"%b,"chunks":["%b"]%b}\n' % (start, b'","'.join(request.pieces), eof)
    return b',"op":"encode"%b,"value":%b}\n' % (start, jsonlines.dump(request.value)[:-1])
