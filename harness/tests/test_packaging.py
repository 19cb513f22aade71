"""What people install: every module and data file is in it, nothing else is, and it can be read from there."""

import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib import resources
from importlib.metadata import EntryPoint, distribution
from pathlib import Path, PurePosixPath

import pytest

import wireproof

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "wireproof": ROOT / "conformance" / "wireproof",
    "wireproof_harness": ROOT / "harness" / "wireproof_harness",
    "wireproof_reports": ROOT / "reports" / "wireproof_reports",
}
VECTORS = ROOT / "vectors"
KITS = ROOT / "harness" / "kits"
LEFT_BY_RUNS = {"__pycache__", "node_modules", "build", "target"}


def files_below(folder: Path) -> Iterator[PurePosixPath]:
    for path in folder.rglob("*"):
        relative = path.relative_to(folder)
        if path.is_file() and not LEFT_BY_RUNS.intersection(relative.parts):
            yield PurePosixPath(relative)


def expected_in_wheel() -> set[str]:
    code = {f"{name}/{path}" for name, folder in PACKAGES.items() for path in files_below(folder)}
    vectors = {f"wireproof/vectors/{path}" for path in files_below(VECTORS)}
    kits = {f"wireproof_harness/kits/{path}" for path in files_below(KITS)}
    return code | vectors | kits


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built through the source archive, from a copy: a stale build folder would ship deleted files."""
    scratch = tmp_path_factory.mktemp("build")
    tree = scratch / "tree"
    ignore = shutil.ignore_patterns(".*", "*.egg-info", "dist", *LEFT_BY_RUNS)
    shutil.copytree(ROOT, tree, ignore=ignore)
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(scratch / "dist"), str(tree)]
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert run.returncode == 0, run.stdout
    (built,) = (scratch / "dist").glob("*.whl")
    return built


@pytest.mark.xdist_group("wheel")
def test_the_wheel_holds_every_module_and_data_file_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        shipped = {name for name in archive.namelist() if ".dist-info/" not in name}
    expected = expected_in_wheel()
    assert not expected - shipped, (
        "not shipped: a folder of modules needs an __init__.py, a new kind of data file a line in package-data"
    )
    assert not shipped - expected, "shipped by mistake: see package-data in pyproject.toml"


@pytest.mark.xdist_group("wheel")
def test_the_wheel_imports_and_finds_its_data_without_the_tree(wheel: Path, tmp_path: Path) -> None:
    """Run from the zip itself, as Spark workers do."""
    program = (
        "import wireproof, wireproof_harness, wireproof_reports\n"
        "from importlib.resources import files\n"
        "print(wireproof.__file__)\n"
        "print(files('wireproof.vectors').joinpath('comet', 'clauses.yaml').is_file())\n"
        "print(files('wireproof_harness.kits').joinpath('reference-js', 'package.json').is_file())\n"
    )
    path = f"import sys; sys.path.insert(0, {str(wheel)!r})\n"
    run = subprocess.run(
        [sys.executable, "-c", path + program], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    where, vectors, kits = run.stdout.splitlines()
    assert where.startswith(str(wheel))
    assert (vectors, kits) == ("True", "True")


@pytest.mark.parametrize(
    ("package", "path"),
    [("wireproof.vectors", "comet/clauses.yaml"), ("wireproof_harness.kits", "reference-js/package.json")],
)
def test_data_files_are_found_as_resources(package: str, path: str) -> None:
    assert resources.files(package).joinpath(*path.split("/")).read_text("utf-8")


def test_the_version_is_stated_once() -> None:
    assert distribution("wireproof").version == wireproof.__version__


@pytest.mark.parametrize("point", distribution("wireproof").entry_points, ids=lambda point: str(point.value))
def test_every_registered_command_exists(point: EntryPoint) -> None:
    assert point.load()
