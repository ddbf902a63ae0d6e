"""Discriminative power: by hand, published, all resamples and slow twins, properties, degenerate scores, simulation.

The published p-values are those of Sakai (2018) with Tukey's test. Those of the bootstrap test in Sakai (2006, 2012)
are of runs of NTCIR and TREC whose scores are not published. No example of the bootstrap test with its scores was found
in public repositories, documentation and web pages, so it is compared with a loop on random inputs.
"""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from agreement import compare_systems
from agreement.meta_evaluation import discriminative_power
from agreement.significance import REASONS
from tests.agreement.meta_evaluation.published_scores import SAKAI_2018, three_systems
from tests.agreement.significance.test_paired_tests import random_scores, table
from tests.each_value import each_value
from tests.examples import examples, seeds


def pair_of(differences, **options) -> pd.Series:
    """The row of two systems with these differences."""
    scores = table([differences, np.zeros(len(differences))])
    return discriminative_power(scores, seed=1, **options).pairs.iloc[0]


def every_resample(differences) -> tuple[np.ndarray, np.ndarray]:
    """Student's t and the mean of every resample of the differences, shifted to a mean of 0."""
    shifted = np.array(differences) - np.mean(differences)
    means, ts = [], []
    for chosen in product(shifted, repeat=len(shifted)):
        mean, sd = np.mean(chosen), np.std(chosen, ddof=1)
        means.append(mean)
        ts.append(np.inf if sd < 1e-12 < abs(mean) else 0 if sd < 1e-12 else mean / (sd / len(chosen) ** 0.5))
    return np.abs(ts), np.abs(means)


# By hand


def test_two_topics_by_hand():
    # differences 1 and 3, shifted to -1 and 1. Two of the four resamples take one topic twice: their mean is -1 or 1,
    # and their t is infinite; in the others t is 0, which is less than the observed t of 2
    row = pair_of([1, 3], draws=4000, alpha=0.4)
    assert row.difference == 2
    assert row.p == pytest.approx(1 / 2, abs=0.03)
    assert row.required_difference == 1
    # at the level 0.6, more than half of the resamples reach a mean of 0
    assert pair_of([1, 3], draws=4000, alpha=0.6).required_difference == 0


def test_the_share_is_that_of_all_pairs():
    # a is ahead of b and c by 1, a little more or less; b and c are equal
    wobble = np.tile([0.01, -0.01], 10)
    power = discriminative_power(table([1 + wobble, 0 * wobble, 0 * wobble]), seed=1)
    assert (power.n_significant, power.n_pairs, power.value) == (2, 3, 2 / 3)
    assert power.pairs["reason"].tolist() == [pd.NA, pd.NA, "no_difference"]
    assert power.pairs["p"].tolist()[:2] == pytest.approx([1 / 1001] * 2)
    assert power.required_difference < 0.01


def test_tukey_is_the_test_of_compare_systems():
    scores = table(random_scores(1, 5, 20))
    power = discriminative_power(scores, "tukey", seed=3, draws=500)
    tested = compare_systems(scores, "tukey", seed=3, draws=500)
    assert power.pairs["p"].tolist() == sorted(tested["p"])
    assert power.n_significant == tested["significant"].sum()
    assert power.required_difference == pytest.approx(float((tested["high"] - tested["difference"]).iloc[0]))


# Published


def test_published_p_values_of_tukeys_test():
    # Sakai (2018), 20topics3runs, 5,000 draws: p is 0.4996 for systems 1 and 2, 0 for 1 and 3, 0.0024 for 2 and 3
    power = discriminative_power(three_systems(SAKAI_2018), "tukey", seed=1, draws=200_000)
    found = power.pairs.set_index(["system_a", "system_b"])["p"]
    published = {("1", "2"): 0.4996, ("1", "3"): 0, ("2", "3"): 0.0024}
    for pair, p in published.items():
        assert found[pair] == pytest.approx(p, abs=3 * (found[pair] * (1 - found[pair]) / 5000) ** 0.5)
    assert power.n_significant == sum(p <= 0.05 for p in published.values()) == 2
    assert power.value == 2 / 3


# Oracles


@each_value("seed", seeds(200))
def test_bootstrap_against_a_loop_on_random_scores(seed):
    rng = np.random.default_rng(seed)
    n, draws, alpha = int(rng.integers(3, 9)), int(rng.integers(20, 60)), float(rng.choice([0.05, 0.2]))
    x, y = random_scores(seed, 2, n)
    d = x - y
    shifted = d - d.mean()
    beyond, means = 0, []
    for row in np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), draws):
        chosen = [shifted[topic] for topic in range(n) for _ in range(row[topic])]
        mean = sum(chosen) / n
        variance = sum((value - mean) ** 2 for value in chosen) / (n - 1)
        means.append(abs(mean))
        observed = abs(d.mean()) / d.std(ddof=1)
        beyond += abs(mean) > 1e-12 if variance < 1e-20 else abs(mean) / variance**0.5 >= observed
    power = discriminative_power(table([x, y]), seed=seed, draws=draws, alpha=alpha)
    row = power.pairs.iloc[0]
    assert row.p == pytest.approx((1 + beyond) / (1 + draws), abs=1e-9)
    assert row.required_difference == pytest.approx(sorted(means, reverse=True)[int(alpha * draws) - 1], abs=1e-9)
    assert power.value == ((1 + beyond) / (1 + draws) <= alpha)


@pytest.mark.parametrize(
    "differences", [[0.1, 0.4, 0.2, -0.1, 0.3], [1, 2, 4, 8, 16], [1, 1, 1, 0, 1], [1, -1, 2, -2, 0]]
)
def test_against_every_resample(differences):
    ts, means = every_resample(differences)
    t = abs(np.mean(differences)) / (np.std(differences, ddof=1) / 5**0.5)
    row = pair_of(differences, draws=20_000, alpha=0.2)
    assert row.p == pytest.approx(np.mean(ts >= t - 1e-9), abs=0.015)
    assert np.mean(means > row.required_difference + 1e-9) < 0.21
    assert np.mean(means >= row.required_difference - 1e-9) > 0.19


def test_against_a_loop_over_the_same_draws():
    scores, n, draws = random_scores(2, 3, 10), 10, 300
    times = np.random.default_rng(1).multinomial(n, np.full(n, 1 / n), draws)
    expected = {}
    for i, j in ((0, 1), (0, 2), (1, 2)):
        d = scores[i] - scores[j]
        shifted = [np.repeat(d - d.mean(), row) for row in times]
        ts = np.array([abs(w.mean()) / (w.std(ddof=1) / n**0.5) for w in shifted])
        observed = abs(d.mean()) / (d.std(ddof=1) / n**0.5)
        means = sorted((abs(w.mean()) for w in shifted), reverse=True)
        expected[f"s{i}", f"s{j}"] = (1 + (ts >= observed).sum()) / (1 + draws), means[14]  # 0.05 * 300 = 15
    pairs = discriminative_power(table(scores), seed=1, draws=draws).pairs.set_index(["system_a", "system_b"])
    for pair, figures in expected.items():
        assert tuple(pairs.loc[pair, ["p", "required_difference"]]) == pytest.approx(figures, abs=1e-12)


def test_with_many_topics_p_is_near_the_one_of_the_t_test():
    scores = random_scores(3, 4, 100)
    pairs = discriminative_power(table(scores), seed=1, draws=10_000).pairs
    for row in pairs.itertuples():
        t = ttest_rel(scores[int(row.system_a[1:])], scores[int(row.system_b[1:])])
        assert row.p == pytest.approx(t.pvalue, abs=0.02)


# Properties


@examples(20)
@given(st.integers(2, 5), st.integers(1, 8), st.integers(0, 99), st.sampled_from(["bootstrap", "tukey"]))
def test_the_curve_ascends_and_reasons_are_given(n_systems, n_topics, seed, test):
    scores = np.random.default_rng(seed).integers(3, size=(n_systems, n_topics))
    power = discriminative_power(table(scores), test, seed=1, draws=100)
    p = power.pairs["p"]
    assert p.dropna().is_monotonic_increasing
    assert not p[: p.notna().sum()].isna().any()
    missing = power.pairs[["p", "required_difference"]].isna().any(axis=1)
    assert missing.tolist() == power.pairs["reason"].notna().tolist()
    assert set(power.pairs["reason"].dropna()) <= set(REASONS)
    assert (power.value is None) == (power.reason is not None) == (n_topics == 1)


@given(st.integers(0, 99), st.floats(0.01, 100), st.floats(-5, 5))
def test_the_unit_and_the_level_of_the_scores_change_nothing(seed, unit, level):
    scores = random_scores(seed, 3, 10)
    power, other = (
        discriminative_power(table(values), seed=2, draws=200) for values in (scores, unit * scores + level)
    )
    assert other.pairs["p"].tolist() == pytest.approx(
        power.pairs["p"].tolist(), abs=0.011
    )  # two draws may be at the limit
    assert other.required_difference == pytest.approx(unit * power.required_difference)


def test_results_depend_on_the_seed_and_not_on_the_order_of_topics():
    scores = table(random_scores(4, 4, 15))
    first, again, other = (discriminative_power(scores, seed=seed).pairs for seed in (1, 1, 2))
    pd.testing.assert_frame_equal(first, again)
    assert first["p"].tolist() != other["p"].tolist()
    pd.testing.assert_frame_equal(discriminative_power(scores.iloc[:, ::-1], seed=1).pairs, first)


def test_results_show_themselves():
    text = repr(discriminative_power(table(random_scores(1, 4, 30)), seed=1))
    assert "of 6 pairs of systems" in text
    assert "1,000 draws, seed 1" in text
    assert "With 30 topics, fewer than 50" in text
    assert discriminative_power(table(random_scores(1, 4, 50)), seed=1).note is None


# Degenerate scores and invalid options


@pytest.mark.parametrize("test", ["bootstrap", "tukey"])
@pytest.mark.parametrize(
    ("shape", "reason"), [((0, 0), "one_system"), ((1, 5), "one_system"), ((2, 0), "no_topics"), ((3, 1), "one_topic")]
)
def test_without_pairs_or_topics_there_is_a_reason(shape, reason, test):
    power = discriminative_power(table(np.ones(shape)), test, seed=1, draws=50)
    assert (power.value, power.required_difference, power.reason) == (None, None, reason)
    assert "undefined" in repr(power)


def test_pairs_without_variance_are_not_significant():
    power = discriminative_power(table([[1, 1, 1], [1, 1, 1], [2, 2, 2]]), seed=1)
    assert (power.value, power.required_difference) == (0, None)
    assert set(power.pairs["reason"]) == {"no_difference", "same_difference"}


def test_too_few_draws_have_no_required_difference():
    power = discriminative_power(table(random_scores(5, 2, 10)), seed=1, draws=10)
    assert power.required_difference is None
    assert power.pairs["reason"].tolist() == ["few_draws"]
    assert power.pairs["p"].notna().all()


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({"test": "t", "seed": 1}, "test must be one of bootstrap, tukey, not 't'"),
        ({}, "Test 'bootstrap' draws at random and needs a seed"),
        ({"test": "tukey"}, "Test 'tukey' draws at random and needs a seed"),
        ({"seed": 1, "draws": 0}, "draws must be a whole number of at least 1, not 0"),
        ({"seed": 1, "alpha": 0}, "alpha must be between 0 and 1, such as 0.05, not 0"),
        ({"seed": 1, "alpha": "0.05"}, "alpha must be between 0 and 1, such as 0.05, not '0.05'"),
        ({"seed": 1, "test": ["tukey"]}, r"test must be one of bootstrap, tukey, not \['tukey'\]"),
        ({"seed": 1, "draws": float("nan")}, "draws must be a whole number of at least 1, not nan"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
    ],
)
def test_invalid_options_are_refused(invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        discriminative_power(table(np.ones((1, 2))), **invalid)


# Simulation


def test_a_measure_with_less_noise_discriminates_more():
    rng = np.random.default_rng(6)
    true = np.linspace(0, 1, 10)[:, None]
    precise, noisy = (
        discriminative_power(table(true + rng.normal(0, noise, (10, 30))), seed=1) for noise in (0.2, 1.0)
    )
    assert precise.value > noisy.value + 0.2
    assert precise.required_difference < noisy.required_difference


def test_of_equal_systems_few_pairs_are_significant():
    rng = np.random.default_rng(7)
    shares = [discriminative_power(table(rng.normal(size=(12, 30))), seed=1, draws=400).value for _ in range(15)]
    assert np.mean(shares) == pytest.approx(0.05, abs=0.025)


@pytest.mark.slow
def test_tukey_finds_a_pair_of_equal_systems_in_one_of_twenty_collections():
    rng = np.random.default_rng(8)
    found = [
        discriminative_power(table(rng.normal(size=(6, 15))), "tukey", seed=1, draws=200).value for _ in range(150)
    ]
    assert np.mean(np.array(found) > 0) == pytest.approx(0.05, abs=0.04)
