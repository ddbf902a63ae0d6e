"""The leaderboard: means with intervals, and the systems that may be best."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import leaderboard, score_table
from agreement.significance.leaderboard import leaderboard_of_scores

TOPICS = ["1", "2", "3", "4"]
SCORES = pd.DataFrame(
    [[0.5, 0.7, 0.6, 0.8], [0.4, 0.6, 0.7, 0.7], [0.1, 0.2, 0.1, 0.2]], index=["a", "b", "c"], columns=TOPICS
)
NO_SHARES = pd.Series(dtype=float)


def board(scores=SCORES, measure="AP", **options) -> pd.DataFrame:
    return leaderboard_of_scores({measure: scores}, NO_SHARES, **options).set_index("system")


def test_by_hand():
    rows = board()
    # a: mean 2.6 / 4, sd .129099, so the half width is 3.182446 * .129099 / 2 = .205426.
    assert rows.loc["a", ["AP", "AP_low", "AP_high"]].tolist() == pytest.approx([0.65, 0.444574, 0.855426], abs=1e-6)
    # b against a: differences .1 .1 -.1 .1, mean .05, sd .1, t = 1, p = .391002; adjusted 1 * p as the larger of two.
    # c against a: differences .4 .5 .5 .6, mean .5, sd .081650, t = 12.247449, p = .001172; adjusted 2 * p.
    assert rows["AP_p"].tolist()[1:] == pytest.approx([0.391002, 0.002344], abs=1e-6)
    assert rows["AP_is_in_best_group"].tolist() == [True, True, False]
    assert rows["judged"].isna().all()


@pytest.mark.parametrize("correction", ["none", "bonferroni"])
def test_p_is_that_of_scipy(correction):
    scores = pd.DataFrame(np.random.default_rng(4).random((6, 12)), index=list("abcdef"), columns=range(12))
    rows = board(scores, correction=correction)
    best = scores.mean(axis=1).idxmax()
    for system in scores.index.drop(best):
        p = stats.ttest_rel(scores.loc[best], scores.loc[system]).pvalue
        wanted = min(1, p * (5 if correction == "bonferroni" else 1))
        assert rows.loc[system, "AP_p"] == pytest.approx(wanted, rel=1e-9)
    assert pd.isna(rows.loc[best, "AP_p"])


def test_intervals_are_those_of_scipy():
    rows = board(alpha=0.1)
    for system, row in SCORES.iterrows():
        low, high = stats.t.interval(0.9, 3, row.mean(), stats.sem(row))
        assert rows.loc[system, ["AP_low", "AP_high"]].tolist() == pytest.approx([low, high], rel=1e-12)


def test_several_measures_are_sorted_by_the_first():
    other = pd.DataFrame([[0.1] * 4, [0.9] * 4, [0.5] * 4], index=["a", "b", "c"], columns=TOPICS)
    rows = leaderboard_of_scores({"AP": SCORES, "RR": other.loc[["c", "a", "b"]]}, pd.Series({"b": 0.5}))
    assert rows["system"].tolist() == ["a", "b", "c"]
    assert rows["RR"].tolist() == pytest.approx([0.1, 0.9, 0.5])
    assert rows["judged"].fillna(-1).tolist() == [-1, 0.5, -1]
    assert rows.attrs == {"measures": ("AP", "RR"), "correction": "holm", "alpha": 0.05, "n_topics": 4}
    # The same difference on every topic has no t, so the group is not known.
    assert rows["RR_is_in_best_group"].isna().tolist() == [True, False, True]


def test_from_files_of_runs_and_gold():
    rows = [("a", "1", "x", 2), ("a", "1", "y", 1), ("b", "1", "y", 2), ("b", "1", "z", 1)]
    runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    gold = pd.DataFrame({"query_id": "1", "doc_id": ["x", "y"], "relevance": [1, 0]})
    found = leaderboard(runs, gold, ["AP"])
    assert found["AP"].tolist() == score_table(runs, gold, "AP")["1"].loc[["a", "b"]].tolist()
    assert found["judged"].tolist() == [1.0, 0.5]


def test_where_lower_is_better_the_lowest_is_best():
    rows = board(measure="E")
    assert rows.index.tolist() == ["c", "b", "a"]
    assert rows["E_is_in_best_group"].tolist() == [True, False, False]


@pytest.mark.parametrize("scores", [SCORES[["1"]], SCORES.loc[["a"]], SCORES.loc[["a"], ["1"]]])
def test_few_topics_or_systems(scores):
    rows = board(scores)
    assert rows["AP_low"].isna().all() == (scores.shape[1] == 1)
    assert rows["AP_is_in_best_group"].iloc[0]
    assert rows["AP_is_in_best_group"].iloc[1:].isna().all() == (scores.shape[1] == 1 or len(scores) == 1)


def test_tied_systems_are_best_together():
    rows = board(pd.DataFrame([[0.2, 0.4], [0.2, 0.4]], index=["b", "a"], columns=["1", "2"]))
    assert rows.index.tolist() == ["a", "b"]
    assert rows["AP_is_in_best_group"].all()


@given(st.integers(2, 6), st.integers(2, 8), st.integers(0, 2**31), st.integers(1, 100))
def test_scaling_all_scores_changes_no_group(n_systems, n_topics, seed, scale):
    table = np.random.default_rng(seed).integers(0, 6, (n_systems, n_topics)) / 8
    names = [f"s{number}" for number in range(n_systems)]
    one, other = (board(pd.DataFrame(factor * table, index=names)) for factor in (1.0, float(scale)))
    for column in ("AP_p", "AP_is_in_best_group"):
        pd.testing.assert_series_equal(one[column].astype("Float64"), other[column].astype("Float64"), rtol=1e-9)


@pytest.mark.parametrize(
    ("options", "message"), [({"alpha": 0}, "alpha"), ({"correction": "x"}, "correction"), ({"alpha": 1.5}, "alpha")]
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        board(**options)


def test_a_leaderboard_needs_different_measures():
    with pytest.raises(ValueError, match="at least one"):
        leaderboard_of_scores({}, NO_SHARES)
    with pytest.raises(ValueError, match="once"):
        leaderboard(pd.DataFrame(), pd.DataFrame(), ["AP", "AP"])
