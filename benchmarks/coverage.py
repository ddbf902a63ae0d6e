"""How often the confidence intervals contain the true value.

`python -m benchmarks.coverage` writes docs/studies/coverage.md.

Each setting has a known joint distribution of the judges' grades, so the true coefficient is known. 1,000 data sets
are drawn for each setting, and the benchmark counts how often the 95 % interval of each method contains the true value.
With 1,000 data sets, a coverage of 95 % appears as 93.6 to 96.4 % in 95 of 100 simulations. It takes half an hour on
one core; seeds are fixed. `python -m benchmarks.coverage 1` uses one process.
"""

import sys
from concurrent.futures import ProcessPoolExecutor
from statistics import NormalDist

import numpy as np

from agreement import Estimate, Ratings
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
from benchmarks.coverage_page import DOCUMENT, markdown

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
    cells, results = [*without_topics(), *with_topics()], {}
    with ProcessPoolExecutor(int(sys.argv[1]) if len(sys.argv) > 1 else None) as processes:
        for cell, covered in zip(cells, processes.map(coverage, cells), strict=True):
            results[cell] = covered
            print(cell, {method: round(value, 3) for method, value in covered.items()}, file=sys.stderr, flush=True)
    DOCUMENT.write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
