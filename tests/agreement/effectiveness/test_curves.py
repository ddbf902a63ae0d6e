"""Curves: by hand, the textbook's interpolation, the areas that the measures give, averages, nothing there."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from agreement.effectiveness.curves import interpolated_pr_curve, pr_curve, roc_curve
from agreement.effectiveness.ranked_runs import prepare
from agreement.measures.interpolated import iprec11
from agreement.measures.roc import roc_auc
from tests.agreement.graded_rankings import (
    at_ranks,
    fewer,
    gold_of,
    random_run_and_gold,
    ranked,
    run_of,
    scored_run_of,
    some_gold,
    some_run,
)
from tests.oracles import oracle

TWO_TOPICS = gold_of({"1": {"a": 1, "b": 0, "c": 1, "d": 0}, "2": {"e": 1, "f": 0}})
RATES = ["false_positive_rate", "true_positive_rate"]


def points(curve, *columns):
    return list(curve[list(columns)].itertuples(index=False, name=None))


def test_precision_and_recall_by_hand():
    curve = pr_curve(run_of({"1": "axc", "2": "e"}), TWO_TOPICS)

    assert curve.columns.tolist() == ["system", "query_id", "rank", "recall", "precision"]
    first, second = (curve[curve["query_id"] == topic] for topic in "12")
    assert points(first, "rank", "recall", "precision") == [(1, 1 / 2, 1), (2, 1 / 2, 1 / 2), (3, 1, 2 / 3)]
    assert points(second, "rank", "recall", "precision") == [(1, 1, 1)]


def test_precision_and_recall_are_averaged_at_ranks():
    mean = pr_curve(run_of({"1": "axc", "2": "e"}), TWO_TOPICS, per_query=False)

    assert mean.columns.tolist() == ["system", "n_topics", "rank", "recall", "precision"]
    # topic 2 stays at recall 1, and its precision becomes 1/2 and 1/3
    assert points(mean, "n_topics", "recall", "precision") == [(2, 3 / 4, 1), (2, 3 / 4, 1 / 2), (2, 1, 1 / 2)]


def test_the_textbooks_interpolated_curve():
    case = next(case for case in oracle("textbook")["cases"] if case["id"] == "rug-80docs")
    given_ = case["given"]
    runs, gold = at_ranks(given_["relevant_at_ranks"], given_["relevant_total"], given_["retrieved"])

    curve = interpolated_pr_curve(runs, gold, points=5)

    highest = [float(Fraction(part)) for part in case["want"]["interpolated"]]
    assert points(curve, "recall", "precision") == [
        pytest.approx(pair, abs=1e-15) for pair in zip((0, 0.25, 0.5, 0.75, 1), (highest[0], *highest), strict=True)
    ]


def test_eleven_points_average_to_the_measure():
    run, grades = random_run_and_gold(0)
    runs, gold = scored_run_of(run), gold_of(grades)

    curve = interpolated_pr_curve(runs, gold)
    mean = interpolated_pr_curve(runs, gold, per_query=False)

    assert curve["recall"].unique().tolist() == [tenths / 10 for tenths in range(11)]
    by_topic = curve.groupby("query_id")["precision"].mean()
    assert by_topic.tolist() == pytest.approx(iprec11(prepare(runs).under(gold))[0].tolist(), abs=1e-12)
    by_recall = curve.groupby("recall")["precision"].mean()
    assert mean["precision"].tolist() == pytest.approx(by_recall.tolist(), abs=1e-12)
    assert mean["n_topics"].unique().tolist() == [6]


def test_roc_by_hand():
    # judged documents only: c relevant, then b not; a relevant and d not were not retrieved, tied: a straight line
    curve = roc_curve(run_of({"1": "cxb"}), gold_of({"1": {"a": 1, "b": 0, "c": 1, "d": 0}}))

    assert curve.columns.tolist() == ["system", "query_id", *RATES]
    assert points(curve, *RATES) == [(0, 0), (0, 1 / 2), (1 / 2, 1 / 2), (1, 1)]
    # a collection of 12 has 10 nonrelevant ones, x among them
    curve = roc_curve(run_of({"1": "cxb"}), gold_of({"1": {"a": 1, "b": 0, "c": 1, "d": 0}}), collection_size=12)
    assert points(curve, *RATES) == [(0, 0), (0, 1 / 2), (1 / 10, 1 / 2), (2 / 10, 1 / 2), (1, 1)]


def test_roc_is_averaged_vertically():
    # topic 1 goes up to 1/2 at once, along to 1/2, then in a line to (1, 1); topic 2 goes along, then up
    mean = roc_curve(run_of({"1": "cxb", "2": "fe"}), TWO_TOPICS, points=5, per_query=False)

    assert mean.columns.tolist() == ["system", "n_topics", *RATES]
    assert mean["false_positive_rate"].tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert mean["true_positive_rate"].tolist() == [1 / 4, 1 / 4, 1 / 4, 3 / 8, 1]
    assert mean["n_topics"].unique().tolist() == [2]


def test_roc_against_scikit_learn():
    run, grades = random_run_and_gold(5)
    curve = roc_curve(scored_run_of(run), gold_of(grades))

    for topic, docs in grades.items():
        judged = [doc for doc, grade in docs.items() if grade >= 0]
        place = {doc: len(run[topic]) - rank for rank, doc in enumerate(ranked(run[topic]))}
        false, true, _ = metrics.roc_curve(
            [docs[doc] >= 1 for doc in judged], [place.get(doc, 0) for doc in judged], drop_intermediate=False
        )
        ours = curve[curve["query_id"] == topic]
        assert np.allclose(ours["false_positive_rate"], false, atol=1e-12)
        assert np.allclose(ours["true_positive_rate"], true, atol=1e-12)


@fewer
@given(some_run, some_gold, st.sampled_from([None, 20]))
def test_the_area_under_a_roc_curve_is_the_measure(run, grades, collection_size):
    ranked_runs, gold = prepare(scored_run_of(run)), gold_of(grades)
    matrix = ranked_runs.under(gold, collection_size=collection_size)
    wanted = dict(zip(matrix.query_ids, roc_auc(matrix)[0], strict=True))

    curves = dict(list(roc_curve(ranked_runs, gold, collection_size=collection_size).groupby("query_id")))

    for topic, area in wanted.items():
        if topic in curves:
            assert metrics.auc(*curves[topic][RATES].to_numpy().T) == pytest.approx(area, abs=1e-12)
        else:
            assert area == 0


@fewer
@given(some_run, some_gold)
def test_the_last_point_of_precision_and_recall_is_that_of_the_set(run, grades):
    for (_, topic), curve in pr_curve(scored_run_of(run), gold_of(grades)).groupby(["system", "query_id"]):
        relevant = {doc for doc, grade in grades[topic].items() if grade >= 1}
        found = len(relevant & set(run[topic]))
        last = curve.iloc[-1]
        assert (last["rank"], last["precision"]) == (len(run[topic]), found / len(run[topic]))
        assert last["recall"] == (found / len(relevant) if relevant else 0)


def test_systems_have_rankings_of_different_lengths():
    runs = pd.concat([run_of({"1": "ab"}, "long"), run_of({"1": "c"}, "short")])

    assert pr_curve(runs, TWO_TOPICS, per_query=False).groupby("system").size().to_dict() == {"long": 2, "short": 1}
    assert interpolated_pr_curve(runs, TWO_TOPICS).groupby(["system", "query_id"]).size().tolist() == [11] * 4


def test_topics_without_a_roc_curve_are_left_out_and_counted():
    gold = gold_of({"1": {"a": 1, "b": 0}, "2": {"a": 0}, "3": {"a": 1}, "4": {"a": 1, "b": 0}})
    runs = run_of({"1": "ab", "2": "a", "3": "a"})

    curve = roc_curve(runs, gold)
    mean = roc_curve(runs, gold, points=3, per_query=False)

    assert curve["query_id"].unique().tolist() == ["1", "4"]
    # the run lacks topic 4: along the bottom
    assert points(curve[curve["query_id"] == "4"], *RATES) == [(0, 0), (1, 0), (1, 1)]
    assert points(mean, "n_topics", *RATES) == [(2, 0, 1 / 2), (2, 1 / 2, 1 / 2), (2, 1, 1)]


def test_no_topic():
    runs, gold = run_of({"1": "a"}), gold_of({}).astype({"relevance": "int64"})

    for per_query in (True, False):
        for curve in (pr_curve, interpolated_pr_curve, roc_curve):
            assert len(curve(runs, gold, per_query=per_query)) == 0
    assert len(roc_curve(runs, gold_of({"1": {"a": 1}}), per_query=False)) == 0


def test_invalid_arguments_are_refused():
    runs, gold = run_of({"1": "a"}), gold_of({"1": {"a": 1}})

    with pytest.raises(ValueError, match="points must be 2 or more, not 1"):
        interpolated_pr_curve(runs, gold, points=1)
    with pytest.raises(ValueError, match="points must be 2 or more, not 0"):
        roc_curve(runs, gold, points=0)
