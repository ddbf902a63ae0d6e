"""Kernels equal the coefficients on any sample of the items, and their influence is the derivative."""

import numpy as np
import pytest

from agreement import Ratings, krippendorff_alpha, mean_pairwise
from agreement.coefficients.alpha import measure_alpha
from agreement.coefficients.by_name import CHANCE_OF, measure
from agreement.coefficients.many_judges import measure_conger, measure_fleiss
from agreement.coefficients.overall import mean_of
from agreement.intervals.kernel import by_topic, distinct
from agreement.intervals.samples import mean_of_pairs
from tests.agreement.random_ratings import seeded, with_topics

MEASURES = {f"{name} of a pair": lambda data, name=name: measure(name, data, "1", "2") for name in CHANCE_OF}
MEASURES |= {
    f"{name}, {weights}": lambda data, name=name, weights=weights: measure(name, data, "1", "2", weights=weights)
    for name in CHANCE_OF
    for weights in ("linear", "quadratic")
}
MEASURES |= {
    f"{name} of all, {pi_items}": lambda data, name=name, pi=pi_items: measure(name, data, pi_items=pi)
    for name in ("gwet_ac", "brennan_prediger")
    for pi_items in ("ge1", "ge2", "pooled")
}
MEASURES |= {
    f"fleiss {pi_items} {weights}": lambda data, pi=pi_items, weights=weights: measure_fleiss(data, weights, pi)
    for pi_items in ("ge1", "ge2", "pooled")
    for weights in ("identity", "ordinal")
}
MEASURES |= {f"alpha {level}": lambda data, level=level: measure_alpha(data, level) for level in ("nominal", "ordinal")}
MEASURES |= {f"alpha {level}": lambda data, level=level: measure_alpha(data, level) for level in ("interval", "ratio")}
MEASURES |= {f"conger {weights}": lambda data, w=weights: measure_conger(data, w) for weights in ("identity", "linear")}


def mean_measure(weighted):
    def measured(data):
        mean = mean_pairwise(data, "cohen_kappa", weighted)
        names = data.assessors
        parts = [measure("cohen_kappa", data, a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
        return mean_of_pairs(mean, data, parts, weighted)

    return measured


MEASURES |= {"mean": mean_measure(False), "weighted mean": mean_measure(True)}


@pytest.fixture(params=MEASURES)
def measured(request):
    return MEASURES[request.param]


def repeated(ratings, number):
    """The items, each `number` times."""
    return Ratings(np.repeat(ratings.codes, number, axis=1), ratings.scale, ratings.assessors)


def test_a_kernel_has_the_value_of_its_coefficient(measured):
    result = measured(seeded(1))
    sample = result.sample(False)

    (value,) = sample.kernel.values((sample.times @ sample.kernel.features)[None])

    assert value == pytest.approx(result.estimate.value, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_reweighted_topics_have_the_value_of_such_data(measured, seed):
    ratings = with_topics(seeded(seed), 4)
    sample = measured(ratings).sample(True)
    number = np.array([0, 2, 1, 3])
    times = np.zeros(len(sample.times))
    for (patterns, occurrences), factor in zip(sample.topics, number, strict=True):
        times[patterns] += factor * occurrences

    (value,) = sample.kernel.values((times @ sample.kernel.features)[None])

    again = measured(repeated(ratings, number[np.arange(ratings.n_items) % 4]))
    assert value == pytest.approx(again.estimate.value, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_influence_is_the_derivative(measured, seed):
    sample = measured(seeded(seed)).sample(False)
    kernel, times, step = sample.kernel, sample.times, 1e-5
    n = times.sum()

    moved = times[None] + step * np.eye(len(times))
    up, down = kernel.values(moved @ kernel.features), kernel.values((2 * times - moved) @ kernel.features)

    slopes = n * (up - down) / (2 * step)
    # alpha's influence leaves its correction for small samples, 1 / n, alone
    rough = 0.05 if type(kernel).__name__ == "AlphaKernel" else 1e-4
    assert kernel.influence(times) == pytest.approx(slopes, abs=rough)
    assert times @ kernel.influence(times) == pytest.approx(0, abs=1e-8)


@pytest.mark.in_ci
def test_influence_of_alpha_is_the_derivative_in_large_samples():
    for level in ("nominal", "ordinal", "interval", "ratio"):
        sample = measure_alpha(repeated(seeded(5), 10_000), level).sample(False)
        kernel, times = sample.kernel, sample.times
        moved = times[None] + np.eye(len(times))
        up, down = kernel.values(moved @ kernel.features), kernel.values((2 * times - moved) @ kernel.features)

        assert kernel.influence(times) == pytest.approx(times.sum() * (up - down) / 2, abs=1e-3)


def test_undefined_data_sets_are_nan():
    for result in (measure("cohen_kappa", [[5, 0], [1, 4]]), measure("pooled_kappa", [[5, 0], [1, 4]])):
        kernel = result.sample(False).kernel

        assert np.isnan(kernel.values(np.array([7.0, 0, 0]) @ kernel.features[None]))
        assert np.isnan(kernel.values(np.zeros(3) @ kernel.features[None]))
    kernel = measure_alpha(Ratings.from_matrix([[0, 1, 1], [0, 0, 1]], (0, 1), axis="assessors")).sample(False).kernel
    assert np.isnan(kernel.values(np.zeros((1, kernel.features.shape[1]))))


def test_distinct_rows():
    rows = np.array([[0, 2], [1, 0], [0, 2], [1, 1], [1, 0]])

    first, pattern = distinct(rows)

    assert rows[first][pattern].tolist() == rows.tolist()
    assert sorted(first) == [0, 1, 3]


def test_rows_too_long_for_an_integer_count_as_distinct():
    rows = np.full((3, 40), 9)

    first, pattern = distinct(rows)

    assert first.tolist() == pattern.tolist() == [0, 1, 2]


def test_patterns_by_topic():
    parts = by_topic(np.array([0, 1, 0, 2, 2]), np.array([1, 0, 1, 0, 0]))

    assert [(patterns.tolist(), times.tolist()) for patterns, times in parts] == [([1, 2], [1, 2]), ([0], [2])]


def test_the_mean_of_no_parts_is_undefined():
    assert mean_of("cohen_kappa", {}, "topic").reason == "no_overlap"


@pytest.mark.in_ci
def test_many_grades():
    ratings = seeded(3, n_grades=101, n_items=300)

    for level in ("nominal", "ordinal", "interval"):
        result = krippendorff_alpha(ratings, level).interval("analytic")
        assert result.low < result.value < result.high
