"""tny: RelayPack 封包 (document 002)."""

from typing import Annotated, ClassVar

from wireproof.definition import Protocol, Unit
from wireproof.wire.base import by, param
from wireproof.wire.bits import Bits, number, zero
from wireproof.wire.heads import Length, Magic
from wireproof.wire.numbers import ordered
from wireproof.wire.runs import Bytes, Rest


class RelayPack(Unit, key="relay", blocks=("head", "packet_length")):
    """网络包封包 [Head|3字节][PacketLength|4字节][PackId|4字节][Option|1字节][Time|8字节][PacketArguments|n字节]"""

    head: ClassVar[Magic] = Magic(b"rpk", "RPK-1.3")
    # 包长度: what it counts beside the arguments is open (TNY-S27)
    packet_length: ClassVar[Length] = Length(
        ordered(32, name="length"),
        "RPK-1.4",
        counts=by("relay_length", after="13", total="20", args="0"),
        limit=param("max_packet"),
    )
    pack_id: Annotated[int, ordered(32, name="4 bytes"), "RPK-1.5"]
    # [8位][000(mark|1位)(subId|4位)]: mark 0 Link, 1 Tunnel
    option: ClassVar[Bits] = Bits("RPK-1.6", (zero(3), number("mark", 1), number("sub_id", 4)))
    mark: int
    sub_id: int
    time: Annotated[int, ordered(64, signed=True, name="8 bytes"), "RPK-1.10"]


class Relay(RelayPack, clause="RPK-1.2"):
    """转发包参数 protobuf: opaque here, the schema not being given (TNY-S28)"""

    args: Annotated[bytes, Rest(content=Bytes(name="bytes")), "RPK-1.11"]


PROTOCOL = Protocol(name="tny-relay", document="002", title="tny relay", unit=RelayPack)
