"""Kendall's tau: by hand, published, against scipy, properties, and undefined cases."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement import tau, tau_a, tau_b
from agreement.rank_correlation import competition_ranks, ranking_of, swapped_pairs, tied_pairs
from tests.oracles import oracle

PUBLISHED = {case["id"]: case for case in oracle("rank_correlation")["rank_correlation"]}
SETS = [case for case in PUBLISHED.values() if "tau_b_ties" in case]


def test_by_hand():
    # pairs: ab swapped, ac and bc in order; (2 - 1) / 3
    assert tau([3, 2, 1], [2, 3, 1]).value == 1 / 3
    assert swapped_pairs([3, 2, 1], [2, 3, 1]) == 1
    # x ties a and b: of 3 pairs 2 are in order; tau_a 2/3, tau_b 2 / sqrt(2 * 3)
    assert tau_a([2, 2, 1], [3, 2, 1]).value == 2 / 3
    assert tau_b([2, 2, 1], [3, 2, 1]).value == 2 / 6**0.5


@pytest.mark.parametrize("case", SETS, ids=lambda case: case["id"])
def test_published(case):
    assert tau(case["x"], case["y"]).value == pytest.approx(case["tau"], abs=1e-15)
    assert tau_b(case["xt"], case["yt"]).value == pytest.approx(case["tau_b_ties"], abs=1e-15)


def test_published_with_ties():
    case = PUBLISHED["ircor-README"]
    assert tau_a(case["x"], case["yt"]).value == pytest.approx(case["tau_a"], abs=1e-12)
    assert tau_b(case["xt"], case["yt"]).value == pytest.approx(case["tau_b"], abs=1e-12)
    case = PUBLISHED["scipy-doc"]
    assert tau_b(case["x"], case["y"]).value == pytest.approx(case["tau_b"], abs=1e-12)


def test_against_scipy():
    rng = np.random.default_rng(3)
    for n in (2, 5, 37):
        for grades in (3, 1000):
            x, y = rng.integers(grades, size=(2, n)).astype(float)
            if tau_b(x, y).defined:
                assert tau_b(x, y).value == pytest.approx(kendalltau(x, y).statistic, abs=1e-12)


scores = st.lists(st.integers(0, 5), min_size=2, max_size=12)
two_lists = scores.flatmap(lambda x: st.tuples(st.just(x), st.permutations(x)))


@given(two_lists)
def test_symmetric_and_negated_by_reversing_one_list(lists):
    x, y = lists
    for correlation in (tau_a, tau_b):
        there, back, turned = correlation(x, y).value, correlation(y, x).value, correlation(x, [-s for s in y]).value
        assert there == back
        if there is not None:
            assert turned == -there
            assert -1 <= there <= 1


@given(st.permutations(range(8)))
def test_without_ties_all_three_are_the_same(y):
    x = list(range(8))

    assert tau(x, y).value == tau_a(x, y).value == tau_b(x, y).value
    assert tau(y, y).value == 1
    assert tau(x, y).value == (28 - 2 * swapped_pairs(x, y)) / 28


@given(scores)
def test_ranks_count_better_systems_and_ties_count_pairs(drawn):
    ranks = competition_ranks(drawn).tolist()

    assert ranks == [1 + sum(other > score for other in drawn) for score in drawn]
    assert tied_pairs(drawn) == sum(a == b for a, b in combinations(drawn, 2))


def test_ties_that_are_not_transitive_are_compared_by_pairs():
    # b lies within 1e-12 of a and of c, which are 1.2e-12 apart: one pair in order, two tied
    chain = [0.6e-12, 0.0, -0.6e-12]

    assert tied_pairs(chain) == 2
    assert competition_ranks(chain).tolist() == [1, 1, 2]
    assert tau_a(chain, [3, 2, 1]).value == 1 / 3


def test_ranking_of_scores_with_groups_of_ties():
    assert ranking_of([0.2, 0.9, 0.2, 0.5], ["a", "b", "c", "d"]) == ["b", "d", ["a", "c"]]
    assert ranking_of([0.2, 0.2 + 5e-13], ["a", "b"]) == [["a", "b"]]
    assert ranking_of([0.6e-12, 0.0, -0.6e-12], "abc") == [["a", "b", "c"]]
    assert ranking_of([], []) == []
    with pytest.raises(ValueError, match="2 scores, 1 names"):
        ranking_of([0.2, 0.1], ["a"])


def test_scores_closer_than_1e_12_are_tied():
    assert competition_ranks([0.5, 0.5 + 5e-13, 0.4]).tolist() == [1, 1, 3]
    assert competition_ranks([0.5, 0.5 + 5e-12, 0.4]).tolist() == [2, 1, 3]


def test_the_error_for_ties_names_the_alternatives():
    with pytest.raises(ValueError, match=r"\(1 tied pairs\)\. Use tau_a or tau_b"):
        tau([1, 1, 0], [3, 2, 1])


def test_the_error_for_ties_names_the_tied_systems():
    with pytest.raises(ValueError, match=r"the second list ties systems 0 and 2 \(3 tied pairs\)"):
        tau([3, 2, 1, 0], [1, 2, 1, 1])
    with pytest.raises(ValueError, match="the first list ties 'bm25' and 'qld'"):
        tau([1, 2, 1], [1, 2, 3], names=["bm25", "dfr", "qld"])
    with pytest.raises(ValueError, match="3 scores, 2 names"):
        tau([1, 2, 3], [1, 2, 3], names=["bm25", "qld"])


@pytest.mark.parametrize("correlation", [tau, tau_a, tau_b])
@pytest.mark.parametrize("systems", [[], [0.5]])
def test_fewer_than_two_systems(correlation, systems):
    assert correlation(systems, systems).reason == "one_system"
    assert correlation(systems, systems).n == len(systems)


def test_all_tied():
    assert tau_b([1, 1, 1], [3, 2, 1]).reason == "all_tied"
    assert tau_a([1, 1, 1], [3, 2, 1]).value == 0


def test_invalid_lists_are_refused():
    with pytest.raises(ValueError, match="2 and 3 scores"):
        tau_b([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="finite"):
        tau_b([1, float("nan")], [1, 2])


def test_series_of_different_systems_are_refused():
    x, y = pd.Series({"a": 1.0, "b": 2.0}), pd.Series({"b": 2.0, "a": 1.0})
    with pytest.raises(ValueError, match="the same systems in the same order"):
        tau_b(x, y)
    assert tau_b(x, y.loc[x.index]).value == 1
