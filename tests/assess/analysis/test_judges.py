"""The sentences about topics, judges and time, the order of similar judges, and references."""

import json
from dataclasses import replace
from datetime import date

import numpy as np
import pandas as pd
import pytest

import agreement
from agreement import make_gold
from agreement.thresholds import Thresholds
from assess.analysis.data import collection_judgements, collection_ratings
from assess.analysis.judges.habits import JudgesFigures
from assess.analysis.judges.pair_statistics import reached_band
from assess.analysis.judges.reference import Reference, reference_frame
from assess.analysis.judges.sentences import judges_sentence, time_sentence, topics_sentence
from assess.analysis.judges.similarity import kappa_matrix, similarity_order
from assess.analysis.judges.time import TimeFigures
from assess.analysis.selection import Selection
from tests.assess.analysis.test_agreement import GRADES, record


def frame(**columns) -> pd.DataFrame:
    return pd.DataFrame(columns).astype({"pooled_kappa": "Float64"})


def windows(kappas, hours) -> TimeFigures:
    times = pd.to_datetime([f"2026-01-31T{hour:02}:00Z" for hour in hours])
    numbers = range(1, len(kappas) + 1)
    rows = frame(window=numbers, first_at=times, last_at=times, items=60, pooled_kappa=kappas)
    return TimeFigures(rows, JudgesFigures((), pd.DataFrame(), pd.DataFrame()), pd.DataFrame())


def test_selection_as_input_of_a_job():
    selection = Selection(2, "ordinal", ("1", "2"), 3, date(2026, 1, 31), None, 1, "model")
    assert Selection.from_input(json.loads(json.dumps(selection.to_input()))) == selection
    assert Selection.from_input(Selection().to_input()) == Selection()


def test_time_sentence():
    three, usual = windows([0.5, 0.25, 0.4], [9, 10, 11]), Thresholds()
    sentence = (
        "Pooled kappa is 0.50 in the first window and 0.40 in the last; over all 3 windows it ranges from 0.25 to 0.50."
    )
    assert time_sentence(three, usual) == sentence
    without_order = windows([0.5, 0.4], [9, 9])
    assert not without_order.has_order
    assert time_sentence(without_order, usual).startswith("Cannot be determined: all judgements of a judge")
    imports = pd.DataFrame({"assessor": ["ada", "ben"], "judged_at": three.windows["first_at"][:2], "n": [60, 60]})
    assert not replace(three, counts=imports).has_order
    assert replace(three, counts=imports.assign(assessor="ada")).has_order
    assert time_sentence(windows([0.5, None], [9, 10]), usual) == (
        "Cannot be determined: fewer than two windows of documents have a kappa."
    )
    # each window has 60 documents
    assert time_sentence(three, Thresholds(min_documents=61)) == (
        f"Preliminary: no window with 61 documents; answers need two. {sentence}"
    )
    one = replace(three, windows=three.windows.assign(items=[60, 61, 60]))
    assert "Preliminary: 1 window with 61 documents; " in time_sentence(one, Thresholds(min_documents=61))


def test_topics_sentence():
    topics = frame(query_id=["1", "2", "3"], title=["tea", "milk", "rum"], pooled_kappa=[0.5, None, -0.001])
    sentence = "Pooled kappa ranges from 0.00 in topic 3 (rum) to 0.50 in topic 1 (tea)."
    assert topics_sentence(topics, Thresholds(2)) == sentence
    assert topics_sentence(topics, Thresholds()) == (
        f"Preliminary: 2 topics with a kappa; answers need 10 topics. {sentence}"
    )
    assert topics_sentence(topics[:2], Thresholds()) == (
        "Preliminary: 1 topic with a kappa; answers need 10 topics. Pooled kappa is 0.50 in topic 1 (tea)."
    )
    assert topics_sentence(topics[1:2], Thresholds()) == "Cannot be determined: no topic has a kappa."


def test_judges_sentence():
    judges = frame(
        judge=["ada", "ben", "cy", "new"],
        judged=[10, 20, 10, 1],
        grade_0=[5, 5, 9, 0],
        grade_1=[5, 15, 1, 1],
        seconds=[1.0, 2.0, 3.0, 4.0],
        pooled_kappa=[0.1, 0.2, 0.3, None],
    )
    figures = JudgesFigures((0, 1), judges, pd.DataFrame())
    assert judges_sentence(figures, Thresholds(min_documents=10)) == (
        "The mean grade is between 0.10 (cy) and 0.75 (ben). Without new, who judged too few documents. Spearman's "
        "correlation of pace and agreement with the others is 1.00 over 3 judges."
    )
    assert judges_sentence(figures, Thresholds(min_documents=20)) == (
        "Preliminary: 1 judge with 20 documents; answers need two. The mean grade is between 0.10 (cy) and 1.00 (new)."
    )
    alone = JudgesFigures((0, 1), judges[:1], pd.DataFrame())
    assert judges_sentence(alone, Thresholds()) == (
        "Cannot be determined: fewer than two judges have judged a document."
    )


def test_judges_are_compared_as_their_figure_orders_them():
    """Ben gives grades above 1 less often than ada, and has a higher mean position."""
    judges = frame(
        judge=["ada", "ben"], judged=2, grade_1=[1, 0], grade_2=[1, 1], grade_4=[0, 1], seconds=None, pooled_kappa=None
    )
    assert judges_sentence(JudgesFigures((1, 2, 4), judges, pd.DataFrame()), Thresholds(min_documents=2)) == (
        "The mean position on the scale (0 to 2) is between 0.50 (ada) and 1.50 (ben)."
    )


@pytest.mark.parametrize(
    ("low", "band"), [(None, ""), (-0.1, "poor"), (0.6, "moderate"), (0.61, "substantial"), (0.9, "almost perfect")]
)
def test_a_band_is_reached_by_the_lower_limit(low, band):
    assert reached_band(agreement.Estimate(0.95, "cohen_kappa", low=low, high=1.0, n=100)) == band


def test_similar_judges_are_next_to_each_other():
    rng = np.random.default_rng(1)
    group = rng.permutation(np.repeat(np.arange(4), 5))
    similarity = np.where(group[:, None] == group, 0.8, 0.1) + rng.uniform(0, 0.05, (20, 20))
    order = similarity_order((similarity + similarity.T) / 2)
    assert sorted(order) == list(range(20))
    assert np.count_nonzero(np.diff(group[order])) == 3  # every group is in one piece
    assert similarity_order(np.zeros((0, 0))) == []


def test_matrix_has_every_pair_once():
    names = ["assessor_a", "assessor_b"]
    pairs = pd.DataFrame([("a", "b"), ("b", "c")], columns=names).assign(n=[3, 4])
    pairs["pooled_kappa"] = pd.array([0.5, None], dtype="Float64")
    matrix = kappa_matrix(pairs, ["a", "b", "c"])
    cells = {frozenset((matrix.judges[row], matrix.judges[column])): rest for row, column, *rest in matrix.cells}
    assert cells == {frozenset("ab"): [0.5, 3], frozenset("bc"): [None, 4], frozenset("ac"): [None, 0]}


@pytest.mark.parametrize("rule", ["majority", "union", "intersection"])
def test_gold_as_a_reference(collection, rule):
    record(collection, GRADES)
    judgements, ratings = collection_judgements(collection), collection_ratings(collection)
    kinds = dict.fromkeys(GRADES, "human")
    selection = Selection(rel=1)
    result = reference_frame(collection, ratings, ratings.assessors, Reference(rule, ()), kinds, selection)

    gold = make_gold(judgements, rule).set_index(["query_id", "doc_id"])["relevance"]
    assert list(result["judge"]) == list(GRADES)
    for row in result.to_dict("records"):
        own = judgements[judgements["assessor"] == row["judge"]].set_index(["query_id", "doc_id"])["relevance"]
        assert row["n"] == len(own)
        assert row["percent_agreement"] == pytest.approx((own == gold.reindex(own.index)).mean())


def test_gold_does_not_take_the_name_of_a_judge(collection):
    record(collection, {"gold": GRADES["ada"], "gold'": GRADES["ben"], "cy": GRADES["cy"]})
    ratings = collection_ratings(collection)
    kinds = dict.fromkeys(ratings.assessors, "human")
    result = reference_frame(collection, ratings, ["gold"], Reference("union", ()), kinds, Selection(rel=1))
    assert list(result["judge"]) == ["gold"]
