"""The subcommands of this room: name -> one line of help, and where the command is."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "compare": (
        "Ask two implementations the same and show what differs.",
        "wireproof_harness.cli.compare:compare_command",
    ),
    "decode": ("Decode bytes and say what each of them is.", "wireproof_harness.cli.decode:decode"),
    "docs": ("Print the page of a protocol, or write all pages.", "wireproof_harness.cli.docs:docs"),
    "encode": ("Encode a message given as JSON.", "wireproof_harness.cli.encode:encode"),
    "samples": ("Encode and decode a sample of every message.", "wireproof_harness.cli.samples:samples"),
    "source": ("Print the code a protocol is compiled to.", "wireproof_harness.cli.source:source"),
    "url": ("Read and write esnp URLs.", "wireproof_harness.cli.url:url"),
    "vectors": ("Write, check and hand on the vectors of the suite.", "wireproof_harness.cli.vectors:vectors"),
}
