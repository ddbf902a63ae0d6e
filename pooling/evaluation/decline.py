"""Fit the decline of the number of new relevant documents with rank, C n**s - 1, and extrapolate it.

`pooling.evaluation.undiscovered` has the formulas, the undefined cases and the source.
"""

from dataclasses import dataclass

import numpy as np

MIN_RANKS, MIN_RANKS_WITH_NEW = 5, 3
SLOPES = (-60.0, 60.0)  # a slope of -60 reduces the number by 2**-60 from rank 1 to 2; floats cannot show a steeper one
STEPS = 200
FLAT = -1e-9  # a slope above this is a rounding error; equal numbers at all ranks are not a decline


@dataclass(frozen=True)
class Decline:
    """The fitted curve f(n) = scale * n**slope - 1.

    Attributes
    ----------
    n_relevant : int
        Relevant documents found to the depth of the pool.
    n_ranks_with_new : int
        Ranks with at least one new relevant document.
    scale, slope : float or None
        The parameters C and s; None if undefined.
    r_squared : float or None
        Goodness of fit, at most 1; None if undefined or if all numbers are equal.
    undiscovered : float or None
        Relevant documents expected below the depth, down to the limit; None if undefined.
    half_predicted : float or None
        The number that a fit of the first half of the ranks predicts for the second half; None if that fit is
        undefined.
    half_found : int or None
        The number found in the second half; None if `half_predicted` is None.
    reason : str
        Why the curve is undefined; "" if it is defined.
    """

    n_relevant: int
    n_ranks_with_new: int
    scale: float | None = None
    slope: float | None = None
    r_squared: float | None = None
    undiscovered: float | None = None
    half_predicted: float | None = None
    half_found: int | None = None
    reason: str = ""

    def at(self, ranks: np.ndarray) -> list[float | None]:
        """The curve at these ranks, not below 0; None if undefined."""
        if self.scale is None or self.slope is None:
            return [None] * len(ranks)
        return [float(value) for value in _curve(ranks, self.scale, self.slope)]


def fitted_decline(new_relevant: np.ndarray, limit: int, reason: str = "") -> Decline:
    """Fit the decline of new relevant documents.

    Shapes: `new_relevant` (depth,).
    """
    n_relevant, n_ranks_with_new = int(new_relevant.sum()), int((new_relevant > 0).sum())
    reason = reason or _too_few(new_relevant)
    if reason:
        return Decline(n_relevant, n_ranks_with_new, reason=reason)
    scale, slope = fitted_power(new_relevant + 1)
    if slope > FLAT:
        return Decline(n_relevant, n_ranks_with_new, reason="new relevant documents do not become fewer with rank")
    half = len(new_relevant) // 2
    predicted = _predicted(new_relevant[:half], len(new_relevant))
    return Decline(
        n_relevant,
        n_ranks_with_new,
        scale=scale,
        slope=slope,
        r_squared=_r_squared(new_relevant, scale, slope),
        undiscovered=float(_curve(np.arange(len(new_relevant) + 1, limit + 1), scale, slope).sum()),
        half_predicted=predicted,
        half_found=None if predicted is None else int(new_relevant[half:].sum()),
    )


def fitted_power(values: np.ndarray) -> tuple[float, float]:
    """Fit C n**s to the values at n = 1, 2, ... by Poisson regression.

    Shapes: `values` (n,).
    """
    logs = np.log(np.arange(1, len(values) + 1))
    target = (values * logs).sum() / values.sum()
    low, high = SLOPES
    for _ in range(STEPS):  # bisection: the mean of log n under weights n**s grows with s
        middle = (low + high) / 2
        # Divided by the largest weight, so that none overflows.
        weights = np.exp(middle * logs - max(0.0, middle * logs[-1]))
        low, high = (middle, high) if (weights * logs).sum() < target * weights.sum() else (low, middle)
    slope = (low + high) / 2
    return float(values.sum() / np.exp(slope * logs).sum()), float(slope)


def _too_few(new_relevant: np.ndarray) -> str:
    if len(new_relevant) < MIN_RANKS:
        return f"the pool has {len(new_relevant)} ranks; at least {MIN_RANKS} are needed"
    with_new = int((new_relevant > 0).sum())
    if with_new < MIN_RANKS_WITH_NEW:
        return f"only {with_new} ranks have new relevant documents; at least {MIN_RANKS_WITH_NEW} are needed"
    return ""


def _predicted(new_relevant: np.ndarray, depth: int) -> float | None:
    if _too_few(new_relevant):
        return None
    scale, slope = fitted_power(new_relevant + 1)
    return float(_curve(np.arange(len(new_relevant) + 1, depth + 1), scale, slope).sum()) if slope <= FLAT else None


def _curve(ranks: np.ndarray, scale: float, slope: float) -> np.ndarray:
    return np.asarray(np.maximum(scale * ranks.astype(np.float64) ** slope - 1, 0.0))


def _r_squared(new_relevant: np.ndarray, scale: float, slope: float) -> float | None:
    deviations = ((new_relevant - new_relevant.mean()) ** 2).sum()
    residuals = ((new_relevant - (scale * np.arange(1.0, len(new_relevant) + 1) ** slope - 1)) ** 2).sum()
    return float(1 - residuals / deviations) if deviations > 0 else None
