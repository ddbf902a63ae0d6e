"""What intervals resample: distinct items with their numbers, and coefficients as functions of sums over items.

Items that look the same to a coefficient are one *pattern* that occurs a number of times. A *kernel* gives each
pattern a row of *features*, such that the coefficient is a function of their sums. A data set in which the patterns
occur otherwise (a bootstrap draw, a topic drawn twice, an item left out) has other sums and the same function, so
that thousands of data sets are one product of matrices. The derivative of the function gives each pattern's
*influence*: how the coefficient moves, times the number of items, with the weight of the pattern.

Kernels compute in float64; where 1 - P(E) is below 1e-13, and so not to be told from 0, a value is nan, which is
counted as an undefined draw and leaves this module in no other way.
"""

from dataclasses import dataclass

import numpy as np

from agreement.weights import Weights

TINY = 1e-13


@dataclass(frozen=True)
class ChanceKernel:
    """(P(A) - P(E)) / (1 - P(E)), where P(E) = constant + sum of mixing_gh p_g' matrix p_h.

    p_g is the distribution of grades of judge (or group of judges) g, by its own items.

    Attributes
    ----------
    agree : ndarray of float, shape (n_patterns,)
        Agreement within the item; 0 where it has one judgement only.
    paired : ndarray of float, shape (n_patterns,)
        1 where the item has two judgements or more, else 0.
    shares : ndarray of float, shape (n_patterns, n_groups, n_grades)
        What the item adds to the distributions.
    present : ndarray of float, shape (n_patterns, n_groups)
        What it adds to their totals.
    mixing : ndarray of float, shape (n_groups, n_groups)
    matrix : ndarray of float, shape (n_grades, n_grades)
        Both symmetric.
    constant : float
    """

    agree: np.ndarray
    paired: np.ndarray
    shares: np.ndarray
    present: np.ndarray
    mixing: np.ndarray
    matrix: np.ndarray
    constant: float

    @property
    def features(self) -> np.ndarray:
        """Shape (n_patterns, n_features)."""
        flat = self.shares.reshape(len(self.agree), -1)
        return np.column_stack([self.agree, self.paired, self.present, flat])

    def values(self, sums: np.ndarray) -> np.ndarray:
        """The coefficient of each row of sums of features, nan where undefined; shape (n_data_sets,)."""
        observed, _, expected = self._parts(sums)
        room = 1 - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(room > TINY, (observed - expected) / room, np.nan)

    def influence(self, times: np.ndarray) -> np.ndarray:
        """Each pattern's influence where the patterns occur so many times; shape (n_patterns,)."""
        n, sums = times.sum(), times @ self.features
        (observed,), (given,), (expected,) = self._parts(sums[None])
        on_observed = n / sums[1] * (self.agree - observed * self.paired)
        totals = sums[2 : 2 + len(self.mixing)]
        on_shares = n / totals[:, None] * (self.shares - given * self.present[:, :, None])
        slope = 2 * self.mixing @ given @ self.matrix
        on_expected = (on_shares * slope).sum(axis=(1, 2))
        value = (observed - expected) / (1 - expected)
        return (on_observed - (1 - value) * on_expected) / (1 - expected)

    def gwet(self, times: np.ndarray) -> np.ndarray:
        """What Gwet's linearisation adds to the influence: it takes the number of paired items as given."""
        sums = times @ self.features
        return self.values(sums[None]) * (times.sum() / sums[1] * self.paired - 1)

    def _parts(self, sums: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """P(A), the distributions, and P(E) of each row of sums."""
        groups = len(self.mixing)
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = sums[:, 0] / sums[:, 1]
            given = sums[:, 2 + groups :].reshape(len(sums), groups, -1) / sums[:, 2 : 2 + groups, None]
        return observed, given, self.constant + ((self.mixing @ given) * (given @ self.matrix)).sum(axis=(1, 2))


def chance_kernel(agree, paired, shares, present, weights: Weights, chance: str | None) -> ChanceKernel:
    """The kernel of one of the models of `agreement.coefficients.chance`; more than one group are judges of their own.

    Parameters
    ----------
    agree, paired, shares, present : ndarray
        As for `ChanceKernel`.
    weights : Weights
    chance : str or None
        "unpooled" takes pairs of different groups, any other model the one group that there is.
    """
    matrix, n_grades, groups = weights.floats(), shares.shape[2], shares.shape[1]
    mean = matrix.sum() / n_grades**2
    if chance is None or chance == "uniform":
        constant, mixing = (0.0 if chance is None else mean), np.zeros((groups, groups))
    elif chance == "gwet":
        constant, mixing = mean * n_grades / (n_grades - 1), np.ones((1, 1))
        matrix = -constant * np.eye(n_grades)
    elif chance == "unpooled":
        constant, mixing = 0.0, (1 - np.eye(groups)) / (groups * (groups - 1))
    else:
        constant, mixing = 0.0, np.ones((1, 1))
    return ChanceKernel(agree, paired, shares, present, mixing, matrix, constant)


@dataclass(frozen=True)
class Sample:
    """Patterns of items, how often they occur, and where.

    Attributes
    ----------
    kernel : ChanceKernel or other with `features`, `values` and `influence`
    times : ndarray of int, shape (n_patterns,)
        How often each pattern occurs.
    topics : list of (ndarray of int, ndarray of int)
        For each topic, which patterns occur in it and how often; empty where topics are not known.
    uses : dict of grade to int
        How often the grade was given by the judge who gave it least.
    """

    kernel: ChanceKernel
    times: np.ndarray
    topics: list[tuple[np.ndarray, np.ndarray]]
    uses: dict


def distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct ones of many rows of whole numbers from 0.

    Parameters
    ----------
    rows : ndarray of int, shape (n_items, n_columns)

    Returns
    -------
    first : ndarray of int, shape (n_patterns,)
        Where each pattern occurs first.
    pattern : ndarray of int, shape (n_items,)
        The pattern of each row. Rows too long for a whole number of 63 bits are taken as distinct.
    """
    bases = [int(top) + 1 for top in rows.max(axis=0, initial=0)]
    if np.prod(np.array(bases, dtype=object)) >= 2**63:
        return np.arange(len(rows)), np.arange(len(rows))
    keys = np.zeros(len(rows), np.int64)
    for column, base in zip(rows.T, bases, strict=True):
        keys = keys * base + column
    _, first, pattern = np.unique(keys, return_index=True, return_inverse=True)
    return first, pattern


def by_topic(pattern: np.ndarray, topic: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """For each topic the patterns that occur in it, and how often; both arguments of shape (n_items,)."""
    order = np.argsort(topic, kind="stable")
    starts = np.flatnonzero(np.diff(topic[order])) + 1
    return [np.unique(part, return_counts=True) for part in np.split(pattern[order], starts) if len(part)]
