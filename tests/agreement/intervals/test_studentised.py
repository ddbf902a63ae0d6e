"""The studentised bootstrap of items and topics."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement import (
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from agreement.intervals.defaults import NO_WIDTH, interval_request
from agreement.intervals.studentised import studentised
from tests.agreement.random_ratings import rows, seeded, with_topics


class Mean:
    """The mean as a function of the sums of values and of ones."""

    @staticmethod
    def values(sums):
        return sums[:, 0] / sums[:, 1]


class Generator:
    """Returns samples in which the values occur in these numbers, in turn."""

    def __init__(self, *samples):
        self.samples = samples

    def multinomial(self, _, shares, size):
        return np.resize(self.samples, (size, len(shares)))


def of_mean(values, **options):
    features = np.column_stack([values, np.ones(len(values))])
    request = interval_request("bootstrap_t_topics", **options)
    return studentised(Mean, features, np.ones(len(values)), request, fisher=False)


def test_a_mean_by_hand():
    # values 0, 0.1, 0.2: mean 0.1, standard error 0.1 / sqrt(3)
    # sample 0, 0, 0.1: mean 0.1 / 3, standard error 0.1 / 3, pivot -2; sample 0.1, 0.2, 0.2: pivot 2
    result = of_mean([0, 0.1, 0.2], confidence=0.5, draws=40, rng=Generator([2, 1, 0], [0, 1, 2]))

    assert result.se == pytest.approx(0.1 / 3**0.5, abs=1e-15)
    assert (result.low, result.high) == pytest.approx((0.1 - 0.2 / 3**0.5, 0.1 + 0.2 / 3**0.5), abs=1e-12)
    assert (result.parts, result.undefined, result.usable) == (3, 0, True)


def test_the_published_interval_of_the_control_mice():
    # B. Efron and R. J. Tibshirani (1993), chapter 12: 90 % interval 35.82 to 116.74 from 1,000 samples
    days = np.array([52, 104, 146, 10, 51, 30, 40, 27, 46])

    result = of_mean(days / 1000, confidence=0.9, draws=20_000, seed=1)

    assert (1000 * result.low, 1000 * result.high) == pytest.approx((35.82, 116.74), abs=1.5)


def direct_studentised(table: np.ndarray, draws: int, seed: int) -> tuple[float, float]:
    """The interval of Cohen's kappa, one draw and one item at a time."""

    def with_error(cells: np.ndarray) -> tuple[float, float]:
        values = []
        for cell in np.flatnonzero(cells):
            left = cells - np.eye(4, dtype=int)[cell]
            values += [cohen_kappa(left.reshape(2, 2)).value] * int(cells[cell])
        values = [value for value in values if value is not None]
        n = len(values)
        value = cohen_kappa(cells.reshape(2, 2)).value
        if value is None:
            return np.nan, np.nan
        return value, ((n - 1) / n * np.sum((values - np.mean(values)) ** 2)) ** 0.5

    cells = table.ravel()
    value, error = with_error(cells)
    z, scaled = np.arctanh(value), error / (1 - value**2)
    rng, pivots = np.random.default_rng(seed), []
    for drawn in rng.multinomial(cells.sum(), cells / cells.sum(), draws):
        other, its_error = with_error(drawn)
        if abs(other) < 1 and its_error > 1e-9:
            pivots.append((np.arctanh(other) - z) / (its_error / (1 - other**2)))
    below, above = np.quantile(pivots, [0.025, 0.975])
    return np.tanh(z - above * scaled), np.tanh(z - below * scaled)


def test_studentised_interval_equals_direct_computation():
    table = np.array([[30, 4], [6, 10]])

    result = cohen_kappa(table).interval("bootstrap_t", draws=200, seed=8)

    assert (result.low, result.high) == pytest.approx(direct_studentised(table, 200, 8), abs=1e-9)
    assert result.method == "studentised bootstrap of items, 200 draws, seed 8"


def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch):
    ratings = with_topics(seeded(2, n_items=120), 12)
    whole = fleiss_kappa(ratings).interval("bootstrap_t_topics", draws=101, seed=3)
    monkeypatch.setattr("agreement.intervals.studentised.BLOCK", 700)

    assert fleiss_kappa(ratings).interval("bootstrap_t_topics", draws=101, seed=3) == whole


@pytest.mark.parametrize("coefficient", [cohen_kappa, pooled_kappa])
def test_large_samples_have_the_normal_interval(coefficient):
    table = np.array([[3000, 200], [100, 700]])
    expected = coefficient(table).interval("analytic")

    result = coefficient(table).interval("bootstrap_t", draws=4000, seed=1)

    assert (result.low, result.high) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_undefined_draws_are_counted_and_limits_stay_inside():
    result = cohen_kappa([[30, 3], [2, 5]]).interval("bootstrap_t", draws=500, seed=1)

    assert -1 < result.low < result.value < result.high < 1
    assert any("of 500 draws" in warning for warning in result.warnings)


def test_alpha_and_the_mean_pair_have_it_over_topics():
    ratings = with_topics(seeded(3, n_judges=3, n_items=600), 20)
    two = with_topics(seeded(3, n_judges=2, n_items=600), 20)
    for result in (
        krippendorff_alpha(ratings, "ordinal").interval("bootstrap_t_topics", draws=300, seed=1),
        mean_pairwise(ratings, "pooled_kappa").interval("bootstrap_t_topics", draws=300, seed=1),
        overall(two, "cohen_kappa").interval("bootstrap_t_topics", draws=300, seed=1),
    ):
        assert result.low < result.value < result.high
        assert "studentised bootstrap of topics, 300 draws, seed 1" in result.method


def test_values_without_variation_explain_that_there_is_no_width():
    perfect = np.array([[50, 0], [0, 50]])
    for result in (
        cohen_kappa(perfect).interval("bootstrap", seed=1),
        cohen_kappa(perfect).interval("bootstrap_t", seed=1),
        cohen_kappa(perfect).interval("jackknife"),
    ):
        assert result.low == result.value == result.high
        assert NO_WIDTH in result.warnings


@settings(deadline=None)
@given(rows(n_grades=2, items=(4, 30)), st.sampled_from(["bootstrap_t", "bootstrap_t_topics"]))
def test_intervals_are_inside_the_range_grow_and_depend_only_on_the_seed(data, interval):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1), axis="assessors"), 6)
    kappa, options = fleiss_kappa(ratings), {"kind": interval, "seed": 1, "draws": 60}

    result = kappa.interval(**options, confidence=0.5)
    wider = kappa.interval(**options, confidence=0.9)

    assert result == kappa.interval(**options, confidence=0.5)
    if "studentised" in (result.method or "") and result.low is not None and NO_WIDTH not in result.warnings:
        assert -1 <= wider.low <= result.low <= result.high <= wider.high <= 1


def test_few_usable_draws_give_the_jackknife_and_say_so():
    # of 100 items one is disputed: about (1 - 1/100)^100 = 37 % of the samples have no disagreement
    table = [[89, 1], [0, 10]]

    result = percent_agreement(table).interval("bootstrap_t", seed=1)
    fisher = percent_agreement(table).interval("jackknife_fisher")

    (reason,) = result.warnings
    number, _, total, *words = reason.split()
    assert 0.33 < int(number) / int(total) < 0.41
    assert " ".join(words) == "draws have no standard error, so the jackknife replaces the studentised bootstrap"
    assert (result.low, result.high, result.method) == (fisher.low, fisher.high, fisher.method)


@pytest.mark.parametrize("across", ["pooled", "topics"])
def test_few_usable_draws_of_topics_give_the_jackknife_over_topics(across):
    # of two topics half of the samples are one topic twice
    ratings = with_topics(seeded(5, n_judges=2, n_items=60, missing=0), 2)

    result = overall(ratings, "cohen_kappa", across).interval("bootstrap_t_topics", seed=1)
    jackknife = overall(ratings, "cohen_kappa", across).interval("jackknife_topics")

    assert (result.low, result.high, result.method) == (jackknife.low, jackknife.high, jackknife.method)
    assert any(warning.endswith("so the jackknife replaces the studentised bootstrap") for warning in result.warnings)


@pytest.mark.parametrize("interval", ["bootstrap_t", "bootstrap_t_topics"])
@pytest.mark.parametrize("matrix", [[[], []], [[1], [1]], [[0], [1]], [[0, 1]], [[1, 1], [1, 1]]])
def test_degenerate_data_have_no_interval_or_no_width(interval, matrix):
    result = fleiss_kappa(Ratings.from_matrix(matrix, (0, 1), axis="assessors")).interval(interval, draws=20, seed=1)

    assert result.low is None
    assert result.defined is ("too few items for an interval" in result.warnings)
