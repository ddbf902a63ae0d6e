"""Predictions without the grade that they are compared with: over every sample and deal of tiny pools."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust.few_grades import predictions
from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
from agreement.trust.few_grades.predictions import cross_fitted
from tests.agreement.trust.few_grades.designs import dealt, poisson, stratified, two_stage
from tests.examples import examples

GAINS = np.array([0.0, 1, 1, 0, 1, 0, 1])
MODEL = np.array([0.0, 2, 1, 1, 3, 0, 2])
WEIGHTS = np.array([[0.5, 0.5, 0.25, 0, 0.5, 0.5, 0.1], [0.5, -0.5, 0.25, 0.3, 0, -0.5, 0.2]])
SEED = 1


@pytest.fixture
def estimate_with(monkeypatch):
    """The estimate with a given deal of the drawn pairs to folds."""

    def estimate(design, fold, n_folds):
        monkeypatch.setattr(predictions, "_folds", lambda *_: fold)
        n_pairs = len(design.drawn)
        gains = GAINS[:n_pairs][design.drawn]
        predicted = cross_fitted(WEIGHTS[:, :n_pairs], MODEL[:n_pairs], gains, design, SEED, n_folds)
        return difference_estimate(WEIGHTS[:, :n_pairs], predicted, gains, design)

    return estimate


def random_pool(rng, n_topics=6, n_docs=15, share=0.4):
    """A stratified sample, weights of scores and differences, gains of all pairs, and a model."""
    topic = np.repeat(np.arange(n_topics), n_docs)
    taken = max(2, round(share * n_docs))
    drawn = np.concatenate([rng.permutation(n_docs) < taken for _ in range(n_topics)])
    design = SampleDesign(topic, topic, np.full(len(topic), taken / n_docs), drawn, True)
    weights = rng.choice([0, 0.5, 1], (2, len(topic)))
    gains = rng.integers(0, 4, len(topic)).astype(float)
    return design, np.vstack([weights, weights[:1] - weights[1:]]), gains


@pytest.mark.parametrize(
    ("strata", "sizes", "n_folds"),
    [([0] * 6, [4], 2), ([0] * 6, [3], 3), ([0, 0, 0, 1, 1, 1, 1], [2, 2], 2), ([0, 0, 0, 1, 1, 1, 1], [1, 3], 3)],
)
def test_stratified_estimates_are_unbiased_over_all_samples_and_deals(estimate_with, strata, sizes, n_folds):
    found = [
        estimate_with(design, fold, n_folds).values
        for design in stratified(strata, sizes)
        for fold in dealt(design, n_folds)
    ]
    n_pairs = len(strata)
    assert np.mean(found, axis=0) == pytest.approx(WEIGHTS[:, :n_pairs] @ GAINS[:n_pairs], abs=1e-12)


def test_poisson_estimates_are_unbiased_over_all_samples_and_deals(estimate_with):
    mean = np.zeros(2)
    for design, chance in poisson([0.3, 0.9, 0.5, 0.6, 1.0]):
        n_drawn = int(design.drawn.sum())
        for fold in product(range(2), repeat=n_drawn):
            mean += chance / 2**n_drawn * estimate_with(design, np.array(fold, dtype=int), 2).values
    assert mean == pytest.approx(WEIGHTS[:, :5] @ GAINS[:5], abs=1e-12)


@pytest.mark.parametrize(("n_topics", "deals"), [(2, [(0, 1), (1, 0)]), (3, [(0, 1, 0), (1, 0, 0), (0, 0, 1)])])
def test_two_stage_estimates_are_unbiased_over_all_samples_and_deals(estimate_with, n_topics, deals):
    mean = np.zeros(2)
    for design, chance in two_stage([0, 0, 0, 1, 1, 2, 2], n_topics, 2):
        position = np.cumsum(design.drawn_topics) - 1
        for deal in deals:
            fold = np.array(deal)[position[design.topic[design.drawn]]]
            mean += chance / len(deals) * estimate_with(design, fold, 2).values
    assert mean == pytest.approx(WEIGHTS @ GAINS, abs=1e-12)


def test_a_slope_that_is_fitted_on_the_same_grades_would_be_biased():
    """The reason for the folds: theta with the regression slope of the whole sample, over all samples."""
    found = []
    for design in stratified([0] * 7, [3]):
        f, y = MODEL[design.drawn], GAINS[design.drawn]
        slope = np.cov(f, y)[0, 1] / f.var(ddof=1) if f.std() > 0 else 0.0
        found.append(slope * MODEL.mean() + (y - slope * f).mean())
    assert abs(np.mean(found) - GAINS.mean()) > 0.01


def test_folds_have_equal_sizes_and_are_dealt_within_strata():
    design = SampleDesign(np.repeat([0, 1], 20), np.repeat([0, 1], 20), np.full(40, 0.5), np.arange(40) % 2 == 0, True)
    fold = predictions._folds(design, np.random.default_rng(SEED), 5)
    for stratum in (0, 1):
        assert np.bincount(fold[design.stratum[design.drawn] == stratum]).tolist() == [2] * 5


@examples(15)
@given(seed=st.integers(0, 2**32), slope=st.sampled_from([0.3, 1, -1, 4]))
def test_a_model_on_another_scale_or_in_reverse_leaves_no_width(seed, slope):
    """A perfect model predicts every gain, whatever its scale: y = slope * f + 2."""
    rng = np.random.default_rng(seed)
    design, weights, gains = random_pool(rng)
    predicted = cross_fitted(weights, (gains - 2) / slope, gains[design.drawn], design, SEED)
    found = difference_estimate(weights, predicted, gains[design.drawn], design)
    assert found.values == pytest.approx(weights @ gains, abs=1e-8)
    assert found.variances == pytest.approx([0, 0, 0], abs=1e-12)


@examples(15)
@given(seed=st.integers(0, 2**32), scale=st.sampled_from([0.01, 7, -3]), shift=st.sampled_from([-5.0, 0, 100]))
def test_predictions_do_not_depend_on_the_scale_of_the_model(seed, scale, shift):
    rng = np.random.default_rng(seed)
    design, weights, gains = random_pool(rng)
    model = gains + rng.normal(size=len(gains))
    first, second = (
        cross_fitted(weights, each, gains[design.drawn], design, SEED) for each in (model, scale * model + shift)
    )
    assert first * (weights != 0) == pytest.approx(second * (weights != 0), abs=1e-8)


@pytest.mark.parametrize("constant", [0, 1, 0.1, -3])
def test_every_constant_model_is_the_constant_judge(constant):
    design, weights, gains = random_pool(np.random.default_rng(3))
    first, second = (
        cross_fitted(weights, np.full(len(gains), value), gains[design.drawn], design, SEED) for value in (0, constant)
    )
    assert np.array_equal(first, second)


def test_a_prediction_does_not_use_the_grade_of_its_own_pair():
    """Another grade of one drawn pair changes the predictions of others and not its own."""
    design, weights, gains = random_pool(np.random.default_rng(4))
    model = np.random.default_rng(5).normal(size=len(gains))
    pair = np.flatnonzero(design.drawn & (weights[0] > 0))[0]
    changed = gains + 10 * (np.arange(len(gains)) == pair)
    first, second = (cross_fitted(weights, model, each[design.drawn], design, SEED) for each in (gains, changed))
    assert first[0, pair] == second[0, pair]
    assert not np.array_equal(first, second)


def test_a_single_drawn_pair_has_the_prediction_0():
    zeros = np.zeros(4, dtype=int)
    design = SampleDesign(zeros, zeros, np.full(4, 0.25), np.arange(4) == 2, True)
    predicted = cross_fitted(np.ones((1, 4)), np.arange(4.0), np.ones(1), design, SEED)
    assert predicted.tolist() == [[0, 0, 0, 0]]


def test_without_a_drawn_pair_of_a_system_predictions_are_0():
    design, weights, gains = random_pool(np.random.default_rng(6))
    weights = weights * ~design.drawn
    assert not cross_fitted(weights, gains, gains[design.drawn], design, SEED).any()
