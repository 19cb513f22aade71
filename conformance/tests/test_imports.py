"""The import rule: vectors <- wireproof <- wireproof_harness <- wireproof_reports, and a light, pure core."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = {
    "wireproof": ROOT / "conformance",
    "wireproof_harness": ROOT / "harness",
    "wireproof_reports": ROOT / "reports",
}

LATER_ROOMS = {
    "wireproof": ["wireproof_harness", "wireproof_reports"],
    "wireproof_harness": ["wireproof_reports"],
    "wireproof_reports": [],
}

PERFORMS_IO = ["asyncio", "http", "multiprocessing", "select", "selectors", "socket", "subprocess", "urllib.request"]

# Slow to import, so `wireproof --help` must not reach them. To the right: the modules (with all below them) that
# may import the library at the top, because only the subcommands that need it load them.
HEAVY = {
    "jinja2": ["wireproof_reports.page"],
    "pandas": [],
    "pyarrow": ["wireproof_reports.corpus", "wireproof_reports.runs"],
    "pyspark": ["wireproof_reports.corpus", "wireproof_reports.runs"],
    "rich": ["wireproof_harness.terminal"],
}


@dataclass(frozen=True)
class Import:
    name: str
    line: int
    at_import: bool
    """Executed when the module is imported: not inside a function, not for type checkers alone."""


def imports_of(node: ast.AST, at_import: bool = True) -> Iterator[Import]:
    match node:
        case ast.Import(names=names):
            for alias in names:
                yield Import(alias.name, node.lineno, at_import)
        case ast.ImportFrom(module=str(module), names=names, level=0):
            for alias in names:
                yield Import(f"{module}.{alias.name}", node.lineno, at_import)
        case ast.Call(
            func=ast.Name(id="__import__" | "import_module") | ast.Attribute(attr="import_module"),
            args=[ast.Constant(value=str(module)), *_],
        ):
            yield Import(module, node.lineno, at_import)
        case ast.If(test=ast.Name(id="TYPE_CHECKING") | ast.Attribute(attr="TYPE_CHECKING"), body=body, orelse=orelse):
            for statement in body:
                yield from imports_of(statement, at_import=False)
            for statement in orelse:
                yield from imports_of(statement, at_import)
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            at_import = False
    for child in ast.iter_child_nodes(node):
        yield from imports_of(child, at_import)


def is_within(name: str, packages: list[str]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


def objection(module: str, found: Import) -> str | None:
    """Why this module may not have this import, and what to do about it."""
    room = module.partition(".")[0]
    if is_within(found.name, LATER_ROOMS[room]):
        return (
            f"{room} may not import {found.name}: imports point from reports to harness to conformance. "
            "Move the shared part into the earlier room, or let the later room call this one."
        )
    if room == "wireproof" and is_within(found.name, PERFORMS_IO):
        return f"wireproof is pure and may not import {found.name}: take bytes, do the I/O in the harness."
    library = found.name.partition(".")[0]
    if library in HEAVY and found.at_import and not is_within(module, HEAVY[library]):
        return (
            f"{library} is slow to import: import it inside the function that needs it, or, if only subcommands "
            f"load {module}, allow it in HEAVY in conformance/tests/test_imports.py."
        )
    return None


def offences(source: str, module: str, path: str) -> list[str]:
    found = imports_of(ast.parse(source, path))
    return list(dict.fromkeys(f"{path}:{i.line}: {why}" for i in found if (why := objection(module, i))))


def modules() -> Iterator[tuple[str, Path]]:
    for room, root in ROOMS.items():
        for path in sorted((root / room).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path


def test_every_module_keeps_the_rule() -> None:
    found = [
        offence
        for module, path in modules()
        for offence in offences(path.read_text("utf-8"), module, str(path.relative_to(ROOT)))
    ]
    assert not found, "\n" + "\n".join(found)


def test_all_rooms_are_looked_at() -> None:
    assert {module.partition(".")[0] for module, _ in modules()} == set(ROOMS)


def test_vectors_hold_data_only() -> None:
    code = [path.relative_to(ROOT) for path in (ROOT / "vectors").rglob("*.py") if path.read_text("utf-8").strip()]
    assert not code, f"vectors/ holds data; move this code into conformance/wireproof: {code}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("wireproof.codec", "import wireproof_harness"),
        ("wireproof.codec", "import wireproof_harness.runner as runner"),
        ("wireproof.codec", "def late():\n    from wireproof_reports import tables"),
        ("wireproof.codec", "if TYPE_CHECKING:\n    from wireproof_harness.runner import Run"),
        ("wireproof.codec", "importlib.import_module('wireproof_harness.cli')"),
        ("wireproof_harness.cli", "import wireproof_reports"),
        ("wireproof.codec", "import subprocess"),
        ("wireproof.codec", "from urllib import request"),
        ("wireproof.codec", "def late():\n    import asyncio.events"),
        ("wireproof_harness.cli", "import rich.console"),
        ("wireproof_harness.cli", "try:\n    from rich import print\nexcept ImportError:\n    pass"),
        ("wireproof_harness.cli", "class Screen:\n    import rich"),
        ("wireproof_harness.terminals", "import rich"),
        ("wireproof_reports.tables", "from pyspark.sql import functions"),
    ],
)
def test_a_bad_import_is_named_with_its_line(module: str, source: str) -> None:
    (offence,) = offences("\n" + source, module, "some/file.py")
    line = 1 + next(n for n, text in enumerate(source.splitlines(), 1) if "import" in text and "TYPE" not in text)
    assert offence.startswith(f"some/file.py:{line}: ")


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("wireproof.codec", "import wireproof.errors, msgspec"),
        ("wireproof.codec", "from urllib.parse import quote"),
        ("wireproof_harness.runner", "import subprocess, wireproof"),
        ("wireproof_harness.runner", "def show():\n    import rich.console"),
        ("wireproof_harness.runner", "if TYPE_CHECKING:\n    from rich.console import Console"),
        ("wireproof_harness.terminal", "import rich"),
        ("wireproof_harness.terminal.colours", "import rich"),
        ("wireproof_reports.tables", "import wireproof_harness, wireproof\ndef run():\n    import pyspark"),
        ("wireproof_reports.tables", "import richer"),
    ],
)
def test_a_good_import_passes(module: str, source: str) -> None:
    assert offences(source, module, "some/file.py") == []
