"""Patterns and kernels, the form of data and coefficients that intervals resample, and the jackknife.

Items that are equal for a coefficient are one *pattern*, which occurs a number of times. A *kernel* gives each pattern
a row of *features* such that the coefficient is a function of their sums. A data set in which the patterns occur in
other numbers (a bootstrap sample, a topic drawn twice, an item left out) has other sums and the same function, so
thousands of data sets are one matrix product. The derivative of the function gives the *influence* of each pattern: the
change of the coefficient per weight of the pattern, times the number of items.

Kernels compute in float64. If 1 - P(E) is below 1e-13 and cannot be distinguished from 0, the value is nan. Callers
count these as undefined draws; this package never returns nan.

The jackknife is the standard error of a coefficient from its values with each part of the data left out once. A part is
an item or a topic. With m parts, and value_i the coefficient without part i,

    se^2 = (m - 1) / m * sum of (value_i - mean of the values)^2

Parts without which the coefficient is undefined are left out of m and counted. Values that differ by 1e-13 or less are
equal except for rounding, and have the standard error 0. The limits are value -+ t se, where t is a quantile of
Student's t with m - 1 degrees of freedom. With topics as parts, this is a cluster-robust interval, which
`agreement.intervals.item_limits` extends.

References
----------
J. W. Tukey (1958). Bias and confidence in not-quite large samples (abstract). Annals of Mathematical Statistics 29(2),
614.
B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 11. Chapman and Hall.
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
# What is left out, by the name of the interval.
PARTS = {"jackknife": "item", "jackknife_topics": "topic"}
FISHER = "jackknife_fisher"


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


@dataclass(frozen=True)
class Jackknife:
    """Standard errors by the jackknife; returned by `jackknife`.

    Attributes
    ----------
    se : ndarray of float, shape (...)
        The standard errors; nan if fewer than two parts can be left out.
    parts : ndarray of int, shape (...)
        The number of parts.
    undefined : ndarray of int, shape (...)
        The number of parts without which the coefficient is undefined.
    largest : ndarray of float, shape (...)
        The largest share of one part in the variance; 0 if the variance is 0.
    """

    se: Floats
    parts: npt.NDArray[np.int64]
    undefined: npt.NDArray[np.int64]
    largest: Floats

    @property
    def used(self) -> npt.NDArray[np.int64]:
        """The number of parts without which the coefficient is defined; the t quantile has one degree less."""
        return self.parts - self.undefined


def jackknife(values: Floats, times: npt.NDArray[np.number]) -> Jackknife:
    """Standard errors of one or many coefficients.

    Shapes: `values`, `times` (n_values, ...).
    """
    used = np.where(np.isfinite(values), times, 0)
    m = used.sum(axis=0)
    highest = np.where(used > 0, values, -np.inf).max(axis=0, initial=-np.inf)
    # Differences from the highest value, so that equal values have a mean and squares of exactly 0.
    below = np.where(used > 0, values - highest, 0)
    below = np.where(below.min(axis=0, initial=0) < -TINY, below, 0)
    mean = (used * below).sum(axis=0) / np.maximum(m, 1)
    squares = np.where(used > 0, (below - mean) ** 2, 0)
    spread = (used * squares).sum(axis=0)
    # The result without two parts is replaced by nan below; here, only the division must be possible.
    se = np.sqrt((m - 1).clip(0) / np.maximum(m, 1) * spread)
    parts = times.sum(axis=0)
    largest = np.divide(squares.max(axis=0, initial=0), spread, out=np.zeros(np.shape(spread)), where=spread > 0)
    return Jackknife(np.where(m >= 2, se, np.nan), parts.astype(np.int64), (parts - m).astype(np.int64), largest)


def t_quantile(confidence: float, parts: npt.ArrayLike) -> Floats:
    """The quantile of Student's t, with one degree of freedom less than parts, for a standard error."""
    from scipy.special import stdtrit  # takes a moment to import, and most callers need no interval

    # One part has no standard error, so its quantile is not used.
    return np.asarray(stdtrit(np.maximum(parts, 2) - 1, (1 + confidence) / 2), np.float64)


def describe_jackknife(interval: str) -> str:
    """The method of an interval in words: "jackknife: each item left out once"."""
    if interval == FISHER:
        return "jackknife on Fisher's scale: each item left out once"
    return f"{interval.replace('_', ' over ')}: each {PARTS[interval]} left out once"
