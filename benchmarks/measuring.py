"""Compare the wall time, CPU time and peak memory of functions.

The functions are called in turn, so that changes of a shared machine's speed affect all of them equally.
"""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, nan
from statistics import median

from benchmarks.tiny import size

ROUNDS = size(5, 1)
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes; Linux counts kilobytes


@dataclass(frozen=True)
class Measurement:
    """One call of a function: wall and CPU seconds, and peak memory in MB (nan if unknown)."""

    wall: float
    cpu: float
    peak_mb: float


def compare(contestants: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[Measurement]]:
    """Call every contestant once to warm the disk cache, then `rounds` times in turn, each in a new process."""
    results: dict[str, list[Measurement]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, function in contestants.items():
            measurement = _measure(function)
            if turn:
                results[name].append(measurement)
    return results


def compare_calls(contestants: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[Measurement]]:
    """Call every contestant once to warm it up, then `rounds` times in turn, all in this process.

    This is for functions that work on arrays in memory. Peak memory is nan, because it cannot be separated.
    """
    results: dict[str, list[Measurement]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, function in contestants.items():
            wall, cpu = time.perf_counter(), time.process_time()
            function()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if turn:
                results[name].append(Measurement(wall, cpu, nan))
    return results


def extrapolated(results: list[Measurement], factor: float) -> list[Measurement]:
    """Multiply the times of a contestant that did only a part of the work."""
    return [Measurement(run.wall * factor, run.cpu * factor, run.peak_mb) for run in results]


def _measure(function: Callable[[], object]) -> Measurement:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(function, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    finally:
        process.join()


def _run(function: Callable[[], object], sender) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    sender.send(Measurement(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / 1e6))


def table(title: str, results: dict[str, list[Measurement]]) -> str:
    """Return a table of medians with minimum and maximum, and CPU time as a multiple of the first contestant's."""
    first = median(run.cpu for run in next(iter(results.values())))
    lines = [title, f"{'':52} {'wall s':>24} {'CPU s':>24} {'CPU ratio':>10} {'peak MB':>8}"]
    for name, runs in results.items():
        wall, cpu = (_spread([getattr(run, what) for run in runs]) for what in ("wall", "cpu"))
        ratio = median(run.cpu for run in runs) / first
        peak = median(run.peak_mb for run in runs)
        memory = "" if isnan(peak) else f"{peak:.0f}"
        lines.append(f"{name:52} {wall:>24} {cpu:>24} {ratio:>10.2f} {memory:>8}")
    return "\n".join(lines)


def _spread(values: list[float]) -> str:
    return f"{median(values):.4g} ({min(values):.4g}-{max(values):.4g})"
