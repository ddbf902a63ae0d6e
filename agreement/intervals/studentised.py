"""The studentised bootstrap ("bootstrap-t") of items or topics.

Each sample has its own standard error, by the jackknife. The quantiles of (value of the sample - value) / (its standard
error) replace those of the normal distribution. If relevant documents are rare or in few topics, values and standard
errors depend on each other, and only this interval is calibrated (docs/studies/coverage.md). Draws without a value,
with the value 1 or -1, or with the standard error 0 are left out. The quantiles of the others are wrong if these are
many: if a tenth of the draws is left out, there is no interval.

Samples of items are compared on Fisher's scale, z = atanh(value), so that the limits are inside (-1, 1). Samples of
topics are compared on the scale of the coefficient, which covers more often with ten topics, and limits beyond 1 or -1
are set to 1 or -1.

References
----------
B. Efron and R. J. Tibshirani (1993). An Introduction to the Bootstrap, chapter 12. Chapman and Hall.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from agreement.intervals.defaults import IntervalRequest
from agreement.intervals.kernel import TINY, Floats, jackknife

BLOCK = 2_000_000  # numbers in memory at once
USABLE = 0.9  # the share of the draws that must have a standard error


class Values(Protocol):
    """The part of a kernel that samples need."""

    def values(self, sums: Floats) -> Floats:
        """The coefficient for each row of sums of features, nan if undefined; shape (n_data_sets,)."""


@dataclass(frozen=True)
class Studentised:
    """A studentised interval.

    Attributes
    ----------
    se : float or None
        The jackknife standard error; None if fewer than two parts can be left out.
    low, high : float or None
        None if the standard error is 0, the value is 1 or -1, or too few draws have a standard error.
    parts : int
        The number of parts that were left out.
    undefined : int
        The number of draws without a value or a standard error.
    usable : bool
        Whether enough draws have a standard error for an interval.
    """

    se: float | None
    low: float | None
    high: float | None
    parts: int
    undefined: int
    usable: bool = True


def studentised(kernel: Values, features: Floats, times: Floats, request: IntervalRequest, fisher: bool) -> Studentised:
    """The interval of a coefficient.

    Shapes: `features` (n_parts, n_features); `times` (n_parts,).
    """
    (value,), (error,) = _values_and_errors(kernel, features, times[None])
    se = float(error) if np.isfinite(error) else None
    parts = int(times.sum())
    if not se or abs(value) > 1 - TINY:
        return Studentised(se, None, None, parts, 0)
    transform = _fisher if fisher else _same
    z, scaled = transform(value, error)
    draws = _draws(kernel, features, times, request)
    pivots = np.concatenate([_pivots(z, *transform(values, errors)) for values, errors in draws])
    defined = pivots[np.isfinite(pivots)]
    undefined = len(pivots) - len(defined)
    if len(defined) < max(USABLE * len(pivots), 2):
        return Studentised(se, None, None, parts, undefined, usable=False)
    # In this order: the high quantile gives the low limit.
    limits = z - scaled * np.quantile(defined, [(1 + request.confidence) / 2, (1 - request.confidence) / 2])
    low, high = np.tanh(limits) if fisher else np.clip(limits, -1, 1)
    return Studentised(se, float(low), float(high), parts, undefined)


def _pivots(z: Floats, values: Floats, errors: Floats) -> Floats:
    return (values - z) / errors


def _draws(
    kernel: Values, features: Floats, times: Floats, request: IntervalRequest
) -> Iterator[tuple[Floats, Floats]]:
    """Blocks of draws: their values and standard errors, nan if undefined or 0, or if the value is 1 or -1."""
    rng, n = request.generator(), int(times.sum())
    step = max(BLOCK // features.size, 1)
    for start in range(0, request.draws, step):
        drawn = rng.multinomial(n, times / n, min(step, request.draws - start)).astype(np.float64)
        values, errors = _values_and_errors(kernel, features, drawn)
        usable = (np.abs(values) < 1 - TINY) & (errors > 0)
        yield np.where(usable, values, np.nan), np.where(usable, errors, np.nan)


def _values_and_errors(kernel: Values, features: Floats, times: Floats) -> tuple[Floats, Floats]:
    """The value of each row of `times`, and its jackknife standard error."""
    sums = times @ features
    left = (sums[:, None, :] - features).reshape(-1, features.shape[1])
    values = kernel.values(left).reshape(times.shape)
    return kernel.values(sums), jackknife(values.T, times.T).se


def _fisher(value: Floats, se: Floats) -> tuple[Floats, Floats]:
    return np.arctanh(value), se / (1 - value**2)


def _same(value: Floats, se: Floats) -> tuple[Floats, Floats]:
    return value, se
