"""Kappa worksheets: by hand, for any table, public data, marks, and refused input."""

import json
from fractions import Fraction

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agreement import cohen_kappa, pooled_kappa
from agreement.exercises.worksheets.answers import check
from agreement.exercises.worksheets.kappa import kappa_worksheet
from agreement.exercises.worksheets.marks import score
from agreement.exercises.worksheets.worksheet import Choice, Field, Option, Worksheet

counts = st.integers(0, 40)
tables = st.integers(2, 4).flatmap(
    lambda size: st.lists(st.lists(counts, min_size=size, max_size=size), min_size=size, max_size=size)
)


def make_sheet(table, **options):
    return kappa_worksheet(table, tuple(f"grade {k}" for k in range(len(table))), **options)


def right_answers(sheet):
    """Return the right answers as a student types them."""
    return {f.name: f.right_key if isinstance(f, Choice) else f.answer for f in sheet.fields}


def numbers(sheet):
    return [field for field in sheet.fields if isinstance(field, Field)]


def test_fields_follow_the_calculation_with_exact_numbers():
    # judge 1: 7 + 2 = 9, 1 + 5 = 6; judge 2: 7 + 1 = 8, 2 + 5 = 7; n = 15; P(A) = 12/15
    # unpooled P(E) = 9/15 8/15 + 6/15 7/15 = 114/225; kappa = (180 - 114) / (225 - 114) = 66/111
    # pooled: 17/30, 13/30; P(E) = (289 + 169) / 900; kappa = (720 - 458) / (900 - 458) = 262/442
    sheet = kappa_worksheet([[7, 2], [1, 5]])

    assert {field.name: field.exact for field in numbers(sheet)} == {
        "rows_0": 9,
        "rows_1": 6,
        "columns_0": 8,
        "columns_1": 7,
        "n": 15,
        "observed": Fraction(12, 15),
        "share_rows_0": Fraction(9, 15),
        "share_columns_0": Fraction(8, 15),
        "expected_unpooled": Fraction(114, 225),
        "kappa_unpooled": Fraction(66, 111),
        "share_pooled_0": Fraction(17, 30),
        "expected_pooled": Fraction(458, 900),
        "kappa_pooled": Fraction(262, 442),
    }
    assert [field.name for field in sheet.fields][-2:] == ["band", "meaning"]
    assert sheet.field("expected_pooled").solution == "0.5667² + 0.4333² = 0.5089"
    assert sheet.field("share_rows_0").solution == "9 / 15 = 0.6"


def test_relevant_grade_can_be_in_the_last_row():
    sheet = kappa_worksheet([[5, 1], [2, 7]], ("0", "1"), ("ann", "bob"), relevant=1)

    assert [field.label for field in sheet.fields if field.name.startswith("share")] == [
        "P(1) of ann",
        "P(1) of bob",
        "pooled P(1): of the judgements of both",
    ]
    assert sheet.field("share_rows_1").exact == Fraction(9, 15)


def test_three_grades_ask_for_the_share_of_each():
    sheet = make_sheet([[5, 1, 0], [2, 6, 1], [0, 2, 3]])

    shares = [field.name for field in sheet.fields if field.name.startswith("share")]
    assert shares == [f"share_{side}_{grade}" for side in ("rows", "columns", "pooled") for grade in range(3)]


@settings(deadline=None)
@given(tables)
def test_numbers_equal_the_coefficients_and_right_answers_earn_all_marks(table):
    assume(any(map(any, table)))
    sheet = make_sheet(table)

    for name, estimate in (("kappa_pooled", pooled_kappa(table)), ("kappa_unpooled", cohen_kappa(table))):
        field = sheet.field(name)
        assert isinstance(field, Choice) == (not estimate.defined)
        if estimate.defined:
            assert float(field.exact) == estimate.value
    marks = score(sheet, right_answers(sheet))
    assert marks.total == marks.of == sheet.marks


@settings(deadline=None)
@given(tables)
def test_every_mistake_leads_to_a_wrong_number_with_a_hint(table):
    assume(any(map(any, table)))

    for field in numbers(make_sheet(table)):
        for mistake in field.mistakes:
            for value in mistake.values:
                verdict = check(field, f"{value.numerator}/{value.denominator}" if value else "0")
                assert (verdict.right, bool(verdict.hint)) == (False, True)
                # a fraction may be too long to be typed
                assert mistake.name in verdict.mistakes or verdict.parsed is None


@settings(deadline=None)
@given(tables)
def test_public_data_depends_on_the_table_only_in_the_exhibit(table):
    assume(any(map(any, table)))
    sheet = make_sheet(table)
    data = sheet.public_data()

    assert json.loads(json.dumps(data)) == data
    asked = {"name", "label", "marks", "kind", "digits", "options"}
    assert all(set(field) == asked for field in data["fields"])
    assert all(set(option) == {"key", "text"} for field in data["fields"] for option in field["options"])
    other = make_sheet([[1 + (j == k) for k in range(len(table))] for j in range(len(table))]).public_data()
    assert {**data, "exhibits": other["exhibits"], "fields": _without_kappa(data)} == {
        **other,
        "fields": _without_kappa(other),
    }


def _without_kappa(data):
    """Return the fields except those of kappa, which are choices if kappa is undefined."""
    return [field for field in data["fields"] if not field["name"].startswith("kappa")]


def test_exhibit_shows_the_table_with_its_labels():
    data = kappa_worksheet(
        [[7, 2], [1, 5]], judges=("ann", "bob"), key="k", title="t", story="s", source="here"
    ).public_data()

    assert data["exhibits"] == [
        {
            "kind": "contingency",
            "caption": "ann in rows, bob in columns",
            "columns": ["relevant", "nonrelevant"],
            "rows": [{"name": "relevant", "cells": [7, 2]}, {"name": "nonrelevant", "cells": [1, 5]}],
        }
    ]
    assert [data[name] for name in ("key", "title", "story", "source", "marks")] == ["k", "t", "s", "here", 19]
    assert data["fields"][0]["label"] == "ann: how many relevant"


def test_answer_key_lists_answers_and_solutions():
    key = kappa_worksheet([[7, 2], [1, 5]]).answer_key()

    assert key[0] == {
        "name": "rows_0",
        "label": "judge 1: how many relevant",
        "answer": "9",
        "solution": "7 + 2 = 9",
        "marks": 1,
    }
    assert key[-2]["answer"] == "dubious"


@pytest.mark.parametrize(
    ("table", "band", "meaning"),
    [
        ([[48, 2], [1, 49]], "good", "beyond_chance"),
        ([[300, 20], [10, 70]], "fair", "beyond_chance"),
        ([[3, 1], [1, 2]], "dubious", "beyond_chance"),
        ([[2, 4], [4, 2]], "dubious", "no_more_than_chance"),
        ([[1, 1], [1, 1]], "dubious", "no_more_than_chance"),
        ([[9, 0], [0, 0]], "none", "undefined"),
    ],
)
def test_band_and_meaning_follow_from_kappa(table, band, meaning):
    sheet = kappa_worksheet(table)

    assert (sheet.field("band").right_key, sheet.field("meaning").right_key) == (band, meaning)
    wrong = [option for option in sheet.field("meaning").options if option.key != meaning]
    assert all(check(sheet.field("meaning"), option.key).hint for option in wrong)


@pytest.mark.parametrize("table", [[[300, 20], [10, 70]], [[2, 4], [4, 2]], [[3, 2], [0, 11]]])
def test_solutions_of_choices_contain_no_answers(table):
    sheet = kappa_worksheet(table)
    numbers = {field.answer for field in sheet.fields if "." in field.answer} - {
        "0.8",
        "0.67",
    }  # the bounds of the bands

    for choice in (sheet.field("band"), sheet.field("meaning")):
        assert [number for number in numbers if number in choice.solution] == []
        assert "ompare your" in choice.solution


def test_different_bands_are_both_named():
    # P(A) = 14/16; pooled P(E) = (8² + 24²) / 32² = 5/8, kappa (7/8 - 5/8) / (3/8) = 2/3, below 0.67
    # unpooled P(E) = 5/16 3/16 + 11/16 13/16 = 158/256, kappa (224 - 158) / (256 - 158) = 33/49, above it
    field = kappa_worksheet([[3, 2], [0, 11]]).field("band")

    assert field.right_key == "dubious"
    assert field.solution.endswith("it is dubious. The unpooled kappa is fair.")
    assert "0.67 to 0.8" in check(field, "fair").hint


def test_single_category_has_an_undefined_kappa():
    sheet = kappa_worksheet([[9, 0], [0, 0]])
    field = sheet.field("kappa_pooled")

    assert [check(field, key).right for key in ("0", "1", "undefined")] == [False, False, True]
    assert "0" in check(field, "0").hint
    assert "no agreement is left beyond chance" in check(field, "1").hint
    assert sheet.field("expected_pooled").exact == 1
    assert score(sheet, right_answers(sheet)).total == sheet.marks


# Marks


def test_right_answers_earn_marks_unless_their_solution_was_shown():
    sheet = kappa_worksheet([[7, 2], [1, 5]])
    answers = {"rows_0": "9", "rows_1": "7", "kappa_pooled": "0,5928", "observed": "80 %", "band": "dubious"}

    marks = score(sheet, answers, shown={"observed", "n"})

    assert {name: marks.fields[name] for name in [*answers, "n"]} == {
        "rows_0": 1,
        "rows_1": 0,
        "kappa_pooled": 2,
        "observed": 0,
        "band": 1,
        "n": 0,
    }
    assert list(marks.fields) == [field.name for field in sheet.fields]
    assert (marks.total, marks.of) == (4, 19)


def test_no_answers_and_shown_solutions_earn_no_marks():
    sheet = kappa_worksheet([[7, 2], [1, 5]])

    assert score(sheet, {}).total == 0
    assert score(sheet, right_answers(sheet), shown=list(right_answers(sheet))).total == 0


def test_answer_to_an_unknown_field_is_refused():
    sheet = kappa_worksheet([[7, 2], [1, 5]])

    with pytest.raises(ValueError, match=r"Worksheet 'kappa' has no field 'kapa'\. Its fields are rows_0"):
        score(sheet, {"kapa": "1"})
    with pytest.raises(ValueError, match="has no field 'kapa'"):
        score(sheet, {}, shown=["kapa"])


# Refused input


def test_invalid_arguments_are_refused():
    with pytest.raises(ValueError, match="at least one item, but all its cells are 0"):
        kappa_worksheet([[0, 0], [0, 0]])
    with pytest.raises(ValueError, match=r"A table of 2 grades must have 2 labels, not 1\."):
        kappa_worksheet([[1, 0], [0, 1]], ("one",))
    with pytest.raises(ValueError, match="names of 2 judges, not 3"):
        kappa_worksheet([[1, 0], [0, 1]], judges=("a", "b", "c"))
    with pytest.raises(ValueError, match="a row from 0 to 1, not 2"):
        kappa_worksheet([[1, 0], [0, 1]], relevant=2)
    with pytest.raises(ValueError, match="digits must be at least 2, not 1"):
        kappa_worksheet([[1, 0], [0, 1]], digits=1)
    with pytest.raises(ValueError, match=r"one row and one column for each grade, not the shape \(2, 3\)"):
        kappa_worksheet([[1, 0, 3], [0, 1, 1]])


def test_duplicate_field_names_and_unknown_right_option_are_refused():
    choice = Choice("why", "Why?", (Option("a", "so"),), "a", "because", "think")

    with pytest.raises(ValueError, match="different names, not why, why"):
        Worksheet("k", "t", "s", (), (choice, choice))
    with pytest.raises(ValueError, match="one of a, not 'b'"):
        Choice("why", "Why?", (Option("a", "so"),), "b", "because", "think")
