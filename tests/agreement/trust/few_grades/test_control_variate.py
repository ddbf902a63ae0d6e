"""Scores that are ratios from few human grades: properties, the saving on DL 2019, what is refused."""

import numpy as np
import pandas as pd
import pytest

from agreement import score_table
from agreement.trust.few_grades.control_variate import estimate
from pooling.draws import Draw, draw_by_stratum, draw_poisson, draw_two_stage
from tests.agreement.trust.plan.collections import PAIR, Collection, collection

MEASURES = ["nDCG@10", "AP(rel=2)", "R@10", "Rprec", "Bpref(rel=2)", "F@10"]


def estimated(data: Collection, draw: Draw, measure: str = "nDCG@10", **options):
    options = {"seed": 1, "model": data.model} | options
    return estimate(data.runs, grades=draw.drawn[PAIR].merge(data.people), draw=draw, measure=measure, **options)


@pytest.fixture
def data() -> Collection:
    return collection(seed=2, n_topics=15, n_documents=24)


def by_topic(data: Collection, n: int, seed: int = 1) -> Draw:
    return draw_by_stratum(data.pairs, n, seed=seed)


@pytest.mark.parametrize("measure", MEASURES)
def test_all_pairs_judged_give_the_true_scores_without_width(data, measure):
    table = estimated(data, by_topic(data, 24), measure).to_frame()
    truth = score_table(data.runs, data.people, measure).mean(axis=1)
    for column in ("value", "low", "high", "classical", "constant"):
        np.testing.assert_allclose(table[column], truth, atol=1e-12)
    assert table["saved_by_design"].isna().all()
    assert table["reason"].isna().all()


def test_all_pairs_judged_still_have_a_width_for_topics_as_a_sample(data):
    table = estimated(data, by_topic(data, 24), claim="sampled_topics").to_frame()
    scores = score_table(data.runs, data.people, "nDCG@10")
    spread = (scores.var(axis=1, ddof=1) / 15) ** 0.5
    logit = np.log(table["high"] / (1 - table["high"])) - np.log(table["value"] / (1 - table["value"]))
    value = table["value"].to_numpy()
    quantiles = logit.to_numpy() / (spread.to_numpy() / (value * (1 - value)))
    assert (quantiles > 1.8).all()  # by the bootstrap; t of 14 has 2.14
    assert (quantiles < 3).all()
    low = np.log(value / (1 - value)) - np.log(table["low"] / (1 - table["low"])).to_numpy()
    np.testing.assert_allclose(low, logit, rtol=1e-6)


@pytest.mark.parametrize("measure", MEASURES)
def test_a_constant_model_is_the_constant_judge(data, measure):
    draw = by_topic(data, 8)
    with_model = estimated(data, draw, measure, model=data.model.assign(relevance=2)).to_frame()
    without = estimated(data, draw, measure, model=None).to_frame()
    for column, of_constant in (("value", "constant"), ("low", "constant_low"), ("high", "constant_high")):
        assert with_model[column].tolist() == without[column].tolist() == with_model[of_constant].tolist()


def test_the_scale_of_the_model_does_not_matter(data):
    draw = by_topic(data, 8)
    other = data.model.assign(relevance=data.model["relevance"].map({0: 0.1, 1: 7, 2: 7.5}))
    pd.testing.assert_frame_equal(
        estimated(data, draw).to_frame().drop(columns="model_alone"),
        estimated(data, draw, model=other).to_frame().drop(columns="model_alone"),
    )


def test_the_same_seed_gives_the_same_bytes(data):
    draw = by_topic(data, 12)
    first, second = (estimated(data, draw, "AP").to_frame().to_json() for _ in range(2))
    assert first == second
    assert first != estimated(data, draw, "AP", seed=2).to_frame().to_json()


def test_the_order_of_rows_does_not_matter(data):
    draw = by_topic(data, 8)
    turned = Collection(data.runs[::-1], data.people[::-1], data.model[::-1])
    pd.testing.assert_frame_equal(estimated(data, draw).to_frame(), estimated(turned, draw).to_frame())


def test_differences_are_those_of_the_scores_if_all_is_judged(data):
    result = estimated(data, by_topic(data, 24), "AP")
    scores = result.to_frame().set_index("system")["value"]
    for row in result.differences().itertuples():
        assert row.value == pytest.approx(scores[row.system_a] - scores[row.system_b], abs=1e-12)
        assert row.low == row.high == row.value


def test_a_difference_with_the_systems_exchanged_has_the_other_sign(data):
    result = estimated(data, by_topic(data, 8), "AP")
    one, other = (result.differences([pair]).iloc[0] for pair in (("dense", "lsa"), ("lsa", "dense")))
    assert one["value"] == pytest.approx(-other["value"])
    assert one["low"] == pytest.approx(-other["high"])
    assert one["saved_by_model"] == pytest.approx(other["saved_by_model"])


@pytest.mark.slow
def test_a_good_model_saves_grades_and_a_shuffled_one_does_not(data):
    tables = [estimated(data, by_topic(data, 10, seed)).to_frame() for seed in range(20)]
    saved = pd.concat(tables)[["saved_by_design", "saved_by_model", "saved_by_shuffled"]].median()
    assert saved["saved_by_model"] > 0.2
    assert saved["saved_by_shuffled"] < 0.05


def test_judges_can_be_chosen(data):
    draw = by_topic(data, 10)
    constant, shuffled = (estimated(data, draw, judge=judge) for judge in ("constant", "shuffled"))
    assert constant.to_frame()["value"].tolist() == constant.to_frame()["constant"].tolist()
    assert shuffled.to_frame()["value"].tolist() != constant.to_frame()["value"].tolist()
    assert "corrected by the shuffled model" in repr(shuffled)


def test_a_model_may_lack_grades(data):
    draw = by_topic(data, 10)
    assert estimated(data, draw, model=data.model[::2]).to_frame()["low"].notna().all()


def test_pairs_drawn_by_themselves_have_an_interval(data):
    rng = np.random.default_rng(3)
    probability = rng.uniform(0.3, 0.8, len(data.pairs))
    frame = data.pairs.assign(
        stratum="all", inclusion_probability=probability, drawn=rng.random(len(probability)) < probability
    )
    table = estimated(data, Draw(frame, is_fixed=False, drawn_topics=None, seed=1)).to_frame()
    assert (table["low"] < table["high"]).all()


def test_two_stages_use_the_drawn_topics_only(data):
    draw = by_topic(data, 24)
    topics = tuple(data.pairs["query_id"].unique()[:6])
    drawn = draw.frame["query_id"].isin(topics)
    frame = draw.frame.assign(drawn=drawn, inclusion_probability=6 / 15)
    table = estimated(data, Draw(frame, is_fixed=True, drawn_topics=topics, seed=1)).to_frame()
    scores = score_table(data.runs, data.people, "nDCG@10")[list(topics)]
    np.testing.assert_allclose(table["value"], scores.mean(axis=1), atol=1e-12)
    value = table["value"].to_numpy()
    logit = np.log(table["high"] / (1 - table["high"])) - np.log(value / (1 - value))
    se = ((1 - 6 / 15) * scores.var(axis=1, ddof=1) / 6).to_numpy() ** 0.5
    np.testing.assert_allclose(logit, 2.570582 * se / (value * (1 - value)), rtol=1e-6)  # t of 5


NEARLY_ALL = "not reliable unless nearly all pairs are graded"


@pytest.mark.parametrize(
    ("measure", "n", "claim", "reason"),
    [
        ("nDCG@10", 4, "these_topics", "not reliable below 10 grades a topic"),
        ("nDCG@10", 12, "these_topics", None),
        ("nDCG@10", 9, "sampled_topics", "not reliable below 10 grades a topic"),
        ("nDCG@10", 12, "sampled_topics", None),
        ("AP", 12, "sampled_topics", "not reliable below 40 grades a topic"),
        ("AP", 12, "these_topics", NEARLY_ALL),
        ("Bpref", 12, "these_topics", None),
        ("DCG@10", 12, "sampled_topics", "how reliable this design is was not measured"),
        ("AP", 24, "these_topics", None),
    ],
)
def test_few_grades_are_marked(data, measure, n, claim, reason):
    found = estimated(data, by_topic(data, n), measure, claim=claim).to_frame()["reason"]
    assert found.isna().all() if reason is None else set(found) == {reason}


def two_stages(data, n_topics, n_each):
    """The first topics, and a draw of pairs of each."""
    draw = by_topic(data, n_each)
    topics = tuple(data.pairs["query_id"].unique()[:n_topics])
    chances = draw.frame["inclusion_probability"] * n_topics / 15
    drawn = draw.frame["drawn"] & draw.frame["query_id"].isin(topics)
    return Draw(draw.frame.assign(drawn=drawn, inclusion_probability=chances), True, topics, 1)


@pytest.mark.parametrize(
    ("measure", "n_topics", "n_each", "reason"),
    [
        ("nDCG@10", 12, 19, "not reliable below 20 grades a topic"),
        ("nDCG@10", 12, 22, None),
        ("AP", 12, 22, "not reliable below 40 grades a topic"),
        ("P@10", 12, 8, "not reliable below 10 grades a topic"),
        ("P@10", 12, 12, None),
        ("DCG@10", 12, 12, "how reliable this design is was not measured"),
        ("P@10", 8, 12, "how reliable fewer than 10 topics are was not measured"),
    ],
)
def test_drawn_topics_have_bounds_of_their_own(data, measure, n_topics, n_each, reason):
    found = estimated(data, two_stages(data, n_topics, n_each), measure).to_frame()["reason"]
    assert found.isna().all() if reason is None else set(found) == {reason}


def test_differences_with_drawn_topics_need_10_grades_of_10_topics(data):
    assert estimated(data, two_stages(data, 12, 12), "AP").differences()["reason"].isna().all()
    assert set(estimated(data, two_stages(data, 8, 12), "AP").differences()["reason"]) == {
        "how reliable fewer than 10 topics are was not measured"
    }


def test_differences_of_ap_are_reliable_from_10_grades(data):
    assert estimated(data, by_topic(data, 12), "AP").differences()["reason"].isna().all()
    assert estimated(data, by_topic(data, 9), "AP").differences()["reason"].notna().all()


def test_scores_from_unequal_probabilities_are_marked(data):
    pairs = data.pairs.assign(chance=np.linspace(0.3, 0.9, len(data.pairs)))
    result = estimated(data, draw_poisson(pairs, "chance", seed=2))
    assert set(result.to_frame()["reason"]) == {NEARLY_ALL}
    assert result.differences()["reason"].isna().all()


def test_one_grade_in_a_stratum_gives_no_interval(data):
    result = estimated(data, by_topic(data, 1))
    table = result.to_frame()
    assert table[["low", "high", "classical_low", "saved_by_model"]].isna().all(axis=None)
    assert table["value"].notna().all()
    assert set(table["reason"]) == {"one grade in a stratum"}
    assert "Draw two or more of each stratum" in repr(result)


def test_one_topic_has_no_interval_for_topics_as_a_sample(data):
    one = Collection(data.runs, data.people[data.people["query_id"] == "t00"], data.model)
    table = estimated(one, by_topic(one, 8), claim="sampled_topics").to_frame()
    assert set(table["reason"]) == {"one topic"}
    assert table["low"].isna().all()


def test_a_topic_without_a_drawn_pair_is_refused(data):
    frame = by_topic(data, 5).frame
    draw = Draw(frame.assign(drawn=frame["drawn"] & (frame["query_id"] != "t03")), True, None, 1)
    with pytest.raises(ValueError, match="No pair of topic 't03' was drawn"):
        estimated(data, draw)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"judge": "model", "model": None}, "needs the grades of a model"),
        ({"judge": "best"}, "judge must be one of model, constant, shuffled, not 'best'"),
        ({"claim": "all"}, "claim must be one of these_topics, sampled_topics, not 'all'"),
        ({"confidence": 95}, "confidence must be between 0 and 1, such as 0.95, not 95"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"measure": "RR"}, "RR cannot be estimated from few grades"),
        ({"model": pd.DataFrame({"query_id": ["x"], "doc_id": ["y"], "relevance": [1]})}, "no grade for any pair"),
    ],
)
def test_invalid_options_are_refused(data, options, message):
    with pytest.raises(ValueError, match=message):
        estimated(data, by_topic(data, 5), **options)


def test_a_system_that_does_not_exist_is_refused(data):
    with pytest.raises(ValueError, match=r"There is no system 'bm26'. The systems are bm25, dense, lsa"):
        estimated(data, by_topic(data, 5)).differences([("bm26", "lsa")])


def test_the_designs_of_pooling_give_intervals(data):
    pairs = data.pairs.assign(chance=0.5)
    for draw in (draw_poisson(pairs, "chance", seed=2), draw_two_stage(pairs, 8, 10, seed=2)):
        table = estimated(data, draw).to_frame()
        assert (table["low"] < table["value"]).all()
        assert (table["value"] < table["high"]).all()


def test_strata_of_a_topic_give_intervals(data):
    best = data.runs.groupby(PAIR)["score"].max().rename("best").reset_index()
    pairs = data.pairs.merge(best).assign(
        part=lambda each: each["query_id"] + np.where(each["best"] > 1, " top", " rest")
    )
    draw = draw_by_stratum(pairs, 5, seed=3, strata="part")
    table = estimated(data, draw, "AP").to_frame()
    assert (table["low"] < table["high"]).all()
    assert (table["saved_by_design"] > 0).all()
