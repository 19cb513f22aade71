"""What each fault must come to: the verdict on the victim, and on the run."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from wireproof_harness.plan import Selection

VECTORS: Final = ("COMET-SUBSCRIBE-007", "COMET-SUBSCRIBE-010", "COMET-COMMANDS-007", "COMET-SUBSCRIBE-505")
EVERYTHING: Final = Selection(ids=VECTORS)
WHOLE: Final = Selection(ids=VECTORS, modes=("decode",))

CONFORMS, DOES_NOT, CANNOT_START, INCOMPLETE = 0, 1, 3, 5


class Case(NamedTuple):
    """A fault, and what must come of it."""

    fault: str
    status: str = "pass"
    """Of the victim, decoded as a whole; `start` if there is no run."""
    cause: str = ""
    exit_code: int = DOES_NOT
    says: str = ""
    """Part of the detail, or of the error."""
    others: tuple[str, ...] = ("pass",)
    """The statuses that the other questions may have."""
    waits: float = 0
    """Timeouts that have to pass."""
    timeout: float = 1.5
    scale: float = 1.0
    memory: int = 0
    selection: Selection = EVERYTHING
    way: str = ""
    """`listens` or `dials` for a socket."""
    sandbox: bool = False

    @property
    def allowed(self) -> float:
        """Seconds that its deadlines add up to."""
        return self.waits * self.timeout * self.scale


def right(fault: str, **more: Any) -> Case:
    return Case(fault, exit_code=CONFORMS)._replace(**more)


def crash(fault: str, says: str, **more: Any) -> Case:
    return Case(fault, "crash", "ended", says=says)._replace(**more)


def silence(fault: str, **more: Any) -> Case:
    return Case(fault, "timeout", "silence", says="gave no answer for", waits=2, timeout=1)._replace(**more)


def stray(fault: str, says: str, **more: Any) -> Case:
    return Case(fault, "contract-error", "stray", says=says)._replace(**more)


def no_start(fault: str, says: str, **more: Any) -> Case:
    return Case(fault, "start", exit_code=CANNOT_START, says=says)._replace(**more)


CASES: Final = (
    right("none"),
    right("out-of-order"),
    right("slow", selection=WHOLE, timeout=0.7, waits=2),
    right("stays"),
    right("daemon"),
    right("short-lived"),
    right("flood, stderr", timeout=5),
    right("none", way="listens"),
    right("none", way="dials"),
    # ends
    crash("ends with 0", "ended with exit code 0"),
    crash("segfault", "was ended by SIGSEGV"),
    crash("abort", "was ended by SIGABRT"),
    crash("segfault, every mode", "was ended by SIGSEGV", others=("pass", "crash")),
    crash("segfault, all", "SIGSEGV", others=("crash", "not-run"), exit_code=INCOMPLETE, status="not-run"),
    crash("segfault, all but probe", "SIGSEGV", others=("pass", "crash"), selection=WHOLE),
    crash("half a line", "ended with exit code 1, 20 bytes into a line"),
    crash("child with pipes", "ended with exit code 0"),
    crash("daemon with pipes", "ended with exit code 0"),
    crash("closes stdout", "closed its output and went on running"),
    crash("allocates", "MiB of memory", cause="memory", memory=256, timeout=10),
    crash("allocates in child", "MiB of memory", cause="memory", memory=256, timeout=10),
    crash("cuts off", "closed the connection", way="listens"),
    crash("cuts off", "closed the connection", way="dials"),
    crash("segfault", "was ended by SIGSEGV", way="listens"),
    crash("segfault", "was ended by SIGSEGV", way="dials"),
    crash("starts once", "SIGSEGV", exit_code=INCOMPLETE, others=("pass", "not-run")),
    Case("segfault, in company", "flaky", "ended", says="none of the"),
    Case("ends after 20", "pass", others=("pass", "flaky")),
    Case("ends after 1", "flaky", "ended", others=("pass", "flaky"), selection=WHOLE),
    # is silent
    silence("hangs on one"),
    silence("stops itself"),
    silence("drops one"),
    silence("closes stdin"),
    silence("trickle", timeout=0.5, waits=8),
    silence(
        "hangs on all", status="not-run", exit_code=INCOMPLETE, others=("timeout", "not-run"), timeout=0.5, waits=6
    ),
    silence(
        "never reads",
        status="not-run",
        says="does not start any more",
        exit_code=INCOMPLETE,
        others=("timeout", "not-run"),
        waits=1,
    ),
    # writes what is no answer
    Case("flood, no line", "contract-error", "long-line", says="without a line feed"),
    Case("100 MB line", "contract-error", "long-line", says="without a line feed", timeout=5),
    stray("flood, lines", "no answer"),
    stray("debug line", "decoding now"),
    stray(
        "debug line, all", "decoding now", status="not-run", exit_code=INCOMPLETE, others=("contract-error", "not-run")
    ),
    stray("empty line", "it is not JSON"),
    stray("not UTF-8", "it is not JSON"),
    stray("bad JSON", "it is not JSON"),
    stray("deep JSON", "it is not JSON"),
    stray("other id", "was never asked"),
    stray("other id, all", "", status="not-run", exit_code=INCOMPLETE, others=("contract-error", "not-run")),
    stray("twice", "answered a request twice"),
    Case("no id", "fail", "error", says="what?"),
    # answers wrongly
    Case("deep JSON, all", "contract-error", "shape", others=("contract-error",), selection=WHOLE),
    Case("wrong shape", "contract-error", "shape"),
    Case("huge number", "contract-error", "shape"),
    Case("not a number", "contract-error", "stray"),
    Case("lone surrogate", "fail", "value"),
    Case("wrong at first", "flaky", "messages", says="asked again alone, pass: right"),
    Case("errors", "fail", "error", others=("fail", "contract-error")),
    Case("claims all", others=("pass", "contract-error")),
    # does not come to be asked
    no_start("ends at once", "no configuration found"),
    no_start("ends at once", "no configuration found", way="listens"),
    no_start("ends at once", "no configuration found", way="dials"),
    no_start("hello garbage", "Welcome to the codec!"),
    no_start("hello error", "not today"),
    no_start("hello never", "gave no answer for", scale=0.2, waits=1, timeout=10),
    no_start("hello allocates", "MiB of memory", memory=256),
    no_start("hello flood", "without a line feed"),
    no_start("hello huge", "cannot be read"),
    no_start("hello deep", "it is not JSON"),
    no_start("other contract", "version 2 of the contract"),
    no_start("unknown claims", "levitate"),
)
