"""Goals of a plan, and the smallest number of grades that reaches them.

- scores: the interval of each score is at most +-width;
- best: the interval of the difference between the best system and each other one does not contain 0;
- differences: the same for all differences that are significant under the grades of people for all pairs (paired t
  test over topics, Holm's correction, level 0.05).

The first two count the draw of the pairs as chance, and not the topics.

An interval of fixed size covers the truth with its confidence if the number of grades is fixed before. Looking after
each grade, and stopping at the first clear result, misses it far more often. A confidence sequence is wider and covers
the truth at all looks at once. With the standard error se after n grades, its half width is multiplier(n) * se,

    multiplier(n) = sqrt(2 (n r + 1) / (n r) * log(sqrt(n r + 1) / alpha))

where r is chosen so that the sequence is narrowest at the planned number of grades.

Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas (2024), Time-uniform central limit theory and
asymptotic confidence sequences, Annals of Statistics 52(6), equations 9 and 11. It is asymptotic: the first looks need
some tens of grades.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy import stats

from agreement.significance.corrections import adjusted
from agreement.trust.plan.designs import Covariance

GOALS = ("scores", "best", "differences")
LEVEL = 0.05


@dataclass(frozen=True)
class Precision:
    """What intervals must do: the half width of scores, the confidence, and whether they hold at every look."""

    width: float
    confidence: float
    at_any_time: bool

    def half_width(self, error: np.ndarray, n: float) -> np.ndarray:
        """The half widths of intervals after n grades, from their standard errors."""
        fixed = float(stats.norm.ppf((1 + self.confidence) / 2))
        # A plan looks until n, so that the sequence is narrowest there.
        times = multiplier(n, n, self.confidence) if self.at_any_time else fixed
        return np.asarray(times * error)


def multiplier(n: float, planned: float, confidence: float) -> float:
    """Return the half width of a confidence sequence in standard errors.

    Parameters
    ----------
    n : float
        Number of grades so far, above 0.
    planned : float
        Number of grades at which the sequence should be narrowest, above 0.
    confidence : float
        Probability of covering the truth at all looks at once, between 0 and 1.

    Examples
    --------
    >>> from agreement.trust.plan.goals import multiplier
    >>> round(multiplier(200, 200, 0.95), 2)
    3.04
    """
    alpha = 1 - confidence
    r = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / planned
    return sqrt(2 * (n * r + 1) / (n * r) * log(sqrt(n * r + 1) / alpha))


def grades_needed(scores: np.ndarray, covariance: Covariance, n_pairs: int, precision: Precision) -> dict[str, int]:
    """Return the smallest number of grades that reaches each goal; `scores` have the shape (n_systems, n_topics)."""
    means = scores.mean(axis=1)
    compared = {"best": _with_best(means), "differences": significant_pairs(scores)}
    distance = np.abs(means[:, None] - means[None, :])

    def scores_are_known(n: int) -> bool:
        error = np.sqrt(np.maximum(np.diag(covariance(n)), 0))
        return bool((precision.half_width(error, n) <= precision.width).all())

    def differ(pairs: np.ndarray) -> Callable[[int], bool]:
        def intervals_do_not_contain_0(n: int) -> bool:
            error = np.sqrt(np.maximum(_of_differences(covariance(n)), 0))
            return bool((precision.half_width(error, n) <= distance)[pairs].all())

        return intervals_do_not_contain_0

    needed = {"scores": smallest(scores_are_known, n_pairs)}
    return needed | {goal: smallest(differ(pairs), n_pairs) for goal, pairs in compared.items()}


def _of_differences(covariance: np.ndarray) -> np.ndarray:
    """The variance of each difference of two systems."""
    variance = np.diag(covariance)
    return np.asarray(variance[:, None] + variance[None, :] - 2 * covariance)


def _with_best(means: np.ndarray) -> np.ndarray:
    """Which pairs compare the best system with another one."""
    pairs = np.zeros((len(means), len(means)), dtype=bool)
    pairs[means.argmax()] = True
    pairs[means.argmax(), means.argmax()] = False
    return pairs


def smallest(holds: Callable[[int], bool], n_pairs: int) -> int:
    """Return the smallest number of grades for which a condition holds, by bisection; all pairs always suffice."""
    low, high = 0, n_pairs
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def significant_pairs(scores: np.ndarray) -> np.ndarray:
    """Return which pairs of systems differ significantly, shape (n_systems, n_systems); each pair once."""
    n_systems, n_topics = scores.shape
    first, second = np.triu_indices(n_systems, 1)
    differences = scores[first] - scores[second]
    error = differences.std(axis=1, ddof=1) / np.sqrt(n_topics) if n_topics > 1 else np.zeros(len(first))
    t = np.divide(np.abs(differences.mean(axis=1)), error, out=np.zeros(len(first)), where=error > 0)
    matrix = np.zeros((n_systems, n_systems), dtype=bool)
    if len(first):
        matrix[first, second] = adjusted(2 * stats.t.sf(t, max(n_topics - 1, 1)), "holm") < LEVEL
    return matrix
