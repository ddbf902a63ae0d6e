"""Poisson draws: probabilities by hand and by simulation, their properties, and what they refuse."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling.draws import draw_poisson
from pooling.draws.poisson import bounded, in_proportion
from tests.examples import examples
from tests.pooling.draws.pairs import drawn_set, pairs

WEIGHTS = st.lists(st.sampled_from([0.0, 0.25, 1.0, 3.0, 50.0]), min_size=1, max_size=9).filter(any)


def weighted(weights, name="gain"):
    return pairs(**{"1": len(weights)}).assign(**{name: weights})


def test_probabilities_by_hand():
    # Of 4 expected pairs, the weight 20 would have more than 1, so it is certain; 3 are left in proportion to 2, 1, 1.
    # 2 of 4 would have 3 * 2 / 4 = 1.5: certain as well. 2 are left for 1 and 1.
    assert in_proportion(np.array([1.0, 20.0, 2.0, 1.0]), 4).tolist() == [1, 1, 1, 1]
    assert in_proportion(np.array([1.0, 20.0, 2.0, 1.0]), 2).tolist() == [0.25, 1, 0.5, 0.25]
    # Lower bound: 0.9 * 0.25 + 0.1 * 2 / 4 = 0.275; 0.9 + 0.05 = 0.95; 0.9 * 0.5 + 0.05 = 0.5.
    assert bounded(np.array([0.25, 1, 0.5, 0.25]), 0.1) == pytest.approx([0.275, 0.95, 0.5, 0.275], rel=1e-14)


def test_with_fewer_weights_than_pairs_to_draw_the_others_share_the_rest():
    assert in_proportion(np.array([0.0, 5.0, 0.0]), 2).tolist() == [0.5, 1, 0.5]


@examples(100)
@given(WEIGHTS, st.integers(1, 9), st.floats(0, 1))
def test_probabilities_sum_to_the_size_and_keep_the_order(weights, size, tau):
    weights = np.array(weights)
    size = min(size, len(weights))
    probability = in_proportion(weights, size)
    assert probability.sum() == pytest.approx(size)
    assert (probability <= 1).all()
    by_weight = np.argsort(weights, kind="stable")
    assert (np.diff(probability[by_weight]) >= -1e-12).all()
    inner = (probability > 0) & (probability < 1) & (weights > 0)
    assert np.ptp(probability[inner] / weights[inner]) < 1e-9 if inner.any() else True
    mixed = bounded(probability, tau)
    assert mixed.sum() == pytest.approx(size)
    assert (mixed >= tau * size / len(weights) - 1e-12).all()


@examples(40)
@given(WEIGHTS, st.integers(1, 8), st.integers(0, 99))
def test_a_larger_size_contains_the_smaller(weights, size, seed):
    frame = weighted(weights)
    smaller, larger = (draw_poisson(frame, "gain", size=n, seed=seed) for n in (size, size + 1))
    assert drawn_set(smaller) <= drawn_set(larger)


def test_pairs_are_drawn_with_their_probabilities_and_independently():
    """In 3,000 topics that are alike: the share of each pair and of each two pairs, within four standard errors."""
    frame = pairs(**{str(number): 4 for number in range(3_000)}).assign(probability=[1, 0.5, 0.25, 0.25] * 3_000)
    draws = draw_poisson(frame, seed=1).frame["drawn"].to_numpy().reshape(-1, 4).astype(float)
    p = np.array([0.95, 0.5, 0.275, 0.275])
    assert np.abs(draws.mean(axis=0) - p).max() < 4 * 0.5 / np.sqrt(3_000)
    together = draws.T @ draws / len(draws)
    expected = np.outer(p, p) + np.diag(p - p**2)
    assert np.abs(together - expected).max() < 4 * 0.5 / np.sqrt(3_000)


def test_estimate_and_its_variance_are_unbiased_by_enumeration():
    """All 16 samples of 4 pairs with their probabilities: the estimate of a total, and the estimate of its variance."""
    p = bounded(np.array([1, 0.5, 0.25, 0.25]), 0.1)
    value = np.array([3.0, -1.0, 2.0, 5.0])
    mean = second = estimated = 0.0
    for code in range(16):
        drawn = np.array([code >> bit & 1 for bit in range(4)], dtype=bool)
        chance = np.where(drawn, p, 1 - p).prod()
        total = (value / p)[drawn].sum()
        mean += chance * total
        second += chance * total**2
        estimated += chance * ((1 - p) / p**2 * value**2)[drawn].sum()
    assert mean == pytest.approx(value.sum(), abs=1e-12)
    assert estimated == pytest.approx(second - mean**2, abs=1e-12)


def test_everything_is_certain():
    draw = draw_poisson(weighted([1, 1, 1], "probability"), seed=1)
    assert draw.frame["inclusion_probability"].eq(1).all()
    assert len(draw) == 3
    assert not draw.is_fixed
    assert len(draw_poisson(weighted([0, 2, 1]), "gain", size=99, seed=1)) == 3


def test_a_small_probability_raises_the_design_effect():
    even, uneven = (draw_poisson(weighted(w, "probability"), seed=1, tau=0) for w in ([0.5, 0.5], [0.99, 0.01]))
    assert even.design_effect == 1
    # (0.99 + 0.01) * (1 / 0.99 + 1 / 0.01) / 4 = 25.25...
    assert uneven.design_effect == pytest.approx((1 / 0.99 + 100) / 4)


def test_strata_are_recorded():
    frame = weighted([1, 1, 1]).assign(grade=[0, 1, 1])
    assert draw_poisson(frame, "gain", size=1, seed=1, strata="grade").frame["stratum"].tolist() == ["0", "1", "1"]


@pytest.mark.parametrize(
    ("weights", "options", "sentence"),
    [
        ([1, 1.5], {}, "the gain of document 'd1' of topic '1' must be from 0 to 1, not 1.5"),
        ([1, -1], {"size": 1}, "the gain of document 'd1' of topic '1' must be a number from 0, not -1"),
        ([1, float("inf")], {"size": 1}, "must be a number from 0, not inf"),
        (["x", "1"], {"size": 1}, "the gain of document 'd0' of topic '1' must be a number from 0, not 'x'"),
        ([1, None], {"size": 1}, "document 'd1' of topic '1' has no value in the column 'gain'"),
        ([0, 0], {"size": 1}, "every gain is 0, so nothing can be drawn; at least one must be above 0"),
        ([1, 0], {"tau": 0}, "document 'd1' of topic '1' has the probability 0"),
        ([1, 1], {"tau": 1.5}, "tau must be a number from 0 to 1, not 1.5"),
        ([1, 1], {"tau": "x"}, "tau must be a number from 0 to 1, not 'x'"),
        ([1, 1], {"size": 0}, "size must be a whole number from 1, not 0"),
        ([1, 1], {"seed": None}, "seed must be a whole number from 0, not None"),
    ],
)
def test_invalid_draws_are_refused(weights, options, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        draw_poisson(weighted(weights), "gain", **({"seed": 1} | options))


def test_a_missing_column_is_refused():
    with pytest.raises(ValueError, match="need the column 'probability', which the design needs"):
        draw_poisson(pairs(a=2), seed=1)
