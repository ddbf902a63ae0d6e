"""Coefficients of any number of judges: computed by hand, exact, and undefined."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from agreement import (
    Ratings,
    brennan_prediger,
    conger_kappa,
    fleiss_kappa,
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    percent_agreement,
)
from tests.agreement.random_ratings import rows

MANY = [percent_agreement, fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, krippendorff_alpha]
KAPPAS = [fleiss_kappa, conger_kappa, krippendorff_alpha]
# items: 0 0 0, 0 0 1, 1 1, and one judgement of 1
ROWS = [[0, 0, 1, None], [0, 0, 1, 1], [0, 1, None, None]]


def test_by_hand():
    ratings = Ratings.from_matrix(ROWS, (0, 1))

    # P(A) = (1 + 1/3 + 1) / 3 = 7/9
    assert percent_agreement(ratings).value == 7 / 9
    # ge1: s_1 = (0 + 1/3 + 1 + 1) / 4 = 7/12; P(E) = (25 + 49) / 144; (112 - 74) / (144 - 74) = 38/70
    assert fleiss_kappa(ratings).value == 38 / 70
    # ge2: s_1 = (0 + 1/3 + 1) / 3 = 4/9; P(E) = (25 + 16) / 81; (63 - 41) / (81 - 41) = 22/40
    assert fleiss_kappa(ratings, pi_items="ge2").value == 22 / 40
    # pooled: s_1 = 4/9 too
    assert fleiss_kappa(ratings, pi_items="pooled").value == 22 / 40
    # uniform: (7/9 - 1/2) / (1/2) = 5/9
    assert brennan_prediger(ratings).value == 5 / 9
    # Gwet: P(E) = 2 * 5/12 * 7/12 = 70/144; (112 - 70) / (144 - 70) = 42/74
    assert gwet_ac(ratings).value == 42 / 74


def test_alpha_by_hand():
    # pairable: 000, 001, 11, so n_0 = 5, n_1 = 3, n = 8; pairs that differ: 4 / (3 - 1) = 2
    # Do = 2/8, De = 2 * 5 * 3 / (8 * 7) = 30/56; alpha = 1 - (1/4)(56/30) = 8/15
    result = krippendorff_alpha(Ratings.from_matrix(ROWS, (0, 1)))

    assert result.value == 8 / 15
    assert (result.observed, result.expected) == (1 / 4, 30 / 56)
    assert (result.n, result.n_values, result.n_dropped) == (3, 8, 1)


def test_conger_by_hand():
    # shares of 1: 1/3 (of 3 items), 2/4, 1/2; pairs: 1/3*1/2 + 2/3*1/2 = 1/2 each way, and 1/2: P(E) = 1/2
    # (7/9 - 1/2) / (1/2) = 5/9
    result = conger_kappa(Ratings.from_matrix(ROWS, (0, 1)))

    assert result.expected == pytest.approx(1 / 2, abs=1e-15)
    assert result.value == pytest.approx(5 / 9, abs=1e-15)


def test_each_grade_by_hand():
    ratings = Ratings.from_counts([[3, 0, 0], [0, 2, 1], [0, 1, 2]], (0, 1, 2))

    result = fleiss_kappa_by_grade(ratings)

    # grade 0: one item all, others none: kappa 1; grades 1, 2: P(A) = (1 + 1/3 + 1/3)/3 = 5/9, s = 1/3, P(E) = 5/9
    assert [result[grade].value for grade in (0, 1, 2)] == [1, 0, 0]
    assert result[2].convention == "pooled, grade shares of items with a judgement, grade 2 against the others"
    with_unused = fleiss_kappa_by_grade(Ratings.from_counts([[3, 0], [2, 0]], (0, 1)))
    assert [result.reason for result in with_unused.values()] == ["one_category", "one_category"]


def test_the_convention_names_the_items():
    ratings = Ratings.from_matrix(ROWS, (0, 1))

    assert fleiss_kappa(ratings).convention == "pooled, grade shares of items with a judgement"
    assert (
        gwet_ac(ratings, pi_items="ge2", weights="linear").convention
        == "Gwet's chance, linear weights, grade shares of items with two judgements"
    )
    assert brennan_prediger(ratings, pi_items="ge2").convention == "uniform chance 1/2"
    assert krippendorff_alpha(ratings, "ratio").convention.startswith("ratio level")


def test_n_counts_the_items_and_judgements_used():
    ratings = Ratings.from_matrix(ROWS, (0, 1), ("ann", "bob", "eve"))

    result = fleiss_kappa(ratings)
    assert (result.n, result.n_values, result.n_dropped, result.assessors) == (3, 9, 1, ("ann", "bob", "eve"))
    assert fleiss_kappa(ratings, pi_items="ge2").n_values == 8
    assert result.topics == ("",)


@pytest.mark.parametrize("function", [fleiss_kappa, gwet_ac, brennan_prediger])
def test_unknown_pi_items_are_refused(function):
    with pytest.raises(ValueError, match="pi_items must be one of ge1, ge2, pooled, not 'ge3'"):
        function(Ratings.from_matrix(ROWS, (0, 1)), pi_items="ge3")


@pytest.mark.parametrize("coefficient", MANY)
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "empty"),
        ([[]], "empty"),
        ([[None, None], [None, None], [None, None]], "empty"),
        ([[0, 1, None]], "one_assessor"),
        ([[0, None, None], [None, 1, None], [None, None, 1]], "no_overlap"),
        ([[0, 1], [None, None]], "no_overlap"),
    ],
)
def test_reasons(coefficient, rows, reason):
    result = coefficient(Ratings.from_matrix(rows, (0, 1)))

    assert (result.status, result.reason, result.value, result.n) == ("undefined", reason, None, 0)


@pytest.mark.parametrize("coefficient", KAPPAS)
def test_one_category(coefficient):
    result = coefficient(Ratings.from_matrix([[1, 1, None], [1, 1, 1], [1, None, None]], (0, 1)))

    assert (result.reason, result.n, result.n_dropped) == ("one_category", 2, 1)
    assert result.observed == (0 if coefficient is krippendorff_alpha else 1)


def test_one_constant_judge_is_defined():
    ratings = Ratings.from_matrix([[1, 1, 1], [1, 0, 1], [1, 1, 1]], (0, 1))

    assert all(coefficient(ratings).defined for coefficient in MANY)


@pytest.mark.parametrize(
    ("counts", "reasons"),
    [
        ([], ["empty", "empty"]),
        ([[0, 0]], ["empty", "empty"]),
        ([[1, 0], [0, 1]], ["no_overlap", "no_overlap"]),
        ([[2, 0], [3, 0]], ["one_category", "no_identities"]),
        ([[2, 1], [3, 0]], [None, "no_identities"]),
    ],
)
def test_reasons_of_anonymous_counts(counts, reasons):
    ratings = Ratings.from_counts(counts, (0, 1))

    assert [fleiss_kappa(ratings).reason, conger_kappa(ratings).reason] == reasons


def test_strings_have_an_order_but_no_values():
    ratings = Ratings.from_matrix([["no", "some", "yes"], ["no", "yes", "yes"]], ("no", "some", "yes"))

    assert krippendorff_alpha(ratings, "ordinal").defined
    assert fleiss_kappa(ratings, weights="linear").defined
    for level in ("interval", "ratio"):
        with pytest.raises(ValueError, match=f"level {level!r} needs numbers.*not 'no', 'some', 'yes'"):
            krippendorff_alpha(ratings, level)


def test_interval_and_ratio_use_values_and_ordinal_uses_positions():
    codes = np.array([[0, 1, 2, 2], [0, 1, 1, 2]])
    even, odd = Ratings(codes, (0, 1, 2)), Ratings(codes, (0, 1, 10))

    assert krippendorff_alpha(even, "ordinal").value == krippendorff_alpha(odd, "ordinal").value
    assert krippendorff_alpha(even, "interval").value != krippendorff_alpha(odd, "interval").value
    shifted = Ratings(codes, (5.5, 6.5, 7.5))
    assert krippendorff_alpha(even, "interval").value == krippendorff_alpha(shifted, "interval").value
    assert krippendorff_alpha(even, "ratio").value == krippendorff_alpha(Ratings(codes, (0, 2, 4)), "ratio").value
    with pytest.raises(ValueError, match="level 'ratio' needs numbers from 0"):
        krippendorff_alpha(Ratings(codes, ("low", "middle", "high")), "ratio")
    with pytest.raises(ValueError, match="level must be one of nominal, ordinal, interval, ratio, not 'linear'"):
        krippendorff_alpha(even, "linear")


def test_values_of_a_scale_are_read_as_written():
    ratings = Ratings.from_matrix([[0.1, 0.2, 0.3], [0.1, 0.3, 0.3]], (0.1, 0.2, 0.3))

    # differences in tenths: Do = 2 * 1 / 6; n = 2, 1, 3: De = 2 (2*1*1 + 2*3*4 + 1*3*1) / 30
    assert krippendorff_alpha(ratings, "interval").value == float(1 - Fraction(1, 3) / Fraction(58, 30))


def test_counts_too_large_for_floats_stay_exact():
    huge = 10**12
    ratings = Ratings.from_counts([[huge, 0], [0, huge], [1, 1]], (0, 1))

    # 2 of 3 items agree, the third disagrees: P(A) = 2/3, P(E) = 1/2
    assert fleiss_kappa(ratings).value == 1 / 3


@given(rows(n_grades=3, judges=(2, 4)))
def test_percent_agreement_is_the_mean_over_items_of_agreeing_pairs(data):
    ratings = Ratings.from_matrix(data, (0, 1, 2))
    shares = []
    for column in zip(*data, strict=True):
        given = [grade for grade in column if grade is not None]
        pairs = [(i, j) for i in range(len(given)) for j in range(i)]
        if pairs:
            shares.append(Fraction(sum(given[i] == given[j] for i, j in pairs), len(pairs)))

    result = percent_agreement(ratings)

    assert result.value == (float(sum(shares) / len(shares)) if shares else None)
