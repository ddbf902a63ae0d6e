"""The score-type intervals of all pairs of judges at once (`agreement.intervals.score_interval`)."""

import numpy as np
import numpy.typing as npt

from agreement.coefficients.by_name import CHANCE_OF
from agreement.coefficients.formulas import fits, terms
from agreement.estimate import ALPHA
from agreement.intervals.kernel import Floats
from agreement.intervals.score_interval import IF_ALL_AGREE, OF_PAIRS, OF_SHARES, goodness_of_fit_of, wilson_of
from agreement.weights import IDENTITY, Weights, weights_of

Integers = npt.NDArray[np.int64]


def scores_of_tables(tables: Integers, name: str, weights: Weights, confidence: float) -> tuple[Floats, Floats]:
    """The limits of a coefficient of each table; nan where it has no score-type interval.

    Alpha takes no weights. Limits of tables without a value have no meaning.

    Shapes: `tables` (n_tables, n_grades, n_grades); the results (n_tables,).
    """
    size = tables.shape[1]
    weights = weights_of(IDENTITY, size) if name == ALPHA else weights
    observed, expected = _agreement(tables, name, weights)
    holds = observed == 1
    if size == 2 and weights.name == IDENTITY and name in (*OF_PAIRS, *IF_ALL_AGREE):
        holds = holds | (name in OF_PAIRS)
        limits = _of_pairs(tables, name, confidence)
    else:
        holds = holds | (name in OF_SHARES[:2] and weights.name == IDENTITY)
        limits = wilson_of(observed, np.maximum(tables.sum(axis=(1, 2)), 1).astype(np.float64), confidence)
        with np.errstate(divide="ignore", invalid="ignore"):
            limits = (limits[0] - expected) / (1 - expected), (limits[1] - expected) / (1 - expected)
    return np.where(holds, limits[0], np.nan), np.where(holds, limits[1], np.nan)


def _agreement(tables: Integers, name: str, weights: Weights) -> tuple[Floats, Floats]:
    """P(A) and P(E), that of alpha at the nominal level; 0 for tables without items."""
    largest = int(tables.sum(axis=(1, 2)).max(initial=0))
    counts = tables if fits(largest, tables.shape[1], weights) else tables.astype(object)
    chance = "pooled" if name == ALPHA else CHANCE_OF[name]
    observed, expected, denominator = terms(counts, weights, chance)
    some = np.where(denominator == 0, 1, denominator)
    shares = [np.asarray(part / some, np.float64) for part in (observed, expected)]
    if name == ALPHA:
        n = 2.0 * tables.sum(axis=(1, 2))
        shares[1] = 1 - (1 - shares[1]) * n / np.maximum(n - 1, 1)
    return shares[0], shares[1]


def _of_pairs(tables: Integers, name: str, confidence: float) -> tuple[Floats, Floats]:
    low, high = goodness_of_fit_of(tables, confidence)
    if name != ALPHA:
        return low, high
    shrink = 1 - 1 / (2 * np.maximum(tables.sum(axis=(1, 2)), 1))
    return 1 - shrink * (1 - low), 1 - shrink * (1 - high)
