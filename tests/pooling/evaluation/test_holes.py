"""Holes at k: by hand, by the definition of judged@k, by an oracle, by properties, and for degenerate input."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import hole_documents, holes_at, judged_at

RUNS = pd.DataFrame(
    [
        *(("a", "1", doc, -rank) for rank, doc in enumerate("defg")),
        *(("b", "1", doc, -rank) for rank, doc in enumerate("ged")),
        ("a", "2", "d", 1.0),
    ],
    columns=["system", "query_id", "doc_id", "score"],
)
NOTHING = pd.DataFrame(columns=["query_id", "doc_id", "relevance"])


def gold_of(*rows):
    return pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance"])


def test_by_hand():
    # Judged: d, and not f, whose grade is negative. a has d e f on topic 1, b has g e d; a has d on topic 2.
    gold = gold_of(("1", "d", 1), ("1", "f", -1))
    found = holes_at(RUNS, gold, 3).set_index(["system", "query_id"])
    assert found["holes"].to_dict() == {("a", "1"): 2, ("a", "2"): 1, ("b", "1"): 2, ("b", "2"): 0}
    assert found["n_documents"].to_dict() == {("a", "1"): 3, ("a", "2"): 1, ("b", "1"): 3, ("b", "2"): 0}
    rows = hole_documents(RUNS, gold, 3).to_dict("split")["data"]
    assert rows == [["1", "e", 2], ["1", "f", 1], ["1", "g", 1], ["2", "d", 1]]


def random_case(seed):
    rng = np.random.default_rng(seed)
    rows = [
        (system, topic, doc, float(rng.random()))
        for system in ("a", "b", "c")
        for topic in ("1", "2")
        for doc in "defghij"
        if rng.random() < 0.7
    ]
    rows += [("a", "1", "z", 2.0)]
    judged = [(topic, doc, int(rng.integers(-1, 3))) for topic in "12" for doc in "defghij" if rng.random() < 0.5]
    return pd.DataFrame(rows, columns=RUNS.columns), gold_of(("1", "other", 0), ("2", "other", 0), *judged)


@pytest.mark.parametrize("seed", range(5))
def test_the_share_is_one_minus_judged_at_k(seed):
    """judged@k is the share in the first k that is judged, so its complement is the share of holes."""
    runs, gold = random_case(seed)
    found = holes_at(runs, gold, 4)
    sums = found.groupby("system")[["holes", "n_documents"]].sum()
    known = judged_at(runs, gold, 4).set_index("system")
    assert (sums["n_documents"] - sums["holes"]).to_dict() == known["n_judged"].to_dict()


@pytest.mark.parametrize("seed", range(5))
def test_a_count_of_each_ranking_agrees(seed):
    runs, gold = random_case(seed)
    judged = {(row.query_id, row.doc_id) for row in gold.itertuples() if row.relevance >= 0}
    open_documents = set()
    for row in holes_at(runs, gold, 3).itertuples():
        own = runs[(runs["system"] == row.system) & (runs["query_id"] == row.query_id)]
        top = own.sort_values(["score", "doc_id"], ascending=False)["doc_id"][:3]
        holes = {(row.query_id, doc) for doc in top} - judged
        assert (row.holes, row.n_documents) == (len(holes), len(top))
        open_documents |= holes
    found = hole_documents(runs, gold, 3)
    assert set(zip(found["query_id"], found["doc_id"], strict=True)) == open_documents


@pytest.mark.in_ci
@given(st.integers(0, 10_000), st.integers(1, 8))
def test_holes_grow_with_k_and_end_when_they_are_judged(seed, k):
    runs, gold = random_case(seed)
    found, deeper = holes_at(runs, gold, k), holes_at(runs, gold, k + 1)
    assert (found["holes"] <= found["n_documents"]).all()
    assert (found["holes"] <= deeper["holes"]).all()
    assert (found["n_documents"] <= k).all()
    judged = pd.concat([gold, hole_documents(runs, gold, k).assign(relevance=0)])
    filled = judged.drop_duplicates(["query_id", "doc_id"], keep="last")
    assert holes_at(runs, filled[filled.columns[:3]], k)["holes"].sum() == 0


def test_without_judgements_everything_is_a_hole():
    found = holes_at(RUNS, NOTHING, 2)
    assert (found["holes"] == found["n_documents"]).all()


def test_one_document():
    assert holes_at(RUNS.tail(1), gold_of(("2", "d", 0)), 10)["holes"].tolist() == [0]
    assert hole_documents(RUNS.tail(1), gold_of(("2", "d", 0)), 10).empty


@pytest.mark.parametrize("k", [0, -1, 1.5, "10", True])
def test_k_must_be_a_positive_whole_number(k):
    with pytest.raises(ValueError, match="k"):
        holes_at(RUNS, NOTHING, k)


def test_a_gold_of_other_topics_is_refused():
    with pytest.raises(ValueError, match="topic"):
        holes_at(RUNS, gold_of(("9", "d", 1)), 3)
