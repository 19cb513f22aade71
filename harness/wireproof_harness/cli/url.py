"""`wireproof url`: the URL form of ESNP addresses, read and written."""

from __future__ import annotations

import json

import click

from wireproof.errors import BadValue, Malformed, Refused, WireError
from wireproof.protocols.esnp_url import ITEMS, Value, parse, write
from wireproof_harness.cli import REJECTED
from wireproof_harness.cli.options import as_json
from wireproof_harness.terminal import Screen, Segment


@click.group()
def url() -> None:
    """Read and write esnp URLs, the address form of esnp-line."""


@url.command("parse")
@click.argument("text", metavar="URL")
@as_json
@click.pass_context
def parse_command(ctx: click.Context, text: str, as_json: bool) -> None:
    """Print the addresses and parameters of a URL.

    \b
    wireproof url parse 'esnp://127.0.0.1:1080/test/add?to=1234'
    """
    screen = Screen()
    try:
        value = parse(text)
    except Malformed as error:
        if as_json:
            screen.json({"ok": False, "error": error.error, "offset": error.offset})
        else:
            _complain(screen, f"rejected  {error.error}", f"at character {error.offset}", error)
        ctx.exit(REJECTED)
    if as_json:
        screen.json({"ok": True, "value": value})
    else:
        _show(screen, value)


def _show(screen: Screen, value: Value) -> None:
    """Text in quotes, so that an empty one is seen."""
    for number, text in value["addresses"]:
        screen.line(
            Segment(f"{ITEMS[number]:8}", "name"), Segment(f"{number}  ", "label"), Segment(_quoted(text), "value")
        )
    for name, text in value["params"]:
        screen.line(Segment(_quoted(name), "name"), Segment(" = "), Segment(_quoted(text), "value"))


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


@url.command("write")
@click.argument("value")
@as_json
@click.pass_context
def write_command(ctx: click.Context, value: str, as_json: bool) -> None:
    """Print the URL of a value in JSON.

    \b
    wireproof url write '{"addresses": [[40, "127.0.0.1:1080"], [30, "test"]], "params": []}'
    """
    screen = Screen()
    try:
        text = write(json.loads(value))
    except (ValueError, RecursionError, BadValue) as error:  # ValueError: no JSON, or a number of too many digits
        raise click.UsageError(f'{error}. Write {{"addresses": [[40, "host"]], "params": []}}.') from None
    except Refused as error:
        if as_json:
            screen.json({"ok": False, "error": error.error})
        else:
            _complain(screen, f"refused  {error.error}", error.path, error)
        ctx.exit(REJECTED)
    if as_json:
        screen.json({"ok": True, "url": text})
    else:
        screen.line(Segment(text))


def _complain(screen: Screen, what: str, where: str, error: WireError) -> None:
    screen.line(Segment(what, "fault"), Segment(f"  {where}"))
    screen.line(Segment("  expected  ", "label"), Segment(f"{error.expected} ({error.clause})"))
