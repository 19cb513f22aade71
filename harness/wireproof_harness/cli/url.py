"""`wireproof url`: the URL form of ESNP addresses, read and written."""

from __future__ import annotations

import json
from typing import Any

import click

from wireproof.errors import BadValue, Malformed, Refused
from wireproof.protocols.esnp_url import ITEMS, parse, write

as_json = click.option("--json", "json_", is_flag=True, help="Print one JSON object, errors included.")


@click.group()
def url() -> None:
    """Read and write esnp URLs, the address form of esnp-line."""


@url.command("parse")
@click.argument("text", metavar="URL")
@as_json
def parse_command(text: str, json_: bool) -> None:
    """Print the addresses and parameters of a URL.

    \b
    wireproof url parse 'esnp://127.0.0.1:1080/test/add?to=1234'
    """
    try:
        value = parse(text)
    except Malformed as error:
        if json_:
            _print({"ok": False, "error": error.error, "offset": error.offset})
        else:
            where = f"character {error.offset}"
            click.echo(f"{error.error} at {where} ({error.clause}): expected {error.expected}", err=True)
        raise SystemExit(1) from None
    if json_:
        _print({"ok": True, "value": value})
        return
    # The text is a stranger's: as JSON strings it cannot reach the terminal's controls.
    for number, item in value["addresses"]:
        click.echo(f"{number} {ITEMS[number]:8}{json.dumps(item)}")
    for name, item in value["params"]:
        click.echo(f"   {json.dumps(name)} = {json.dumps(item)}")


@url.command("write")
@click.argument("value")
@as_json
def write_command(value: str, json_: bool) -> None:
    """Print the URL of a value in JSON.

    \b
    wireproof url write '{"addresses": [[40, "127.0.0.1:1080"], [30, "test"]], "params": []}'
    """
    try:
        text = write(json.loads(value))
    except (ValueError, RecursionError, BadValue) as error:  # ValueError: not JSON, or a number of thousands of digits
        raise click.UsageError(f'{error}. Write {{"addresses": [[40, "host"]], "params": []}}.') from None
    except Refused as error:
        if json_:
            _print({"ok": False, "error": error.error})
        else:
            click.echo(str(error), err=True)
        raise SystemExit(1) from None
    if json_:
        _print({"ok": True, "url": text})
    else:
        click.echo(text)


def _print(answer: dict[str, Any]) -> None:
    click.echo(json.dumps(answer))
