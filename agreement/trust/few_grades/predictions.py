"""Predictions of the gains of all pairs from the model's grades, each made without the grade that it is compared with.

The gain of a pair is predicted, for each system, by a regression on the model's grade, weighted by the squares of the
system's weights over the squares of the probabilities: the pairs that add most to the variance count most. A difference
of two systems has one constant for the pairs that the first system ranks better and one for the others (its two
*sides*). The mean residual of each topic is added, shrunk towards 0 as if `PRIOR` more pairs without a residual had
been graded.

The slope is not clipped, so that a model with another scale or the reverse order helps as well. A regression with one
slope also serves grades that are fractions, of which each may occur once; a mean for each grade would need
enough people's grades of each. Without a model, the same regression without the model's grade is the *constant judge*.

The drawn pairs are dealt to folds. The prediction of a drawn pair comes from the other folds. That of a pair that was
not drawn is the mean over the predictions without each fold, weighted by the fold's share of the drawn pairs of its
stratum. With these weights, the estimate is unbiased exactly: given the other folds, the pairs of a fold are a simple
random sample of all pairs that are not in the other folds. With a Poisson draw, folds are drawn at random, and the
shares are equal. With two stages, the folds consist of whole topics, and the same holds for topics.

References
----------
M. R. Mickey (1959). Some finite population unbiased ratio and regression estimators. JASA 54(287), 594-612.
T. Zrnic and E. J. Candès (2024). Cross-prediction-powered inference. PNAS 121(15).
"""

import numpy as np

from agreement.trust.few_grades.difference_estimator import SampleDesign

N_FOLDS = 10
N_COEFFICIENTS = 3  # a constant for each side, and the slope
PRIOR = 4.0  # grades of 0 and 1 vary within a topic about four times as much as the share of 1 varies between topics


def cross_fitted(
    weights: np.ndarray, model: np.ndarray, gains: np.ndarray, design: SampleDesign, seed: int, n_folds: int = N_FOLDS
) -> np.ndarray:
    """Predict the gain of every pair for every sum.

    Parameters
    ----------
    weights : ndarray of float, shape (n_estimates, n_pairs)
        Weight of each pair in each sum.
    model : ndarray of float, shape (n_pairs,)
        The model's grades; equal numbers are the constant judge.
    gains : ndarray of float, shape (n_drawn,)
        Gains of the drawn pairs.
    design : SampleDesign
        The design of the draw.
    seed : int
        Seed of the folds.
    n_folds : int, optional
        Number of folds, at least 2.

    Returns
    -------
    ndarray of float, shape (n_estimates, n_pairs)

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.trust.few_grades.difference_estimator import SampleDesign
    >>> from agreement.trust.few_grades.predictions import cross_fitted
    >>> design = SampleDesign(
    ...     topic=np.zeros(12, int), stratum=np.zeros(12, int), probability=np.full(12, 8 / 12),
    ...     drawn=np.arange(12) < 8, is_fixed=True,
    ... )
    >>> model = np.tile([1, 2, 3, 4], 3)
    >>> cross_fitted(np.ones((1, 12)), model, model[:8] / 4, design, seed=1).round(3)[0, 8:].tolist()
    [0.25, 0.5, 0.75, 1.0]
    """
    fold = _folds(design, np.random.default_rng(seed), n_folds)
    return combined_folds(CrossFit(weights, model, gains, design), design, fold, n_folds)


def combined_folds(fit: "CrossFit", design: SampleDesign, fold: np.ndarray, n_folds: int) -> np.ndarray:
    """Predict the gain of every pair, each from other folds; shapes: `fold` (n_drawn,), the result as the weights."""
    shares = _shares(design, fold, n_folds)
    predicted = np.zeros(fit.shape)
    positions = np.flatnonzero(design.drawn)
    for number in range(n_folds):
        here = shares[number] > 0
        here[positions] = fold == number
        if not here.any():
            continue
        of_fold = fit.without(fold == number, here)
        predicted[:, here] += of_fold * np.where(design.drawn[here], 1.0, shares[number, here])
    return predicted


def _folds(design: SampleDesign, rng: np.random.Generator, n_folds: int) -> np.ndarray:
    """The fold of each drawn pair."""
    n_drawn = int(design.drawn.sum())
    if design.drawn_topics is not None:
        of_topic = np.full(design.n_topics, -1)
        of_topic[rng.permutation(np.flatnonzero(design.drawn_topics))] = np.arange(design.drawn_topics.sum()) % n_folds
        return np.asarray(of_topic[design.topic[design.drawn]])
    if not design.is_fixed:
        return rng.integers(n_folds, size=n_drawn)
    fold = np.empty(n_drawn, dtype=np.int64)
    # Dealt from stratum to stratum, so that the sizes of the folds depend on the design only.
    fold[np.lexsort((rng.random(n_drawn), design.stratum[design.drawn]))] = np.arange(n_drawn) % n_folds
    return fold


def _shares(design: SampleDesign, fold: np.ndarray, n_folds: int) -> np.ndarray:
    """The weight of each fold in the prediction of a pair that was not drawn, shape (n_folds, n_pairs)."""
    if design.drawn_topics is not None:
        return _shares_of_topics(design, fold, n_folds)
    if not design.is_fixed:
        return np.full((n_folds, len(design.drawn)), 1 / n_folds)
    n_strata = int(design.stratum.max()) + 1
    counts = np.bincount(design.stratum[design.drawn] * n_folds + fold, minlength=n_strata * n_folds)
    by_stratum = counts.reshape(n_strata, n_folds)
    return np.asarray((by_stratum / np.maximum(by_stratum.sum(axis=1, keepdims=True), 1))[design.stratum].T)


def _shares_of_topics(design: SampleDesign, fold: np.ndarray, n_folds: int) -> np.ndarray:
    """The same with two stages: a drawn topic has the prediction of its fold, and any other one the mean."""
    of_topic = np.zeros((design.n_topics, n_folds))
    of_topic[design.topic[design.drawn], fold] = 1.0
    is_drawn = of_topic.any(axis=1)
    of_topic[~is_drawn] = of_topic[is_drawn].mean(axis=0)
    return np.asarray(of_topic[design.topic].T)


def _features(weights: np.ndarray, model: np.ndarray) -> np.ndarray:
    """A constant for each side and the standardised model grade, shape (n_estimates, 3, n_pairs)."""
    spread = model.std() if np.ptp(model) > 0 else 0.0
    standard = (model - model.mean()) / spread if spread > 0 else np.zeros(len(model))
    return np.stack([weights > 0, weights < 0, np.broadcast_to(standard, weights.shape)], axis=1).astype(np.float64)


class CrossFit:
    """Predictions from a part of the drawn pairs."""

    def __init__(self, weights: np.ndarray, model: np.ndarray, gains: np.ndarray, design: SampleDesign) -> None:
        self.shape, self.topic = weights.shape, design.topic
        self.features = _features(weights, model)
        self.fit = _Fit(weights[:, design.drawn], self.features[:, :, design.drawn], gains, design)

    def without(self, left_out: np.ndarray, pairs: np.ndarray | slice = slice(None)) -> np.ndarray:
        """Predict the gains of pairs, by default all, without some drawn pairs; shape of the mask (n_drawn,)."""
        coefficients, effects = self.fit.without(left_out)
        return np.asarray(_combined(coefficients, self.features[:, :, pairs]) + effects[:, self.topic[pairs]])


class _Fit:
    """The regression on the drawn pairs, to be fitted without one fold after the other."""

    def __init__(self, weights: np.ndarray, features: np.ndarray, gains: np.ndarray, design: SampleDesign) -> None:
        self.features, self.gains = features, gains
        expanded = (weights / design.probability[design.drawn]) ** 2
        most = expanded.max(axis=1, initial=0.0, keepdims=True)
        self.importance = np.divide(expanded, most, out=np.zeros_like(expanded), where=most > 0)
        self.in_topic = (design.topic[design.drawn][:, None] == np.arange(design.n_topics)).astype(np.float64)

    def without(self, left_out: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The coefficients, shape (n_estimates, 3), and the effects of the topics, shape (n_estimates, n_topics)."""
        importance = np.where(left_out, 0.0, self.importance)
        weighted = importance[:, None] * self.features
        moments = weighted @ self.features.swapaxes(1, 2)
        products = weighted @ self.gains
        coefficients = _solved(moments, products)
        prior = self._prior(importance)
        moments[:, -1, -1] += prior * self._unexplained(importance, coefficients)
        coefficients = _solved(moments, products)
        residuals = self.gains - _combined(coefficients, self.features)
        return coefficients, self._effects(importance, residuals, prior)

    def _prior(self, importance: np.ndarray) -> np.ndarray:
        """The importance of `PRIOR` pairs, shape (n_estimates,)."""
        return np.asarray(PRIOR * importance.sum(axis=1) / np.maximum((importance > 0).sum(axis=1), 1))

    def _unexplained(self, importance: np.ndarray, coefficients: np.ndarray) -> np.ndarray:
        """The share of the variance of the gains that the regression leaves, adjusted for its coefficients."""
        total = importance.sum(axis=1)
        means = np.divide(importance @ self.gains, total, out=np.zeros_like(total), where=total > 0)
        around = (importance * (self.gains - means[:, None]) ** 2).sum(axis=1)
        left = (importance * (self.gains - _combined(coefficients, self.features)) ** 2).sum(axis=1)
        n_used = (importance > 0).sum(axis=1)
        is_known = (around > 0) & (n_used > N_COEFFICIENTS)
        share = np.divide(left, around, out=np.ones_like(total), where=is_known)
        return np.asarray(share * np.where(is_known, (n_used - 1) / np.maximum(n_used - N_COEFFICIENTS, 1), 1.0))

    def _effects(self, importance: np.ndarray, residuals: np.ndarray, prior: np.ndarray) -> np.ndarray:
        """The shrunken mean residual of each topic."""
        total = importance @ self.in_topic
        summed = (importance * residuals) @ self.in_topic
        return np.asarray(np.divide(summed, total + prior[:, None], out=np.zeros_like(total), where=total > 0))


def _solved(moments: np.ndarray, products: np.ndarray) -> np.ndarray:
    """The coefficients of least squares; 0 for a constant feature."""
    return _combined(products, np.linalg.pinv(moments, 1e-10, hermitian=True))


def _combined(coefficients: np.ndarray, features: np.ndarray) -> np.ndarray:
    """The sum of the features times their coefficients, shape (n_estimates, n_pairs)."""
    return np.asarray((coefficients[:, None] @ features)[:, 0])
