"""The maximum drop: by hand, against scipy's ranks, properties, degenerate lists, simulation.

A published test is missing: Voorhees (2018) gives drops of TREC runs, and the repository has no scores of these runs.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from agreement.rank_correlation import maximum_drop, tau

SCORES = st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=2, max_size=9)


def test_by_hand():
    # ranks 1 2 3 4 and 3 1 2 4: the first system falls by 2, and two rise
    drop = maximum_drop([0.9, 0.8, 0.7, 0.1], [0.5, 0.7, 0.6, 0.2], names="abcd")
    assert (drop.value, drop.n, drop.convention) == (2, 4, "a (rank 1 to 3)")
    # the other direction: two systems fall by 1
    drop = maximum_drop([0.5, 0.7, 0.6, 0.2], [0.9, 0.8, 0.7, 0.1], names="abcd")
    assert (drop.value, drop.convention) == (1, "b (rank 1 to 2), c (rank 2 to 3)")


def test_tied_systems_share_the_best_of_their_ranks():
    # ranks 1 2 2 4 and 4 1 1 1
    assert maximum_drop([3, 2, 2, 1], [0, 1, 1, 1]).value == 3
    # a ranking that ties all systems puts all of them at rank 1
    assert maximum_drop([3, 2, 1], [5, 5, 5]).value == 0
    assert maximum_drop([5, 5, 5], [3, 2, 1]).value == 2
    assert maximum_drop([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]).value == 0


@given(SCORES)
def test_against_scipys_ranks(scores):
    truth, other = (-np.array(side) for side in zip(*scores, strict=True))
    falls = rankdata(other, method="min") - rankdata(truth, method="min")
    assert maximum_drop(-truth, -other).value == max(falls.max(), 0)


@given(SCORES)
def test_properties(scores):
    truth, other = (np.array(side) for side in zip(*scores, strict=True))
    drop = maximum_drop(truth, other).value
    assert 0 <= drop <= len(scores) - 1
    assert maximum_drop(truth, truth).value == 0
    assert maximum_drop(truth**3, 1 + 2 * other).value == drop
    assert maximum_drop(truth[::-1], other[::-1]).value == drop
    # adding the worst system of both rankings changes nothing
    assert maximum_drop([*truth, -1], [*other, -1]).value == drop


def test_names_are_those_of_a_series():
    truth = pd.Series([2.0, 1.0], index=["bm25", "lsa"])
    assert maximum_drop(truth, truth[::-1].set_axis(truth.index)).convention == "bm25 (rank 1 to 2)"
    assert maximum_drop([2, 1], [1, 2]).convention == "0 (rank 1 to 2)"
    assert maximum_drop(truth, truth).convention == "no system falls"


def test_degenerate_and_invalid_lists():
    assert maximum_drop([], []).reason == maximum_drop([1], [2]).reason == "one_system"
    with pytest.raises(ValueError, match="Both lists must score the same systems, not 1 and 2 scores"):
        maximum_drop([1], [1, 2])
    with pytest.raises(ValueError, match="Every system needs one score and one name, not 2 scores, 1 names"):
        maximum_drop([1, 2], [1, 2], names=["a"])
    with pytest.raises(ValueError, match="Scores must be one list of finite numbers"):
        maximum_drop([1, 2], [1, float("nan")])


def test_one_system_that_falls_is_found_though_tau_stays_high():
    rng = np.random.default_rng(1)
    truth = rng.random(50)
    other = truth.copy()
    other[np.argmax(truth)] = -1  # the best system did not contribute to the pool
    assert maximum_drop(truth, other).value == 49
    assert tau(truth, other).value == pytest.approx(1 - 2 * 49 / (50 * 49 / 2))
