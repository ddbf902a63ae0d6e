"""Truth inference: the true grade of each item and the errors of each assessor (Dawid and Skene 1979).

Each assessor makes errors in their own way: one is strict, one clicks at random. If several assessors judged the same
items, their errors and the true grades can be estimated from each other; `agreement.golds.em_steps` describes the model
and the algorithm.

References
----------
A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
Journal of the Royal Statistical Society, Series C 28(1), 20-28.
"""

from functools import partial

from agreement.golds.em_steps import fit
from agreement.golds.truth import Truth, check_stopping, infer
from agreement.ratings import Ratings, check_ratings

RULE = "dawid_skene"


def dawid_skene(ratings: Ratings, max_iterations: int = 1000, tolerance: float = 1e-10) -> Truth:
    """Infer the true grade of each item and the errors of each assessor with the model of Dawid and Skene.

    The true grades and the error rates of the assessors are estimated in turn until the likelihood converges. Grades
    are labels without order. Nothing is random.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements. For relevance only, pass `ratings.binary(rel)`.
    max_iterations : int, optional
        The largest number of iterations, 1 or more.
    tolerance : float, optional
        The algorithm converges if the log-likelihood grows by at most this share of itself; 0 or more.

    Returns
    -------
    Truth
        Undefined with the reason "empty" (no judgement), "one_assessor" (only one assessor has judgements) or
        "no_identities" (the ratings are anonymous counts). Its `warnings` state that there are fewer than three
        assessors, in which case the data do not show who made an error, or that the algorithm did not converge.

    Raises
    ------
    ValueError
        `max_iterations` is below 1, or `tolerance` below 0.

    References
    ----------
    A. P. Dawid and A. M. Skene (1979). Maximum likelihood estimation of observer error-rates using the EM algorithm.
    Journal of the Royal Statistical Society, Series C 28(1), 20-28.

    Examples
    --------
    >>> from agreement import Ratings, dawid_skene
    >>> rows = [[0, 1, 1], [0, 1, 0], [0, 1, 1]]
    >>> ratings = Ratings.from_matrix(rows, (0, 1), ("ada", "bob", "eve"), axis="assessors")
    >>> truth = dawid_skene(ratings)
    >>> truth.to_gold()[["doc_id", "relevance", "n"]]
      doc_id  relevance  n
    0      1          0  3
    1      2          1  3
    2      3          1  3
    """
    check_ratings(ratings, RULE)
    check_stopping(max_iterations, tolerance)
    return infer(ratings, RULE, partial(fit, max_iterations=max_iterations, tolerance=tolerance))
