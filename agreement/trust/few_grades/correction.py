"""Scores that are ratios (nDCG, AP, R, Bpref) from few human grades, corrected by what judges show about the draw.

The score M_S(Y) of a topic from the drawn grades Y of people differs from the score of all pairs by the luck of the
draw. A judge f has a grade for every pair, so that the luck with f is known, M_S(f) - M(f). It is subtracted:

    theta = mean over topics of M_S(Y) - sum over judges of slope (M_S(f) - M(f))

Three judges:

- constant: the same grade for all pairs. It needs no model, and removes what is due to the ranks of the drawn pairs.
- model: the gain of a pair is the mean gain that people give to drawn pairs with this grade of the model, with one
  more pair of the mean gain of all. So a model may have any scale, and lack grades. The constant judge is used as well,
  so that a bad model costs next to nothing.
- shuffled: the model's grades permuted within each topic, a negative control. It is not better than the constant judge
  but by chance.

The slopes of a system are those of the least variance, by leaving out drawn pairs (`delete_groups`): with one judge,
the sum over topics of the covariance of M_S(Y) and M_S(f) over the sum of the variances of M_S(f), at least 0 and at
most 1. They have smaller errors than one slope for all systems, and than those of a regression over topics.

The interval is t * standard error, for a score on the logit scale. For these topics, the variance is that of the draw.
For topics as a sample, it is the variance of theta between topics over their number, which contains that of the draw,
and a bootstrap of topics takes the place of t (`topic_bootstrap`).

What is saved is a ratio of variances, estimated from the same draw: by design, 1 - variance with the constant judge /
variance of the classical estimate M_S(Y); by the model, 1 - variance with the model / variance with the constant judge.

References
----------
S. Asmussen and P. W. Glynn (2007). Stochastic simulation. Springer, section V.2 (control variates).
A. N. Angelopoulos, J. C. Duchi and T. Zrnic (2023). PPI++: efficient prediction-powered inference. arXiv:2311.01453.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from agreement.trust.few_grades.delete_groups import Deviations
from agreement.trust.few_grades.sampled_scores import Floats

SINGULAR = 0.01  # 1 - squared correlation of two judges, below which the slopes of both would be large by chance


@dataclass(frozen=True, eq=False)
class Corrected:
    """Estimates with their variances.

    Attributes
    ----------
    values : ndarray of float, shape (n_estimates, ...)
        The estimates, means over topics.
    by_topic : ndarray of float, shape (n_estimates, ..., n_topics)
        The estimates of the topics.
    variances : ndarray of float, shape (n_estimates, ...)
        Their variances by the draw.
    degrees : ndarray of float, shape (n_estimates, ...)
        Degrees of freedom of the variances; infinity where the variance is 0.
    slopes : ndarray of float, shape (n_judges, n_estimates, ...)
        How much of the luck of each judge is subtracted.
    """

    values: Floats
    by_topic: Floats
    variances: Floats
    degrees: Floats
    slopes: Floats


def corrected(people: Deviations, *judges: tuple[Deviations, Floats]) -> Corrected:
    """Correct the scores of drawn pairs by one judge or two.

    Parameters
    ----------
    people : Deviations, with scores of shape (n_estimates, ..., n_topics)
        The scores of systems, or their differences, from the grades of people.
    *judges : pairs of Deviations and ndarray of float, shape (n_estimates, ..., n_topics)
        For each judge, the same from its grades for the drawn pairs, and scores from its grades for all pairs. Without
        a judge, the result is the classical estimate. A second judge is not used if its scores vary nearly as those of
        the first.

    Returns
    -------
    Corrected

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.trust.few_grades.correction import corrected
    >>> from agreement.trust.few_grades.delete_groups import Deviations
    >>> people = Deviations(np.array([[0.4, 0.6]]), np.array([[[0.1, 0.1]], [[-0.1, -0.1]]]), np.full((2, 2), 0.5))
    >>> found = corrected(people, (people, np.array([[0.5, 0.5]])))  # a judge who agrees with people
    >>> found.values.tolist(), found.variances.tolist()
    ([0.5], [0.0])
    """
    scores, deviations = people.scores, people.deviations
    slopes = slopes_of(products_of(deviations, [judge.deviations for judge, _ in judges]).sum(axis=-1))
    for slope, (judge, whole) in zip(slopes, judges, strict=True):
        scores = scores - slope[..., None] * (judge.scores - whole)
        deviations = deviations - slope[..., None] * judge.deviations
    n_topics = scores.shape[-1]
    squares = deviations**2
    variance = squares.sum(axis=(0, -1))
    spread = (squares.sum(axis=0) ** 2 / np.maximum(people.degrees.sum(axis=0), 1)).sum(axis=-1)
    degrees = np.divide(variance**2, spread, out=np.full(variance.shape, np.inf), where=spread > 0)
    return Corrected(scores.mean(axis=-1), scores, variance / n_topics**2, degrees, slopes)


def products_of(people: Floats, judges: list[Floats]) -> Floats:
    """Return variances and covariances of deviations by topic, of which `slopes_of` takes the sums over topics.

    Shapes: deviations (n_groups, n_estimates, ..., n_topics); the result (n_products, n_estimates, ..., n_topics), with
    0, 2 or 5 products for no judge, one or two.
    """
    if not judges:
        return np.zeros((0, *people.shape[1:]))
    first, last = judges[0], judges[-1]
    pairs = [(first, first), (people, first), (last, last), (people, last), (first, last)]
    return np.stack([(a * b).sum(axis=0) for a, b in (pairs if len(judges) > 1 else pairs[:2])])


def slopes_of(products: Floats) -> Floats:
    """Return the slopes of the least variance from the sums of `products_of`, shape (n_judges, n_estimates, ...)."""
    if not len(products):
        return products
    variance, common = products[:2]
    alone = np.clip(np.divide(common, variance, out=np.zeros_like(common), where=variance > 0), 0, 1)
    if len(products) == 2:
        return np.asarray(alone[None])
    variance_of_last, common_with_last, between = products[2:]
    determinant = variance * variance_of_last - between**2
    is_other = determinant > SINGULAR * variance * variance_of_last
    divisor = np.where(is_other, determinant, 1.0)
    of_first = (common * variance_of_last - common_with_last * between) / divisor
    of_last = (common_with_last * variance - common * between) / divisor
    return np.stack([np.where(is_other, of_first, alone), np.where(is_other, of_last, 0.0)])


def limits(
    values: Floats, variances: Floats, degrees: Floats, confidence: float, is_share: bool
) -> tuple[Floats, Floats]:
    """Return the limits of intervals; those of a share between 0 and 1 on the logit scale, so that they stay within.

    Shapes: all arrays (n_estimates, ...).

    Examples
    --------
    >>> import numpy as np
    >>> from agreement.trust.few_grades.correction import limits
    >>> low, high = limits(np.array([0.9]), np.array([0.0025]), np.array([np.inf]), 0.95, True)
    >>> low.round(3).tolist(), high.round(3).tolist()
    ([0.752], [0.964])
    """
    return limits_at(values, stats.t.ppf((1 + confidence) / 2, degrees) * np.sqrt(variances), is_share)


def limits_at(values: Floats, reach: Floats, is_share: bool) -> tuple[Floats, Floats]:
    """The limits at a distance from the values, those of a share on the logit scale; shapes (n_estimates, ...)."""
    low, high = values - reach, values + reach
    if not is_share:
        return low, high
    inside = (values > 0) & (values < 1) & (reach > 0)
    middle = np.where(inside, values, 0.5)
    logit, stretched = special.logit(middle), reach / (middle * (1 - middle))
    return (
        np.where(inside, special.expit(logit - stretched), low),
        np.where(inside, special.expit(logit + stretched), high),
    )


def class_gains(
    classes: npt.NDArray[np.integer[Any]], drawn: npt.NDArray[np.integer[Any]], gains: Floats, weights: Floats
) -> Floats:
    """Return the mean gain that people give to the drawn pairs of each class of the model's grades, for each pair.

    Parameters
    ----------
    classes : ndarray of int, shape (n_topics, n_slots)
        Class of each pair of the pool, from 0.
    drawn : ndarray of int, shape (..., n_topics, n_drawn_slots)
        Class of each drawn pair.
    gains, weights : ndarray of float, shape (..., n_topics, n_drawn_slots)
        Their gains, and 1 / inclusion probability; 0 in empty slots.

    Returns
    -------
    ndarray of float, shape (..., n_topics, n_slots)
        The weighted mean of the gains of the class, with one more pair of the mean of all; 1 if there is one class.
    """
    n_classes = int(classes.max(initial=0)) + 1
    shape = np.broadcast_shapes(drawn.shape, gains.shape, weights.shape)[:-2]
    if n_classes == 1:
        return np.ones((*shape, *classes.shape))
    total = weights.sum(axis=(-1, -2))
    mean = np.divide((weights * gains).sum(axis=(-1, -2)), total, out=np.zeros(total.shape), where=total > 0)
    found = np.empty((*shape, n_classes))
    for number in range(n_classes):
        same = drawn == number
        n_of_class = (same & (weights > 0)).sum(axis=(-1, -2))
        of_class = (weights * same).sum(axis=(-1, -2))
        sums = (weights * gains * same).sum(axis=(-1, -2))
        own = np.divide(sums, of_class, out=np.zeros(sums.shape), where=of_class > 0)
        found[..., number] = (own * n_of_class + mean) / (n_of_class + 1)
    return found[..., classes]
