"""Topic difficulty and discrimination: by hand, published, scipy and statsmodels, properties, degenerate scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from agreement.meta_evaluation import topic_difficulty
from tests.agreement.significance.test_paired_tests import SLEEP, random_scores, table
from tests.each_value import each_value
from tests.examples import examples, seeds

SHAPES = {"n_systems": st.integers(2, 7), "n_topics": st.integers(2, 9), "seed": st.integers(0, 10**6)}


def by_topic(scores, **options) -> pd.DataFrame:
    return topic_difficulty(scores, **options).topics.set_index("query_id")


# By hand


def test_by_hand():
    # topic q0: 1, 2, 3, mean 2, variance 1; q1: 4, 2, 6, mean 4, variance 4; q2: 0, 0, 3, mean 1, variance 3
    difficulty = topic_difficulty(table([[1, 4, 0], [2, 2, 0], [3, 6, 3]]))
    assert difficulty.topics["query_id"].tolist() == ["q2", "q0", "q1"]
    assert difficulty.topics["rank"].tolist() == [1, 2, 3]
    rows = difficulty.topics.set_index("query_id").loc[["q0", "q1", "q2"]]
    assert rows["mean"].tolist() == [2, 4, 1]
    assert rows["variance"].tolist() == pytest.approx([1, 4, 3])
    assert rows["sd"].tolist() == pytest.approx([1, 2, 3**0.5])
    assert rows[["least", "greatest"]].to_numpy().tolist() == [[1, 3], [2, 6], [0, 3]]
    # t(2) at 0.975 is 4.302653; the standard errors are 1 / sqrt 3 and 2 / sqrt 3
    assert rows.loc["q0", ["low", "high"]].tolist() == pytest.approx([2 - 2.484138, 2 + 2.484138], abs=1e-6)
    # q0 with the means of the others, 2, 1, 4.5: deviations -1, 0, 1 and -0.5, -1.5, 2, products 2.5,
    # squares 2 and 6.5
    assert rows.loc["q0", "discrimination"] == pytest.approx(2.5 / 13**0.5)


def test_a_topic_against_the_others_has_a_negative_discrimination():
    # without q0, the means of the others are 1.6 / 3 and 1.4 / 3: the order of q0
    difficulty = topic_difficulty(table([[0.9, 0.8, 0.7, 0.1], [0.1, 0.2, 0.3, 0.9]]))
    assert difficulty.contrary == ("q3",)
    assert difficulty.topics.set_index("query_id").loc["q0", "discrimination"] == pytest.approx(1)
    assert "1 of 4 topics orders the systems against the other topics, most of all topic q3" in repr(difficulty)


def test_lower_scores_may_be_better():
    scores = table([[0.1, 0.5, 0.5], [0.1, 0.7, 0.7]])
    assert topic_difficulty(scores).topics["query_id"].tolist() == ["q0", "q1", "q2"]
    assert topic_difficulty(scores).topics["rank"].tolist() == [1, 2, 2]
    lower = topic_difficulty(scores, lower_is_better=True).topics
    assert lower["query_id"].tolist() == ["q1", "q2", "q0"]
    assert lower["rank"].tolist() == [1, 1, 3]


# Published


def test_published_means_of_sleep():
    # Student (1908): extra hours of sleep of ten patients, mean 0.75 with one drug and 2.33 with the other; the
    # standard deviations with divisor n, 1.70 and 1.90, are those of his table
    topics = by_topic(table(np.transpose(SLEEP)))
    assert topics["mean"].tolist() == pytest.approx([0.75, 2.33])
    assert (topics["sd"] * 0.9**0.5).round(2).tolist() == [1.70, 1.90]


# Against other implementations


@pytest.mark.in_ci
@each_value("seed", seeds(200))
def test_against_scipy_and_statsmodels(seed):
    rng = np.random.default_rng(seed)
    scores = random_scores(seed, int(rng.integers(3, 9)), int(rng.integers(3, 12)))
    confidence = float(rng.choice([0.8, 0.95, 0.99]))
    topics = by_topic(table(scores), confidence=confidence)
    for position, column in enumerate(scores.T):
        row = topics.loc[f"q{position}"]
        low, high = DescrStatsW(column).tconfint_mean(alpha=1 - confidence)
        assert row[["low", "high"]].tolist() == pytest.approx([low, high], abs=1e-9)
        others = np.delete(scores, position, axis=1).mean(axis=1)
        assert row["discrimination"] == pytest.approx(stats.pearsonr(column, others).statistic, abs=1e-9)
        assert row["sd"] == pytest.approx(np.std(column, ddof=1), abs=1e-9)
        assert row["rank"] == 1 + sum(other.mean() < column.mean() - 1e-12 for other in scores.T)


# Properties


@given(**SHAPES)
@examples(50)
def test_figures_are_within_their_ranges(n_systems, n_topics, seed):
    topics = topic_difficulty(table(random_scores(seed, n_systems, n_topics))).topics
    assert topics["discrimination"].between(-1, 1).all()
    assert (topics["least"] <= topics["mean"]).all()
    assert (topics["mean"] <= topics["greatest"]).all()
    assert ((topics["low"] <= topics["mean"]) & (topics["mean"] <= topics["high"])).all()
    assert topics["mean"].is_monotonic_increasing
    assert sorted(topics["query_id"]) == sorted(f"q{number}" for number in range(n_topics))


@given(**SHAPES, unit=st.sampled_from([0.5, 4.0]), level=st.floats(-2, 2))
@examples(50)
def test_unit_level_and_order_change_no_discrimination(n_systems, n_topics, seed, unit, level):
    scores = table(random_scores(seed, n_systems, n_topics))
    topics = by_topic(scores)
    other = by_topic(level + unit * scores.iloc[::-1, ::-1]).loc[topics.index]
    assert other["discrimination"].tolist() == pytest.approx(topics["discrimination"].tolist(), abs=1e-6)
    assert other["mean"].tolist() == pytest.approx((level + unit * topics["mean"]).tolist())


# Degenerate


def test_one_system_has_means_only():
    difficulty = topic_difficulty({"a": {"1": 0.5, "2": 0.2}})
    assert difficulty.topics["mean"].tolist() == [0.2, 0.5]
    assert difficulty.topics[["low", "high", "sd", "variance", "discrimination"]].isna().all(axis=None)
    assert difficulty.topics["reason"].tolist() == ["one_system"] * 2
    assert "No topic has a discrimination" in repr(difficulty)


def test_one_topic_has_no_discrimination():
    difficulty = topic_difficulty({"a": {"1": 0.5}, "b": {"1": 0.2}})
    assert difficulty.topics["reason"].tolist() == ["one_topic"]
    assert difficulty.topics["sd"].tolist() == pytest.approx([0.3 / 2**0.5])
    assert "The mean score on topic 1 is 0.350 (2 systems, 1 topic)." in repr(difficulty)


def test_a_topic_without_variance_has_no_discrimination():
    difficulty = topic_difficulty(table([[0.3, 0.1, 0.5], [0.1 + 0.2, 0.5, 0.2]]))
    rows = difficulty.topics.set_index("query_id")
    assert rows["reason"].loc[["q0", "q1", "q2"]].tolist() == ["no_variance", pd.NA, pd.NA]
    assert rows.loc["q0", ["sd", "variance"]].tolist() == [0, 0]
    assert rows.loc["q0", "low"] == rows.loc["q0", "high"]
    # the mean over the other topics may be constant too
    assert topic_difficulty(table([[0.3, 0.1], [0.3, 0.5]])).topics["reason"].tolist() == ["no_variance"] * 2


@pytest.mark.parametrize(
    ("scores", "reason", "words"),
    [({}, "no_systems", "no system"), (pd.DataFrame(index=["a"]), "no_topics", "no topic")],
)
def test_without_scores_there_is_a_reason(scores, reason, words):
    difficulty = topic_difficulty(scores)
    assert difficulty.reason == reason
    assert f"undefined ({words};" in repr(difficulty)
    assert len(difficulty.to_frame()) == 0
    assert difficulty.contrary == ()
    full = topic_difficulty({"a": {"1": 0.5}}).topics
    assert difficulty.topics.dtypes.to_dict() == full.dtypes.to_dict()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"confidence": 1}, "confidence must be between 0 and 1"),
        ({"lower_is_better": 1}, "lower_is_better must be True or False"),
    ],
)
def test_invalid_options_are_refused(options, sentence):
    with pytest.raises(ValueError, match=sentence):
        topic_difficulty(table([[1, 2], [3, 4]]), **options)


def test_the_result_shows_itself():
    difficulty = topic_difficulty(table([[0.1, 0.9], [0.2, 0.8], [0.3, 0.95]]))
    assert "Topic q0 is the hardest (mean score 0.200) and topic q1 the easiest (0.883;" in repr(difficulty)
    assert "95\\% interval" in difficulty.to_latex()
    assert "95% interval" in difficulty._repr_html_()
