"""What can be wrong with an implementation: a table from the name of a fault to what it does.

FAULTS are done instead of answering, each time; most do it for the victim only. A name with
`, hello` is for the answer to hello. STARTS are done before the first request is read.
"""

from __future__ import annotations

import atexit
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from faulty.asked import Asked, claims

Fault = Callable[[Asked], object]
GIBIBYTE: Final = 1 << 30
MEBIBYTE: Final = 1 << 20


def for_ever() -> None:
    while True:
        time.sleep(3600)


def over_victim(fault: Fault) -> Fault:
    """The fault for the victim, the right answer for everything else."""
    return lambda asked: fault(asked) if asked.is_victim else asked.answer()


def over_every_mode(fault: Fault) -> Fault:
    return lambda asked: fault(asked) if asked.is_about_victim else asked.answer()


def for_probe(fault: Fault) -> Fault:
    return lambda asked: fault(asked) if asked.is_probe else asked.answer()


def but_probe(fault: Fault) -> Fault:
    return lambda asked: asked.answer() if asked.is_probe else fault(asked)


def claiming(**changes: Any) -> Fault:
    return lambda asked: asked.say(ok=claims() | changes)


# ---- ending ----


def die(number: int = signal.SIGSEGV) -> Fault:
    return lambda asked: os.kill(os.getpid(), number)


def leave(code: int) -> Fault:
    return lambda asked: os._exit(code)


def half_a_line(asked: Asked) -> None:
    asked.sink.write(asked.right()[:20])
    os._exit(1)


def exit_after(count: int) -> Fault:
    left = [count]

    def answer(asked: Asked) -> None:
        if not left[0]:
            os._exit(3)
        left[0] -= 1
        asked.answer()

    return answer


def in_company(asked: Asked) -> None:
    if asked.company > 1:
        os.kill(os.getpid(), signal.SIGSEGV)
    asked.answer()


# ---- writing ----


def flood(file: int, piece: bytes) -> None:
    for _ in range(GIBIBYTE // len(piece)):
        os.write(file, piece)


def flood_stderr(asked: Asked) -> None:
    flood(2, b"x" * MEBIBYTE)
    asked.answer()


def trickle(asked: Asked) -> None:
    while True:
        asked.sink.write(b" ")
        time.sleep(0.05)


def say_line(line: bytes) -> Fault:
    """A line, and then the right answer."""

    def answer(asked: Asked) -> None:
        asked.sink.write(line + b"\n")
        asked.answer()

    return answer


def twice(asked: Asked) -> None:
    asked.sink.write(asked.right() * 2)


def raw(text: str) -> Fault:
    """An answer whose content is this text."""
    return lambda asked: asked.sink.write(b'{"id":%d,"ok":%s}\n' % (asked.id, text.encode()))


def long_line(asked: Asked) -> None:
    asked.sink.write(b'{"id":%d,"ok":{"hex":"' % asked.id)
    for _ in range(100):
        asked.sink.write(b"0" * 1_000_000)
    asked.sink.write(b'"}}\n')


def other_id(asked: Asked) -> None:
    asked.sink.write(asked.right().replace(b'"id":%d' % asked.id, b'"id":%d' % (asked.id + 1_000_000), 1))


def wrong_at_first() -> Fault:
    seen: set[int] = set()

    def answer(asked: Asked) -> None:
        if seen:
            asked.answer()
        else:
            seen.add(asked.id)
            asked.say(ok={"messages": [], "consumed": 0})

    return answer


# ---- other processes ----


def child_holding_pipes(asked: Asked) -> None:
    if os.fork() == 0:
        for_ever()
    os._exit(0)


def daemon(asked: Asked) -> None:
    """A process that has left its parent, its session and its files."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for file in (0, 1, 2):
                os.close(file)
            for_ever()
        os._exit(0)
    os.wait()
    asked.answer()


def daemon_holding_pipes(asked: Asked) -> None:
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for_ever()
        os._exit(0)
    os._exit(0)


def short_lived_children(asked: Asked) -> None:
    """Orphans that end by themselves, in sessions of their own: somebody has to collect them."""
    for _ in range(3):
        if os.fork() == 0:
            if os.fork() == 0:
                os.setsid()
                os._exit(0)
            os._exit(0)
    asked.answer()


# ---- taking ----


def allocate(asked: Asked | None = None) -> None:
    held = []
    for _ in range(2 * GIBIBYTE // (16 * MEBIBYTE)):
        held.append(b"x" * (16 * MEBIBYTE))
        time.sleep(0.005)
    for_ever()


def allocate_in_child(asked: Asked) -> None:
    if os.fork() == 0:
        allocate()
    os.wait()


def slowly(asked: Asked) -> None:
    time.sleep(0.2)
    asked.answer()


def close_files(*files: int) -> Fault:
    def close(asked: Asked) -> None:
        for file in files:
            os.close(file)
        for_ever()

    return close


def cut_off(asked: Asked) -> None:
    """Close the connection; the process goes on, and takes or makes another."""
    raise ConnectionError


def kill_harness(asked: Asked) -> None:
    """End the harness itself, once, when it has asked many questions."""
    done = Path(os.environ["FAULTY_STATE"]) / "killed"
    if asked.id > 700 and not done.exists():
        done.touch()
        os.kill(os.getppid(), signal.SIGKILL)
        os._exit(0)
    asked.answer()


FAULTS: Final[dict[str, Fault]] = {
    "hangs on one": over_victim(lambda asked: for_ever()),
    "hangs on all": lambda asked: for_ever(),
    "stops itself": over_victim(die(signal.SIGSTOP)),
    "ends with 0": over_victim(leave(0)),
    "ends after 20": exit_after(20),
    "ends after 1": exit_after(1),
    "segfault": over_victim(die()),
    "abort": over_victim(lambda asked: os.abort()),
    "segfault, every mode": over_every_mode(die()),
    "segfault, all": die(),
    "segfault, all but probe": but_probe(die()),
    "segfault, in company": over_victim(in_company),
    "half a line": over_victim(half_a_line),
    "starts once": over_victim(die()),
    "flood, no line": over_victim(lambda asked: flood(1, b"x" * MEBIBYTE)),
    "flood, lines": over_victim(lambda asked: flood(1, b"no answer\n" * 100_000)),
    "flood, stderr": over_victim(flood_stderr),
    "trickle": over_victim(trickle),
    "debug line": over_victim(say_line(b"decoding now")),
    "debug line, all": say_line(b"decoding now"),
    "empty line": over_victim(say_line(b"")),
    "not UTF-8": over_victim(say_line(b'{"id":\xff}')),
    "bad JSON": over_victim(raw("{")),
    "deep JSON": over_victim(raw("[" * 100_000 + "]" * 100_000)),
    "deep JSON, all": lambda asked: raw("[" * (800 + asked.id) + "]" * (800 + asked.id))(asked),
    "wrong shape": over_victim(raw('{"messages": "none", "consumed": []}')),
    "huge number": over_victim(raw('{"messages": [], "consumed": %s}' % ("9" * 5000))),
    "not a number": over_victim(raw('{"messages": [NaN], "consumed": 1e999}')),
    "lone surrogate": over_victim(raw('{"messages": ["\\ud800"], "consumed": 1}')),
    "100 MB line": over_victim(long_line),
    "other id": over_victim(other_id),
    "other id, all": other_id,
    "no id": over_victim(lambda asked: asked.sink.write(b'{"id":null,"error":{"message":"what?"}}\n')),
    "twice": over_victim(twice),
    "errors": lambda asked: asked.say(error={"message": "no"}),
    "drops one": over_victim(lambda asked: None),
    "claims all": for_probe(lambda asked: asked.say(ok={"messages": [], "consumed": 0})),
    "wrong at first": over_victim(wrong_at_first()),
    "child with pipes": over_victim(child_holding_pipes),
    "daemon": over_victim(daemon),
    "daemon with pipes": over_victim(daemon_holding_pipes),
    "short-lived": over_victim(short_lived_children),
    "allocates": over_victim(allocate),
    "allocates in child": over_victim(allocate_in_child),
    "slow": slowly,
    "closes stdin": over_victim(close_files(0)),
    "closes stdout": over_victim(close_files(1)),
    "cuts off": over_victim(cut_off),
    "kills harness": kill_harness,
    "hello garbage, hello": lambda asked: asked.sink.write(b"Welcome to the codec!\n"),
    "hello error, hello": lambda asked: asked.say(error={"message": "not today"}),
    "hello never, hello": lambda asked: for_ever(),
    "hello allocates, hello": allocate,
    "hello flood, hello": lambda asked: flood(1, b"x" * MEBIBYTE),
    "hello huge, hello": raw('{"contract": %s}' % ("9" * 5000)),
    "hello deep, hello": raw("[" * 100_000 + "]" * 100_000),
    "other contract, hello": claiming(contract=2),
    "unknown claims, hello": claiming(protocols={"comet": {"operations": ["decode", "levitate"]}}),
}


# ---- before the first request ----


def deaf() -> None:
    """Answer the first hello without having read it, and never read anything."""
    os.write(1, json.dumps({"id": 1, "ok": claims()}).encode() + b"\n")
    for_ever()


def once() -> None:
    started = Path(os.environ["FAULTY_STATE"]) / "started"
    if started.exists():
        sys.exit("the licence server is gone")
    started.touch()


def stay() -> None:
    """Neither the end of input nor SIGTERM ends it."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    atexit.register(for_ever)


STARTS: Final[dict[str, Callable[[], object]]] = {
    "never reads": deaf,
    "starts once": once,
    "stays": stay,
    "ends at once": lambda: sys.exit("no configuration found"),
}
