"""Confidence sequences: the truth is inside at all looks; fixed intervals miss it more often."""

import numpy as np
import pytest
from scipy import stats

from agreement.trust.plan.goals import multiplier

LOOKS = np.arange(80, 500)


def missed(half_widths: np.ndarray, seed: int = 1, n_series: int = 2_000) -> float:
    """Share of series of skewed values whose mean is outside the interval at some look."""
    rng = np.random.default_rng(seed)
    values = (rng.random((n_series, LOOKS[-1])) < 0.2).astype(float)
    n = np.arange(1, LOOKS[-1] + 1)
    mean, square = np.cumsum(values, axis=1) / n, np.cumsum(values**2, axis=1) / n
    error = np.sqrt((square - mean**2) / n)
    outside = np.abs(mean - 0.2)[:, LOOKS - 1] > half_widths * error[:, LOOKS - 1]
    return float(outside.any(axis=1).mean())


def test_the_truth_is_inside_at_all_looks():
    half = np.array([multiplier(n, 200, 0.95) for n in LOOKS])
    assert missed(half) <= 0.05


def test_fixed_intervals_miss_it_more_often():
    assert missed(np.full(len(LOOKS), stats.norm.ppf(0.975))) > 0.2


def test_narrowest_near_the_planned_number():
    widths = {n: multiplier(n, 200, 0.95) / np.sqrt(n) for n in (200,)}
    others = [multiplier(200, planned, 0.95) / np.sqrt(200) for planned in (20, 80, 600, 4_000)]
    assert widths[200] < min(others)


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_wider_than_a_fixed_interval(confidence):
    assert multiplier(100, 100, confidence) > stats.norm.ppf((1 + confidence) / 2)
