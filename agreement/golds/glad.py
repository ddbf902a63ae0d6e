"""Truth inference with abilities of assessors and difficulties of items: GLAD (Whitehill and others 2009).

An error on a difficult item says less about an assessor than one on an easy item. GLAD estimates one number for each
assessor and one for each item; `agreement.golds.glad_steps` describes the model and the algorithm.

References
----------
J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration of
labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043.
"""

from functools import partial

from agreement.checks import check_ratings
from agreement.golds.glad_steps import fit
from agreement.golds.truth import Truth, check_stopping, infer
from agreement.ratings import Ratings

RULE = "glad"


def glad(ratings: Ratings, max_iterations: int = 1000, tolerance: float = 1e-10) -> Truth:
    """Infer the true grade of each item, the ability of each assessor and the difficulty of each item with GLAD.

    An assessor gives the true grade with the probability 1 / (1 + exp(-ability / difficulty)), and each other grade
    equally often. The model of the article has two grades; the equal division of errors is the usual extension. Grades
    are labels without order. Ability and log(1 / difficulty) have normal priors with mean 1 and variance 1, and all
    grades the same prior probability. Nothing is random.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements. For relevance only, pass `ratings.binary(rel)`.
    max_iterations : int, optional
        The largest number of iterations, 1 or more.
    tolerance : float, optional
        The algorithm converges if the log-likelihood with the priors grows by at most this share of itself; 0 or more.

    Returns
    -------
    Truth
        `fit` also has the abilities `ability`, shape (n_assessors,), and `log_ease`, the logarithm of 1 / difficulty,
        shape (n_items,). Undefined with the reason "empty" (no judgement), "one_assessor" (only one assessor has
        judgements) or "no_identities" (the ratings are anonymous counts).

    Raises
    ------
    ValueError
        `max_iterations` is below 1, or `tolerance` below 0.

    References
    ----------
    J. Whitehill, P. Ruvolo, T. Wu, J. Bergsma and J. Movellan (2009). Whose vote should count more: optimal integration
    of labels from labelers of unknown expertise. Advances in Neural Information Processing Systems 22, 2035-2043.

    Examples
    --------
    >>> from agreement import Ratings, glad
    >>> rows = [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 1]]
    >>> truth = glad(Ratings.from_matrix(rows, (0, 1), ("ada", "bob", "eve"), axis="assessors"))
    >>> truth.to_gold()["relevance"].tolist()
    [0, 1, 1, 0]
    >>> truth.competence_frame().round(2)
      assessor  n  accuracy  ability
    0      ada  4      0.92     1.10
    1      bob  4      0.75     0.69
    2      eve  4      0.75     0.69
    """
    check_ratings(ratings, RULE)
    check_stopping(max_iterations, tolerance)
    return infer(ratings, RULE, partial(fit, max_iterations=max_iterations, tolerance=tolerance))
