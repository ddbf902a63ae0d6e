"""How often the confidence intervals contain the true value.

`python -m benchmarks.coverage` writes docs/studies/coverage.md.

Each setting has a known joint distribution of the judges' grades, so the true coefficient is known. For each
setting, 2,000 data sets are drawn. The benchmark counts how often the 95 % interval of each method contains the true
value. With 2,000 data sets, a coverage of 95 % appears as 94.0 to 96.0 % in 95 of 100 simulations. It takes hours on
one core; seeds are fixed. `python -m benchmarks.coverage 1` uses one process, and `--keep items` keeps the table of
documents without topics.
"""

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from statistics import NormalDist
from typing import TypeVar

import numpy as np

from agreement import Estimate, Ratings, cohen_kappa
from agreement.intervals.kernel import t_quantile
from benchmarks.coverage_cells import (
    COEFFICIENTS,
    DATA_SETS,
    DRAWS,
    MEAN,
    METHODS,
    METHODS_OF_TOPICS,
    NORMAL,
    ONLY_FOR,
    SEED,
    Cell,
    with_topics,
    without_topics,
)
from benchmarks.coverage_near import METHODS as NEAR_METHODS
from benchmarks.coverage_near import NearCell, near_agreement
from benchmarks.coverage_page import DOCUMENT, kept, markdown

C = TypeVar("C")
Z = NormalDist().inv_cdf(0.975)


def coverage(cell: Cell) -> dict[str, float]:
    """Return the share of intervals that contain the true value, by method; data sets without a value are left out."""
    rng, truth = np.random.default_rng(SEED), cell.truth()
    methods = [method for method in (METHODS_OF_TOPICS if cell.topics else METHODS) if exists(method, cell)]
    hits: dict[str, list[bool]] = {method: [] for method in methods}
    kinds = {NORMAL.get(method, method) for method in methods}
    for seed in range(SEED, SEED + DATA_SETS):  # draws of its own for each data set, so that their errors cancel out
        estimates = estimates_of(cell, cell.draw(rng), kinds, seed)
        for method, results in hits.items():
            limits = limits_of(method, estimates)
            if limits is not None:
                results.append(limits[0] <= truth <= limits[1])
    return {method: sum(results) / len(results) for method, results in hits.items()}


def near_coverage(cell: NearCell) -> dict[str, float]:
    """Return the share of intervals of Cohen's kappa that contain the true value, by method."""
    rng, truth = np.random.default_rng(SEED), cell.truth()
    hits: dict[str, list[bool]] = {method: [] for method in NEAR_METHODS}
    for seed in range(SEED, SEED + DATA_SETS):
        kappa = cohen_kappa(cell.draw(rng))
        over_topics, default = (kappa.interval(kind, draws=DRAWS, seed=seed) for kind in NEAR_METHODS[1:])
        if over_topics.low is None:
            continue
        reach = float(t_quantile(0.95, len(over_topics.topics))) * over_topics.se
        limits = [(kappa.value - reach, kappa.value + reach)]
        limits += [(estimate.low, estimate.high) for estimate in (over_topics, default)]
        for method, (low, high) in zip(NEAR_METHODS, limits, strict=True):
            hits[method].append(low <= truth <= high)
    return {method: sum(results) / len(results) for method, results in hits.items()}


def exists(method: str, cell: Cell) -> bool:
    if method in ONLY_FOR:
        return cell.coefficient == ONLY_FOR[method]
    return cell.coefficient != MEAN or method != "analytic"  # a mean has one standard error


def estimates_of(cell: Cell, data: Ratings, kinds: set[str], seed: int) -> dict[str, Estimate]:
    """The estimate with each kind of interval; a studentised bootstrap that is the default is computed once."""
    coefficient = COEFFICIENTS[cell.coefficient]
    default = coefficient(data).interval("default", draws=DRAWS, seed=seed)
    estimates = {"default": default}
    if (default.method or "").startswith("studentised bootstrap"):
        estimates["bootstrap_t_topics" if cell.topics else "bootstrap_t"] = default
    for kind in sorted(kinds - set(estimates)):
        estimates[kind] = coefficient(data).interval(kind, draws=DRAWS, seed=seed)
    return estimates


def limits_of(method: str, estimates: dict[str, Estimate]) -> tuple[float, float] | None:
    estimate = estimates[NORMAL.get(method, method)]
    if estimate.low is None:
        return None
    if method in NORMAL:
        return estimate.value - Z * estimate.se, estimate.value + Z * estimate.se
    return estimate.low, estimate.high


def main() -> None:
    arguments = _arguments()
    sections: dict[str, tuple[list[Cell], tuple[str, ...]]] = {
        "items": (without_topics(), METHODS),
        "topics": (with_topics(), METHODS_OF_TOPICS),
    }
    results: dict[Cell, dict[str, float]] = {}
    with ProcessPoolExecutor(arguments.processes) as processes:
        near = computed(processes, near_coverage, near_agreement())
        for section, (cells, methods) in sections.items():
            results |= kept(cells, methods) if section in arguments.keep else computed(processes, coverage, cells)
    DOCUMENT.write_text(markdown(results, near), encoding="utf-8")


def computed(
    processes: ProcessPoolExecutor, function: Callable[[C], dict[str, float]], cells: list[C]
) -> dict[C, dict[str, float]]:
    results = {}
    for cell, covered in zip(cells, processes.map(function, cells), strict=True):
        results[cell] = covered
        print(cell, {method: round(value, 3) for method, value in covered.items()}, file=sys.stderr, flush=True)
    return results


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.coverage")
    parser.add_argument("processes", nargs="?", type=int, help="how many processes; one for each core by default")
    parser.add_argument("--keep", nargs="*", default=[], choices=["items", "topics"], help="tables to keep as they are")
    return parser.parse_args()


if __name__ == "__main__":
    main()
