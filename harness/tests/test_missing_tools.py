"""A program that is missing is installed where possible; where not, the tests that need it say so loudly."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BORROWED = ["bash", "cat", "chmod", "cp", "dirname", "env", "head", "mktemp", "rm", "sed", "tail"]


class Machine:
    """A PATH with a few real commands, and made-up ones beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in BORROWED:
            real = shutil.which(name)
            assert real
            (folder / name).symlink_to(real)
        self.add("id", "echo 1000")

    def add(self, name: str, script: str) -> None:
        (self.folder / name).write_text(f"#!/bin/bash\n{script}\n")
        (self.folder / name).chmod(0o755)

    def add_apt(self, script: str) -> None:
        """As root, with an apt-get whose `install` runs this script; $package is what was asked for."""
        self.add("id", "echo 0")
        self.add("apt-get", f'for package; do :; done\n[ "$package" = update ] && exit\ncd {self.folder}\n{script}')

    def setup(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [ROOT / "tools" / "setup", *arguments],
            env={"PATH": str(self.folder)},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


JAVA_WANTED = "java 17 or newer (apt-get install default-jre-headless)"


@pytest.mark.parametrize(
    ("first_line", "code", "stdout"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 0, ""),
        ('openjdk version "21" 2023-09-19', 0, ""),
        ('openjdk version "11.0.2" 2019-01-15', 3, f"{JAVA_WANTED}; found 11\n"),
        ('java version "1.8.0_292"', 3, f"{JAVA_WANTED}; found 8\n"),
        ("The operation couldn't be completed. Unable to locate a Java Runtime.", 3, f"{JAVA_WANTED}\n"),
    ],
)
def test_java_is_known_by_its_version(machine: Machine, first_line: str, code: int, stdout: str) -> None:
    machine.add("java", f"cat >&2 <<'END'\n{first_line}\nOpenJDK Runtime Environment (build 1)\nEND")
    check = machine.setup("--check", "java")
    assert (check.returncode, check.stdout, check.stderr) == (code, stdout, "")


@pytest.mark.parametrize(
    ("tool", "says", "code"),
    [
        ("node", "v99.0.0", 0),
        ("node", "v6.1.0", 3),
        ("cc", "12", 0),
        ("cc", "4.8.5", 3),
        ("javac", "javac 17.0.15", 0),
        ("javac", "javac 1.8.0_292", 3),
        ("cargo", "cargo 1.65.0", 0),
        ("go", "go version go1.19.8 linux/amd64", 0),
    ],
)
def test_a_tool_is_known_by_its_version(machine: Machine, tool: str, says: str, code: int) -> None:
    machine.add(tool, f"echo {says}")
    assert machine.setup("--check", tool).returncode == code


@pytest.mark.parametrize(
    ("tool", "packages"),
    [
        ("cc", "gcc libc6-dev"),
        ("javac", "default-jdk-headless"),
        ("cargo", "cargo"),
        ("go", "golang-go"),
    ],
)
def test_a_missing_tool_is_told_by_its_packages(machine: Machine, tool: str, packages: str) -> None:
    check = machine.setup("--check", tool)
    assert check.returncode == 3
    assert f"(apt-get install {packages})" in check.stdout


def test_a_compiler_without_headers_is_missing(machine: Machine) -> None:
    machine.add("cc", '[ "$1" != -E ] && echo 12')
    assert machine.setup("--check", "cc").returncode == 3


def test_packages_that_belong_together_are_installed_together(machine: Machine) -> None:
    machine.add("compiler", "echo 12")
    machine.add_apt('case "$*" in *"gcc libc6-dev") cp compiler cc ;; esac')
    assert machine.setup("cc").returncode == 0
    assert machine.setup("--check", "cc").returncode == 0


def test_nothing_to_do_is_quiet(machine: Machine) -> None:
    machine.add("node", "echo v99.0.0")
    run = machine.setup("node")
    assert (run.returncode, run.stdout, run.stderr) == (0, "", "")


def test_without_root_the_package_is_named_and_the_run_goes_on(machine: Machine) -> None:
    run = machine.setup("java", "node")
    assert run.returncode == 0
    assert f"missing: {JAVA_WANTED}. Tests that need it will not run." in run.stderr
    assert "(apt-get install nodejs). Tests that need it will not run." in run.stderr


def test_root_installs_what_is_missing(machine: Machine) -> None:
    machine.add_apt('[ "$package" = nodejs ] && printf "#!/bin/bash\\necho v99.0.0" >node && chmod +x node')
    run = machine.setup("node")
    assert (run.returncode, "missing" in run.stderr) == (0, False)
    assert machine.setup("--check", "node").returncode == 0


def test_an_old_default_java_leads_to_the_next_package(machine: Machine) -> None:
    """Debian 11: default-jre-headless is Java 11."""
    machine.add("java-11", "echo 'openjdk version \"11.0.1\"' >&2")
    machine.add("java-17", "echo 'openjdk version \"17.0.1\"' >&2")
    machine.add_apt(
        "case $package in default-jre-headless) cp java-11 java ;; openjdk-17-jre-headless) cp java-17 java ;; esac"
    )
    assert machine.setup("java").returncode == 0
    assert machine.setup("--check", "java").returncode == 0


def test_a_failing_apt_shows_its_words_and_the_run_goes_on(machine: Machine) -> None:
    machine.add_apt("echo 'E: Unable to locate package' >&2; exit 100")
    run = machine.setup("node")
    assert run.returncode == 0
    assert "E: Unable to locate package" in run.stderr
    assert "Tests that need it will not run." in run.stderr


def test_an_unknown_program_is_an_error(machine: Machine) -> None:
    run = machine.setup("--check", "cobol")
    assert run.returncode == 1
    assert "knows java, node, cc, javac, cargo, go and bwrap" in run.stderr


# ---- the marker ----

TESTS = """
import pytest

@pytest.fixture
def browser():
    raise AssertionError("set up although node is missing")

@pytest.mark.requires("node")
@pytest.mark.parametrize("n", [1, 2])
def test_with_node(n, browser):
    pass

@pytest.mark.skip(reason="another reason")
def test_skipped():
    pass

def test_plain():
    pass
"""


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project with our conftest, on a machine without node."""
    monkeypatch.delenv("WIREPROOF_REQUIRE_TOOLS", raising=False)
    setup = pytester.mkdir("tools") / "setup"
    setup.write_text("#!/bin/bash\necho 'node 20 or newer (apt-get install nodejs)'; exit 3")
    setup.chmod(0o755)
    pytester.makeconftest((ROOT / "conftest.py").read_text("utf-8"))
    pytester.makeini("[pytest]\nmarkers = requires\naddopts = -ra")
    pytester.makepyfile(TESTS)
    return pytester


@pytest.mark.parametrize("workers", ["0", "2"])
def test_the_run_ends_with_what_did_not_run(project: pytest.Pytester, workers: str) -> None:
    run = project.runpytest_subprocess("-n", workers, "--color=yes")
    run.assert_outcomes(passed=1, skipped=3)
    *_, notice, closing = run.outlines
    assert "2 tests NOT RUN: needs node 20 or newer (apt-get install nodejs)" in notice
    assert "\x1b[31m" in notice
    assert "1 passed" in closing


def test_a_missing_tool_is_an_error_where_tools_are_required(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WIREPROOF_REQUIRE_TOOLS", "java node")
    run = project.runpytest_subprocess()
    run.assert_outcomes(passed=1, skipped=1, errors=2)
    assert run.ret == pytest.ExitCode.TESTS_FAILED
    run.stdout.fnmatch_lines(["*NOT RUN: needs node 20 or newer (apt-get install nodejs)*"])
