"""Timing that survives a noisy machine: things to compare take turns, the best of each counts."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import perf_counter


def best(runs: int, **things: Callable[[], object]) -> dict[str, float]:
    """The shortest time of each thing in seconds, all of them run in turn `runs` times."""
    times = dict.fromkeys(things, float("inf"))
    for _ in range(runs):
        for name, thing in things.items():
            gc.collect()
            start = perf_counter()
            thing()
            times[name] = min(times[name], perf_counter() - start)
    return times


def report(title: str, rows: list[tuple[str, float, str]]) -> None:
    """A small table: what, milliseconds, and how it compares."""
    print(f"\n{title}")
    for what, seconds, note in rows:
        print(f"  {what:<44} {seconds * 1000:>10.2f} ms   {note}")
