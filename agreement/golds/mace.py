"""Truth inference that finds who guesses: MACE (Hovy and others 2013).

MACE asks of each judgement whether its assessor knew the grade or gave one without regard to the item.
`agreement.golds.mace_steps` describes the model and the two algorithms.

References
----------
D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE. Proceedings of NAACL-HLT
2013, 1120-1130.
"""

from typing import Any

import numpy as np

from agreement.checks import choice, whole_number
from agreement.golds.mace_steps import METHODS, fit
from agreement.golds.truth import Truth, check_stopping, infer
from agreement.ratings import Ratings, check_ratings

RULE = "mace"


def mace(
    ratings: Ratings,
    seed: int,
    method: str = "vb",
    starts: int = 10,
    max_iterations: int = 1000,
    tolerance: float = 1e-8,
) -> Truth:
    """Infer the true grade of each item and the competence of each assessor with MACE.

    An assessor knows the true grade of an item with the probability that is the competence, and otherwise gives a grade
    by a distribution of their own, without regard to the item. Grades are labels without order, and all have the same
    prior probability.

    Parameters
    ----------
    ratings : Ratings
        Two or more assessors, with or without missing judgements. For relevance only, pass `ratings.binary(rel)`.
    seed : int
        The seed of the random starts, 0 or more.
    method : {"vb", "em"}, optional
        "vb" is variational Bayes with the priors of the authors' program, Beta(0.5, 0.5) for a competence and a
        Dirichlet distribution with parameters 10 for what an assessor gives without knowing. "em" has no priors; each
        expected count is raised by 0.01 divided by the number of grades.
    starts : int, optional
        The number of random starts, 1 or more. The result is that of the start with the highest evidence lower bound
        ("vb") or smoothed log-likelihood ("em").
    max_iterations : int, optional
        The largest number of iterations from each start, 1 or more.
    tolerance : float, optional
        The algorithm converges if this bound or likelihood grows by at most this share of itself; 0 or more.

    Returns
    -------
    Truth
        `fit` also has the competences `competence`, shape (n_assessors,), and `strategy`, shape (n_assessors,
        n_grades). Undefined with the reason "empty" (no judgement), "one_assessor" (only one assessor has judgements)
        or "no_identities" (the ratings are anonymous counts).

    Raises
    ------
    ValueError
        `seed`, `method`, `starts`, `max_iterations` or `tolerance` is out of range.

    References
    ----------
    D. Hovy, T. Berg-Kirkpatrick, A. Vaswani and E. Hovy (2013). Learning whom to trust with MACE. Proceedings of
    NAACL-HLT 2013, 1120-1130.

    Examples
    --------
    >>> from agreement import Ratings, mace
    >>> rows = [[0, 1, 1, 0], [0, 1, 0, 0], [0, 1, 1, 0]]
    >>> truth = mace(Ratings.from_matrix(rows, (0, 1), ("ada", "bob", "eve"), axis="assessors"), seed=1)
    >>> truth.to_gold()["relevance"].tolist()
    [0, 1, 1, 0]
    >>> truth.competence_frame().round(2)
      assessor  n  accuracy  competence
    0      ada  4      1.00        0.86
    1      bob  4      0.75        0.45
    2      eve  4      1.00        0.86
    """
    check_ratings(ratings, RULE)
    seed = whole_number("seed", seed, 0)
    choice("method", method, METHODS)
    starts = whole_number("starts", starts, 1)
    check_stopping(max_iterations, tolerance)
    options: dict[str, Any] = {
        "method": method,
        "starts": starts,
        "max_iterations": max_iterations,
        "tolerance": tolerance,
    }
    return infer(ratings, RULE, lambda judgements: fit(judgements, np.random.default_rng(seed), **options), seed)
