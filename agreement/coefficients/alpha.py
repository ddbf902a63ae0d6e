"""Krippendorff's alpha: disagreement found over disagreement expected, of any number of judges.

    alpha = 1 - Do / De

Items with one judgement are left out. The others have n judgements in all, n_k of grade k. o_kl counts the pairs of
judgements of one item with the grades k and l, those of an item with m judgements each for 1 / (m - 1), and d_kl is
how far apart the grades are, squared:

    Do = sum of o_kl d_kl / n                  De = sum of n_k n_l d_kl / (n (n - 1))

    nominal     1 where k and l differ
    ordinal     (c_k - c_l)^2, c_k the judgements below grade k and half of those of grade k
    interval    (v_k - v_l)^2, v the grades as numbers
    ratio       ((v_k - v_l) / (v_k + v_l))^2, v from 0

Interval and ratio go by the value of a grade, the others by its position on the declared scale. Range: 1 is perfect,
0 is chance; below -1 is possible. Undefined where all judgements that can be compared have one grade.

References
----------
K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from numbers import Real

import numpy as np

from agreement.coefficients.tally import Tally, tally, why_undefined
from agreement.estimate import ALPHA, Estimate, undefined
from agreement.intervals.kernel import Sample, by_topic, distinct
from agreement.intervals.measurement import Measured, requested
from agreement.ratings import Ratings

LEVELS = ("nominal", "ordinal", "interval", "ratio")
TINY = 1e-13


def krippendorff_alpha(
    ratings: Ratings, level: str = "nominal", *, interval: str | None = None, confidence: float = 0.95, **options
) -> Estimate:
    """Krippendorff's alpha. Range up to 1.

    Parameters
    ----------
    ratings : Ratings
    level : {"nominal", "ordinal", "interval", "ratio"}
        The level of measurement (see the module).
    interval, confidence, **options
        An interval, its level of confidence, `draws`, `seed` and `rng`: see `agreement.intervals.measurement`.

    Returns
    -------
    Estimate
        `observed` and `expected` are Do and De, `n` the items with two or more judgements, `n_values` their
        judgements, `n_dropped` the items with one.

    Raises
    ------
    ValueError
        `level` is unknown, or needs numbers for grades (for "ratio", from 0), or an option of the interval is bad.
    """
    return measure_alpha(ratings, level).with_interval(requested(interval, level=confidence, **options))


def measure_alpha(ratings: Ratings, level: str = "nominal") -> Measured:
    """Alpha, and what an interval of it needs."""
    distances, counted = _distances(ratings.scale, level), tally(ratings)
    paired = counted.paired()
    fields = _fields(ratings, counted, paired, level)
    return Measured(
        _estimate(paired, distances, why_undefined(ratings, counted), fields),
        lambda topics: sample_of_alpha(ratings, level, topics),
    )


def _estimate(paired: Tally, distances: np.ndarray | None, reason: str | None, fields: dict) -> Estimate:
    if reason:
        return undefined(ALPHA, reason, **fields)
    distances = _ordinal(paired.marginals.sum(axis=0)) if distances is None else distances
    observed, expected = _observed(paired, distances), _expected(paired, distances)
    fields = fields | {"observed": float(observed), "expected": float(expected)}
    if not expected:
        return undefined(ALPHA, "one_category", **fields)
    return Estimate(float(1 - observed / expected), ALPHA, **fields)


def _fields(ratings: Ratings, counted: Tally, paired: Tally, level: str) -> dict:
    return {
        "n": counted.n,
        "n_values": int(paired.marginals.sum()),
        "n_dropped": counted.n_single,
        "assessors": ratings.assessors,
        "topics": ratings.topics_of(ratings.counts.sum(axis=1) > 1),
        "convention": f"{level} level; observed and expected are the disagreements Do and De",
    }


def _distances(scale: tuple, level: str) -> np.ndarray | None:
    """The squared distances as fractions, shape (n_grades, n_grades); None for ordinal, which goes by the data."""
    if level not in LEVELS:
        raise ValueError(f"level is one of {', '.join(LEVELS)}; got {level!r}")
    if level == "ordinal":
        return None
    if level == "nominal":
        return 1 - np.eye(len(scale), dtype=np.int64).astype(object)
    if not all(isinstance(grade, Real) for grade in scale) or (level == "ratio" and min(scale) < 0):
        needed = "numbers from 0" if level == "ratio" else "numbers"
        raise ValueError(f"the {level} level needs {needed} for grades; got {', '.join(map(str, scale))}")
    values = np.array([Fraction(str(float(grade))) for grade in scale], dtype=object)
    apart = values[:, None] - values
    if level == "interval":
        return apart**2
    total = values[:, None] + values
    return (apart / np.where(total == 0, 1, total)) ** 2


def _ordinal(given: np.ndarray) -> np.ndarray:
    """Squared distances of the grades that were given so often, shape (n_grades, n_grades)."""
    twice = 2 * np.cumsum(given) - given
    return (twice[:, None] - twice) ** 2 * Fraction(1, 4)


def _observed(paired: Tally, distances: np.ndarray) -> Fraction:
    common = lcm(*(size - 1 for size in paired.sizes))
    factors = np.array([common // (size - 1) for size in paired.sizes], dtype=object)
    found = (paired.pairs * factors[:, None, None]).sum(axis=0)
    return Fraction((found * distances).sum()) / (common * paired.marginals.sum())


def _expected(paired: Tally, distances: np.ndarray) -> Fraction:
    given = paired.marginals.sum(axis=0)
    n = given.sum()
    return Fraction((given @ distances * given).sum()) / (n * (n - 1))


@dataclass(frozen=True)
class AlphaKernel:
    """Alpha as a function of sums over items (see `agreement.intervals.kernel`).

    Attributes
    ----------
    pairs : ndarray of float, shape (n_patterns, n_kinds)
        How often an item shows each kind of disagreement: a pair of grades (ordinal), or the one kind that there is
        where distances are fixed, weighted by them.
    counts : ndarray of float, shape (n_patterns, n_grades)
    distances : ndarray of float, shape (n_grades, n_grades), or None
        None for ordinal.
    """

    pairs: np.ndarray
    counts: np.ndarray
    distances: np.ndarray | None

    @property
    def features(self) -> np.ndarray:
        """Shape (n_patterns, n_features)."""
        return np.column_stack([self.counts, self.pairs])

    def values(self, sums: np.ndarray) -> np.ndarray:
        """Alpha of each row of sums of features, nan where undefined; shape (n_data_sets,)."""
        given, pairs = np.split(sums, [self.counts.shape[1]], axis=1)
        n = given.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = given / n[:, None]
            apart, kinds = self._apart(p)
            observed = (pairs * kinds).sum(axis=1) / n
            expected = (p[:, :, None] * p[:, None, :] * apart).sum(axis=(1, 2)) * n / (n - 1)
            return np.where(expected > TINY, 1 - observed / expected, np.nan)

    def influence(self, times: np.ndarray) -> np.ndarray:
        """Each pattern's influence on alpha without its correction for small samples; shape (n_patterns,)."""
        sums = times @ self.features
        given, pairs = np.split(sums, [self.counts.shape[1]])
        n, p = given.sum(), given / given.sum()
        (apart,), (kinds,) = self._apart(p[None])
        observed, expected = pairs @ kinds / n, p @ apart @ p
        per_item = times.sum() / n
        sizes = self.counts.sum(axis=1)
        on_p = per_item * (self.counts - sizes[:, None] * p)
        on_observed = per_item * (self.pairs @ kinds - observed * sizes)
        on_expected = 2 * on_p @ (apart @ p)
        if self.distances is None:
            on_observed = on_observed + on_p @ _slope(_square(pairs / n, len(p)), p)
            on_expected = on_expected + on_p @ _slope(np.outer(p, p), p)
        return -(on_observed - observed / expected * on_expected) / expected

    def gwet(self, times: np.ndarray) -> np.ndarray:
        """What Gwet's linearisation adds: it takes the agreement with its correction for small samples, 1 / n."""
        sizes, sums = self.counts.sum(axis=1), times @ self.features
        n, items = times @ sizes, times.sum()
        (alpha,) = self.values(sums[None])
        return -(1 - alpha) / (n - 1) * (sizes * items / n - 1)

    def _apart(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The squared distances of grades for each row of shares, and of the kinds of disagreement."""
        if self.distances is not None:
            return self.distances[None], np.ones((1, 1))
        middle = np.cumsum(p, axis=1) - p / 2
        apart = (middle[:, :, None] - middle[:, None, :]) ** 2
        return apart, apart[:, *np.triu_indices(p.shape[1], 1)]


def sample_of_alpha(ratings: Ratings, level: str, topics: bool = False) -> Sample:
    """The distinct rows of counts of two or more judgements; with `topics`, also of every topic."""
    items = np.flatnonzero(ratings.counts.sum(axis=1) > 1)
    given = ratings.counts[items]
    first, pattern = distinct(given)
    rows = given[first].astype(float)
    others = rows.sum(axis=1, keepdims=True) - 1
    distances = _distances(ratings.scale, level)
    if distances is None:
        low, high = np.triu_indices(len(ratings.scale), 1)
        pairs = 2 * rows[:, low] * rows[:, high] / others
    else:
        distances = distances.astype(float)
        pairs = (rows @ distances * rows).sum(axis=1, keepdims=True) / others
    uses = given.sum(axis=0)
    uses = {grade: int(number) for grade, number in zip(ratings.scale, uses, strict=True) if number}
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    return Sample(AlphaKernel(pairs, rows, distances), np.bincount(pattern).astype(float), parts, uses)


def _square(kinds: np.ndarray, size: int) -> np.ndarray:
    """Shares of kinds of disagreement as a symmetric table, each half at [k, l] and half at [l, k]."""
    table = np.zeros((size, size))
    table[np.triu_indices(size, 1)] = kinds / 2
    return table + table.T


def _slope(table: np.ndarray, p: np.ndarray) -> np.ndarray:
    """How the sum of table_kl (c_k - c_l)^2 moves with each share, for c the middles of the shares."""
    middle = np.cumsum(p) - p / 2
    on_middle = 4 * (table.sum(axis=1) * middle - table @ middle)
    return np.cumsum(on_middle[::-1])[::-1] - on_middle / 2
