"""Times that can be compared although the machine is noisy."""

from __future__ import annotations

import gc
from collections.abc import Callable, Mapping
from time import process_time

Task = Callable[[], object]

SLICE = 0.002
"""Seconds that a contender should work in one go: much longer than a tick, much shorter than a disturbance."""


def best_times(tasks: Mapping[str, Task], rounds: int, rare: frozenset[str], every: int = 10) -> dict[str, float]:
    """The least seconds that each task took, all of them taking turns.

    What disturbs the machine so disturbs all; the minimum is what is left without it.
    Every other round goes backwards. Tasks in `rare` take part in one round out of
    `every` only: they are slow, and their ratios are far from any limit. Processor time
    is measured, so that time given to other programs does not count.
    """
    loops = {name: max(1, round(SLICE / _once(task))) for name, task in tasks.items()}
    best = dict.fromkeys(tasks, float("inf"))
    collecting = gc.isenabled()
    gc.disable()
    try:
        for number in range(rounds):
            names = [name for name in tasks if name not in rare or number % every == 0]
            for name in names if number % 2 else reversed(names):
                best[name] = min(best[name], _run(tasks[name], loops[name]))
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return best


def _once(task: Task) -> float:
    task()
    return _run(task, 1)


def _run(task: Task, loops: int) -> float:
    turns = range(loops)
    start = process_time()
    for _ in turns:
        task()
    return (process_time() - start) / loops
