"""Disagreement: between which grades, how far apart, and on which documents."""

from itertools import combinations

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, confusion, disagreement_by_distance, per_item_disagreement, percent_agreement

SCALE = (0, 1, 2, 3)
ROWS = [[0, 3, 1, 2, None], [0, 1, 1, 3, 2], [0, 2, 2, None, None]]

grade = st.sampled_from([*SCALE, None])
matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=1, max_size=5)
)


def pairs_of(rows):
    """The pairs of grades of each item, counted directly."""
    columns = [[grade for grade in column if grade is not None] for column in zip(*rows, strict=True)]
    return [list(combinations(column, 2)) for column in columns]


def test_confusion_by_hand():
    ratings = Ratings.from_matrix(ROWS, SCALE, ("ann", "bob", "eve"), axis="assessors")

    result = confusion(ratings, "ann", "bob")

    # ann and bob: 0 0, 3 1, 1 1, 2 3
    assert (result.index.name, result.columns.name, result.columns.tolist()) == ("ann", "bob", [0, 1, 2, 3])
    assert result.to_numpy().tolist() == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 1], [0, 1, 0, 0]]
    assert confusion(ratings, "ann", "bob", rel=2).to_numpy().tolist() == [[2, 0], [1, 1]]


def test_a_confusion_table_needs_two_assessors():
    ratings = Ratings.from_matrix(ROWS, SCALE, ("ann", "bob", "eve"), axis="assessors")

    with pytest.raises(ValueError, match="Name two of the assessors ann, bob, eve"):
        confusion(ratings)
    with pytest.raises(ValueError, match="A confusion table needs two assessors, not none"):
        confusion(Ratings.from_matrix([], SCALE, axis="assessors"))
    assert confusion(Ratings.from_matrix([[0, None], [None, 1]], SCALE, axis="assessors")).to_numpy().sum() == 0


def test_distances_by_hand():
    ratings = Ratings.from_matrix(ROWS, SCALE, ("ann", "bob", "eve"), axis="assessors")

    # item 1: three pairs 0 apart; 2: 3-1, 3-2, 1-2; 3: 1-1, 1-2, 1-2; 4: 2-3
    result = disagreement_by_distance(ratings, rel=2)

    assert result["distance"].tolist() == [0, 1, 2, 3]
    assert result["n"].tolist() == [4, 5, 1, 0]
    assert result["share"].tolist() == [0.4, 0.5, 0.1, 0]
    # across the step from 1 to 2: 1-2 of item 2, 1-2 twice of item 3; and 3-1
    assert result["n_crossing"].tolist() == [0, 3, 1, 0]
    assert disagreement_by_distance(ratings, "ann", "bob")["n"].tolist() == [2, 1, 1, 0]


def test_shares_without_pairs_are_na():
    result = disagreement_by_distance(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors"))

    assert result["n"].tolist() == [0, 0]
    assert result["share"].isna().all()


def test_the_most_disputed_items_come_first():
    ratings = Ratings.from_matrix(ROWS, SCALE, axis="assessors")

    result = per_item_disagreement(ratings)

    # distances: item 2 (2 + 1 + 1) / 3, item 4 1 / 1, item 3 (0 + 1 + 1) / 3, item 1 0; item 5 has one judgement
    assert result["doc_id"].tolist() == ["2", "4", "3", "1"]
    assert result["distance"].tolist() == [4 / 3, 1, 2 / 3, 0]
    assert result["n"].tolist() == [3, 2, 3, 3]
    assert result["n_disagreeing"].tolist() == [3, 1, 2, 0]
    assert result[["lowest", "highest"]].to_numpy().tolist() == [[1, 3], [2, 3], [1, 2], [0, 0]]


def test_disputed_relevance():
    result = per_item_disagreement(Ratings.from_matrix(ROWS, SCALE, axis="assessors"), rel=2)

    # relevant to: item 2 two of three, item 3 one of three, item 1 none, item 4 both
    assert result["doc_id"].tolist() == ["2", "3", "1", "4"]
    assert result["n_relevant"].tolist() == [2, 1, 0, 2]
    assert result["distance"].tolist() == [2 / 3, 2 / 3, 0, 0]
    assert result[["lowest", "highest"]].to_numpy().tolist() == [[1, 3], [1, 2], [0, 0], [2, 3]]


def test_equally_disputed_items_are_sorted_by_id():
    rows = [(judge, topic, doc, int(judge == "a")) for judge in "ab" for topic in ("2", "10") for doc in "zy"]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"])

    result = per_item_disagreement(Ratings.from_judgements(frame.sample(frac=1, random_state=1), (0, 1)))

    assert result[["query_id", "doc_id"]].to_numpy().tolist() == [["10", "y"], ["10", "z"], ["2", "y"], ["2", "z"]]


def test_grades_may_be_strings():
    ratings = Ratings.from_matrix([["no", "yes"], ["yes", "yes"]], ("no", "yes"), axis="assessors")

    assert per_item_disagreement(ratings)["lowest"].tolist() == ["no", "yes"]


@pytest.mark.parametrize("rows", [[], [[]], [[None, None]], [[0, 1]]])
def test_items_with_one_judgement_are_not_disputed(rows):
    result = per_item_disagreement(Ratings.from_matrix(rows, SCALE, axis="assessors"), rel=1)

    assert len(result) == 0
    assert result.columns.tolist() == [
        *["query_id", "doc_id", "n", "lowest", "highest", "n_disagreeing", "distance", "n_relevant"]
    ]


def test_rel_must_be_on_the_scale():
    ratings = Ratings.from_matrix(ROWS, SCALE, axis="assessors")

    with pytest.raises(ValueError, match="rel must be a grade of the scale 0, 1, 2, 3, not 7"):
        disagreement_by_distance(ratings, rel=7)
    with pytest.raises(ValueError, match="rel must be a grade of the scale 0, 1, 2, 3, not 7"):
        per_item_disagreement(ratings, rel=7)
    with pytest.raises(ValueError, match="Name two"):
        disagreement_by_distance(ratings, "1")


@given(matrices)
def test_counts_equal_pairs_counted_one_by_one(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    pairs = pairs_of(rows)
    gaps = [abs(a - b) for item in pairs for a, b in item]

    result = disagreement_by_distance(ratings, rel=2)

    assert result["n"].tolist() == [gaps.count(distance) for distance in range(4)]
    crossing = [abs(a - b) for item in pairs for a, b in item if (a >= 2) != (b >= 2)]
    assert result["n_crossing"].tolist() == [crossing.count(distance) for distance in range(4)]
    items = per_item_disagreement(ratings).set_index("doc_id")
    for number, item in enumerate(pairs, 1):
        assert (str(number) in items.index) == bool(item)
        if item:
            assert items.loc[str(number), "n_disagreeing"] == sum(a != b for a, b in item)
            assert items.loc[str(number), "distance"] == sum(abs(a - b) for a, b in item) / len(item)


@pytest.mark.in_ci
@given(matrices)
def test_the_order_of_judges_and_items_changes_nothing(rows):
    first = Ratings.from_matrix(rows, SCALE, axis="assessors")
    turned = Ratings(first.codes[::-1, ::-1], SCALE, None, first.query_ids[::-1], first.doc_ids[::-1])

    pd.testing.assert_frame_equal(per_item_disagreement(first), per_item_disagreement(turned))
    pd.testing.assert_frame_equal(disagreement_by_distance(first), disagreement_by_distance(turned))


@given(st.lists(st.tuples(st.sampled_from(SCALE), st.sampled_from(SCALE)), min_size=1, max_size=8))
def test_distance_0_is_percent_agreement_of_two_judges(pairs):
    ratings = Ratings.from_matrix(list(zip(*pairs, strict=True)), SCALE, axis="assessors")

    assert disagreement_by_distance(ratings).loc[0, "share"] == pytest.approx(percent_agreement(ratings).value)
    assert disagreement_by_distance(ratings)["share"].sum() == pytest.approx(1)


@pytest.mark.in_ci
@given(matrices)
def test_disagreement_of_anonymous_counts(rows):
    named = Ratings.from_matrix(rows, SCALE, axis="assessors")
    counted = Ratings.from_counts(named.counts.astype(int), SCALE)

    pd.testing.assert_frame_equal(per_item_disagreement(named, rel=2), per_item_disagreement(counted, rel=2))
    pd.testing.assert_frame_equal(disagreement_by_distance(named), disagreement_by_distance(counted))
    with pytest.raises(ValueError, match="needs two assessors"):
        confusion(counted)
