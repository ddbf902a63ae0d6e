"""Krippendorff's alpha as a function of sums over items, for its intervals (`agreement.intervals.kernel`)."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.intervals.kernel import TINY, Floats, Sample, by_topic, distinct
from agreement.intervals.samples import sampled_items
from agreement.ratings import Ratings


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
