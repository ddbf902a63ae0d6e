"""Answers of students: numbers that are parsed, numbers that are refused, and which are right."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.exercises.worksheets.answers import MAX_LENGTH, Verdict, check, parse
from agreement.exercises.worksheets.worksheet import Choice, Field, Option, equals_rounded, format_number, number_field

THIRDS = Fraction(2, 3)


def make_field(exact, digits=4):
    return number_field("x", "X", exact, "so", "Look again.", digits=digits)


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
        ("\u20110.3", "-3/10"),  # the non-breaking hyphen
        ("-0", "0"),
        ("50/2 %", "1/4"),
        ("0,125", "1/8"),  # a group of thousands cannot start with 0
        ("12,34", "617/50"),
        ("1.234", "617/500"),  # a point always separates decimals
    ],
)
def test_number_is_parsed(text, value):
    assert parse(text) == Fraction(value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "The answer is empty"),
        ("   ", "The answer is empty"),
        (None, "The answer is empty"),
        (0.5, "The answer is empty"),
        ("kappa", "'kappa' is not a number. Use digits"),
        ("1e999", "is not a number"),
        ("1e5", "is not a number"),
        ("nan", "is not a number"),
        ("inf", "is not a number"),
        (".", "is not a number"),
        ("%", "is not a number"),
        ("-", "is not a number"),
        ("/2", "is not a number"),
        ("1/2/3", "is not a number"),
        ("1/-3", "is not a number"),
        ("--1", "is not a number"),
        ("5%%", "is not a number"),
        ("% 5", "is not a number"),
        ("½", "is not a number"),
        ("٣", "is not a number"),
        ("0x1f", "is not a number"),
        ("1_000", "is not a number"),
        ("1'000", "is not a number"),
        ("0.5; DROP", "is not a number"),
        ("0.5\x00", "is not a number"),
        ("1/", "The denominator is missing"),
        ("1/%", "The denominator is missing"),
        ("1/0", "cannot be divided by 0"),
        ("0/0", "cannot be divided by 0"),
        ("1/0.00", "cannot be divided by 0"),
        ("1 000", "cannot have spaces between its digits"),
        ("1\u00a0000", "cannot have spaces between its digits"),
        ("0, 5", "cannot have spaces between its digits"),
        ("1 1/2", "cannot have spaces between its digits"),
        ("1,234,567", "only one comma or point"),
        ("1.234,5", "only one comma or point"),
        ("1,234.5", "only one comma or point"),
        ("0..5", "only one comma or point"),
        ("1,234", "could separate thousands or decimals. Write 1.234"),
        ("-12,500 %", "could separate thousands or decimals"),
        ("1,000/2", "could separate thousands or decimals"),
        ("9" * (MAX_LENGTH + 1), f"at most {MAX_LENGTH} characters, not {MAX_LENGTH + 1}"),
        ("9" * 10_000_000, "at most 40 characters, not 10000000"),
        (" " * 99 + "5", "at most 40 characters"),
    ],
)
def test_invalid_number_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse(text)


@given(st.text(max_size=60))
def test_any_text_gets_a_verdict(text):
    verdict = check(make_field(THIRDS), text)

    assert isinstance(verdict, Verdict)
    assert verdict.right == (verdict.hint == "")


@given(st.text(alphabet="0123456789.,/% -+−", max_size=12))
def test_any_number_like_text_gets_a_verdict(text):
    verdict = check(make_field(THIRDS), text)

    assert verdict.right == (verdict.parsed is not None and equals_rounded(verdict.parsed, THIRDS, 4))


@given(st.fractions(-2, 2, max_denominator=10**6))
def test_fraction_is_parsed_exactly(value):
    text = f"{value.numerator}/{value.denominator}"

    assert parse(text) == value
    assert parse(f"{text} %") == value / 100


# The rule: half a unit of the last requested digit


@pytest.mark.parametrize("text", ["0.6667", "0.66667", "0.66665", "0.66671", "2/3", "66.67 %", "0,6667", "200/3%"])
def test_number_with_requested_digits_is_right(text):
    verdict = check(make_field(THIRDS), text)

    assert (verdict.right, verdict.hint, verdict.mistakes) == (True, "", ())


@pytest.mark.parametrize("text", ["0.6666", "0.6668", "0.66672", "0.66661", "0.667", "0.67", "1", "-2/3"])
def test_other_number_is_not_right(text):
    assert not check(make_field(THIRDS), text).right


@pytest.mark.parametrize(("text", "exact"), [("2,524", "2.524"), ("−1,250", "-1.25"), ("12,500 %", "0.125")])
def test_comma_separates_decimals_if_digits_are_requested(text, exact):
    assert check(make_field(Fraction(exact), digits=3), text).right
    assert check(make_field(Fraction(exact), digits=4), text).right
    assert "thousands or decimals" in check(make_field(2524, digits=0), text).hint


def test_both_neighbours_of_a_halfway_number_are_right():
    field = make_field(Fraction("0.12345"))

    assert [check(field, text).right for text in ("0.1234", "0.1235", "0.1233", "0.1236")] == [True, True, False, False]


def test_count_must_be_exact():
    field = make_field(320, digits=0)

    assert check(field, "320").right
    assert check(field, "320.0").right
    assert not check(field, "320.4").right
    assert check(field, "321").hint == "Look again."
    # mistakes in writing apply to shares only
    assert check(field, "32000").mistakes == check(field, "3.2").mistakes == ()


@given(st.fractions(-1, 1, max_denominator=10**4), st.integers(2, 6))
def test_rounded_exact_value_is_right(exact, digits):
    field = make_field(exact, digits)

    assert check(field, field.answer).right
    assert check(field, f"{exact.numerator}/{exact.denominator}").right


@given(st.floats(-1, 1), st.floats(-0.01, 0.01))
def test_float_is_compared_exactly(exact, off):
    field = make_field(exact)
    text = f"{exact + off:.12f}"

    assert check(field, text).right == (abs(Fraction(text) - Fraction(exact)) <= Fraction(1, 20000))


# Mistakes in writing


@pytest.mark.parametrize(
    ("exact", "text", "name"),
    [
        (THIRDS, "0.7", "too_few_digits"),
        (THIRDS, "0.667", "too_few_digits"),
        (THIRDS, "67 %", "too_few_digits"),
        (THIRDS, "0.6666", "cut_off"),
        (THIRDS, "0.666", "cut_off"),
        (-THIRDS, "-0.66", "cut_off"),
        (THIRDS, "66.67", "percent_sign_missing"),
        (THIRDS, "200/3", "percent_sign_missing"),
        (THIRDS, "67", "percent_sign_missing"),
        (THIRDS, "0.6667 %", "percent_sign_too_many"),
        (Fraction(37, 40), "92.5", "percent_sign_missing"),
    ],
)
def test_mistake_in_writing_is_recognised(exact, text, name):
    verdict = check(make_field(exact), text)

    assert verdict.mistakes == (name,)
    assert verdict.hint != "Look again."


@pytest.mark.parametrize("text", ["1", "0", "0.65", "65", "0.02", "-0.6667"])
def test_unexplained_number_gets_the_default_hint(text):
    verdict = check(make_field(THIRDS), text)

    assert (verdict.right, verdict.hint, verdict.mistakes) == (False, "Look again.", ())


def test_invalid_number_gets_a_hint_that_explains_it():
    verdict = check(make_field(THIRDS), "two thirds")

    assert (verdict.right, verdict.parsed) == (False, None)
    assert verdict.hint.startswith("'two thirds' is not a number. Use digits")
    assert check(make_field(THIRDS), "1/0").hint.startswith("A number cannot be divided by 0")


# Choices


def test_choice_is_answered_by_the_key_of_an_option():
    choice = Choice("c", "C?", (Option("a", "A"), Option("b", "B", "Not B."), Option("d", "D")), "a", "A.", "Think.")

    assert check(choice, "a") == Verdict(True, parsed="a")
    assert check(choice, "b") == Verdict(False, "Not B.", "b")
    assert check(choice, "d") == Verdict(False, "Think.", "d")
    for other in ("", "A", "e", None):
        assert check(choice, other) == Verdict(False, "Choose one of the options.")


def test_numbers_are_formatted_for_solutions():
    assert [
        format_number(Fraction(1, 3)),
        format_number(-0.5),
        format_number(Fraction(320), 0),
        format_number(-0.00001),
    ] == ["0.3333", "−0.5", "320", "0"]
    assert isinstance(make_field(THIRDS), Field)
