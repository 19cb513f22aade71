"""The subcommands of this room: name -> one line of help, and where the command is."""

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "report": ("Turn the results of a run into a page.", "wireproof_reports.cli.report:report"),
}
