"""Patterns and kernels: the form of data and coefficients that intervals resample.

Items that are equal for a coefficient are one *pattern*, which occurs a number of times. A *kernel* gives each pattern
a row of *features* such that the coefficient is a function of their sums. A data set in which the patterns occur in
other numbers (a bootstrap sample, a topic drawn twice, an item left out) has other sums and the same function, so
thousands of data sets are one matrix product. The derivative of the function gives the *influence* of each pattern: the
change of the coefficient per weight of the pattern, times the number of items.

Kernels compute in float64. If 1 - P(E) is below 1e-13 and cannot be distinguished from 0, the value is nan. Callers
count these as undefined draws; this package never returns nan.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from agreement.judgements import Grade
from agreement.weights import Weights

TINY = 1e-13

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.intp]
TopicPatterns = list[tuple[Integers, Integers]]


class Kernel(Protocol):
    """A coefficient as a function of sums of features over items."""

    @property
    def features(self) -> Floats:
        """Shape (n_patterns, n_features)."""

    def values(self, sums: Floats) -> Floats:
        """The coefficient for each row of sums of features, nan if undefined; shape (n_data_sets,)."""

    def influence(self, times: Floats) -> Floats:
        """The influence of each pattern if the patterns occur `times` times; shape (n_patterns,)."""

    def gwet(self, times: Floats) -> Floats | float:
        """The amount to add to the influence for Gwet's linearised variance; shape (n_patterns,) or 0."""


@dataclass(frozen=True)
class ChanceKernel:
    """(P(A) - P(E)) / (1 - P(E)), with P(E) = constant + sum of mixing_gh p_g' matrix p_h.

    p_g is the distribution of the grades of judge (or group of judges) g over the items of g.

    Attributes
    ----------
    agree : ndarray of float, shape (n_patterns,)
        Agreement within the item; 0 if it has only one judgement.
    paired : ndarray of float, shape (n_patterns,)
        1 if the item has two judgements or more, else 0.
    shares : ndarray of float, shape (n_patterns, n_groups, n_grades)
        The contribution of the item to the distributions.
    present : ndarray of float, shape (n_patterns, n_groups)
        The contribution of the item to the totals of the distributions.
    mixing : ndarray of float, shape (n_groups, n_groups)
        Symmetric.
    matrix : ndarray of float, shape (n_grades, n_grades)
        Symmetric.
    constant : float
        The part of P(E) that does not depend on the data.
    """

    agree: Floats
    paired: Floats
    shares: Floats
    present: Floats
    mixing: Floats
    matrix: Floats
    constant: float

    @property
    def features(self) -> Floats:
        """Shape (n_patterns, n_features)."""
        flat = self.shares.reshape(len(self.agree), -1)
        return np.column_stack([self.agree, self.paired, self.present, flat])

    def values(self, sums: Floats) -> Floats:
        """The coefficient for each row of sums of features, nan if undefined; shape (n_data_sets,)."""
        observed, _, expected = self._parts(sums)
        divisor = 1 - expected
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(divisor > TINY, (observed - expected) / divisor, np.nan)

    def influence(self, times: Floats) -> Floats:
        """The influence of each pattern if the patterns occur `times` times; shape (n_patterns,)."""
        n, sums = times.sum(), times @ self.features
        (observed,), (distributions,), (expected,) = self._parts(sums[None])
        on_observed = n / sums[1] * (self.agree - observed * self.paired)
        totals = sums[2 : 2 + len(self.mixing)]
        on_shares = n / totals[:, None] * (self.shares - distributions * self.present[:, :, None])
        slope = 2 * self.mixing @ distributions @ self.matrix
        on_expected = (on_shares * slope).sum(axis=(1, 2))
        value = (observed - expected) / (1 - expected)
        return np.asarray((on_observed - (1 - value) * on_expected) / (1 - expected))

    def gwet(self, times: Floats) -> Floats:
        """The amount to add for Gwet's linearised variance, in which the number of paired items is fixed."""
        sums = times @ self.features
        return np.asarray(self.values(sums[None]) * (times.sum() / sums[1] * self.paired - 1))

    def _parts(self, sums: Floats) -> tuple[Floats, Floats, Floats]:
        """P(A), the distributions, and P(E) for each row of sums."""
        groups = len(self.mixing)
        # A sample without grades of a judge divides by 0, and counts as an undefined draw.
        with np.errstate(divide="ignore", invalid="ignore"):
            observed = sums[:, 0] / sums[:, 1]
            # Without a part of the data, two judges may have no item: their shares are nan, and so is the coefficient.
            shares = sums[:, 2 + groups :].reshape(len(sums), groups, -1) / sums[:, 2 : 2 + groups, None]
            expected = self.constant + ((self.mixing @ shares) * (shares @ self.matrix)).sum(axis=(1, 2))
        return observed, shares, expected


def chance_kernel(
    agree: Floats, paired: Floats, shares: Floats, present: Floats, weights: Weights, chance: str | None
) -> ChanceKernel:
    """The kernel of a model of chance (`agreement.coefficients.formulas`).

    Shapes: `agree`, `paired` (n_patterns,); `shares` (n_patterns, n_groups, n_grades); `present` as its first two axes.
    """
    matrix, n_grades, groups = weights.floats(), shares.shape[2], shares.shape[1]
    mean = float(matrix.sum()) / n_grades**2
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
class SampledItems:
    """The items of a sample: the pattern of each, and what identifies it.

    Shapes: `pattern`, `query_ids`, `doc_ids` (n_items,).
    """

    pattern: Integers
    query_ids: npt.NDArray[Any]
    doc_ids: npt.NDArray[Any]


@dataclass(frozen=True)
class Sample:
    """Patterns of items with the number of their occurrences.

    Attributes
    ----------
    kernel : Kernel
        The coefficient as a function of the patterns.
    times : ndarray of float, shape (n_patterns,)
        How often each pattern occurs.
    topics : list of (ndarray of int, ndarray of int)
        For each topic, the patterns that occur in it and how often; empty if topics were not requested.
    uses : dict of grade to int
        For each used grade, how often the judge who used it least used it.
    items : SampledItems or None
        The items, which pair them with those of another sample; None if topics were not requested.
    """

    kernel: Kernel
    times: Floats
    topics: TopicPatterns
    uses: dict[Grade, int]
    items: SampledItems | None = None


def distinct(rows: npt.NDArray[np.integer]) -> tuple[Integers, Integers]:
    """The distinct rows of a table of whole numbers from 0.

    Shapes: `rows` (n_items, n_columns); `first` (n_patterns,); `pattern` (n_items,).
    """
    bases = [int(top) + 1 for top in rows.max(axis=0, initial=0)]
    # Python integers, because the product of many columns overflows int64.
    if np.prod(np.array(bases, dtype=object)) >= 2**63:
        # Each row is a pattern of its own, which only takes more time.
        return np.arange(len(rows)), np.arange(len(rows))
    keys = np.zeros(len(rows), np.int64)
    for column, base in zip(rows.T, bases, strict=True):
        keys = keys * base + column
    _, first, pattern = np.unique(keys, return_index=True, return_inverse=True)
    return first, pattern


def by_topic(pattern: Integers, topic: Integers) -> TopicPatterns:
    """For each topic the patterns that occur in it and how often.

    Shapes: `pattern`, `topic` (n_items,).
    """
    order = np.argsort(topic, kind="stable")
    starts = np.flatnonzero(np.diff(topic[order])) + 1
    return [np.unique(part, return_counts=True) for part in np.split(pattern[order], starts) if len(part)]
