"""Which topics decide a comparison: by hand, published, scipy in a loop, properties, degenerate scores."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agreement import compare_systems
from agreement.meta_evaluation import decisive_topics
from tests.agreement.meta_evaluation.published_scores import SAKAI_2015, three_systems
from tests.agreement.significance.test_paired_tests import MAIZE, SLEEP, table
from tests.each_value import each_value
from tests.examples import examples, seeds


def of(differences, **options):
    """Two systems with these differences."""
    return decisive_topics(table([differences, [0] * len(differences)]), "s0", "s1", **options)


def by_topic(result) -> pd.DataFrame:
    return result.topics.set_index("query_id").sort_index()


# By hand


def test_by_hand():
    # differences 1, 2, 3: mean 2, s = 1, t = 2 sqrt 3; squared deviations 1, 0, 1
    result = of([1, 2, 3])
    rows = by_topic(result)
    assert result.difference == 2
    assert result.t == pytest.approx(2 * 3**0.5)
    assert rows["contribution"].tolist() == pytest.approx([1 / 3, 2 / 3, 1])
    assert rows["share"].tolist() == pytest.approx([1 / 6, 1 / 3, 1 / 2])
    assert rows["t_contribution"].tolist() == pytest.approx([3**0.5 / 3, 2 * 3**0.5 / 3, 3**0.5])
    assert rows["variance_share"].tolist() == pytest.approx([1 / 2, 0, 1 / 2])
    # without q0: 2, 3, mean 2.5, s = 1 / sqrt 2, t = 2.5 / (1/2) = 5, and P(|T| >= 5) with 1 degree of freedom
    assert rows["difference_without"].tolist() == pytest.approx([2.5, 2, 1.5])
    assert rows["t_without"].tolist() == pytest.approx([5, 2, 3])
    assert rows.loc["q0", "p_without"] == pytest.approx(2 * np.arctan(1 / 5) / np.pi)
    assert not rows["order_changes"].any()
    assert result.topics["query_id"].tolist() == ["q2", "q1", "q0"]
    assert result.topics_to_reverse is None


def test_one_topic_decides_the_order():
    # 0.6 - 0.1 - 0.1 = 0.4; without the first topic the difference is -0.1
    result = of([0.6, -0.1, -0.1])
    assert by_topic(result)["order_changes"].tolist() == [True, False, False]
    assert result.decisive == result.topics_to_reverse == ("q0",)
    assert "Leaving out topic q0 changes the order." in repr(result)
    assert "Without the topic that favours the leading system most (q0), the order is reversed." in repr(result)


def test_the_fewest_topics_that_reverse_the_order():
    # the sum is 0.9; without 0.5 it is 0.4, without 0.4 too 0, a tie, and without 0.2 too -0.2
    result = of([0.5, 0.2, 0.4, -0.2])
    assert result.topics_to_reverse == ("q0", "q2", "q1")
    assert of([-0.5, -0.2, -0.4, 0.2]).topics_to_reverse == ("q0", "q2", "q1")


def test_one_topic_decides_the_significance():
    # four differences near 1 and an outlier of -1: with it p > 0.05, without it p < 0.05
    result = of([1.0, 1.1, 0.9, 1.05, -1])
    rows = by_topic(result)
    assert not result.significant
    assert rows["significance_changes"].tolist() == [False] * 4 + [True]
    assert result.decisive == ("q4",)
    assert "Without topic q4, the difference is significant at the level 0.05." in repr(result)
    assert "Without any of the topics" not in repr(of([1.0, 1.1, 0.9, 1.05]))


def test_an_order_changes_to_a_tie():
    # without the first topic both systems have the same mean
    assert by_topic(of([0.3, 0.2, -0.2]))["order_changes"].tolist() == [True, False, False]
    # tied systems: without any topic one of them leads
    tied = of([0.2, -0.2])
    assert tied.difference == 0
    assert tied.topics["order_changes"].all()
    assert tied.topics["share"].isna().all()
    assert tied.topics_to_reverse is None
    assert "s0 and s1 are tied" in repr(tied)


def test_the_leader_has_the_lower_score_if_lower_is_better():
    assert "s1 leads s0 by 2.000" in repr(of([1, 2, 3], lower_is_better=True))
    assert "s0 leads s1 by 2.000" in repr(of([1, 2, 3]))
    assert of([1, 2, 3], lower_is_better=True).topics.equals(of([1, 2, 3]).topics)


# Published


def test_published_test_of_sleep():
    # R's documentation of `sleep` (Student 1908): t = -4.0621, 9 degrees of freedom, p = 0.002833, mean -1.58
    result = decisive_topics(table(SLEEP), "s0", "s1")
    assert (result.t, result.p) == pytest.approx((-4.0621, 0.002833), abs=5e-5)
    assert result.difference == pytest.approx(-1.58)
    assert result.topics["query_id"].iloc[0] == "q8"  # the ninth patient, with a difference of -4.6


def test_published_comparison_of_two_systems():
    # Sakai (2015), table 5.1: mean difference 0.0750, t = 2.116, p = 0.048
    result = decisive_topics(three_systems(SAKAI_2015), "1", "2")
    assert result.difference == pytest.approx(0.0750)
    assert (result.t, result.p) == pytest.approx((2.116, 0.048), abs=5e-4)


def test_published_test_of_darwins_maize():
    # Fisher (1935), section 17: t = 2.148 with 14 degrees of freedom, mean difference 20.93 eighths of an inch
    result = decisive_topics(table(MAIZE), "s0", "s1")
    assert result.t == pytest.approx(2.148, abs=5e-4)
    assert result.difference == pytest.approx(20.93, abs=5e-3)


# Against another implementation


@pytest.mark.in_ci
@each_value("seed", seeds(200))
def test_against_scipy_without_each_topic(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 15))
    scores = rng.random((3, n))
    scores[0] += rng.random() / 2
    if seed % 2:
        scores = scores.round(1)
    alpha = float(rng.choice([0.05, 0.2]))
    result = decisive_topics(table(scores), "s0", "s2", alpha)
    rows = result.topics.set_index("query_id")
    differences = scores[0] - scores[2]
    whole = stats.ttest_rel(scores[0], scores[2])
    assert (result.t, result.p) == pytest.approx((whole.statistic, whole.pvalue), abs=1e-9)
    for position in range(n):
        row = rows.loc[f"q{position}"]
        rest = np.delete(differences, position)
        assert row["difference_without"] == pytest.approx(rest.mean(), abs=1e-9)
        if np.ptp(rest) > 1e-9:
            other = stats.ttest_1samp(rest, 0)
            assert (row["t_without"], row["p_without"]) == pytest.approx((other.statistic, other.pvalue), abs=1e-9)
            assert row["significance_changes"] == ((other.pvalue <= alpha) != (whole.pvalue <= alpha))
        signs = [0 if abs(values.mean()) < 1e-12 else np.sign(values.mean()) for values in (rest, differences)]
        assert row["order_changes"] == (signs[0] != signs[1])


@each_value("seed", range(30))
def test_no_smaller_set_of_topics_reverses_the_order(seed):
    rng = np.random.default_rng(seed)
    differences = rng.normal(0.3, 1, 8).round(2)
    found = of(differences).topics_to_reverse
    sign = np.sign(differences.sum())
    reversing = [
        size
        for size in range(1, 8)
        if any(sign * sum(np.delete(differences, list(chosen))) < -1e-9 for chosen in combinations(range(8), size))
    ]
    assert (None if found is None else len(found)) == (min(reversing) if reversing else None)


def test_the_whole_test_is_that_of_compare_systems():
    scores = table(np.random.default_rng(4).random((3, 20)))
    row = compare_systems(scores, "t", correction="none").set_index(["system_a", "system_b"]).loc[("s0", "s1")]
    result = decisive_topics(scores, "s0", "s1")
    assert (result.difference, result.p) == pytest.approx((row["difference"], row["p"]))
    assert result.note == compare_systems(scores.loc[["s0", "s1"]], "t").attrs["note"]
    assert result.note in result._sentence()


# Properties

DIFFERENCES = st.lists(st.integers(-4, 4), min_size=2, max_size=9)


@given(DIFFERENCES)
@examples(60)
def test_contributions_add_up(differences):
    result = of(differences)
    assert result.topics["contribution"].sum() == pytest.approx(result.difference)
    if result.t is not None:
        assert result.topics["t_contribution"].sum() == pytest.approx(result.t)
        assert result.topics["variance_share"].sum() == pytest.approx(1)
    if result.difference:
        assert result.topics["share"].sum() == pytest.approx(1)


@given(DIFFERENCES)
@examples(60)
def test_exchanging_the_systems_reverses_the_signs(differences):
    scores = table([differences, [0] * len(differences)])
    there, back = decisive_topics(scores, "s0", "s1"), decisive_topics(scores, "s1", "s0")
    assert there.decisive == back.decisive
    assert there.topics_to_reverse == back.topics_to_reverse
    assert there.p == back.p
    for name in ("difference", "contribution", "t_contribution", "difference_without"):
        assert (there.topics[name] + back.topics[name]).fillna(0).tolist() == pytest.approx([0] * len(differences))


# Degenerate


def test_no_topics():
    result = decisive_topics(pd.DataFrame(index=["a", "b"]), "a", "b")
    assert (result.difference, result.p, result.reason) == (None, None, "no_topics")
    assert len(result.topics) == 0
    assert result.decisive == ()
    assert "cannot be compared: there is no topic" in repr(result)


def test_one_topic():
    result = of([0.5])
    assert (result.difference, result.p, result.reason) == (0.5, None, "one_topic")
    assert result.topics["reason"].tolist() == ["no_topics"]
    assert not result.topics["order_changes"].any()
    assert "p undefined, only one topic" in repr(result)


def test_two_topics():
    result = of([0.5, 0.1])
    assert result.topics["reason"].tolist() == ["one_topic"] * 2
    assert result.topics["difference_without"].tolist() == [0.1, 0.5]


def test_the_same_difference_and_no_difference():
    same, none = of([0.1] * 3), of([0.0] * 3)
    assert (same.reason, none.reason) == ("same_difference", "no_difference")
    assert same.topics["reason"].tolist() == ["same_difference"] * 3
    assert none.topics["reason"].tolist() == ["no_difference"] * 3
    assert same.topics[["p_without", "t_contribution", "variance_share"]].isna().all(axis=None)
    assert same.topics["share"].tolist() == pytest.approx([1 / 3] * 3)
    assert "the same difference on every topic" in repr(same)
    assert not none.topics["order_changes"].any()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda scores: decisive_topics(scores, "s0", "x"),
            "There are no scores of system 'x'. There are scores of s0",
        ),
        (lambda scores: decisive_topics(scores, "s0", "s0"), "Name two different systems, not 's0' twice"),
        (lambda scores: decisive_topics(scores, "s0", "s1", 2), "alpha must be between 0 and 1"),
        (lambda scores: decisive_topics(scores, "s0", "s1", lower_is_better="no"), "lower_is_better must be True or"),
    ],
)
def test_invalid_input_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call(table([[1, 2], [3, 4]]))


def test_the_result_shows_itself():
    result = of([1.0, 1.1, 0.9, 1.05, -1])
    assert "s0 leads s1 by 0.610 (5 topics, paired t test, p = 0.205)." in repr(result)
    assert "difference without" in result.to_latex()
    assert "q4" in result._repr_html_()
    assert "p < 0.001" in repr(of(1 + np.tile([0.01, -0.01], 5)))
