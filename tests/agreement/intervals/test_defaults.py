"""Which interval is the default, its limits, and the jackknife on Fisher's scale."""

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
from agreement.intervals.defaults import (
    MOST_VARIANCE,
    NO_WIDTH,
    default_of_mean,
    default_over_items,
    default_over_topics,
    within_range,
)
from tests.agreement.random_ratings import rows, seeded, with_topics

RARE = [[89, 1], [2, 8]]
GOODNESS, WILSON = "goodness of fit", "Wilson's score interval"
FISHER, STUDENTISED = "jackknife on Fisher's scale", "studentised bootstrap of items"
OF_ALL = [percent_agreement, fleiss_kappa, conger_kappa, gwet_ac, brennan_prediger, krippendorff_alpha]


def repeated(table):
    return Ratings(np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], np.ravel(table), axis=1), (0, 1))


@pytest.mark.parametrize(
    ("coefficient", "start"),
    [
        (pooled_kappa, GOODNESS),
        (fleiss_kappa, GOODNESS),
        (krippendorff_alpha, GOODNESS),
        (cohen_kappa, FISHER),
        (conger_kappa, FISHER),
        (gwet_ac, FISHER),
        (percent_agreement, WILSON),
        (brennan_prediger, WILSON),
    ],
)
def test_the_default_of_two_judgements_of_each_item(coefficient, start):
    result = coefficient(repeated(RARE)).interval("default", seed=1)

    assert result.method.startswith(start)
    assert result.low < result.value < result.high <= 1


def test_the_default_of_three_judges():
    ratings = seeded(3, n_judges=3, n_items=200, n_grades=2)
    many = seeded(3, n_judges=3, n_items=800, n_grades=2)
    for coefficient in (fleiss_kappa, conger_kappa, krippendorff_alpha):
        assert coefficient(ratings).interval("default", seed=1).method.startswith(STUDENTISED)
        assert coefficient(many).interval("default", seed=1).method.startswith(FISHER)
    assert gwet_ac(ratings).interval("default", seed=1).method.startswith(FISHER)
    assert percent_agreement(ratings).interval("default", seed=1).method.startswith("jackknife: each item")


def test_large_data_need_no_draws(monkeypatch):
    monkeypatch.setattr("agreement.intervals.measurement.studentised", None)
    ratings = with_topics(seeded(3, n_items=1200, missing=0), 400)

    assert default_over_topics("conger_kappa", 399) == "bootstrap_t_topics"
    assert conger_kappa(ratings).interval("default", seed=1).method.startswith("jackknife over topics")
    assert conger_kappa(seeded(3, n_items=800)).interval("default", seed=1).method.startswith(FISHER)


@pytest.mark.parametrize(
    ("topics", "kappa", "share"),
    [
        (2, "jackknife_topics", "jackknife_topics"),
        (4, "jackknife_topics", "jackknife_topics"),
        (5, "bootstrap_t_topics", "jackknife_topics"),
        (9, "bootstrap_t_topics", "jackknife_topics"),
        (10, "bootstrap_t_topics", "bootstrap_t_topics"),
        (400, "jackknife_topics", "jackknife_topics"),
    ],
)
def test_the_default_over_topics(topics, kappa, share):
    for name in ("cohen_kappa", "fleiss_kappa", "krippendorff_alpha"):
        assert default_over_topics(name, topics) == kappa
    for name in ("percent_agreement", "brennan_prediger", "gwet_ac"):
        assert default_over_topics(name, topics) == share


@given(st.integers(0, 10**6), st.booleans())
def test_percent_agreement_and_its_linear_function_have_the_same_default(n, two):
    assert default_over_items("percent_agreement", n, two) == default_over_items("brennan_prediger", n, two)


def test_a_mean_over_topics_has_the_default_of_its_topics():
    two = seeded(3, n_judges=2, n_items=300, n_grades=2)

    few = overall(with_topics(two, 4), "pooled_kappa").interval(seed=1)
    some = overall(with_topics(two, 6), "pooled_kappa").interval(seed=1)

    ten = overall(with_topics(two, 10), "pooled_kappa").interval(seed=1)
    many = overall(with_topics(two, 12), "pooled_kappa").interval(seed=1)

    assert few.method.startswith("jackknife_topics: standard error of a mean")
    assert some.method.startswith("studentised bootstrap of topics")
    assert ten.method.startswith("topics, then documents resampled")
    assert many.method.startswith("jackknife_topics: standard error of a mean")
    assert ten.low < ten.value < ten.high
    assert default_of_mean("percent_agreement", 10) == default_of_mean("gwet_ac", 399) == "bootstrap_t_topics"


@pytest.mark.parametrize("interval", ["default", "bootstrap_t_topics", "jackknife_topics", "topics"])
def test_few_topics_and_many_judges_are_a_warning(interval):
    """No interval reaches 93 % in simulations with ten topics, three judges, rare grades (docs/studies/coverage.md)."""
    three = seeded(3, n_judges=3, n_items=420, n_grades=2)
    warning = "only 14 topics, and more than two judgements of a document: the interval may be too narrow"

    assert warning in fleiss_kappa(with_topics(three, 14)).interval(interval, seed=1).warnings
    assert fleiss_kappa(with_topics(three, 15)).interval(interval, seed=1).warnings == ()
    two = seeded(3, n_judges=2, n_items=420, n_grades=2)
    assert fleiss_kappa(with_topics(two, 14)).interval(interval, seed=1).warnings == ()


@pytest.mark.parametrize("coefficient", [percent_agreement, brennan_prediger, gwet_ac])
@pytest.mark.parametrize("table", [[[89, 1], [0, 10]], [[99, 0], [0, 1]], [[1, 0], [0, 1]]])
def test_no_limit_of_the_default_is_above_1(coefficient, table):
    result = coefficient(table).interval("default", seed=1)

    assert -1 <= result.low < result.high <= 1
    assert NO_WIDTH not in result.warnings


@given(rows(n_grades=2, items=(1, 12)), st.integers(1, 6), st.sampled_from(OF_ALL))
def test_the_default_is_inside_the_range_of_the_coefficient(data, topics, coefficient):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1), axis="assessors"), topics)

    result = coefficient(ratings).interval("default", draws=30, seed=1)
    mean = overall(ratings, coefficient.__name__).interval(draws=30, seed=1)

    for one in (result, mean):
        if one.low is not None:
            lowest = 0 if coefficient is percent_agreement else min(-1, one.value)
            assert lowest - 1e-9 <= one.low <= one.value + 1e-9
            assert one.value - 1e-9 <= one.high <= 1


def test_limits_outside_the_range_are_set_to_its_ends():
    outside = percent_agreement([[9, 1], [0, 10]]).interval("analytic", confidence=0.9999)
    inside = percent_agreement([[40, 20], [10, 30]]).interval("jackknife")

    assert outside.high > 1
    assert (within_range(outside).low, within_range(outside).high) == (outside.low, 1)
    assert within_range(inside) == inside
    assert percent_agreement([[9, 1], [0, 10]]).interval("jackknife", confidence=0.9999).high == 1
    assert within_range(percent_agreement([[9, 1], [0, 10]])).low is None


def test_the_default_of_one_pair_is_that_of_its_mean():
    for table in (RARE, [[95, 0], [0, 5]], [[40, 10], [12, 30]]):
        for name, coefficient in (("cohen_kappa", cohen_kappa), ("pooled_kappa", pooled_kappa)):
            mean = mean_pairwise(repeated(table), name).interval("default", seed=1)
            pair = coefficient(repeated(table)).interval("default", seed=1)
            assert (mean.low, mean.high) == pytest.approx((pair.low, pair.high), abs=1e-9)


# ---- the jackknife on Fisher's scale


def test_fishers_scale_by_hand():
    # P(A) = 3/5 of 5 items: without an agreeing item 2/4, without another 3/4; mean 3/5, squares 3 / 100 + 2 * 9/400
    # se^2 = 4/5 * 3/40 = 3/50; z = atanh(0.6) = log(2), its standard error is se / (1 - 0.36)
    result = percent_agreement([[2, 1], [1, 1]]).interval("jackknife_fisher")

    reach = stats.t.ppf(0.975, 4) * (3 / 50) ** 0.5 / 0.64
    assert result.se == pytest.approx((3 / 50) ** 0.5, abs=1e-15)
    assert result.low == pytest.approx(np.tanh(np.log(2) - reach), abs=1e-12)
    assert result.high == pytest.approx(np.tanh(np.log(2) + reach), abs=1e-12)


@given(rows(items=(2, 12)), st.sampled_from(OF_ALL))
def test_fishers_scale_has_the_same_error_and_stays_inside(data, coefficient):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")

    plain, fisher = (coefficient(ratings).interval(kind) for kind in ("jackknife", "jackknife_fisher"))

    assert fisher.se == plain.se
    if fisher.low is not None and abs(fisher.value) < 1 and fisher.se > 0:
        assert -1 <= fisher.low <= fisher.value <= fisher.high <= 1


def test_large_samples_have_the_same_limits_on_both_scales():
    table = [[30_000, 2000], [1000, 7000]]
    plain, fisher = (cohen_kappa(table).interval(kind) for kind in ("jackknife", "jackknife_fisher"))

    assert (fisher.low, fisher.high) == pytest.approx((plain.low, plain.high), abs=2e-4)


def test_values_of_1_have_no_fishers_scale():
    result = cohen_kappa(np.diag([30, 40, 50])).interval("jackknife_fisher")

    assert (result.low, result.high) == (1, 1)
    assert result.warnings == (NO_WIDTH,)
    assert overall(with_topics(seeded(3), 12), "fleiss_kappa").interval("jackknife_fisher").low > -1


def test_one_topic_with_most_of_the_variance_gives_a_warning():
    agreed, mixed, disputed = [[0, 1] * 10] * 2, [[0, 1] * 10, [0, 1] * 9 + [1, 1]], [[0, 1] * 10, [1, 0] * 10]
    codes = np.concatenate([*[agreed, mixed] * 6, disputed], axis=1)
    ratings = Ratings(codes, (0, 1), None, np.repeat([f"{topic:02}" for topic in range(13)], 20))

    assert MOST_VARIANCE in cohen_kappa(ratings).interval("jackknife_topics").warnings
    assert MOST_VARIANCE in cohen_kappa(ratings).interval("default", draws=200, seed=1).warnings
    assert MOST_VARIANCE not in fleiss_kappa(with_topics(seeded(3), 12)).interval("jackknife_topics").warnings
