"""`wireproof encode`: the bytes of a message, or why there are none."""

from __future__ import annotations

from typing import Any, Final

import click

from wireproof.annotate import annotate
from wireproof.codec import Codec
from wireproof.errors import BadValue, Refused
from wireproof_harness.cli import REJECTED, UNUSABLE
from wireproof_harness.cli.dump import dump
from wireproof_harness.cli.inputs import Unusable, choose, json_value, lines, read_text, text_of
from wireproof_harness.cli.options import as_json, codec_options, colored, open_codec
from wireproof_harness.cli.verdict import counted, refused
from wireproof_harness.terminal import Screen, Segment

LONGEST_HEX: Final = 256


@click.command()
@codec_options
@click.argument("value", metavar="VALUE", required=False)
@click.option("--file", metavar="PATH", help="Read the value from a file (- is standard input, as one value).")
@as_json
@colored
@click.pass_context
def encode(
    ctx: click.Context, /, value: str | None, file: str | None, as_json: bool, color: bool | None, **chosen: Any
) -> None:
    """Encode a message given as JSON.

    PROTOCOL is esnp-frame, esnp-line, tny, tny-relay, magline or comet.

    VALUE is a message as decode --json shows it. With - every line of standard input is
    a message, and answered with a line of hex (with --json, of JSON).

    \b
    wireproof encode comet '{"command": {"dir": "c2s", "type": 6}}' --direction c2s

    Exit code: 0 encoded, 1 refused, 2 not the JSON of a message.
    """
    choose(value, file, "VALUE")
    found = open_codec(**chosen)
    screen = Screen(color)
    if value == "-":
        ctx.exit(_encode_lines(found, screen, as_json))
    try:
        message = parse(found, value if value is not None else read_text(file or ""))
    except Unusable as problem:
        raise click.UsageError(str(problem)) from None
    ctx.exit(0 if _encode(found, screen, message, as_json) else REJECTED)


def parse(codec: Codec, text: str) -> Any:
    """The message a text of JSON stands for, or Unusable."""
    try:
        return codec.message(json_value(text))
    except BadValue as problem:
        raise Unusable(str(problem)) from None
    except RecursionError:
        raise Unusable("this JSON is nested too deeply to be a message") from None


def _encode_lines(codec: Codec, screen: Screen, as_json: bool) -> int:
    worst = 0
    for line in lines():
        try:
            data = codec.encode(parse(codec, text_of(line)))
        except Unusable as problem:
            screen.json({"error": {"message": str(problem)}})
            worst = UNUSABLE
        except Refused as error:
            screen.json({"ok": False, "error": error.error})
            worst = max(worst, REJECTED)
        else:
            _print_bytes(screen, data, as_json)
    return worst


def _print_bytes(screen: Screen, data: bytes, as_json: bool) -> None:
    if as_json:
        screen.json({"ok": True, "hex": data.hex()})
    else:
        screen.line(Segment(data.hex()))
        screen.stream.flush()


def _encode(codec: Codec, screen: Screen, message: Any, as_json: bool) -> bool:
    try:
        data = codec.encode(message)
    except Refused as error:
        if as_json:
            screen.json({"ok": False, "error": error.error})
        else:
            screen.lines(refused(codec, error, screen.width))
        return False
    if as_json:
        _print_bytes(screen, data, as_json)
    else:
        _explain(codec, screen, data)
    return True


def _explain(codec: Codec, screen: Screen, data: bytes) -> None:
    screen.lines(dump(data, annotate(codec, codec.trace(data)), screen.width))
    screen.line()
    screen.line(Segment("encoded", "good"), Segment(f"  {counted(len(data), 'byte')}"))
    long = len(data) > LONGEST_HEX
    screen.line(Segment("too long to be shown here; --json prints all of it" if long else data.hex(), "text"))
