"""How often the confidence intervals contain the true value: `python -m benchmarks.coverage` writes docs/coverage.md.

Each setting has a known joint distribution of the judges' grades, so the true coefficient is known. 1,000 data sets
are drawn for each setting, and the benchmark counts how often the 95 % interval contains the true value. With 1,000
data sets, a coverage of 95 % appears as 93.6 to 96.4 % in 95 of 100 simulations. It takes some minutes; seeds are
fixed.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from agreement import (
    Estimate,
    Ratings,
    brennan_prediger,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    overall,
    pooled_kappa,
)

DATA_SETS, SIZES, SEED = 1_000, (30, 100, 400), 2026
DRAWS = 1_000
DOCUMENT = Path(__file__).resolve().parent.parent / "docs" / "coverage.md"
N_TOPICS = 10
POPULATION = 10**6

# The probabilities that a judge gives the true grade to a relevant and to a nonrelevant document.
ACCURACY = (0.85, 0.9)
TABLE_COEFFICIENTS = {
    "Cohen": cohen_kappa,
    "pooled": pooled_kappa,
    "Brennan-Prediger": brennan_prediger,
    "Gwet AC1": gwet_ac,
}
MANY_COEFFICIENTS = {"Fleiss, 3 judges": fleiss_kappa, "alpha, 3 judges": krippendorff_alpha}
Row = tuple[str, str, int, str, float, int]


def joint(prevalence: float) -> np.ndarray:
    """Return P(first judge gives i, second gives j), for nonrelevant and relevant; the judges err independently."""
    given = np.array([[ACCURACY[1], 1 - ACCURACY[1]], [1 - ACCURACY[0], ACCURACY[0]]])  # true grade x given grade
    return np.einsum("t,ti,tj->ij", [1 - prevalence, prevalence], given, given)


def true_value(coefficient: Callable, distribution: np.ndarray) -> float:
    return coefficient(np.rint(distribution * POPULATION).astype(int)).value


def contains(estimate: Estimate, truth: float) -> bool | None:
    """Return whether the interval contains the true value; None if there is no interval."""
    return None if estimate.low is None else estimate.low <= truth <= estimate.high


def coverage(results: list[bool | None]) -> tuple[float, int]:
    """Return the share of intervals with the true value, and the number of data sets without an interval."""
    defined = [result for result in results if result is not None]
    return sum(defined) / len(defined), len(results) - len(defined)


def two_judges(name: str, prevalence: float) -> Iterator[Row]:
    """Yield the rows for tables of two judges."""
    distribution, rng = joint(prevalence), np.random.default_rng(SEED)
    for n in SIZES:
        tables = rng.multinomial(n, distribution.ravel(), DATA_SETS).reshape(-1, 2, 2)
        for label, coefficient in TABLE_COEFFICIENTS.items():
            truth = true_value(coefficient, distribution)
            for interval in ("analytic", "bootstrap", "jackknife"):
                options = {"seed": SEED, "draws": DRAWS} if interval == "bootstrap" else {}
                results = [contains(coefficient(table, interval=interval, **options), truth) for table in tables]
                yield (name, label, n, interval, *coverage(results))


def draw_grades(prevalence: float, n_judges: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """Draw the grades of n documents, 0 or 1, shape (n_judges, n)."""
    relevant = rng.random(n) < prevalence
    accuracy = np.where(relevant, *(np.array(ACCURACY)[:, None] * np.ones(n)))
    return np.where(rng.random((n_judges, n)) < accuracy, relevant, ~relevant).astype(np.int8)


def three_judges(name: str, prevalence: float) -> Iterator[Row]:
    """Yield the rows for three judges who judge all documents."""
    rng = np.random.default_rng(SEED)
    population = Ratings(draw_grades(prevalence, 3, POPULATION, rng), (0, 1))
    truths = {label: coefficient(population).value for label, coefficient in MANY_COEFFICIENTS.items()}
    for n in SIZES:
        samples = [Ratings(draw_grades(prevalence, 3, n, rng), (0, 1)) for _ in range(DATA_SETS)]
        for label, coefficient in MANY_COEFFICIENTS.items():
            for interval in ("analytic", "bootstrap", "jackknife"):
                options = {"seed": SEED, "draws": DRAWS} if interval == "bootstrap" else {}
                results = [
                    contains(coefficient(sample, interval=interval, **options), truths[label]) for sample in samples
                ]
                yield (name, label, n, interval, *coverage(results))


def topics() -> Iterator[Row]:
    """Yield the rows for topics with a prevalence from Beta(0.8, 2.2); the true value is that over all such topics."""
    rng = np.random.default_rng(SEED)
    truth = true_value(cohen_kappa, np.mean([joint(p) for p in rng.beta(0.8, 2.2, 200_000)], axis=0))
    for n in SIZES:
        samples = [draw_topics(n, rng) for _ in range(DATA_SETS)]
        for interval in ("analytic", "bootstrap", "jackknife_topics", "topics"):
            options = {"seed": SEED, "draws": DRAWS} if interval in ("bootstrap", "topics") else {}
            results = [
                contains(overall(sample, "cohen_kappa", across="pooled", interval=interval, **options), truth)
                for sample in samples
            ]
            yield (f"{N_TOPICS} topics of different prevalence", "Cohen, one table", n, interval, *coverage(results))


def draw_topics(n: int, rng: np.random.Generator) -> Ratings:
    parts = [draw_grades(p, 2, n // N_TOPICS, rng) for p in rng.beta(0.8, 2.2, N_TOPICS)]
    query_ids = np.repeat([str(topic) for topic in range(N_TOPICS)], n // N_TOPICS)
    return Ratings(np.concatenate(parts, axis=1), (0, 1), query_ids=query_ids)


def rows() -> Iterator[Row]:
    for name, prevalence in (("half relevant", 0.5), ("5 % relevant", 0.05)):
        yield from two_judges(name, prevalence)
        yield from three_judges(name, prevalence)
    yield from topics()


def markdown(results: list[Row]) -> str:
    lines = [
        "# Coverage of the intervals of `agreement`",
        "",
        f"How often a 95 % interval contains the true value, in {DATA_SETS:,} simulated data sets for each line",
        f"(`python -m benchmarks.coverage`, seed {SEED}, {DRAWS:,} draws for each bootstrap). A judge gives the true",
        f"grade to a relevant document with probability {ACCURACY[0]}, and to a nonrelevant one with probability",
        f"{ACCURACY[1]}. Data sets in which the coefficient is undefined have no interval, and are counted separately.",
        "",
        "| setting | coefficient | n | interval | coverage | without interval |",
        "|---|---|---:|---|---:|---:|",
    ]
    lines += [f"| {a} | {b} | {n} | {i} | {share:.1%} | {none} |" for a, b, n, i, share, none in results]
    return "\n".join(lines) + "\n"


def main() -> None:
    results = []
    for row in rows():
        results.append(row)
        print(*row, file=sys.stderr, flush=True)
    DOCUMENT.write_text(markdown(results), encoding="utf-8")


if __name__ == "__main__":
    main()
