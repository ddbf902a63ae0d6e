"""The simulated settings of `benchmarks.coverage`: each has a known joint distribution of the judges' grades."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product

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
from benchmarks.tiny import size

DATA_SETS, DRAWS = size((2_000, 500), (2, 10))
SEED = 2026
POPULATION, TOPICS_OF_MEAN = size((10**6, 10**4), (10**4, 100))
EVERY = size(1, 4)  # of the settings


@dataclass(frozen=True)
class Coefficient:
    """A coefficient with its options and its number of judges."""

    function: Callable[..., Estimate]
    judges: int
    options: tuple[tuple[str, str], ...] = ()

    def __call__(self, ratings: Ratings, **interval: object) -> Estimate:
        return self.function(ratings, **dict(self.options), **interval)


MEAN = "Cohen, mean over topics"
COEFFICIENTS = {
    "Cohen": Coefficient(cohen_kappa, 2),
    "pooled": Coefficient(pooled_kappa, 2),
    "Brennan-Prediger": Coefficient(brennan_prediger, 2),
    "Gwet AC1": Coefficient(gwet_ac, 2),
    "Fleiss, 3 judges": Coefficient(fleiss_kappa, 3),
    "alpha, 3 judges": Coefficient(krippendorff_alpha, 3),
    MEAN: Coefficient(overall, 2, (("coefficient", "cohen_kappa"), ("across", "topics"))),
    "Cohen, linear weights": Coefficient(cohen_kappa, 2, (("weights", "linear"),)),
    "ordinal alpha, 3 judges": Coefficient(krippendorff_alpha, 3, (("level", "ordinal"),)),
}
ON_TWO_GRADES = ("Cohen", "pooled", "Brennan-Prediger", "Gwet AC1", "Fleiss, 3 judges", "alpha, 3 judges")
ON_THREE_GRADES = ("Cohen", "Cohen, linear weights", "Gwet AC1", "ordinal alpha, 3 judges")

# For documents of each true grade, the grades that a judge gives, the true one first, and the probabilities of all but
# the last one.
GIVEN = {
    2: (np.array([[0, 1], [1, 0]]), np.array([[0.9], [0.85]])),
    3: (np.array([[0, 1, 2], [1, 0, 2], [2, 1, 0]]), np.array([[0.9, 0.08], [0.75, 0.15], [0.75, 0.2]])),
}
# The shares of documents with at least each grade above 0.
SHARES = {"half relevant": (0.5,), "5 % relevant": (0.05,), "three grades, 10 and 5 %": (0.15, 0.05)}
# The share of relevant documents of each topic has this Beta distribution, with the means 0.27, 0.05 and 0.15. On three
# grades, a third of the relevant documents has the highest grade.
BETA = {
    "a quarter relevant, topics differ": (0.8, 2.2),
    "5 % relevant, in few topics": (0.3, 5.7),
    "three grades, 10 and 5 %, topics differ": (0.6, 3.4),
}
SIZES = (30, 100, 400)
BETWEEN = ((15, 150), (15, 600), (20, 800))  # from where the default covers Fleiss' kappa
TOPIC_SIZES = ((5, 100), (10, 100), (10, 400), (25, 1000), (50, 1000))
NORMAL = {"jackknife, z": "jackknife", "jackknife_topics, z": "jackknife_topics"}  # the limits before Student's t
METHODS = (
    "analytic",
    "bootstrap",
    "jackknife, z",
    "jackknife",
    "jackknife_fisher",
    "bootstrap_t",
    "goodness_of_fit",
    "wilson",
    "default",
)
METHODS_OF_TOPICS = ("analytic", "topics", "jackknife_topics, z", "jackknife_topics", "bootstrap_t_topics", "default")
ONLY_FOR = {"goodness_of_fit": "pooled", "wilson": "Brennan-Prediger"}


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
        if not self.topics:
            return self._judged(np.tile(SHARES[self.setting], (self.n, 1)), rng)
        each = self.n // self.topics
        shares = self._shares_of_topics(self.topics, rng)
        return self._judged(np.repeat(shares, each, axis=0), rng, np.repeat(np.arange(self.topics).astype(str), each))

    def truth(self) -> float:
        """The coefficient of a large population; each document has a topic of its own, except for means over topics."""
        rng, coefficient = np.random.default_rng(SEED), COEFFICIENTS[self.coefficient]
        if self.coefficient == MEAN:
            each = self.n // self.topics
            return float(coefficient(Cell(self.setting, MEAN, TOPICS_OF_MEAN * each, TOPICS_OF_MEAN).draw(rng)))
        if self.topics:
            return float(coefficient(self._judged(self._shares_of_topics(POPULATION, rng), rng)))
        return float(coefficient(Cell(self.setting, self.coefficient, POPULATION).draw(rng)))

    def _shares_of_topics(self, topics: int, rng: np.random.Generator) -> np.ndarray:
        """The shares of documents with at least each grade above 0, shape (topics, n_grades - 1)."""
        relevant = rng.beta(*BETA[self.setting], topics)
        return np.column_stack([relevant, relevant / 3] if self.setting.startswith("three") else [relevant])

    def _judged(self, shares: np.ndarray, rng: np.random.Generator, query_ids: np.ndarray | None = None) -> Ratings:
        """Ratings of documents by judges who err independently; `shares` has a row for each document."""
        n, grades, judges = len(shares), shares.shape[1] + 1, COEFFICIENTS[self.coefficient].judges
        truth = (rng.random(n)[:, None] < shares).sum(axis=1)
        order, probabilities = GIVEN[grades]
        rank = (rng.random((judges, n))[:, :, None] >= np.cumsum(probabilities, axis=1)[truth]).sum(axis=2)
        return Ratings(order[truth, rank].astype(np.int8), tuple(range(grades)), query_ids=query_ids)


def without_topics() -> list[Cell]:
    *two, three = SHARES
    cells = [*product(two, ON_TWO_GRADES, SIZES), *product([three], ON_THREE_GRADES, SIZES[1:])]
    return [Cell(setting, name, n) for setting, name, n in cells[::EVERY]]


def with_topics() -> list[Cell]:
    """Pooled and Fleiss' kappa at all sizes, the other coefficients at some."""
    *two, three = BETA
    few, many = TOPIC_SIZES[1], TOPIC_SIZES[3]
    kinds: list[tuple[Iterable[str], Iterable[str], Iterable[tuple[int, int]]]] = [
        (two, ("pooled", "Fleiss, 3 judges"), TOPIC_SIZES),
        (two, ("Gwet AC1",), (TOPIC_SIZES[0], few, many)),
        (two, ("Cohen", "alpha, 3 judges"), (few, many)),
        (two[1:], ("Fleiss, 3 judges",), BETWEEN),
        (two, (MEAN,), (TOPIC_SIZES[2], (12, 480), many)),
        ([three], ("Cohen, linear weights", "ordinal alpha, 3 judges"), (few, many)),
    ]
    cells = [product(*kind) for kind in kinds]
    return [Cell(setting, name, n, topics) for kind in cells for setting, name, (topics, n) in kind][::EVERY]
