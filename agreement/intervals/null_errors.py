"""Standard errors of kappa if the judges agree only by chance; for a test of this assumption, never for an interval.

References
----------
J. L. Fleiss, J. Cohen and B. S. Everitt (1969). Large sample standard errors of kappa and weighted kappa.
Psychological Bulletin 72(5), 323-327.
J. L. Fleiss, J. C. M. Nee and J. R. Landis (1979). Large sample variance of kappa in the case of different sets of
raters. Psychological Bulletin 86(5), 974-977.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from agreement.coefficients.tally import Tally
from agreement.weights import IDENTITY, Weights


def cohen_null(table: npt.NDArray[Any], weights: Weights) -> float | None:
    """Standard error of Cohen's kappa, weighted or not, for independent judges (Fleiss, Cohen and Everitt 1969).

    Shapes: `table` (n_grades, n_grades).
    """
    cells, w = table.astype(np.float64), weights.floats()
    n = cells.sum()
    p, q = cells.sum(axis=1) / n, cells.sum(axis=0) / n
    expected = p @ w @ q
    deviations = w - (w @ q)[:, None] - p @ w
    variance = p @ deviations**2 @ q - expected**2
    return float(max(variance, 0) ** 0.5 / ((1 - expected) * n**0.5)) if expected < 1 else None


def fleiss_null(n: int, size: int, shares: npt.NDArray[np.float64]) -> float | None:
    """Standard error of Fleiss' kappa without weights for items with equally many judgements (Fleiss et al. 1979).

    Shapes: `shares` (n_grades,).
    """
    spread = shares * (1 - shares)
    total = spread.sum()
    if not total:
        return None
    variance = 2 * (total**2 - (spread * (1 - 2 * shares)).sum()) / (n * size * (size - 1))
    return float(max(variance, 0) ** 0.5 / total)


def fleiss_null_of(counted: Tally, weights: Weights) -> float | None:
    """Standard error of Fleiss' kappa for a tally of the items from which P(E) is computed.

    None with weights or different numbers of judgements per item.
    """
    if len(counted.sizes) != 1 or weights.name != IDENTITY:
        return None
    uses = counted.marginals[0].astype(np.float64)
    return fleiss_null(counted.n, counted.sizes[0], uses / uses.sum())
