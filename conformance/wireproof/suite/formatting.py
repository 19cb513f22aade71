"""Rewriting a vector file in the one way, without changing what it says."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from wireproof.suite.load import File, read_files
from wireproof.suite.model import Vector
from wireproof.suite.problems import Problem, SuiteError
from wireproof.suite.written import vector_text

QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'')


def format_file(file: File) -> bytes:
    """The content of a file as it should be; SuiteError for a broken one."""
    suite, problems = read_files([file])
    if problems:
        raise SuiteError(sorted(problems))
    formatted = _formatted(file, suite.vectors).encode()
    again, problems = read_files([file._replace(content=formatted)])
    if problems or [meaning(one) for one in again.vectors] != [meaning(one) for one in suite.vectors]:
        problem = "formatting would change its meaning"
        raise SuiteError([Problem(file.name, 1, problem, "Leave it as it is and report the file")])
    return formatted


def meaning(vector: Vector) -> Vector:
    """A vector without the place and the layout it has."""
    return msgspec.structs.replace(vector, line=0, lines={}, hex=vector.data.hex() if vector.hex is not None else None)


def _formatted(file: File, vectors: list[Vector]) -> str:
    lines = file.content.decode("utf-8").splitlines()
    starts = [_dash(lines, vector.line - 1) for vector in vectors] + [len(lines)]
    head = lines[: starts[0]]
    parts, remarks = [], _remarks(head) + ([""] if head and not head[-1].strip() and _remarks(head) else [])
    for index, vector in enumerate(vectors):
        inside = lines[starts[index] : starts[index + 1]]
        kept, following = _comments(file, vector, inside, starts[index])
        parts.append("".join(f"{line}\n" for line in remarks + kept) + vector_text(vector))
        remarks = following
    return "\n".join(parts) + "".join(f"{line}\n" for line in ([""] if remarks else []) + remarks)


def _dash(lines: list[str], line: int) -> int:
    while line and not lines[line].startswith("-"):
        line -= 1
    return line


def _remarks(lines: list[str]) -> list[str]:
    """Comments and the blank lines between them."""
    kept = [line.rstrip() for line in lines if line.startswith("#") or not line.strip()]
    while kept and not kept[-1]:
        kept.pop()
    while kept and not kept[0]:
        kept.pop(0)
    return kept


def _comments(file: File, vector: Vector, lines: list[str], start: int) -> tuple[list[str], list[str]]:
    """The comments inside a vector, which move before it, and those after it, which belong to the next."""
    end = len(lines)
    while end and (not lines[end - 1].strip() or lines[end - 1].startswith("#")):
        end -= 1
    kept = []
    hex_lines = _hex_range(vector, start)
    for number, line in enumerate(lines[:end]):
        if number in hex_lines:
            continue
        if line.lstrip().startswith("#"):
            kept.append(line.strip())
        elif " #" in QUOTED.sub('""', line):
            advice = "Give it a line of its own above the vector"
            raise SuiteError([Problem(file.name, start + number + 1, "a comment that would be lost", advice)])
    return kept, _remarks(lines[end:])


def _hex_range(vector: Vector, start: int) -> range:
    """The lines of a vector's hex, counted from the vector's first."""
    if vector.hex is None:
        return range(0)
    first = vector.line_of("hex") - 1 - start
    return range(first, first + 1 + vector.hex.count("\n"))
