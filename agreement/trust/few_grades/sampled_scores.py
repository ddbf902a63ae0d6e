"""Measures of effectiveness from the grades of a sample, as sums weighted by inclusion probabilities.

A drawn pair with the inclusion probability p stands for w = 1 / p pairs. With the gain g of its grade and its rank r
in a ranking, and with R, the sum of w g over the drawn pairs of the topic, the score of the topic is

========== ===========================================================================================================
measure    score
========== ===========================================================================================================
P@k        (1 / k) sum of w g over r <= k
DCG@k      sum of w g discount(r) over r <= k
nDCG@k     DCG@k over that of the ideal ranking, in which a pair takes w ranks, the highest gains first
R@k        (sum of w g over r <= k) / R
F@k        (1 + beta^2) (sum of w g over r <= k) / (beta^2 R + k)
Rprec      (sum of w g over r <= R) / R
AP         (1 / R) sum of w g (1 + A) / r, where A is the sum of w g over the drawn pairs above
Bpref      (1 / R) sum of w g (1 - min(B, R) / min(N, R)), where B is the sum of w (1 - g) above, and N of all
========== ===========================================================================================================

In A and B, a pair stands for (N - 1) / (n - 1) pairs, not N / n, next to another of the same stratum, of which n of N
pairs were drawn. P and DCG are unbiased. The others are ratios of unbiased sums, biased with few grades. All are
equal to the measure if every pair is drawn. A document outside the pool gains nothing. A topic has the score 0 if
nothing relevant was drawn.

The gain is the grade, or 2^grade - 1, for DCG and nDCG. It is 1 for a relevant grade and 0 otherwise for the other
measures; a gain between 0 and 1 is a probability of relevance, which model judges may state.

References
----------
V. Pavlu and J. A. Aslam (2007). A practical sampling strategy for efficient retrieval evaluation. Technical report,
Northeastern University.
E. Yilmaz, E. Kanoulas and J. A. Aslam (2008). A simple and efficient sampling method for estimating AP and NDCG. SIGIR,
603-610.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.effectiveness.grade_matrix import share
from agreement.effectiveness.measure import Measure
from agreement.measures.average_precision import average_precision
from agreement.measures.bpref import bpref
from agreement.measures.break_even import break_even
from agreement.measures.dcg import DISCOUNTS, GAINS, dcg
from agreement.measures.f_measure import f_measure
from agreement.measures.ndcg import GAIN, ndcg
from agreement.measures.precision import precision
from agreement.measures.r_precision import r_precision
from agreement.measures.recall import recall
from agreement.measures.set_measures import set_recall

Floats = npt.NDArray[np.float64]
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Slots:
    """Pairs of a pool in slots: each topic has the same number of them, and some may be empty.

    Arrays have any dimensions before the last two, such as repeated draws, and are broadcast against each other.

    Attributes
    ----------
    ranks : ndarray of int, shape (n_systems, ..., n_topics, n_slots)
        Rank of the pair in each ranking; 0 if it was not retrieved, and in empty slots.
    filled : ndarray of bool, shape (..., n_topics, n_slots)
        Whether the slot has a pair.
    probability : ndarray of float, shape (..., n_topics, n_slots)
        Inclusion probability of the pair; 1 in empty slots.
    stratum : ndarray of int, shape (..., n_topics, n_slots)
        Number of the stratum within the topic, from 0.
    is_fixed : bool
        Whether the number of drawn pairs of each stratum was fixed; otherwise each pair was drawn by itself.
    """

    ranks: npt.NDArray[np.integer[Any]]
    filled: npt.NDArray[np.bool_]
    probability: Floats
    stratum: npt.NDArray[np.integer[Any]]
    is_fixed: bool = True

    @cached_property
    def n_strata(self) -> int:
        """The largest number of strata of a topic."""
        return int(self.stratum.max(initial=0)) + 1

    @cached_property
    def order(self) -> npt.NDArray[np.intp]:
        """The slots by rank, those that were not retrieved last, with the shape of `ranks`."""
        last = np.iinfo(self.ranks.dtype).max
        return np.argsort(np.where(self.ranks > 0, self.ranks, last), axis=-1, kind="stable")

    @cached_property
    def n_drawn(self) -> Floats:
        """Number of drawn pairs of the stratum of each slot."""
        return self.by_stratum(self.filled)

    def by_stratum(self, values: npt.NDArray[Any]) -> Floats:
        """Sum values over the slots of the same stratum of each topic, at each slot."""
        total = np.zeros(np.broadcast_shapes(values.shape, self.stratum.shape))
        for number in range(self.n_strata):
            same = self.stratum == number
            total += same * (values * same).sum(axis=-1, keepdims=True)
        return total

    def weighted(self, kept: npt.NDArray[np.bool_] | None = None) -> "Weights":
        """Return the weights of the pairs; those of a part of them if the others had not been drawn."""
        n_kept = self.n_drawn if kept is None else self.by_stratum(kept & self.filled)
        scale = np.divide(self.n_drawn, n_kept, out=np.zeros(n_kept.shape), where=n_kept > 0)
        weights = scale / self.probability * (self.filled if kept is None else self.filled & kept)
        if not self.is_fixed:
            return Weights(weights, np.ones(weights.shape))
        n_pairs = self.n_drawn / self.probability
        joint = (n_pairs - 1) * n_kept / np.maximum((n_kept - 1) * n_pairs, 1)
        return Weights(weights, np.where(n_kept > 1, joint, 1.0))


@dataclass(frozen=True, eq=False)
class Weights:
    """How many pairs each drawn pair stands for.

    Attributes
    ----------
    single : ndarray of float, shape (..., n_topics, n_slots)
        1 / inclusion probability; 0 in empty slots.
    joint : ndarray of float, shape (..., n_topics, n_slots)
        The number next to another drawn pair of the same stratum, over `single`.
    """

    single: Floats
    joint: Floats


def sampled_scores(measure: Measure, slots: Slots, gains: Floats, weights: Weights | None = None) -> Floats:
    """Compute the scores of all systems and topics from drawn pairs.

    Parameters
    ----------
    measure : Measure
        One of those of this module.
    slots : Slots
        The drawn pairs.
    gains : ndarray of float, shape (..., n_topics, n_slots)
        Gains of their grades; ignored in empty slots.
    weights : Weights, optional
        Other weights than those of the draw.

    Returns
    -------
    ndarray of float, shape (n_systems, ..., n_topics)

    Raises
    ------
    ValueError
        The measure has no such form.

    Examples
    --------
    >>> import numpy as np
    >>> from agreement import parse_measure
    >>> from agreement.trust.few_grades.sampled_scores import Slots, sampled_scores
    >>> slots = Slots(
    ...     ranks=np.array([[[1, 3]]]), filled=np.ones((1, 2), bool), probability=np.full((1, 2), 0.5),
    ...     stratum=np.zeros((1, 2), int),
    ... )
    >>> sampled_scores(parse_measure("P@2"), slots, np.array([[1.0, 1.0]])).tolist()  # 2 * 1 / 2
    [[1.0]]
    """
    refuse_other_measures(measure)
    found = weights or slots.weighted()
    return FORMS[measure.function](slots, gains * slots.filled, found, **measure.parameters)


def refuse_other_measures(measure: Measure) -> None:
    """Raise ValueError for a measure that cannot be estimated from drawn pairs."""
    if measure.function not in FORMS or measure.judged_only:
        names = "P, DCG, nDCG, AP, R, SetR, F, Rprec, BreakEven and Bpref"
        raise ValueError(
            f"{measure.name} cannot be estimated from few grades, because it is not made of sums over documents."
            f" Measures that can be: {names}, without judged_only."
        )


def gains_of(measure: Measure, grades: Floats) -> Floats:
    """Return the gain of each grade of people under a measure."""
    parameters = measure.parameters
    if measure.function not in (dcg, ndcg):
        return np.asarray(grades >= parameters.get("rel", 1), dtype=np.float64)
    name = GAIN[parameters.get("dcg", "log2")] if measure.function is ndcg else parameters.get("gain", "linear")
    return np.asarray(GAINS[name](np.maximum(grades, 0).astype(np.float64)))


def _up_to(slots: Slots, cutoff: float | Floats | None) -> npt.NDArray[np.bool_]:
    retrieved = slots.ranks > 0
    return retrieved if cutoff is None else retrieved & (slots.ranks <= cutoff)


def _precision(slots: Slots, gains: Floats, weights: Weights, cutoff: int, rel: int = 1) -> Floats:  # noqa: ARG001
    return np.asarray((gains * weights.single * _up_to(slots, cutoff)).sum(axis=-1) / cutoff)


def _dcg(
    slots: Slots,
    gains: Floats,
    weights: Weights,
    cutoff: int | None = None,
    discount: str = "log2",
    gain: str = "linear",  # noqa: ARG001 - the gains have it
) -> Floats:
    discounts = np.where(_up_to(slots, cutoff), 1 / DISCOUNTS[discount](np.maximum(slots.ranks, 1)), 0.0)
    return np.asarray((gains * weights.single * discounts).sum(axis=-1))


def _ndcg(slots: Slots, gains: Floats, weights: Weights, cutoff: int | None = None, dcg: str = "log2") -> Floats:  # noqa: ARG001
    shape = np.broadcast_shapes(gains.shape, weights.single.shape)
    order = np.argsort(-gains, axis=-1, kind="stable")
    best = np.take_along_axis(gains, order, axis=-1)
    ends = np.cumsum(_ordered(weights.single, order, shape), axis=-1)
    if cutoff is not None:
        ends = np.minimum(ends, cutoff)
    ideal = (best * np.diff(_discounts_up_to(ends), axis=-1, prepend=0.0)).sum(axis=-1)
    return share(_dcg(slots, gains, weights, cutoff), ideal)


def _discounts_up_to(ranks: Floats) -> Floats:
    """The sum of the discounts of the first ranks; linear between whole numbers."""
    whole = np.floor(ranks + ROUNDING).astype(np.int64)
    each = 1 / np.log2(np.arange(1, whole.max(initial=0) + 2) + 1)
    total = np.concatenate(([0.0], np.cumsum(each)))
    return np.asarray(total[whole] + np.maximum(ranks - whole, 0) * each[whole])


def _recall(slots: Slots, gains: Floats, weights: Weights, cutoff: int | None = None, rel: int = 1) -> Floats:  # noqa: ARG001
    expanded = gains * weights.single
    return share((expanded * _up_to(slots, cutoff)).sum(axis=-1), expanded.sum(axis=-1))


def _f(
    slots: Slots,
    gains: Floats,
    weights: Weights,
    cutoff: int,
    rel: int = 1,  # noqa: ARG001
    beta: float = 1.0,
) -> Floats:
    expanded = gains * weights.single
    found = (expanded * _up_to(slots, cutoff)).sum(axis=-1)
    return np.asarray((1 + beta**2) * found / (beta**2 * expanded.sum(axis=-1) + cutoff))


def _r_precision(slots: Slots, gains: Floats, weights: Weights, rel: int = 1) -> Floats:  # noqa: ARG001
    expanded = gains * weights.single
    relevant = expanded.sum(axis=-1)
    return share((expanded * _up_to(slots, relevant[..., None] + ROUNDING)).sum(axis=-1), relevant)


def _average_precision(
    slots: Slots,
    gains: Floats,
    weights: Weights,
    cutoff: int | None = None,
    rel: int = 1,  # noqa: ARG001
) -> Floats:
    expanded = gains * weights.single
    above = _sums_above(slots, expanded, weights.joint)
    at_rank = np.where(_up_to(slots, cutoff), 1 / np.maximum(slots.ranks, 1), 0.0)
    return share((expanded * (1 + above) * at_rank).sum(axis=-1), expanded.sum(axis=-1))


def _bpref(slots: Slots, gains: Floats, weights: Weights, rel: int = 1) -> Floats:  # noqa: ARG001
    expanded, others = gains * weights.single, (1 - gains) * weights.single
    relevant, nonrelevant = (values.sum(axis=-1, keepdims=True) for values in (expanded, others))
    above = np.minimum(_sums_above(slots, others, weights.joint), relevant)
    kept = 1 - share(above, np.minimum(relevant, nonrelevant))
    return share((expanded * kept * (slots.ranks > 0)).sum(axis=-1), relevant[..., 0])


def _sums_above(slots: Slots, values: Floats, joint: Floats) -> Floats:
    """The sum of values over the pairs ranked above each pair; those of its own stratum count `joint` times."""
    above = _running(slots, values)
    for number in range(slots.n_strata):
        same = slots.stratum == number
        above = above + np.where(same, (joint - 1) * _running(slots, values * same), 0.0)
    return above


def _running(slots: Slots, values: Floats) -> Floats:
    shape = np.broadcast_shapes(values.shape, slots.order.shape)
    by_rank = _ordered(values, slots.order, shape)
    before = np.cumsum(by_rank, axis=-1) - by_rank
    found = np.empty(shape)
    np.put_along_axis(found, np.broadcast_to(slots.order, shape), before, axis=-1)
    return found


def _ordered(values: Floats, order: npt.NDArray[np.intp], shape: tuple[int, ...]) -> Floats:
    return np.take_along_axis(np.broadcast_to(values, shape), np.broadcast_to(order, shape), axis=-1)


# The forms by the function of the measure.
FORMS: dict[Callable[..., Any], Callable[..., Floats]] = {
    precision: _precision,
    dcg: _dcg,
    ndcg: _ndcg,
    recall: _recall,
    set_recall: _recall,
    f_measure: _f,
    r_precision: _r_precision,
    break_even: _r_precision,
    average_precision: _average_precision,
    bpref: _bpref,
}
