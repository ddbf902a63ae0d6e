"""Time contestants: wall and CPU seconds, medians with their spread, and peak memory in fresh processes.

Contestants take turns, so that a drift of a shared machine falls on all of them alike.
"""

import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import isnan, nan
from statistics import median

ROUNDS = 5
RSS_UNIT = 1 if sys.platform == "darwin" else 1024  # bytes; Linux counts kilobytes


@dataclass(frozen=True)
class Measured:
    """One run of a deed."""

    wall: float
    cpu: float
    peak_mb: float


def compare(contestants: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[Measured]]:
    """Run every contestant once to warm the disk, then in turn, `rounds` times, each in a process of its own."""
    results: dict[str, list[Measured]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, deed in contestants.items():
            measured = _measure(deed)
            if turn:
                results[name].append(measured)
    return results


def compare_calls(contestants: dict[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, list[Measured]]:
    """Call every contestant once to warm it up, then in turn, `rounds` times, all in this process.

    For what works on arrays that are in memory already. Peak memory is not told (nan): it would be that of all.
    """
    results: dict[str, list[Measured]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, deed in contestants.items():
            wall, cpu = time.perf_counter(), time.process_time()
            deed()
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            if turn:
                results[name].append(Measured(wall, cpu, nan))
    return results


def extrapolated(results: list[Measured], factor: float) -> list[Measured]:
    """A contestant that did a part of the work, taken as if it had done it all."""
    return [Measured(run.wall * factor, run.cpu * factor, run.peak_mb) for run in results]


def _measure(deed: Callable[[], object]) -> Measured:
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_run, args=(deed, sender))
    process.start()
    sender.close()
    try:
        return receiver.recv()
    finally:
        process.join()


def _run(deed: Callable[[], object], sender) -> None:
    wall, cpu = time.perf_counter(), time.process_time()
    deed()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    sender.send(Measured(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * RSS_UNIT / 1e6))


def table(title: str, results: dict[str, list[Measured]]) -> str:
    """The medians with least and most, and each contestant's CPU time as a multiple of the first one's."""
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
