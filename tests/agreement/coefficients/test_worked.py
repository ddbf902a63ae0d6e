"""The steps of a table have the numbers of the textbook."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import worked
from tests.oracles import oracle

TABLE = next(case for case in oracle("textbook")["cases"] if case["id"] == "iir-table8.2")


def test_published_table_step_by_step():
    working = worked(TABLE["given"]["table"], ("relevant", "nonrelevant"))

    assert [(step.group, step.name, step.formula, step.shown) for step in working.steps] == [
        ("observed", "P(A)", "(300 + 70) / 400", "0.925"),
        ("pooled", "P(relevant)", "(320 + 310) / (400 + 400)", "0.7875"),
        ("pooled", "P(nonrelevant)", "(80 + 90) / (400 + 400)", "0.2125"),
        ("pooled", "P(E)", "0.7875² + 0.2125²", "0.6653"),
        ("pooled", "kappa", "(0.925 − 0.6653) / (1 − 0.6653)", "0.7759"),
        ("unpooled", "P(E)", "(320/400)(310/400) + (80/400)(90/400)", "0.665"),
        ("unpooled", "kappa", "(0.925 − 0.665) / (1 − 0.665)", "0.7761"),
    ]
    assert working.group("pooled")[-1].exact == Fraction(TABLE["want"]["pooled_kappa"])
    assert working.group("unpooled")[-1].exact == Fraction(TABLE["want"]["unpooled_kappa"])
    assert working.group("pooled")[-2].exact == Fraction(TABLE["want"]["pooled_expected"])


def test_totals():
    working = worked(TABLE["given"]["table"], ("relevant", "nonrelevant"), ("ann", "bob"))

    assert working.rows == (("relevant", (300, 20), 320), ("nonrelevant", (10, 70), 80))
    assert (working.column_totals, working.n, working.judges) == ((310, 90), 400, ("ann", "bob"))


def test_kappa_of_one_category_is_undefined():
    working = worked([[3, 0], [0, 0]])

    assert [step.shown for step in working.steps if step.name == "kappa"] == ["undefined (one category)"] * 2
    assert working.group("pooled")[-1].formula == "(1 − 1) / (1 − 1)"
    assert working.group("pooled")[-1].value is None


def test_a_table_of_zeros_has_no_steps():
    working = worked([[0, 0], [0, 0]])

    assert working.steps == ()
    assert working.pooled.reason == working.unpooled.reason == "no_overlap"


def test_negative_numbers_have_a_minus_sign():
    assert worked([[0, 3], [3, 0]]).group("pooled")[-1].shown == "−1"


def test_the_number_of_labels_is_the_number_of_grades():
    with pytest.raises(ValueError, match="must have 2 labels"):
        worked([[1, 2], [3, 4]], ("one",))


def test_other_than_two_names_of_judges_are_refused():
    with pytest.raises(ValueError, match="names of 2 judges, not 3"):
        worked([[1, 0], [0, 1]], judges=("a", "b", "c"))


counts = st.integers(0, 30)


@given(st.integers(2, 5).flatmap(lambda k: st.lists(st.lists(counts, min_size=k, max_size=k), min_size=k, max_size=k)))
def test_the_last_steps_are_the_coefficients(table):
    working = worked(table)

    for group, estimate in (("pooled", working.pooled), ("unpooled", working.unpooled)):
        if working.n:
            assert working.group(group)[-1].value == estimate.value
            assert working.group(group)[-2].value == estimate.expected


def test_the_table_prints_the_reason_in_words():
    printed = repr(worked([[4, 0], [0, 0]]))

    assert "one category" in printed
    assert "one_category" not in printed
    assert worked([[4, 0], [0, 0]]).to_frame()["reason"].dropna().unique().tolist() == ["one_category"]
