"""Calibration of probabilities: by hand, scikit-learn, the decomposition, degenerate input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from agreement.trust import calibration
from agreement.trust.calibration import is_probability
from tests.agreement.trust.judged_runs import PAIR


def found(relevant, stated, **options):
    pairs = pd.DataFrame([("1", f"d{number}") for number in range(len(stated))], columns=PAIR)
    return calibration(pairs.assign(relevance=relevant), pairs.assign(relevance=stated), rel=1, **options)


def test_by_hand():
    """0.1 and 0.3 are one class of two, 0.9 the other: means 0.2 and 0.9, relevant 1/2 and 1."""
    result = found([0, 1, 1], [0.1, 0.3, 0.9], bins=2)
    assert result.bins["stated"].tolist() == pytest.approx([0.2, 0.9])
    assert result.bins["observed"].tolist() == [0.5, 1]
    assert result.bins["n"].tolist() == [2, 1]
    assert result.brier == pytest.approx((0.01 + 0.49 + 0.01) / 3)
    assert result.ece == pytest.approx(2 / 3 * 0.3 + 1 / 3 * 0.1)
    assert result.uncertainty == pytest.approx(2 / 9)


def test_scikit_learn_has_the_same_values():
    metrics, curves = pytest.importorskip("sklearn.metrics"), pytest.importorskip("sklearn.calibration")
    rng = np.random.default_rng(1)
    stated = rng.random(500)
    relevant = (rng.random(500) < stated**1.5).astype(int)
    result = found(relevant, stated)
    assert result.brier == pytest.approx(metrics.brier_score_loss(relevant, stated))
    observed, mean = curves.calibration_curve(relevant, stated, n_bins=10)
    assert result.bins["observed"].tolist() == pytest.approx(observed.tolist())
    assert result.bins["stated"].tolist() == pytest.approx(mean.tolist())


@given(stated=hnp.arrays(float, 30, elements=st.floats(0, 1)), seed=st.integers(0, 50))
def test_parts_add_up_and_are_in_their_range(stated, seed):
    relevant = np.random.default_rng(seed).integers(0, 2, 30)
    result = found(relevant, stated)
    assert result.reliability - result.resolution + result.uncertainty + result.within == pytest.approx(result.brier)
    assert 0 <= result.ece <= 1
    assert result.bins["n"].sum() == 30
    means = result.bins["stated"].to_numpy()[np.minimum((stated * 10).astype(int), 9)]
    assert ((means - relevant) ** 2).mean() == pytest.approx(result.brier - result.within)


def test_a_calibrated_model_has_a_small_ece_and_a_sure_and_wrong_one_a_large_one():
    rng = np.random.default_rng(2)
    stated = rng.random(20_000)
    assert found((rng.random(20_000) < stated).astype(int), stated).ece < 0.02
    assert found(np.zeros(100, int), np.ones(100)).ece == 1


def test_one_is_in_the_last_class_and_zero_in_the_first():
    assert found([1, 0], [1.0, 0.0]).bins["n"].tolist() == [1, 0, 0, 0, 0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("grades", "expected"), [([0, 1], False), ([0, 0.5], True), ([0.5, 1.2], False), ([0, 1, 2], False)]
)
def test_probabilities_are_recognised(grades, expected):
    rows = pd.DataFrame({"query_id": "1", "doc_id": [f"d{number}" for number in range(len(grades))]})
    assert is_probability(rows.assign(relevance=grades)) is expected


def test_refusals():
    with pytest.raises(ValueError, match=r"A probability must be from 0 to 1, not 1\.5"):
        found([1], [1.5])
    with pytest.raises(ValueError, match="bins must be"):
        found([1], [0.5], bins=1)
    rows = pd.DataFrame({"query_id": ["1"], "doc_id": ["a"], "relevance": [1]})
    with pytest.raises(ValueError, match="no document in common"):
        calibration(rows, rows.assign(doc_id="b"), rel=1)
