"""Intervals over topics contain those that ignore topics: the rule, and how often they contain the true value."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    pairwise,
    percent_agreement,
    pooled_kappa,
)
from agreement.diagnostics.against_reference import against_reference
from agreement.intervals.defaults import NO_WIDTH
from agreement.intervals.item_limits import ItemLimits, extended, low_of_agreed_topics
from agreement.intervals.score_interval import wilson
from tests.agreement.random_ratings import rows, seeded, with_topics

OF_ALL = [percent_agreement, fleiss_kappa, conger_kappa, gwet_ac, brennan_prediger, krippendorff_alpha]
OF_TWO = [percent_agreement, pooled_kappa, cohen_kappa, brennan_prediger, gwet_ac]
NAMES = [coefficient.__name__ for coefficient in OF_TWO] + ["krippendorff_alpha"]
OVER_TOPICS = ["default", "jackknife_topics", "bootstrap_t_topics", "topics"]
TINY = 1e-9


def agreed(n_judges=2, topics=12, each=5, n_grades=2):
    """All judges give all documents the same grade, in each topic all grades."""
    codes = np.tile(np.arange(topics * each) % n_grades, (n_judges, 1))
    return Ratings(codes.astype(np.int8), tuple(range(n_grades)), None, np.repeat(topic_names(topics), each))


def topic_names(topics):
    return np.array([f"t{topic:02}" for topic in range(topics)])


def as_one_topic(ratings):
    return Ratings(ratings.codes, ratings.scale, ratings.assessors)


def pairs_of(ratings):
    return combinations(ratings.assessors, 2)


# ---- the arithmetic


def test_the_distances_are_multiplied_by_the_ratio_of_the_errors():
    items = ItemLimits(*(np.array([number] * 3) for number in (0.5, 0.85, 0.125)))

    # ratio 1 at least, 2, and 4: 0.8 - 4 * 0.3, 0.8 + 4 * 0.05
    low, high = extended(np.full(3, 0.8), items, np.array([0.01, 0.25, 0.5]))

    assert low == pytest.approx([0.5, 0.2, -0.4])
    assert high == pytest.approx([0.85, 0.8 + 0.25, 0.8 + 0.5])  # the reach over topics is more than the ratio gives


def test_without_an_error_over_items_only_the_error_over_topics_counts():
    items = ItemLimits(np.array(0.75), np.array(1.0), np.array(0.0))

    assert extended(np.array(1.0), items, np.array(0.0)) == (0.75, 1)
    assert extended(np.array(1.0), items, np.array(0.5)) == (0.5, 1.5)


def test_the_mean_of_agreed_topics_has_the_items_of_all_topics():
    # P(A) of two topics of 6 items: the limit is that of 12 items
    lows = np.full(2, wilson(1, 6, 0.95)[0])

    assert low_of_agreed_topics(lows, np.full(2, 6.0), 0.95) == pytest.approx(wilson(1, 12, 0.95)[0], abs=1e-12)
    with_gap = low_of_agreed_topics(np.array([*lows, np.nan]), np.full(3, 6.0), 0.95)
    assert with_gap == pytest.approx(wilson(1, 12, 0.95)[0], abs=1e-12)


# ---- full agreement


@pytest.mark.parametrize("interval", OVER_TOPICS)
@pytest.mark.parametrize("n_grades", [2, 3])
@pytest.mark.parametrize("coefficient", OF_ALL)
def test_full_agreement_has_a_lower_limit_below_1(coefficient, n_grades, interval):
    for n_judges in (2, 4):
        ratings = agreed(n_judges, n_grades=n_grades)
        result = coefficient(ratings).interval(interval, draws=100, seed=1)

        assert 0.8 < result.low < 0.96
        assert result.high == 1
        assert NO_WIDTH not in result.warnings
        assert result.low == coefficient(as_one_topic(ratings)).interval("default", seed=1).low


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_full_agreement_with_weights_has_an_interval(weights):
    for coefficient in (cohen_kappa, fleiss_kappa, gwet_ac):
        result = coefficient(agreed(n_grades=4), weights=weights).interval("jackknife_topics")
        assert 0.4 < result.low < 0.95


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval"])
def test_full_agreement_has_the_same_interval_at_all_levels_of_alpha(level):
    expected = krippendorff_alpha(agreed(n_grades=4)).interval("jackknife_topics").low

    assert krippendorff_alpha(agreed(n_grades=4), level).interval("jackknife_topics").low == expected


@pytest.mark.parametrize("across", ["pooled", "topics"])
def test_full_agreement_of_all_pairs_and_of_their_mean(across):
    frame = pairwise(agreed(3), NAMES, across, interval="jackknife_topics")

    for name in NAMES:
        assert frame[f"{name}_low"].between(0.8, 0.96).all()
        assert (frame[f"{name}_high"] == 1).all()
        assert (frame[f"{name}_warnings"] == "n < 100").all()
    mean = mean_pairwise(agreed(3), "cohen_kappa").interval("jackknife_topics")
    assert mean.low == pytest.approx(2 * wilson(1, 60, 0.95)[0] - 1, abs=1e-9)


def test_full_agreement_with_the_reference():
    row = against_reference(agreed(), "1").iloc[0]
    for name in ("pooled_kappa", "cohen_kappa", "krippendorff_alpha", "precision", "recall", "percent_agreement"):
        assert 0.8 < row[f"{name}_low"] < row[f"{name}_high"] == 1


@pytest.mark.parametrize("interval", ["default", "jackknife_topics", "topics"])
def test_full_agreement_of_a_mean_over_topics(interval):
    for name in NAMES:
        result = overall(agreed(), name).interval(interval, draws=100, seed=1)
        assert 0.8 < result.low < result.high == 1


# ---- never narrower, inside the range


def assert_contains(outer, inner):
    assert outer.low <= max(inner.low, -1) + TINY
    assert outer.high >= min(inner.high, 1) - TINY


@settings(deadline=None, max_examples=50)
@given(rows(n_grades=3, items=(2, 14)), st.integers(2, 5), st.sampled_from(OF_ALL), st.sampled_from(OVER_TOPICS))
def test_never_narrower_than_the_interval_that_ignores_topics(data, topics, coefficient, interval):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), topics)

    result = coefficient(ratings).interval(interval, draws=30, seed=1)
    if result.low is None:
        return

    assert_contains(result, coefficient(ratings).interval("jackknife"))
    one = coefficient(as_one_topic(ratings)).interval("default", draws=30, seed=1)
    if interval == "default" or not (one.method or "").startswith("studentised"):
        assert_contains(result, one)


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(rows(n_grades=2, items=(2, 14)), st.integers(2, 5), st.sampled_from(OF_TWO))
def test_pairs_are_never_narrower(data, topics, coefficient):
    ratings, name = with_topics(Ratings.from_matrix(data, (0, 1), axis="assessors"), topics), coefficient.__name__
    if len(ratings.assessors) < 2:
        return
    over_topics, over_items = (
        pairwise(ratings, name, interval=kind)[[f"{name}_low", f"{name}_high"]].astype(float).to_numpy().T
        for kind in ("jackknife_topics", "jackknife")
    )
    as_one = [coefficient(as_one_topic(ratings), a, b).interval("default", seed=1) for a, b in pairs_of(ratings)]

    defined = np.isfinite(over_topics[0]) & np.isfinite(over_items[0])
    for low, high in (over_items, ([one.low for one in as_one], [one.high for one in as_one])):
        assert (over_topics[0] <= np.array(low, float) + TINY)[defined].all()
        assert (over_topics[1] >= np.array(high, float) - TINY)[defined].all()


@pytest.mark.slow
@settings(deadline=None, max_examples=50)
@given(rows(n_grades=3, items=(2, 12)), st.integers(2, 3), st.sampled_from(OF_TWO), st.sampled_from(OVER_TOPICS))
def test_limits_are_inside_the_range(data, topics, coefficient, interval):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), topics)
    lowest = {"percent_agreement": 0, "brennan_prediger": -1 / 2}.get(coefficient.__name__, -1)

    for a, b in pairs_of(ratings):
        for across in ("pooled", "topics"):
            one = overall(ratings, coefficient.__name__, across, a, b).interval(interval, draws=30, seed=1)
            if one.low is not None:
                assert lowest - TINY <= one.low <= one.high <= 1


def test_two_topics_stay_inside_the_range():
    ratings = Ratings(np.array([[0, 1, 0, 1, 1, 0], [0, 1, 0, 0, 0, 1]]), (0, 1), None, np.repeat(["a", "b"], 3))

    result = cohen_kappa(ratings).interval("jackknife_topics")
    row = pairwise(ratings, "cohen_kappa", interval="jackknife_topics").iloc[0]

    assert result.value - 12.7 * result.se < -3
    assert (result.low, result.high) == (row["cohen_kappa_low"], row["cohen_kappa_high"]) == (-1, 1)


def test_many_topics_that_differ_have_the_interval_of_the_jackknife():
    ratings = with_topics(seeded(1, n_judges=2, n_items=4000, n_grades=2), 40)
    codes = ratings.codes.copy()
    codes[1] = np.where(np.isin(ratings.query_ids, np.unique(ratings.query_ids)[:20]), codes[0], codes[1])
    mixed = Ratings(codes, ratings.scale, ratings.assessors, ratings.query_ids, ratings.doc_ids)

    result = cohen_kappa(mixed).interval("jackknife_topics")

    reach = 2.0226909200367604 * result.se  # the quantile of t with 39 degrees of freedom
    assert result.low == pytest.approx(result.value - reach, rel=0.02)
    assert result.high == pytest.approx(result.value + reach, rel=0.02)


# ---- coverage


def drawn(rng, sizes, kappa, spread=None, prevalence=0.5):
    """Two judges with this kappa, whose disagreements depend on nothing; topics differ in their relevant documents."""
    topics = len(sizes)
    shares = (
        np.full(topics, prevalence)
        if spread is None
        else rng.beta(prevalence * spread, (1 - prevalence) * spread, topics)
    )
    relevant = rng.random(sizes.sum()) < np.repeat(shares, sizes)
    right = (1 + kappa**0.5) / 2  # at the prevalence 1/2, P(A) is 1/2 + kappa / 2
    codes = np.where(rng.random((2, len(relevant))) < right, relevant, ~relevant).astype(np.int8)
    return Ratings(codes, (0, 1), None, np.repeat(topic_names(topics), sizes))


def coverage(draw, truth, interval, draws=60, n=400):
    rng, covered = np.random.default_rng(38), []
    for seed in range(n):
        result = cohen_kappa(draw(rng)).interval(interval, draws=draws, seed=seed)
        if result.low is not None:
            covered.append(result.low <= truth <= result.high)
    return np.mean(covered)


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["jackknife_topics", "default"])
@pytest.mark.parametrize(("topics", "each", "kappa"), [(12, 5, 0.938), (20, 10, 0.969), (50, 20, 0.994)])
def test_near_full_agreement_is_covered(topics, each, kappa, interval):
    """The t interval covers 82 to 95 %; with 400 data sets, 94 % appears as 91.7 % or more in 97.5 % of simulations."""
    sizes = np.full(topics, each)

    assert coverage(lambda rng: drawn(rng, sizes, kappa), kappa, interval) >= 0.93


@pytest.mark.slow
@pytest.mark.parametrize("interval", ["jackknife_topics", "default"])
def test_topics_of_unequal_sizes_are_covered(interval):
    sizes = np.round(np.geomspace(4, 80, 20)).astype(int)

    assert coverage(lambda rng: drawn(rng, sizes, 0.8), 0.8, interval) >= 0.93
