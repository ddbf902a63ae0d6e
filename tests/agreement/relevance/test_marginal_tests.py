"""McNemar, Stuart-Maxwell and Bhapkar: by hand, published, another implementation, properties, degenerate cases."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2, norm
from statsmodels.stats.contingency_tables import SquareTable
from statsmodels.stats.contingency_tables import mcnemar as other_mcnemar

from agreement import Ratings, bhapkar, mcnemar, stuart_maxwell

OF_TOTALS = [stuart_maxwell, bhapkar]
# Unaided vision of the left and the right eye of 7,477 women: Stuart (1955).
VISION = [[1520, 266, 124, 66], [234, 1512, 432, 78], [117, 362, 1772, 205], [36, 82, 179, 492]]

counts = st.integers(0, 40)
two_by_two = st.lists(st.lists(counts, min_size=2, max_size=2), min_size=2, max_size=2)
squares = st.integers(2, 5).flatmap(
    lambda k: st.lists(st.lists(st.integers(1, 40), min_size=k, max_size=k), min_size=k, max_size=k)
)


def random_tables(n=200):
    rng = np.random.default_rng(38)
    for _ in range(n):
        size = int(rng.integers(2, 7))
        yield rng.integers(1, 60, size=(size, size))


def test_exact_mcnemar_by_hand():
    test = mcnemar([[80, 10], [2, 20]])  # 2 of 12 items: (1 + 12 + 66) / 4096, doubled
    assert test.statistic == 2
    assert test.p == pytest.approx(2 * (1 + 12 + 66) / 4096, abs=1e-15)
    assert (test.df, test.n, test.n_disagreeing) == (None, 112, 12)


def test_mcnemar_with_and_without_correction_by_hand():
    assert mcnemar([[80, 10], [2, 20]], method="corrected").statistic == 49 / 12
    assert mcnemar([[80, 10], [2, 20]], method="uncorrected").statistic == 64 / 12


def test_correction_is_zero_for_equal_totals():
    test = mcnemar([[5, 3], [3, 5]], method="corrected")
    assert (test.statistic, test.p) == (0, 1)
    assert mcnemar([[5, 3], [3, 5]]).p == 1


def test_published_mcnemar():
    # A. Agresti (2002), Categorical Data Analysis, 2nd edition, section 10.1: z = -4.17 for 1,600 people
    test = mcnemar([[570, 86], [150, 794]], method="uncorrected")
    assert test.statistic**0.5 == pytest.approx(4.17, abs=0.005)


def test_stuart_maxwell_by_hand():
    # d = (12, 3, -15), and S of the first two grades = [[18, -13], [-13, 33]] with determinant 425
    expected = (33 * 12**2 + 2 * 13 * 12 * 3 + 18 * 3**2) / 425
    assert stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]]).statistic == pytest.approx(expected)


def test_published_vision_of_women():
    # Stuart (1955): 11.96; Bhapkar (1966): 11.98, both with 3 degrees of freedom
    assert round(stuart_maxwell(VISION).statistic, 2) == 11.96
    assert round(bhapkar(VISION).statistic, 2) == 11.98
    assert stuart_maxwell(VISION).df == bhapkar(VISION).df == 3


@pytest.mark.in_ci
def test_tests_of_totals_equal_those_of_statsmodels():
    for table in random_tables():
        other = SquareTable(table, shift_zeros=False)
        for test, name in ((stuart_maxwell, "stuart_maxwell"), (bhapkar, "bhapkar")):
            mine, expected = test(table), other.homogeneity(method=name)
            assert mine.statistic == pytest.approx(expected.statistic, rel=1e-9, abs=1e-9)
            assert mine.p == pytest.approx(expected.pvalue, abs=1e-9)
            assert mine.df == expected.df


def test_mcnemar_equals_that_of_statsmodels():
    rng = np.random.default_rng(7)
    for table in rng.integers(0, 40, size=(200, 2, 2)):
        if table[0, 1] == table[1, 0]:
            continue  # statsmodels then corrects a difference of 0 to -1
        for method, exact, correction in (
            ("exact", True, False),
            ("corrected", False, True),
            ("uncorrected", False, False),
        ):
            mine, other = mcnemar(table, method=method), other_mcnemar(table, exact=exact, correction=correction)
            assert mine.statistic == pytest.approx(other.statistic, abs=1e-9)
            assert mine.p == pytest.approx(other.pvalue, abs=1e-9)


@given(two_by_two)
def test_stuart_maxwell_of_two_grades_is_mcnemar_without_correction(table):
    mine, other = stuart_maxwell(table), mcnemar(table, method="uncorrected")
    assert mine.reason == other.reason
    if mine.defined:
        assert mine.statistic == pytest.approx(other.statistic)
        assert mine.p == pytest.approx(other.p)


@given(two_by_two)
def test_exact_p_is_the_sum_of_both_tails(table):
    test = mcnemar(table)
    if test.defined:
        n, less = test.n_disagreeing, int(test.statistic)
        expected = sum(comb(n, i) for i in range(n + 1) if i <= less or i >= n - less) / 2**n
        assert test.p == pytest.approx(expected, abs=1e-12)


@given(squares)
def test_tests_of_totals_do_not_depend_on_the_order_of_judges_or_grades(table):
    table = np.array(table)
    order = np.arange(len(table))[::-1]
    for test in OF_TOTALS:
        value = test(table).statistic
        assert test(table.T).statistic == pytest.approx(value, rel=1e-9, abs=1e-9)
        assert test(table[np.ix_(order, order)]).statistic == pytest.approx(value, rel=1e-9, abs=1e-9)


@given(squares)
def test_bhapkar_is_never_below_stuart_maxwell(table):
    x2, w, n = stuart_maxwell(table).statistic, bhapkar(table).statistic, np.sum(table)
    assert w >= x2
    assert w == pytest.approx(x2 / (1 - x2 / n))


@pytest.mark.parametrize("test", OF_TOTALS)
def test_grades_without_disagreement_are_left_out(test):
    three = [[20, 10, 5], [3, 30, 15], [0, 5, 40]]
    five = np.zeros((5, 5), int)
    five[np.ix_([0, 2, 4], [0, 2, 4])] = three
    five[1, 1] = 9
    wide, narrow = test(five), test(three)
    assert (wide.df, narrow.df) == (2, 2)
    assert wide.convention == "5 grades, 2 without disagreement left out"
    if test is stuart_maxwell:
        assert wide.statistic == pytest.approx(narrow.statistic)


@pytest.mark.parametrize("test", [*OF_TOTALS, mcnemar])
@pytest.mark.parametrize(("table", "reason"), [([[0, 0], [0, 0]], "no_overlap"), ([[5, 0], [0, 3]], "no_disagreement")])
def test_nothing_to_test(test, table, reason):
    result = test(table)
    assert (result.status, result.reason, result.statistic, result.p, result.df) == (
        "undefined",
        reason,
        None,
        None,
        None,
    )
    assert result.to_frame().loc[0, ["statistic", "p"]].isna().all()


@pytest.mark.parametrize("test", OF_TOTALS)
def test_groups_of_grades_that_are_never_confused_are_singular(test):
    assert test([[5, 2, 0, 0], [1, 5, 0, 0], [0, 0, 5, 3], [0, 0, 1, 5]]).reason == "singular"


def test_bhapkar_is_singular_if_all_items_differ_in_one_direction():
    table = [[0, 5], [0, 0]]
    assert stuart_maxwell(table).statistic == 5
    assert bhapkar(table).reason == "singular"
    assert bhapkar([[1, 5], [0, 0]]).statistic == pytest.approx(5 / (1 - 5 / 6))


def test_ratings_name_the_judges_and_count_what_is_dropped():
    ratings = Ratings([[0, 1, 1, 2, 0], [0, 0, 2, 0, -1]], (0, 1, 2), ("ada", "bob"))
    test = mcnemar(ratings, rel=1)
    assert (test.assessors, test.n, test.n_dropped, test.n_disagreeing) == (("ada", "bob"), 4, 1, 2)
    assert stuart_maxwell(ratings).n_disagreeing == 3
    assert stuart_maxwell(ratings, rel=1).convention == "relevant from grade 1"
    assert str(test) == (
        "mcnemar 0, p = 0.500, n = 4, 2 disagreeing, 1 dropped, exact, relevant from grade 1, 2 only a, 0 only b"
    )


@pytest.mark.parametrize("test", [*OF_TOTALS, mcnemar])
def test_ratings_without_two_judges(test):
    assert test(Ratings([[0, 1]], (0, 1))).reason == "one_assessor"
    assert test(Ratings(np.zeros((0, 0), int), (0, 1))).reason == "empty"
    assert test(Ratings.from_counts([[1, 1]], (0, 1))).reason == "no_identities"
    assert test(Ratings([[0, -1], [-1, 1]], (0, 1))).reason == "no_overlap"


def test_an_unknown_method_is_refused():
    with pytest.raises(ValueError, match="method must be one of exact, corrected, uncorrected, not 'yates'"):
        mcnemar([[1, 2], [3, 4]], method="yates")


def test_large_counts_do_not_overflow():
    test = stuart_maxwell([[10**12, 3 * 10**9], [3 * 10**9 + 10**5, 10**12]])
    assert test.statistic == pytest.approx(10**10 / (6 * 10**9 + 10**5))
    assert test.p == pytest.approx(chi2.sf(test.statistic, 1))
    exact = mcnemar([[10**12, 3 * 10**11], [3 * 10**11 + 10**6, 10**12]])
    assert exact.p == pytest.approx(2 * norm.cdf((-(10**6) + 1) / (6 * 10**11 + 10**6) ** 0.5), rel=1e-6)


def test_dictionary_has_every_field():
    assert mcnemar([[80, 10], [2, 20]]).to_dict() == {
        "test": "mcnemar",
        "statistic": 2.0,
        "df": None,
        "p": mcnemar([[80, 10], [2, 20]]).p,
        "n": 112,
        "n_disagreeing": 12,
        "n_dropped": 0,
        "assessors": [],
        "status": "ok",
        "reason": None,
        "convention": "exact, relevant from grade 1, 2 only a, 10 only b",
    }
