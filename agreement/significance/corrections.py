"""P-values adjusted for the number of tests m, so that each can be held against the level of the whole family.

With the p-values in ascending order p(1) <= ... <= p(m), the adjusted ones are, never above 1:

bonferroni          m p(i)
holm                max over j <= i of (m - j + 1) p(j)      at most as large as Bonferroni's, same guarantee
benjamini-hochberg  min over j >= i of (m / j) p(j)

Bonferroni and Holm bound the chance of one false alarm or more among all tests; Benjamini-Hochberg bounds the
expected share of false alarms among what is called significant. "none" leaves the p-values as they are.

References
----------
S. Holm (1979). A simple sequentially rejective multiple test procedure. Scandinavian Journal of Statistics 6(2), 65-70.
Y. Benjamini & Y. Hochberg (1995). Controlling the false discovery rate. Journal of the Royal Statistical Society,
Series B 57(1), 289-300.
"""

from collections.abc import Callable, Sequence

import numpy as np


def adjusted(p: Sequence[float], method: str) -> np.ndarray:
    """Adjusted p-values, in the order given.

    Parameters
    ----------
    p : sequence of float, shape (n_tests,)
        Each in [0, 1].
    method : {"none", "bonferroni", "holm", "benjamini-hochberg"}

    Returns
    -------
    ndarray of float, shape (n_tests,)
        In [0, 1].

    Raises
    ------
    ValueError
        An unknown method, or a p-value outside [0, 1].
    """
    if method not in CORRECTIONS:
        raise ValueError(f"correction is one of {', '.join(CORRECTIONS)}; got {method!r}")
    p = np.asarray(p, dtype=np.float64)
    if p.ndim != 1 or not ((p >= 0) & (p <= 1)).all():
        raise ValueError(f"p-values are one list of numbers from 0 to 1; got {p}")
    order = np.argsort(p, kind="stable")
    result = np.empty_like(p)
    result[order] = np.minimum(CORRECTIONS[method](p[order]), 1)
    return result


def _none(ascending: np.ndarray) -> np.ndarray:
    return ascending


def _bonferroni(ascending: np.ndarray) -> np.ndarray:
    return len(ascending) * ascending


def _holm(ascending: np.ndarray) -> np.ndarray:
    return np.maximum.accumulate(np.arange(len(ascending), 0, -1) * ascending)


def _benjamini_hochberg(ascending: np.ndarray) -> np.ndarray:
    m = len(ascending)
    return np.minimum.accumulate((ascending / (np.arange(1, m + 1) / m))[::-1])[::-1]


# Each takes p-values in ascending order.
CORRECTIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "none": _none,
    "bonferroni": _bonferroni,
    "holm": _holm,
    "benjamini-hochberg": _benjamini_hochberg,
}
