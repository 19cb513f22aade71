"""`wireproof vectors`: writing, checking and handing on the vectors of the suite."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from wireproof.codec import PROTOCOLS
from wireproof_harness.cli.declared import declared, profile_options, rendering_for, vectors_named
from wireproof_harness.cli.options import codec_options, open_codec
from wireproof_harness.cli.suite import told, whole_suite
from wireproof_harness.terminal import clean

WRONG = 1
file_type = click.Path(path_type=Path)
paths_argument = click.argument("paths", nargs=-1, type=file_type, metavar="[PATH]...")


@click.group()
def vectors() -> None:
    """Write, check and hand on the vectors of the suite."""


@vectors.command()
@paths_argument
@click.option("--record", is_flag=True, help="Add the new ids to ids.lock, if nothing is wrong.")
@click.option("--accept-change", "accepted", multiple=True, metavar="ID", help="Record what this id means now.")
@click.pass_context
def lint(ctx: click.Context, paths: tuple[Path, ...], record: bool, accepted: tuple[str, ...]) -> None:
    """Check vector files: their form, and that the reference codec agrees.

    PATH is a file, a folder or a protocol's folder; without one, the whole suite is checked.

    Exit code: 0 nothing is wrong, 1 something is, 2 not usable as input.
    """
    from wireproof.suite.check import check, record_ids

    with told():
        checked = check(paths, accepted)
        for problem in checked.problems:
            click.echo(clean(str(problem)))
        click.echo(f"{len(checked.vectors)} vectors, {len(checked.problems)} problems", err=bool(checked.problems))
        if checked.problems:
            ctx.exit(WRONG)
        if record or accepted:
            click.echo(f"{record_ids(paths, accepted)} ids recorded")
        elif checked.new:
            click.echo(f"{checked.new} ids are new: record them with --record")


@vectors.command("hex")
@codec_options
@click.argument("text", metavar="HEX")
@click.option("--paths", is_flag=True, help="List the path of each field as well, for patches.")
def hex_(text: str, paths: bool, **chosen: Any) -> None:
    """Print bytes as a vector file shows them, a commented line for each field, and the answer to them.

    HEX may be spaced, with comments, and with runs like repeat:ab:256.
    """
    from wireproof.suite.commented import annotated_hex
    from wireproof.suite.patch import Fields
    from wireproof.suite.written import expectation

    codec, data = open_codec(**chosen), _bytes(text)
    click.echo("  hex: |")
    for line in annotated_hex(codec, data).splitlines():
        click.echo(f"    {clean(line)}")
    click.echo(f"  expect: {clean(expectation(codec, data))}")
    if paths:
        for number, spans in enumerate(Fields(codec, data).messages):
            for span in spans:
                click.echo(f"{span.start:5}..{span.stop:<5} #{number}:{clean(span.path)}")


def _bytes(text: str) -> bytes:
    from wireproof.suite.hextext import HexProblem, parse_hex

    try:
        return parse_hex(text)
    except HexProblem as problem:
        raise click.UsageError(str(problem)) from None


@vectors.command()
@codec_options
@click.option("--topic", required=True, metavar="WORD", help="The middle of its id, as in COMET-WORD-007.")
@click.option("--hex", "text", metavar="HEX", help="The bytes to decode.")
@click.option("--reject", "twin", metavar="TWIN", help="The accepted vector that a --patch makes defective.")
@click.option("--patch", multiple=True, metavar="EDIT", help='An edit, as in {set: command.length, to: "0006"}.')
@click.option("--append", "target", type=file_type, metavar="FILE", help="Append it to a file instead of printing it.")
def new(
    topic: str, text: str | None, twin: str | None, patch: tuple[str, ...], target: Path | None, **chosen: Any
) -> None:
    """Draft a vector: its id, commented bytes and the reference's answer are filled in.

    \b
    wireproof vectors new comet --direction c2s --topic HEARTBEAT --hex 000106
    wireproof vectors new comet --direction c2s --topic HEARTBEAT --reject COMET-COMMANDS-006 --patch '{cut: 2}'

    Its title and why are yours to write; lint complains until they are there. A vector
    with a TWIN takes the direction and the profile of that vector.
    """
    from wireproof.profile import changes_from_text
    from wireproof.suite.check import known_ids, load_for
    from wireproof.suite.draft import draft_text, from_bytes, from_twin, numbered, parse_patch
    from wireproof_harness.cli.options import read_profile

    if (text is None) == (twin is None) or bool(twin) != bool(patch):
        raise click.UsageError("give --hex, or --reject with --patch")
    if not topic.isascii() or not topic.isalnum():
        raise click.UsageError("a topic is one word of letters and digits")
    name = chosen["protocol"]
    with told():
        suite = load_for(target, name)
        if twin is None:
            codec = open_codec(**chosen)
            profile = read_profile(name, chosen["profile"]) | changes_from_text(name, chosen["assignments"])
            vector = from_bytes(codec, profile, _bytes(text or ""))
        elif twin not in suite.by_id:
            raise click.UsageError(f"{name} has no vector {clean(twin)}")
        else:
            vector = from_twin(suite[twin], [edit for part in patch for edit in parse_patch(part)])
        drafted = draft_text(numbered(vector, topic.upper(), suite, known_ids(target)))
    if target is None:
        click.echo(drafted, nl=False)
        return
    with target.open("a", encoding="utf-8") as file:
        file.write("\n" + drafted if target.stat().st_size else drafted)
    click.echo(f"appended to {target}")


@vectors.command("format")
@paths_argument
@click.option("--check", "only_check", is_flag=True, help="Change nothing; say which files would change.")
@click.pass_context
def format_(ctx: click.Context, paths: tuple[Path, ...], only_check: bool) -> None:
    """Rewrite vector files in the one way, without changing what they say.

    Exit code: 0, or 1 if --check found a file that would change.
    """
    from wireproof.suite.check import files_of
    from wireproof.suite.formatting import format_file

    changed = 0
    with told():
        formatted = [(path, file, format_file(file)) for path, file in files_of(paths)]
    for path, file, content in formatted:
        if content != file.content:
            changed += 1
            click.echo(f"{'would change' if only_check else 'changed'} {file.name}")
            if not only_check:
                path.write_bytes(content)
    click.echo(f"{len(formatted)} files, {changed} {'to change' if only_check else 'changed'}")
    ctx.exit(WRONG if changed and only_check else 0)


@vectors.command()
@click.argument("file", type=click.File("w", encoding="utf-8", lazy=True), metavar="FILE")
@click.option("--protocol", type=click.Choice(PROTOCOLS), help="Only the vectors of this one.")
@profile_options
def export(file: Any, protocol: str | None, profile: str, assignments: tuple[str, ...]) -> None:
    """Write all vectors to FILE as JSON, everything written out, for programs in any language.

    \b
    wireproof vectors export comet.json --protocol comet --set order=little

    With --set or --profile the vectors of a protocol are written as an implementation with these parameters has to
    be asked; those that were changed for it are marked as derived, and those that have no counterpart are listed with
    the reason.
    """
    from wireproof.suite.export import export as exported
    from wireproof.suite.model import Suite

    suite = whole_suite()
    if protocol is None:
        if assignments or profile != "standard":
            raise click.UsageError("say --protocol as well: parameters are those of one protocol")
        file.write(exported(suite))
    elif changes := declared(protocol, profile, assignments):
        rendering = rendering_for(protocol, changes)
        file.write(exported(Suite(rendering.vectors, suite.digest), rendering.about(changes)))
    else:
        file.write(exported(Suite(suite.by_protocol.get(protocol, []), suite.digest)))


@vectors.command()
@click.argument("protocol", type=click.Choice(PROTOCOLS), metavar="PROTOCOL")
@click.argument("ids", nargs=-1, metavar="[ID]...")
@profile_options
@click.pass_context
def render(ctx: click.Context, protocol: str, ids: tuple[str, ...], profile: str, assignments: tuple[str, ...]) -> None:
    """Print vectors as they are for an implementation that declares other parameters.

    \b
    wireproof vectors render comet --set order=little COMET-SUBSCRIBE-001

    Without an ID, all that change are printed. Exit code: 0, or 1 if one of the IDs has no counterpart.
    """
    from wireproof.suite.render import Unrendered, derived_text, rendered

    changes = declared(protocol, profile, assignments)
    if not changes:
        raise click.UsageError("say what is declared: --set NAME=VALUE, or --profile FILE")
    if not ids:
        for vector in rendering_for(protocol, changes).derived:
            click.echo(derived_text(vector))
        return
    found = [rendered(whole_suite(), vector, changes) for vector in vectors_named(protocol, ids)]
    for there in found:
        if isinstance(there, Unrendered):
            click.echo(clean(f"{there.vector.id}: {there.reason}"), err=True)
        else:
            click.echo(derived_text(there))
    ctx.exit(WRONG if any(isinstance(there, Unrendered) for there in found) else 0)


if __name__ == "__main__":
    sys.exit(vectors(prog_name="wireproof vectors"))
