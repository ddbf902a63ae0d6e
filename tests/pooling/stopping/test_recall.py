"""Recall with an interval from a random sample."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pooling import elusion_recall, sampled_recall


def test_a_sample_of_all_documents_by_hand():
    # All 5 sampled relevant documents were found: the lower limit is 0.025^(1/5).
    estimate = sampled_recall(5, 5)
    assert (estimate.value, estimate.high) == (1, 1)
    assert estimate.low == pytest.approx(0.025**0.2)


def test_elusion_by_hand():
    # 2 of 50 sampled ones are relevant, 500 were not judged: 20 missed; recall 80 / 100.
    estimate = elusion_recall(80, 500, 50, 2)
    assert estimate.value == 0.8
    most = max(k for k in range(2, 453) if stats.hypergeom.cdf(2, 500, k, 50) > 0.025)
    least = min(k for k in range(2, 453) if stats.hypergeom.sf(1, 500, k, 50) > 0.025)
    assert (estimate.low, estimate.high) == (80 / (80 + most), 80 / (80 + least))


@given(st.integers(1, 200), st.data())
def test_the_interval_of_a_sample_is_that_of_scipy(n_relevant, data):
    n_found, confidence = data.draw(st.integers(0, n_relevant)), data.draw(st.floats(0.5, 0.99))
    expected = stats.binomtest(n_found, n_relevant).proportion_ci(confidence, method="exact")
    estimate = sampled_recall(n_relevant, n_found, confidence=confidence)
    assert (estimate.low, estimate.high) == pytest.approx((expected.low, expected.high), abs=1e-8)


@given(st.integers(1, 50), st.integers(1, 80), st.data())
def test_recall_lies_in_its_interval(n_found, n_unjudged, data):
    n_sampled = data.draw(st.integers(1, n_unjudged))
    n_relevant = data.draw(st.integers(0, n_sampled))
    estimate = elusion_recall(n_found, n_unjudged, n_sampled, n_relevant)
    assert 0 < estimate.low <= estimate.value + 1e-12
    assert estimate.value <= estimate.high + 1e-12
    assert estimate.high <= n_found / (n_found + n_relevant)
    wider = elusion_recall(n_found, n_unjudged, n_sampled, n_relevant, confidence=0.99)
    assert wider.low <= estimate.low
    assert estimate.high <= wider.high


@given(st.integers(1, 50), st.integers(0, 80), st.data())
def test_when_everything_is_sampled_recall_is_certain(n_found, n_unjudged, data):
    n_relevant = data.draw(st.integers(0, n_unjudged))
    estimate = elusion_recall(n_found, n_unjudged, n_unjudged, n_relevant)
    recall = n_found / (n_found + n_relevant)
    assert (estimate.value, estimate.low, estimate.high) == (recall, recall, recall)


def test_undefined_recall_has_a_reason():
    assert sampled_recall(0, 0).reason == "the sample has no relevant document"
    assert elusion_recall(0, 10, 5, 1).reason == "the review found no relevant document"
    assert elusion_recall(3, 10, 0, 0).reason == "the sample is empty"
    frame = elusion_recall(3, 10, 0, 0).to_frame()
    assert frame[["value", "low", "high"]].isna().all(axis=None)
    assert "undefined (the sample is empty)" in repr(elusion_recall(3, 10, 0, 0))


def test_the_result_shows_its_sample():
    assert repr(sampled_recall(10, 9)).splitlines()[0] == (
        "RecallEstimate: recall 0.900 (95% interval 0.555 to 0.997; sampled relevant documents, n = 10)"
    )


def test_elusion_intervals_contain_recall_as_often_as_stated():
    rng, n_found, n_unjudged, n_missed, hits = np.random.default_rng(9), 60, 600, 30, 0
    for relevant in rng.hypergeometric(n_missed, n_unjudged - n_missed, 120, size=400).tolist():
        estimate = elusion_recall(n_found, n_unjudged, 120, relevant)
        hits += estimate.low <= n_found / (n_found + n_missed) <= estimate.high
    assert hits / 400 >= 0.93  # 0.95 or more in theory; two standard errors are 0.02


def test_sampled_intervals_contain_recall_as_often_as_stated():
    rng, hits = np.random.default_rng(10), 0
    for found in rng.binomial(25, 0.8, size=400).tolist():
        estimate = sampled_recall(25, found)
        hits += estimate.low <= 0.8 <= estimate.high
    assert hits / 400 >= 0.93


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: sampled_recall(3, 4), "n_found must be at most n_relevant, 3, not 4"),
        (lambda: sampled_recall(-1, 0), "n_relevant must be a whole number from 0, not -1"),
        (lambda: elusion_recall(1, 10, 11, 0), "n_sampled must be at most n_unjudged, 10, not 11"),
        (lambda: elusion_recall(1, 10, 5, 6), "n_relevant must be at most n_sampled, 5, not 6"),
        (lambda: sampled_recall(3, 2, confidence=0), "confidence must be a number between 0 and 1, not 0"),
    ],
)
def test_invalid_numbers_are_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        call()
