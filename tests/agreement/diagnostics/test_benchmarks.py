"""Benchmarks: published values, another implementation, properties and degenerate cases."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import truncnorm

from agreement import Estimate, benchmark_probabilities, cohen_kappa


def estimate(value, se):
    return Estimate(value, "gwet_ac", se=se, method="analytic")


def bands(result, scale):
    frame = result.to_frame()
    return frame[frame["scale"] == scale]


def normal(z):
    return (1 + math.erf(z / math.sqrt(2))) / 2


def test_probability_by_hand():
    top = bands(benchmark_probabilities(estimate(0.7, 0.1)), "altman").iloc[0]
    assert (top["band"], top["low"], top["high"]) == ("very good", 0.8, 1.0)
    assert top["probability"] == pytest.approx((normal(3) - normal(1)) / (normal(3) - normal(-17)), abs=1e-12)


def test_published_probabilities():
    # The documentation of the package irrCAC, which implements Gwet (2014), chapter 6: a coefficient 0.67 with
    # standard error 0.15 on Altman's scale
    altman = bands(benchmark_probabilities(estimate(0.67, 0.15)), "altman")
    assert altman["cumulative"].round(5).tolist() == [0.18168, 0.67511, 0.96356, 0.99912, 1.0]
    assert altman.loc[altman["chosen"], "band"].tolist() == ["moderate"]


@pytest.mark.slow
def test_probabilities_equal_those_of_a_truncated_normal_distribution():
    rng = np.random.default_rng(6)
    for value, se in zip(rng.uniform(-0.9, 1, 200), rng.uniform(0.01, 0.6, 200), strict=True):
        other = truncnorm((-1 - value) / se, (1 - value) / se, loc=value, scale=se)
        frame = benchmark_probabilities(estimate(value, se)).to_frame()
        expected = other.cdf(frame["high"]) - other.cdf(frame["low"])
        assert frame["probability"].to_numpy() == pytest.approx(expected, abs=1e-9)


@given(st.floats(-1, 1), st.floats(0, 2), st.floats(0.01, 0.99))
def test_each_scale_is_a_distribution_with_one_chosen_band(value, se, level):
    result = benchmark_probabilities(estimate(value, se), level=level)
    for _, scale in result.to_frame().groupby("scale"):
        assert scale["probability"].sum() == pytest.approx(1)
        assert (scale["probability"] >= 0).all()
        assert scale["chosen"].sum() == 1
        assert scale.loc[scale["chosen"], "cumulative"].item() >= level - 1e-9


@given(st.floats(-1, 1))
def test_without_error_the_band_of_the_value_is_certain(value):
    frame = benchmark_probabilities(estimate(value, 0.0)).to_frame()
    inside = (frame["low"] < value) & (value <= frame["high"]) | ((value == -1) & (frame["low"] == -1))
    assert (frame["probability"] == inside).all()
    assert (frame["chosen"] == inside).all()


def test_a_value_far_below_the_scale_is_in_the_lowest_band():
    chosen = benchmark_probabilities(estimate(-9.0, 0.01)).chosen
    assert set(chosen.values()) == {"poor"}


def test_undefined_without_value_or_standard_error():
    one = benchmark_probabilities(cohen_kappa([[5, 0], [0, 0]]))
    other = benchmark_probabilities(cohen_kappa([[5, 1], [1, 4]]))
    assert (one.status, one.reason, one.chosen, len(one.to_frame())) == ("undefined", "one_category", {}, 0)
    assert (other.defined, other.reason) == (False, "no_standard_error")
    assert repr(other) == "Benchmarks: cohen kappa: benchmarks undefined (no standard error)"


def test_the_sentence_names_the_bands():
    kappa = cohen_kappa([[300, 20], [10, 70]]).interval("analytic")
    assert (
        repr(benchmark_probabilities(kappa))
        .splitlines()[0]
        .endswith("with 95% at least substantial (landis koch), fair to good (fleiss), good (altman)")
    )


def test_other_arguments_are_refused():
    with pytest.raises(TypeError, match="takes an Estimate, not float"):
        benchmark_probabilities(0.8)
    with pytest.raises(ValueError, match=r"level must be between 0 and 1, such as 0\.95, not 95"):
        benchmark_probabilities(estimate(0.8, 0.1), level=95)
