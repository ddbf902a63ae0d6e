"""Score-type intervals: goodness of fit (Donner and Eliasziw 1992) and Wilson, and the data for which they hold.

A comparison of the goodness of fit with the example printed by Donner and Eliasziw is missing, because the numbers of
the example are not at hand. Its tests are arithmetic, the roots of the cubic of the paper, and a chi-squared test by
scipy.
"""

from math import erf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import (
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from agreement.intervals.defaults import NO_WIDTH
from agreement.intervals.score_interval import goodness_of_fit, wilson
from tests.agreement.random_ratings import seeded, with_topics

ONE_ALONE = Ratings.from_matrix(
    [[0, 1, 0], [0, 1, None]], (0, 1), axis="assessors"
)  # two judgements of each item, but for one
RARE = [[89, 1], [2, 8]]
Z_2 = erf(2**0.5)  # the confidence of the normal quantile 2
cells = st.lists(st.integers(0, 60), min_size=4, max_size=4).map(lambda four: np.reshape(four, (2, 2)))
confidences = st.sampled_from([0.5, 0.9, 0.99])


def ratings_of(table):
    """Ratings of two judges with these counts of pairs of two grades."""
    return Ratings(np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], np.ravel(table), axis=1), (0, 1))


def all_agree(n_judges, uses=(95, 5)):
    return Ratings(np.tile(np.repeat([0, 1], uses), (n_judges, 1)), (0, 1))


# ---- Wilson


def test_wilson_by_hand():
    # z = 2, n = 12. share 1/2: middle 1/2, reach sqrt(4 (1/48 + 4 / 576)) / (4/3) = (1/3) / (4/3) = 1/4
    assert wilson(0.5, 12, Z_2) == pytest.approx((0.25, 0.75), abs=1e-12)
    # share 1: n / (n + z^2) = 12/16
    assert wilson(1, 12, Z_2) == (pytest.approx(0.75, abs=1e-12), 1)
    assert wilson(0, 12, Z_2) == (0, pytest.approx(0.25, abs=1e-12))


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_published(hits, n, low, high):
    # R. G. Newcombe (1998), Statistics in Medicine 17(8), 857-872, table I, method 3
    assert wilson(hits / n, n, 0.95) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), confidences)
def test_wilson_equals_that_of_scipy(counts, confidence):
    hits, n = counts
    expected = stats.binomtest(hits, n).proportion_ci(confidence, method="wilson")

    low, high = wilson(hits / n, n, confidence)

    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert 0 <= low <= hits / n <= high <= 1
    assert low < high


@given(cells.filter(lambda table: table.sum() > 0), confidences)
def test_brennan_prediger_maps_the_interval_of_percent_agreement(table, confidence):
    raw, corrected = (f(table).interval("wilson", confidence=confidence) for f in (percent_agreement, brennan_prediger))

    assert (corrected.low, corrected.high) == pytest.approx((2 * raw.low - 1, 2 * raw.high - 1), abs=1e-12)
    assert -1 <= corrected.low <= corrected.value <= corrected.high <= 1


def test_items_with_one_judgement_do_not_change_wilson():
    complete = ratings_of(RARE)
    single = Ratings(np.concatenate([complete.codes, [[0, -1], [-1, 1]]], axis=1), (0, 1))
    for coefficient in (percent_agreement, brennan_prediger):
        few, many = (coefficient(data).interval("wilson") for data in (complete, single))
        assert (few.low, few.high) == (many.low, many.high)


def test_wilson_holds_for_many_judges_only_if_they_all_agree():
    agreed, disputed = all_agree(3), seeded(3)
    expected = wilson(1, 100, 0.95)[0]

    assert percent_agreement(agreed).interval("wilson").low == expected
    assert brennan_prediger(agreed).interval("wilson").low == pytest.approx(2 * expected - 1, abs=1e-12)
    ac = gwet_ac(agreed).interval("wilson")
    assert ac.low == pytest.approx((expected - ac.expected) / (1 - ac.expected), abs=1e-12)
    assert ac.high == 1
    for coefficient, data in ((percent_agreement, disputed), (gwet_ac, disputed), (gwet_ac, ratings_of(RARE))):
        with pytest.raises(ValueError, match="'wilson' does not hold for"):
            coefficient(data).interval("wilson")
    with pytest.raises(ValueError, match="'wilson' does not hold for percent_agreement"):
        percent_agreement([[5, 1, 0], [1, 5, 1], [0, 1, 5]], weights="linear").interval("wilson")


# ---- goodness of fit


def chi_squared(table, kappa):
    n, p = table.sum(), (2 * table[1, 1] + table[0, 1] + table[1, 0]) / (2 * table.sum())
    both = p * (1 - p)
    model = n * np.array([(1 - p) ** 2 + both * kappa, 2 * both * (1 - kappa), p**2 + both * kappa])
    seen = [table[0, 0], table[0, 1] + table[1, 0], table[1, 1]]
    return stats.chisquare(seen, model, ddof=1).statistic


def test_goodness_of_fit_by_hand():
    # prevalence 1/2, q = (1 + kappa) / 2: chi-squared = n (a - q)^2 / (q (1 - q)) for the share a of agreement.
    # a = 1, n = 12, z = 2: 12 (1 - q) / q = 4, q = 3/4, kappa = 1/2
    assert goodness_of_fit(np.array([[6, 0], [0, 6]]), Z_2) == pytest.approx((0.5, 1), abs=1e-9)
    # a = 1/2: 12 (1/2 - q)^2 = 4 q (1 - q), 16 q^2 - 16 q + 3 = 0, q = 1/4 and 3/4, kappa = -1/2 and 1/2
    assert goodness_of_fit(np.array([[3, 3], [3, 3]]), Z_2) == pytest.approx((-0.5, 0.5), abs=1e-9)


@given(st.integers(0, 60), st.integers(0, 60), confidences)
def test_at_equal_shares_it_is_wilson(agreed, disagreed, confidence):
    if not agreed + disagreed:
        return
    table = np.array([[agreed, disagreed], [disagreed, agreed]])
    expected = wilson(agreed / (agreed + disagreed), int(table.sum()), confidence)

    assert goodness_of_fit(table, confidence) == pytest.approx([2 * limit - 1 for limit in expected], abs=1e-7)


@pytest.mark.parametrize("table", [RARE, [[300, 20], [10, 70]], [[40, 9], [11, 3]], [[5, 5], [5, 5]]])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_limits_are_where_the_test_begins_to_reject(table, confidence):
    table = np.array(table)

    result = pooled_kappa(table).interval("goodness_of_fit", confidence=confidence)

    critical = stats.chi2.ppf(confidence, 1)
    assert chi_squared(table, result.low) == pytest.approx(critical, rel=1e-6)
    assert chi_squared(table, result.high) == pytest.approx(critical, rel=1e-6)
    assert chi_squared(table, result.value) == pytest.approx(0, abs=1e-9)
    assert -1 <= result.low < result.value < result.high <= 1
    assert result.method == "goodness of fit (Donner and Eliasziw 1992)"


def test_the_roots_of_the_cubic_of_the_paper():
    # chi-squared multiplied by the denominators is a polynomial of degree three in kappa
    n, p, critical = 100, 19 / 200, stats.chi2.ppf(0.95, 1)
    kappa, both = np.polynomial.Polynomial([0, 1]), p * (1 - p)
    model = [(1 - p) ** 2 + both * kappa, 2 * both * (1 - kappa), p**2 + both * kappa]
    squares = [count**2 / n for count in (89, 3, 8)]
    a, b, c = model
    cubic = squares[0] * b * c + squares[1] * a * c + squares[2] * a * b - (n + critical) * a * b * c
    roots = sorted(float(root.real) for root in cubic.roots())

    assert goodness_of_fit(np.array(RARE), 0.95) == pytest.approx(roots[1:], abs=1e-9)


def test_perfect_agreement_has_a_lower_limit_and_no_disagreement_an_upper_one():
    perfect = pooled_kappa([[95, 0], [0, 5]]).interval("goodness_of_fit")
    opposite = pooled_kappa([[0, 10], [10, 0]]).interval("goodness_of_fit")

    assert 0.5 < perfect.low < 0.9
    assert (perfect.value, perfect.high) == (1, 1)
    assert (opposite.value, opposite.low) == (-1, -1)
    assert -1 < opposite.high < 0
    assert NO_WIDTH not in perfect.warnings + opposite.warnings


@given(cells, confidences)
def test_limits_surround_the_value_and_grow_with_the_confidence(table, confidence):
    result = pooled_kappa(table).interval("goodness_of_fit", confidence=confidence)
    if not result.defined:
        assert result.low is None
        return
    wider = pooled_kappa(table).interval("goodness_of_fit", confidence=0.999)
    swapped = pooled_kappa(table[::-1, ::-1]).interval("goodness_of_fit", confidence=confidence)

    assert -1 <= wider.low <= result.low <= result.value + 1e-9
    assert result.value - 1e-9 <= result.high <= wider.high <= 1
    assert (swapped.low, swapped.high) == pytest.approx((result.low, result.high), abs=1e-6)


@given(cells)
def test_two_judgements_of_each_item_have_the_interval_of_pooled_kappa(table):
    pooled = pooled_kappa(table).interval("goodness_of_fit")
    if not pooled.defined:
        return
    limits = (pooled.low, pooled.high)
    data, n_values = ratings_of(table), 2 * int(table.sum())

    fleiss = fleiss_kappa(data).interval("goodness_of_fit")
    counts = fleiss_kappa(Ratings.from_counts(data.counts.tolist(), (0, 1))).interval("goodness_of_fit")
    alpha = krippendorff_alpha(data).interval("goodness_of_fit")

    assert (fleiss.low, fleiss.high) == (counts.low, counts.high) == pytest.approx(limits, abs=1e-9)
    mapped = [1 - (1 - 1 / n_values) * (1 - limit) for limit in limits]
    assert (alpha.low, alpha.high) == pytest.approx(mapped, abs=1e-9)
    assert alpha.low - 1e-9 <= alpha.value <= alpha.high + 1e-9


def test_cohens_kappa_has_it_if_all_items_agree():
    data = all_agree(2)
    expected = goodness_of_fit(np.diag([95, 5]), 0.95)
    for result in (
        cohen_kappa(data).interval("goodness_of_fit"),
        conger_kappa(data).interval("goodness_of_fit"),
        mean_pairwise(data, "cohen_kappa").interval("goodness_of_fit"),
    ):
        assert (result.low, result.high) == pytest.approx(expected, abs=1e-9)
        assert NO_WIDTH not in result.warnings


@pytest.mark.parametrize(
    "estimate",
    [
        lambda: cohen_kappa(RARE).interval("goodness_of_fit"),
        lambda: pooled_kappa([[5, 1, 0], [1, 5, 1], [0, 1, 5]]).interval("goodness_of_fit"),
        lambda: fleiss_kappa(seeded(3)).interval("goodness_of_fit"),
        lambda: conger_kappa(all_agree(3)).interval("goodness_of_fit"),
        lambda: fleiss_kappa(ONE_ALONE, pi_items="ge1").interval("goodness_of_fit"),
    ],
)
def test_other_coefficients_and_data_have_no_goodness_of_fit(estimate):
    with pytest.raises(ValueError, match=r"'goodness_of_fit' does not hold for .* of these data, but for two"):
        estimate()


@pytest.mark.parametrize("interval", ["goodness_of_fit", "wilson"])
def test_a_mean_of_topics_has_no_score_interval(interval):
    with pytest.raises(ValueError, match=r"is for one table\. A mean of topics has 'bootstrap_t_topics'"):
        overall(with_topics(seeded(3, n_judges=2), 4), "pooled_kappa").interval(interval)


@pytest.mark.parametrize("rows", [[[], []], [[None], [0]], [[1, 1], [1, 1]]])
def test_undefined_estimates_have_no_score_interval(rows):
    result = pooled_kappa(Ratings.from_matrix(rows, (0, 1), axis="assessors")).interval("goodness_of_fit")

    assert (result.status, result.low, result.high) == ("undefined", None, None)


@pytest.mark.slow
@pytest.mark.parametrize("prevalence", [0.5, 0.05])
def test_goodness_of_fit_contains_the_true_value_often_enough(prevalence):
    def draw(n, seed):
        rng = np.random.default_rng(seed)
        relevant = rng.random(n) < prevalence
        right = rng.random((2, n)) < np.where(relevant, 0.85, 0.9)
        return Ratings(np.where(right, relevant, ~relevant).astype(np.int8), (0, 1))

    truth = pooled_kappa(draw(400_000, 1)).value

    results = [pooled_kappa(draw(100, seed)).interval("goodness_of_fit") for seed in range(2, 402)]

    assert 0.92 <= np.mean([result.low <= truth <= result.high for result in results]) <= 0.985
