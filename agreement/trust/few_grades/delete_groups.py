"""The variance and the bias of a score that come from the draw, by leaving out groups of drawn pairs.

Of the n pairs drawn from a stratum of a topic, each of G = 5 groups is left out once, and the others count for n / (n -
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

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from agreement.effectiveness.measure import Measure
from agreement.measures.dcg import dcg
from agreement.measures.ndcg import ndcg
from agreement.measures.precision import precision
from agreement.trust.few_grades.sampled_scores import Floats, Slots, sampled_scores

UNCORRECTED = (dcg, ndcg, precision)
GROUPS = 5

Mask = npt.NDArray[np.bool_]
Groups: TypeAlias = frozenset[tuple[int, int]]  # of strata and groups


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
        found, degrees = [], []
        for stratum in range(self.slots.n_strata):
            groups = [(stratum, number) for number in range(self._n_groups)]
            there = np.stack([self._pairs(group).any(axis=-1) for group in groups])
            n_groups = there.sum(axis=0)
            values = np.stack([self._corrected(frozenset([group])) for group in groups])
            present = there.reshape(there.shape[0], *(1,) * (values.ndim - there.ndim), *there.shape[1:])
            mean = (values * present).sum(axis=0) / np.maximum(n_groups, 1)
            scale = np.sqrt(self._unsampled(stratum) * np.maximum(n_groups - 1, 0) / np.maximum(n_groups, 1))
            found.append((values - mean) * present * scale)
            degrees.append(there * np.maximum(n_groups - 1, 0) / np.maximum(n_groups, 1))
        return Deviations(self._corrected(frozenset()), np.concatenate(found), np.concatenate(degrees))

    def _corrected(self, out: Groups) -> Floats:
        """The scores without some groups, and without their bias."""
        scores = self._scores(out)
        if self.measure.function in UNCORRECTED:
            return scores
        corrected = scores
        for stratum in range(self.slots.n_strata):
            unsampled = self._unsampled(stratum)
            left = [(stratum, number) for number in range(self._n_groups) if (stratum, number) not in out]
            there = [self._pairs(group).any(axis=-1) for group in left]
            n_groups = np.sum(there, axis=0)
            scale = np.where(n_groups > 1, unsampled * (n_groups - 1) / np.maximum(n_groups, 1), 0.0)
            for group, has in zip(left, there, strict=True):
                if (scale * has).any():
                    corrected = corrected - scale * has * (self._scores(out | {group}) - scores)
        return corrected

    def _scores(self, out: Groups) -> Floats:
        if out not in self._known:
            kept = np.array(self.slots.filled)
            for group in out:
                kept &= ~self._pairs(group)
            self._known[out] = sampled_scores(self.measure, self.slots, self.gains, self.slots.weighted(kept))
        return self._known[out]

    def _pairs(self, group: tuple[int, int]) -> Mask:
        """The pairs of a group of a stratum."""
        stratum, number = group
        return np.asarray(self.slots.filled & (self.slots.stratum == stratum) & (self.group == number))

    @cached_property
    def _n_groups(self) -> int:
        return int(self.group.max(initial=0)) + 1

    @cached_property
    def _known(self) -> dict[Groups, Floats]:
        """Scores by the groups that are left out; each two groups occur in two orders."""
        return {}

    def _unsampled(self, stratum: int) -> Floats:
        """1 - f of a stratum in each topic."""
        pairs = self.slots.filled & (self.slots.stratum == stratum)
        return np.asarray(((1 - self.slots.probability) * pairs).sum(axis=-1) / np.maximum(pairs.sum(axis=-1), 1))


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
