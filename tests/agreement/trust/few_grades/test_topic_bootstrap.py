"""Intervals by a bootstrap of topics: by hand, against resampled topics, by properties, by simulation, degenerate."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust.few_grades import topic_bootstrap
from agreement.trust.few_grades.correction import corrected
from agreement.trust.few_grades.delete_groups import Deviations
from agreement.trust.few_grades.topic_bootstrap import LEAST_ERROR, bootstrap_quantiles
from tests.examples import examples

OPTIONS = {"confidence": 0.95, "seed": 1}


def without_deviations(scores) -> Deviations:
    scores = np.asarray(scores, float)
    return Deviations(scores, np.zeros((1, *scores.shape)), np.zeros((1, scores.shape[-1])))


def random_scores(rng, n_judges=2, n_estimates=3, n_topics=12, shift=0.4):
    """Scores of people with those of judges whose luck is related."""
    luck = rng.normal(scale=0.1, size=(n_estimates, n_topics))
    deviations = rng.normal(scale=0.05, size=(5, n_estimates, n_topics))
    degrees = np.full((5, n_topics), 0.8)

    def scored(noise):
        score = shift + 0.2 * rng.random((n_estimates, n_topics)) + luck
        return Deviations(score, deviations + noise * rng.normal(size=deviations.shape), degrees)

    judges = [(one, one.scores - luck) for one in (scored(0.02 * (number + 1)) for number in range(n_judges))]
    return scored(0.01), judges


def test_by_hand():
    """Two topics with the scores 0 and 1: v = 0.5 with the standard error 0.5.

    Half of the samples have one topic twice: v* is 0.5 away, and the standard error 0 counts as 0.05: 10. The others
    are 0 away. So the quantile at 95 % is 10, and that at 40 % is 0.
    """
    people = without_deviations([[0.0, 1.0]])
    assert bootstrap_quantiles(people, is_share=False, **OPTIONS).tolist() == [pytest.approx(1 / LEAST_ERROR)]
    assert bootstrap_quantiles(people, is_share=False, confidence=0.4, seed=1).tolist() == [0]


@examples(10)
@given(seed=st.integers(0, 2**32), n_judges=st.sampled_from([0, 1, 2]), is_share=st.booleans())
def test_quantiles_are_those_of_estimates_from_resampled_topics(seed, n_judges, is_share):
    people, judges = random_scores(np.random.default_rng(seed), n_judges)
    found = bootstrap_quantiles(people, *judges, is_share=is_share, n_samples=19, **OPTIONS)
    times = np.random.default_rng(1).multinomial(12, np.full(12, 1 / 12), size=19)
    value, error = estimate(people, judges, np.arange(12))
    sizes = []
    for one in times:
        sampled, spread = estimate(people, judges, np.repeat(np.arange(12), one))
        spread, distance = np.maximum(spread, LEAST_ERROR * error), sampled - value
        if is_share:
            spread = spread / (sampled * (1 - sampled))
            distance = np.log(sampled / (1 - sampled)) - np.log(value / (1 - value))
        sizes.append(np.abs(distance) / spread)
    assert found == pytest.approx(np.max(sizes, axis=0), rel=1e-6)  # 95 % of 20 is the largest of 19


def estimate(people, judges, chosen):
    def of(one):
        return Deviations(one.scores[:, chosen], one.deviations[..., chosen], one.degrees[:, chosen])

    found = corrected(of(people), *((of(judge), whole[:, chosen]) for judge, whole in judges))
    return found.values, found.by_topic.std(axis=-1, ddof=1) / len(chosen) ** 0.5


@examples(10)
@given(seed=st.integers(0, 2**32), factor=st.sampled_from([0.1, 5]))
def test_quantiles_do_not_depend_on_the_unit_and_grow_with_the_level(seed, factor):
    people, judges = random_scores(np.random.default_rng(seed))

    def scaled(one):
        return Deviations(factor * one.scores, factor * one.deviations, one.degrees)

    first = bootstrap_quantiles(people, *judges, is_share=False, **OPTIONS)
    changed = [(scaled(judge), factor * whole) for judge, whole in judges]
    assert bootstrap_quantiles(scaled(people), *changed, is_share=False, **OPTIONS) == pytest.approx(first, rel=1e-6)
    assert (first <= bootstrap_quantiles(people, *judges, is_share=False, confidence=0.99, seed=1)).all()


def test_estimates_do_not_depend_on_each_other(monkeypatch):
    people, judges = random_scores(np.random.default_rng(2), n_estimates=5)
    together = bootstrap_quantiles(people, *judges, is_share=True, **OPTIONS)
    monkeypatch.setattr(topic_bootstrap, "AT_ONCE", 2)
    assert bootstrap_quantiles(people, *judges, is_share=True, **OPTIONS) == pytest.approx(together)


def test_draws_may_be_in_the_middle():
    """Shapes (n_estimates, n_draws, n_topics), as the simulations have them."""
    scores = np.random.default_rng(3).random((2, 4, 10))
    found = bootstrap_quantiles(without_deviations(scores), is_share=True, **OPTIONS)
    assert found.shape == (2, 4)
    one = bootstrap_quantiles(without_deviations(scores[:, 1]), is_share=True, **OPTIONS)
    assert found[:, 1] == pytest.approx(one)


def test_many_topics_of_a_normal_distribution_have_nearly_its_quantile():
    scores = np.random.default_rng(4).normal(size=(20, 200))
    found = bootstrap_quantiles(without_deviations(scores), is_share=False, **OPTIONS)
    assert found.mean() == pytest.approx(1.97, abs=0.05)


@pytest.mark.slow
def test_intervals_of_skewed_topics_cover_the_mean():
    """Shares near 0 from 25 topics: 95 % intervals on the logit scale cover 92 % or more of 400."""
    scores = np.random.default_rng(5).beta(1, 6, size=(400, 25))
    quantiles = bootstrap_quantiles(without_deviations(scores), is_share=True, **OPTIONS)
    value, error = scores.mean(axis=1), scores.std(axis=1, ddof=1) / 5
    distance = np.log(value / (1 - value)) - np.log((1 / 7) / (6 / 7))
    covered = np.abs(distance) <= quantiles * error / (value * (1 - value))
    assert covered.mean() >= 0.92


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_equal_topics_have_no_distance(score):
    assert bootstrap_quantiles(without_deviations([[score] * 5]), is_share=True, **OPTIONS).tolist() == [0]


def test_a_share_of_0_in_a_sample_is_compared_without_logits():
    found = bootstrap_quantiles(without_deviations([[0.0] * 4 + [0.5]]), is_share=True, **OPTIONS)
    assert np.isfinite(found).all()
