"""Ratings: judgements as integers. Errors name the assessor, the item and the grade."""

import numpy as np
import pandas as pd
import pytest

from agreement import Ratings

SCALE = (0, 1, 2, 3)


def judgements(*rows, **more):
    return pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"]).assign(**more)


def test_items_are_sorted_and_not_judged_is_minus_one():
    frame = judgements(("b", "2", "x", 3), ("a", "1", "y", 0), ("a", "1", "x", 2), ("b", "1", "x", 1))

    ratings = Ratings.from_judgements(frame, SCALE)

    assert ratings.assessors == ("a", "b")
    assert list(zip(ratings.query_ids, ratings.doc_ids, strict=True)) == [("1", "x"), ("1", "y"), ("2", "x")]
    assert ratings.codes.tolist() == [[2, 0, -1], [1, -1, 3]]
    assert ratings.n_judgements == 4


def test_codes_are_positions_on_the_declared_scale():
    ratings = Ratings.from_judgements(judgements(("a", "1", "x", "high"), ("a", "1", "y", "low")), ("low", "high"))

    assert ratings.codes.tolist() == [[1, 0]]


@pytest.mark.parametrize("missing", [-1, None, float("nan"), pd.NA])
def test_an_assessor_without_judgements_is_idle(missing):
    ratings = Ratings.from_judgements(judgements(("a", "1", "x", 1), ("b", "1", "x", missing)), SCALE)

    assert ratings.idle == ("b",)
    assert ratings.codes.tolist() == [[1], [-1]]


def test_only_repeat_zero_counts():
    frame = judgements(("a", "1", "x", 1), ("a", "1", "x", 3), repeat=[0, 1])

    assert Ratings.from_judgements(frame, SCALE).codes.tolist() == [[1]]


def test_a_second_judgement_of_an_item_is_refused():
    frame = judgements(("ann", "7", "x", 1), ("ann", "7", "x", 2))

    with pytest.raises(
        ValueError, match="judged twice by one assessor: assessor 'ann', topic '7', document 'x', grade 2"
    ):
        Ratings.from_judgements(frame, SCALE)


@pytest.mark.parametrize("grade", [4, 1.5, "1"])
def test_an_unknown_grade_is_refused(grade):
    frame = judgements(("ann", "7", "x", 1), ("bob", "7", "y", grade))

    with pytest.raises(ValueError, match=f"scale 0, 1, 2, 3: assessor 'bob', topic '7', document 'y', grade {grade!r}"):
        Ratings.from_judgements(frame, SCALE)


def test_a_missing_column_is_refused():
    with pytest.raises(ValueError, match="missing: doc_id"):
        Ratings.from_judgements(judgements(("a", "1", "x", 1)).drop(columns="doc_id"), SCALE)


@pytest.mark.parametrize("scale", [(), (1,), (1, 1), (-1, 0, 1), (-2, 0), (3, 2, 1, 0), (0, 2, 1), (0.5, 0.25)])
def test_an_invalid_scale_is_refused(scale):
    with pytest.raises(ValueError, match="scale"):
        Ratings.from_matrix([[0]], scale, axis="assessors")


def test_a_matrix_has_one_row_per_assessor():
    ratings = Ratings.from_matrix([["N", "R", None], ["R", None, "R"]], ("N", "R"), ("ann", "bob"), axis="assessors")

    assert ratings.codes.tolist() == [[0, 1, -1], [1, -1, 1]]
    assert ratings.row("bob").tolist() == [1, -1, 1]


def test_a_ragged_matrix_and_an_unknown_grade_are_refused():
    with pytest.raises(ValueError, match="one grade or None for each column, not rows of"):
        Ratings.from_matrix([[0, 1], [0]], SCALE, axis="assessors")
    with pytest.raises(ValueError, match="assessor '2', topic '', document '1', grade 9"):
        Ratings.from_matrix([[0], [9]], SCALE, axis="assessors")


def test_an_integer_array_is_not_copied():
    codes = np.array([[0, 1], [-1, 1]], dtype=np.int8)

    assert Ratings(codes, (0, 1)).codes is codes


@pytest.mark.parametrize(
    ("codes", "more"),
    [
        ([[0.0, 1.0]], {}),
        ([0, 1], {}),
        ([[0, 2]], {}),
        ([[-2, 0]], {}),
        ([[0], [1]], {"assessors": ("a",)}),
        ([[0], [1]], {"assessors": ("a", "a")}),
        ([[0, 1]], {"doc_ids": ["x"]}),
        ([[0, 1]], {"query_ids": ["1"]}),
    ],
)
def test_parts_that_do_not_match_are_refused(codes, more):
    with pytest.raises(ValueError, match=r"codes must|[Aa]ssessors? must|_ids must"):
        Ratings(np.array(codes), (0, 1), **more)


def test_the_table_counts_items_that_both_judged():
    # items:                        1     2  3  4     5
    ratings = Ratings.from_matrix([[0, 1, 1, None, 2], [0, 1, 2, 2, None]], (0, 1, 2), axis="assessors")

    # both judged items 1 (0, 0), 2 (1, 1) and 3 (1, 2)
    assert ratings.table("1", "2").tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]
    assert ratings.table("2", "1").tolist() == [[1, 0, 0], [0, 1, 0], [0, 1, 0]]


def test_a_table_needs_two_known_assessors():
    ratings = Ratings.from_matrix([[0], [1]], (0, 1), ("ann", "bob"), axis="assessors")

    with pytest.raises(ValueError, match="two different assessors"):
        ratings.table("ann", "ann")
    with pytest.raises(ValueError, match=r"no assessor 'eve'\. The assessors are ann, bob"):
        ratings.table("ann", "eve")


def test_binary_cuts_at_a_grade_of_the_scale():
    ratings = Ratings.from_matrix([[0, 1, 2, 3, None]], SCALE, axis="assessors").binary(2)

    assert ratings.scale == (0, 1)
    assert ratings.codes.tolist() == [[0, 0, 1, 1, -1]]
    with pytest.raises(ValueError, match="rel must be a grade of the scale 0, 1, not 5"):
        ratings.binary(5)


def test_topics_are_sorted_and_have_all_assessors():
    frame = judgements(("a", "2", "x", 1), ("b", "10", "y", 0), ("a", "10", "x", 2))

    topics = Ratings.from_judgements(frame, SCALE).by_topic()

    assert list(topics) == ["10", "2"]
    assert topics["10"].codes.tolist() == [[2, -1], [-1, 0]]
    assert topics["2"].idle == ("b",)


def test_no_judgements_are_allowed():
    ratings = Ratings.from_judgements(judgements(), SCALE)

    assert ratings.codes.shape == (0, 0)
    assert ratings.by_topic() == {}
    assert Ratings.from_matrix([], SCALE, axis="assessors").n_judgements == 0


def test_default_ids_are_created_on_demand():
    ratings = Ratings(np.zeros((2, 3), np.int8), (0, 1))

    assert not {"query_ids", "doc_ids"} & set(vars(ratings))
    assert ratings.query_ids.tolist() == [""] * 3
    assert ratings.doc_ids.tolist() == ["1", "2", "3"]
    assert ratings.topics_of(np.array([True, False, False])) == ("",)
    assert ratings.topics_of(np.zeros(3, bool)) == ()


def test_counts_of_each_grade():
    ratings = Ratings.from_matrix([[0, 1, None], [0, 2, None], [2, 2, None]], (0, 1, 2), axis="assessors")

    assert ratings.counts.tolist() == [[2, 0, 1], [0, 1, 2], [0, 0, 0]]


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.int64])
def test_all_integer_types_count_alike(kind):
    codes = np.array([[0, 99, -1, 5], [0, 99, 5, 4]], kind)
    ratings = Ratings(codes, tuple(range(100)))

    assert ratings.table("1", "2").sum() == 3
    assert ratings.table("1", "2")[99, 99] == 1
    assert ratings.counts[1, 99] == 2


def test_counts_of_more_assessors_than_fit_a_byte():
    assert Ratings(np.zeros((300, 2), np.int8), (0, 1)).counts.tolist() == [[300, 0], [300, 0]]


def test_ratings_from_counts():
    ratings = Ratings.from_counts([[2, 0, 1], [0, 0, 0], [1, 1, 1]], SCALE[:3])

    assert (ratings.n_items, ratings.n_judgements, ratings.assessors, ratings.idle) == (3, 6, (), ())
    assert ratings.anonymous
    assert ratings.binary(1).counts.tolist() == [[2, 1], [0, 0], [1, 2]]
    assert ratings.by_topic()[""].counts.tolist() == ratings.counts.tolist()
    with pytest.raises(ValueError, match="no assessor 'ann'"):
        ratings.table("ann", "bob")


def test_a_grade_against_the_rest():
    ratings = Ratings.from_matrix([[0, 1, 2, None]], (0, 1, 2), axis="assessors").against_rest(1)

    assert ratings.codes.tolist() == [[0, 1, 0, -1]]


def test_empty_counts_are_allowed():
    assert Ratings.from_counts([], (0, 1)).n_items == 0
    assert Ratings.from_counts(np.zeros((0, 2), int), (0, 1)).by_topic() == {}


@pytest.mark.parametrize(
    "counts", [[[1, 2, 3]], [1, 2], [[1.5, 2]], [[-1, 2]], [["1", "2"]], [[1, None]], 3, [[[1, 2]]]]
)
def test_invalid_counts_are_refused(counts):
    with pytest.raises(ValueError, match="counts must be"):
        Ratings.from_counts(counts, (0, 1))


def test_error_of_a_descending_scale_shows_the_ascending_one():
    with pytest.raises(ValueError, match=r"lowest grade first, such as \(0, 1, 2, 3\), not \(3, 2, 1, 0\)"):
        Ratings.from_matrix([[0]], (3, 2, 1, 0), axis="assessors")


def test_scale_of_words_keeps_its_declared_order():
    assert Ratings.from_matrix([["yes"]], ("no", "yes"), axis="assessors").codes.tolist() == [[1]]
    assert Ratings.from_matrix([["yes"]], ("yes", "no"), axis="assessors").codes.tolist() == [[0]]


@pytest.mark.parametrize("dtype", ["int64", "float64", "Int64", "object"])
def test_negative_grades_are_not_judged(dtype):
    rows = [("ada", "1", "x", -2), ("ada", "1", "y", 1), ("bob", "1", "x", 1), ("bob", "1", "y", -1)]
    frame = pd.DataFrame(rows, columns=["assessor", "query_id", "doc_id", "relevance"]).astype({"relevance": dtype})
    assert Ratings.from_judgements(frame, (0, 1)).codes.tolist() == [[-1, 1], [1, -1]]


@pytest.mark.parametrize("scale", [3, "012", None])
def test_a_scale_is_a_list_of_grades(scale):
    with pytest.raises(TypeError, match=r"scale must list the grades, lowest first, such as \(0, 1, 2\), not"):
        Ratings.from_matrix([[0, 1]], scale, axis="assessors")
