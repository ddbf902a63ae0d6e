"""The jackknife over topics: of one pair, of all pairs at once, of their mean, and of all judges."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement import (
    Ratings,
    agreement_frame,
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
from agreement.coefficients.by_name import measure
from agreement.intervals.defaults import interval_request
from agreement.intervals.kernel import jackknife
from agreement.intervals.samples import mean_of_pairs
from tests.agreement.random_ratings import rows, seeded, with_topics
from tests.realdata import real_data

T_2, T_8 = 4.302652729749464, 1.8595480375228424  # quantiles of Student's t: 0.975 with 2, and 0.95 with 8 degrees
PAIRS = {
    "percent_agreement": percent_agreement,
    "pooled_kappa": pooled_kappa,
    "cohen_kappa": cohen_kappa,
    "brennan_prediger": brennan_prediger,
    "gwet_ac": gwet_ac,
}
MANY = [fleiss_kappa, conger_kappa, gwet_ac, percent_agreement, krippendorff_alpha]
JACKKNIVES = ["jackknife", "jackknife_topics"]


def without(ratings, topic):
    kept = ratings.query_ids != topic
    ids = ratings.query_ids[kept], ratings.doc_ids[kept]
    return Ratings(ratings.codes[:, kept], ratings.scale, ratings.assessors, *ids)


def se_by_leaving_out(values):
    values = np.array(values, dtype=float)
    return ((len(values) - 1) / len(values) * np.sum((values - values.mean()) ** 2)) ** 0.5


def assert_rows_equal_each_pair(ratings, interval, across="pooled", **options):
    frame = pairwise(ratings, tuple(PAIRS), across, interval=interval, **options).astype(object)
    frame = frame.where(frame.notna(), None)
    for row, (a, b) in zip(frame.to_dict("records"), combinations(ratings.assessors, 2), strict=True):
        for name in PAIRS:
            each = overall(ratings, name, across, a, b, **options).interval(interval)
            assert row[f"{name}_status"] == each.status
            assert row[f"{name}_reason"] == each.reason
            for number in ("se", "low", "high"):
                value = getattr(each, number)
                assert row[f"{name}_{number}"] == (None if value is None else pytest.approx(value, abs=1e-12))
            assert row[f"{name}_method"] == each.method
            assert row[f"{name}_warnings"] == "; ".join(each.warnings)


def three_topics():
    # agreed: topic a 3 of 4, topic b 2 of 4, topic c 4 of 4
    codes = np.array([[0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 0, 0], [0, 0, 1, 0, 0, 1, 1, 0, 1, 1, 0, 0]])
    return Ratings(codes, (0, 1), ("ada", "bob"), np.repeat(["a", "b", "c"], 4))


def test_percent_agreement_by_hand():
    # without a 6/8, without b 7/8, without c 5/8; mean 6/8, squares 0 + 1/64 + 1/64; se^2 = 2/3 * 2/64 = 1/48
    result = percent_agreement(three_topics()).interval("jackknife_topics")

    assert result.value == 9 / 12
    assert result.se == pytest.approx((1 / 48) ** 0.5, abs=1e-15)
    assert (result.low, result.high) == pytest.approx((9 / 12 - T_2 * result.se, 1), abs=1e-15)  # + T_2 se is 1.37
    assert result.method == "jackknife over topics: each topic left out once"
    assert result.warnings == ("only 3 topics", "n < 100")


def test_cohens_kappa_by_hand():
    # without a: agreed 6/8, ada gives 4/8 relevant, bob 4/8, P(E) 1/2, kappa 1/2
    # without b: agreed 7/8, ada 4/8, bob 3/8, P(E) 1/2, kappa 3/4
    # without c: agreed 5/8, ada 4/8, bob 3/8, P(E) 1/2, kappa 1/4
    # mean 1/2, squares 0 + 1/16 + 1/16, se^2 = 2/3 * 2/16 = 1/12
    frame = pairwise(three_topics(), "cohen_kappa", interval="jackknife_topics", confidence=0.5)

    assert frame["cohen_kappa_se"].iloc[0] == pytest.approx((1 / 12) ** 0.5, abs=1e-15)
    assert frame["cohen_kappa_high"].iloc[0] == pytest.approx(0.5 + 0.816496580927726 * (1 / 12) ** 0.5, abs=1e-12)


def test_a_mean_over_topics_by_hand():
    # P(A) 3/4, 2/4, 4/4: standard deviation 1/4, standard error 1/4 / sqrt(3)
    frame = pairwise(three_topics(), "percent_agreement", "topics", interval="jackknife_topics")

    assert frame["percent_agreement_se"].iloc[0] == pytest.approx(0.25 / 3**0.5, abs=1e-15)


def test_the_published_standard_error_of_the_law_school_data():
    # B. Efron and G. Gong (1983), The American Statistician 37(1), 36-48: 0.142 for the correlation
    lsat = np.array([576, 635, 558, 578, 666, 580, 555, 661, 651, 605, 653, 575, 545, 572, 594])
    gpa = np.array([3.39, 3.30, 2.81, 3.03, 3.44, 3.07, 3.00, 3.43, 3.36, 3.13, 3.12, 2.74, 2.76, 2.88, 2.96])
    values = np.array([np.corrcoef(np.delete(lsat, i), np.delete(gpa, i))[0, 1] for i in range(15)])

    result = jackknife(values, np.ones(15))

    assert float(result.se) == pytest.approx(0.142, abs=0.001)
    assert (int(result.parts), int(result.undefined)) == (15, 0)


@pytest.mark.parametrize("coefficient", MANY)
def test_all_judges_without_each_topic(coefficient):
    ratings = with_topics(seeded(5, n_items=200), 8)
    values = [coefficient(without(ratings, topic)).value for topic in ratings.by_topic()]

    result = coefficient(ratings).interval("jackknife_topics")

    assert result.se == pytest.approx(se_by_leaving_out(values), abs=1e-12)


@pytest.mark.parametrize("name", PAIRS)
def test_one_pair_without_each_topic(name):
    ratings = with_topics(seeded(6, n_judges=2, n_items=120), 6)
    values = [PAIRS[name](without(ratings, topic), "1", "2", weights="linear").value for topic in ratings.by_topic()]

    result = PAIRS[name](ratings, "1", "2", weights="linear").interval("jackknife_topics")
    frame = pairwise(ratings, name, weights="linear", interval="jackknife_topics")

    assert result.se == pytest.approx(se_by_leaving_out(values), abs=1e-12)
    assert frame[f"{name}_se"].iloc[0] == pytest.approx(result.se, abs=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["pooled_kappa", "gwet_ac"])
def test_the_mean_pair_without_each_topic(name, weighted):
    ratings = with_topics(seeded(7, n_judges=5, n_items=150, missing=0.5), 9)
    values = [mean_pairwise(without(ratings, topic), name, weighted).value for topic in ratings.by_topic()]

    result = mean_pairwise(ratings, name, weighted).interval("jackknife_topics", confidence=0.9)

    assert result.value == mean_pairwise(ratings, name, weighted).value
    assert result.se == pytest.approx(se_by_leaving_out(values), abs=1e-12)
    assert result.high >= result.value + T_8 * result.se - 1e-12
    assert result.low <= result.value - T_8 * result.se + 1e-12
    assert (result.confidence, result.n_averaged) == (0.9, 10)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_mean_pair_equals_the_computation_by_patterns_of_items(weighted):
    ratings = with_topics(seeded(8, n_judges=4, n_items=90, missing=0.4), 7)
    parts = [measure("cohen_kappa", ratings, a, b) for a, b in combinations(ratings.assessors, 2)]
    mean = mean_pairwise(ratings, "cohen_kappa", weighted)

    by_patterns = mean_of_pairs(mean, ratings, parts, weighted).with_interval(interval_request("jackknife_topics"))
    result = mean_pairwise(ratings, "cohen_kappa", weighted).interval("jackknife_topics")

    assert result.se == pytest.approx(by_patterns.se, abs=1e-12)
    assert (result.method, result.warnings) == (by_patterns.method, by_patterns.warnings)


@pytest.mark.parametrize("interval", JACKKNIVES)
@pytest.mark.parametrize("across", ["pooled", "topics"])
@pytest.mark.parametrize("n_grades", [2, 4, 9])
def test_all_pairs_equal_each_pair(interval, across, n_grades):
    ratings = with_topics(seeded(9, n_judges=4, n_items=80, n_grades=n_grades), 5)

    assert_rows_equal_each_pair(ratings, interval, across)
    assert_rows_equal_each_pair(ratings, interval, across, weights="quadratic")


@pytest.mark.slow
@settings(deadline=None)
@given(data=rows(items=(1, 10)), n_topics=st.integers(1, 4), interval=st.sampled_from(JACKKNIVES))
def test_all_pairs_equal_each_pair_of_any_data(data, n_topics, interval):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), n_topics)

    for across in ("pooled", "topics"):
        assert_rows_equal_each_pair(ratings, interval, across)


@settings(deadline=None)
@given(data=rows(items=(2, 10)), n_topics=st.integers(2, 5), order=st.permutations(range(5)))
def test_the_order_of_judges_and_the_names_of_topics_have_no_effect(data, n_topics, order):
    ratings = with_topics(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"), n_topics)
    names = np.array([f"x{order[int(topic[1:])]}" for topic in ratings.query_ids])
    turned = Ratings(ratings.codes[::-1], ratings.scale, ratings.assessors[::-1], names, ratings.doc_ids)

    first, second = (
        pairwise(one, "pooled_kappa", interval="jackknife_topics").iloc[::step]
        for one, step in ((ratings, 1), (turned, -1))
    )

    columns = ["pooled_kappa_se", "pooled_kappa_low", "pooled_kappa_high"]
    by_pair = [
        frame.assign(
            pair=["".join(sorted(pair)) for pair in zip(frame["assessor_a"], frame["assessor_b"], strict=True)]
        )
        for frame in (first, second)
    ]
    a, b = (frame.set_index("pair")[columns].sort_index().astype(float).fillna(-9) for frame in by_pair)
    assert np.allclose(a, b, atol=1e-12)


def test_a_topic_in_which_the_judges_agree_by_chance_only_widens_the_interval():
    ratings = with_topics(seeded(3, n_judges=2, n_items=2000), 20)
    codes = ratings.codes.copy()
    codes[1] = np.where(np.isin(ratings.query_ids, ["t00", "t01", "t02"]), codes[1][::-1], codes[1])
    mixed = Ratings(codes, ratings.scale, ratings.assessors, ratings.query_ids, ratings.doc_ids)

    even, uneven = (cohen_kappa(one).interval("jackknife_topics").se for one in (ratings, mixed))

    assert even < uneven


def test_no_judge_one_judge_and_no_judgement():
    scale, none = (0, 1), np.zeros((0, 3), np.int8)
    for codes in (none, np.zeros((1, 3), np.int8)):
        frame = pairwise(Ratings(codes, scale), interval="jackknife_topics")
        assert (len(frame), "cohen_kappa_low" in frame) == (0, True)
    empty = pairwise(Ratings(np.full((2, 3), -1), scale), interval="jackknife_topics").iloc[0]
    assert (empty["cohen_kappa_reason"], empty["cohen_kappa_method"]) == ("empty", None)
    assert pairwise(Ratings(np.zeros((2, 0), np.int8), scale), interval="jackknife").iloc[0]["n"] == 0


def test_undefined_values_have_no_interval():
    apart = pairwise(
        Ratings.from_matrix([[1, None], [None, 1]], (0, 1), axis="assessors"), interval="jackknife_topics"
    ).iloc[0]
    alike = pairwise(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1), axis="assessors"), interval="jackknife_topics").iloc[
        0
    ]

    for row, reason in ((apart, "no_overlap"), (alike, "one_category")):
        assert row["pooled_kappa_reason"] == reason
        assert pd.isna([row[f"pooled_kappa_{name}"] for name in ("se", "low", "high")]).all()
        assert pd.isna(row["pooled_kappa_method"])
        assert row["pooled_kappa_warnings"] == ""
    assert (
        mean_pairwise(Ratings.from_matrix([[1, 1], [1, 1]], (0, 1), axis="assessors"), "cohen_kappa")
        .interval("jackknife_topics")
        .low
        is None
    )


def test_one_topic_has_no_interval():
    ratings = seeded(3, n_judges=2, n_items=200)
    row = pairwise(ratings, "cohen_kappa", interval="jackknife_topics").iloc[0]

    assert pd.isna(row["cohen_kappa_low"])
    assert row["cohen_kappa_warnings"].startswith("only one topic: the variation between topics is unknown")
    assert mean_pairwise(ratings, "cohen_kappa").interval("jackknife_topics").low is None


def test_topics_without_which_the_value_is_undefined_are_left_out_and_counted():
    # without topic b, both judges give only grade 0
    codes = np.array([[0, 0, 0, 1, 0, 0], [0, 0, 1, 1, 0, 0]])
    ratings = Ratings(codes, (0, 1), None, np.repeat(["a", "b", "c"], 2))

    result = cohen_kappa(ratings).interval("jackknife_topics")

    assert "undefined in 1 of 3 samples" in result.warnings
    assert result.se == 0  # without a and without c, the tables are the same


def test_equal_topics_have_the_interval_of_items():
    codes = np.tile([[0, 1, 0, 1], [0, 1, 1, 1]], 30)
    ratings = Ratings(codes, (0, 1), None, np.repeat([f"{topic:02}" for topic in range(30)], 4))

    row = pairwise(ratings, "cohen_kappa", interval="jackknife_topics").iloc[0]
    items = cohen_kappa(ratings).interval("jackknife")

    assert (row["cohen_kappa_se"], row["cohen_kappa_warnings"]) == (0, "")
    assert row["cohen_kappa_low"] <= items.low < items.high <= row["cohen_kappa_high"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"interval": "topics"},
            "interval must be None or one of jackknife, jackknife_topics, not 'topics'; functions",
        ),
        ({"interval": "jackknife", "confidence": 95}, "confidence must be between 0 and 1, such as 0.95, not 95"),
        ({"confidence": 0}, "confidence must be between 0 and 1, such as 0.95, not 0"),
    ],
)
def test_invalid_options_of_all_pairs_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        pairwise(three_topics(), **options)


@pytest.mark.parametrize("interval", JACKKNIVES)
def test_the_report_has_the_intervals_of_each_pair(interval):
    ratings = with_topics(seeded(9, n_judges=3, n_items=80), 5)

    frame = agreement_frame(ratings, per_topic=True, interval=interval)

    for row in frame[frame["across"] != "topic"].to_dict("records"):
        each = overall(ratings, "pooled_kappa", row["across"], row["assessor_a"], row["assessor_b"]).interval(interval)
        assert row["pooled_kappa_low"] == pytest.approx(each.low, abs=1e-12)
        assert (row["pooled_kappa_method"], row["pooled_kappa_warnings"]) == (each.method, "; ".join(each.warnings))
    per_topic = frame[frame["across"] == "topic"]
    assert per_topic["pooled_kappa_low"].isna().all() == (interval == "jackknife_topics")


def test_real_model_judges():
    names = ("NISTRetrieval-instruct0", "Olz-halfbin", "willia-umbrela1")
    paths = [real_data("llmjudge", "scores", f"{name}.txt.gz") for name in names]
    columns = ["query_id", "q0", "doc_id", "relevance"]
    frames = [pd.read_csv(path, sep=" ", names=columns, dtype={"query_id": str}) for path in paths]
    judged = pd.concat([frame.assign(assessor=name) for frame, name in zip(frames, names, strict=True)])
    judged["relevance"] = judged["relevance"].clip(upper=3)
    ratings = Ratings.from_judgements(judged, (0, 1, 2, 3))

    assert pairwise(ratings)["topics"].tolist() == [25, 25, 25]
    assert_rows_equal_each_pair(ratings, "jackknife_topics")
