"""The mean of a coefficient over pairs of judges as one function of sums over items, for its intervals."""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from agreement.estimate import Estimate
from agreement.intervals.kernel import Sample, by_topic, distinct
from agreement.intervals.measurement import Measured
from agreement.ratings import MISSING, Ratings


@dataclass(frozen=True)
class MeanKernel:
    """The mean over pairs (see `agreement.intervals.kernel`).

    Attributes
    ----------
    parts : list of (kernel, ndarray of int of shape (n_patterns,), ndarray of float)
        For each pair its kernel, which of its patterns each common pattern is (-1 where the two have not both
        judged it), and how often its own patterns occur.
    weighted : bool
        Whether pairs count by their items.
    """

    parts: list
    weighted: bool

    @cached_property
    def features(self) -> np.ndarray:
        """Shape (n_patterns, n_features): those of all pairs, and for each whether it is judged by both."""
        both = np.column_stack([own >= 0 for _, own, _ in self.parts]).astype(float)
        return np.column_stack([both] + [_spread(kernel.features, own) for kernel, own, _ in self.parts])

    def values(self, sums: np.ndarray) -> np.ndarray:
        """The mean of the pairs that are defined, nan where none is; shape (n_data_sets,)."""
        widths = [kernel.features.shape[1] for kernel, _, _ in self.parts]
        both, *own = np.split(sums, np.cumsum([len(self.parts), *widths[:-1]]), axis=1)
        found = np.column_stack([part[0].values(part_sums) for part, part_sums in zip(self.parts, own, strict=True)])
        weights = np.where(np.isfinite(found), both if self.weighted else 1.0, 0.0)
        total = weights.sum(axis=1)
        summed = (np.nan_to_num(found) * weights).sum(axis=1)
        return np.divide(summed, total, out=np.full(len(sums), np.nan), where=total > 0)

    def influence(self, times: np.ndarray) -> np.ndarray:
        """Each pattern's influence where the patterns occur so many times; shape (n_patterns,)."""
        (mean,) = self.values((times @ self.features)[None])
        found = np.zeros(len(times))
        for kernel, own, part_times in self.parts:
            influence = _spread(kernel.influence(part_times)[:, None], own)[:, 0] / part_times.sum()
            (value,) = kernel.values((part_times @ kernel.features)[None])
            share = part_times.sum() / self._total if self.weighted else 1 / len(self.parts)
            found += share * influence
            found += (own >= 0) * (value - mean) / self._total if self.weighted else 0
        return found * times.sum()

    def gwet(self, times: np.ndarray) -> float:  # noqa: ARG002
        """Nothing: the items of each pair are judged by both."""
        return 0.0

    @property
    def _total(self) -> float:
        return sum(times.sum() for _, _, times in self.parts)


def mean_of_pairs(mean: Estimate, ratings: Ratings, measured: list[Measured], weighted: bool) -> Measured:
    """The mean of the coefficients of all pairs, and what an interval of it needs.

    Parameters
    ----------
    mean : Estimate
    ratings : Ratings
    measured : list of Measured
        All pairs, in the order of `itertools.combinations`.
    weighted : bool
        Whether pairs count by their items.
    """
    return Measured(mean, lambda topics: _sample(ratings, measured, weighted, topics), "linearised variance, n - 1")


def _sample(ratings: Ratings, measured: list[Measured], weighted: bool, topics: bool) -> Sample:
    judged = (ratings.codes != MISSING).sum(axis=0) > 1
    codes = ratings.codes[:, judged].astype(np.int64)
    first, pattern = distinct(codes.T + 1)
    codes = codes[:, first]
    parts, uses = [], {}
    for (a, b), part in zip(combinations(range(len(codes)), 2), measured, strict=True):
        if part.estimate.defined:
            sample = part.sample(False)
            parts.append((sample.kernel, _own(codes[a], codes[b], len(ratings.scale)), sample.times))
            for grade, number in sample.uses.items():
                uses[grade] = min(number, uses.get(grade, number))
    in_topics = by_topic(pattern, ratings.topic_codes[0][judged]) if topics else []
    return Sample(MeanKernel(parts, weighted), np.bincount(pattern).astype(float), in_topics, uses)


def _own(first: np.ndarray, second: np.ndarray, size: int) -> np.ndarray:
    """The place of each cell among the cells that occur, ascending; -1 where one is missing."""
    both = (first != MISSING) & (second != MISSING)
    cells = np.where(both, first * size + second, -1)
    return np.where(both, np.searchsorted(np.unique(cells[both]), cells), -1)


def _spread(values: np.ndarray, own: np.ndarray) -> np.ndarray:
    """The rows of a pair's patterns at the common patterns; zeros where it has none."""
    return np.where((own >= 0)[:, None], values[np.maximum(own, 0)], 0.0)
