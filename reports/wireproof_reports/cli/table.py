"""The subcommands of this room: name -> one line of help, and where the command is."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "corpus": ("Make corpora of frames, and check them at scale.", "wireproof_reports.cli.corpus:corpus"),
    "report": ("Turn the results of a run into a page.", "wireproof_reports.cli.report:report"),
    "runs": ("Tables of many runs, and what they add up to.", "wireproof_reports.cli.runs:runs"),
}
