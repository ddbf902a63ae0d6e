"""An unbiased variance of the cross-fitted estimate, for a draw of a fixed number of pairs from each stratum.

The usual variance takes predictions as given. Those of a fold come from the other folds, which are drawn as well, so
that it is not unbiased, but too large or too small by a few per cent. The variance here is unbiased exactly, over all
draws and all deals to folds.

The estimate is a sum over folds of T_k, where the total of stratum h is estimated, with the share a_hk = n_hk / n_h,
from fold k with predictions by the other folds. Given these, T_k has no error but that of a simple random sample of
n_hk pairs among the M_hk that the other folds do not have. So its variance is estimated within the fold, by the sum
over strata of

    a_hk^2 M_hk (N_h - n_h) / n_hk s^2_hk          s^2_hk: variance of w (y - e) in the fold

Covariances of two folds j and k use predictions by the remaining folds, which have none of both. With these, d = w (y -
e), s^2_hjk the variance of d in both folds, and Delta_hj what the predictions by all folds but j change in the estimate
from fold j, the covariance is estimated by

    sum over strata of a_hj a_hk [(N_h - n_h) s^2_hjk + (n_hj Delta_hj - n_hk Delta_hk) (mean of d in j - in k)]
    + (sum of a_hj Delta_hj) (sum of a_hk Delta_hk)

The last two parts are there because predictions of j use the grades of k and the reverse. Delta_hj has the expectation
0 given all folds but j, which is why terms that are known from these may be subtracted from what it is multiplied with.

The estimate may be below 0. A fold has two or more pairs of a stratum, or none.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np

from agreement.trust.few_grades.difference_estimator import Estimated, SampleDesign, difference_estimate
from agreement.trust.few_grades.predictions import CrossFit, combined_folds

N_FOLDS = 5


def unbiased_estimate(
    weights: np.ndarray,
    model: np.ndarray,
    gains: np.ndarray,
    design: SampleDesign,
    claim: str = "these_topics",
    *,
    seed: int,
    n_folds: int = N_FOLDS,
) -> Estimated:
    """Estimate weighted sums with predictions from other folds, and their variances without bias.

    Parameters
    ----------
    weights : ndarray of float, shape (n_estimates, n_pairs)
        Weight of each pair in each sum.
    model : ndarray of float, shape (n_pairs,)
        The model's grades; equal numbers are the constant judge.
    gains : ndarray of float, shape (n_drawn,)
        Gains of the drawn pairs.
    design : SampleDesign
        A draw of a fixed number of pairs from each stratum, with one stage.
    claim : {"these_topics", "sampled_topics"}, optional
        What the variance is for. The part between topics is the usual one.
    seed : int
        Seed of the folds.
    n_folds : int, optional
        Number of folds, at least 2.

    Returns
    -------
    Estimated
        Variances may be below 0, and are NaN if a stratum has one drawn pair of several.

    Raises
    ------
    ValueError
        The draw is another one.

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.trust.few_grades.difference_estimator import SampleDesign
    >>> from agreement.trust.few_grades.unbiased_variance import unbiased_estimate
    >>> design = SampleDesign(
    ...     topic=np.zeros(12, int), stratum=np.zeros(12, int), probability=np.full(12, 8 / 12),
    ...     drawn=np.arange(12) < 8, is_fixed=True,
    ... )
    >>> model, gains = np.tile([1, 2, 3, 4], 3), np.array([0, 1, 1, 1, 0, 0, 1, 1.0])
    >>> found = unbiased_estimate(np.full((1, 12), 1 / 12), model, gains, design, seed=1, n_folds=2)
    >>> found.values.round(3).tolist(), found.variances.round(4).tolist()
    ([0.589], [0.0061])
    """
    refuse_other_draws(design)
    fold = folds_of_two(design, np.random.default_rng(seed), n_folds)
    fit = CrossFit(weights, model, gains, design)
    predicted = combined_folds(fit, design, fold, n_folds)
    usual = difference_estimate(weights, predicted, gains, design, claim)
    of_these = difference_estimate(weights, predicted, gains, design)
    variances = _Folds(weights, gains, design, fold, n_folds, fit).variances()
    return replace(usual, variances=usual.variances - of_these.variances + variances)


def refuse_other_draws(design: SampleDesign) -> None:
    """Raise ValueError unless a fixed number of pairs was drawn from each stratum, with one stage."""
    if not design.is_fixed or design.drawn_topics is not None:
        raise ValueError(
            "variance='unbiased' needs a draw of a fixed number of pairs from each stratum, without a draw of topics"
            " before. For other draws, use variance='plug_in'."
        )


def folds_of_two(design: SampleDesign, rng: np.random.Generator, n_folds: int) -> np.ndarray:
    """Deal the drawn pairs of each stratum to folds at random, two by two; three if one would be left.

    Shapes: the result (n_drawn,).
    """
    stratum = design.stratum[design.drawn]
    fold = np.empty(len(stratum), dtype=np.int64)
    next_fold = 0
    by_stratum = np.lexsort((rng.random(len(stratum)), stratum))
    for members in np.split(by_stratum, np.flatnonzero(np.diff(stratum[by_stratum])) + 1):
        n_blocks = max(len(members) // 2, 1)
        block = np.minimum(np.arange(len(members)) // 2, n_blocks - 1)
        fold[members] = (next_fold + block) % n_folds
        next_fold += n_blocks
    return fold


@dataclass(frozen=True, eq=False)
class _Folds:
    """The drawn pairs in folds."""

    weights: np.ndarray
    gains: np.ndarray
    design: SampleDesign
    fold: np.ndarray
    n_folds: int
    fit: CrossFit

    def variances(self) -> np.ndarray:
        """The variances, shape (n_estimates,)."""
        n_drawn = self.sizes.sum(axis=0)
        if ((n_drawn == 1) & (self.n_pairs > 1)).any():
            return np.full(len(self.weights), np.nan)
        used = [number for number in range(self.n_folds) if self.sizes[number].any()]
        of_folds = {number: self.fit.without(self.fold == number) for number in used}
        total = sum(self._within(number, of_folds[number]) for number in used)
        for first, second in combinations(used, 2):
            total = total + 2 * self._between(first, second, of_folds[first], of_folds[second])
        return np.asarray(total)

    @cached_property
    def n_pairs(self) -> np.ndarray:
        """N_h, shape (n_strata,)."""
        return np.bincount(self.design.stratum)

    @cached_property
    def sizes(self) -> np.ndarray:
        """n_hk, shape (n_folds, n_strata)."""
        stratum = self.design.stratum[self.design.drawn]
        return np.stack(
            [np.bincount(stratum[self.fold == k], minlength=len(self.n_pairs)) for k in range(self.n_folds)]
        )

    @cached_property
    def shares(self) -> np.ndarray:
        """a_hk, shape (n_folds, n_strata)."""
        return np.asarray(self.sizes / np.maximum(self.sizes.sum(axis=0), 1))

    @cached_property
    def unsampled(self) -> np.ndarray:
        """N_h - n_h, shape (n_strata,)."""
        return np.asarray(self.n_pairs - self.sizes.sum(axis=0))

    def _within(self, number: int, predicted: np.ndarray) -> np.ndarray:
        """The variance of the estimate of a fold, given the others."""
        n = self.sizes[number]
        spread, _ = self._moments(self._errors(predicted), self.fold == number)
        left = self.unsampled + n
        return np.asarray(spread @ (self.shares[number] ** 2 * left * self.unsampled / np.maximum(n, 1)))

    def _between(self, j: int, k: int, by_others_of_j: np.ndarray, by_others_of_k: np.ndarray) -> np.ndarray:
        """The covariance of the estimates of two folds."""
        in_j, in_k = self.fold == j, self.fold == k
        remaining = self.fit.without(in_j | in_k)
        errors = self._errors(remaining)
        spread, _ = self._moments(errors, in_j | in_k)
        gap = self._moments(errors, in_j)[1] - self._moments(errors, in_k)[1]
        delta_j = self._change(by_others_of_j - remaining, j)
        delta_k = self._change(by_others_of_k - remaining, k)
        both = self.shares[j] * self.shares[k]
        shifted = (self.sizes[j] * delta_j - self.sizes[k] * delta_k) * gap
        total = (self.unsampled * spread + shifted) @ both
        return np.asarray(total + (delta_j @ self.shares[j]) * (delta_k @ self.shares[k]))

    def _errors(self, predicted: np.ndarray) -> np.ndarray:
        drawn = self.design.drawn
        return np.asarray(self.weights[:, drawn] * (self.gains - predicted[:, drawn]))

    def _moments(self, errors: np.ndarray, inside: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Variances and means of a part of the drawn pairs by stratum, shape (n_estimates, n_strata)."""
        stratum = self.design.stratum[self.design.drawn]
        n = np.bincount(stratum[inside], minlength=len(self.n_pairs))
        means = self._sums(errors[:, inside], stratum[inside]) / np.maximum(n, 1)
        squares = self._sums((errors - means[:, stratum])[:, inside] ** 2, stratum[inside])
        return squares / np.maximum(n - 1, 1), means

    def _change(self, change: np.ndarray, number: int) -> np.ndarray:
        """Delta_h of a fold: what a change of its predictions changes in its estimates of the strata."""
        open_pairs = ~self.design.drawn
        open_pairs[np.flatnonzero(self.design.drawn)[self.fold == number]] = True
        of_fold = open_pairs & self.design.drawn
        weighted, n = self.weights * change, self.sizes[number]
        whole = self._sums(weighted[:, open_pairs], self.design.stratum[open_pairs])
        drawn = self._sums(weighted[:, of_fold], self.design.stratum[of_fold])
        return np.asarray((whole - (self.unsampled + n) / np.maximum(n, 1) * drawn) * (n > 0))

    def _sums(self, values: np.ndarray, stratum: np.ndarray) -> np.ndarray:
        """Sums by stratum, shape (n_estimates, n_strata)."""
        found = np.zeros((len(values), len(self.n_pairs)))
        order = np.argsort(stratum, kind="stable")
        starts = np.flatnonzero(np.diff(stratum[order], prepend=-1))
        if len(order):
            found[:, stratum[order][starts]] = np.add.reduceat(values[:, order], starts, axis=1)
        return found
