"""Majorities with ties, and each assessor against the majority of the others."""

from statistics import median_high, median_low, multimode

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import Ratings, cohen_kappa, leave_one_assessor_out, majority, make_gold, percent_agreement

SCALE = (0, 1, 2, 3)
grade = st.sampled_from([*SCALE, None])
matrices = st.integers(1, 6).flatmap(
    lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=1, max_size=5)
)


def columns_of(rows):
    return [[grade for grade in column if grade is not None] for column in zip(*rows, strict=True)]


def grades(frame):
    return [None if pd.isna(grade) else grade for grade in frame["relevance"]]


# the majority


ROWS = [[0, 0, 0, 3, None], [0, 1, 1, 3, None], [1, None, 3, 0, None], [None, None, None, 0, None]]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [0, 0, 1, 0]),
        ({"ties": "higher"}, [0, 1, 1, 3]),
        ({"ties": "undecided"}, [0, None, 1, None]),
        ({"vote": "plurality"}, [0, 0, 0, 0]),
        ({"vote": "plurality", "ties": "higher"}, [0, 1, 3, 3]),
        ({"vote": "plurality", "ties": "undecided"}, [0, None, None, None]),
    ],
)
def test_by_hand(options, expected):
    # votes on the items: 0 0 1, 0 1, 0 1 3, 0 0 3 3; the fifth has no judgement
    assert grades(majority(Ratings.from_matrix(ROWS, SCALE, axis="assessors"), **options)) == expected


def test_votes_are_counted():
    result = majority(Ratings.from_matrix(ROWS, SCALE, axis="assessors"), ties="undecided")

    assert result["n"].tolist() == [3, 2, 3, 4]
    assert result["n_votes"].tolist() == [2, 0, 1, 0]
    assert result["tied"].tolist() == [False, True, False, True]


def test_items_are_sorted_by_id():
    ratings = Ratings.from_matrix([[1, 0]], (0, 1), axis="assessors")
    turned = Ratings(ratings.codes, (0, 1), None, ratings.query_ids, ["b", "a"])

    assert majority(turned)["doc_id"].tolist() == ["a", "b"]


@given(matrices)
def test_majorities_equal_those_of_the_standard_library(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    voted = [column for column in columns_of(rows) if column]

    assert grades(majority(ratings)) == [median_low(column) for column in voted]
    assert grades(majority(ratings, "higher")) == [median_high(column) for column in voted]
    assert grades(majority(ratings, "lower", "plurality")) == [min(multimode(column)) for column in voted]
    assert grades(majority(ratings, "higher", "plurality")) == [max(multimode(column)) for column in voted]


@given(matrices)
def test_the_lower_median_is_the_majority_gold(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")
    cells = [(str(j), "", str(i + 1), grade) for j, row in enumerate(rows) for i, grade in enumerate(row)]
    gold = make_gold(pd.DataFrame(cells, columns=["assessor", "query_id", "doc_id", "relevance"]), "majority")

    assert grades(majority(ratings)) == gold["relevance"].tolist()


@given(matrices)
def test_median_and_plurality_are_equal_on_two_grades(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors").binary(2)

    for ties in ("lower", "higher", "undecided"):
        pd.testing.assert_frame_equal(majority(ratings, ties), majority(ratings, ties, "plurality"))


@pytest.mark.parametrize("rows", [[], [[]], [[None]]])
def test_no_votes(rows):
    assert len(majority(Ratings.from_matrix(rows, SCALE, axis="assessors"))) == 0


def test_unknown_options_are_refused():
    ratings = Ratings.from_matrix(ROWS, SCALE, axis="assessors")

    with pytest.raises(ValueError, match="ties must be one of lower, higher, undecided, not 'first'"):
        majority(ratings, ties="first")
    with pytest.raises(ValueError, match="vote must be one of median, plurality, not 'mean'"):
        majority(ratings, vote="mean")


# one assessor against the others


def test_each_against_the_majority_of_the_others_by_hand():
    # the others of ann: bob and eve gave 0, 1 and are tied on the third and fourth; of bob: 0 0, 1 1, 1 0, tied; of
    # eve: 0, 1, tied, 1
    rows = [[0, 1, 1, 1], [0, 1, 0, 1], [0, 1, 1, 0]]

    result = leave_one_assessor_out(
        Ratings.from_matrix(rows, (0, 1), ("ann", "bob", "eve"), axis="assessors")
    ).set_index("assessor")

    assert result.index.tolist() == ["ann", "bob", "eve"]
    assert result["n"].tolist() == [2, 3, 3]
    assert result["n_undecided"].tolist() == [2, 1, 1]
    assert result["observed"].tolist() == [1, 2 / 3, 2 / 3]
    # ann: 0 0, 1 1; bob: 0 0, 1 1, 0 1, and the two others give 1/3 to 0: (2/3 - 4/9) / (5/9)
    assert result["cohen_kappa"].tolist() == pytest.approx([1, 0.4, 0.4])
    assert result.loc["ann", "n_dropped"] == 2


def test_ties_may_be_decided():
    rows = [[0, 1, 1], [0, 1, 0], [0, 1, 1]]
    ratings = Ratings.from_matrix(rows, (0, 1), axis="assessors")

    assert leave_one_assessor_out(ratings, ties="lower")["observed"].tolist() == [2 / 3, 2 / 3, 2 / 3]
    assert leave_one_assessor_out(ratings, ties="higher")["observed"].tolist() == [1, 2 / 3, 1]


def test_items_with_too_few_others_are_left_out():
    rows = [[0, 1, 1], [0, 1, 0], [0, None, None]]

    result = leave_one_assessor_out(Ratings.from_matrix(rows, (0, 1), axis="assessors"), at_least_judges=2)

    assert result["n"].tolist() == [1, 1, 1]


@given(st.lists(st.tuples(grade, grade), min_size=1, max_size=8))
def test_the_majority_of_one_other_is_the_other(pairs):
    ratings = Ratings.from_matrix(list(zip(*pairs, strict=True)), SCALE, axis="assessors")

    result = leave_one_assessor_out(ratings, rel=1, coefficient="cohen_kappa")

    kappa = cohen_kappa(ratings.binary(1))
    for row in result.itertuples():
        assert (row.n, row.n_undecided) == (kappa.n, 0)
        assert (None if pd.isna(row.cohen_kappa) else row.cohen_kappa) == kappa.value


@given(matrices)
def test_the_others_are_the_majority_without_the_assessor(rows):
    ratings = Ratings.from_matrix(rows, SCALE, axis="assessors")

    result = leave_one_assessor_out(ratings, coefficient="percent_agreement", ties="lower")

    if len(rows) < 2:
        assert len(result) == 0
        return
    for number, row_of_assessor in enumerate(rows):
        columns = columns_of([row for other, row in enumerate(rows) if other != number])
        others = [median_low(column) if column else None for column in columns]
        agreed = percent_agreement(Ratings.from_matrix([row_of_assessor, others], SCALE, axis="assessors"))
        row = result.iloc[number]
        assert row["n"] == agreed.n
        assert (None if pd.isna(row["percent_agreement"]) else row["percent_agreement"]) == agreed.value


@pytest.mark.parametrize(
    "ratings",
    [
        Ratings.from_matrix([], (0, 1), axis="assessors"),
        Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors"),
        Ratings.from_counts([[1, 1], [0, 2]], (0, 1)),
    ],
)
def test_a_single_or_anonymous_assessor_has_no_others(ratings):
    result = leave_one_assessor_out(ratings)

    assert len(result) == 0
    assert {"assessor", "n_undecided", "cohen_kappa_reason"} <= set(result.columns)


def test_counts_are_enough_for_a_majority():
    result = majority(Ratings.from_counts([[1, 2], [0, 0], [1, 1]], (0, 1)), ties="higher")

    assert result[["doc_id", "relevance", "n", "n_votes", "tied"]].to_numpy().tolist() == [
        ["1", 1, 3, 2, False],
        ["3", 1, 2, 1, True],
    ]
