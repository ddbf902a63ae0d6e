"""Topic set size design: published, by hand, against statsmodels, properties, invalid requirements, simulation.

The published sizes are those of general power analyses, which use the same tests, and Nagata's approximations, on which
the spreadsheets of Sakai (2016, 2018) are based.
"""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway, norm, ttest_rel
from statsmodels.stats.power import FTestAnovaPower, TTestIndPower, TTestPower

from agreement.meta_evaluation import (
    difference_variance,
    score_variance,
    topics_for_anova,
    topics_for_interval,
    topics_for_t_test,
)
from tests.agreement.significance.test_paired_tests import random_scores, table

PUBLISHED_NONCENTRALITIES = [
    (0.01, 0.1, 10.439, 5.213),
    (0.01, 0.2, 7.736, 4.551),
    (0.01, 0.3, 6.030, 4.077),
    (0.01, 0.4, 4.733, 3.675),
    (0.01, 0.5, 3.653, 3.302),
    (0.05, 0.1, 7.049, 4.244),
    (0.05, 0.2, 4.860, 3.584),
    (0.05, 0.3, 3.522, 3.112),
    (0.05, 0.4, 2.543, 2.712),
    (0.05, 0.5, 1.765, 2.341),
]
DIFFERENCES, VARIANCES = st.floats(0.05, 1), st.floats(0.01, 0.3)


# By hand and published


def test_published_sizes_of_paired_t_tests():
    # MedCalc's manual: a difference of 8 with a standard deviation of 12, level 0.05, power 80 percent: 20 pairs
    assert topics_for_t_test(8, 12**2).n_topics == 20
    # Cohen (1988) in G*Power's example: d_z = 0.5 needs 34 pairs
    assert topics_for_t_test(0.5, 1).n_topics == 34


def test_published_sizes_of_unpaired_t_tests():
    # Cohen (1992), A power primer, table 2: d = 0.2, 0.5 and 0.8 at level 0.05 with a power of 80 percent
    sizes = [topics_for_t_test(d, 1, paired=False).n_topics for d in (0.2, 0.5, 0.8)]
    assert sizes == pytest.approx([393, 64, 26], abs=1)


def test_published_size_of_an_analysis_of_variance():
    # the example of R's pwr.anova.test: five groups, f = 0.25, level 0.05, power 80 percent: n = 39.15. The means with
    # the smallest f of a difference D are -D/2, 0, 0, 0, D/2, so that f^2 = D^2 / (2 * 5) with a variance of 1
    design = topics_for_anova(0.25 * 10**0.5, 1, n_systems=5)
    assert (design.n_topics, design.n_systems) == (40, 5)


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize("beta", [0.1, 0.2, 0.3, 0.4, 0.5])
@pytest.mark.parametrize("delta", [0.2, 0.5, 0.8])
def test_published_approximation_of_the_paired_t_test(alpha, beta, delta):
    # Sakai, Laboratory Experiments in Information Retrieval (2018), chapter 6, after Nagata (2003)
    z_alpha, z_beta = norm.ppf(1 - alpha / 2), norm.ppf(beta)
    approximation = ((z_alpha - z_beta) / delta) ** 2 + z_alpha**2 / 2
    assert abs(topics_for_t_test(delta, 1, alpha, 1 - beta).n_topics - np.ceil(approximation)) <= 1


@pytest.mark.parametrize(("alpha", "beta", "intercept", "slope"), PUBLISHED_NONCENTRALITIES)
@pytest.mark.parametrize("n_systems", [5, 10, 50, 100])
def test_published_noncentrality_of_the_analysis_of_variance(alpha, beta, intercept, slope, n_systems):
    # the same, table 6.4: many topics have the noncentrality n D^2 / (2 v), about intercept + slope sqrt(m - 1)
    design = topics_for_anova(0.02, 0.1, n_systems, alpha, 1 - beta)
    noncentrality = design.n_topics * 0.02**2 / (2 * 0.1)
    assert noncentrality == pytest.approx(intercept + slope * (n_systems - 1) ** 0.5, rel=0.02)


def test_interval_by_hand():
    # n = 2, one degree of freedom: t = 12.7062, E(e) = sqrt(v / 2) sqrt(2 / pi)
    width = 2 * 12.7062047 * 0.5**0.5 * (2 / np.pi) ** 0.5
    assert topics_for_interval(width + 1e-6, 1).n_topics == 2
    assert topics_for_interval(width - 1e-6, 1).n_topics == 3
    assert topics_for_interval(width + 1e-6, 1).reached == pytest.approx(width)


def test_variances_by_hand():
    scores = {"a": {"1": 0.5, "2": 0.7}, "b": {"1": 0.2, "2": 0.6}, "c": {"1": 0.0, "2": 0.0}}
    # of the systems 0.02, 0.08 and 0; of the differences (0.3, 0.1), (0.5, 0.7) and (0.2, 0.6): 0.02, 0.02 and 0.08
    assert score_variance(scores).value == pytest.approx(0.1 / 3)
    assert difference_variance(scores).value == pytest.approx(0.12 / 3)


# Oracles


@pytest.mark.parametrize("alpha", [0.01, 0.05])
@pytest.mark.parametrize("power", [0.8, 0.9])
@pytest.mark.parametrize("effect", [0.15, 0.4, 1.1])
def test_t_tests_against_statsmodels(effect, power, alpha):
    for paired, oracle in ((True, TTestPower()), (False, TTestIndPower())):
        design = topics_for_t_test(effect / 5, 0.04, alpha, power, paired)
        assert design.reached == pytest.approx(oracle.power(effect, design.n_topics, alpha), abs=1e-9)
        assert oracle.power(effect, design.n_topics - 1, alpha) < power <= design.reached


@pytest.mark.parametrize("n_systems", [2, 3, 10, 50])
@pytest.mark.parametrize("effect", [0.3, 0.9])
def test_anova_against_statsmodels(effect, n_systems):
    design, f = topics_for_anova(effect / 5, 0.04, n_systems), effect / (2 * n_systems) ** 0.5

    def power(n):
        return FTestAnovaPower().power(f, n * n_systems, 0.05, k_groups=n_systems)

    assert design.reached == pytest.approx(power(design.n_topics), abs=1e-9)
    assert power(design.n_topics - 1) < 0.8 <= design.reached


@pytest.mark.parametrize("effect", [0.1, 0.3, 0.6])
def test_t_test_against_nagatas_approximation(effect):
    # n = (z(alpha / 2) + z(beta))^2 / effect^2 + z(alpha / 2)^2 / 2, with which Sakai's tools begin
    z = norm.ppf(0.975)
    approximate = (z + norm.ppf(0.8)) ** 2 / effect**2 + z**2 / 2
    assert topics_for_t_test(effect, 1).n_topics == pytest.approx(approximate, abs=1.01)


def test_score_variance_against_numpy_and_a_loop():
    scores = random_scores(1, 6, 15)
    assert score_variance(table(scores)).value == pytest.approx(np.mean([np.var(row, ddof=1) for row in scores]))
    pairs = [np.var(a - b, ddof=1) for i, a in enumerate(scores) for b in scores[:i]]
    assert difference_variance(table(scores)).value == pytest.approx(np.mean(pairs))
    assert score_variance(table(scores)).n == difference_variance(table(scores)).n == 15


# Properties


@given(DIFFERENCES, VARIANCES, st.integers(2, 20))
def test_a_stronger_requirement_needs_as_many_topics_or_more(difference, variance, n_systems):
    designs = [
        lambda d, v, alpha, power: topics_for_t_test(d, v, alpha, power),
        lambda d, v, alpha, power: topics_for_anova(d, v, n_systems, alpha, power),
        lambda d, v, alpha, _: topics_for_interval(d, v, alpha),
    ]
    for design in designs:
        n = design(difference, variance, 0.05, 0.8).n_topics
        stronger = [(difference / 2, variance, 0.05, 0.8), (difference, variance * 2, 0.05, 0.8)]
        stronger += [(difference, variance, 0.01, 0.8), (difference, variance, 0.05, 0.9)]
        assert all(design(*arguments).n_topics >= n >= 2 for arguments in stronger)


@given(DIFFERENCES, VARIANCES, st.floats(0.1, 10))
def test_only_the_ratio_of_difference_and_standard_deviation_counts(difference, variance, unit):
    for design in (topics_for_t_test, topics_for_interval):
        assert design(difference, variance).n_topics == pytest.approx(
            design(difference * unit, variance * unit**2).n_topics, abs=1
        )


@given(DIFFERENCES, VARIANCES)
def test_the_analysis_of_variance_of_two_systems_is_the_unpaired_t_test(difference, variance):
    anova, t = topics_for_anova(difference, variance, 2), topics_for_t_test(difference, variance, paired=False)
    assert (anova.n_topics, anova.reached) == (t.n_topics, pytest.approx(t.reached, abs=1e-9))


@given(DIFFERENCES, VARIANCES)
def test_uncorrelated_systems_need_about_as_many_topics_paired_as_unpaired(difference, variance):
    paired, unpaired = (
        topics_for_t_test(difference, v, paired=p) for v, p in ((2 * variance, True), (variance, False))
    )
    assert 0 <= paired.n_topics - unpaired.n_topics <= 3


def test_results_show_themselves():
    assert "34 topics give a power of 80.8% (at least 80%) for a difference of 0.500" in repr(topics_for_t_test(0.5, 1))
    assert "of each system" in repr(topics_for_t_test(0.5, 1, paired=False))
    assert "an expected width of" in repr(topics_for_interval(0.5, 1))
    frame = topics_for_interval(0.5, 1).to_frame()
    assert frame["difference"].isna().all()
    assert frame["n_topics"].tolist() == [64]


# Degenerate pilots and invalid requirements


def test_variances_of_degenerate_pilots():
    assert score_variance(pd.DataFrame()).reason == "no_systems"
    assert (
        score_variance(table(np.ones((2, 1)))).reason
        == difference_variance(table(np.ones((2, 1)))).reason
        == "one_topic"
    )
    assert difference_variance(table(np.ones((1, 5)))).reason == "one_system"
    assert score_variance(table(np.ones((2, 5)))).value == difference_variance(table(np.ones((2, 5)))).value == 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: topics_for_t_test(0, 1), "difference must be a finite number above 0, not 0"),
        (lambda: topics_for_anova(0.1, -1, 3), "variance must be a finite number above 0, not -1"),
        (lambda: topics_for_interval(float("inf"), 1), "width must be a finite number above 0, not inf"),
        (lambda: topics_for_interval(1, 1, alpha=1), "alpha must be between 0 and 1, such as 0.05, not 1"),
        (lambda: topics_for_t_test(1, 1, power=1), r"power must be between alpha \(0.05\) and 1, such as 0.8, not 1"),
        (lambda: topics_for_anova(1, 1, 1), "n_systems must be a whole number of at least 2, not 1"),
        (lambda: topics_for_anova(1, 1, float("nan")), "n_systems must be a whole number of at least 2, not nan"),
        (lambda: topics_for_anova(1, 1, "3"), "n_systems must be a whole number of at least 2, not '3'"),
        (lambda: topics_for_t_test("1", 1), "difference must be a finite number above 0, not '1'"),
        (lambda: topics_for_t_test(1, 1, alpha="0.05"), "alpha must be between 0 and 1, such as 0.05, not '0.05'"),
        (lambda: topics_for_t_test(1, 1, power=[0.8]), r"power must be between alpha .* not \[0.8\]"),
        (lambda: topics_for_t_test(1, 1, paired="no"), "paired must be True or False, not 'no'"),
        (lambda: topics_for_interval(1, 1, paired=0), "paired must be True or False, not 0"),
        (lambda: topics_for_t_test(1e-6, 1), "More than 10,000,000 topics are needed: choose a weaker requirement"),
    ],
)
def test_invalid_requirements_are_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


# Simulation


def test_the_designed_power_is_reached():
    rng = np.random.default_rng(1)
    n = topics_for_t_test(0.1, 0.02).n_topics
    differences = rng.normal(0.1, 0.02**0.5, (4000, n))
    found = (ttest_rel(differences, np.zeros_like(differences), axis=1).pvalue <= 0.05).mean()
    assert found == pytest.approx(topics_for_t_test(0.1, 0.02).reached, abs=0.02)

    design = topics_for_anova(0.1, 0.02, 4)
    means = np.array([-0.05, 0, 0, 0.05])[:, None, None]
    groups = rng.normal(means, 0.02**0.5, (4, 4000, design.n_topics))
    assert (f_oneway(*groups, axis=1).pvalue <= 0.05).mean() == pytest.approx(design.reached, abs=0.02)


def test_the_designed_width_is_expected():
    design = topics_for_interval(0.1, 0.02)
    samples = np.random.default_rng(2).normal(0, 0.02**0.5, (4000, design.n_topics))
    interval = ttest_rel(samples, np.zeros_like(samples), axis=1).confidence_interval(0.95)
    assert (interval.high - interval.low).mean() == pytest.approx(design.reached, rel=0.01)


def test_a_pilot_of_correlated_systems_has_a_smaller_variance_of_differences():
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 1, 4000) + rng.normal(0, 0.5, (3, 4000))
    assert score_variance(table(scores)).value == pytest.approx(1.25, rel=0.05)
    assert difference_variance(table(scores)).value == pytest.approx(0.5, rel=0.05)
