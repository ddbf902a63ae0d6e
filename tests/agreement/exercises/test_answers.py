"""What a student writes: the numbers that are read, those that are refused, and when one is right."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.exercises.worksheets.answers import LONGEST, Verdict, check, parse
from agreement.exercises.worksheets.worksheet import Choice, Field, Option, near, number, said

THIRDS = Fraction(2, 3)


def field_of(exact, digits=4):
    return number("x", "X", exact, "so", "Look again.", digits=digits)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.925", "37/40"),
        ("0,925", "37/40"),
        (".925", "37/40"),
        (",925", "37/40"),
        ("  0.925\n", "37/40"),
        ("37/40", "37/40"),
        ("37 / 40", "37/40"),
        ("37⁄40", "37/40"),
        ("37÷40", "37/40"),
        ("92.5%", "37/40"),
        ("92,5 %", "37/40"),
        ("92.5\u202f%", "37/40"),
        ("52/67", "52/67"),
        ("0.5/2", "1/4"),
        ("320", "320"),
        ("5.", "5"),
        ("007", "7"),
        ("+0.5", "1/2"),
        ("-1/3", "-1/3"),
        ("−1/3", "-1/3"),
        ("– 0,3", "-3/10"),
        ("－0.3", "-3/10"),  # the full-width minus
        ("\u20110.3", "-3/10"),  # the hyphen that does not break
        ("-0", "0"),
        ("50/2 %", "1/4"),
        ("0,125", "1/8"),  # no thousands begin with 0
        ("12,34", "617/50"),
        ("1.234", "617/500"),  # a point is always before decimals
    ],
)
def test_what_is_read(text, value):
    assert parse(text) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "nothing was written"),
        ("   ", "nothing was written"),
        (None, "nothing was written"),
        (0.5, "nothing was written"),
        ("kappa", "'kappa' is no number; write it with digits"),
        ("1e999", "is no number"),
        ("1e5", "is no number"),
        ("nan", "is no number"),
        ("inf", "is no number"),
        (".", "is no number"),
        ("%", "is no number"),
        ("-", "is no number"),
        ("/2", "is no number"),
        ("1/2/3", "is no number"),
        ("1/-3", "is no number"),
        ("--1", "is no number"),
        ("5%%", "is no number"),
        ("% 5", "is no number"),
        ("½", "is no number"),
        ("٣", "is no number"),
        ("0x1f", "is no number"),
        ("1_000", "is no number"),
        ("1'000", "is no number"),
        ("0.5; DROP", "is no number"),
        ("0.5\x00", "is no number"),
        ("1/", "a fraction has a number below its line"),
        ("1/%", "a fraction has a number below its line"),
        ("1/0", "nothing is divided by 0"),
        ("0/0", "nothing is divided by 0"),
        ("1/0.00", "nothing is divided by 0"),
        ("1 000", "no space between its digits"),
        ("1\u00a0000", "no space between its digits"),
        ("0, 5", "no space between its digits"),
        ("1 1/2", "no space between its digits"),
        ("1,234,567", "one comma or point"),
        ("1.234,5", "one comma or point"),
        ("1,234.5", "one comma or point"),
        ("0..5", "one comma or point"),
        ("1,234", "may be meant with thousands or with decimals; write 1.234"),
        ("-12,500 %", "may be meant with thousands or with decimals"),
        ("1,000/2", "may be meant with thousands or with decimals"),
        ("9" * (LONGEST + 1), f"at most {LONGEST} characters; got {LONGEST + 1}"),
        ("9" * 10_000_000, "at most 40 characters; got 10000000"),
        (" " * 99 + "5", "at most 40 characters"),
    ],
)
def test_what_is_refused_and_why(text, sentence):
    with pytest.raises(ValueError, match=sentence):
        parse(text)


@given(st.text(max_size=60))
def test_whatever_is_written_is_read_or_refused(text):
    verdict = check(field_of(THIRDS), text)

    assert isinstance(verdict, Verdict)
    assert verdict.right == (verdict.hint == "")


@given(st.text(alphabet="0123456789.,/% -+−", max_size=12))
def test_whatever_looks_like_a_number_is_read_or_refused(text):
    verdict = check(field_of(THIRDS), text)

    assert verdict.right == (verdict.parsed is not None and near(verdict.parsed, THIRDS, 4))


@given(st.fractions(-2, 2, max_denominator=10**6))
def test_a_number_is_read_as_it_was_written(value):
    text = f"{value.numerator}/{value.denominator}"

    assert parse(text) == value
    assert parse(f"{text} %") == value / 100


# The rule: half a unit of the last digit asked


@pytest.mark.parametrize("text", ["0.6667", "0.66667", "0.66665", "0.66671", "2/3", "66.67 %", "0,6667", "200/3%"])
def test_right_to_the_digits_asked(text):
    verdict = check(field_of(THIRDS), text)

    assert (verdict.right, verdict.hint, verdict.slips) == (True, "", ())


@pytest.mark.parametrize("text", ["0.6666", "0.6668", "0.66672", "0.66661", "0.667", "0.67", "1", "-2/3"])
def test_not_right_to_the_digits_asked(text):
    assert not check(field_of(THIRDS), text).right


@pytest.mark.parametrize(("text", "exact"), [("2,524", "2.524"), ("−1,250", "-1.25"), ("12,500 %", "0.125")])
def test_where_digits_are_asked_a_comma_is_before_decimals(text, exact):
    assert check(field_of(Fraction(exact), digits=3), text).right
    assert check(field_of(Fraction(exact), digits=4), text).right
    assert "thousands or with decimals" in check(field_of(2524, digits=0), text).hint


def test_both_neighbours_of_a_number_in_the_middle_are_right():
    field = field_of(Fraction("0.12345"))

    assert [check(field, text).right for text in ("0.1234", "0.1235", "0.1233", "0.1236")] == [True, True, False, False]


def test_a_number_of_documents_is_right_or_not():
    field = field_of(320, digits=0)

    assert check(field, "320").right
    assert check(field, "320.0").right
    assert not check(field, "320.4").right
    assert check(field, "321").hint == "Look again."
    # slips of writing are those of shares
    assert check(field, "32000").slips == check(field, "3.2").slips == ()


@given(st.fractions(-1, 1, max_denominator=10**4), st.integers(2, 6))
def test_the_rounded_exact_value_is_always_right(exact, digits):
    field = field_of(exact, digits)

    assert check(field, field.answer).right
    assert check(field, f"{exact.numerator}/{exact.denominator}").right


@given(st.floats(-1, 1), st.floats(-0.01, 0.01))
def test_a_float_is_compared_exactly(exact, off):
    field = field_of(exact)
    text = f"{exact + off:.12f}"

    assert check(field, text).right == (abs(Fraction(text) - Fraction(exact)) <= Fraction(1, 20000))


# Slips of writing


@pytest.mark.parametrize(
    ("exact", "text", "name"),
    [
        (THIRDS, "0.7", "too_few_digits"),
        (THIRDS, "0.667", "too_few_digits"),
        (THIRDS, "67 %", "too_few_digits"),
        (THIRDS, "0.6666", "cut_off"),
        (THIRDS, "0.666", "cut_off"),
        (-THIRDS, "-0.66", "cut_off"),
        (THIRDS, "66.67", "percent_sign_lacks"),
        (THIRDS, "200/3", "percent_sign_lacks"),
        (THIRDS, "67", "percent_sign_lacks"),
        (THIRDS, "0.6667 %", "percent_sign_too_many"),
        (Fraction(37, 40), "92.5", "percent_sign_lacks"),
    ],
)
def test_slips_of_writing(exact, text, name):
    verdict = check(field_of(exact), text)

    assert verdict.slips == (name,)
    assert verdict.hint != "Look again."


@pytest.mark.parametrize("text", ["1", "0", "0.65", "65", "0.02", "-0.6667"])
def test_a_number_that_nothing_explains_has_the_fields_own_hint(text):
    verdict = check(field_of(THIRDS), text)

    assert (verdict.right, verdict.hint, verdict.slips) == (False, "Look again.", ())


def test_what_cannot_be_read_has_a_hint_that_says_so():
    verdict = check(field_of(THIRDS), "two thirds")

    assert (verdict.right, verdict.parsed) == (False, None)
    assert verdict.hint.startswith("'two thirds' is no number; write it")
    assert check(field_of(THIRDS), "1/0").hint.startswith("Nothing is divided by 0")


# Choices


def test_a_choice_is_answered_by_the_key_of_an_option():
    choice = Choice("c", "C?", (Option("a", "A"), Option("b", "B", "Not B."), Option("d", "D")), "a", "A.", "Think.")

    assert check(choice, "a") == Verdict(True, parsed="a")
    assert check(choice, "b") == Verdict(False, "Not B.", "b")
    assert check(choice, "d") == Verdict(False, "Think.", "d")
    for other in ("", "A", "e", None):
        assert check(choice, other) == Verdict(False, "Choose one of the options.")


def test_numbers_as_solutions_write_them():
    assert [said(Fraction(1, 3)), said(-0.5), said(Fraction(320), 0), said(-0.00001)] == ["0.3333", "−0.5", "320", "0"]
    assert isinstance(field_of(THIRDS), Field)
