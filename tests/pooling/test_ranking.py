"""The document order: score descending, ties by doc_id descending as UTF-8 bytes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import order, prepare, ranked

DOC_IDS = st.text(st.sampled_from("aBz1é\uffff\U00010000"), min_size=1, max_size=3)
SCORES = st.sampled_from([-1.0, -0.0, 0.0, 0.5, 1e-320, 1e308])
ROWS = st.lists(
    st.tuples(st.sampled_from("st"), st.sampled_from(["9", "10"]), DOC_IDS, SCORES),
    unique_by=lambda row: row[:3],
    max_size=40,
)


def run(rows):
    frame = pd.DataFrame(list(rows), columns=["system", "query_id", "doc_id", "score"])
    return frame.astype({"system": "str", "query_id": "str", "doc_id": "str", "score": "float64"})


def ranking_of(rows):
    return ranked(run(rows))[["system", "query_id", "doc_id", "rank"]].values.tolist()


def test_ties_go_to_the_larger_doc_id():
    rows = [("s", "1", "a", 1.0), ("s", "1", "b", 1.0), ("s", "1", "c", 2.0)]
    assert ranking_of(rows) == [["s", "1", "c", 1], ["s", "1", "b", 2], ["s", "1", "a", 3]]


def test_doc_ids_compare_as_bytes_not_as_numbers_and_not_as_utf_16():
    # U+FFFF is EF BF BF and U+10000 is F0 90 80 80 in UTF-8; in UTF-16 the second would come first.
    rows = [("s", "1", doc_id, 1.0) for doc_id in ("10", "9", "\uffff", "\U00010000", "é", "z")]
    assert [row[2] for row in ranking_of(rows)] == ["\U00010000", "\uffff", "é", "z", "9", "10"]


def test_zero_and_minus_zero_are_tied():
    rows = [("s", "1", "a", 0.0), ("s", "1", "b", -0.0)]
    assert [row[2] for row in ranking_of(rows)] == ["b", "a"]


def test_systems_and_topics_are_sorted_as_bytes():
    rows = [("t", "9", "a", 1.0), ("s", "9", "a", 1.0), ("s", "10", "a", 1.0)]
    assert [row[:2] for row in ranking_of(rows)] == [["s", "10"], ["s", "9"], ["t", "9"]]


def test_other_columns_are_kept_and_the_input_is_unchanged():
    frame = run([("s", "1", "a", 1.0), ("s", "1", "b", 2.0)]).assign(note=["x", "y"])
    before = frame.copy()
    assert ranked(frame)["note"].tolist() == ["y", "x"]
    assert frame.equals(before)


def test_an_empty_run_stays_empty():
    result = ranked(run([]))
    assert len(result) == 0
    assert result["rank"].dtype == np.int64


@given(ROWS)
def test_the_order_matches_a_reference_implementation(rows):
    expected = sorted(rows, key=lambda row: row[2].encode(), reverse=True)
    expected = sorted(expected, key=lambda row: (row[0], row[1], -row[3]))
    assert ranked(run(rows))[["system", "query_id", "doc_id"]].values.tolist() == [list(row[:3]) for row in expected]


@given(ROWS, st.randoms(use_true_random=False))
def test_the_order_of_the_lines_does_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert ranking_of(rows) == ranking_of(shuffled)


@pytest.mark.parametrize("dtype", ["str", object, "category"])
def test_order_takes_doc_ids_of_any_string_type(dtype):
    doc_ids = pd.Series(["a", "c", "b"], dtype=dtype)
    groups, scores = np.zeros(3, dtype=np.int64), np.ones(3)
    assert order(groups, scores, doc_ids).tolist() == [1, 2, 0]
    assert order(groups, scores, np.array(["a", "c", "b"])).tolist() == [1, 2, 0]


TWO_ROWS = pd.DataFrame({"system": "s", "query_id": "1", "doc_id": ["a", "b"], "score": [1.0, 2.0]})


@pytest.mark.parametrize(
    ("runs", "problem"),
    [
        (TWO_ROWS.assign(score=[1.0, np.nan]), "every score of a run must be a finite number"),
        (TWO_ROWS.assign(score=[1.0, np.inf]), "every score of a run must be a finite number"),
        (TWO_ROWS.assign(score=["1", "2"]), "must be a finite number; '1' is a text"),
        (TWO_ROWS.assign(score=pd.Series([1, "two"], dtype=object)), "must be a finite number; 'two' is a text"),
        (TWO_ROWS.assign(score=["1", "2"]).astype({"score": "category"}), "must be a finite number; '1' is a text"),
        (TWO_ROWS.assign(doc_id=["a", None]), "every row of a run needs a doc_id"),
        (TWO_ROWS.assign(system=["s", None]), "every row of a run needs a system"),
        (TWO_ROWS.assign(doc_id="a"), "system 's', topic '1': document 'a' occurs twice"),
        ([TWO_ROWS, TWO_ROWS], "system 's' occurs twice, in DataFrames 1 and 2 of 2"),
        (TWO_ROWS.drop(columns="score"), "runs need the columns system, query_id, doc_id, score; missing: score"),
        ({}, "there are no runs; at least one is required"),
        ([], "there are no runs; at least one is required"),
    ],
)
def test_ranked_makes_the_checks_of_prepare(runs, problem):
    for function in (ranked, prepare):
        with pytest.raises(ValueError, match=problem):
            function(runs)
