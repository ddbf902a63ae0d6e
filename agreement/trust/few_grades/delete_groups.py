"""The variance and the bias of a score that come from the draw, by leaving out groups of drawn pairs.

Of the n pairs drawn from a stratum of a topic, each of G groups is left out once, and the others count for n / (n -
n_g) as many. With n up to G, a group is one pair. With the score T of a topic, T_g without group g, and the sampling
fraction f of the stratum,

    variance = sum over strata of (1 - f) (G - 1) / G sum over groups of (T_g - mean T_g)^2
    bias     = sum over strata of (1 - f) (G - 1) (mean T_g - T)

Both are 0 if every pair is drawn. The bias is removed from measures that are a ratio to the number of relevant pairs
(AP, R, Rprec, Bpref, F), because topics of which nothing relevant is drawn score 0. Their variance is then that of the
corrected score, from a second round in each group. The bias of nDCG is smaller, and its removal would add more variance
than it removes bias.

Samples with replacement (a bootstrap of the drawn pairs) underestimate the variance of AP by half, since a pair that is
drawn twice is not a second relevant document at its rank. docs/studies/few-grades-ratio.md compares both.

References
----------
K. M. Wolter (2007). Introduction to variance estimation, 2nd edition. Springer, chapter 4.
P. S. Kott (2001). The delete-a-group jackknife. Journal of Official Statistics 17(4), 521-526.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.effectiveness.measure import Measure
from agreement.effectiveness.measures.dcg import dcg
from agreement.effectiveness.measures.ndcg import ndcg
from agreement.effectiveness.measures.precision import precision
from agreement.trust.few_grades.sampled_scores import Floats, Slots, sampled_scores

UNCORRECTED = (dcg, ndcg, precision)
GROUPS = 10

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Deviations:
    """Scores of topics, with deviations whose sums of squares and of products are variances and covariances.

    Attributes
    ----------
    scores : ndarray of float, shape (n_systems, ..., n_topics)
        The scores, corrected for bias where the measure needs it.
    deviations : ndarray of float, shape (n_groups, n_systems, ..., n_topics)
        One for each stratum and group.
    degrees : ndarray of float, shape (n_groups, ..., n_topics)
        Degrees of freedom of the stratum, shared among its groups; 0 if the topic has no such group.
    """

    scores: Floats
    deviations: Floats
    degrees: Floats


@dataclass(frozen=True, eq=False)
class DeletedGroups:
    """The scores of drawn pairs with groups left out.

    Attributes
    ----------
    measure : Measure
        The measure.
    slots : Slots
        The drawn pairs.
    gains : ndarray of float, shape (..., n_topics, n_slots)
        Gains of their grades.
    group : ndarray of int, shape (..., n_topics, n_slots)
        Group of each pair within its stratum, from `groups_of`.
    """

    measure: Measure
    slots: Slots
    gains: Floats
    group: npt.NDArray[np.integer[Any]]

    def deviations(self) -> Deviations:
        """The scores and their deviations."""
        every = np.array(self.slots.filled)
        scores = self._corrected(every)
        found, degrees = [], []
        for in_stratum in self._strata():
            values, n_groups = [], np.zeros(in_stratum.shape[:-1])
            for out in self._groups(every & in_stratum):
                n_groups = n_groups + out.any(axis=-1)
                values.append((self._corrected(every & ~out), out.any(axis=-1)))
            mean = sum(value * there for value, there in values) / np.maximum(n_groups, 1)
            scale = np.sqrt(self._unsampled(in_stratum) * (n_groups - 1) / np.maximum(n_groups, 1))
            found += [(value - mean) * there * np.where(n_groups > 1, scale, 0.0) for value, there in values]
            degrees += [there * (n_groups - 1) / np.maximum(n_groups, 1) for _, there in values]
        return Deviations(scores, np.stack(found), np.stack(degrees))

    def _corrected(self, kept: Mask) -> Floats:
        """The scores of a part of the pairs, without their bias."""
        scores = self._scores(kept)
        if self.measure.function in UNCORRECTED:
            return scores
        corrected = scores
        for in_stratum in self._strata():
            outs = list(self._groups(kept & in_stratum))
            n_groups = np.sum([out.any(axis=-1) for out in outs], axis=0)
            scale = np.where(n_groups > 1, self._unsampled(in_stratum) * (n_groups - 1) / np.maximum(n_groups, 1), 0)
            for out in outs:
                if (scale > 0).any():
                    change = self._scores(kept & ~out) - scores
                    corrected = corrected - scale * out.any(axis=-1) * change
        return corrected

    def _scores(self, kept: Mask) -> Floats:
        return sampled_scores(self.measure, self.slots, self.gains, self.slots.weighted(kept))

    def _strata(self) -> Iterator[Mask]:
        for number in range(self.slots.n_strata):
            yield self.slots.filled & (self.slots.stratum == number)

    def _groups(self, among: Mask) -> Iterator[Mask]:
        for number in range(self._n_groups):
            yield among & (self.group == number)

    @cached_property
    def _n_groups(self) -> int:
        return int(self.group.max(initial=0)) + 1

    def _unsampled(self, in_stratum: Mask) -> Floats:
        """1 - f of a stratum in each topic."""
        n = np.maximum(in_stratum.sum(axis=-1), 1)
        return np.asarray(((1 - self.slots.probability) * in_stratum).sum(axis=-1) / n)


def groups_of(slots: Slots, rng: np.random.Generator, n_groups: int = GROUPS) -> npt.NDArray[np.int64]:
    """Distribute the drawn pairs of each stratum over groups at random, as evenly as possible.

    Shapes: the result as `slots.filled`.
    """
    key = np.where(slots.filled, slots.stratum, slots.n_strata) + rng.random(slots.filled.shape)
    order = np.argsort(key, axis=-1)
    stratum = np.take_along_axis(np.broadcast_to(slots.stratum, order.shape), order, axis=-1)
    place = np.arange(order.shape[-1])
    start = np.maximum.accumulate(np.where(np.diff(stratum, axis=-1, prepend=-1) != 0, place, 0), axis=-1)
    found = np.zeros(order.shape, dtype=np.int64)
    np.put_along_axis(found, order, (place - start) % n_groups, axis=-1)
    return found
