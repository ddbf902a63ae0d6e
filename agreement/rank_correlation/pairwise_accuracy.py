"""Pairwise accuracy with ties: the share of system pairs that an estimate puts in the same relation as the truth.

Both lists are scores, higher is better, in the same order of systems. The truth has the relation "better", "worse" or
"tied" of every pair; scores closer than 1e-12 are tied. The estimate ties a pair if its scores differ by at most
epsilon. Of N = n (n - 1) / 2 pairs, C have the same better system in both lists, and T are tied in both:

    accuracy = (C + T) / N

Tau counts a tie as an error or leaves it out, which favours estimates without ties, or with many. Accuracy credits a
tie that the truth has too. An estimate with continuous scores has almost no ties. Tie calibration chooses the epsilon
with the highest accuracy, so that such estimates can be compared with those that have ties.

An epsilon chosen on the same systems gives the estimate an advantage, which grows with fewer systems. To state how
accurate it will be, choose epsilon on other systems or topics.

Reference: D. Deutsch, G. Foster & M. Freitag (2023). Ties matter: meta-evaluating modern metrics with pairwise accuracy
and tie calibration. EMNLP 2023, 12914-12929.
"""

import numpy as np

from agreement.checks import number
from agreement.estimate import Estimate, undefined
from agreement.rank_correlation.orders import TIE, Scores, both_orders, count_pairs, one_list

NAME = "pairwise_accuracy"


def pairwise_accuracy(truth: Scores, estimate: Scores, epsilon: float = 0.0) -> Estimate:
    """Compute the share of system pairs that an estimate puts in the same relation as the truth, ties included.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better. Scores of the truth closer than 1e-12 are tied.
    epsilon : float
        Scores of the estimate that differ by at most epsilon are tied, at least 0. `calibrate_ties` finds the epsilon
        with the highest accuracy.

    Returns
    -------
    Estimate
        Value from 0 to 1; `n` is the number of systems. Without ties it is (1 + tau) / 2. Undefined with fewer than two
        systems (reason "one_system").

    Raises
    ------
    ValueError
        The lists differ in length, a score is not finite, or epsilon is negative or not finite.

    References
    ----------
    D. Deutsch, G. Foster & M. Freitag (2023). Ties matter: meta-evaluating modern metrics with pairwise accuracy and
    tie calibration. EMNLP 2023, 12914-12929.

    Examples
    --------
    The tie of the truth is no tie in the estimate, unless scores that differ by 0.01 are tied.

    >>> from agreement.rank_correlation import pairwise_accuracy
    >>> truth, estimate = [0.5, 0.5, 0.3], [0.71, 0.70, 0.6]
    >>> round(pairwise_accuracy(truth, estimate).value, 3)
    0.667
    >>> pairwise_accuracy(truth, estimate, epsilon=0.02).value
    1.0
    """
    epsilon = number("epsilon", epsilon, "a finite number of at least 0", lambda value: 0 <= value < np.inf)
    first, second = both_orders(truth, estimate)
    if len(first) < 2:
        return undefined(NAME, "one_system", n=len(first))
    values = one_list(estimate)
    tied = np.abs(values[:, None] - values[None, :]) < epsilon + TIE
    same = np.where(tied, 0, second) == first
    # Without the diagonal, and every pair stands twice in the matrix.
    agreeing = (int(np.count_nonzero(same)) - len(same)) // 2
    return Estimate(agreeing / count_pairs(first), NAME, n=len(first), convention=f"epsilon {epsilon:g}")


def calibrate_ties(truth: Scores, estimate: Scores) -> float:
    """Find the epsilon with the highest pairwise accuracy.

    Parameters
    ----------
    truth, estimate : sequence of float, shape (n_systems,)
        Scores of the same systems in the same order, higher is better.

    Returns
    -------
    float
        The smallest epsilon with the highest accuracy: 0, or a difference between two scores of the estimate. 0 with
        fewer than two systems.

    Raises
    ------
    ValueError
        The lists differ in length, or a score is not finite.

    References
    ----------
    D. Deutsch, G. Foster & M. Freitag (2023). Ties matter: meta-evaluating modern metrics with pairwise accuracy and
    tie calibration. EMNLP 2023, 12914-12929.

    Examples
    --------
    >>> from agreement.rank_correlation import calibrate_ties
    >>> round(calibrate_ties([0.5, 0.5, 0.3], [0.71, 0.70, 0.6]), 3)
    0.01
    """
    first, second = both_orders(truth, estimate)
    upper, values = np.triu_indices(len(first), 1), one_list(estimate)
    gaps = np.abs(values[upper[0]] - values[upper[1]])
    order = np.argsort(gaps, kind="stable")
    gaps, true, estimated = gaps[order], first[upper][order], second[upper][order]
    epsilons = np.concatenate([[0.0], gaps])
    n_tied = np.searchsorted(gaps, epsilons + TIE)
    tied_in_both = np.concatenate([[0], np.cumsum(true == 0)])
    concordant = np.concatenate([[0], np.cumsum(true * estimated > 0)])
    agreeing = tied_in_both[n_tied] + concordant[-1] - concordant[n_tied]
    # argmax returns the first of several, which is the smallest epsilon.
    return float(epsilons[np.argmax(agreeing)])
