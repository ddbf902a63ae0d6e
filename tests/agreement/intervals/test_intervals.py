"""Intervals: computed by hand, published, compared with direct computation, rough and undefined."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from agreement import (
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from agreement.intervals.defaults import NO_WIDTH
from tests.agreement.random_ratings import rows, seeded, with_topics

TABLE = [[300, 20], [10, 70]]
Z = 1.959963984540054
PAIRS = [percent_agreement, pooled_kappa, cohen_kappa, brennan_prediger, gwet_ac]
MANY = [percent_agreement, fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, krippendorff_alpha]
DRAWING = ["default", "bootstrap", "bootstrap_t", "bootstrap_t_topics", "topics"]
PERCENTILES = ["bootstrap", "topics"]


def options_of(interval):
    return {"kind": interval, "seed": 5} if interval in DRAWING else {"kind": interval}


def test_percent_agreement_by_hand():
    # P(A) = 370/400; se of a table sqrt(P(A) (1 - P(A)) / n), of ratings with n - 1
    by_table = percent_agreement(TABLE).interval("analytic")
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    by_ratings = percent_agreement(Ratings(codes, (0, 1))).interval("analytic")

    assert by_table.se == pytest.approx((370 * 30 / 400**3) ** 0.5, abs=1e-15)
    assert by_ratings.se == pytest.approx((370 * 30 / 400**2 / 399) ** 0.5, abs=1e-15)
    assert by_table.low == pytest.approx(370 / 400 - Z * by_table.se, abs=1e-12)
    assert (by_table.confidence, by_table.method) == (0.95, "analytic: delta method")
    assert by_ratings.method == "analytic: Gwet's linearised variance, n - 1"


def test_brennan_prediger_is_a_linear_function_of_percent_agreement():
    raw, corrected = (f(TABLE).interval("analytic") for f in (percent_agreement, brennan_prediger))

    assert corrected.se == pytest.approx(2 * raw.se, abs=1e-15)


def test_cohens_kappa_names_the_source_of_its_standard_error():
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    result = [cohen_kappa(data).interval("analytic") for data in (TABLE, Ratings(codes, (0, 1)))]

    assert [one.method for one in result] == ["analytic: Fleiss, Cohen and Everitt (1969)"] * 2
    assert result[0].se == result[1].se


def test_null_error_of_pooled_kappa_is_that_of_fleiss_kappa_with_two_judgements():
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    pooled = pooled_kappa(TABLE).interval("analytic")

    assert pooled.se_null == pytest.approx(fleiss_kappa(Ratings(codes, (0, 1))).interval("analytic").se_null, abs=1e-15)
    # two grades: sqrt(2 / (n r (r - 1))) = 1 / sqrt(400)
    assert pooled.se_null == pytest.approx(1 / 20, abs=1e-15)


def test_null_error_is_none_if_it_is_unknown():
    ragged = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, None], [0, 1, 0, 1]], (0, 1), axis="assessors")

    assert fleiss_kappa(ragged).interval("analytic").se_null is None
    assert pooled_kappa(np.diag([3, 4, 5]), weights="linear").interval("analytic").se_null is None
    assert gwet_ac(TABLE).interval("analytic").se_null is None
    assert cohen_kappa(TABLE).se_null is None
    assert cohen_kappa(TABLE).interval("jackknife").se_null is None


@pytest.mark.parametrize("coefficient", [pooled_kappa, cohen_kappa, gwet_ac])
def test_the_jackknife_leaves_out_each_item(coefficient):
    table = np.array([[12, 3, 1], [2, 9, 4], [0, 5, 8]])
    n, values, times = table.sum(), [], []
    for i, j in zip(*np.nonzero(table), strict=True):
        left = table.copy()
        left[i, j] -= 1
        values.append(coefficient(left, weights="linear").value)
        times.append(table[i, j])
    apart = values - np.average(values, weights=times)

    result = coefficient(table, weights="linear").interval("jackknife")

    assert result.se == pytest.approx(((n - 1) / n * (times @ apart**2)) ** 0.5, abs=1e-12)
    assert result.high == pytest.approx(result.value + stats.t.ppf(0.975, n - 1) * result.se, abs=1e-12)


def test_the_jackknife_of_many_judges():
    ratings = seeded(2, n_items=25)
    judged = np.flatnonzero(ratings.counts.sum(axis=1) > 1)
    codes = ratings.codes[:, judged]
    values = [
        krippendorff_alpha(Ratings(np.delete(codes, item, axis=1), ratings.scale), "ordinal").value
        for item in range(codes.shape[1])
    ]
    n = len(values)

    result = krippendorff_alpha(ratings, "ordinal").interval("jackknife")

    assert result.se == pytest.approx(((n - 1) / n * np.sum((values - np.mean(values)) ** 2)) ** 0.5, abs=1e-12)


@pytest.mark.parametrize("coefficient", PAIRS)
@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife"])
def test_intervals_of_large_tables_are_similar(coefficient, interval):
    table = np.array([[900, 100, 20], [150, 700, 130], [30, 90, 880]])
    expected = coefficient(table).interval("analytic")

    result = coefficient(table).interval(**options_of(interval))

    assert result.se == pytest.approx(expected.se, rel=0.06)
    assert (result.low, result.high) == pytest.approx((expected.low, expected.high), abs=0.003)


@pytest.mark.slow
@pytest.mark.parametrize("coefficient", MANY)
@pytest.mark.parametrize(
    "interval",
    ["analytic", "bootstrap_t", "bootstrap_t_topics", "bootstrap", "jackknife", "jackknife_topics", "topics"],
)
def test_intervals_of_many_judges_are_similar(coefficient, interval):
    ratings = with_topics(seeded(3, n_items=3000), 100)
    expected = coefficient(ratings).interval("analytic")

    result = coefficient(ratings).interval(**options_of(interval))

    assert result.se == pytest.approx(expected.se, rel=0.5 if "topics" in interval else 0.08)
    assert result.low < result.value < result.high


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_intervals_of_alpha_are_similar_at_each_level(level):
    ratings = seeded(4, n_items=3000)
    result = [
        krippendorff_alpha(ratings, level).interval(**options_of(how)) for how in ("analytic", "bootstrap", "jackknife")
    ]

    assert result[1].se == pytest.approx(result[0].se, rel=0.08)
    assert result[2].se == pytest.approx(result[0].se, rel=0.02)


def test_the_confidence_level_of_alpha_is_called_confidence():
    wide, narrow = (krippendorff_alpha(seeded(4)).interval("analytic", confidence=level) for level in (0.99, 0.5))

    assert (wide.confidence, narrow.confidence) == (0.99, 0.5)
    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize("interval", DRAWING)
def test_the_same_seed_gives_the_same_interval(interval):
    ratings = with_topics(seeded(1, n_judges=2, n_items=200), 12)

    first, again = (cohen_kappa(ratings).interval(interval, draws=200, seed=3) for _ in range(2))
    by_rng = cohen_kappa(ratings).interval(interval, draws=200, rng=np.random.default_rng(3))

    assert first == again
    assert (first.low, first.high, first.se) == (by_rng.low, by_rng.high, by_rng.se)
    other = cohen_kappa(ratings).interval(interval, draws=200, seed=4)
    assert (other.low, other.high) != (first.low, first.high)
    assert "200 draws, seed 3" in first.method
    assert "a generator passed by the caller" in by_rng.method


def test_the_global_seed_has_no_effect():
    np.random.seed(1)
    first = cohen_kappa(TABLE).interval("bootstrap", seed=3)
    np.random.seed(2)

    assert cohen_kappa(TABLE).interval("bootstrap", seed=3) == first


def test_draws_do_not_depend_on_the_size_of_blocks(monkeypatch):
    whole = cohen_kappa(TABLE).interval("bootstrap", draws=101, seed=3)
    monkeypatch.setattr("agreement.intervals.resampling.BLOCK", 40)

    assert cohen_kappa(TABLE).interval("bootstrap", draws=101, seed=3) == whole


def test_different_topics_give_a_wider_interval():
    # in even topics the two agree, in odd ones they do not
    codes = np.tile([[0, 1, 0, 1], [0, 1, 1, 0]], 100)
    topics = np.repeat([f"{number:02}" for number in range(20)], 20)
    codes[1] = np.where(np.repeat(np.arange(20), 20) % 2, 1 - codes[0], codes[0])
    ratings = Ratings(codes, (0, 1), None, topics)

    items, clusters = (cohen_kappa(ratings).interval(how, seed=1) for how in PERCENTILES)

    # 20 topics at +1 or -1: the standard error is 1 / sqrt(20) and not 1 / sqrt(400)
    assert items.se == pytest.approx(1 / 20, rel=0.1)
    assert clusters.se == pytest.approx(1 / 20**0.5, rel=0.1)


def test_one_topic_gives_a_warning_and_resamples_its_documents():
    ratings = seeded(3, n_judges=2, n_items=400)

    items, clusters = (cohen_kappa(ratings).interval(how, seed=1) for how in PERCENTILES)

    assert clusters.warnings[0] == "only one topic: the variation between topics is unknown"
    assert clusters.se == pytest.approx(items.se, rel=0.1)
    assert "only 4 topics" in cohen_kappa(with_topics(ratings, 4)).interval("topics", seed=1).warnings


def test_overall_has_the_default_interval_if_a_seed_is_passed():
    ratings = with_topics(seeded(3, n_judges=2, n_items=400), 12)

    assert overall(ratings, "cohen_kappa").low is None
    assert overall(ratings, "cohen_kappa").interval(seed=1) == overall(ratings, "cohen_kappa").interval(
        "default", seed=1
    )
    pooled = overall(ratings, "cohen_kappa", "pooled").interval(seed=1)
    assert (pooled.low, pooled.se) == (cohen_kappa(ratings).interval("default", seed=1).low, pooled.se)
    assert "studentised bootstrap of topics" in pooled.method


def test_the_mean_over_topics_has_the_standard_error_of_a_mean():
    ratings = with_topics(seeded(3, n_judges=2, n_items=600), 12)
    values = [cohen_kappa(part).value for part in ratings.by_topic().values()]

    result = overall(ratings, "cohen_kappa").interval("analytic")

    assert result.se == pytest.approx(np.std(values, ddof=1) / 12**0.5, abs=1e-12)
    assert overall(ratings, "cohen_kappa").interval("jackknife").se == result.se
    by_topics = overall(ratings, "cohen_kappa").interval("topics", seed=1)
    fixed = overall(ratings, "cohen_kappa").interval("bootstrap", seed=1)
    assert fixed.se < by_topics.se
    assert result.se / 2 < by_topics.se < 2 * result.se
    assert "documents within topics resampled" in fixed.method


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac"])
@pytest.mark.parametrize("across", ["topics", "pooled"])
def test_overall_of_all_judges_has_intervals(name, across):
    result = overall(with_topics(seeded(3, n_items=400), 12), name, across).interval(draws=200, seed=1)

    assert result.low < result.value < result.high


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "jackknife_topics", "topics"])
def test_intervals_of_the_mean_pair_are_similar(weighted, interval):
    ratings = with_topics(seeded(3, n_items=2000), 100)
    expected = mean_pairwise(ratings, "cohen_kappa", weighted).interval("analytic")

    result = mean_pairwise(ratings, "cohen_kappa", weighted).interval(**options_of(interval))

    assert result.value == mean_pairwise(ratings, "cohen_kappa", weighted).value
    assert result.se == pytest.approx(expected.se, rel=0.5 if "topics" in interval else 0.08)
    # pairs share their judges, so that their mean is surer than one of them but not as sure as six
    single = cohen_kappa(ratings, "1", "2").interval("analytic").se
    assert single / 6**0.5 < expected.se < single


def test_the_mean_of_one_pair_has_the_interval_of_the_pair():
    ratings = seeded(3, n_judges=2, n_items=300)
    pair = pooled_kappa(ratings).interval("analytic")

    mean = mean_pairwise(ratings, "pooled_kappa").interval("analytic")

    assert (mean.se, mean.low, mean.high) == pytest.approx((pair.se, pair.low, pair.high), abs=1e-12)


def test_a_mean_over_pairs_and_topics_has_no_interval():
    with pytest.raises(ValueError, match="needs across='pooled'"):
        mean_pairwise(seeded(1), "cohen_kappa", across="topics").interval("topics", seed=1)


def test_small_data_give_warnings():
    few = cohen_kappa([[40, 10], [10, 30]]).interval("analytic")
    rare = cohen_kappa([[400, 3], [20, 1]]).interval("analytic")

    assert few.warnings == ("n < 100",)
    assert rare.warnings == ("used fewer than 5 times by a judge: grade 1",)
    assert cohen_kappa(TABLE).interval("analytic").warnings == ()
    assert cohen_kappa([[1, 1], [0, 1]]).warnings == ()
    assert "n < 100" in str(few)


def test_undefined_draws_are_counted():
    # of two items a sample is one category in half of the draws
    result = cohen_kappa([[1, 0], [0, 1]]).interval("bootstrap", draws=1000, seed=1)

    lost = next(warning for warning in result.warnings if warning.startswith("undefined in"))
    assert 440 < int(lost.split()[2]) < 560
    assert lost.endswith("of 1000 draws")
    assert (result.low, result.high) == (1, 1)


def test_undefined_estimates_have_no_interval():
    for interval in ("analytic", "bootstrap", "jackknife"):
        result = cohen_kappa([[0, 0], [0, 7]]).interval(**options_of(interval))
        assert (result.reason, result.low, result.se, result.confidence, result.method) == ("one_category", *[None] * 4)
    assert (
        fleiss_kappa(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1), axis="assessors")).interval("topics", seed=1).low
        is None
    )


@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "jackknife_topics", "topics"])
def test_one_item(interval):
    for coefficient in (gwet_ac, brennan_prediger, percent_agreement):
        result = coefficient(Ratings.from_matrix([[1], [0]], (0, 1), axis="assessors")).interval(**options_of(interval))
        assert result.defined
        assert result.low is None or result.low <= result.value <= result.high
        assert "n < 100" in result.warnings


def test_too_few_items_give_a_warning():
    result = gwet_ac(Ratings.from_matrix([[1], [0]], (0, 1), axis="assessors")).interval("analytic")

    assert (result.low, result.high, result.se) == (None, None, None)
    assert "too few items for an interval" in result.warnings


def test_an_interval_without_width_gives_a_warning():
    result = cohen_kappa([[70, 0], [0, 50]]).interval("analytic")

    assert (result.low, result.high) == (1, 1)
    assert result.warnings == (NO_WIDTH,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"kind": "exact"},
            "interval must be one of default, analytic, bootstrap, bootstrap_t, bootstrap_t_topics, "
            "goodness_of_fit, jackknife, jackknife_fisher, jackknife_topics, topics, wilson, not 'exact'",
        ),
        ({"kind": "bootstrap"}, "'bootstrap' draws at random and needs seed or rng"),
        ({"kind": "topics"}, "'topics' draws at random and needs seed or rng"),
        ({"kind": "bootstrap", "seed": 1, "rng": np.random.default_rng(1)}, "either seed or rng"),
        ({"kind": "bootstrap", "rng": 5}, "rng must be a random generator, such as .*, not 5"),
        ({"kind": "analytic", "confidence": 95}, "confidence must be between 0 and 1, such as 0.95, not 95"),
        ({"kind": "bootstrap", "seed": 1, "draws": 1}, "draws must be a whole number from 2, not 1"),
        ({"kind": "bootstrap", "seed": 1, "draws": 10.5}, "draws must be a whole number from 2, not 10.5"),
        ({"kind": "topics", "seed": 1}, "a table has no topics"),
        ({"kind": "jackknife_topics"}, "a table has no topics"),
    ],
)
def test_invalid_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        cohen_kappa(TABLE).interval(**options)


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="confidences"):
        cohen_kappa(TABLE).interval("analytic", confidences=0.9)


def test_each_grade_has_an_interval():
    kappas = fleiss_kappa_by_grade(seeded(3, n_items=200))
    result = [kappa.interval("bootstrap", seed=1, draws=100) for kappa in kappas.values()]

    assert all(estimate.low < estimate.value < estimate.high for estimate in result)
    assert [estimate.convention for estimate in result] == [kappa.convention for kappa in kappas.values()]


@settings(deadline=None)
@given(
    data=rows(items=(1, 8)), how=st.sampled_from(["analytic", "bootstrap", "jackknife", "jackknife_topics", "topics"])
)
def test_no_data_raise_or_give_nan(data, how):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    options = options_of(how) | ({"draws": 20} if how in DRAWING else {})

    estimates = [coefficient(ratings) for coefficient in MANY]
    estimates += [coefficient(ratings, "1", "2") for coefficient in PAIRS]
    estimates += [mean_pairwise(ratings, "gwet_ac"), overall(ratings, "fleiss_kappa")]

    for estimate in (each.interval(**options) for each in estimates):
        numbers = [estimate.value, estimate.observed, estimate.expected, estimate.se, estimate.low, estimate.high]
        assert all(np.isfinite(number) for number in numbers if number is not None)
        assert (estimate.value is None) == (estimate.status == "undefined") == (estimate.reason is not None)
        assert (estimate.low is None) == (estimate.high is None)
