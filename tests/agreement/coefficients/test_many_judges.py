"""Coefficients of any number of judges: computed by hand, exact, and undefined."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from agreement import (
    Ratings,
    brennan_prediger,
    cohen_kappa,
    conger_kappa,
    fleiss_kappa,
    fleiss_kappa_by_grade,
    gwet_ac,
    krippendorff_alpha,
    percent_agreement,
    pooled_kappa,
)
from agreement.reports.agreement_summary import with_interval
from tests.agreement.random_ratings import rows

MANY = [percent_agreement, fleiss_kappa, conger_kappa, brennan_prediger, gwet_ac, krippendorff_alpha]
KAPPAS = [fleiss_kappa, conger_kappa, krippendorff_alpha]
# items: 0 0 0, 0 0 1, 1 1, and one judgement of 1
ROWS = [[0, 0, 1, None], [0, 0, 1, 1], [0, 1, None, None]]


def test_by_hand():
    ratings = Ratings.from_matrix(ROWS, (0, 1), axis="assessors")

    # P(A) = (1 + 1/3 + 1) / 3 = 7/9
    assert percent_agreement(ratings).value == 7 / 9
    # s_1 = (0 + 1/3 + 1) / 3 = 4/9; P(E) = (25 + 16) / 81; (63 - 41) / (81 - 41) = 22/40
    assert fleiss_kappa(ratings).value == fleiss_kappa(ratings, pi_items="ge2").value == 22 / 40
    # ge1: s_1 = (0 + 1/3 + 1 + 1) / 4 = 7/12; P(E) = (25 + 49) / 144; (112 - 74) / (144 - 74) = 38/70
    assert fleiss_kappa(ratings, pi_items="ge1").value == 38 / 70
    # pooled: s_1 = 4/9 too
    assert fleiss_kappa(ratings, pi_items="pooled").value == 22 / 40
    # uniform: (7/9 - 1/2) / (1/2) = 5/9
    assert brennan_prediger(ratings).value == 5 / 9
    # Gwet: P(E) = 2 * 4/9 * 5/9 = 40/81; (63 - 40) / (81 - 40) = 23/41
    assert gwet_ac(ratings).value == 23 / 41
    # ge1: P(E) = 2 * 5/12 * 7/12 = 70/144; (112 - 70) / (144 - 70) = 42/74
    assert gwet_ac(ratings, pi_items="ge1").value == 42 / 74


def test_alpha_by_hand():
    # pairable: 000, 001, 11, so n_0 = 5, n_1 = 3, n = 8; pairs that differ: 4 / (3 - 1) = 2
    # Do = 2/8, De = 2 * 5 * 3 / (8 * 7) = 30/56; alpha = 1 - (1/4)(56/30) = 8/15
    result = krippendorff_alpha(Ratings.from_matrix(ROWS, (0, 1), axis="assessors"))

    assert result.value == 8 / 15
    assert (result.observed, result.expected) == (1 / 4, 30 / 56)
    assert (result.n, result.n_values, result.n_dropped) == (3, 8, 1)


def test_conger_by_hand():
    # shares of 1 in the first three items: 1/3, 1/3, 1/2; pairs: 1/9 + 4/9 = 5/9, and twice 1/6 + 2/6 = 1/2
    # P(E) = (5/9 + 1/2 + 1/2) / 3 = 14/27; (21/27 - 14/27) / (13/27) = 7/13
    result = conger_kappa(Ratings.from_matrix(ROWS, (0, 1), axis="assessors"))

    assert result.expected == pytest.approx(14 / 27, abs=1e-15)
    assert result.value == pytest.approx(7 / 13, abs=1e-15)
    assert result.convention == "unpooled, each judge's grades of items with two or more judgements"


def test_conger_with_all_items_of_each_judge_by_hand():
    # shares of 1: 1/3 (of 3 items), 2/4, 1/2; pairs: 1/3*1/2 + 2/3*1/2 = 1/2 each way, and 1/2: P(E) = 1/2
    # (7/9 - 1/2) / (1/2) = 5/9
    result = conger_kappa(Ratings.from_matrix(ROWS, (0, 1), axis="assessors"), pi_items="ge1")

    assert result.expected == pytest.approx(1 / 2, abs=1e-15)
    assert result.value == pytest.approx(5 / 9, abs=1e-15)
    assert result.convention == "unpooled, each judge's grades of all their items"


def test_each_grade_by_hand():
    ratings = Ratings.from_counts([[3, 0, 0], [0, 2, 1], [0, 1, 2]], (0, 1, 2))

    result = fleiss_kappa_by_grade(ratings)

    # grade 0: one item all, others none: kappa 1; grades 1, 2: P(A) = (1 + 1/3 + 1/3)/3 = 5/9, s = 1/3, P(E) = 5/9
    assert [result[grade].value for grade in (0, 1, 2)] == [1, 0, 0]
    assert (
        result[2].convention == "pooled, grade shares of items with two or more judgements, grade 2 against the others"
    )
    with_unused = fleiss_kappa_by_grade(Ratings.from_counts([[3, 0], [2, 0]], (0, 1)))
    assert [result.reason for result in with_unused.values()] == ["one_category", "one_category"]


def test_the_convention_names_the_items():
    ratings = Ratings.from_matrix(ROWS, (0, 1), axis="assessors")

    assert fleiss_kappa(ratings, pi_items="ge1").convention == "pooled, grade shares of items with a judgement"
    assert (
        gwet_ac(ratings, weights="linear").convention
        == "Gwet's chance, linear weights, grade shares of items with two or more judgements"
    )
    assert brennan_prediger(ratings).convention == "uniform chance 1/2"
    assert krippendorff_alpha(ratings, "ratio").convention.startswith("ratio level")


def test_n_counts_the_items_and_judgements_used():
    ratings = Ratings.from_matrix(ROWS, (0, 1), ("ann", "bob", "eve"), axis="assessors")

    result = fleiss_kappa(ratings)
    assert (result.n, result.n_values, result.n_dropped, result.assessors) == (3, 8, 1, ("ann", "bob", "eve"))
    assert fleiss_kappa(ratings, pi_items="ge1").n_values == 9
    assert (conger_kappa(ratings).n_values, conger_kappa(ratings, pi_items="ge1").n_values) == (8, 9)
    assert result.topics == ("",)


@pytest.mark.parametrize("function", [fleiss_kappa, gwet_ac, brennan_prediger])
def test_unknown_pi_items_are_refused(function):
    with pytest.raises(ValueError, match="pi_items must be one of ge2, ge1, pooled, not 'ge3'"):
        function(Ratings.from_matrix(ROWS, (0, 1), axis="assessors"), pi_items="ge3")


def test_shares_of_all_judgements_are_not_those_of_a_judge():
    with pytest.raises(ValueError, match="pi_items must be one of ge2, ge1, not 'pooled'"):
        conger_kappa(Ratings.from_matrix(ROWS, (0, 1), axis="assessors"), pi_items="pooled")


def test_the_minima_by_hand():
    # all judgements differ: n_0 = n_1 = 2, N = 4; Do = 1, De = 2 * 2 * 2 / (4 * 3) = 2/3; alpha = 1 - 3/2 = -1 + 2/4
    opposite = Ratings.from_matrix([[0, 1], [1, 0]], (0, 1), axis="assessors")
    assert [krippendorff_alpha(opposite, level).value for level in ("nominal", "ordinal", "interval")] == [-1 / 2] * 3
    assert [each(opposite).value for each in (fleiss_kappa, conger_kappa, gwet_ac, brennan_prediger)] == [-1] * 4
    # three grades, each used equally: P(E) = 3 * 1/3 * 2/3 / 2 = 1/3; AC1 = -1/3 / (2/3) = -1/(K - 1)
    around = Ratings.from_matrix([[0, 1, 2], [1, 2, 0]], (0, 1, 2), axis="assessors")
    assert gwet_ac(around).value == brennan_prediger(around).value == -1 / 2
    # five grades, quadratic weights: T = 25 - 100/16 = 18.75, P(E) = 3/4; -3/4 / (1/4) = -3
    furthest = Ratings.from_matrix([[0, 4], [4, 0]], (0, 1, 2, 3, 4), axis="assessors")
    assert brennan_prediger(furthest, weights="quadratic").value == -3
    # AC2: P(E) = 18.75 / 20 * 1/2 = 15/32; -15/17, above -T / (K^2 - T) = -3
    assert gwet_ac(furthest, weights="quadratic").value == -15 / 17
    # custom weights of two groups, (0, 1) and (2, 3): only grades of one group differ. P(A) = 0, P(E) = 3/4
    groups = [[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 1]]
    within = Ratings.from_matrix([[0, 1, 2, 3], [1, 0, 3, 2]], (0, 1, 2, 3), axis="assessors")
    assert fleiss_kappa(within, weights=groups).value == cohen_kappa(within, weights=groups).value == -3


def with_a_judge_of_everything():
    """Four documents of two judges, 11, 11, 00 and 01, and 96 more of the first judge, three of them relevant."""
    model, ann = [1, 1, 0, 0] + 3 * [1] + 93 * [0], [1, 1, 0, 1] + 96 * [None]
    return Ratings.from_matrix([model, ann], (0, 1), ("model", "ann"), axis="assessors")


def test_a_judge_of_everything_does_not_change_the_agreement():
    ratings, shared = with_a_judge_of_everything(), with_a_judge_of_everything().shared

    # P(A) = 3/4; shares of 1: 5/8; pooled P(E) = (25 + 9) / 64, kappa = (48 - 34) / (64 - 34) = 14/30
    assert fleiss_kappa(ratings).value == fleiss_kappa(shared).value == 14 / 30
    # Gwet: P(E) = 2 * 15/64, (48 - 30) / (64 - 30) = 18/34; Conger = Cohen: P(E) = (2 * 3 + 2 * 1) / 16 = 1/2
    assert gwet_ac(ratings).value == 18 / 34
    assert conger_kappa(ratings).value == cohen_kappa(ratings).value == 1 / 2
    for coefficient in MANY:
        estimate = coefficient(ratings)
        assert (estimate.value, estimate.warnings) == (coefficient(shared).value, ())
        assert (estimate.n, estimate.n_dropped) == (4, 96)


def test_the_error_under_chance_is_that_of_the_documents_of_two_judges():
    ratings = with_a_judge_of_everything()

    # two grades and two judgements of each of n documents: the variance is 2 / (2 n) = 1/4
    assert fleiss_kappa(ratings).interval("analytic").se_null == pytest.approx(1 / 2, abs=1e-15)
    for estimate in fleiss_kappa_by_grade(ratings).values():
        assert estimate.interval("analytic").se_null == pytest.approx(1 / 2, abs=1e-15)
    # irrCAC's convention uses documents of one judgement too, for which the formula does not hold
    assert fleiss_kappa(ratings, pi_items="ge1").interval("analytic").se_null is None


def with_other_judges_of_one_document():
    """Two judges who differ on 100 documents, always in the same way, and 20 others who give 0 to one document."""
    codes = np.full((22, 101), -1)
    codes[0, :100], codes[1, :100], codes[2:, 100] = 0, 1, 0
    return Ratings(codes, (0, 1))


def test_conger_below_minus_one_has_a_warning():
    # P(A) = 1/101; of 231 pairs of judges, the 21 with the second judge never agree by chance, the others always:
    # P(E) = 210/231 = 10/11; (1/101 - 10/11) / (1/11) = -999/101 = -9.89
    ratings = with_other_judges_of_one_document()
    sentence = "Conger's kappa is below -1, which is possible because the judges judged different documents"

    result = conger_kappa(ratings)
    assert (result.value, result.warnings) == (pytest.approx(-999 / 101), (sentence,))
    assert sentence in str(result)
    assert sentence in conger_kappa(ratings).interval("jackknife").warnings
    # from -1 on, or if everyone judged the same items, there is none
    assert conger_kappa(Ratings.from_matrix([[0, 1], [1, 0]], (0, 1), axis="assessors")).warnings == ()
    groups = [[1, 0, 1, 1], [0, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 1]]
    within = conger_kappa(
        Ratings.from_matrix([[0, 1, 2, 3], [1, 0, 3, 2]], (0, 1, 2, 3), axis="assessors"), weights=groups
    )
    assert (within.value, within.warnings) == (pytest.approx(-3), ())


@given(rows(judges=(2, 5)))
def test_conger_has_a_warning_exactly_below_minus_one(data):
    result = conger_kappa(Ratings.from_matrix(data, (0, 1, 2), axis="assessors"))

    assert bool(result.warnings) == (result.defined and result.value < -1 - 1e-12)


@pytest.mark.parametrize("interval", ["default", "analytic", "bootstrap", "bootstrap_t"])
@pytest.mark.parametrize("coefficient", MANY)
def test_a_third_judge_who_judges_alone_changes_nothing(coefficient, interval):
    rows = [[0, 0, 1, 1, 0, 1, None], [0, 1, 1, 1, 0, 0, None]]
    of_two = Ratings.from_matrix(rows, (0, 1), axis="assessors")
    of_three = Ratings.from_matrix([*rows, [None] * 6 + [1]], (0, 1), axis="assessors")
    first, second = (coefficient(ratings).interval(interval, seed=1) for ratings in (of_two, of_three))

    assert (first.value, first.low, first.high) == (second.value, second.low, second.high)
    assert first.warnings == second.warnings


@pytest.mark.parametrize("coefficient", [percent_agreement, fleiss_kappa, brennan_prediger, gwet_ac])
def test_all_judges_have_the_warnings_of_two_if_only_two_judged(coefficient):
    """One judge used grade 1 three times, the other five times."""
    ratings = Ratings.from_matrix(
        [[1, 1, 1] + 9 * [0], [1, 1, 1, 1, 1] + 7 * [0], 12 * [None]], (0, 1), axis="assessors"
    )
    of_two = pooled_kappa if coefficient is fleiss_kappa else coefficient
    warnings = of_two(ratings, "1", "2").interval("analytic").warnings

    assert "used fewer than 5 times by a judge: grade 1" in warnings
    assert coefficient(ratings).interval("analytic").warnings == warnings


def test_the_convention_of_irrcac_has_a_warning():
    ratings = with_a_judge_of_everything()

    # s_1 = (1 + 1 + 1/2 + 3) / 100 = 0.055; P(E) = 0.055^2 + 0.945^2 = 0.89605; (0.75 - 0.89605) / 0.10395
    fleiss = fleiss_kappa(ratings, pi_items="ge1")
    assert fleiss.value == pytest.approx((0.75 - 0.89605) / 0.10395)
    assert f"{fleiss.value:.3f}" == "-1.405"
    # P(E) = 1 - 0.89605 = 0.10395; (0.75 - 0.10395) / 0.89605
    assert f"{gwet_ac(ratings, pi_items='ge1').value:.3f}" == "0.721"
    # shares of 1: 5/100 and 3/4; P(E) = 0.05 * 0.75 + 0.95 * 0.25 = 0.275; (0.75 - 0.275) / 0.725
    assert f"{conger_kappa(ratings, pi_items='ge1').value:.3f}" == "0.655"
    moved = "P(E) includes 96 items with one judgement, which can move the value"
    for coefficient in (fleiss_kappa, gwet_ac, conger_kappa):
        sentence = f"{moved} below its minimum" if coefficient is fleiss_kappa else moved
        for interval in (None, "analytic", "jackknife", "bootstrap"):
            seed = 1 if interval == "bootstrap" else None
            assert sentence in with_interval(coefficient(ratings, pi_items="ge1"), interval, seed).warnings
            assert sentence not in with_interval(coefficient(ratings), interval, seed).warnings
    assert fleiss_kappa(ratings.shared, pi_items="ge1").warnings == ()


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
    result = coefficient(Ratings.from_matrix(rows, (0, 1), axis="assessors"))

    assert (result.status, result.reason, result.value, result.n) == ("undefined", reason, None, 0)


@pytest.mark.parametrize("coefficient", KAPPAS)
def test_one_category(coefficient):
    result = coefficient(Ratings.from_matrix([[1, 1, None], [1, 1, 1], [1, None, None]], (0, 1), axis="assessors"))

    assert (result.reason, result.n, result.n_dropped) == ("one_category", 2, 1)
    assert result.observed == (0 if coefficient is krippendorff_alpha else 1)


def test_one_constant_judge_is_defined():
    ratings = Ratings.from_matrix([[1, 1, 1], [1, 0, 1], [1, 1, 1]], (0, 1), axis="assessors")

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
    ratings = Ratings.from_matrix(
        [["no", "some", "yes"], ["no", "yes", "yes"]], ("no", "some", "yes"), axis="assessors"
    )

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
    ratings = Ratings.from_matrix([[0.1, 0.2, 0.3], [0.1, 0.3, 0.3]], (0.1, 0.2, 0.3), axis="assessors")

    # differences in tenths: Do = 2 * 1 / 6; n = 2, 1, 3: De = 2 (2*1*1 + 2*3*4 + 1*3*1) / 30
    assert krippendorff_alpha(ratings, "interval").value == float(1 - Fraction(1, 3) / Fraction(58, 30))


def test_counts_too_large_for_floats_stay_exact():
    huge = 10**12
    ratings = Ratings.from_counts([[huge, 0], [0, huge], [1, 1]], (0, 1))

    # 2 of 3 items agree, the third disagrees: P(A) = 2/3, P(E) = 1/2
    assert fleiss_kappa(ratings).value == 1 / 3


@given(rows(n_grades=3, judges=(2, 4)))
def test_percent_agreement_is_the_mean_over_items_of_agreeing_pairs(data):
    ratings = Ratings.from_matrix(data, (0, 1, 2), axis="assessors")
    shares = []
    for column in zip(*data, strict=True):
        given = [grade for grade in column if grade is not None]
        pairs = [(i, j) for i in range(len(given)) for j in range(i)]
        if pairs:
            shares.append(Fraction(sum(given[i] == given[j] for i, j in pairs), len(pairs)))

    result = percent_agreement(ratings)

    assert result.value == (float(sum(shares) / len(shares)) if shares else None)
