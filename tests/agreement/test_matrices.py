"""`Ratings.from_matrix` knows what a row is, or refuses the matrix."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from agreement import Ratings

SCALE = (0, 1)
BY_ITEM = [[0, 1], [1, 1], [0, None]]  # three items of ada and bob
CODES = [[0, 1, 0], [1, 1, -1]]
JUDGES = ("ada", "bob")


@pytest.mark.parametrize(
    ("rows", "options"),
    [
        (BY_ITEM, {"axis": "items"}),
        (list(zip(*BY_ITEM, strict=True)), {"axis": "assessors"}),
        (BY_ITEM, {"assessors": JUDGES}),
        (BY_ITEM, {"items": ["a", "b", "c"]}),
        (np.array(BY_ITEM, dtype=float), {"axis": "items"}),
        (np.array(BY_ITEM, dtype=float).T, {"assessors": JUDGES}),
        (pd.DataFrame(BY_ITEM, columns=JUDGES), {"axis": "items"}),
        (pd.DataFrame(BY_ITEM, columns=pd.Index(JUDGES, name="judge")), {}),
        (pd.DataFrame(BY_ITEM, columns=JUDGES, index=pd.Index(["a", "b", "c"], name="docno")), {}),
        (pd.DataFrame(BY_ITEM, columns=JUDGES).T.rename_axis("Rater"), {}),
        (pl.DataFrame(BY_ITEM, schema=list(JUDGES), orient="row"), {"axis": "items"}),
        (pl.DataFrame(BY_ITEM, schema=list(JUDGES), orient="row").to_arrow(), {"axis": "items"}),
    ],
)
def test_the_axis_is_passed_or_named(rows, options):
    ratings = Ratings.from_matrix(rows, SCALE, **options)
    assert ratings.codes.tolist() == CODES
    if hasattr(rows, "columns") or "assessors" in options:
        assert ratings.assessors == JUDGES


@pytest.mark.parametrize(
    "rows",
    [
        BY_ITEM,
        np.array(BY_ITEM, dtype=float),
        pd.DataFrame(BY_ITEM, columns=JUDGES),
        pd.DataFrame(BY_ITEM, index=pd.Index(list("abc"), name="doc"), columns=pd.Index(JUDGES, name="item")),
    ],
)
def test_a_shape_alone_does_not_tell(rows):
    message = (
        r"^A matrix of 3 x 2 grades may be 3 assessors of 2 items \(axis='assessors'\) or 3 items of 2 assessors "
        r"\(axis='items'\); pass axis\.$"
    )
    with pytest.raises(ValueError, match=message):
        Ratings.from_matrix(rows, SCALE)


def test_names_that_fit_both_axes_do_not_tell():
    square = [[0, 1], [1, 1]]
    with pytest.raises(ValueError, match="may be 2 assessors of 2 items"):
        Ratings.from_matrix(square, SCALE, JUDGES)
    ratings = Ratings.from_matrix(pd.DataFrame(square, columns=JUDGES), SCALE, ("bob", "ada"))  # its labels tell
    assert ratings.assessors == ("bob", "ada")
    assert ratings.row("ada").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        (BY_ITEM, {"axis": "rows"}, "axis must be 'assessors' or 'items', which says what a row is, not 'rows'"),
        (BY_ITEM, {"assessors": ["a", "b", "c", "d"]}, "3 x 2 grades does not fit 4 assessors"),
        (BY_ITEM, {"axis": "assessors", "assessors": JUDGES}, "assessors must have 3 names, not 2"),
        (BY_ITEM, {"axis": "items", "items": ["a"]}, "items must have 3 names, not 1"),
        (np.zeros(3), {"axis": "items"}, "must have two axes, assessors and items, not 1"),
        (
            pd.DataFrame(BY_ITEM, columns=JUDGES),
            {"axis": "items", "assessors": ["x", "ada"]},
            "labels of the table, ada",
        ),
        (pd.DataFrame([[1]], index=[["a"], ["b"], ["c"]]), {"axis": "items"}, "a topic and a document, not 3 labels"),
    ],
)
def test_what_does_not_fit_is_refused(rows, options, message):
    with pytest.raises(ValueError, match=message):
        Ratings.from_matrix(rows, SCALE, **options)


def test_an_index_has_topics_and_documents():
    frame = pd.DataFrame(BY_ITEM, columns=JUDGES, index=[["7", "7", "8"], ["a", "b", "a"]])
    frame.index.names = ["qid", "docid"]
    ratings = Ratings.from_matrix(frame, SCALE)
    assert ratings.query_ids.tolist() == ["7", "7", "8"]
    assert ratings.doc_ids.tolist() == ["a", "b", "a"]
    assert ratings.codes.tolist() == CODES


def test_the_numbers_of_items_sort():
    ratings = Ratings.from_matrix([[0, 1] * 5], SCALE, axis="assessors")
    assert ratings.doc_ids.tolist() == ["01", "02", "03", "04", "05", "06", "07", "08", "09", "10"]
    again = Ratings.from_judgements(ratings.to_frame(), SCALE)
    assert again.codes.tolist() == ratings.codes.tolist()


def test_a_grade_off_the_scale_is_named_with_its_item():
    frame = pd.DataFrame({"ada": [0, 1], "bob": [1, 9]}, index=pd.Index(["x", "y"], name="doc_id"))
    with pytest.raises(ValueError, match="assessor 'bob', topic '', document 'y', grade 9"):
        Ratings.from_matrix(frame, SCALE)


def test_an_empty_matrix_has_no_assessor():
    assert Ratings.from_matrix([], SCALE).codes.shape == (0, 0)
