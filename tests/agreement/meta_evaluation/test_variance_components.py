"""Variance components of scores: by hand, published, statsmodels and a loop, properties, degenerate scores."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from agreement import Ratings, generalisability, prepare, score_table, shift_from_scores
from agreement.meta_evaluation import VarianceComponents, variance_components
from pooling.trec import read_qrels
from tests.agreement.meta_evaluation.published_scores import SAKAI_2015, three_systems
from tests.agreement.significance.test_paired_tests import random_scores, table
from tests.each_value import each_value
from tests.examples import examples, seeds
from tests.realdata import dl19_runs, real_data

# Brennan (2001), table 3.2, synthetic data set 4 as 10 persons who each have 12 items: a row for each person.
BRENNAN = [
    [5, 6, 5, 5, 5, 3, 4, 5, 6, 7, 3, 3],
    [9, 3, 7, 7, 7, 5, 5, 5, 7, 7, 5, 2],
    [3, 4, 3, 3, 5, 3, 3, 5, 6, 5, 1, 6],
    [7, 5, 5, 3, 3, 1, 4, 3, 5, 3, 3, 5],
    [9, 2, 9, 7, 7, 7, 3, 7, 2, 7, 5, 3],
    [3, 4, 3, 5, 3, 3, 6, 3, 4, 5, 1, 2],
    [7, 3, 7, 7, 7, 5, 5, 7, 5, 5, 5, 4],
    [5, 8, 5, 7, 7, 5, 5, 4, 3, 2, 1, 1],
    [9, 9, 8, 8, 6, 6, 6, 5, 5, 8, 1, 1],
    [4, 4, 4, 3, 3, 5, 6, 5, 5, 7, 1, 1],
]
SHAPES = {"n_systems": st.integers(2, 6), "n_topics": st.integers(2, 8), "seed": st.integers(0, 10**6)}


def of_published(systems: float, topics: float, interaction: float, n_systems: int, n_topics: int):
    """Components as an article prints them."""
    estimates = {"systems": systems, "topics": topics, "interaction": interaction}
    squares = {
        "systems": interaction + n_topics * systems,
        "topics": interaction + n_systems * topics,
        "interaction": interaction,
    }
    df = {"systems": n_systems - 1, "topics": n_topics - 1, "interaction": (n_systems - 1) * (n_topics - 1)}
    sums = {source: square * df[source] for source, square in squares.items()}
    return VarianceComponents(n_systems, n_topics, None, sums, estimates, 0.95, None)


# By hand


def test_by_hand():
    # Means of the systems 3 and 1, of the topics 1, 2 and 3; of all 2. a = 1, -1; b = -1, 0, 1.
    # What is left: 1 - (2 + 1 - 1) = -1, 3 - (2 + 1 + 0) = 0, 5 - (2 + 1 + 1) = 1; the other system has 1, 0, -1.
    # Sums of squares 3 * 2 = 6, 2 * 2 = 4 and 4, with 1, 2 and 2 degrees of freedom: mean squares 6, 2 and 2.
    # Components: systems (6 - 2) / 3, topics (2 - 2) / 2 = 0, interaction 2.
    components = variance_components(table([[1, 3, 5], [1, 1, 1]]))
    assert components.mean == 2
    assert components.sums_of_squares == pytest.approx({"systems": 6, "topics": 4, "interaction": 4})
    assert components.df == {"systems": 1, "topics": 2, "interaction": 2}
    assert components.mean_squares == pytest.approx({"systems": 6, "topics": 2, "interaction": 2})
    assert components.estimates == pytest.approx({"systems": 4 / 3, "topics": 0, "interaction": 2})
    assert components.shares == pytest.approx({"systems": 0.4, "topics": 0, "interaction": 0.6})
    # 4/3 / (4/3 + 2/3) = 2/3, and the same with topics, whose component is 0
    assert (components.generalisability, components.dependability) == pytest.approx((2 / 3, 2 / 3))
    # F = 6 / 2 = 3 with 1 and 2 degrees of freedom, t = sqrt 3: P(|T| >= t) = 1 - t / sqrt(t^2 + 2) = 1 - sqrt(3/5)
    frame = components.to_frame().set_index("source")
    assert frame["f"].tolist()[:2] == pytest.approx([3, 1])
    assert frame.loc["systems", "p"] == pytest.approx(1 - 0.6**0.5)
    assert frame["reason"].tolist() == [pd.NA, pd.NA, "no_replicates"]


def test_an_estimate_below_zero_counts_as_zero_and_is_kept():
    # Both topics have the mean 1, and both systems too: all variance is interaction, with 4 / 1 as mean square.
    # The estimates of systems and topics are (0 - 4) / 2 = -2.
    components = variance_components(table([[0, 2], [2, 0]]))
    assert components.estimates == {"systems": -2, "topics": -2, "interaction": 4}
    assert components.components == {"systems": 0, "topics": 0, "interaction": 4}
    assert components.shares == {"systems": 0, "topics": 0, "interaction": 1}
    assert components.below_zero == ("systems", "topics")
    assert (components.generalisability, components.dependability) == (0, 0)
    assert components.topics_needed(0.9) is None
    assert "below 0 and counted as 0: systems, topics" in repr(components)
    assert components.to_frame()["estimate"].tolist() == [-2, -2, 4]


def test_topics_needed_by_hand():
    # components 4/3, 0 and 2: n topics give 4/3 / (4/3 + 2/n), which is 0.9 with n = 9 * 2 / (4/3) = 13.5
    components = variance_components(table([[1, 3, 5], [1, 1, 1]]))
    assert components.topics_needed(0.9) == 14
    # and 0.4 with exactly one topic: 4/3 / (10/3)
    assert components.topics_needed(0.4) == components.topics_needed(0.1) == 1


# Published


def test_published_components_and_coefficients():
    # Brennan (2001), tables 6.2 (p. 182, with mean squares) and 6.5 (p. 198, with the 80% interval)
    components = variance_components(table(BRENNAN), 0.8)
    assert components.mean_squares == pytest.approx(
        {"systems": 10.2963, "topics": 11.6273, "interaction": 2.7872}, abs=5e-5
    )
    assert components.estimates == pytest.approx({"systems": 0.6258, "topics": 0.8840, "interaction": 2.7872}, abs=5e-5)
    assert components.generalisability == pytest.approx(0.729, abs=5e-4)
    assert components.dependability == pytest.approx(0.672, abs=5e-4)
    assert components.interval() == pytest.approx((0.541, 0.876), abs=5e-4)


def test_published_analysis_of_variance():
    # Sakai (2015), table 5.1: sums of squares, variances, F and p of the analysis of variance without replication
    components = variance_components(three_systems(SAKAI_2015))
    frame = components.to_frame()
    assert frame["sum_of_squares"].tolist() == pytest.approx([0.1083, 1.0293, 0.8317], abs=5e-5)
    assert frame["mean_square"].tolist() == pytest.approx([0.0542, 0.0542, 0.0219], abs=5e-5)
    assert frame["f"].tolist()[:2] == pytest.approx([2.475, 2.475], abs=5e-4)
    assert frame["p"].tolist()[:2] == pytest.approx([0.098, 0.009], abs=5e-4)


def test_published_shares_of_trec_3():
    # Urbano, GT4IReval 1.1, section 2: 40 systems of the TREC-3 ad hoc task on 50 topics
    components = of_published(0.0071668, 0.022642, 0.01092, 40, 50)
    shares = [100 * share for share in components.shares.values()]
    assert shares == pytest.approx([17.596, 55.593, 26.811], abs=2e-3)
    assert components.mean_squares == pytest.approx(
        {"systems": 0.36926, "topics": 0.91661, "interaction": 0.01092}, abs=2e-5
    )


def test_published_decision_study_of_trec_3():
    # the same, section 3: the best 30 systems
    components = of_published(0.0028117, 0.028093, 0.010152, 30, 50)
    study = components.decision_study([20, 50, 100, 200]).round(4)
    assert study["generalisability"].tolist() == pytest.approx([0.84707, 0.93265, 0.96515, 0.98227], abs=1e-4)
    assert study["dependability"].tolist() == pytest.approx([0.5952, 0.78613, 0.88026, 0.93632], abs=1e-4)
    assert study["low"].tolist() == pytest.approx([0.76971, 0.89311, 0.94354, 0.97095], abs=1e-4)
    assert study["high"].tolist() == pytest.approx([0.91208, 0.96287, 0.98109, 0.99045], abs=1e-4)
    targets = (0.8, 0.85, 0.9, 0.95, 0.97, 0.99)
    assert [components.topics_needed(target) for target in targets] == [15, 21, 33, 69, 117, 358]
    needed = [components.topics_needed(target, "dependability") for target in targets]
    assert needed == [55, 78, 123, 259, 440, 1347]


# Against other implementations


@pytest.mark.parametrize("seed", range(5))
def test_against_statsmodels(seed):
    scores = table(random_scores(seed, 4, 7))
    long = scores.stack().rename("value").reset_index().set_axis(["system", "topic", "value"], axis=1)
    other = anova_lm(ols("value ~ C(system) + C(topic)", long).fit())
    frame = variance_components(scores).to_frame().set_index("source")
    for source, row in (("systems", "C(system)"), ("topics", "C(topic)"), ("interaction", "Residual")):
        names = ["df", "sum_of_squares", "mean_square"]
        assert frame.loc[source, names].tolist() == pytest.approx(other.loc[row, ["df", "sum_sq", "mean_sq"]].tolist())
    assert frame["f"].tolist()[:2] == pytest.approx(other["F"].tolist()[:2])
    assert frame["p"].tolist()[:2] == pytest.approx(other["PR(>F)"].tolist()[:2])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::pooling.RankOrderWarning")
def test_real_scores_against_statsmodels():
    scores = score_table(prepare(dl19_runs()), read_qrels(real_data("dl19", "judges", "nist.qrels")), "nDCG@10")
    long = scores.rename_axis("system").stack().rename("value").reset_index()
    other = anova_lm(ols("value ~ C(system) + C(level_1)", long.set_axis(["system", "level_1", "value"], axis=1)).fit())
    components = variance_components(scores)
    assert list(components.mean_squares.values()) == pytest.approx(other["mean_sq"].tolist())
    assert components.summary().startswith(
        "Of the variance of the scores, 22.1% is between systems, 50.2% between topics, and 27.7% is their interaction "
        "(37 systems, 43 topics).\nThe order of the systems on 43 topics has a generalisability of 0.972"
    )


def slow_components(scores: np.ndarray, n: int) -> list[float]:
    """Mean squares from sums of raw squares, components, and both coefficients for n topics, with loops."""
    s, t = scores.shape
    correction = sum(value for row in scores for value in row) ** 2 / (s * t)
    systems = sum(sum(row) ** 2 for row in scores) / t - correction
    topics = sum(sum(column) ** 2 for column in scores.T) / s - correction
    rest = sum(value**2 for row in scores for value in row) - correction - systems - topics
    squares = systems / (s - 1), topics / (t - 1), rest / ((s - 1) * (t - 1))
    parts = [(squares[0] - squares[2]) / t, (squares[1] - squares[2]) / s, squares[2]]
    a, b, c = (max(part, 0) for part in parts)
    return [*squares, *parts, *(a / (a + error / n) if a + error else 0 for error in (c, b + c))]


@each_value("seed", seeds(200))
def test_against_sums_of_raw_squares(seed):
    rng = np.random.default_rng(seed)
    n_systems, n_topics, n = rng.integers(2, 7), rng.integers(2, 12), int(rng.integers(1, 100))
    scores = random_scores(seed, n_systems, n_topics, steps=int(rng.integers(0, 2)) * 7)
    if np.ptp(scores) == 0:
        scores[0, 0] += 1
    components = variance_components(table(scores))
    study = components.decision_study([n]).iloc[0]
    found = [*components.mean_squares.values(), *components.estimates.values()]
    expected = slow_components(scores, n)
    assert found == pytest.approx(expected[:6], abs=1e-9)
    if components.components["interaction"] > 1e-12:
        assert [study["generalisability"], study["dependability"]] == pytest.approx(expected[6:], abs=1e-9)


@pytest.mark.in_ci
def test_the_interval_covers_the_true_coefficient():
    rng = np.random.default_rng(3)
    truth, n = 1 / (1 + 4 / 10), 0
    for _ in range(400):
        scores = rng.normal(size=(8, 1)) + 3 * rng.normal(size=(1, 10)) + 2 * rng.normal(size=(8, 10))
        low, high = variance_components(table(scores)).interval()
        n += low <= truth <= high
    assert stats.binomtest(n, 400, 0.95).pvalue > 0.001


def test_it_is_the_generalisability_study_of_judges():
    # documents in the place of systems, judges in the place of topics
    scores = np.random.default_rng(1).integers(0, 4, (9, 4))
    study = generalisability(Ratings.from_matrix(scores.T.tolist(), scale=range(4), axis="assessors"))
    components = variance_components(table(scores))
    assert components.generalisability == pytest.approx(study.generalisability)
    assert components.dependability == pytest.approx(study.dependability)


# Properties


@given(**SHAPES)
@examples(50)
def test_shares_sum_to_one_and_more_topics_are_better(n_systems, n_topics, seed):
    components = variance_components(table(random_scores(seed, n_systems, n_topics)))
    assert sum(components.shares.values()) == pytest.approx(1)
    study = components.decision_study([1, 2, 5, 100])
    assert (study["generalisability"].diff().dropna() >= 0).all()
    assert (study["generalisability"] >= study["dependability"]).all()
    assert ((study["low"] <= study["high"]) & (study["low"] >= 0) & (study["high"] <= 1)).all()
    needed = components.topics_needed(0.9)
    if needed is not None and needed < 10**6:
        values = components.decision_study([needed, max(needed - 1, 1)])["generalisability"].tolist()
        assert values[0] >= 0.9 - 1e-9
        assert needed == 1 or values[1] < 0.9


@given(**SHAPES, unit=st.sampled_from([0.5, 3.0]), level=st.floats(-2, 2))
@examples(50)
def test_unit_level_and_order_change_nothing(n_systems, n_topics, seed, unit, level):
    scores = table(random_scores(seed, n_systems, n_topics))
    shares = variance_components(scores).shares
    assert variance_components(level + unit * scores).shares == pytest.approx(shares)
    assert variance_components(scores.iloc[::-1, ::-1]).shares == pytest.approx(shares)


@given(n_systems=st.integers(2, 5), seed=st.integers(0, 10**6))
@examples(30)
def test_sums_of_squares_add_up(n_systems, seed):
    scores = random_scores(seed, n_systems, 5)
    components = variance_components(table(scores))
    assert sum(components.sums_of_squares.values()) == pytest.approx(((scores - scores.mean()) ** 2).sum())


# Degenerate


@pytest.mark.parametrize(
    ("scores", "reason", "words"),
    [
        ({}, "no_systems", "no system"),
        ({"a": {"1": 0.5, "2": 0.2}}, "one_system", "only one system"),
        (pd.DataFrame(index=["a", "b"]), "no_topics", "no topic"),
        ({"a": {"1": 0.5}, "b": {"1": 0.2}}, "one_topic", "only one topic"),
        ({"a": {"1": 0.3, "2": 0.3}, "b": {"1": 0.3, "2": 0.1 + 0.2}}, "no_variance", "all scores are equal"),
    ],
)
def test_without_components_there_is_a_reason(scores, reason, words):
    components = variance_components(scores)
    assert (components.reason, components.defined) == (reason, False)
    assert f"undefined ({words};" in repr(components)
    assert components.components == components.shares == components.mean_squares == components.df == {}
    assert components.generalisability is components.dependability is components.topics_needed(0.9) is None
    assert components.interval() == (None, None)
    assert len(components.to_frame()) == len(components.decision_study()) == 0
    assert "tabular" in components.to_latex()


def test_without_interaction():
    # a is ahead of b by 0.1 on every topic
    components = variance_components({"a": {"1": 0.3, "2": 0.7}, "b": {"1": 0.2, "2": 0.6}})
    assert components.estimates["interaction"] == 0
    assert (components.generalisability, components.topics_needed(0.99)) == (1, 1)
    assert components.interval() == (None, None)
    assert components.to_frame()["reason"].tolist() == ["no_variance", "no_variance", "no_replicates"]
    assert components.to_frame()[["f", "p"]].isna().all(axis=None)


def test_systems_with_the_same_scores():
    components = variance_components({"a": {"1": 0.3, "2": 0.7}, "b": {"1": 0.3, "2": 0.7}})
    assert components.shares == {"systems": 0, "topics": 1, "interaction": 0}
    assert components.generalisability is None
    assert components.dependability == 0
    assert components.decision_study([2])["generalisability"].isna().all()
    assert "no order of systems" in repr(components)


# Input and output


def test_scores_in_every_form_are_the_same():
    rows = [("g", system, topic, "AP", float(value)) for (system, topic), value in table(BRENNAN).stack().items()]
    long = pd.DataFrame(rows, columns=["gold", "system", "query_id", "measure", "value"])
    expected = variance_components(table(BRENNAN)).estimates
    assert variance_components(long).estimates == expected
    assert variance_components(shift_from_scores(long).scores["g"]).estimates == expected
    with pytest.raises(ValueError, match="has several scores on topic"):
        variance_components(pd.concat([long, long.assign(gold="h")]))


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: variance_components(table([[1, np.nan], [1, 2]])), "'s0' has no score on topic 'q1'"),
        (lambda: variance_components(table(BRENNAN), confidence=95), "confidence must be between 0 and 1"),
        (lambda: variance_components(table(BRENNAN)).decision_study([0]), "n_topics must be a whole number of at lea"),
        (lambda: variance_components(table(BRENNAN)).topics_needed(1), "target must be between 0 and 1"),
        (lambda: variance_components(table(BRENNAN)).topics_needed(0.9, "x"), "coefficient must be one of"),
    ],
)
def test_invalid_input_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_the_result_shows_itself():
    components = variance_components(table(BRENNAN))
    text = repr(components)
    assert "14.6% is between systems, 20.6% between topics, and 64.9% is their interaction" in text
    assert "(10 systems, 12 topics)" in text
    assert "generalisability of 0.729 (95% interval" in text
    assert "interaction" in components._repr_html_()
    assert components.to_latex().count(r"\\") == 4
    assert components.decision_study()["n_topics"].tolist() == [5, 10, 12, 25, 50, 100, 250]
