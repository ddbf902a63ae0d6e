"""How the number of new relevant documents declines with rank: the fit of C n**s - 1, and what it says of deeper ranks.

The formulas, the cases that are undefined and the source stand in `pooling.evaluation.undiscovered`.
"""

from dataclasses import dataclass

import numpy as np

MIN_RANKS, MIN_RANKS_WITH_NEW = 5, 3
SLOPES = (-60.0, 60.0)  # 2**-60 of the first rank's number at the second: no decline is steeper in floats
STEPS = 200
FLAT = -1e-9  # a slope above is rounding: equal numbers at all ranks are no decline


@dataclass(frozen=True)
class Decline:
    """The fitted curve f(n) = scale * n**slope - 1.

    Attributes
    ----------
    n_relevant : int
        Found to the depth of the pool.
    n_ranks_with_new : int
        Ranks at which there was something new.
    scale, slope : float or None
        None where undefined.
    r_squared : float or None
        Goodness of fit, at most 1; None where undefined, and where the numbers are all the same.
    missed : float or None
        Relevant documents expected below the depth, down to the limit.
    half_predicted : float or None
        What a fit of the first half of the ranks predicts for the others; None where that fit is undefined.
    half_found : int or None
        What was found there.
    reason : str
        Why it is undefined; "" where it is not.
    """

    n_relevant: int
    n_ranks_with_new: int
    scale: float | None = None
    slope: float | None = None
    r_squared: float | None = None
    missed: float | None = None
    half_predicted: float | None = None
    half_found: int | None = None
    reason: str = ""

    def at(self, ranks: np.ndarray) -> list[float | None]:
        """The curve at some ranks, not below 0; None where undefined."""
        if self.missed is None:
            return [None] * len(ranks)
        return _curve(ranks, self.scale, self.slope).tolist()


def fitted_decline(found: np.ndarray, limit: int, reason: str = "") -> Decline:
    """The decline of new relevant documents.

    Parameters
    ----------
    found : ndarray of int, shape (depth,)
        New relevant documents at ranks 1, 2, ...
    limit : int
        The last rank of the extrapolation.
    reason : str
        Why it is undefined, where that is known already.
    """
    counts = {"n_relevant": int(found.sum()), "n_ranks_with_new": int((found > 0).sum())}
    reason = reason or _too_few(found)
    if reason:
        return Decline(**counts, reason=reason)
    scale, slope = fitted_power(found + 1)
    if slope > FLAT:
        return Decline(**counts, reason="new relevant documents do not become fewer with rank")
    half = len(found) // 2
    predicted = _predicted(found[:half], len(found))
    return Decline(
        **counts,
        scale=scale,
        slope=slope,
        r_squared=_r_squared(found, scale, slope),
        missed=float(_curve(np.arange(len(found) + 1, limit + 1), scale, slope).sum()),
        half_predicted=predicted,
        half_found=None if predicted is None else int(found[half:].sum()),
    )


def fitted_power(values: np.ndarray) -> tuple[float, float]:
    """C and s of the Poisson regression of positive values at 1, 2, ... on C n**s.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Positive; two or more.
    """
    logs = np.log(np.arange(1, len(values) + 1))
    wanted = (values * logs).sum() / values.sum()
    low, high = SLOPES
    for _ in range(STEPS):  # the mean of log n under weights n**s grows with s
        middle = (low + high) / 2
        weights = np.exp(middle * logs - max(0.0, middle * logs[-1]))
        low, high = (middle, high) if (weights * logs).sum() < wanted * weights.sum() else (low, middle)
    slope = (low + high) / 2
    return float(values.sum() / np.exp(slope * logs).sum()), float(slope)


def _too_few(found: np.ndarray) -> str:
    if len(found) < MIN_RANKS:
        return f"the pool is {len(found)} deep; {MIN_RANKS} ranks or more are needed"
    with_new = int((found > 0).sum())
    if with_new < MIN_RANKS_WITH_NEW:
        return f"new relevant documents at {with_new} ranks only; {MIN_RANKS_WITH_NEW} or more are needed"
    return ""


def _predicted(found: np.ndarray, depth: int) -> float | None:
    if _too_few(found):
        return None
    scale, slope = fitted_power(found + 1)
    return float(_curve(np.arange(len(found) + 1, depth + 1), scale, slope).sum()) if slope <= FLAT else None


def _curve(ranks: np.ndarray, scale: float, slope: float) -> np.ndarray:
    return np.maximum(scale * ranks.astype(np.float64) ** slope - 1, 0.0)


def _r_squared(found: np.ndarray, scale: float, slope: float) -> float | None:
    deviations = ((found - found.mean()) ** 2).sum()
    residuals = ((found - (scale * np.arange(1.0, len(found) + 1) ** slope - 1)) ** 2).sum()
    return float(1 - residuals / deviations) if deviations > 0 else None
