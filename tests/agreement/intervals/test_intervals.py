"""Intervals: by hand, published, against the long way round, and where they are rough or cannot be."""

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
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    mean_pairwise,
    overall,
    percent_agreement,
    pooled_kappa,
)
from tests.agreement.random_ratings import rows, seeded, with_topics

TABLE = [[300, 20], [10, 70]]
Z = 1.959963984540054
PAIRS = [percent_agreement, pooled_kappa, cohen_kappa, brennan_prediger, gwet_ac]
MANY = [percent_agreement, fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, krippendorff_alpha]
DRAWING = ["bootstrap", "topics"]


def options_of(interval):
    return {"interval": interval, "seed": 5} if interval in DRAWING else {"interval": interval}


def test_percent_agreement_by_hand():
    # P(A) = 370/400; se of a table sqrt(P(A) (1 - P(A)) / n), of ratings with n - 1
    by_table = percent_agreement(TABLE, interval="analytic")
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    by_ratings = percent_agreement(Ratings(codes, (0, 1)), interval="analytic")

    assert by_table.se == pytest.approx((370 * 30 / 400**3) ** 0.5, abs=1e-15)
    assert by_ratings.se == pytest.approx((370 * 30 / 400**2 / 399) ** 0.5, abs=1e-15)
    assert by_table.low == pytest.approx(370 / 400 - Z * by_table.se, abs=1e-12)
    assert (by_table.level, by_table.method) == (0.95, "analytic: delta method")
    assert by_ratings.method == "analytic: Gwet's linearised variance, n - 1"


def test_brennan_prediger_is_percent_agreement_stretched():
    raw, corrected = (f(TABLE, interval="analytic") for f in (percent_agreement, brennan_prediger))

    assert corrected.se == pytest.approx(2 * raw.se, abs=1e-15)


def test_cohens_names_its_source_from_a_table_and_from_ratings():
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    found = [cohen_kappa(data, interval="analytic") for data in (TABLE, Ratings(codes, (0, 1)))]

    assert [one.method for one in found] == ["analytic: Fleiss, Cohen and Everitt (1969)"] * 2
    assert found[0].se == found[1].se


def test_pooled_kappas_error_under_chance_is_that_of_fleiss_with_two_judgements():
    codes = np.repeat([[0, 0, 1, 1], [0, 1, 0, 1]], [300, 20, 10, 70], axis=1)
    pooled = pooled_kappa(TABLE, interval="analytic")

    assert pooled.se_null == pytest.approx(fleiss_kappa(Ratings(codes, (0, 1)), interval="analytic").se_null, abs=1e-15)
    # two grades: sqrt(2 / (n r (r - 1))) = 1 / sqrt(400)
    assert pooled.se_null == pytest.approx(1 / 20, abs=1e-15)


def test_the_error_under_chance_is_there_only_where_it_is_known():
    ragged = Ratings.from_matrix([[0, 1, 1, 0], [0, 1, 0, None], [0, 1, 0, 1]], (0, 1))

    assert fleiss_kappa(ragged, interval="analytic").se_null is None
    assert pooled_kappa(np.diag([3, 4, 5]), weights="linear", interval="analytic").se_null is None
    assert gwet_ac(TABLE, interval="analytic").se_null is None
    assert cohen_kappa(TABLE).se_null is None
    assert cohen_kappa(TABLE, interval="jackknife").se_null is None


@pytest.mark.parametrize("coefficient", [pooled_kappa, cohen_kappa, gwet_ac])
def test_the_jackknife_is_what_leaving_out_each_item_gives(coefficient):
    table = np.array([[12, 3, 1], [2, 9, 4], [0, 5, 8]])
    n, values, times = table.sum(), [], []
    for i, j in zip(*np.nonzero(table), strict=True):
        left = table.copy()
        left[i, j] -= 1
        values.append(coefficient(left, weights="linear").value)
        times.append(table[i, j])
    apart = values - np.average(values, weights=times)

    found = coefficient(table, weights="linear", interval="jackknife")

    assert found.se == pytest.approx(((n - 1) / n * (times @ apart**2)) ** 0.5, abs=1e-12)
    assert found.high == pytest.approx(found.value + Z * found.se, abs=1e-12)


def test_the_jackknife_of_many_judges():
    ratings = seeded(2, n_items=25)
    judged = np.flatnonzero(ratings.counts.sum(axis=1) > 1)
    codes = ratings.codes[:, judged]
    values = [
        krippendorff_alpha(Ratings(np.delete(codes, item, axis=1), ratings.scale), "ordinal").value
        for item in range(codes.shape[1])
    ]
    n = len(values)

    found = krippendorff_alpha(ratings, "ordinal", interval="jackknife")

    assert found.se == pytest.approx(((n - 1) / n * np.sum((values - np.mean(values)) ** 2)) ** 0.5, abs=1e-12)


@pytest.mark.parametrize("coefficient", PAIRS)
@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife"])
def test_intervals_of_large_tables_are_alike(coefficient, interval):
    table = np.array([[900, 100, 20], [150, 700, 130], [30, 90, 880]])
    wanted = coefficient(table, interval="analytic")

    found = coefficient(table, **options_of(interval))

    assert found.se == pytest.approx(wanted.se, rel=0.06)
    assert (found.low, found.high) == pytest.approx((wanted.low, wanted.high), abs=0.003)


@pytest.mark.parametrize("coefficient", MANY)
@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "topics"])
def test_intervals_of_many_judges_are_alike(coefficient, interval):
    ratings = with_topics(seeded(3, n_items=3000), 100)
    wanted = coefficient(ratings, interval="analytic")

    found = coefficient(ratings, **options_of(interval))

    assert found.se == pytest.approx(wanted.se, rel=0.5 if interval == "topics" else 0.08)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("level", ["nominal", "ordinal", "interval", "ratio"])
def test_intervals_of_alpha_are_alike_at_every_level(level):
    ratings = seeded(4, n_items=3000)
    found = [krippendorff_alpha(ratings, level, **options_of(how)) for how in ("analytic", "bootstrap", "jackknife")]

    assert found[1].se == pytest.approx(found[0].se, rel=0.08)
    assert found[2].se == pytest.approx(found[0].se, rel=0.02)


def test_alphas_level_of_confidence_has_another_name():
    wide, narrow = (krippendorff_alpha(seeded(4), interval="analytic", confidence=level) for level in (0.99, 0.5))

    assert (wide.level, narrow.level) == (0.99, 0.5)
    assert wide.high - wide.low > narrow.high - narrow.low


@pytest.mark.parametrize("interval", DRAWING)
def test_the_same_seed_gives_the_same_interval(interval):
    ratings = with_topics(seeded(1, n_judges=2), 5)

    first, again = (cohen_kappa(ratings, interval=interval, seed=3, draws=200) for _ in range(2))
    by_rng = cohen_kappa(ratings, interval=interval, rng=np.random.default_rng(3), draws=200)

    assert first == again
    assert (first.low, first.high, first.se) == (by_rng.low, by_rng.high, by_rng.se)
    assert cohen_kappa(ratings, interval=interval, seed=4, draws=200).low != first.low
    assert "200 draws, seed 3" in first.method
    assert "a generator of the caller's" in by_rng.method


def test_a_global_seed_has_no_say():
    np.random.seed(1)
    first = cohen_kappa(TABLE, interval="bootstrap", seed=3)
    np.random.seed(2)

    assert cohen_kappa(TABLE, interval="bootstrap", seed=3) == first


def test_draws_are_made_in_blocks(monkeypatch):
    whole = cohen_kappa(TABLE, interval="bootstrap", seed=3, draws=101)
    monkeypatch.setattr("agreement.intervals.resampling.BLOCK", 40)

    assert cohen_kappa(TABLE, interval="bootstrap", seed=3, draws=101) == whole


def test_topics_that_differ_make_a_wider_interval():
    # in even topics the two agree, in odd ones they do not
    codes = np.tile([[0, 1, 0, 1], [0, 1, 1, 0]], 100)
    topics = np.repeat([f"{number:02}" for number in range(20)], 20)
    codes[1] = np.where(np.repeat(np.arange(20), 20) % 2, 1 - codes[0], codes[0])
    ratings = Ratings(codes, (0, 1), None, topics)

    items, clusters = (cohen_kappa(ratings, interval=how, seed=1) for how in DRAWING)

    # 20 topics at +1 or -1: the standard error is 1 / sqrt(20) and not 1 / sqrt(400)
    assert items.se == pytest.approx(1 / 20, rel=0.1)
    assert clusters.se == pytest.approx(1 / 20**0.5, rel=0.1)


def test_one_topic_is_told_and_resamples_its_documents():
    ratings = seeded(3, n_judges=2, n_items=400)

    items, clusters = (cohen_kappa(ratings, interval=how, seed=1) for how in DRAWING)

    assert clusters.warnings[0] == "one topic: how topics differ is not seen"
    assert clusters.se == pytest.approx(items.se, rel=0.1)
    assert "only 4 topics" in cohen_kappa(with_topics(ratings, 4), interval="topics", seed=1).warnings


def test_overall_resamples_topics_where_a_seed_is_given():
    ratings = with_topics(seeded(3, n_judges=2, n_items=400), 12)

    assert overall(ratings, "cohen_kappa").low is None
    assert overall(ratings, "cohen_kappa", seed=1) == overall(ratings, "cohen_kappa", interval="topics", seed=1)
    pooled = overall(ratings, "cohen_kappa", "pooled", seed=1)
    assert (pooled.low, pooled.se) == (cohen_kappa(ratings, interval="topics", seed=1).low, pooled.se)
    assert "topics, then documents resampled" in pooled.method


def test_the_mean_over_topics_has_the_error_of_a_mean():
    ratings = with_topics(seeded(3, n_judges=2, n_items=600), 12)
    values = [cohen_kappa(part).value for part in ratings.by_topic().values()]

    found = overall(ratings, "cohen_kappa", interval="analytic")

    assert found.se == pytest.approx(np.std(values, ddof=1) / 12**0.5, abs=1e-12)
    assert overall(ratings, "cohen_kappa", interval="jackknife").se == found.se
    by_topics = overall(ratings, "cohen_kappa", interval="topics", seed=1)
    fixed = overall(ratings, "cohen_kappa", interval="bootstrap", seed=1)
    assert fixed.se < by_topics.se
    assert found.se / 2 < by_topics.se < 2 * found.se
    assert "documents within topics resampled" in fixed.method


@pytest.mark.parametrize("name", ["fleiss_kappa", "conger_kappa", "krippendorff_alpha", "gwet_ac"])
@pytest.mark.parametrize("across", ["topics", "pooled"])
def test_overall_of_all_judges_has_intervals_too(name, across):
    found = overall(with_topics(seeded(3, n_items=400), 12), name, across, seed=1, draws=200)

    assert found.low < found.value < found.high


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "topics"])
def test_intervals_of_the_mean_pair_are_alike(weighted, interval):
    ratings = with_topics(seeded(3, n_items=2000), 100)
    wanted = mean_pairwise(ratings, "cohen_kappa", weighted, interval="analytic")

    found = mean_pairwise(ratings, "cohen_kappa", weighted, **options_of(interval))

    assert found.value == mean_pairwise(ratings, "cohen_kappa", weighted).value
    assert found.se == pytest.approx(wanted.se, rel=0.5 if interval == "topics" else 0.08)
    # pairs share their judges, so that their mean is surer than one of them but not as sure as six
    single = cohen_kappa(ratings, "1", "2", interval="analytic").se
    assert single / 6**0.5 < wanted.se < single


def test_the_mean_of_one_pair_has_the_interval_of_the_pair():
    ratings = seeded(3, n_judges=2, n_items=300)
    pair = pooled_kappa(ratings, interval="analytic")

    mean = mean_pairwise(ratings, "pooled_kappa", interval="analytic")

    assert (mean.se, mean.low, mean.high) == pytest.approx((pair.se, pair.low, pair.high), abs=1e-12)


def test_a_mean_over_pairs_and_topics_has_no_interval():
    with pytest.raises(ValueError, match="goes with across='pooled'"):
        mean_pairwise(seeded(1), "cohen_kappa", across="topics", interval="topics", seed=1)


def test_small_data_are_warned_of():
    few = cohen_kappa([[40, 10], [10, 30]], interval="analytic")
    rare = cohen_kappa([[400, 3], [20, 1]], interval="analytic")

    assert few.warnings == ("n < 100",)
    assert rare.warnings == ("given fewer than 5 times by somebody: grade 1",)
    assert cohen_kappa(TABLE, interval="analytic").warnings == ()
    assert cohen_kappa([[1, 1], [0, 1]]).warnings == ()
    assert "n < 100" in str(few)


def test_undefined_draws_are_counted():
    # of two items a sample is one category in half of the draws
    found = cohen_kappa([[1, 0], [0, 1]], interval="bootstrap", seed=1, draws=1000)

    lost = next(warning for warning in found.warnings if warning.startswith("undefined in"))
    assert 440 < int(lost.split()[2]) < 560
    assert lost.endswith("of 1000 draws")
    assert (found.low, found.high) == (1, 1)


def test_what_is_undefined_has_no_interval():
    for interval in ("analytic", "bootstrap", "jackknife"):
        found = cohen_kappa([[0, 0], [0, 7]], **options_of(interval))
        assert (found.reason, found.low, found.se, found.level, found.method) == ("one_category", *[None] * 4)
    assert fleiss_kappa(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1)), interval="topics", seed=1).low is None


@pytest.mark.parametrize("interval", ["analytic", "bootstrap", "jackknife", "topics"])
def test_one_item(interval):
    for coefficient in (gwet_ac, brennan_prediger, percent_agreement):
        found = coefficient(Ratings.from_matrix([[1], [0]], (0, 1)), **options_of(interval))
        assert found.defined
        assert found.low is None or found.low <= found.value <= found.high
        assert "n < 100" in found.warnings


def test_too_few_items_are_told():
    found = gwet_ac(Ratings.from_matrix([[1], [0]], (0, 1)), interval="analytic")

    assert (found.low, found.high, found.se) == (None, None, None)
    assert "too few items for an interval" in found.warnings


def test_an_interval_without_width_is_told():
    found = cohen_kappa([[70, 0], [0, 50]], interval="analytic")

    assert (found.low, found.high) == (1, 1)
    assert found.warnings == ("no item differs: the interval has no width",)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"interval": "exact"}, "interval is None or one of analytic, bootstrap, jackknife, topics; got 'exact'"),
        ({"interval": "bootstrap"}, "'bootstrap' needs chance: give seed or rng"),
        ({"interval": "topics"}, "'topics' needs chance: give seed or rng"),
        ({"interval": "bootstrap", "seed": 1, "rng": np.random.default_rng(1)}, "either seed or rng"),
        ({"interval": "analytic", "level": 95}, "level lies between 0 and 1, such as 0.95; got 95"),
        ({"interval": "bootstrap", "seed": 1, "draws": 1}, "draws is a whole number from 2; got 1"),
        ({"interval": "bootstrap", "seed": 1, "draws": 10.5}, "draws is a whole number from 2; got 10.5"),
        ({"interval": "topics", "seed": 1}, "a table does not know its topics"),
    ],
)
def test_bad_options_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        cohen_kappa(TABLE, **options)


def test_options_that_there_are_not_are_refused():
    with pytest.raises(TypeError, match="confidences"):
        cohen_kappa(TABLE, interval="analytic", confidences=0.9)


def test_each_grade_has_an_interval():
    found = fleiss_kappa_by_grade(seeded(3, n_items=200), interval="bootstrap", seed=1, draws=100)

    assert all(estimate.low < estimate.value < estimate.high for estimate in found.values())


@settings(deadline=None)
@given(data=rows(items=(1, 8)), how=st.sampled_from(["analytic", "bootstrap", "jackknife", "topics"]))
def test_no_data_that_can_occur_raise_or_give_nan(data, how):
    ratings = Ratings.from_matrix(data, (0, 1, 2))
    options = options_of(how) | ({"draws": 20} if how in DRAWING else {})

    estimates = [coefficient(ratings, **options) for coefficient in MANY]
    estimates += [coefficient(ratings, "1", "2", **options) for coefficient in PAIRS]
    estimates += [mean_pairwise(ratings, "gwet_ac", **options), overall(ratings, "fleiss_kappa", **options)]

    for estimate in estimates:
        numbers = [estimate.value, estimate.observed, estimate.expected, estimate.se, estimate.low, estimate.high]
        assert all(np.isfinite(number) for number in numbers if number is not None)
        assert (estimate.value is None) == (estimate.status == "undefined") == (estimate.reason is not None)
        assert (estimate.low is None) == (estimate.high is None)
