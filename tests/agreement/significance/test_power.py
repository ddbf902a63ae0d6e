"""The power of a comparison: published, against statsmodels, properties, without variance, simulation, and its note."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t, ttest_ind, ttest_rel
from statsmodels.stats.power import TTestIndPower, TTestPower

from agreement import compare_systems, compare_unpaired
from agreement.significance import power_of_comparison
from agreement.significance.power import _integrated_power, detectable_ratio, few_topics_note, t_power
from tests.agreement.significance.test_paired_tests import random_scores, table


def paired_power_at(d: float, n: int, alpha: float) -> float:
    return t_power(d * n**0.5, n - 1, alpha)


def two_systems(differences) -> pd.DataFrame:
    return table([differences, np.zeros(len(differences))])


# By hand and published


def test_the_standard_error_and_the_difference_by_hand():
    # differences 1, 2, 3: s = 1, e = 1 / sqrt 3 with 2 degrees of freedom
    power = power_of_comparison(two_systems([1, 2, 3]))
    assert (power.n_topics, power.n_pairs, power.freedom, power.reason) == (3, 1, 2, None)
    assert power.error == pytest.approx(3**-0.5)
    assert power.power_at(power.difference) == pytest.approx(0.8)
    assert power.power_at(0) == pytest.approx(0.05)


def test_the_median_pair_is_used():
    scores = np.array([[3, -3, 3, -3, 0], [6, -6, 6, -6, 0], [0, 0, 0, 0, 0]]) / 10
    frame = compare_systems(table(scores))
    margin = (frame["high"] - frame["low"]).astype(float) / 2
    assert power_of_comparison(table(scores)).error == pytest.approx(np.median(margin) / t.ppf(0.975, 4))


def test_published_powers():
    # the example of pwr.t.test in R's package pwr, from Cohen (1988): one sample, d = 0.2, n = 60, 10 percent
    assert paired_power_at(0.2, 60, 0.10) == pytest.approx(0.4555818, abs=5e-8)
    # the example of R's power.t.test: two samples of 20, delta = 1, sd = 1
    assert t_power(1 / (2 / 20) ** 0.5, 38, 0.05) == pytest.approx(0.8689528, abs=5e-7)


# Oracles


@pytest.mark.parametrize("n", [2, 3, 10, 25, 50, 200])
@pytest.mark.parametrize("alpha", [0.01, 0.05])
def test_against_statsmodels(n, alpha):
    for d in (0, 0.1, 0.5, 1):
        assert paired_power_at(d, n, alpha) == pytest.approx(TTestPower().power(d, n, alpha), abs=1e-10)
    d = detectable_ratio(n - 1, alpha, 0.8) / n**0.5
    assert TTestPower().power(d, n, alpha) == pytest.approx(0.8, abs=1e-10)


def test_unpaired_against_statsmodels():
    # equal variances and numbers of topics, where the tests of Welch and Student are the same
    scores = {"a": {f"a{n}": n % 2 for n in range(20)}, "b": {f"b{n}": n % 2 for n in range(20)}}
    note = compare_unpaired(scores).attrs["note"]
    sd = np.std([0, 1] * 10, ddof=1)
    assert f"a true difference of {sd * TTestIndPower().solve_power(nobs1=20, alpha=0.05, power=0.8):.3f}" in note
    assert "Welch's t test at level 0.05" in note


@pytest.mark.slow
@pytest.mark.parametrize("freedom", [1, 2, 9, 49])
def test_the_integral_that_replaces_values_scipy_lacks(freedom):
    for ratio in (0, 0.5, 2, 5):
        expected = t_power(ratio, freedom, 0.05)
        assert _integrated_power(ratio, freedom, t.ppf(0.975, freedom)) == pytest.approx(expected, abs=1e-8)
    # scipy has no value for these
    assert t_power(1000, freedom, 0.01) == pytest.approx(1, abs=0.1)
    assert t_power(detectable_ratio(1, 1e-6, 0.8), 1, 1e-6) == pytest.approx(0.8)


# Properties


@given(st.integers(3, 80), st.integers(0, 99), st.floats(0.001, 10))
def test_the_unit_of_the_measure_is_that_of_the_difference(n_topics, seed, unit):
    scores = np.random.default_rng(seed).random((3, n_topics))
    power, other = power_of_comparison(table(scores)), power_of_comparison(table(scores * unit))
    assert other.difference == pytest.approx(power.difference * unit)
    assert other.power_at(unit / 2) == pytest.approx(power.power_at(-0.5))


@given(st.integers(2, 100), st.floats(0, 3), st.floats(0.01, 0.2))
def test_power_grows_with_the_difference_the_topics_and_the_level(n, d, alpha):
    power = paired_power_at(d, n, alpha)
    assert alpha - 1e-9 <= power <= 1
    assert paired_power_at(d + 0.1, n, alpha) >= power - 1e-9
    assert paired_power_at(d, n + 1, alpha) >= power - 1e-9
    assert paired_power_at(d, n, alpha + 0.01) >= power - 1e-9


# Degenerate scores


@pytest.mark.parametrize(
    ("scores", "reason", "sentence"),
    [
        (np.ones((1, 5)), "one_system", "With 5 topics, fewer than 50, systems cannot be compared reliably"),
        (np.ones((2, 0)), "no_topics", "With no topic, fewer than 50"),
        (np.ones((2, 1)), "one_topic", "With 1 topic, fewer than 50"),
        (np.ones((2, 5)), "no_variance", "the power is unknown (no variance over topics)."),
    ],
)
def test_without_a_standard_error_there_is_a_reason(scores, reason, sentence):
    power = power_of_comparison(table(scores))
    assert (power.difference, power.error, power.reason) == (None, None, reason)
    assert power.power_at(0.1) is None
    assert sentence in power.note
    assert repr(power).startswith("Power: undefined (")


@pytest.mark.parametrize(
    ("invalid", "sentence"),
    [
        ({"alpha": 0}, "alpha must be between 0 and 1, such as 0.05, not 0"),
        ({"power": 0.05}, r"power must be between alpha \(0.05\) and 1, such as 0.8, not 0.05"),
        ({"power": 1}, "power must be between alpha"),
        ({"alpha": "0.05"}, "alpha must be between 0 and 1, such as 0.05, not '0.05'"),
        ({"power": "0.8"}, r"power must be between alpha \(0.05\) and 1, such as 0.8, not '0.8'"),
    ],
)
def test_invalid_options_are_refused(invalid, sentence):
    with pytest.raises(ValueError, match=sentence):
        power_of_comparison(table(np.eye(2)), **invalid)


@pytest.mark.parametrize("difference", [float("nan"), float("inf"), "0.1", None, True])
def test_the_power_at_no_number_is_refused(difference):
    with pytest.raises(ValueError, match="difference must be a finite number, not "):
        power_of_comparison(table(random_scores(1, 2, 5))).power_at(difference)


# Simulation


def test_the_detectable_difference_is_significant_in_the_stated_share_of_experiments():
    rng = np.random.default_rng(1)
    difference = detectable_ratio(24, 0.05, 0.8) * 2 / 25**0.5
    differences = rng.normal(difference, 2, (4000, 25))
    p = ttest_rel(differences, np.zeros_like(differences), axis=1).pvalue
    assert (p <= 0.05).mean() == pytest.approx(0.8, abs=0.02)


def test_power_of_two_samples_by_simulation():
    rng = np.random.default_rng(2)
    a, b = rng.normal(1, 1, (4000, 12)), rng.normal(0, 1, (4000, 12))
    assert (ttest_ind(a, b, axis=1).pvalue <= 0.05).mean() == pytest.approx(
        t_power(1 / (2 / 12) ** 0.5, 22, 0.05), abs=0.02
    )


# The note


def test_below_50_topics_a_comparison_states_its_power():
    few, enough = (compare_systems(table(random_scores(1, 4, n)), alpha=0.01).attrs["note"] for n in (49, 50))
    assert enough is None
    difference = power_of_comparison(table(random_scores(1, 4, 49)), alpha=0.01).difference
    assert few.startswith(f"With 49 topics, fewer than 50, a true difference of {difference:.3f} is significant with a")
    assert "probability of 80%. A smaller one is significant less often. A difference that is not significant" in few
    assert "may still be real. The power is that of a paired t test at level 0.01 before correction, with" in few
    assert few.endswith("(the median of 6 pairs of systems).")
    assert all(len(sentence.split()) <= 28 for sentence in few.split(". "))


def test_the_note_is_visible_and_stays_with_the_rows():
    frame = compare_systems(table(random_scores(1, 4, 49)))
    for shown in (frame, frame.head(2), frame.round(2), frame.sort_values("p"), frame[["system_a", "p"]]):
        assert "Note: With 49 topics, fewer than 50, a true difference of" in " ".join(repr(shown).split())
        assert "<p>Note: With 49 topics" in shown._repr_html_()
    assert "Note" not in frame.to_csv()
    enough = compare_systems(table(random_scores(1, 4, 50)))
    assert "Note" not in repr(enough) + enough._repr_html_()
    assert repr(enough) == repr(pd.DataFrame(enough))


def test_the_note_does_not_need_all_differences_at_once():
    scores = random_scores(2, 6, 12)
    assert few_topics_note(scores, 0.05) == power_of_comparison(table(scores)).note
    assert few_topics_note(random_scores(2, 6, 50), 0.05) is None
    assert "fewer than two systems" in few_topics_note(scores[:1], 0.05)
    assert "no topic" in few_topics_note(scores[:, :0], 0.05)


def test_every_unpaired_comparison_with_a_small_system_has_the_note():
    scores = {"a": {f"a{n}": n % 3 for n in range(80)}, "b": {f"b{n}": n % 2 for n in range(60)}}
    assert compare_unpaired(scores).attrs["note"] is None
    del scores["b"]["b0"]
    short = {"a": scores["a"], "b": dict(list(scores["b"].items())[:40])}
    for test in ("welch", "student", "mann-whitney"):
        assert (
            compare_unpaired(short, test).attrs["note"].startswith("With 40 topics, fewer than 50, a true difference")
        )
    assert "no topic" in compare_unpaired({"a": {}, "b": {"b1": 1.0}}).attrs["note"]


def test_the_observed_difference_does_not_change_the_note():
    differences = np.random.default_rng(3).normal(0, 1, 20)
    near, far = (compare_systems(two_systems(differences + shift)).attrs["note"] for shift in (0, 5))
    assert near == far
