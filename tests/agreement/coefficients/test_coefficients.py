"""Agreement of two assessors: computed by hand, published, exact, and undefined."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import (
    Ratings,
    band,
    brennan_prediger,
    cohen_kappa,
    gwet_ac,
    kappa_from_proportions,
    percent_agreement,
    pooled_kappa,
)
from tests.oracles import oracle

TEXTBOOK = {case["id"]: case for case in oracle("textbook")["cases"]}


def tables(least=0):
    sizes = st.integers(2, 5)
    counts = st.integers(least, 40)
    return sizes.flatmap(
        lambda size: st.lists(st.lists(counts, min_size=size, max_size=size), min_size=size, max_size=size)
    )


def test_by_hand():
    # P(A) = (2 + 3) / 8 = 5/8; rows 3, 5; columns 4, 4
    # pooled: shares 7/16 and 9/16, P(E) = 130/256; (160 - 130) / (256 - 130) = 30/126 = 5/21
    # unpooled: P(E) = (3*4 + 5*4) / 64 = 1/2; (5/8 - 1/2) / (1/2) = 1/4
    table = [[2, 1], [2, 3]]

    assert percent_agreement(table).value == 5 / 8
    assert pooled_kappa(table).value == 5 / 21
    assert cohen_kappa(table).value == 1 / 4
    assert cohen_kappa(table).expected == 1 / 2
    assert pooled_kappa(table).n == 8


def test_published_table_of_two_judges():
    case = TEXTBOOK["iir-table8.2"]
    table, want = case["given"]["table"], case["want"]

    assert percent_agreement(table).value == float(Fraction(want["observed"]))
    assert pooled_kappa(table).value == float(Fraction(want["pooled_kappa"]))
    assert pooled_kappa(table).expected == float(Fraction(want["pooled_expected"]))
    assert cohen_kappa(table).value == float(Fraction(want["unpooled_kappa"]))
    assert cohen_kappa(table).expected == float(Fraction(want["unpooled_expected"]))


def test_published_exercise_with_two_judges():
    case = TEXTBOOK["iir-ex8.10"]
    ratings = Ratings.from_matrix([case["given"]["judge1"], case["given"]["judge2"]], (0, 1), axis="assessors")

    assert pooled_kappa(ratings).value == float(Fraction(case["want"]["kappa_pooled"]))
    assert cohen_kappa(ratings).value == float(Fraction(case["want"]["kappa_unpooled"]))


def test_published_proportions():
    case = TEXTBOOK["rug-kappa"]
    given_ = case["given"]
    stated = (given_["observed"], given_["judge_A_nonrelevant"], given_["judge_B_nonrelevant"])

    for chance in ("pooled", "unpooled"):
        kappa = kappa_from_proportions(*stated, chance=chance)
        assert kappa.value == float(Fraction(case["want"][f"{chance}_kappa"]))
        assert kappa.expected == float(Fraction(case["want"][f"{chance}_expected"]))
        assert kappa.n is None


def test_proportions_of_more_grades_and_as_fractions():
    # P(E) = 1/3 * 1/2 + 1/3 * 1/4 + 1/3 * 1/4 = 1/3; (1/2 - 1/3) / (2/3) = 1/4
    kappa = kappa_from_proportions("1/2", ("1/3", "1/3", "1/3"), (0.5, 0.25, 0.25))

    assert kappa.value == 1 / 4


@pytest.mark.parametrize(
    "arguments",
    [(1.2, 0.5, 0.5), (0.5, -0.1, 0.5), (0.5, (0.5, 0.4), 0.5), (0.5, (0.2, 0.3, 0.5), 0.5), (0.5, 0.5, 0.5, "x")],
)
def test_invalid_proportions_are_refused(arguments):
    with pytest.raises(ValueError, match=r"proportion|sum to 1|same scale|chance"):
        kappa_from_proportions(*arguments)


def test_proportions_with_chance_agreement_1_are_undefined():
    assert kappa_from_proportions(1, 1, 1).reason == "one_category"


def test_published_bands():
    case = TEXTBOOK["bands"]

    assert [band(value) for value in case["given"]["kappa"]] == case["want"]["bands"]
    assert band(None) is None


@given(tables())
def test_an_unused_grade_does_not_change_the_value(table):
    wider = np.pad(np.array(table), (0, 1))

    for kappa in (pooled_kappa, cohen_kappa, percent_agreement):
        assert kappa(table).value == kappa(wider).value


@given(tables(least=1))
def test_the_value_is_the_float_of_the_exact_fraction(table):
    n = sum(map(sum, table))
    rows, columns = [sum(row) for row in table], [sum(column) for column in zip(*table, strict=True)]
    observed = Fraction(sum(table[k][k] for k in range(len(table))), n)
    expected = sum(Fraction(r * c, n * n) for r, c in zip(rows, columns, strict=True))

    assert cohen_kappa(table).value == float((observed - expected) / (1 - expected))


def test_huge_counts_do_not_overflow():
    assert cohen_kappa([[10**17, 0], [0, 10**17]]).value == 1
    assert pooled_kappa([[0, 10**17], [10**17, 0]]).value == -1


@pytest.mark.parametrize("kappa", [pooled_kappa, cohen_kappa])
class TestUndefined:
    def test_one_category(self, kappa):
        estimate = kappa([[0, 0], [0, 7]])

        assert (estimate.value, estimate.reason, estimate.observed, estimate.n) == (None, "one_category", 1, 7)
        assert estimate.band is None
        assert "undefined (one category)" in str(estimate)

    def test_no_overlap(self, kappa):
        assert kappa([[0, 0], [0, 0]]).reason == "no_overlap"
        ratings = Ratings.from_matrix([[0, 1, None], [None, None, 1]], (0, 1), axis="assessors")
        assert (kappa(ratings).reason, kappa(ratings).n, kappa(ratings).n_dropped) == ("no_overlap", 0, 3)

    def test_an_idle_assessor_overlaps_with_nobody(self, kappa):
        assert kappa(Ratings.from_matrix([[0, 1], [None, None]], (0, 1), axis="assessors")).reason == "no_overlap"

    def test_one_assessor(self, kappa):
        assert kappa(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors")).reason == "one_assessor"

    def test_empty(self, kappa):
        assert kappa(Ratings.from_matrix([], (0, 1), axis="assessors")).reason == "empty"
        assert kappa(Ratings.from_matrix([[None], [None]], (0, 1), axis="assessors")).reason == "empty"

    def test_one_constant_assessor_is_defined(self, kappa):
        assert kappa([[5, 3], [0, 0]]).defined

    def test_one_item(self, kappa):
        assert kappa([[1, 0], [0, 0]]).reason == "one_category"
        assert kappa([[0, 1], [0, 0]]).defined


@pytest.mark.parametrize("coefficient", [brennan_prediger, gwet_ac])
class TestChanceByTheScale:
    def test_one_category_is_defined(self, coefficient):
        assert coefficient([[0, 0], [0, 7]]).value == 1
        assert coefficient(Ratings.from_matrix([[1, 1], [1, 1], [None, 1]], (0, 1), axis="assessors")).value == 1

    def test_a_table_of_one_grade_leaves_nothing_to_chance(self, coefficient):
        assert coefficient([[7]]).reason == "one_category"

    @pytest.mark.parametrize(
        ("rows", "reason"),
        [
            ([], "empty"),
            ([[None], [None]], "empty"),
            ([[0, 1]], "one_assessor"),
            ([[0, None], [None, 1]], "no_overlap"),
            ([[0, 1], [None, None]], "no_overlap"),
        ],
    )
    def test_reasons(self, coefficient, rows, reason):
        ratings = Ratings.from_matrix(rows, (0, 1), axis="assessors")

        assert coefficient(ratings).reason == reason
        if len(rows) == 2:
            assert coefficient(ratings, "1", "2").reason == reason


def test_gwets_chance_by_hand():
    # s = 7/16, 9/16; P(E) = 2 s (1 - s) = 126/256; (160 - 126) / (256 - 126) = 34/130
    assert gwet_ac([[2, 1], [2, 3]]).value == 34 / 130
    # linear weights of three grades: sum 5; s = 3/8, 2/8, 3/8; P(E) = 5/6 * (15 + 12 + 15)/64 = 35/64
    # P(A) = (2 + 1/2 + 1) / 4 = 7/8; (56 - 35) / (64 - 35)
    assert gwet_ac([[1, 1, 0], [0, 0, 0], [0, 1, 1]], weights="linear").expected == 35 / 64
    assert gwet_ac([[1, 1, 0], [0, 0, 0], [0, 1, 1]], weights="linear").convention == "Gwet's chance, linear weights"


def test_uniform_chance_by_hand():
    # P(A) = 5/8, 1/2 by chance: (5/8 - 1/2) / (1/2) = 1/4
    assert brennan_prediger([[2, 1], [2, 3]]).value == 1 / 4
    assert brennan_prediger([[2, 1], [2, 3]]).convention == "uniform chance 1/2"


def test_a_pair_and_all_judges_use_common_items():
    ratings = Ratings.from_matrix([[0, 1, 1, 1], [0, 1, 0, None]], (0, 1), axis="assessors")

    assert gwet_ac(ratings, "1", "2").value == gwet_ac(ratings.table("1", "2")).value == gwet_ac(ratings).value
    # s = (1 + 1/2)/3 = 1/2, so P(E) = 1/2; with the fourth item s = (1 + 1/2 + 1)/4 = 5/8 and P(E) = 2 * 3/8 * 5/8
    assert gwet_ac(ratings).expected == 1 / 2
    assert gwet_ac(ratings, pi_items="ge1").expected == 30 / 64
    assert gwet_ac(ratings).n_dropped == 1


def test_only_kappas_have_a_band():
    table = [[90, 10], [10, 90]]

    assert [f(table).band for f in (pooled_kappa, cohen_kappa)] == ["fair", "fair"]
    assert [f(table).band for f in (percent_agreement, brennan_prediger, gwet_ac)] == [None, None, None]


def test_counts_do_not_identify_judges():
    ratings = Ratings.from_counts([[1, 1], [0, 2]], (0, 1))

    assert cohen_kappa(ratings).reason == pooled_kappa(ratings).reason == "no_identities"
    assert percent_agreement(ratings).value == 1 / 2


def test_percent_agreement_of_one_assessor_is_undefined():
    assert percent_agreement(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors")).reason == "one_assessor"
    assert percent_agreement([[4, 0], [0, 0]]).value == 1


def test_pairs_use_only_common_items():
    ratings = Ratings.from_matrix([[0, 0, 1, 1, None], [0, 1, 1, None, 0]], (0, 1), ("ann", "bob"), axis="assessors")

    estimate = cohen_kappa(ratings)

    # jointly judged: (0, 0), (0, 1), (1, 1); rows 2, 1; columns 1, 2; P(E) = 4/9; (2/3 - 4/9) / (5/9) = 2/5
    assert estimate.value == 2 / 5
    assert (estimate.n, estimate.n_dropped, estimate.assessors) == (3, 2, ("ann", "bob"))


def test_two_of_three_assessors_must_be_named():
    ratings = Ratings.from_matrix([[0, 1], [0, 1], [1, 1]], (0, 1), ("ann", "bob", "eve"), axis="assessors")

    assert cohen_kappa(ratings, "ann", "eve").assessors == ("ann", "eve")
    with pytest.raises(ValueError, match="Name two of the assessors ann, bob, eve"):
        cohen_kappa(ratings)
    with pytest.raises(ValueError, match="Name two"):
        cohen_kappa(ratings, "ann")


@pytest.mark.parametrize("table", [[[1, 2]], [1, 2], [[1, -1], [0, 1]], [[0.5, 1], [1, 1]], [["1", "2"], ["3", "4"]]])
def test_an_invalid_table_is_refused(table):
    with pytest.raises(ValueError, match="A table must"):
        cohen_kappa(table)
