"""Krippendorff's alpha of any number of judges: observed disagreement relative to expected disagreement.

    alpha = 1 - Do / De

Items with one judgement are left out. The others have n judgements, n_k of them with grade k. o_kl counts the
ordered pairs of judgements of one item with the grades k and l; a pair of an item with m judgements counts 1 / (m - 1).
d_kl is the squared distance of the grades:

    Do = sum of o_kl d_kl / n                  De = sum of n_k n_l d_kl / (n (n - 1))

    nominal     1 if k and l differ
    ordinal     (c_k - c_l)^2, where c_k is the number of judgements below grade k plus half of those with grade k
    interval    (v_k - v_l)^2, where v are the grades as numbers
    ratio       ((v_k - v_l) / (v_k + v_l))^2, where v are the grades as numbers from 0

The interval and ratio levels use the value of a grade, the others its position on the declared scale. All numbers are
exact up to the last division.

References
----------
K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.
"""

from dataclasses import dataclass
from fractions import Fraction
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coefficients.formulas import alpha, expected_disagreement, observed_disagreement
from agreement.coefficients.tally import Exact, Tally, tally, why_undefined
from agreement.estimate import ALPHA, Estimate, undefined
from agreement.intervals.kernel import TINY, Floats, Sample, by_topic, distinct
from agreement.intervals.measurement import Measurement
from agreement.intervals.samples import sampled_items
from agreement.intervals.score_interval import score_interval
from agreement.judgements import Scale
from agreement.ratings import Ratings, check_ratings

LEVELS = ("nominal", "ordinal", "interval", "ratio")


def krippendorff_alpha(
    ratings: Ratings,
    level: str = "nominal",
) -> Estimate:
    """Krippendorff's alpha of any number of judges, with or without missing judgements.

    alpha = 1 - Do / De, where Do is the observed and De the expected disagreement. At most 1, which is perfect
    agreement; 0 is chance. At least -1 + 2 / N at every level, for N judgements of items with two or more.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors with or without missing judgements, or anonymous counts.
    level : {"nominal", "ordinal", "interval", "ratio"}, optional
        The level of measurement, which determines the distance of two grades: equal or not ("nominal"), by rank in the
        data ("ordinal"), by difference ("interval") or by relative difference ("ratio"). "interval" needs numbers as
        grades, "ratio" numbers from 0.

    Returns
    -------
    Estimate
        `observed` and `expected` are Do and De. `n` counts the items with two or more judgements, `n_values` their
        judgements, `n_dropped` the items with one. Undefined with the reason

        * "empty": there is no judgement.
        * "one_assessor": the ratings have fewer than two assessors.
        * "no_overlap": no item has two judgements.
        * "one_category": De = 0, because all judgements of these items have the same grade.

    Raises
    ------
    ValueError
        `level` is unknown or does not fit the grades.

    References
    ----------
    K. Krippendorff (2019). Content Analysis, 4th edition, section 12.3. Sage.

    Examples
    --------
    >>> from agreement import Ratings, krippendorff_alpha
    >>> ratings = Ratings.from_matrix([[0, 1, 2, 2], [0, 2, 2, None], [0, 1, 2, 1]], scale=(0, 1, 2), axis="assessors")
    >>> krippendorff_alpha(ratings).shown(), krippendorff_alpha(ratings, "ordinal").shown()
    ('0.487', '0.697')
    """
    return measure_alpha(ratings, level).result()


def measure_alpha(ratings: Ratings, level: str = "nominal") -> Measurement:
    """Alpha with the data for an interval."""
    check_ratings(ratings, ALPHA)
    distances, counted = _distances(ratings.scale, level), tally(ratings)
    paired = counted.paired()
    fields = _fields(ratings, counted, paired, level)
    estimate = _estimate(paired, distances, why_undefined(ratings, counted), fields)
    return Measurement(
        estimate,
        lambda topics: sample_of_alpha(ratings, distances, topics),
        score=lambda: score_interval(estimate, paired.table_of_two(), chance=_nominal_chance(paired)),
        two_judgements=paired.two_judgements,
    )


def _estimate(paired: Tally, distances: Exact | None, reason: str | None, fields: dict[str, Any]) -> Estimate:
    if reason:
        return undefined(ALPHA, reason, **fields)
    distances = _ordinal(paired.marginals.sum(axis=0)) if distances is None else distances
    observed = observed_disagreement(paired.pairs, paired.sizes, distances)
    expected = expected_disagreement(paired.marginals.sum(axis=0), distances)
    fields = fields | {"observed": float(observed), "expected": float(expected)}
    if not expected:
        return undefined(ALPHA, "one_category", **fields)
    return Estimate(alpha(observed, expected), ALPHA, **fields)


def _nominal_chance(paired: Tally) -> float:
    """1 - De at the nominal level."""
    uses = paired.marginals.sum(axis=0).astype(np.float64)
    n = uses.sum()
    return float(1 - (1 - (uses / n) @ (uses / n)) * n / (n - 1))


def _fields(ratings: Ratings, counted: Tally, paired: Tally, level: str) -> dict[str, Any]:
    return {
        "n": counted.n,
        "n_values": int(paired.marginals.sum()),
        "n_dropped": counted.n_single,
        "assessors": ratings.assessors,
        "topics": ratings.topics_of(ratings.counts.sum(axis=1) > 1),
        "convention": f"{level} level; observed and expected are the disagreements Do and De",
    }


def _distances(scale: Scale, level: str) -> Exact | None:
    """Squared distances as fractions, shape (n_grades, n_grades); None for ordinal, where they depend on the data."""
    if level not in LEVELS:
        raise ValueError(f"level must be one of {', '.join(LEVELS)}, not {level!r}.")
    if level == "ordinal":
        return None
    if level == "nominal":
        return 1 - np.eye(len(scale), dtype=np.int64).astype(object)
    numbers = [float(grade) for grade in scale if isinstance(grade, Real)]
    if len(numbers) < len(scale) or (level == "ratio" and min(numbers) < 0):
        needed = "numbers from 0" if level == "ratio" else "numbers"
        raise ValueError(f"level {level!r} needs {needed} as grades, not {', '.join(map(repr, scale))}.")
    # From the text of a grade, so that 0.1 is exactly a tenth.
    values = np.array([Fraction(str(number)) for number in numbers], dtype=object)
    differences = values[:, None] - values
    if level == "interval":
        return np.asarray(differences**2)
    sums = values[:, None] + values
    # Two grades of 0 differ by 0, whatever this is divided by.
    return np.asarray((differences / np.where(sums == 0, 1, sums)) ** 2)


def _ordinal(uses: Exact) -> Exact:
    """Squared distances of grades, from how often each was used; shape (n_grades, n_grades)."""
    # Twice the midpoints, so that they are whole numbers.
    twice = 2 * np.cumsum(uses) - uses
    return np.asarray((twice[:, None] - twice) ** 2 * Fraction(1, 4))


@dataclass(frozen=True)
class AlphaKernel:
    """Alpha as a function of sums over items.

    Attributes
    ----------
    pairs : ndarray of float, shape (n_patterns, n_kinds)
        The number of disagreements of each kind within an item. At the ordinal level each pair of grades is a kind; at
        the other levels there is one kind, weighted by the distances.
    counts : ndarray of float, shape (n_patterns, n_grades)
        The number of judgements of each grade.
    distances : ndarray of float, shape (n_grades, n_grades), or None
        The squared distances of grades; None at the ordinal level, where they depend on the data.
    """

    pairs: Floats
    counts: Floats
    distances: Floats | None

    @property
    def features(self) -> Floats:
        """Shape (n_patterns, n_features)."""
        return np.column_stack([self.counts, self.pairs])

    def values(self, sums: Floats) -> Floats:
        """Alpha for each row of sums of features, nan if undefined; shape (n_data_sets,)."""
        counts, pairs = np.split(sums, [self.counts.shape[1]], axis=1)
        n = counts.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            p = counts / n[:, None]
            distances, kinds = self._distances(p)
            observed = (pairs * kinds).sum(axis=1) / n
            expected = (p[:, :, None] * p[:, None, :] * distances).sum(axis=(1, 2)) * n / (n - 1)
            return np.where(expected > TINY, 1 - observed / expected, np.nan)

    def influence(self, times: Floats) -> Floats:
        """The influence of each pattern on alpha without its correction for small samples; shape (n_patterns,)."""
        sums = times @ self.features
        counts, pairs = np.split(sums, [self.counts.shape[1]])
        n, p = counts.sum(), counts / counts.sum()
        (distances,), (kinds,) = self._distances(p[None])
        observed, expected = pairs @ kinds / n, p @ distances @ p
        per_item = times.sum() / n
        sizes = self.counts.sum(axis=1)
        on_p = per_item * (self.counts - sizes[:, None] * p)
        on_observed = per_item * (self.pairs @ kinds - observed * sizes)
        on_expected = 2 * on_p @ (distances @ p)
        if self.distances is None:
            on_observed = on_observed + on_p @ _slope(_square(pairs / n, len(p)), p)
            on_expected = on_expected + on_p @ _slope(np.outer(p, p), p)
        return np.asarray(-(on_observed - observed / expected * on_expected) / expected)

    def gwet(self, times: Floats) -> Floats:
        """The amount to add for Gwet's linearised variance, which includes the correction for small samples, 1 / n."""
        sizes, sums = self.counts.sum(axis=1), times @ self.features
        n, items = times @ sizes, times.sum()
        (alpha,) = self.values(sums[None])
        return np.asarray(-(1 - alpha) / (n - 1) * (sizes * items / n - 1))

    def _distances(self, p: Floats) -> tuple[Floats, Floats]:
        """For each row of shares, the squared distances of grades and of the kinds of disagreement."""
        if self.distances is not None:
            return self.distances[None], np.ones((1, 1))
        # Ordinal distances depend on how often each grade is used, so each sample has its own.
        middle = np.cumsum(p, axis=1) - p / 2
        distances = (middle[:, :, None] - middle[:, None, :]) ** 2
        return distances, distances[:, *np.triu_indices(p.shape[1], 1)]


def sample_of_alpha(ratings: Ratings, distances: npt.NDArray[Any] | None, topics: bool = False) -> Sample:
    """The distinct rows of counts of the items with two or more judgements.

    Shapes: `distances` (n_grades, n_grades).
    """
    items = np.flatnonzero(ratings.counts.sum(axis=1) > 1)
    counts = ratings.counts[items]
    first, pattern = distinct(counts)
    rows = counts[first].astype(np.float64)
    others = rows.sum(axis=1, keepdims=True) - 1
    if distances is None:
        low, high = np.triu_indices(len(ratings.scale), 1)
        pairs = 2 * rows[:, low] * rows[:, high] / others
    else:
        distances = distances.astype(np.float64)
        pairs = (rows @ distances * rows).sum(axis=1, keepdims=True) / others
    uses = {grade: int(number) for grade, number in zip(ratings.scale, counts.sum(axis=0), strict=True) if number}
    parts = by_topic(pattern, ratings.topic_codes[0][items]) if topics else []
    found = sampled_items(ratings, pattern, items) if topics else None
    return Sample(AlphaKernel(pairs, rows, distances), np.bincount(pattern).astype(np.float64), parts, uses, found)


def _square(kinds: Floats, size: int) -> Floats:
    """Shares of kinds of disagreement as a symmetric table, half of each at [k, l] and half at [l, k]."""
    table = np.zeros((size, size))
    table[np.triu_indices(size, 1)] = kinds / 2
    return table + table.T


def _slope(table: Floats, p: Floats) -> Floats:
    """The derivative of the sum of table_kl (c_k - c_l)^2 by each share, where c are the midpoints of the shares."""
    middle = np.cumsum(p) - p / 2
    on_middle = 4 * (table.sum(axis=1) * middle - table @ middle)
    return np.asarray(np.cumsum(on_middle[::-1])[::-1] - on_middle / 2)
