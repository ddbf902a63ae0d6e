"""The difference between the kappas of two pairs of judges, on the documents that all of them judged.

Kappas of different documents differ also because the documents do. Both kappas are therefore computed again from the
documents that each of the three or four judges judged; `n_dropped` counts the documents that one of the pairs judged
and that are left out. `agreement.intervals.paired_difference` has the interval.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from agreement.checks import level
from agreement.coefficients.overall import overall
from agreement.estimate import Estimate
from agreement.ratings import MISSING, Ratings, check_ratings


def kappa_difference(
    ratings: Ratings,
    first: Sequence[str],
    second: Sequence[str],
    coefficient: str = "cohen_kappa",
    across: str = "pooled",
    *,
    confidence: float = 0.95,
    **options: Any,
) -> Estimate:
    """Compute the kappa of one pair of judges minus that of another pair, with a paired interval.

    Parameters
    ----------
    ratings : Ratings
        Judgements of the three or four judges.
    first, second : sequence of two str
        The judges of the two pairs. The pairs may have one judge in common.
    coefficient : str
        "percent_agreement", "pooled_kappa", "cohen_kappa", "brennan_prediger" or "gwet_ac".
    across : {"pooled", "topics"}
        How topics are combined: one table over the documents of all topics, or the mean of the values of the topics.
    confidence : float
        The confidence level, between 0 and 1.
    **options
        weights : str or array of shape (n_grades, n_grades), the weights of pairs of grades ("identity" by default,
        "linear", "quadratic", "ordinal" or a custom table).

    Returns
    -------
    Estimate
        The difference, with `low` and `high`. `n` counts the documents that all judges judged, `n_dropped` those that a
        pair judged and that are left out. The interval leaves out each topic from both kappas at once; with one topic,
        each document. Undefined with the reason of the first undefined kappa, such as "no_overlap" or "one_category".

    Raises
    ------
    ValueError
        A judge is unknown, a pair does not have two different judges, both pairs are the same, or an option is invalid.

    References
    ----------
    S. Vanbelle and A. Albert (2008). A bootstrap method for comparing correlated kappa coefficients. Journal of
    Statistical Computation and Simulation 78(11), 1009-1015.

    Examples
    --------
    >>> from agreement import Ratings, kappa_difference
    >>> rows = [[0, 1, 1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0, 1, None]]
    >>> ratings = Ratings.from_matrix(rows, (0, 1), ("ann", "bob", "eve"), axis="assessors")
    >>> change = kappa_difference(ratings, ("ann", "bob"), ("ann", "eve"))
    >>> f"{change.value:.3f}, n = {change.n}, {change.n_dropped} dropped"
    '0.887, n = 7, 1 dropped'
    """
    check_ratings(ratings, "kappa_difference")
    level("confidence", confidence, 0.95)
    pairs = [_pair(ratings, pair, name) for pair, name in ((first, "first"), (second, "second"))]
    if set(pairs[0]) == set(pairs[1]):
        raise ValueError(f"The pairs must differ, but both are {pairs[0][0]} and {pairs[0][1]}.")
    shared, dropped = _shared(ratings, pairs)
    kappas = [overall(shared, coefficient, across, *pair, **options) for pair in pairs]
    return replace(kappas[0].difference(kappas[1], confidence=confidence), n_dropped=dropped)


def _pair(ratings: Ratings, pair: Sequence[str], name: str) -> tuple[str, str]:
    judges = [] if isinstance(pair, str) or not isinstance(pair, Sequence) else list(pair)
    if len(judges) != 2 or judges[0] == judges[1]:
        raise ValueError(f"{name} must be two different judges, such as ('ann', 'bob'), not {pair!r}.")
    for judge in judges:
        ratings.row(judge)  # ValueError for an unknown judge
    return judges[0], judges[1]


def _shared(ratings: Ratings, pairs: list[tuple[str, str]]) -> tuple[Ratings, int]:
    """The documents that all judges of the pairs judged, and how many others a pair judged."""
    judged = {name: ratings.row(name) != MISSING for pair in pairs for name in pair}
    by_all = np.logical_and.reduce(list(judged.values()))
    by_a_pair = np.logical_or.reduce([judged[a] & judged[b] for a, b in pairs])
    names = [name for name in ratings.assessors if name in judged]
    codes = np.stack([ratings.row(name)[by_all] for name in names])
    shared = Ratings(codes, ratings.scale, names, ratings.query_ids[by_all], ratings.doc_ids[by_all])
    return shared, int(by_a_pair.sum() - by_all.sum())
