"""tau_GAP: by hand, against another program, loops, properties and degenerate input."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.rank_correlation import tau_gap, tau_gap_paired
from agreement.rank_correlation.orders import TIE
from tests.each_value import each_value

SCORES = st.lists(st.integers(0, 6), min_size=2, max_size=9)


def test_by_hand():
    # The estimate has c, a, b. a: the gap 2 to c is wrong, 0 of 2. b: 1 to a is right, 1 to c is wrong, 1 of 2.
    # 2 / 2 * (0 + 1 / 2) - 1
    assert tau_gap([3, 2, 1], [2, 1, 3]).value == -0.5


def test_a_tie_of_the_estimate_counts_half_each_way():
    # a and b: each is above the other half of the time. Both of the first group count 1/2, with the share 1/2.
    # c: both gaps are right. 2 / (1/2 + 1/2 + 1) * (1/4 + 1/4 + 1) - 1
    assert tau_gap([3, 2, 1], [2, 2, 1]).value == 0.5


def test_a_system_without_gaps_is_left_out():
    # a and b are tied in the truth, so b has no gap; c is rightly below both.
    assert tau_gap([2, 2, 1], [3, 2, 1]).value == 1
    assert tau_gap([2, 2, 1], [3, 2, 4]).value == -1


def test_another_program_has_the_same_value():
    """autojudge-evaluate 1.1.0, tau_gap(truth, estimate), on the numbers of this seed."""
    rng = np.random.default_rng(7)
    truth = rng.random(40).round(2)
    estimate = (truth + rng.normal(0, 0.2, 40)).round(3)
    assert tau_gap(truth, estimate).value == pytest.approx(0.7792717272602876, abs=1e-15)


def with_loops(truth: list[float], estimate: list[float]) -> float | None:
    """The definition, for estimates without ties."""
    order = sorted(range(len(truth)), key=lambda system: -estimate[system])
    shares = []
    for position in range(1, len(order)):
        gaps = [truth[above] - truth[order[position]] for above in order[:position]]
        if any(abs(gap) > TIE for gap in gaps):
            shares.append(sum(gap for gap in gaps if gap > 0) / sum(abs(gap) for gap in gaps))
    return 2 * float(np.mean(shares)) - 1 if shares else None


@each_value("seed", range(20))
def test_loops_have_the_same_value(seed):
    rng = np.random.default_rng(seed)
    truth, estimate = rng.integers(0, 5, 12) / 4, rng.permutation(12)
    assert tau_gap(truth, estimate).value == pytest.approx(with_loops(list(truth), list(estimate)), abs=1e-12)


@given(truth=SCORES, seed=st.integers(0, 99))
def test_range_reversal_and_scale(truth, seed):
    estimate = np.random.default_rng(seed).permutation(len(truth))
    value = tau_gap(truth, estimate)
    if len(set(truth)) < 2:
        assert value.reason == "all_tied"
        return
    assert -1 <= value.value <= 1
    assert tau_gap(truth, truth).value > 0
    assert tau_gap([10 * score + 3 for score in truth], estimate).value == pytest.approx(value.value)


@given(truth=st.lists(st.integers(0, 6), min_size=2, max_size=9, unique=True))
def test_the_same_order_is_1_and_the_reverse_is_minus_1(truth):
    assert tau_gap(truth, truth).value == 1
    assert tau_gap(truth, [-score for score in truth]).value == -1
    assert tau_gap(truth, [5] * len(truth)).value == 0


def test_paired_rows_are_single_values():
    rows = [(x, y) for x, y in product(permutations([3, 2, 2, 1]), permutations([3, 3, 2, 1]))][:200]
    truth, estimate = (np.array([row[side] for row in rows], dtype=float) for side in (0, 1))
    batch = tau_gap_paired(truth, estimate)
    assert [batch[row].value for row in range(len(rows))] == pytest.approx([tau_gap(x, y).value for x, y in rows])


@pytest.mark.parametrize(("scores", "reason"), [([1], "one_system"), ([], "one_system"), ([2, 2, 2], "all_tied")])
def test_undefined(scores, reason):
    assert tau_gap(scores, scores).reason == reason


@pytest.mark.parametrize("scores", [[1, 2, 3], [1, float("nan")]])
def test_refusals(scores):
    with pytest.raises(ValueError):  # noqa: PT011
        tau_gap([1, 2], scores)
