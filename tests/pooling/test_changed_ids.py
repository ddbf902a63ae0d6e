"""Ids that a spreadsheet has probably changed are refused, in every kind of file."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import pooling
from pooling._io.changed_columns import has_changed_ids
from pooling.changed_ids import changed_ids, changed_rows
from pooling.inputs import as_table

ALWAYS = ["1.23457E+11", "1E+11", "1.2e+100", "1-May", "12-Dec", "May-01", "Jan-1999", "1-May-24", "01-May-2024"]
NEVER = ["301", "FT911-3", "1e11", "01.05.2024", "1.23457E-11", "1-MAY", "5-may", "MayDay-01", "d-12", "v1.0", "1.0.0"]


@pytest.mark.parametrize("text", ALWAYS)
def test_a_date_or_scientific_notation_is_refused_whatever_the_column_has(text):
    assert changed_ids([text, "12.3", "FT911-3"]) == {text}


@pytest.mark.parametrize("text", NEVER)
def test_other_ids_are_allowed(text):
    assert changed_ids([text]) == frozenset()


def test_a_zero_as_the_only_decimal_is_refused_unless_the_column_has_other_decimals():
    assert changed_ids(["301.0", "302.0", "303"]) == {"301.0", "302.0"}
    assert changed_ids(["1.0", "1.1", "12.3"]) == frozenset()
    assert changed_ids(["1.0", "1.0.1"]) == frozenset()


def test_ids_cut_at_15_digits_are_refused_if_all_long_ids_are():
    cut = ["123456789012345000", "223456789012345000"]  # 18 digits, 3 zeros each
    assert changed_ids([*cut, "12"]) == set(cut)
    assert changed_ids([*cut, "123456789012345678"]) == frozenset()
    assert changed_ids([*cut, "0123456789012345000"]) == frozenset()  # a number would have lost the first zero


def test_ids_that_end_with_one_or_two_zeros_by_chance_are_allowed():
    assert changed_ids(["12345678901234500"]) == frozenset()  # 2 zeros: 1 id of 100 has them
    assert changed_ids(["12345678901234500", "1234567890123450"]) == {"12345678901234500", "1234567890123450"}


def test_rows_name_the_first_column_that_was_changed():
    columns = {"query_id": ["1", "2.0", "3"], "doc_id": ["d1", "1-May", "1-May"]}
    assert changed_rows(columns) == {1: "query_id", 2: "doc_id"}


@pytest.mark.parametrize("text", [*ALWAYS, "301.0", "301.00", "123456789012345000"])
def test_a_column_of_arrow_is_checked_in_the_same_way(text):
    assert has_changed_ids(pa.array(["301", text, "301"], pa.large_string()))
    assert has_changed_ids(pa.array([text], pa.large_string()))


@pytest.mark.parametrize("text", NEVER)
def test_a_column_of_arrow_without_changed_ids_is_allowed(text):
    assert not has_changed_ids(pa.array([text, "d1", text], pa.large_string()))


def test_a_part_of_a_column_is_checked_alone():
    column = pa.array(["1-May", "301", "302", "303.0"], pa.large_string())
    assert not has_changed_ids(column.slice(1, 2))
    assert has_changed_ids(column.slice(2, 2))


def test_a_column_of_arrow_agrees_with_the_rule_for_random_ids():
    rng = np.random.default_rng(37)
    parts = np.array(["1", "0", ".", "-", "May", "E+11", "000", "12345", "x"])
    for _ in range(500):
        ids = ["".join(rng.choice(parts, rng.integers(1, 6))) for _ in range(rng.integers(1, 5))]
        assert has_changed_ids(pa.array(ids, pa.large_string())) == bool(changed_ids(ids)), ids


def test_empty_ids_are_no_problem_of_the_check():
    for texts in (["", ""], ["1234567890123456", ""], ["", "1234567890123456"]):
        assert not has_changed_ids(pa.array(texts, pa.large_string()))


@pytest.mark.parametrize(
    ("column", "dtype", "value"),
    [
        ("query_id", "str", "301.0"),
        ("doc_id", object, "1-May"),
        ("doc_id", "category", "1.23457E+11"),
        ("doc_id", "string[python]", "May-01"),
        ("doc_id", "int64", "123456789012345000"),
    ],
)
def test_frames_with_a_changed_id_are_refused(column, dtype, value):
    frame = pd.DataFrame({"query_id": ["302"], "doc_id": ["7"], "relevance": [1]})
    frame[column] = pd.Series([value], dtype="str").astype(dtype)
    with pytest.raises(ValueError, match=f"^{column} {re.escape(repr(value))} looks changed by a spreadsheet; "):
        as_table(frame)


def test_frames_with_missing_ids_are_left_to_other_checks():
    frame = pd.DataFrame({"query_id": ["302", None], "doc_id": ["7", "8"], "relevance": [1, 0]})
    assert len(as_table(frame)) == 2


SENTENCE = "looks changed by a spreadsheet; take the ids from the original data, and export the column as text"


def test_a_run_with_a_changed_id_is_refused():
    with pytest.raises(pooling.TrecFormatError) as error:
        pooling.read_run(b"301 Q0 d1 1 2 a\n302.0 Q0 d1 1 2 a\n", name="a.run")
    assert str(error.value) == f"a.run, line 2: query_id '302.0' {SENTENCE}"


def test_qrels_with_a_changed_id_are_refused_and_reported_in_the_order_of_the_lines():
    content = b"301 0 d1 1\n301 0 1-May 1\n301 0 d2 high\n301 0 1.2E+11 1\n"
    with pytest.raises(pooling.TrecFormatError, match=r"line 2: doc_id '1-May' looks changed"):
        pooling.read_qrels(content.replace(b"high", b"1"))
    qrels, report = pooling.read_qrels(content, on_error="report")
    assert qrels["doc_id"].tolist() == ["d1"]
    assert report["line"].tolist() == [2, 3, 4]


def test_section_numbers_are_read_as_ids():
    assert pooling.read_qrels(b"1.0 0 d1 1\n1.2 0 d1 1\n")["query_id"].tolist() == ["1.0", "1.2"]


def test_topics_with_a_changed_id_are_refused():
    with pytest.raises(pooling.FormatError) as error:
        pooling.read_topics(b"301\ttea\n302.0\tcoffee\n", name="topics.tsv")
    assert str(error.value) == f"topics.tsv, line 2: query_id '302.0' {SENTENCE}"
    found = []
    assert pooling.read_topics(b"301\ttea\n302.0\tcoffee\n", problems=found)["query_id"].tolist() == ["301"]
    assert [problem.line for problem in found] == [2]


def test_documents_with_a_changed_id_are_refused():
    content = b"d1\ttea\n1.23457E+11\tcoffee\n"
    with pytest.raises(pooling.FormatError) as error:
        list(pooling.read_documents(content, name="docs.tsv"))
    assert str(error.value) == f"docs.tsv, line 2: doc_id '1.23457E+11' {SENTENCE}"
