"""P-values adjusted for the number of tests m, so that each can be compared with the level of the whole family.

With the p-values in ascending order p(1) <= ... <= p(m), the adjusted values are as follows, and never above 1:

bonferroni          m p(i)
holm                max over j <= i of (m - j + 1) p(j)      never larger than Bonferroni's, same guarantee
benjamini-hochberg  min over j >= i of (m / j) p(j)

Bonferroni and Holm limit the probability of one or more false positives among all tests. Benjamini-Hochberg limits the
expected share of false positives among the significant results. "none" returns the p-values unchanged.

References
----------
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), 65-70.
Y. Benjamini & Y. Hochberg (1995). Controlling the false discovery rate. Journal of the Royal Statistical Society,
Series B 57(1), 289-300.
"""

from collections.abc import Callable, Sequence

import numpy as np

from agreement.checks import choice, level


def adjusted(p: Sequence[float] | np.ndarray, method: str) -> np.ndarray:
    """Adjust p-values for the number of tests.

    Parameters
    ----------
    p : sequence of float, shape (n_tests,)
        P-values, each from 0 to 1.
    method : {"none", "bonferroni", "holm", "benjamini-hochberg"}
        Bonferroni and Holm limit the probability of any false positive, Benjamini-Hochberg limits the expected share
        of false positives among the significant results.

    Returns
    -------
    ndarray of float, shape (n_tests,)
        Adjusted p-values from 0 to 1, in the order of `p`.

    Raises
    ------
    ValueError
        An unknown method, or a p-value outside 0 to 1.

    References
    ----------
    S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2),
    65-70.
    Y. Benjamini & Y. Hochberg (1995). Controlling the false discovery rate. Journal of the Royal Statistical Society,
    Series B 57(1), 289-300.

    Examples
    --------
    >>> from agreement.significance import adjusted
    >>> adjusted([0.01, 0.04, 0.03], "holm").round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    choice("correction", method, CORRECTIONS)
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"p-values must be one list of numbers from 0 to 1, not {values}.")
    order = np.argsort(values, kind="stable")
    result = np.empty_like(values)
    result[order] = np.minimum(CORRECTIONS[method](values[order]), 1)
    return result


def adjusted_of_all(p: np.ndarray, method: str) -> np.ndarray:
    """Adjust p-values for the number of all pairs, so that the correction is the same under every test.

    A pair without a p counts as a test with p = 1, because which pairs have a p depends on the test: a constant
    difference has none in a t test, and has one in a sign test.

    Shapes: `p`, the result (n_pairs,).
    """
    unknown = np.isnan(p)
    return np.where(unknown, np.nan, adjusted(np.where(unknown, 1, p), method))


def check_options(correction: str | None, alpha: float) -> None:
    """Raise ValueError for an unknown correction (None is the default of a test) or an invalid level."""
    if correction is not None:
        choice("correction", correction, CORRECTIONS)
    level("alpha", alpha, 0.05)


def _none(ascending: np.ndarray) -> np.ndarray:
    return ascending


def _bonferroni(ascending: np.ndarray) -> np.ndarray:
    return len(ascending) * ascending


def _holm(ascending: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(np.arange(len(ascending), 0, -1) * ascending)


def _benjamini_hochberg(ascending: np.ndarray) -> np.ndarray:
    m = len(ascending)
    return np.minimum.accumulate((ascending / (np.arange(1, m + 1) / m))[::-1])[::-1]


# Every function takes p-values in ascending order.
CORRECTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}
