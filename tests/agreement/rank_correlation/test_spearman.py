"""Spearman's and Pearson's correlation: by hand, published, against scipy, properties, and undefined cases."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr, spearmanr

from agreement.rank_correlation import pearson, spearman


def test_by_hand():
    # ranks 1 2 3 4 and 2 1 3 4: d = -1, 1, 0, 0; 1 - 6 * 2 / (4 * 15) = 0.8
    assert spearman([4, 3, 2, 1], [3, 4, 2, 1]).value == 0.8
    # mean ranks 1.5 1.5 3 and 1 2 3: centred -.5 -.5 1 and -1 0 1; 1.5 / sqrt(1.5 * 2) = sqrt(3) / 2
    assert spearman([2, 2, 1], [3, 2, 1]).value == pytest.approx(3**0.5 / 2, abs=1e-15)
    # differences from the mean -1 0 1 and -1 -1 2: 3 / sqrt(2 * 6)
    assert pearson([1, 2, 3], [0, 0, 3]).value == pytest.approx(3 / 12**0.5, abs=1e-15)


def test_published():
    # Anscombe (1973), Graphs in statistical analysis, American Statistician 27(1): the first of the four sets, 0.816
    x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]

    assert round(pearson(x, y).value, 3) == 0.816
    # the documentation of scipy.stats.spearmanr
    assert spearman([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]).value == pytest.approx(0.8207826816681233, abs=1e-15)


@pytest.mark.parametrize("grades", [3, 1000])
@pytest.mark.parametrize("n", [5, 129])
def test_against_scipy(n, grades):
    x, y = np.random.default_rng([n, grades]).integers(grades, size=(2, n)) / 7

    assert spearman(x, y).value == pytest.approx(spearmanr(x, y).statistic, abs=1e-12)
    assert pearson(x, y).value == pytest.approx(pearsonr(x, y).statistic, abs=1e-12)


whole = st.integers(-50, 50)
pairs_of_scores = st.lists(st.tuples(whole, whole), min_size=2, max_size=12).map(
    lambda pairs: list(zip(*pairs, strict=True))
)


@given(pairs_of_scores)
def test_symmetric_in_range_and_negated_by_reversing_one_list(lists):
    x, y = lists
    for correlation in (spearman, pearson):
        there, back, turned = correlation(x, y).value, correlation(y, x).value, correlation(x, [-s for s in y]).value
        assert there == back
        if there is not None:
            assert turned == pytest.approx(-there, abs=1e-12)
            assert -1 <= there <= 1


@given(st.lists(whole, min_size=2, max_size=12).filter(lambda x: len(set(x)) > 1))
def test_spearman_uses_the_order_only_and_pearson_of_a_line_is_1(x):
    assert spearman(x, [score**3 for score in x]).value == 1
    assert pearson(x, [3 * score - 7 for score in x]).value == pytest.approx(1, abs=1e-12)


def test_very_large_and_small_scores():
    assert pearson([1e200, 2e200, 4e200], [1, 2, 4]).value == pytest.approx(1, abs=1e-12)


def test_scores_closer_than_1e_12_share_a_rank():
    assert spearman([0.5, 0.5 + 5e-13, 0.4], [3, 2, 1]).value == spearman([0.5, 0.5, 0.4], [3, 2, 1]).value


@pytest.mark.parametrize("correlation", [spearman, pearson])
def test_undefined(correlation):
    assert correlation([], []).reason == "one_system"
    assert correlation([0.5], [0.5]).reason == "one_system"
    assert correlation([1, 1, 1], [3, 2, 1]).reason == "all_tied"
    assert correlation([3, 2, 1], [0.1, 0.1, 0.1 + 1e-14]).reason == "all_tied"
    assert correlation([3, 2, 1], [1, 1, 1]).n == 3


@pytest.mark.parametrize("correlation", [spearman, pearson])
def test_invalid_lists_are_refused(correlation):
    with pytest.raises(ValueError, match="2 and 3 scores"):
        correlation([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="finite"):
        correlation([1, float("inf")], [1, 2])
