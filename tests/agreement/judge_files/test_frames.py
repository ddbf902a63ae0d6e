"""`Ratings.from_table` reads DataFrames as `read_judgements` reads files."""

from datetime import date
from pathlib import Path

import pandas as pd
import polars as pl
import pytest

from agreement import Ratings, read_judgements
from pooling import TrecFormatError

TABLES = Path(__file__).parents[2] / "data" / "tables"
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "arrow": lambda data: pl.DataFrame(data).to_arrow()}
LONG = {
    "grade": [1, 0, None, 1],
    "Rater": ["ada", "ada", "bob", "bob"],
    "docno": ["d1", "d2", "d1", "d2"],
    "topic": ["q1", "q1", "q1", "q1"],
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_is_a_judgement_under_other_names(kind):
    ratings = Ratings.from_table(KINDS[kind](LONG), (0, 1))
    assert ratings.assessors == ("ada", "bob")
    assert ratings.doc_ids.tolist() == ["d1", "d2"]
    assert ratings.codes.tolist() == [[1, 0], [-1, 1]]
    assert ratings.notes == ("bob: 1 empty cell read as no judgement.",)
    assert "bob: 1 empty cell read as no judgement." in repr(ratings)


@pytest.mark.parametrize("kind", KINDS)
def test_a_row_is_a_document_with_a_column_for_each_judge(kind):
    table = KINDS[kind]({"qid": [7, 7, 7], "docid": [1, 2, 3], "bob": [1, 1, None], "ada": [0, 1, 1]})
    ratings = Ratings.from_table(table, (0, 1))
    assert ratings.assessors == ("ada", "bob")
    assert ratings.query_ids.tolist() == ["7", "7", "7"]
    assert ratings.codes.tolist() == [[0, 1, 1], [1, 1, -1]]
    assert ratings.notes[0] == (
        "bob: 1 empty cell read as no judgement, 3 rows with ids that are numbers, read as whole numbers."
    )


@pytest.mark.parametrize("name", ["one_column_a_judge.csv", "other_header_names.csv", "empty_cell.csv"])
def test_a_table_gives_the_judgements_of_its_file(name):
    read = read_judgements(TABLES / name, scale=(0, 1))
    of_file = Ratings.from_judgements(read)
    of_table = Ratings.from_table(pd.read_csv(TABLES / name), (0, 1))
    assert of_file.scale == (0, 1)
    assert of_file.notes == of_table.notes == tuple(read.notes())
    pd.testing.assert_frame_equal(of_table.to_frame(), of_file.to_frame())


@pytest.mark.parametrize("empty", ["", "NA", "none", "-", None, pd.NA, float("nan"), -1, "-1"])
def test_no_judgement_is_counted(empty):
    frame = pd.DataFrame(LONG).astype(object)
    frame.loc[0, "grade"] = empty
    ratings = Ratings.from_table(frame, (0, 1))
    assert ratings.row("ada").tolist() == [-1, 0]
    what = "1 negative label read as not judged" if str(empty) == "-1" else "1 empty cell read as no judgement"
    assert ratings.notes[0] == f"ada: {what}."


def test_a_grade_of_the_scale_is_no_empty_cell():
    frame = pd.DataFrame(LONG | {"grade": ["none", "some", None, "none"]})
    ratings = Ratings.from_table(frame, ("none", "some"))
    assert ratings.codes.tolist() == [[0, 1], [-1, 0]]


@pytest.mark.parametrize(
    ("grades", "scale"),
    [
        ([1.0, 0.0, None, 1.0], (0, 1)),
        ([True, False, None, True], (0, 1)),
        (["1", "0", "NA", "1"], (0, 1)),
        ([0.5, 0.25, None, 0.5], (0.25, 0.5)),
        (["yes", "no", None, "yes"], ("no", "yes")),
    ],
)
def test_grades_have_any_type(grades, scale):
    assert Ratings.from_table(pd.DataFrame(LONG | {"grade": grades}), scale).codes.tolist() == [[1, 0], [-1, 1]]


def test_numeric_ids_become_whole_numbers():
    frame = pd.DataFrame(LONG | {"topic": [301.0] * 4})
    ratings = Ratings.from_table(frame, (0, 1))
    assert set(ratings.query_ids) == {"301"}
    assert ratings.notes[0] == "ada: 2 rows with ids that are numbers, read as whole numbers."


def test_columns_can_be_named_and_an_index_has_columns():
    frame = pd.DataFrame({"who": ["ada"], "mark": [1], "grade": [0], "qid": ["1"], "pid": ["a"]})
    given = {"assessor": "who", "relevance": "mark"}
    assert Ratings.from_table(frame.set_index(["qid", "pid"]), (0, 1), columns=given).codes.tolist() == [[1]]
    wide = pd.DataFrame({"qid": ["1"], "pid": ["a"], "title": ["x"], "ada": [1], "bob": [0]})
    ratings = Ratings.from_table(wide, (0, 1), columns={"judges": ["ada", "bob"]})
    assert ratings.codes.tolist() == [[1], [0]]


def test_equal_repeats_decisions_and_hidden_repeats_do_not_count():
    rows = [("ada", 1, 0, ""), ("ada", 1, 0, ""), ("ada", 0, 1, ""), ("ada", 0, 0, "true")]
    frame = pd.DataFrame(rows, columns=["assessor", "relevance", "repeat", "adjudicated"]).assign(qid="1", docid="a")
    ratings = Ratings.from_table(frame, (0, 1))
    assert ratings.codes.tolist() == [[1]]
    assert ratings.notes == (
        "ada: 1 row of decisions, norming, practice or checks left out, 1 document repeated with the same grade.",
    )


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"grade": [1, 0, 1, 7]},
            "the table, line 4: 'bob' on document 'd2' of topic 'q1': grade '7' is not on the scale",
        ),
        ({"docno": ["d1", "d1", "d1", "d2"]}, "line 2: 'ada' .* grade 0 contradicts 1 on line 1"),
        ({"topic": [1.5, 2, 3, 4]}, "line 1: cell topic is 1.5; an id is a text or a whole number"),
        ({"topic": [None, "a", "b", "c"]}, "line 1: query_id is empty"),
        ({"docno": [date(2026, 1, 2)] * 4}, "line 1: cell docno is a date or a time"),
        ({"score": [1, 2, 3, 4]}, "^the table: .*grade and score may both be relevance; name the column"),
    ],
)
def test_what_is_wrong_is_named(changes, message):
    with pytest.raises(TrecFormatError, match=message):
        Ratings.from_table(pd.DataFrame(LONG | changes), (0, 1))


def test_a_missing_column_and_what_is_no_table_are_refused():
    frame = pd.DataFrame(LONG)
    with pytest.raises(TrecFormatError, match="missing: doc_id; name the column"):
        Ratings.from_table(frame.drop(columns="docno"), (0, 1))
    with pytest.raises(TrecFormatError, match="without a judge; it must have a column assessor"):
        Ratings.from_table(frame.drop(columns="Rater"), (0, 1))
    with pytest.raises(
        TypeError, match=r"^from_table takes a DataFrame .*, not str; read files with read_judgements\.$"
    ):
        Ratings.from_table("judges.csv", (0, 1))
    with pytest.raises(ValueError, match="columns has 'judge'"):
        Ratings.from_table(frame, (0, 1), columns={"judge": "Rater"})


def test_judgements_without_a_scale_are_refused():
    read = read_judgements({"ada": b"1 0 d1 1\n"}, scale=None)
    for judgements in (read, read.judgements):
        with pytest.raises(TypeError, match="scale must list the grades"):
            Ratings.from_judgements(judgements)
    assert Ratings.from_judgements(read, (0, 1)).codes.tolist() == [[1]]
