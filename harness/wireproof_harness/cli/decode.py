"""`wireproof decode`: what bytes mean, or why they mean nothing."""

from __future__ import annotations

from typing import Any

import click

from wireproof.annotate import annotate
from wireproof.codec import Codec
from wireproof_harness.cli import REJECTED, UNUSABLE
from wireproof_harness.cli.dump import dump
from wireproof_harness.cli.inputs import Unusable, choose, hex_bytes, lines, read_bytes, read_text, text_of
from wireproof_harness.cli.options import as_json, codec_options, colored, open_codec
from wireproof_harness.cli.verdict import accepted, rejected
from wireproof_harness.terminal import Screen


@click.command()
@codec_options
@click.argument("hexes", metavar="HEX", required=False)
@click.option("--file", metavar="PATH", help="Read the hex from a file (- is standard input, as one input).")
@click.option("--binary", is_flag=True, help="The file holds the bytes themselves.")
@as_json
@colored
@click.pass_context
def decode(
    ctx: click.Context,
    /,
    hexes: str | None,
    file: str | None,
    binary: bool,
    as_json: bool,
    color: bool | None,
    **chosen: Any,
) -> None:
    """Decode bytes and say what each of them is.

    PROTOCOL is esnp-frame, esnp-line, tny, tny-relay, magline or comet.

    HEX may be spaced, with colons, 0x and # comments. With - every line of standard
    input is decoded, and answered with a line of JSON.

    \b
    wireproof decode comet 000106 --direction c2s
    wireproof decode tny --file capture.bin --binary --set order=big --json

    Exit code: 0 accepted, 1 rejected, 2 not usable as input.
    """
    choose(hexes, file, "HEX")
    if binary and file is None:
        raise click.UsageError("--binary is about a --file")
    found = open_codec(**chosen)
    screen = Screen(color)
    if hexes == "-":
        ctx.exit(_decode_lines(found, screen))
    try:
        data = _read(hexes, file, binary)
    except Unusable as problem:
        raise click.UsageError(str(problem)) from None
    ok = _answer(found, screen, data) if as_json else _explain(found, screen, data)
    ctx.exit(0 if ok else REJECTED)


def _read(hexes: str | None, file: str | None, binary: bool) -> bytes:
    if hexes is not None:
        return hex_bytes(hexes)
    assert file is not None
    if binary:
        return read_bytes(file)
    try:
        return hex_bytes(read_text(file))
    except Unusable as problem:
        raise Unusable(f"{problem}. For raw bytes say --binary.") from None


def _decode_lines(codec: Codec, screen: Screen) -> int:
    worst = 0
    for line in lines():
        try:
            worst = max(worst, 0 if _answer(codec, screen, hex_bytes(text_of(line))) else REJECTED)
        except Unusable as problem:
            screen.json({"error": {"message": str(problem)}})
            worst = UNUSABLE
    return worst


def _answer(codec: Codec, screen: Screen, data: bytes) -> bool:
    decoded = codec.decode(data)
    screen.json(codec.answer(decoded))
    return decoded.ok


def _explain(codec: Codec, screen: Screen, data: bytes) -> bool:
    trace = codec.trace(data)
    screen.lines(dump(data, annotate(codec, trace), screen.width))
    if data:
        screen.line()
    error = trace.decoded.error
    if error is None:
        screen.line(*accepted(trace.decoded))
        return True
    screen.lines(rejected(codec, trace.decoded, error, screen.width))
    return False
