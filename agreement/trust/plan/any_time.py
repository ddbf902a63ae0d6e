"""Intervals that stay valid when somebody looks after each grade and stops when the result pleases.

An interval of fixed size covers the truth with its confidence if the number of grades is fixed before. Looking after
each grade, and stopping at the first clear result, misses it far more often. A confidence sequence is wider and covers
the truth at all looks at once. With the standard error se after n grades, its half width is multiplier(n) * se,

    multiplier(n) = sqrt(2 (n r + 1) / (n r) * log(sqrt(n r + 1) / alpha))

where r is chosen so that the sequence is narrowest at the planned number of grades.

Source: I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy and A. Ramdas (2024), Time-uniform central limit theory and
asymptotic confidence sequences, Annals of Statistics 52(6), equations 9 and 11. It is asymptotic: the first looks need
some tens of grades.
"""

from math import log, sqrt


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
    >>> from agreement.trust.plan.any_time import multiplier
    >>> round(multiplier(200, 200, 0.95), 2)
    3.04
    """
    alpha = 1 - confidence
    r = (-2 * log(alpha) + log(-2 * log(alpha) + 1)) / planned
    return sqrt(2 * (n * r + 1) / (n * r) * log(sqrt(n * r + 1) / alpha))
