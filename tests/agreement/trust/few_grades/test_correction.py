"""The correction by a judge: by hand, properties, degenerate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.trust.few_grades.correction import class_gains, corrected, limits
from agreement.trust.few_grades.delete_groups import Deviations
from tests.examples import examples

HALF = np.full((2, 2), 0.5)


def scored(scores: list[float], deviations: list[list[float]]) -> Deviations:
    return Deviations(np.array([scores]), np.array(deviations)[:, None], HALF)


PEOPLE = scored([0.4, 0.6], [[0.1, 0.2], [-0.1, -0.2]])


def test_by_hand():
    # covariances 2 * 0.1 * 0.2 + 2 * 0.2 * 0.2 = 0.12, variances 2 * 0.04 + 2 * 0.04 = 0.16: slope 0.75
    judge = scored([0.5, 0.7], [[0.2, 0.2], [-0.2, -0.2]])
    found = corrected(PEOPLE, (judge, np.array([[0.3, 0.7]])))
    assert found.slopes.item() == pytest.approx(0.75)
    assert found.values.item() == pytest.approx((0.4 - 0.75 * 0.2 + 0.6) / 2)
    # deviations 0.1 - 0.15 and 0.2 - 0.15, twice: 4 * 0.0025, over 2 topics squared
    assert found.variances.item() == pytest.approx(0.0025)
    # topic variances 0.005 with one degree of freedom each: 0.01^2 / (2 * 0.005^2)
    assert found.degrees.item() == pytest.approx(2)


def test_without_a_judge_it_is_the_classical_estimate():
    found = corrected(PEOPLE)
    assert (found.values.item(), len(found.slopes)) == (0.5, 0)
    assert found.variances.item() == pytest.approx(0.1 / 4)


def test_a_judge_against_people_is_not_used():
    judge = scored([0.5, 0.5], [[-0.1, -0.2], [0.1, 0.2]])
    found = corrected(PEOPLE, (judge, np.array([[0.1, 0.1]])))
    assert (found.slopes.item(), found.values.item()) == (0, 0.5)


def test_a_judge_without_deviations_is_not_used():
    judge = scored([0.5, 0.5], [[0, 0], [0, 0]])
    assert corrected(PEOPLE, (judge, np.array([[0.5, 0.5]]))).values.item() == 0.5


def test_two_judges_by_hand():
    # people deviate by the first judge plus twice the second, so that nothing is left
    first, second = scored([0.5, 0.5], [[0.1, 0], [0, 0]]), scored([0.7, 0.5], [[0, 0], [0.05, 0.1]])
    people = scored([0.4, 0.6], [[0.1, 0], [0.1, 0.2]])
    found = corrected(people, (first, np.array([[0.4, 0.4]])), (second, np.array([[0.6, 0.6]])))
    np.testing.assert_allclose(found.slopes, [[1], [2]])
    assert found.variances.item() == pytest.approx(0)
    assert found.values.item() == pytest.approx((0.4 - 0.1 - 2 * 0.1 + 0.6 - 0.1 + 2 * 0.1) / 2)


def test_a_second_judge_who_is_the_first_is_not_used():
    judge = scored([0.5, 0.7], [[0.2, 0.2], [-0.2, -0.2]]), np.array([[0.3, 0.7]])
    one, two = corrected(PEOPLE, judge), corrected(PEOPLE, judge, judge)
    assert two.values.tolist() == one.values.tolist()
    assert two.slopes.ravel().tolist() == [*one.slopes.ravel(), 0]


@given(st.lists(st.floats(-1, 1), min_size=4, max_size=4), st.lists(st.floats(-1, 1), min_size=4, max_size=4))
@examples(30)
def test_the_variance_is_at_most_the_classical_one(people, judge):
    people, judge = (scored([0.5, 0.5], [row[:2], row[2:]]) for row in (people, judge))
    assert corrected(people, (judge, np.array([[0.5, 0.5]]))).variances <= corrected(people).variances + 1e-12


@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_limits_are_those_of_t(confidence):
    low, high = limits(np.array([0.2]), np.array([0.04]), np.array([7.0]), confidence, False)
    expected = stats.t.interval(confidence, 7, 0.2, 0.2)
    np.testing.assert_allclose([low[0], high[0]], expected)


def test_limits_of_a_share_stay_between_0_and_1():
    low, high = limits(np.array([0.1, 0.9]), np.full(2, 0.01), np.full(2, 5.0), 0.99, True)
    assert (low > 0).all()
    assert (high < 1).all()


def test_limits_of_estimates_outside_0_and_1_are_symmetric():
    low, high = limits(np.array([1.1]), np.array([0.01]), np.array([np.inf]), 0.95, True)
    assert (low + high) / 2 == pytest.approx(1.1)


def test_no_variance_gives_no_width():
    low, high = limits(np.array([0.3, 0.0]), np.zeros(2), np.full(2, np.inf), 0.95, True)
    assert low.tolist() == high.tolist() == [0.3, 0.0]


def test_class_gains_by_hand():
    # class 0: gains 1 and 0 with the weights 3 and 1; class 1: gain 0; the mean of all is 3 / 5
    classes, drawn = np.array([[0, 1, 2, 0]]), np.array([[0, 0, 1]])
    found = class_gains(classes, drawn, np.array([[1.0, 0.0, 0.0]]), np.array([[3.0, 1.0, 1.0]]))
    # (2 * 3/4 + 3/5) / 3, (0 + 3/5) / 2, 3/5
    np.testing.assert_allclose(found, [[0.7, 0.3, 0.6, 0.7]])


def test_one_class_gains_1():
    assert class_gains(np.zeros((1, 3), int), np.zeros((1, 1), int), np.zeros((1, 1)), np.ones((1, 1))).tolist() == [
        [1, 1, 1]
    ]
