"""Error rates, swap rates and tau by the number of topics: by hand, loops, properties, degenerate, simulation.

A published test is missing. The rates of Buckley and Voorhees (2000) and of Voorhees and Buckley (2002) are of random
draws of the topics of TREC runs whose scores are not published, and their draws are not either. Searched
without result: pages of NIST with the articles, public repositories and documentation for swap rates or error rates by
topic set size with their scores, and what is published on TREC 2019 Deep Learning (NIST's means of each run, and the
study of its judgements of SIGIR 2025), which has no rates by numbers of topics. Instead, all three functions are
compared with loops over the same draws, on random inputs.
"""

from itertools import combinations, permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, norm

from agreement.meta_evaluation import error_rate_by_topics, swap_rate_by_topics, tau_by_topics
from agreement.significance import power_of_comparison
from tests.agreement.significance.test_paired_tests import random_scores, table
from tests.each_value import each_value
from tests.examples import examples, seeds

FUNCTIONS = (error_rate_by_topics, swap_rate_by_topics, tau_by_topics)
# The first system is ahead by 0.5 on three topics, and behind by 0.4 on the fourth.
FOUR_TOPICS = table([[0.9, 0.8, 0.7, 0.1], [0.4, 0.3, 0.2, 0.5]])


def every_division(n_topics: int, size: int) -> list[tuple[list[int], list[int]]]:
    """All ordered pairs of disjoint sets of topics."""
    return [
        (list(first), list(second))
        for first in combinations(range(n_topics), size)
        for second in combinations([topic for topic in range(n_topics) if topic not in first], size)
    ]


# By hand


def test_a_difference_of_the_fuzziness_limit_is_no_tie():
    # 0.3 - 0.2 is 0.09999999999999998, and a third of 0.3 is 0.09999999999999999: equal but for the rounding
    scores = table([[0.3] * 4, [0.2] * 4, [0.25] * 4])  # the third is within the limit of both

    frame = error_rate_by_topics(scores, fuzziness=1 / 3, seed=1, draws=50)

    assert frame["tie_rate"].tolist() == pytest.approx([2 / 3, 2 / 3])


def test_error_rate_by_hand():
    # of single topics, one of four has the other order; two topics never have
    frame = error_rate_by_topics(FOUR_TOPICS, seed=1, draws=4000)
    assert frame["n_topics"].tolist() == [1, 2]
    assert frame["error_rate"].tolist() == [pytest.approx(1 / 4, abs=0.02), 0]
    assert frame["tie_rate"].tolist() == [0, 0]


def test_tie_rate_by_hand():
    # 0.50 and 0.52 differ by less than 5 percent of 0.52, 0.50 and 0.60 by more
    scores = table([[0.50, 0.60], [0.52, 0.50]])
    frame = error_rate_by_topics(scores, seed=1, draws=4000)
    assert frame["tie_rate"][0] == 1 / 2  # a draw has each topic once
    assert frame["error_rate"][0] == 0  # of the sets without a tie, all have the same order
    without = error_rate_by_topics(scores, fuzziness=0, seed=1, draws=4000)
    assert (without["tie_rate"][0], without["error_rate"][0]) == (0, 1 / 2)


def test_swap_rate_by_hand():
    # the first topic is the fourth in a quarter of the draws, and the second topic then contradicts it; of the others,
    # a third is followed by the fourth topic
    rates = swap_rate_by_topics(FOUR_TOPICS, sizes=[1], differences=(0, 0.45), seed=1, draws=8000)
    assert rates["swap_rate"].tolist() == [1, pytest.approx(1 / 3, abs=0.02)]
    assert rates["n_comparisons"].tolist() == [pytest.approx(2000, abs=150), pytest.approx(6000, abs=150)]
    assert rates["n_comparisons"].sum() == 8000
    assert rates["low"].tolist() == [0, 0.45]
    assert rates["high"].tolist() == [0.45, pd.NA]


def test_tau_by_hand():
    # half of the draws of two topics contain the fourth one, with a tau of -1
    frame = tau_by_topics(FOUR_TOPICS, seed=1, draws=4000)
    assert frame["tau"].tolist() == [pytest.approx(0, abs=0.05), 1]
    assert frame[["low", "high"]].to_numpy().tolist() == [[-1, 1], [1, 1]]


# Oracles


@pytest.mark.parametrize("size", [1, 2, 3])
def test_tau_against_scipy_over_all_divisions(size):
    scores = random_scores(1, 6, 7)
    taus = [
        kendalltau(scores[:, a].mean(axis=1), scores[:, b].mean(axis=1)).statistic for a, b in every_division(7, size)
    ]
    row = tau_by_topics(table(scores), [size], seed=1, draws=6000).iloc[0]
    assert row["tau"] == pytest.approx(np.mean(taus), abs=0.02)
    assert (row["low"], row["high"]) == pytest.approx(np.quantile(taus, [0.025, 0.975]), abs=0.14)  # a pair is 0.133


@pytest.mark.parametrize("size", [1, 3])
def test_rates_against_a_loop_over_all_divisions(size):
    scores, limits = random_scores(2, 4, 7), [0, 0.05, 0.15]
    n, swaps, majority = np.zeros(3), np.zeros(3), []
    sets = every_division(7, size)
    for i, j in combinations(range(4), 2):
        for a, b in sets:
            first, second = (scores[i, topics].mean() - scores[j, topics].mean() for topics in (a, b))
            place = np.searchsorted(limits, abs(first), side="right") - 1
            n[place] += 1
            swaps[place] += first * second < 0
        ahead = np.mean([scores[i, a].mean() > scores[j, a].mean() for a, _ in sets])
        majority.append(min(ahead, 1 - ahead))
    options = {"seed": 1, "draws": 6000}
    rates = swap_rate_by_topics(table(scores), [size], limits, **options)
    assert (rates["n_comparisons"] / 6000 / 6).tolist() == pytest.approx((n / n.sum()).tolist(), abs=0.02)
    assert rates["swap_rate"].tolist() == pytest.approx((swaps / n).tolist(), abs=0.03)
    errors = error_rate_by_topics(table(scores), [size], fuzziness=0, **options)
    assert errors["error_rate"][0] == pytest.approx(np.mean(majority), abs=0.02)


def looped(scores: np.ndarray, size: int, seed: int, draws: int, limits, fuzziness: float) -> dict[str, object]:
    """The figures of one size, by loops over the same draws."""
    pairs = list(combinations(range(len(scores)), 2))
    order = np.random.default_rng([seed, size]).random((draws, scores.shape[1])).argsort(axis=1)
    n, swaps = [0] * len(limits), [0] * len(limits)
    ahead, behind, taus = dict.fromkeys(pairs, 0), dict.fromkeys(pairs, 0), []
    for row in order:
        sets = [
            [sum(system[t] for t in part) / size for system in scores] for part in (row[:size], row[size : 2 * size])
        ]
        sets = sets if len(row[size : 2 * size]) == size else [sets[0]]
        signs = []
        for i, j in pairs:
            gaps = [means[i] - means[j] if abs(means[i] - means[j]) >= 1e-12 else 0 for means in sets]
            place = max(at for at, limit in enumerate(limits) if abs(gaps[0]) + 1e-12 >= limit)
            n[place] += 1
            swaps[place] += gaps[0] * gaps[1] < 0
            signs.append(np.sign(gaps[0] * gaps[1]))
            for gap, means in zip(gaps, sets, strict=True):
                if abs(gap) > fuzziness * max(abs(means[i]), abs(means[j])) - 1e-12:
                    ahead[i, j] += gap > 0
                    behind[i, j] += gap < 0
        taus.append(sum(signs) / len(signs))
    total = 2 * draws * len(pairs)
    return {
        "n": n,
        "swap_rate": [s / m if m else None for s, m in zip(swaps, n, strict=True)],
        "error_rate": sum(min(ahead[pair], behind[pair]) for pair in pairs) / total,
        "tie_rate": 1 - sum(ahead[pair] + behind[pair] for pair in pairs) / total,
        "tau": sum(taus) / draws,
    }


@pytest.mark.in_ci
@each_value("seed", seeds(200))
def test_against_loops_over_the_same_draws(seed):
    rng = np.random.default_rng(seed)
    n_systems, n_topics, draws = int(rng.integers(2, 5)), int(rng.integers(4, 9)), int(rng.integers(3, 12))
    scores = random_scores(seed, n_systems, n_topics, steps=4 * (seed % 2))
    size, limits = int(rng.integers(1, n_topics // 2 + 1)), [0, 0.05, 0.2]
    fuzziness = float(rng.choice([0, 0.05, 0.3]))
    expected = looped(scores, size, seed, draws, limits, fuzziness)
    options = {"sizes": [size], "seed": seed, "draws": draws}
    rates = swap_rate_by_topics(table(scores), differences=limits, **options)
    assert rates["n_comparisons"].tolist() == expected["n"]
    for found, rate in zip(rates["swap_rate"], expected["swap_rate"], strict=True):
        assert (found is pd.NA) == (rate is None)
        assert rate is None or found == pytest.approx(rate, abs=1e-9)
    errors = error_rate_by_topics(table(scores), fuzziness=fuzziness, **options).iloc[0]
    assert errors["error_rate"] == pytest.approx(expected["error_rate"], abs=1e-9)
    assert errors["tie_rate"] == pytest.approx(expected["tie_rate"], abs=1e-9)
    assert tau_by_topics(table(scores), **options)["tau"][0] == pytest.approx(expected["tau"], abs=1e-9)


# Properties


@examples(20)
@given(st.integers(2, 5), st.integers(2, 9), st.integers(0, 99))
def test_the_three_figures_agree_with_each_other(n_systems, n_topics, seed):
    scores = table(np.random.default_rng(seed).integers(3, size=(n_systems, n_topics)))
    options = {"seed": 3, "draws": 50}
    swaps, tau = swap_rate_by_topics(scores, **options), tau_by_topics(scores, **options)
    errors = error_rate_by_topics(scores, fuzziness=0, **options)
    assert swaps["n_topics"].tolist() == tau["n_topics"].tolist() == list(range(1, n_topics // 2 + 1))
    assert (tau["tau"] <= 1 - 2 * swaps["swap_rate"] + 1e-12).all()
    if (errors["tie_rate"] == 0).all():
        assert tau["tau"].tolist() == pytest.approx((1 - 2 * swaps["swap_rate"]).tolist())
    assert ((errors["error_rate"] >= 0) & (errors["error_rate"] <= 0.5)).all()
    assert (errors["error_rate"] + errors["tie_rate"] <= 1).all()
    assert (swaps["swap_rate"] >= 0).all()
    assert ((tau["low"] <= tau["high"]) & (tau["low"] >= -1)).all()


@pytest.mark.in_ci
@examples(6)
@given(st.integers(0, 99), st.floats(0.01, 100))
def test_the_unit_of_the_scores_and_the_order_of_the_systems_change_nothing(seed, unit):
    scores = random_scores(seed, 4, 6)
    for function in FUNCTIONS:
        expected = function(table(scores), seed=1, draws=20)
        pd.testing.assert_frame_equal(function(table(scores * unit), seed=1, draws=20), expected)
        pd.testing.assert_frame_equal(function(table(scores[::-1]), seed=1, draws=20), expected)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_size_does_not_depend_on_the_other_sizes_but_on_the_seed(function):
    scores = table(random_scores(3, 5, 20))
    whole, part, other = function(scores, seed=1), function(scores, [7, 3], seed=1), function(scores, seed=2)
    pd.testing.assert_frame_equal(part.iloc[[1, 0]].reset_index(drop=True), whole.iloc[[2, 6]].reset_index(drop=True))
    assert not whole.equals(other)
    pd.testing.assert_frame_equal(function(scores.iloc[:, ::-1], seed=1), whole)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_blocks_of_draws_change_nothing(function, monkeypatch):
    scores = table(random_scores(3, 5, 20))
    whole = function(scores, [4], seed=1, draws=100)
    monkeypatch.setattr("agreement.meta_evaluation.topic_subsets.BLOCK", 20 * 30)
    pd.testing.assert_frame_equal(function(scores, [4], seed=1, draws=100), whole)


# Degenerate scores and invalid options


def test_identical_systems_are_tied_and_never_swap():
    scores = table(np.ones((3, 6)))
    assert error_rate_by_topics(scores, seed=1)[["error_rate", "tie_rate"]].drop_duplicates().to_numpy().tolist() == [
        [0, 1]
    ]
    assert set(swap_rate_by_topics(scores, seed=1)["swap_rate"]) == {0}
    assert set(tau_by_topics(scores, seed=1)["tau"]) == {0}


def test_constant_different_systems_never_swap():
    scores = table([[1] * 6, [2] * 6, [3] * 6])
    assert set(error_rate_by_topics(scores, seed=1)["error_rate"]) == {0}
    assert set(tau_by_topics(scores, seed=1)["low"]) == {1}
    # every difference is 1 or 2, so that the bin below 0.5 is empty
    rates = swap_rate_by_topics(scores, [2], (0, 0.5), seed=1)
    assert rates["swap_rate"].tolist() == [pd.NA, 0]
    assert rates["reason"].tolist() == ["empty", pd.NA]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_one_system_has_no_rates(function):
    frame = function(table(np.ones((1, 4))), seed=1)
    assert frame["n_topics"].tolist() == [1, 2]
    assert frame["reason"].tolist() == ["one_system"] * 2
    assert (
        frame.drop(columns=["n_topics", "reason", "low", "high", "n_comparisons"], errors="ignore")
        .isna()
        .all(axis=None)
    )


@pytest.mark.parametrize("function", FUNCTIONS)
def test_two_sets_need_two_topics(function):
    for n_topics, reason in ((0, "no_topics"), (1, "one_topic"), (2, None)):
        frame = function(table(np.eye(3)[:, :n_topics]), seed=1)
        assert len(frame) == (n_topics == 2)
        assert frame.attrs["reason"] == reason
        assert "reason" in frame.columns


@pytest.mark.parametrize("function", FUNCTIONS)
def test_few_topics_are_noted_and_the_note_is_visible(function):
    few = function(FOUR_TOPICS, seed=1, draws=5)
    assert few.attrs["note"] == power_of_comparison(FOUR_TOPICS).note
    assert "Note: With 4 topics, fewer than 50" in repr(few)
    enough = function(table(np.random.default_rng(1).random((3, 50))), sizes=[1], seed=1, draws=5)
    assert enough.attrs["note"] is None
    assert "Note" not in repr(enough)


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({}, "Sets of topics are drawn at random and need a seed"),
        ({"seed": 1, "draws": 0}, "draws must be a whole number of at least 1, not 0"),
        ({"seed": 1, "sizes": [3]}, r"sizes must be whole numbers from 1 to half of the topics \(2\), not 3"),
        ({"seed": 1, "sizes": [0]}, "sizes must be whole numbers from 1"),
        ({"seed": 1, "sizes": [1.5]}, "sizes must be whole numbers from 1"),
        ({"seed": 1, "sizes": 2}, r"sizes must be a list of whole numbers from 1 to half of the topics \(2\), not 2"),
        ({"seed": 1, "sizes": "12"}, "sizes must be a list of whole numbers from 1 to half of the topics"),
        ({"seed": 1, "sizes": ["1"]}, r"sizes must be whole numbers from 1 to half of the topics \(2\), not '1'"),
        ({"seed": 1, "draws": float("nan")}, "draws must be a whole number of at least 1, not nan"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
    ],
)
def test_invalid_options_are_refused(function, invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        function(FOUR_TOPICS, **invalid)


@pytest.mark.parametrize("differences", [(), (0.1,), (0, 0), (0, 2, 1), ((0, 1),), 0, "ab", ("0", None)])
def test_invalid_bins_are_refused(differences):
    with pytest.raises(ValueError, match="differences must ascend from 0"):
        swap_rate_by_topics(FOUR_TOPICS, differences=differences, seed=1)


@pytest.mark.parametrize("fuzziness", [-0.1, 1, float("nan"), "0.1"])
def test_an_invalid_fuzziness_is_refused(fuzziness):
    with pytest.raises(ValueError, match="fuzziness must be at least 0 and below 1"):
        error_rate_by_topics(FOUR_TOPICS, fuzziness=fuzziness, seed=1)


# Simulation


@pytest.mark.in_ci
def test_rates_of_independent_normal_differences():
    # the mean difference of n topics is normal with mean 0.3 and standard deviation 1 / sqrt(n): it is below 0 with
    # probability q, and two sets differ in their order with probability 2 q (1 - q)
    rng, sizes = np.random.default_rng(4), [1, 4, 16]
    difference = rng.normal(0, 1, 800)
    difference += 0.3 - difference.mean()
    scores = table([difference, np.zeros(800)])
    q = norm.cdf(-0.3 * np.sqrt(sizes))
    options = {"sizes": sizes, "seed": 1, "draws": 1500}
    assert error_rate_by_topics(scores, fuzziness=0, **options)["error_rate"].tolist() == pytest.approx(q, abs=0.03)
    swaps = swap_rate_by_topics(scores, **options)["swap_rate"].tolist()
    assert swaps == pytest.approx(2 * q * (1 - q), abs=0.03)
    assert tau_by_topics(scores, **options)["tau"].tolist() == pytest.approx(1 - 4 * q * (1 - q), abs=0.06)


def test_larger_differences_and_more_topics_swap_less():
    rates = swap_rate_by_topics(table(random_scores(5, 10, 60)), [5, 25], (0, 0.05, 0.1), seed=1)
    by_size = rates["swap_rate"].to_numpy(dtype=float, na_value=np.nan).reshape(2, 3)
    assert (np.diff(by_size, axis=1) < 0).all()
    assert (np.diff(by_size[:, :2], axis=0) < 0).all()


def test_every_topic_is_in_each_set_equally_often():
    # the score of a system on a topic is the power of two of the topic, so that the mean reveals the topics of a set
    from agreement.meta_evaluation.topic_subsets import _Subsets

    subsets = _Subsets.checked(table([2.0 ** np.arange(6), np.zeros(6)]), [2], 1, 6000)
    blocks = [np.stack(both)[:, :, 0] for both in subsets.means(2)]
    both = np.rint(2 * np.concatenate(blocks, axis=1)).astype(int)
    assert (both[0] & both[1] == 0).all()
    drawn = pd.Series(list(zip(*both, strict=True))).value_counts(normalize=True)
    pairs = [(2**a + 2**b, 2**c + 2**d) for a, b, c, d in permutations(range(6), 4) if a < b and c < d]
    assert set(drawn.index) == set(pairs)
    assert drawn.to_numpy() == pytest.approx(np.full(90, 1 / 90), abs=0.006)
