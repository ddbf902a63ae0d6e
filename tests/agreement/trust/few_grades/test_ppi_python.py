"""Means by ppi-python (`tests/oracle/ppi_python.json` says how they were made).

ppi-python has another population: the labelled and the unlabelled pairs are two independent samples of an infinite one.
Its estimate lam * mean(f of the unlabelled) + mean(y - lam * f of the labelled) is that of a finite pool with the slope
lam * (1 + n / unlabelled), because the mean over the pool includes the labelled pairs. Its variance is that of the
difference estimator without the finite pool, with n in the place of n - 1, plus that of the mean of the unlabelled.
"""

import numpy as np
import pytest
from scipy import stats

from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
from tests.oracles import oracle

CASES = oracle("ppi_python")["cases"]


def tuned(human, model, unlabelled):
    """The slope of ppi-python: cov(y, f) / ((1 + n / unlabelled) var(f)), from 0 to 1."""
    slope = np.cov(human, model, ddof=0)[0, 1] / np.concatenate([model, unlabelled]).var(ddof=1)
    return float(np.clip(slope / (1 + len(human) / len(unlabelled)), 0, 1))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{len(case['human'])} lam {case['lam']}")
def test_means_and_intervals(case):
    human, model, unlabelled = (np.array(case[name]) for name in ("human", "model", "unlabelled"))
    n, n_pairs = len(human), len(human) + len(unlabelled)
    lam = tuned(human, model, unlabelled) if case["lam"] is None else case["lam"]
    zeros = np.zeros(n_pairs, dtype=int)
    design = SampleDesign(zeros, zeros, np.full(n_pairs, n / n_pairs), np.arange(n_pairs) < n, True)
    weights, all_pairs = np.full((1, n_pairs), 1 / n_pairs), np.concatenate([model, unlabelled])

    pooled = difference_estimate(weights, lam * (1 + n / len(unlabelled)) * all_pairs, human, design)
    assert pooled.values[0] == pytest.approx(case["point"], abs=1e-9)

    variance = difference_estimate(weights, lam * all_pairs, human, design).variances[0]
    variance = variance / (1 - n / n_pairs) * (n - 1) / n + lam**2 * unlabelled.var() / len(unlabelled)
    margin = stats.norm.ppf((1 + case["confidence"]) / 2) * variance**0.5
    assert case["point"] - margin == pytest.approx(case["low"], abs=1e-9)
    assert case["point"] + margin == pytest.approx(case["high"], abs=1e-9)
