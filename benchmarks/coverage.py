"""How often the confidence intervals contain the true value: `python -m benchmarks.coverage` writes docs/coverage.md.

Each setting has a known joint distribution of the judges' grades, so the true coefficient is known. 1,000 data sets
are drawn for each setting, and the benchmark counts how often the 95 % interval of each method contains the true value.
With 1,000 data sets, a coverage of 95 % appears as 93.6 to 96.4 % in 95 of 100 simulations. It takes some
minutes; seeds are fixed.
"""

import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import NormalDist

import numpy as np

from agreement import (
    Estimate,
    Ratings,
    brennan_prediger,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    pooled_kappa,
)

DATA_SETS, SIZES, SEED = 1_000, (30, 100, 400), 2026
DRAWS = 1_000
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "coverage.md"
POPULATION = 10**6
Z = NormalDist().inv_cdf(0.975)

# The probabilities that a judge gives the true grade to a relevant and to a nonrelevant document.
ACCURACY = (0.85, 0.9)
COEFFICIENTS: dict[str, tuple[Callable[..., Estimate], int]] = {
    "Cohen": (cohen_kappa, 2),
    "pooled": (pooled_kappa, 2),
    "Brennan-Prediger": (brennan_prediger, 2),
    "Gwet AC1": (gwet_ac, 2),
    "Fleiss, 3 judges": (fleiss_kappa, 3),
    "alpha, 3 judges": (krippendorff_alpha, 3),
}
PREVALENCES = {"half relevant": 0.5, "5 % relevant": 0.05}
# The share of relevant documents of each topic has this Beta distribution; the means are 0.27 and 0.05.
TOPICS = {"a quarter relevant, topics differ": (0.8, 2.2), "5 % relevant, in few topics": (0.3, 5.7)}
TOPIC_SIZES = ((5, 100), (10, 100), (10, 400), (25, 1000), (50, 1000))
OF_TOPICS = ("pooled", "Fleiss, 3 judges")
NORMAL = {"jackknife, z": "jackknife", "jackknife_topics, z": "jackknife_topics"}  # the limits before Student's t
METHODS = ("analytic", "bootstrap", "jackknife, z", "jackknife", "bootstrap_t", "goodness_of_fit", "default")
METHODS_OF_TOPICS = (
    "analytic",
    "topics",
    "jackknife_topics, z",
    "jackknife_topics",
    "bootstrap_t_topics",
    "default",
)
METHODS_IN_WORDS = (
    "`jackknife, z` and `jackknife_topics, z` are the former limits, with quantiles of the normal distribution; both",
    "now use Student's t. `bootstrap_t`, `bootstrap_t_topics` and `goodness_of_fit` are new. `default` is",
    "`bootstrap_t_topics` from ten topics and `jackknife_topics` from two. For one topic it is `goodness_of_fit` for",
    "pooled kappa of two judges with two grades, the only coefficient that has it; `jackknife` for P(A),",
    "Brennan-Prediger and Gwet's AC; and `bootstrap_t` for the others. All other methods hold for every coefficient.",
)
SMALL_CELLS = (
    "With 30 documents, or five topics, and few relevant documents, no method is calibrated for every coefficient.",
    "The results then carry a warning: few items, few topics, a rare grade, or one topic with most of the variance.",
)
LOWEST, HIGHEST = 0.93, 0.97  # what the default must reach from 100 documents, and ten topics if there are topics


@dataclass(frozen=True)
class Cell:
    """A setting: the coefficient, the share of relevant documents, and the numbers of topics and documents."""

    setting: str
    coefficient: str
    n: int
    topics: int = 0

    def __post_init__(self) -> None:
        if self.topics and self.n % self.topics:
            raise ValueError(f"{self.n} documents cannot be divided among {self.topics} topics.")

    def draw(self, rng: np.random.Generator) -> Ratings:
        n_judges = COEFFICIENTS[self.coefficient][1]
        if not self.topics:
            return Ratings(grades(np.full(self.n, PREVALENCES[self.setting]), n_judges, rng), (0, 1))
        each = self.n // self.topics
        prevalence = np.repeat(rng.beta(*TOPICS[self.setting], self.topics), each)
        query_ids = np.repeat([f"{topic:02}" for topic in range(self.topics)], each)
        return Ratings(grades(prevalence, n_judges, rng), (0, 1), query_ids=query_ids)

    def truth(self) -> float:
        """The coefficient of a large population, in which each document has a topic of its own."""
        rng = np.random.default_rng(SEED)
        share = PREVALENCES.get(self.setting)
        prevalence = np.full(POPULATION, share) if share else rng.beta(*TOPICS[self.setting], POPULATION)
        coefficient, n_judges = COEFFICIENTS[self.coefficient]
        return float(coefficient(Ratings(grades(prevalence, n_judges, rng), (0, 1))))


def grades(prevalence: np.ndarray, n_judges: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the grades of documents, 0 or 1, shape (n_judges, n); the judges err independently."""
    relevant = rng.random(len(prevalence)) < prevalence
    right = rng.random((n_judges, len(prevalence))) < np.where(relevant, *ACCURACY)
    return np.where(right, relevant, ~relevant).astype(np.int8)


def coverage(cell: Cell) -> dict[str, float]:
    """Return the share of intervals that contain the true value, by method; data sets without a value are left out."""
    rng, truth = np.random.default_rng(SEED), cell.truth()
    methods = METHODS_OF_TOPICS if cell.topics else METHODS
    found: dict[str, list[bool]] = {method: [] for method in methods if exists(method, cell)}
    for _ in range(DATA_SETS):
        data = cell.draw(rng)
        for method, results in found.items():
            limits = limits_of(method, cell, data)
            if limits is not None:
                results.append(limits[0] <= truth <= limits[1])
    return {method: sum(results) / len(results) for method, results in found.items()}


def exists(method: str, cell: Cell) -> bool:
    return method != "goodness_of_fit" or cell.coefficient == "pooled"


def limits_of(method: str, cell: Cell, data: Ratings) -> tuple[float, float] | None:
    coefficient = COEFFICIENTS[cell.coefficient][0]
    estimate = coefficient(data, interval=NORMAL.get(method, method), seed=SEED, draws=DRAWS)
    if estimate.low is None:
        return None
    if method in NORMAL:
        return estimate.value - Z * estimate.se, estimate.value + Z * estimate.se
    return estimate.low, estimate.high


def without_topics() -> list[Cell]:
    return [Cell(setting, name, n) for setting, name, n in product(PREVALENCES, COEFFICIENTS, SIZES)]


def with_topics() -> list[Cell]:
    return [Cell(setting, name, n, topics) for setting, name, (topics, n) in product(TOPICS, OF_TOPICS, TOPIC_SIZES)]


def table(cells: list[Cell], results: dict[Cell, dict[str, float]], methods: tuple[str, ...]) -> list[str]:
    topics = any(cell.topics for cell in cells)
    head = ["setting", "coefficient", *(["topics"] if topics else []), "documents", *methods]
    lines = [f"| {' | '.join(head)} |", f"|---|---|{'---:|' * (len(head) - 2)}"]
    for cell in cells:
        numbers = [str(cell.topics)] if topics else []
        shares = [f"{100 * results[cell][method]:.1f}" if method in results[cell] else "" for method in methods]
        lines.append(f"| {' | '.join([cell.setting, cell.coefficient, *numbers, str(cell.n), *shares])} |")
    return lines


def is_large(cell: Cell) -> bool:
    return cell.n >= 100 and (not cell.topics or cell.topics >= 10)


def conclusion(results: dict[Cell, dict[str, float]]) -> list[str]:
    large = {cell: shares["default"] for cell, shares in results.items() if is_large(cell)}
    outside = {cell: share for cell, share in large.items() if not LOWEST <= share <= HIGHEST}
    lines = [
        f"From 100 documents, and from ten topics if there are topics, the default has a coverage of "
        f"{min(large.values()):.1%} to {max(large.values()):.1%}.",
        f"It is outside {LOWEST:.0%} to {HIGHEST:.0%} in {len(outside) or 'none'} of these {len(large)} lines"
        f"{':' if outside else '.'}",
        *([""] if outside else []),
    ]
    lines += [
        f"- {cell.setting}, {cell.coefficient}, {f'{cell.topics} topics, ' if cell.topics else ''}{cell.n} documents: "
        f"{share:.1%}"
        for cell, share in outside.items()
    ]
    return lines


def markdown(results: dict[Cell, dict[str, float]]) -> str:
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"How often a 95 % interval contains the true value, in percent, in {DATA_SETS:,} simulated data sets for each",
        f"line (`python -m benchmarks.coverage`, seed {SEED}, {DRAWS:,} draws for methods that draw). A judge gives",
        f"the true grade to a relevant document with probability {ACCURACY[0]}, and to a nonrelevant one with",
        f"probability {ACCURACY[1]}. Data sets in which the coefficient is undefined are left out.",
        "",
        *METHODS_IN_WORDS,
        "",
        *conclusion(results),
        "",
        *SMALL_CELLS,
        "",
        "## Documents without topics",
        "",
        *table(without_topics(), results, METHODS),
        "",
        "## Documents of topics",
        "",
        "The topics are a sample: the true value is that of all topics. Intervals that ignore topics are too narrow.",
        "",
        *table(with_topics(), results, METHODS_OF_TOPICS),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    cells, results = [*without_topics(), *with_topics()], {}
    with ProcessPoolExecutor() as processes:
        for cell, shares in zip(cells, processes.map(coverage, cells), strict=True):
            results[cell] = shares
            print(cell, {method: round(share, 3) for method, share in shares.items()}, file=sys.stderr, flush=True)
    DOCUMENT.write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
