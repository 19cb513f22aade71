"""`wireproof samples`: every message of every protocol, written, read back and explained."""

from __future__ import annotations

from typing import Any

import click

from wireproof.annotate import Heading, annotate, title_of
from wireproof.codec import PROTOCOLS, Codec, codec, protocol
from wireproof.generate import typical
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.dump import dump
from wireproof_harness.cli.options import colored
from wireproof_harness.cli.verdict import counted
from wireproof_harness.terminal import Screen, Segment


@click.command()
@click.argument("protocols", nargs=-1, type=click.Choice(PROTOCOLS), metavar="[PROTOCOL]...")
@colored
@click.pass_context
def samples(ctx: click.Context, protocols: tuple[str, ...], color: bool | None) -> None:
    """Encode and decode a sample of every message.

    Each is written, read back and shown byte by byte; the exit code is 1 if one does
    not come back as it was.
    """
    screen = Screen(color)
    chosen = protocols or PROTOCOLS
    shown = [_show_all(screen, found) for name in chosen for found in _codecs(name)]
    total = sum(number for number, _ in shown)
    failed = [title for _, titles in shown for title in titles]
    in_all = f"{counted(total, 'message')} of {counted(len(set(chosen)), 'protocol')}"
    if failed:
        screen.line(Segment("not equal", "fault"), Segment(f"  {len(failed)} of {in_all}: {', '.join(failed)}"))
        ctx.exit(REJECTED)
    screen.line(Segment("equal", "good"), Segment(f"  {in_all} came back from the wire as they were"))


def _codecs(name: str) -> list[Codec]:
    return [codec(name, direction=direction) for direction in protocol(name).directions or (None,)]


def _show_all(screen: Screen, codec: Codec) -> tuple[int, list[str]]:
    """How many messages there are, and the names of those that did not come back."""
    messages = typical(codec)
    heading = f"{codec.name} {codec.plan.direction}".rstrip()
    return len(messages), [
        f"{heading} {title_of(codec, message)}" for message in messages if not _show(screen, codec, heading, message)
    ]


def _show(screen: Screen, codec: Codec, heading: str, message: Any) -> bool:
    data = codec.encode(message)
    trace = codec.trace(data)
    first, *items = annotate(codec, trace)
    assert isinstance(first, Heading)
    screen.lines(dump(data, [first._replace(title=heading), *items], screen.width))
    screen.line()
    decoded = codec.decode(data)
    # Through JSON, where what an encoder computes (a check code) is left out of a message again.
    read_back = [codec.message(codec.value(found)) for found in decoded.messages]
    return decoded.ok and decoded == trace.decoded and read_back == [message] and codec.encode(read_back[0]) == data
