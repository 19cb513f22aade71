"""The subcommands of this room: name -> one line of help, and where the command is."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "check": ("Check an implementation, or the reference.", "wireproof_harness.cli.check:check"),
    "compare": (
        "Ask implementations the same and show who differs.",
        "wireproof_harness.cli.compare:compare_command",
    ),
    "coverage": ("Say what the vectors show, and what is missing.", "wireproof_harness.cli.coverage:coverage"),
    "decode": ("Decode bytes and say what each of them is.", "wireproof_harness.cli.decode:decode"),
    "docs": ("Print the page of a protocol, or write all pages.", "wireproof_harness.cli.docs:docs"),
    "doctor": ("Say what is wrong with an adapter, and how to fix it.", "wireproof_harness.cli.doctor:doctor"),
    "encode": ("Encode a message given as JSON.", "wireproof_harness.cli.encode:encode"),
    "explain": ("Explain a vector: twin, defect, rule, causes.", "wireproof_harness.cli.show:explain"),
    "kit": ("Write an adapter to start from.", "wireproof_harness.cli.kit:kit"),
    "list": ("List the vectors of the suite.", "wireproof_harness.cli.list:list_command"),
    "samples": ("Encode and decode a sample of every message.", "wireproof_harness.cli.samples:samples"),
    "show": ("Show a vector byte by byte.", "wireproof_harness.cli.show:show"),
    "source": ("Print the code a protocol is compiled to.", "wireproof_harness.cli.source:source"),
    "url": ("Read and write esnp URLs.", "wireproof_harness.cli.url:url"),
    "vectors": ("Write, check and hand on the vectors of the suite.", "wireproof_harness.cli.vectors:vectors"),
}
