"""Functions with a first and a second judge, system or gold: in both orders each figure follows the names."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import confusion_matrix, precision_score, recall_score

from agreement import (
    Ratings,
    bias_index,
    compare_systems,
    compare_unpaired,
    cross_precision_recall,
    pairwise_relevance,
    score_bounds,
    why_swapped,
    worked,
)
from agreement.diagnostics.against_reference import against_reference
from agreement.significance import UNPAIRED_TESTS

JUDGES = ("ann", "bob")
BOTH = pytest.mark.parametrize(("first", "second"), list(permutations(JUDGES)))


@pytest.fixture(scope="module")
def grades():
    rng = np.random.default_rng(3)
    return {"ann": rng.integers(0, 2, 40), "bob": (rng.random(40) < 0.7).astype(int)}


def ratings_of(grades, *names):
    return Ratings.from_matrix([grades[name].tolist() for name in names], (0, 1), names, axis="assessors")


@BOTH
@pytest.mark.parametrize("listed", list(permutations(JUDGES)))
def test_two_judges(grades, first, second, listed):
    ratings = ratings_of(grades, *listed)
    a, b = grades[first], grades[second]
    more = int((a & ~b & 1).sum()), int((b & ~a & 1).sum())
    assert bias_index(ratings, first, second).value == pytest.approx((more[0] - more[1]) / 40)
    assert ratings.table(first, second).tolist() == confusion_matrix(a, b).tolist()
    steps = worked(ratings.table(first, second), judges=(first, second))
    assert [total for _, _, total in steps.rows] == [int((a == grade).sum()) for grade in (0, 1)]
    assert list(steps.column_totals) == [int((b == grade).sum()) for grade in (0, 1)]
    crossed = cross_precision_recall(ratings, first, second)
    assert crossed.precision.value == pytest.approx(precision_score(b, a))
    assert crossed.recall.value == pytest.approx(recall_score(b, a))


@BOTH
def test_the_relevant_documents_of_a_pair(grades, first, second):
    row = pairwise_relevance(ratings_of(grades, first, second)).iloc[0]
    a, b = grades[first], grades[second]
    assert (row["assessor_a"], row["assessor_b"]) == (first, second)
    assert (row["only_a"], row["only_b"]) == ((a > b).sum(), (b > a).sum())


@BOTH
@pytest.mark.parametrize("listed", list(permutations(JUDGES)))
def test_a_judge_against_a_reference(grades, first, second, listed):
    row = against_reference(ratings_of(grades, *listed), reference=first).iloc[0]
    truth, judged = grades[first], grades[second]
    assert row["assessor"] == second
    assert row["bias"] == pytest.approx(judged.mean() - truth.mean())
    assert row["precision"] == pytest.approx(precision_score(truth, judged))
    assert row["recall"] == pytest.approx(recall_score(truth, judged))


@pytest.fixture(scope="module")
def scores():
    values = np.random.default_rng(4).random((2, 12)) * [[1], [0.7]]
    return pd.DataFrame(values, ["bm25", "lsa"], [str(topic) for topic in range(12)])


@pytest.mark.parametrize("order", list(permutations(["bm25", "lsa"])))
@pytest.mark.parametrize("test", ["t", "wilcoxon", "sign", "randomisation", "tukey"])
def test_paired_tests(scores, order, test):
    seed = {"seed": 1} if test in ("randomisation", "tukey") else {}
    row = compare_systems(scores.loc[list(order)], test, **seed).iloc[0]
    difference = scores.loc[row["system_a"]].mean() - scores.loc[row["system_b"]].mean()
    assert (row["system_a"], row["system_b"]) == order
    assert row["difference"] == pytest.approx(difference)
    assert row["low"] < difference < row["high"]
    other = compare_systems(scores.loc[list(order[::-1])], test, **seed).iloc[0]
    assert (row["low"], row["high"]) == pytest.approx((-other["high"], -other["low"]), abs=0.02)
    reverse = 1 - row["effect_size"] if test == "sign" else -row["effect_size"]  # the share of topics won
    assert other["effect_size"] == pytest.approx(reverse)


@pytest.mark.parametrize("order", list(permutations(["bm25", "lsa"])))
@pytest.mark.parametrize("test", UNPAIRED_TESTS)
def test_unpaired_tests(scores, order, test):
    apart = {"bm25": scores.loc["bm25"].iloc[:5].to_dict(), "lsa": scores.loc["lsa"].iloc[5:].to_dict()}
    row = compare_unpaired({name: apart[name] for name in order}, test).iloc[0]
    means = [np.mean(list(apart[row[side]].values())) for side in ("system_a", "system_b")]
    assert (row["system_a"], row["system_b"]) == order
    assert row["difference"] == pytest.approx(means[0] - means[1])
    assert [row["n_topics_a"], row["n_topics_b"]] == [len(apart[name]) for name in order]


@pytest.mark.parametrize("systems", list(permutations(["bm25", "lsa"])))
@pytest.mark.parametrize("golds", list(permutations(["ann", "bob"])))
def test_why_two_systems_swap(systems, golds):
    rows = [("bm25", "1", "x", 2.0), ("bm25", "1", "y", 1.0), ("lsa", "1", "y", 2.0), ("lsa", "1", "x", 1.0)]
    runs = pd.DataFrame(rows, columns=["system", "query_id", "doc_id", "score"])
    relevant = {"ann": {"x": 1, "y": 0}, "bob": {"x": 0, "y": 1}}
    first, second = ({gold: {"1": relevant[gold]}} for gold in golds)
    why = why_swapped(runs, *systems, first, second, "AP", min_topics=1)
    # AP of bm25 is 1 under ann and 1/2 under bob; that of lsa is 1/2 and 1
    under = {gold: 0.5 if (gold == "ann") == (systems[0] == "bm25") else -0.5 for gold in golds}
    assert why.differences == (under[golds[0]], under[golds[1]])
    assert why.topics[["difference_1", "difference_2"]].to_numpy().tolist() == [list(why.differences)]
    for row in why.documents.itertuples():
        assert (row.grade_1, row.grade_2) == tuple(relevant[gold][row.doc_id] for gold in golds)
    leads, trails = golds if under[golds[0]] > 0 else golds[::-1]
    sentence = why.summary()
    assert f"leads by 0.500 under {leads}" in sentence
    assert f"trails by 0.500 under {trails}" in sentence


@pytest.mark.parametrize("order", list(permutations(["bm25", "lsa"])))
def test_bounds_belong_to_their_system(order):
    documents = {"bm25": ("x", "y"), "lsa": ("y", "x")}
    runs = pd.DataFrame(
        [(name, "1", doc, 2.0 - place) for name in order for place, doc in enumerate(documents[name])],
        columns=["system", "query_id", "doc_id", "score"],
    )
    bounds = score_bounds(runs, {"1": {"x": 1}}, "AP").set_index("system")
    # y may be relevant too: AP of bm25 is then 1; without y it is 1. lsa: 1/2 without y, 1 with it.
    assert bounds.loc["bm25", ["low", "high"]].tolist() == [1, 1]
    assert bounds.loc["lsa", ["low", "high"]].tolist() == [0.5, 1]
