"""`wireproof source`: the functions that a protocol's definitions are compiled to."""

from __future__ import annotations

from typing import Any

import click

from wireproof.compile import build
from wireproof_harness.cli.options import codec_options, open_codec
from wireproof_harness.terminal import Screen


@click.command()
@codec_options
@click.option("--traced", is_flag=True, help="The twin that notes every field it reads.")
def source(traced: bool, **chosen: Any) -> None:
    """Print the code a protocol is compiled to.

    It is Python as a person would write it for this protocol, this profile and this
    direction alone: a reader and a writer for each message, and the loop over a buffer.

    \b
    wireproof source comet --direction c2s --set order=little
    """
    plan = open_codec(**chosen).plan
    Screen().source(build(plan, traced=traced).source)
