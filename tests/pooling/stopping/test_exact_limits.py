"""Exact limits: tail probabilities and confidence limits against scipy and against a search of all values."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from pooling.stopping.exact_limits import (
    binomial_at_most,
    hypergeometric_at_least,
    hypergeometric_at_most,
    marked_limits,
    share_limits,
    total_limits,
)

ERROR = 0.05 * (1 + 1e-9)  # a probability that equals the error is not above it


def test_the_binomial_tail_by_hand():
    # Three throws of a coin: no head 1/8, one head 3/8.
    assert binomial_at_most(1, 3, 0.5) == pytest.approx(0.5)


def test_the_hypergeometric_tail_by_hand():
    # 2 of 4 are marked, 2 are drawn: 6 ways; both marked 1 way, none 1 way, one 4 ways.
    assert hypergeometric_at_most(0, 4, 2, 2) == pytest.approx(1 / 6)
    assert hypergeometric_at_most(1, 4, 2, 2) == pytest.approx(5 / 6)
    assert hypergeometric_at_least(2, 4, 2, 2) == pytest.approx(1 / 6)


@given(st.integers(0, 400), st.data())
def test_the_binomial_tail_is_that_of_scipy(n, data):
    k, p = data.draw(st.integers(-1, n + 1)), data.draw(st.floats(0, 1))
    assert binomial_at_most(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), abs=1e-10)


@given(st.integers(1, 2000), st.data())
def test_the_hypergeometric_tails_are_those_of_scipy(total, data):
    marked, drawn = data.draw(st.integers(0, total)), data.draw(st.integers(0, total))
    k = data.draw(st.integers(-1, total + 1))
    assert hypergeometric_at_most(k, total, marked, drawn) == pytest.approx(
        stats.hypergeom.cdf(k, total, marked, drawn), abs=1e-9
    )
    assert hypergeometric_at_least(k, total, marked, drawn) == pytest.approx(
        stats.hypergeom.sf(k - 1, total, marked, drawn), abs=1e-9
    )


@given(st.integers(1, 300), st.data())
def test_the_limits_of_a_share_are_those_of_scipy(n, data):
    successes, confidence = data.draw(st.integers(0, n)), data.draw(st.floats(0.5, 0.999))
    expected = stats.binomtest(successes, n).proportion_ci(confidence, method="exact")
    assert share_limits(successes, n, confidence) == pytest.approx((expected.low, expected.high), abs=1e-8)


@given(st.integers(1, 60), st.data())
def test_the_limits_of_marked_ones_are_those_of_a_search(total, data):
    drawn = data.draw(st.integers(0, total))
    found = data.draw(st.integers(0, drawn))
    kept = [
        marked
        for marked in range(found, total - (drawn - found) + 1)
        if stats.hypergeom.sf(found - 1, total, marked, drawn) > ERROR
        and stats.hypergeom.cdf(found, total, marked, drawn) > ERROR
    ]
    assert marked_limits(found, drawn, total, 0.9) == (min(kept), max(kept))


@pytest.mark.slow
@given(st.integers(1, 12), st.integers(1, 12), st.data())
def test_the_limits_of_a_total_are_those_of_a_search(first, second, data):
    common = data.draw(st.integers(1, min(first, second)))
    totals = np.arange(first + second - common, 3000)
    kept = totals[
        (stats.hypergeom.cdf(common, totals, first, second) > ERROR)
        & (stats.hypergeom.sf(common - 1, totals, first, second) > ERROR)
    ]
    assert total_limits(first, second, common, 0.9) == (kept.min(), kept.max())


def test_without_common_elements_a_total_has_no_upper_limit():
    low, high = total_limits(5, 4, 0, 0.95)
    assert (low, high) == (11, inf)
    assert stats.hypergeom.pmf(0, 11, 5, 4) > 0.025 >= stats.hypergeom.pmf(0, 10, 5, 4)


@pytest.mark.parametrize(("successes", "limits"), [(0, (0.0, 0.975)), (1, (0.025, 1.0))])
def test_a_share_of_one(successes, limits):
    assert share_limits(successes, 1, 0.95) == pytest.approx(limits)


def test_a_complete_sample_leaves_no_doubt():
    assert marked_limits(3, 10, 10, 0.95) == (3, 3)
    assert marked_limits(0, 0, 0, 0.95) == (0, 0)
