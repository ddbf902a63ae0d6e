"""Wilson's score interval of a share: all shares that a normal test with the variance of that share does not reject.

It is calibrated near 0 and 1, has a width if the share is 0 or 1, and stays between 0 and 1.

References
----------
E. B. Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American
Statistical Association 22(158), 209-212.
"""

from statistics import NormalDist

METHOD = "Wilson's score interval of P(A)"


def wilson(share: float, n: int, confidence: float) -> tuple[float, float]:
    """The limits of a share.

    Parameters
    ----------
    share : float
        The share of the items that have a property, from 0 to 1.
    n : int
        The number of items, 1 or more.
    confidence : float
        The confidence level, between 0 and 1.

    Returns
    -------
    low, high : float
        From 0 to 1.

    Examples
    --------
    >>> from agreement.intervals.score.wilson import wilson
    >>> low, high = wilson(0.99, 100, 0.95)
    >>> f"{low:.3f} to {high:.3f}"
    '0.946 to 0.998'
    """
    squared = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    middle = (share + squared / (2 * n)) / (1 + squared / n)
    reach = (squared * (share * (1 - share) / n + squared / (4 * n * n))) ** 0.5 / (1 + squared / n)
    # at shares of 0 and 1 the limit is the share, which rounding could miss
    return (0.0 if share == 0 else max(middle - reach, 0.0)), (1.0 if share == 1 else min(middle + reach, 1.0))
