"""Pairwise accuracy with ties and its calibration: by hand, published, scipy, a slow twin, properties, simulation."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau

from agreement.rank_correlation import calibrate_ties, pairwise_accuracy, tau_a

# Six systems: four tied ones, and two better ones. One estimate has these ties and swaps the best two; the other has no
# ties and the right order of all other pairs.
TRUTH, WITH_TIES, WITHOUT_TIES = [0, 0, 0, 0, 1, 2], [0, 0, 0, 0, 2, 1], [0, 1, 2, 3, 4, 5]


def by_definition(truth, estimate, epsilon) -> float:
    same = []
    for i, j in combinations(range(len(truth)), 2):
        gap = 0 if abs(estimate[i] - estimate[j]) <= epsilon else estimate[i] - estimate[j]
        same.append(np.sign(gap) == np.sign(truth[i] - truth[j]))
    return float(np.mean(same))


# By hand


def test_by_hand():
    # 6 pairs tied in both and 8 in the same order; only the pair of the best two is wrong
    assert pairwise_accuracy(TRUTH, WITH_TIES).value == 14 / 15
    # the 9 pairs with a better system are right, the 6 ties are not predicted
    assert pairwise_accuracy(TRUTH, WITHOUT_TIES).value == 9 / 15


# Published: the examples of the authors' program, mt-metrics-eval (tau_optimization_test.py, Google 2023), acc_23
@pytest.mark.parametrize(
    ("truth", "correct", "best"),
    [([1, 2, 3, 4], [6, 4, 3, 1, 0], 0), ([1, 1, 1, 4], [3, 3, 4, 4, 3], 4)],
)
def test_the_examples_of_mt_metrics_eval(truth, correct, best):
    estimate = [0, 2, 6, 8]
    accuracies = [pairwise_accuracy(truth, estimate, epsilon=epsilon).value for epsilon in (0, 2, 4, 6, 8)]
    assert accuracies == [n / 6 for n in correct]
    assert calibrate_ties(truth, estimate) == best


def test_calibration_by_hand():
    # epsilon 1 ties five pairs of neighbours: 3 ties of the truth are gained, and the order of 2 pairs is lost
    assert calibrate_ties(TRUTH, WITHOUT_TIES) == 1
    assert pairwise_accuracy(TRUTH, WITHOUT_TIES, epsilon=1).value == 10 / 15
    # epsilon 2 gains and loses 2 more, with the same accuracy; epsilon 3 loses more than it gains
    assert pairwise_accuracy(TRUTH, WITHOUT_TIES, epsilon=2).value == 10 / 15
    assert pairwise_accuracy(TRUTH, WITHOUT_TIES, epsilon=3).value == 9 / 15
    assert calibrate_ties(TRUTH, WITH_TIES) == 0


# Oracles


@pytest.mark.parametrize("seed", range(4))
def test_without_ties_it_is_a_linear_function_of_scipys_tau(seed):
    x, y = np.random.default_rng(seed).random((2, 15))
    assert pairwise_accuracy(x, y).value == pytest.approx((1 + kendalltau(x, y).statistic) / 2)


SCORES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=2, max_size=9)


@given(SCORES, st.integers(0, 10))
def test_against_the_definition(scores, epsilon):
    truth, estimate = zip(*scores, strict=True)
    assert pairwise_accuracy(truth, estimate, epsilon).value == pytest.approx(by_definition(truth, estimate, epsilon))


@given(SCORES)
def test_calibration_is_the_smallest_of_the_best_among_all_epsilons(scores):
    truth, estimate = zip(*scores, strict=True)
    accuracies = [by_definition(truth, estimate, epsilon) for epsilon in range(10)]
    assert calibrate_ties(truth, estimate) == np.argmax(accuracies)


# Properties


@given(SCORES)
def test_without_epsilon_both_lists_have_the_same_part(scores):
    truth, estimate = zip(*scores, strict=True)
    assert pairwise_accuracy(truth, estimate).value == pairwise_accuracy(estimate, truth).value
    assert pairwise_accuracy(truth, truth).value == 1
    assert 0 <= pairwise_accuracy(truth, estimate).value <= 1


@given(SCORES, st.randoms(use_true_random=False))
def test_the_order_of_the_systems_and_increasing_scores_change_nothing(scores, random):
    truth, estimate = zip(*scores, strict=True)
    random.shuffle(scores)
    shuffled, other = zip(*scores, strict=True)
    expected = pairwise_accuracy(truth, estimate).value
    assert pairwise_accuracy(shuffled, other).value == expected
    assert pairwise_accuracy([x**3 for x in truth], [10 + x**3 for x in estimate]).value == expected


@given(SCORES)
def test_calibration_never_lowers_the_accuracy(scores):
    truth, estimate = zip(*scores, strict=True)
    epsilon = calibrate_ties(truth, estimate)
    assert pairwise_accuracy(truth, estimate, epsilon).value >= pairwise_accuracy(truth, estimate).value


# Degenerate lists


def test_degenerate_lists():
    assert pairwise_accuracy([], []).reason == pairwise_accuracy([1], [2]).reason == "one_system"
    assert calibrate_ties([], []) == calibrate_ties([1], [2]) == 0
    # if the truth ties all systems, an estimate without ties is never right until epsilon ties all
    assert pairwise_accuracy([1, 1, 1], [1, 2, 3]).value == 0
    assert calibrate_ties([1, 1, 1], [1, 2, 3]) == 2
    assert pairwise_accuracy([1, 2, 3], [1, 1, 1]).value == 0


def test_scores_that_differ_by_rounding_are_tied():
    assert pairwise_accuracy([0.3, 0.1 + 0.2], [0.1 + 0.2, 0.3]).value == 1
    # the differences are 0.1 and 0.1 + 3e-17, so that one epsilon ties both
    assert pairwise_accuracy([1, 1, 1, 0], [0.1, 0.2, 0.3, -9], epsilon=0.1).value == 5 / 6


@pytest.mark.parametrize("epsilon", [-0.1, float("nan"), float("inf"), True])
def test_an_invalid_epsilon_is_refused(epsilon):
    with pytest.raises(ValueError, match=f"epsilon must be a finite number of at least 0, not {epsilon}"):
        pairwise_accuracy([1, 2], [1, 2], epsilon)


def test_invalid_lists_are_refused():
    with pytest.raises(ValueError, match="Both lists must score the same systems, not 2 and 3 scores"):
        pairwise_accuracy([1, 2], [1, 2, 3])
    with pytest.raises(ValueError, match="Scores must be one list of finite numbers"):
        calibrate_ties([1, 2], [1, float("nan")])


# Simulation


def test_calibration_finds_the_ties_of_an_estimate_with_noise():
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 10, 300)
    estimate = truth + rng.uniform(-0.2, 0.2, 300)
    # a tie of the truth differs by less than 0.4, and every other pair by more than 0.6
    assert 0.35 < calibrate_ties(truth, estimate) < 0.4
    assert pairwise_accuracy(truth, estimate, 0.5).value == 1
    assert pairwise_accuracy(truth, estimate).value == pytest.approx(0.9, abs=0.02)


def test_a_random_estimate_has_an_accuracy_of_a_half():
    truth, estimate = np.random.default_rng(2).random((2, 400))
    assert pairwise_accuracy(truth, estimate).value == pytest.approx(0.5, abs=0.05)
    assert tau_a(truth, estimate).value == pytest.approx(0, abs=0.1)
