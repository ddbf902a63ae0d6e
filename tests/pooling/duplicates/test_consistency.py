"""Groups of near-duplicates that were judged inconsistently."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pooling import inconsistent_groups

COLUMNS = ["assessor", "query_id", "doc_id", "relevance"]
GROUPS = [("a", "b", "c"), ("x", "y")]


def judged(*rows) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=COLUMNS).astype({"assessor": "str", "query_id": "str", "doc_id": "str"})


def brief(rows: pd.DataFrame) -> list[tuple]:
    return list(rows[["query_id", "group", "judge"]].itertuples(index=False, name=None))


def test_by_judge_and_overall_by_hand():
    judgements = judged(
        ("ann", "1", "a", 2), ("ann", "1", "b", 0), ("ben", "1", "a", 2), ("ben", "1", "b", 2), ("ben", "1", "c", 2)
    )
    rows = inconsistent_groups(GROUPS, judgements)
    assert brief(rows) == [("1", 0, ""), ("1", 0, "ann")]
    overall, by_ann = rows.to_dict("records")
    assert (overall["documents"], overall["lowest"], overall["highest"]) == (3, 0, 2)
    assert overall["doc_ids"] == ("a", "a", "b", "b", "c")
    assert overall["grades"] == (2, 2, 0, 2, 2)
    assert (by_ann["doc_ids"], by_ann["grades"]) == (("a", "b"), (2, 0))


def test_different_judges_of_different_documents_are_inconsistent_overall_only():
    rows = inconsistent_groups(GROUPS, judged(("ann", "1", "x", 0), ("ben", "1", "y", 1)))
    assert brief(rows) == [("1", 1, "")]


def test_disagreement_that_is_the_same_for_all_documents_is_not_inconsistency():
    rows = [(judge, "1", doc_id, grade) for judge, grade in (("ann", 0), ("ben", 2)) for doc_id in "ab"]
    assert inconsistent_groups(GROUPS, judged(*rows)).empty


def test_judges_who_each_contradict_themselves_are_listed_also_if_the_sets_of_grades_are_equal():
    rows = inconsistent_groups(
        GROUPS, judged(("ann", "1", "a", 0), ("ann", "1", "b", 2), ("ben", "1", "a", 2), ("ben", "1", "b", 0))
    )
    assert brief(rows) == [("1", 0, ""), ("1", 0, "ann"), ("1", 0, "ben")]


def test_each_topic_is_compared_separately():
    judgements = judged(("ann", "1", "a", 2), ("ann", "2", "b", 0), ("ann", "2", "x", 1), ("ann", "2", "y", 0))
    assert brief(inconsistent_groups(GROUPS, judgements)) == [("2", 1, ""), ("2", 1, "ann")]
    assert inconsistent_groups(GROUPS, judgements, "1").empty


@pytest.mark.parametrize(
    "judgements",
    [
        judged(),
        judged(("ann", "1", "a", 2)),
        judged(("ann", "1", "a", 2), ("ann", "1", "z", 0)),  # z is in no group
        judged(("ann", "1", "a", 2), ("ann", "1", "b", -1)),  # not judged
    ],
)
def test_nothing_to_compare(judgements):
    rows = inconsistent_groups(GROUPS, judgements)
    assert rows.empty
    assert rows["group"].dtype == "int64"
    assert inconsistent_groups([], judgements).empty


def test_invalid_input_is_refused():
    with pytest.raises(ValueError, match="no column 'relevance'"):
        inconsistent_groups(GROUPS, judged().drop(columns="relevance"))
    with pytest.raises(ValueError, match="document 'a' is in two groups"):
        inconsistent_groups([("a", "b"), ("a", "c")], judged())


@given(st.lists(st.tuples(st.sampled_from("pq"), st.sampled_from("abcxy"), st.integers(-1, 2)), max_size=12))
def test_rows_equal_those_of_an_enumeration(rows):
    unique = {(judge, doc_id): (judge, "1", doc_id, grade) for judge, doc_id, grade in rows}
    expected = set()
    for at, group in enumerate(GROUPS):
        for judge in "pq":
            grades = {row[3] for row in unique.values() if row[0] == judge and row[2] in group and row[3] >= 0}
            if len(grades) > 1:
                expected.add(("1", at, judge))
    found = brief(inconsistent_groups(GROUPS, judged(*unique.values())))
    assert {row for row in found if row[2]} == expected
    assert {row[:2] for row in expected} <= {row[:2] for row in found if not row[2]}
