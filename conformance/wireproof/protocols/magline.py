"""magline (document 003): frame head, msg header, msg body."""

from typing import Annotated, Any, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.wire.base import Rule, by, param
from wireproof.wire.heads import Length, Select
from wireproof.wire.numbers import Fixed, ordered
from wireproof.wire.runs import Block, Bytes, Rest

U8 = Fixed(bits=8, name="1 byte")
U16 = ordered(16, name="2 bytes")
U32 = ordered(32, name="4 bytes")

# magic的作用用来区分控制消息和数据消息. Neither value is given (MAG-S02); ERR and FIN go under either (MAG-S03).
CONTROL, DATA = param("magic.control"), param("magic.data")
MAGIC = U8.where(
    Rule("{0} != {1} and {0} != {2}", "bad-magic", "MAG-2.1", "one of the two magic bytes", (CONTROL, DATA), mend="{1}")
)
MAGIC_OF_CMD = Rule(
    "magic != {1} and {0} in {{1, 2, 4, 5}} or magic != {2} and {0} in {{6, 7, 8}}",
    "bad-magic",
    "MAG-S04",
    "the control magic for SYN, ACK, PIN, PON, the data magic for REQ, REP, PSH",
    (CONTROL, DATA),
    at="start",
    mend="{2} if {0} in (6, 7, 8) else {1}",
    mends=("magic",),
)
VERSION = by(
    "version_check",
    exact=U8.where(
        Rule("{0} != {1}", "bad-version", "MAG-S05", "the declared version", (param("version"),), mend="{1}")
    ),
    ignore=U8,
)


def _message_length(counts: str) -> Length:
    return Length(U32, "MAG-1.10", counts=counts, limit=param("max_message"))


class Frame(Unit, key="frame", blocks=("magic", "message_length"), code="cmd", contained=("head",), empty="MAG-S10"):
    """frame head, 总共16个字节: Magic, Version, CMD | Head Optional, Head Length | Seq | Message Length"""

    magic: Annotated[int, MAGIC, "MAG-1.7"]
    version: Annotated[int, VERSION, "MAG-1.7"]
    cmd: ClassVar[Select] = Select(U16, "MAG-1.7", rules=(MAGIC_OF_CMD,))
    head_optional: Annotated[int, U16, "MAG-1.8"]
    # what the two lengths count is open (MAG-S08, S09)
    head_length: ClassVar[Length] = by(
        "head_length",
        msg=Length(U16, "MAG-1.8", of="head"),
        total=Length(U16, "MAG-1.8", of="head", counts="16"),
    )
    seq: Annotated[int, U32, "MAG-1.9"]
    message_length: ClassVar[Length] = by(
        "message_length",
        {
            "body": _message_length("0"),
            "header+body": _message_length("head_size"),
            "frame": _message_length("16 + head_size"),
        },
    )
    head: Annotated[bytes, Rest(content=Bytes(name="msg header")), "MAG-1.13"]

    # whether the fields below stand in the msg body or the msg header is open (MAG-S10)
    containers: ClassVar[Any] = by("fields_in", body=(("head",), ("*",)), header=(("*", "head"), ("data",)))


RANDOM = Block(size=param("random_len"), content=Bytes(name="random"))
PUBLIC_KEY = Block(size=param("pubkey_len"), content=Bytes(name="public key"))
CIPHER = Rest(content=Bytes(name="AES"))
HMAC = Block(size=16, content=Bytes(name="HMAC"))
REST = Rest(content=Bytes(name="Data"))


class Syn(Frame, cmd=1, name="SYN", clause="MAG-2.4"):
    """4.1 SYN: Custom Random, Custom Public Key"""

    random: Annotated[bytes, RANDOM, "MAG-4.1"]
    public_key: Annotated[bytes, PUBLIC_KEY, "MAG-4.2"]


class Ack(Frame, cmd=2, name="ACK", clause="MAG-2.5"):
    """4.2 ACK: Server Random, Server Public Key, AES( K + sid )"""

    random: Annotated[bytes, RANDOM, "MAG-4.3"]
    public_key: Annotated[bytes, PUBLIC_KEY, "MAG-4.4"]
    cipher: Annotated[bytes, CIPHER, "MAG-4.5"]


class Err(Frame, cmd=3, name="ERR", clause="MAG-2.6"):
    """4.3 ERR: Business CMD, Error Number"""

    business_cmd: Annotated[int, U32, "MAG-4.6"]
    error: Annotated[int, U32, "MAG-4.7"]


class Pin(Frame, cmd=4, name="PIN", clause="MAG-2.7"):
    """4.4 PING: Ping Number"""

    number: Annotated[int, U32, "MAG-4.8"]


class Pon(Frame, cmd=5, name="PON", clause="MAG-2.8"):
    """4.5 PONG: Ping Number"""

    number: Annotated[int, U32, "MAG-4.9"]


class Fin(Frame, cmd=9, name="FIN", clause="MAG-2.12"):
    """4.6 FIN: Reason Number"""

    reason: Annotated[int, U32, "MAG-4.10"]


class Req(Frame, cmd=6, name="REQ", clause="MAG-2.9"):
    """4.7 REQ: Business CMD, HMAC, Data ..."""

    business_cmd: Annotated[int, U32, "MAG-4.11"]
    hmac: Annotated[bytes, HMAC, "MAG-4.12"]
    data: Annotated[bytes, REST, "MAG-4.13"]


class Rep(Frame, cmd=7, name="REP", clause="MAG-2.10"):
    """4.8 REP: Business CMD, HMAC, Data ..."""

    business_cmd: Annotated[int, U32, "MAG-4.14"]
    hmac: Annotated[bytes, HMAC, "MAG-4.15"]
    data: Annotated[bytes, REST, "MAG-4.16"]


class Psh(Frame, cmd=8, name="PSH", clause="MAG-2.11"):
    """4.9 PSH: Business CMD, HMAC, Data ..."""

    business_cmd: Annotated[int, U32, "MAG-4.17"]
    hmac: Annotated[bytes, HMAC, "MAG-4.18"]
    data: Annotated[bytes, REST, "MAG-4.19"]


PROTOCOL = Protocol(name="magline", document="003", title="magline", unit=Frame)
