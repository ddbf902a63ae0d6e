"""The calibrated intervals: studentised, goodness of fit, and which of them is the default."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import (
    Ratings,
    cohen_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    pooled_kappa,
)
from agreement.intervals.cautions import NO_WIDTH, ONE_TOPIC_DECIDES
from agreement.intervals.goodness_of_fit import goodness_of_fit
from tests.agreement.random_ratings import seeded, with_topics

RARE = [[89, 1], [2, 8]]
ACCURACY = (0.85, 0.9)  # of the judges on relevant and on nonrelevant documents


def binary(n_judges: int, prevalence: float, n: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    relevant = rng.random(n) < prevalence
    right = rng.random((n_judges, n)) < np.where(relevant, *ACCURACY)
    return np.where(right, relevant, ~relevant).astype(np.int8)


# ---- goodness of fit


def chi_squared(table: np.ndarray, kappa: float) -> float:
    n, p = table.sum(), (2 * table[1, 1] + table[0, 1] + table[1, 0]) / (2 * table.sum())
    both = p * (1 - p)
    model = n * np.array([(1 - p) ** 2 + both * kappa, 2 * both * (1 - kappa), p**2 + both * kappa])
    seen = [table[0, 0], table[0, 1] + table[1, 0], table[1, 1]]
    return stats.chisquare(seen, model, ddof=1).statistic


@pytest.mark.parametrize("table", [RARE, [[300, 20], [10, 70]], [[40, 9], [11, 3]], [[5, 5], [5, 5]]])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_limits_are_where_the_test_begins_to_reject(table, confidence):
    table = np.array(table)

    result = pooled_kappa(table, interval="goodness_of_fit", confidence=confidence)

    critical = stats.chi2.ppf(confidence, 1)
    assert chi_squared(table, result.low) == pytest.approx(critical, rel=1e-6)
    assert chi_squared(table, result.high) == pytest.approx(critical, rel=1e-6)
    assert chi_squared(table, result.value) == pytest.approx(0, abs=1e-9)
    assert -1 <= result.low < result.value < result.high <= 1
    assert result.method == "goodness of fit (Donner and Eliasziw 1992)"


def test_the_roots_of_the_cubic_of_the_paper():
    # chi-squared multiplied by the denominators is a polynomial of degree three in kappa
    table = np.array(RARE)
    n, p, critical = 100, 19 / 200, stats.chi2.ppf(0.95, 1)
    kappa, both = np.polynomial.Polynomial([0, 1]), p * (1 - p)
    model = [(1 - p) ** 2 + both * kappa, 2 * both * (1 - kappa), p**2 + both * kappa]
    squares = [count**2 / n for count in (89, 3, 8)]
    a, b, c = model
    cubic = squares[0] * b * c + squares[1] * a * c + squares[2] * a * b - (n + critical) * a * b * c
    roots = sorted(float(root.real) for root in cubic.roots())

    low, high = goodness_of_fit(table, pooled_kappa(table).value, 0.95)

    assert [low, high] == pytest.approx(roots[1:], abs=1e-9)


def test_perfect_agreement_has_a_lower_limit_and_no_disagreement_an_upper_one():
    perfect = pooled_kappa([[95, 0], [0, 5]], interval="goodness_of_fit")
    opposite = pooled_kappa([[0, 10], [10, 0]], interval="goodness_of_fit")

    assert 0.5 < perfect.low < 0.9
    assert (perfect.value, perfect.high) == (1, 1)
    assert (opposite.value, opposite.low) == (-1, -1)
    assert -1 < opposite.high < 0
    assert NO_WIDTH not in perfect.warnings + opposite.warnings


@given(st.lists(st.integers(0, 60), min_size=4, max_size=4), st.sampled_from([0.5, 0.9, 0.99]))
def test_limits_surround_the_value_and_grow_with_the_confidence(cells, confidence):
    table = np.reshape(cells, (2, 2))
    result = pooled_kappa(table, interval="goodness_of_fit", confidence=confidence)
    if not result.defined:
        assert result.low is None
        return
    wider = pooled_kappa(table, interval="goodness_of_fit", confidence=0.999)
    swapped = pooled_kappa(table[::-1, ::-1], interval="goodness_of_fit", confidence=confidence)

    assert -1 <= wider.low <= result.low <= result.value + 1e-9
    assert result.value - 1e-9 <= result.high <= wider.high <= 1
    assert (swapped.low, swapped.high) == pytest.approx((result.low, result.high), abs=1e-6)


@pytest.mark.parametrize(
    "estimate",
    [
        lambda: cohen_kappa(RARE, interval="goodness_of_fit"),
        lambda: pooled_kappa([[5, 1, 0], [1, 5, 1], [0, 1, 5]], interval="goodness_of_fit"),
        lambda: fleiss_kappa(seeded(3), interval="goodness_of_fit"),
    ],
)
def test_other_coefficients_have_no_goodness_of_fit(estimate):
    with pytest.raises(ValueError, match="is for pooled_kappa of two judges with two grades, not for"):
        estimate()


def test_a_mean_of_topics_has_no_goodness_of_fit():
    with pytest.raises(ValueError, match=r"is for one table\. A mean of topics has 'bootstrap_t_topics'"):
        overall(with_topics(seeded(3, n_judges=2), 4), "pooled_kappa", interval="goodness_of_fit")


# ---- studentised


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

    result = cohen_kappa(table, interval="bootstrap_t", seed=8, draws=200)

    assert (result.low, result.high) == pytest.approx(direct_studentised(table, 200, 8), abs=1e-9)
    assert result.method == "studentised bootstrap of items, 200 draws, seed 8"


def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch):
    ratings = with_topics(seeded(2, n_items=120), 12)
    whole = fleiss_kappa(ratings, interval="bootstrap_t_topics", seed=3, draws=101)
    monkeypatch.setattr("agreement.intervals.studentised.BLOCK", 700)

    assert fleiss_kappa(ratings, interval="bootstrap_t_topics", seed=3, draws=101) == whole


@pytest.mark.parametrize("coefficient", [cohen_kappa, pooled_kappa])
def test_large_samples_have_the_normal_interval(coefficient):
    table = np.array([[3000, 200], [100, 700]])
    expected = coefficient(table, interval="analytic")

    result = coefficient(table, interval="bootstrap_t", seed=1, draws=4000)

    assert (result.low, result.high) == pytest.approx((expected.low, expected.high), abs=0.004)


def test_undefined_draws_are_counted_and_limits_stay_inside():
    result = cohen_kappa([[17, 1], [0, 2]], interval="bootstrap_t", seed=1, draws=500)

    assert -1 < result.low < result.value < result.high < 1
    assert any("of 500 draws" in warning for warning in result.warnings)


def test_alpha_and_the_mean_pair_have_it_over_topics():
    ratings = with_topics(seeded(3, n_judges=3, n_items=600), 20)
    two = with_topics(seeded(3, n_judges=2, n_items=600), 20)
    for result in (
        krippendorff_alpha(ratings, "ordinal", interval="bootstrap_t_topics", seed=1, draws=300),
        mean_pairwise(ratings, "pooled_kappa", interval="bootstrap_t_topics", seed=1, draws=300),
        overall(two, "cohen_kappa", interval="bootstrap_t_topics", seed=1, draws=300),
    ):
        assert result.low < result.value < result.high
        assert "studentised bootstrap of topics, 300 draws, seed 1" in result.method


def test_values_without_variation_explain_that_there_is_no_width():
    codes = np.tile([[0, 1, 0, 1], [0, 1, 1, 1]], 30)
    equal_topics = Ratings(codes, (0, 1), None, np.repeat([f"{topic:02}" for topic in range(30)], 4))
    perfect = np.array([[50, 0], [0, 50]])
    for result in (
        cohen_kappa(equal_topics, interval="bootstrap_t_topics", seed=1),
        cohen_kappa(equal_topics, interval="jackknife_topics"),
        cohen_kappa(perfect, interval="bootstrap", seed=1),
        cohen_kappa(perfect, interval="bootstrap_t", seed=1),
        cohen_kappa(perfect, interval="jackknife"),
    ):
        assert result.low == result.value == result.high
        assert NO_WIDTH in result.warnings


# ---- the default


def test_the_default_suits_the_data():
    two = seeded(3, n_judges=2, n_items=300, n_grades=2)
    tables = {"goodness of fit": pooled_kappa(RARE, interval="default", seed=1)}
    tables["studentised bootstrap of items"] = cohen_kappa(RARE, interval="default", seed=1)
    tables["jackknife: each item left out once"] = gwet_ac(RARE, interval="default", seed=1)
    tables["jackknife over topics"] = pooled_kappa(with_topics(two, 6), interval="default", seed=1)
    tables["studentised bootstrap of topics"] = pooled_kappa(with_topics(two, 12), interval="default", seed=1)
    tables["jackknife_topics: standard error of a mean"] = overall(with_topics(two, 6), "pooled_kappa", seed=1)
    for start, result in tables.items():
        assert result.method.startswith(start)
        assert result.low < result.value < result.high


def test_one_topic_with_most_of_the_variance_gives_a_warning():
    agreed, mixed, disputed = [[0, 1] * 10] * 2, [[0, 1] * 10, [0, 1] * 9 + [1, 1]], [[0, 1] * 10, [1, 0] * 10]
    codes = np.concatenate([*[agreed, mixed] * 6, disputed], axis=1)
    ratings = Ratings(codes, (0, 1), None, np.repeat([f"{topic:02}" for topic in range(13)], 20))

    assert ONE_TOPIC_DECIDES in cohen_kappa(ratings, interval="jackknife_topics").warnings
    assert ONE_TOPIC_DECIDES not in fleiss_kappa(with_topics(seeded(3), 12), interval="jackknife_topics").warnings


@pytest.mark.parametrize("prevalence", [0.5, 0.05])
def test_the_default_contains_the_true_value_often_enough(prevalence):
    big = binary(2, prevalence, 400_000, 1)
    truth = pooled_kappa(Ratings(big, (0, 1))).value
    samples = [Ratings(binary(2, prevalence, 100, seed), (0, 1)) for seed in range(2, 402)]

    found = [pooled_kappa(sample, interval="goodness_of_fit") for sample in samples]

    assert 0.92 <= np.mean([result.low <= truth <= result.high for result in found]) <= 0.985
