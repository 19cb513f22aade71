"""The command as a process: what it loads, how it ends, and what it says when something is wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from wireproof import PROTOCOLS, codec
from wireproof.codec import protocol
from wireproof_harness.cli import BROKEN_PIPE, INTERRUPTED, cli
from wireproof_harness.cli.table import COMMANDS

RUN = "import sys; from wireproof_harness.cli import main; sys.exit(main())"
HEAVY = ("yaml", "rich", "msgspec", "wireproof.codec", "wireproof_harness.terminal")


def run(*arguments: str, stdin: bytes = b"", **options: object) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-c", RUN, *arguments]
    return subprocess.run(command, input=stdin, capture_output=True, check=False, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


def test_help_lists_every_command_and_imports_nothing_heavy() -> None:
    report = f"; print([name for name in {HEAVY} if name in sys.modules])"
    code = RUN.replace("sys.exit(main())", "main()") + report
    result = subprocess.run([sys.executable, "-c", code, "--help"], capture_output=True, text=True, check=True)
    *text, loaded = result.stdout.splitlines()
    assert loaded == "[]"
    for name, (line, _) in COMMANDS.items():
        assert any(name in row and line in row for row in text)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_entry_of_the_table_is_a_command_with_help(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert CliRunner().invoke(cli, [name, "--help"]).exit_code == 0


def test_without_a_command_it_shows_its_help() -> None:
    assert CliRunner().invoke(cli, []).stdout == CliRunner().invoke(cli, ["-h"]).stdout


def test_version() -> None:
    assert CliRunner().invoke(cli, ["--version"]).stdout.startswith("wireproof ")


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["decode", "comet", "000106", "--direction", "c2s"], 0),
        (["decode", "comet", "000109", "--direction", "c2s"], 1),
        (["decode", "comet", "0", "--direction", "c2s"], 2),
        (["nope"], 2),
        (["encode", "comet", '{"command": {"dir": "c2s", "type": 9}}', "--direction", "c2s"], 1),
    ],
)
def test_exit_codes_of_the_process(arguments: list[str], code: int) -> None:
    result = run(*arguments)
    assert result.returncode == code
    assert b"Traceback" not in result.stderr
    assert bool(result.stderr) == (code == 2)


@pytest.mark.parametrize(
    "arguments",
    [
        ["decode", "tny", "00", "\x1b[31m\nred"],
        ["decode", "tny", "00", "--set", "\x1b[31m=1"],
        ["decode", "tny", "--file", "\x1b[31m"],
        ["decode", "tny", "00", "--profile", "\x1b[31m"],
        ["decode", "\x1b[31m", "00"],
        ["encode", "tny", '{"packet": {"type": 1, "\\u001b[31m": 1}}'],
    ],
)
def test_a_complaint_cannot_touch_the_terminal(arguments: list[str]) -> None:
    result = run(*arguments)
    assert b"x1b[31m" in result.stderr
    assert b"\x1b" not in result.stderr
    assert result.stderr.splitlines()[-1] == f"Try 'wireproof {arguments[0]} --help'.".encode()


def test_nobody_reads_on() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", RUN, "source", "esnp-line"]
    result = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False, timeout=60)
    os.close(writer)
    assert (result.returncode, result.stderr) == (BROKEN_PIPE, b"")


def obey_interrupts() -> None:
    """Tests run in the background of a script inherit an ignored SIGINT; a terminal does not ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_an_answer_comes_before_the_next_line_is_sent_and_an_interrupt_ends_it() -> None:
    command = [sys.executable, "-c", RUN, "decode", "comet", "-", "--direction", "c2s"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=obey_interrupts) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for _ in range(2):
            child.stdin.write(b"000106\n")
            child.stdin.flush()
            assert child.stdout.readline().startswith(b'{"ok": true')
        child.send_signal(signal.SIGINT)
        _, complaint = child.communicate(timeout=60)
    assert child.returncode == INTERRUPTED
    assert b"Traceback" not in complaint


def test_standard_output_that_knows_ascii_alone() -> None:
    topic = "@你".encode()
    hexes = f"{4 + len(topic):04x}0301{len(topic):04x}{topic.hex()}"
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    for options, shown in [([], b'"@\\u4f60"'), (["--json"], b'["@\\u4f60"]')]:
        result = run("decode", "comet", hexes, "--direction", "c2s", *options, env=environment)
        assert shown in result.stdout
        assert result.returncode == 0


@pytest.mark.parametrize("arguments", [["comet", "--direction", "c2s"], ["esnp-line", "--set", "counts=uvarint"]])
def test_source_is_python(arguments: list[str]) -> None:
    plain = CliRunner().invoke(cli, ["source", *arguments])
    traced = CliRunner().invoke(cli, ["source", *arguments, "--traced"])
    for result in (plain, traced):
        compile(result.stdout, "source", "exec")
        assert "\ndef decode(buf" in result.stdout
    assert "def stream(state):" in plain.stdout
    assert "note(" in traced.stdout
    assert "note(" not in plain.stdout


def test_samples_of_every_message_come_back_from_the_wire() -> None:
    result = CliRunner().invoke(cli, ["samples"], catch_exceptions=False)
    assert result.exit_code == 0
    codecs = [codec(name, direction=way) for name in PROTOCOLS for way in protocol(name).directions or [None]]
    for found in codecs:
        written = [message for message in found.plan.messages if "refused" not in message.record.keywords]
        for message in written:
            assert f"  {message.title}  {message.clause}\n" in result.stdout
    last = result.stdout.splitlines()[-1]
    assert last.startswith("equal  ")
    assert last.endswith("messages of 6 protocols came back from the wire as they were")


def test_a_sample_that_does_not_come_back_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    found = codec("tny-relay")
    written = found.encode
    monkeypatch.setattr(found, "encode", lambda message: written(message)[:-1] + b"\xee")
    result = CliRunner().invoke(cli, ["samples", "tny-relay"], catch_exceptions=False)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[-1] == "not equal  1 of 1 message of 1 protocol: tny-relay Relay"
