"""The difference estimator: by hand, over every sample of tiny pools, and against loops."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement.trust.few_grades.difference_estimator import SampleDesign, difference_estimate
from tests.agreement.trust.few_grades.designs import poisson, stratified, two_stage
from tests.examples import examples

GAINS = np.array([0.0, 1, 1, 0, 1, 0, 1])
MODEL = np.array([0.0, 2, 1, 1, 3, 0, 2])
WEIGHTS = np.array([[0.5, 0.5, 0.25, 0, 0.5, 0.5, 0.1], [0.5, -0.5, 0.25, 0.3, 0, -0.5, 0.2]])
FIXED = {  # strata and sizes of their samples
    "one stratum": ([0] * 7, [3]),
    "two strata": ([0, 0, 0, 1, 1, 1, 1], [2, 3]),
    "one judged whole": ([0, 0, 0, 1, 1, 1, 1], [3, 2]),
}


def simple(n_pairs, drawn, **changes):
    """A simple random sample of one topic."""
    zeros = np.zeros(n_pairs, dtype=int)
    is_drawn = np.isin(np.arange(n_pairs), drawn)
    design = {"topic": zeros, "stratum": zeros, "probability": np.full(n_pairs, len(drawn) / n_pairs)}
    return SampleDesign(**(design | {"drawn": is_drawn, "is_fixed": True} | changes))


def over_all_samples(designs, slope, claim="these_topics", n_pairs=7):
    """Estimates and variances over every sample, with the probabilities of the samples."""
    found, chances = [], []
    for each in designs:
        design, chance = each if isinstance(each, tuple) else (each, None)
        gains = GAINS[:n_pairs][design.drawn]
        found.append(difference_estimate(WEIGHTS[:, :n_pairs], slope * MODEL[:n_pairs], gains, design, claim))
        chances.append(chance)
    chances = np.full(len(found), 1 / len(found)) if chances[0] is None else np.array(chances)
    values, variances = (np.array([getattr(one, name) for one in found]) for name in ("values", "variances"))
    mean = chances @ values
    return mean, chances @ variances, chances @ (values - mean) ** 2


def test_simple_random_sample_by_hand():
    """N = 4, n = 2, weights 1/4, f = (1, 1, 0, 0), y of the drawn pairs 1 and 3 is (1, 1), slope 0.5.

    theta = 0.25 * 0.5 * 2 + (0.25 * 0.5 + 0.25 * 1) / 0.5 = 0.25 + 0.75 = 1.
    The residuals are 0.5 and 1, so S^2 = 0.125, and the variance (1 - 2/4) * 0.125 / 2 = 0.03125.
    """
    found = difference_estimate(
        np.full((1, 4), 0.25), 0.5 * np.array([1.0, 1, 0, 0]), np.array([1.0, 1]), simple(4, [0, 2])
    )
    assert found.values.tolist() == [1.0]
    assert found.variances.tolist() == [0.03125]
    assert found.degrees.tolist() == [1.0]


def test_poisson_by_hand():
    """Two pairs with p = 0.5 and 0.25, both drawn, w = 1, y = 1: 2 + 4; variance 0.5 * 2^2 + 0.75 * 4^2 = 14."""
    design = simple(2, [0, 1], probability=np.array([0.5, 0.25]), is_fixed=False)
    found = difference_estimate(np.ones((1, 2)), np.zeros(2), np.ones(2), design)
    assert found.values.tolist() == [6.0]
    assert found.variances.tolist() == [14.0]


def test_two_stages_by_hand():
    """3 topics of 2 pairs, 2 topics drawn, 1 and 2 pairs of them: p = 2/3 * 1/2 and 2/3.

    Totals of the drawn topics: 1 / (1/2) = 2 and 1 + 0 = 1. Estimate 3/2 * (2 + 1) = 4.5.
    The first stage adds 3^2 (1 - 2/3) / 2 * 0.5 = 0.75. The topic with one pair of two has no neighbour: no variance.
    """
    topic = np.repeat([0, 1, 2], 2)
    design = SampleDesign(
        topic,
        topic,
        np.array([1 / 3, 1 / 3, 2 / 3, 2 / 3, 2 / 3, 2 / 3]),
        np.array([True, False, True, True, False, False]),
        True,
        np.array([True, True, False]),
    )
    found = difference_estimate(np.ones((1, 6)), np.zeros(6), np.array([1.0, 1, 0]), design)
    assert found.values == pytest.approx([4.5])
    assert np.isnan(found.variances).all()


@pytest.mark.parametrize("slope", [0, 1, -0.4])
@pytest.mark.parametrize("name", FIXED)
def test_stratified_estimates_and_variances_are_unbiased_over_all_samples(name, slope):
    mean, estimated, true = over_all_samples(stratified(*FIXED[name]), slope)
    assert mean == pytest.approx(WEIGHTS @ GAINS, abs=1e-12)
    assert estimated == pytest.approx(true, abs=1e-12)


@pytest.mark.parametrize("slope", [0, 0.5])
def test_poisson_estimates_and_variances_are_unbiased_over_all_samples(slope):
    mean, estimated, true = over_all_samples(poisson([0.2, 0.9, 0.5, 0.3, 1.0, 0.7, 0.4]), slope)
    assert mean == pytest.approx(WEIGHTS @ GAINS, abs=1e-12)
    assert estimated == pytest.approx(true, abs=1e-12)


@pytest.mark.parametrize("slope", [0, 0.5])
@pytest.mark.parametrize("n_topics", [2, 3])
def test_two_stage_estimates_and_variances_are_unbiased_over_all_samples(slope, n_topics):
    designs = two_stage([0, 0, 0, 1, 1, 2, 2], n_topics, 2)
    mean, estimated, true = over_all_samples(designs, slope)
    assert mean == pytest.approx(WEIGHTS @ GAINS, abs=1e-12)
    assert estimated == pytest.approx(true, abs=1e-12)


def test_collapsed_strata_are_not_too_certain():
    """One pair of each of two strata: their variance includes the square of the difference of the strata."""
    strata = [0, 0, 0, 1, 1, 1, 1]
    mean, estimated, true = over_all_samples(stratified(strata, [1, 1]), 0.5)
    residuals = WEIGHTS * (GAINS - 0.5 * MODEL)
    between = residuals[:, :3].sum(axis=1) - residuals[:, 3:].sum(axis=1)
    assert mean == pytest.approx(WEIGHTS @ GAINS, abs=1e-12)
    assert estimated == pytest.approx(true + between**2, abs=1e-12)


@pytest.mark.parametrize("sizes", [[1, 3], [1, 1, 1], [2, 1, 2]])
def test_a_stratum_with_one_pair_has_a_variance_by_its_neighbour(sizes):
    strata = [0, 0, 1, 1, 1, 1, 1] if len(sizes) == 2 else [0, 0, 1, 1, 2, 2, 2]
    _, estimated, true = over_all_samples(stratified(strata, sizes), 0)
    assert (estimated >= true - 1e-12).all()


@pytest.mark.parametrize("claim", ["these_topics", "sampled_topics"])
def test_a_single_drawn_pair_has_no_variance(claim):
    found = difference_estimate(np.ones((1, 3)), np.zeros(3), np.ones(1), simple(3, [1]), claim)
    assert np.isnan(found.variances).all()
    assert found.values == pytest.approx([3.0])


@pytest.mark.parametrize("is_fixed", [True, False])
def test_no_variance_is_left_when_all_pairs_are_graded(is_fixed):
    design = simple(7, range(7), is_fixed=is_fixed)
    found = difference_estimate(WEIGHTS, 0.3 * MODEL, GAINS, design)
    assert found.values == pytest.approx(WEIGHTS @ GAINS, abs=1e-15)
    assert found.variances.tolist() == [0, 0]


def test_topics_as_a_sample_have_the_variance_of_a_mean_when_all_pairs_are_graded():
    """One pair for each topic with weight 1/4: the variance of a mean of four, S^2 / 4."""
    topic = np.arange(4)
    design = SampleDesign(topic, topic, np.ones(4), np.ones(4, dtype=bool), True)
    gains = np.array([1.0, 0, 0, 1])
    found = difference_estimate(np.full((1, 4), 0.25), np.zeros(4), gains, design, "sampled_topics")
    assert found.variances == pytest.approx([gains.var(ddof=1) / 4])
    assert found.degrees.tolist() == [3]


def test_topics_as_a_sample_have_the_variance_between_estimated_topics():
    """Strata within topics: the variance of the mean of the estimated scores of the topics."""
    rng = np.random.default_rng(5)
    topic = np.repeat(np.arange(5), 8)
    drawn = np.concatenate([rng.permutation(8) < 4 for _ in range(5)])
    gains = (rng.random((5, 8)) < np.linspace(0.05, 0.95, 5)[:, None]).reshape(-1).astype(float)
    design = SampleDesign(topic, topic, np.full(40, 0.5), drawn, True)
    found = difference_estimate(np.full((1, 40), 1 / 40), np.zeros(40), gains[drawn], design, "sampled_topics")
    scores = np.array([gains[(topic == t) & drawn].mean() for t in range(5)])
    assert found.variances == pytest.approx([scores.var(ddof=1) / 5], abs=1e-12)


def test_one_topic_is_no_sample_of_topics():
    found = difference_estimate(WEIGHTS, 0 * MODEL, GAINS[:4], simple(7, range(4)), "sampled_topics")
    assert np.isnan(found.variances).all()


def _loops(weights, predicted, gains, design):
    """The estimate and variance of a stratified sample, pair by pair."""
    total, variance, position = 0.0, 0.0, 0
    residual = {}
    for pair in range(len(weights)):
        total += weights[pair] * predicted[pair]
        if design.drawn[pair]:
            residual[pair] = weights[pair] * (gains[position] - predicted[pair])
            total += residual[pair] / design.probability[pair]
            position += 1
    for stratum in set(design.stratum.tolist()):
        members = np.flatnonzero(design.stratum == stratum)
        values = [residual[pair] for pair in members if pair in residual]
        spread = stats.tvar(values) if len(values) > 1 else 0.0
        variance += len(members) ** 2 * (1 - len(values) / len(members)) * spread / len(values)
    return total, variance


@examples(15)
@given(seed=st.integers(0, 2**32))
def test_estimates_are_those_of_loops(seed):
    rng = np.random.default_rng(seed)
    topic = np.sort(rng.integers(0, 4, 40))
    _, topic = np.unique(topic, return_inverse=True)
    stratum = topic * 2 + rng.integers(0, 2, 40)
    _, stratum, sizes = np.unique(stratum, return_inverse=True, return_counts=True)
    order = [rng.permutation(np.flatnonzero(stratum == h)) for h in range(len(sizes))]
    taken = [pairs[: max(min(2, len(pairs)), rng.integers(1, len(pairs) + 1))] for pairs in order]
    drawn = np.isin(np.arange(40), np.concatenate(taken))
    probability = np.array([len(one) for one in taken])[stratum] / sizes[stratum]
    design = SampleDesign(topic, stratum, probability, drawn, True)
    weights, predicted, gains = rng.normal(size=(3, 40)), rng.normal(size=40), rng.normal(size=drawn.sum())
    found = difference_estimate(weights, predicted, gains, design)
    for row in range(3):
        total, variance = _loops(weights[row], predicted, gains, design)
        assert found.values[row] == pytest.approx(total, abs=1e-10)
        assert found.variances[row] == pytest.approx(variance, abs=1e-10)
