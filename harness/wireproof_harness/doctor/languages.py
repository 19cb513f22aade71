"""Which language an adapter is written in, as far as its command shows: a hint in it is worth more than ten others."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from os.path import basename
from typing import Final

PROGRAMS: Final = {
    "python": "Python",
    "pypy": "Python",
    "node": "JavaScript",
    "deno": "JavaScript",
    "bun": "JavaScript",
    "java": "Java",
    "ruby": "Ruby",
    "perl": "Perl",
    "go": "Go",
    "cargo": "Rust",
    "dotnet": "C#",
    "pwsh": "PowerShell",
}
ENDINGS: Final = {
    ".py": "Python",
    ".js": "JavaScript",
    ".mjs": "JavaScript",
    ".rb": "Ruby",
    ".pl": "Perl",
    ".jar": "Java",
    ".ps1": "PowerShell",
}


def language_of(command: Sequence[str]) -> str:
    """The language that a command shows; empty if it does not."""
    for word in command[:3]:
        program = re.sub(r"[\d.]+$", "", basename(word))
        ending = re.search(r"\.\w+$", word)
        found = PROGRAMS.get(program) or (ENDINGS.get(ending[0]) if ending else None)
        if found:
            return found
    return ""


def hints_for(hints: Mapping[str, str], command: Sequence[str]) -> Mapping[str, str]:
    """The hint in the adapter's own language, or all of them."""
    language = language_of(command)
    return {language: hints[language]} if language in hints else hints
