"""Relevant sets of judges: overlap, precision and recall, specific agreement, and the effect of totals on kappa."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement import (
    Ratings,
    bias_index,
    cohen_kappa,
    cross_precision_recall,
    kappa_maximum,
    negative_agreement,
    overlap,
    pairwise_relevance,
    percent_agreement,
    pooled_kappa,
    positive_agreement,
    prevalence_index,
)
from tests.oracles import oracle

PAIR_VIEWS = [overlap, positive_agreement, negative_agreement, prevalence_index, bias_index, kappa_maximum]
SETS = oracle("golds_and_pools")["combine_qrels"]

cells = st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(any)
grade = st.sampled_from([0, 1, 2, None])
matrices = st.integers(1, 8).flatmap(
    lambda n: st.lists(st.lists(grade, min_size=n, max_size=n), min_size=2, max_size=5)
)


def table(neither, only_b, only_a, both):
    """Rows are the grades of a, columns those of b, the lower grade first."""
    return [[neither, only_b], [only_a, both]]


def sets(rows, rel):
    """The items that all judged, and the relevant ones of each judge; a direct reference of the two-by-two table."""
    items = [item for item, grades in enumerate(zip(*rows, strict=True)) if None not in grades]
    return items, [{item for item in items if row[item] >= rel} for row in rows]


# by hand


def test_by_hand():
    # 400 documents, 300 relevant to both, 20 to the first only, 10 to the second only, 70 to neither
    iir = table(70, 10, 20, 300)

    assert overlap(iir).value == 300 / 330
    assert cross_precision_recall(iir).precision.value == 300 / 320
    assert cross_precision_recall(iir).recall.value == 300 / 310
    assert positive_agreement(iir).value == 600 / 630
    assert negative_agreement(iir).value == 140 / 170
    assert prevalence_index(iir).value == 230 / 400
    assert bias_index(iir).value == 10 / 400
    # totals 320, 80 and 310, 90: highest P(A) (310 + 80) / 400 = 0.975, P(E) 0.665, 0.31 / 0.335 = 62/67
    assert kappa_maximum(iir).value == pytest.approx(62 / 67, abs=1e-15)
    # pooled P(E) 0.6653125: 0.3096875 / 0.3346875
    assert kappa_maximum(iir, chance="pooled").value == pytest.approx(0.3096875 / 0.3346875, abs=1e-15)


def test_rel_cuts_a_table_of_grades():
    graded = [[4, 1, 0], [2, 3, 1], [0, 1, 5]]

    # relevant from 1: both 3 + 1 + 1 + 5, first only 2 + 0, second only 1 + 0, neither 4
    assert overlap(graded, rel=1).value == 10 / 13
    # relevant from 2: both 5, first only 0 + 1, second only 0 + 1
    assert overlap(graded, rel=2).value == 5 / 7
    assert kappa_maximum(graded, rel=2).value == 1
    # all grades: rows 5, 6, 6, columns 6, 5, 6: highest 16/17, P(E) (30 + 30 + 36) / 289
    assert kappa_maximum(graded).value == pytest.approx((16 / 17 - 96 / 289) / (1 - 96 / 289), abs=1e-15)


def test_an_estimate_states_its_n_and_convention():
    ratings = Ratings.from_matrix([[2, 1, 0, 0, None], [1, 2, 2, None, 0]], (0, 1, 2), ("ann", "bob"), axis="assessors")

    result = overlap(ratings, rel=2)

    assert (result.value, result.n, result.n_dropped, result.assessors) == (0, 3, 2, ("ann", "bob"))
    assert str(result) == "overlap 0.000, n = 3, 2 dropped, relevant from grade 2, 0 of 3"
    assert "relevant from grade 1, 2 of 3" in str(overlap(ratings, rel=1))


def test_all_judges_together():
    rows = [[1, 1, 0, 0, 1], [1, 0, 1, 0, None], [1, 1, 1, 0, 1]]
    ratings = Ratings.from_matrix(rows, (0, 1), ("ann", "bob", "eve"), axis="assessors")

    result = overlap(ratings)

    # of the four that all judged, the first is relevant to all, the first three to at least one judge
    assert (result.value, result.n, result.n_dropped) == (1 / 3, 4, 1)
    assert result.assessors == ("ann", "bob", "eve")


def test_idle_assessors_are_not_compared():
    ratings = Ratings.from_matrix([[1, 0], [1, 1], [None, None]], (0, 1), ("ann", "bob", "eve"), axis="assessors")

    assert (overlap(ratings).value, overlap(ratings).assessors) == (1 / 2, ("ann", "bob"))


# published


@pytest.mark.parametrize(("name", "pair"), [("overlap_01", "ab"), ("overlap_02", "ac"), ("overlap_12", "bc")])
def test_worked_overlaps(name, pair):
    ratings = Ratings.from_matrix(
        list(zip(*SETS["labels"].values(), strict=True)), (0, 1, 2), ("a", "b", "c"), axis="assessors"
    )

    assert overlap(ratings, *pair, rel=SETS["threshold"]).value == float(Fraction(SETS[name]))
    assert overlap(ratings, rel=SETS["threshold"]).value == float(Fraction(SETS["overlap_all"]))


@pytest.mark.parametrize(
    ("counts", "kappa", "positive", "negative"),
    [(table(45, 6, 9, 40), 0.70, 0.84, 0.86), (table(5, 5, 10, 80), 0.32, 0.91, 0.40)],
)
def test_published_high_agreement_but_low_kappa(counts, kappa, positive, negative):
    """A. R. Feinstein and D. V. Cicchetti (1990), J. Clin. Epidemiol. 43, 543-549, and part II, 551-558."""
    assert round(cohen_kappa(counts).value, 2) == kappa
    assert round(positive_agreement(counts).value, 2) == positive
    assert round(negative_agreement(counts).value, 2) == negative


# oracle


@pytest.mark.parametrize("rel", [1, 2])
@given(rows=matrices)
def test_values_equal_those_of_python_sets(rows, rel):
    ratings = Ratings.from_matrix(rows, (0, 1, 2), axis="assessors")
    items, (a, b) = sets(rows[:2], rel)

    views = {view: view(ratings, "1", "2", rel=rel) for view in PAIR_VIEWS}
    crossed = cross_precision_recall(ratings, "1", "2", rel=rel)

    assert {result.n for result in views.values()} == {len(items)}
    assert views[overlap].value == (len(a & b) / len(a | b) if a | b else None)
    assert crossed.precision.value == (len(a & b) / len(a) if a else None)
    assert crossed.recall.value == (len(a & b) / len(b) if b else None)
    assert views[positive_agreement].value == (2 * len(a & b) / (len(a) + len(b)) if a | b else None)
    assert views[bias_index].value == ((len(a) - len(b)) / len(items) if items else None)
    nowhere = len(items) - len(a | b)
    assert views[prevalence_index].value == ((len(a & b) - nowhere) / len(items) if items else None)


@pytest.mark.parametrize("rel", [1, 2])
@given(rows=matrices)
def test_overlap_of_all_equals_that_of_python_sets(rows, rel):
    ratings = Ratings.from_matrix(rows, (0, 1, 2), axis="assessors")
    busy = [row for row in rows if any(grade is not None for grade in row)]
    items, relevant = sets(busy, rel) if len(busy) > 1 else ([], [set()])

    result = overlap(ratings, rel=rel)

    union = set.union(*relevant)
    assert result.value == (len(set.intersection(*relevant)) / len(union) if union else None)
    assert result.n == len(items)


# properties


@given(cells)
def test_swapping_the_judges(counts):
    result = table(*counts)
    swapped = np.transpose(result)

    for view in (overlap, positive_agreement, negative_agreement, prevalence_index, kappa_maximum):
        assert view(result).value == view(swapped).value
    assert bias_index(result).value == -bias_index(swapped).value
    assert cross_precision_recall(result).precision.value == cross_precision_recall(swapped).recall.value


@given(cells)
def test_swapping_relevant_and_nonrelevant(counts):
    result = table(*counts)
    turned = np.flip(result).tolist()

    assert positive_agreement(result).value == negative_agreement(turned).value
    assert prevalence_index(result).value == -prevalence_index(turned).value
    assert bias_index(result).value == -bias_index(turned).value


@given(cells)
def test_positive_agreement_is_f1_and_a_function_of_overlap(counts):
    result = table(*counts)
    crossed, positive, union = cross_precision_recall(result), positive_agreement(result).value, overlap(result).value

    if union is not None:
        assert positive == pytest.approx(2 * union / (1 + union), abs=1e-12)
    if crossed.precision.value and crossed.recall.value:
        precision, recall = crossed.precision.value, crossed.recall.value
        assert positive == pytest.approx(2 * precision * recall / (precision + recall), abs=1e-12)


@given(cells)
def test_kappa_as_a_function_of_prevalence_and_bias(counts):
    """Byrt, Bishop and Carlin (1993)."""
    result = table(*counts)
    excess = 2 * percent_agreement(result).value - 1
    prevalence, bias = prevalence_index(result).value ** 2, bias_index(result).value ** 2

    for kappa, left in ((cohen_kappa(result), 1 - prevalence + bias), (pooled_kappa(result), 1 - prevalence)):
        if kappa.defined:
            assert kappa.value == pytest.approx((excess - 1 + left) / left, abs=1e-9)


@given(st.lists(st.integers(0, 9), min_size=9, max_size=9).filter(any))
def test_no_kappa_is_above_its_maximum(counts):
    result = np.reshape(counts, (3, 3))

    for kappa, chance in ((cohen_kappa(result), "unpooled"), (pooled_kappa(result), "pooled")):
        highest = kappa_maximum(result, chance=chance)
        assert highest.reason == kappa.reason
        if kappa.defined:
            assert kappa.value - 1e-12 <= highest.value <= 1
            assert highest.value >= (0 if chance == "unpooled" else -1)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=2, max_size=4))
def test_the_maximum_is_1_for_equal_totals(pairs):
    totals = np.array([total for total, _ in pairs])
    agreed = np.diag(totals)

    highest = kappa_maximum(agreed)

    assert highest.value == (1 if np.count_nonzero(totals) > 1 else None)


@given(st.integers(1, 30), st.integers(1, 30))
def test_perfect_agreement(relevant, not_relevant):
    same = table(not_relevant, 0, 0, relevant)

    assert [view(same).value for view in (overlap, positive_agreement, negative_agreement, kappa_maximum)] == [1] * 4
    assert bias_index(same).value == 0


# degenerate


@pytest.mark.parametrize("view", PAIR_VIEWS)
@pytest.mark.parametrize(
    ("rows", "reason"),
    [([], "empty"), ([[0, 1]], "one_assessor"), ([[0, None], [None, 1]], "no_overlap"), ([[None], [None]], "empty")],
)
def test_reasons_without_common_items(view, rows, reason):
    result = view(Ratings.from_matrix(rows, (0, 1), axis="assessors"))

    assert (result.value, result.status, result.reason) == (None, "undefined", reason)


def test_a_table_of_zeros_has_no_overlap():
    assert {view([[0, 0], [0, 0]]).reason for view in PAIR_VIEWS} == {"no_overlap"}


def test_empty_sets_are_undefined():
    nothing = table(5, 0, 0, 0)

    assert overlap(nothing).reason == positive_agreement(nothing).reason == "no_relevant"
    assert overlap(nothing).shown() == "undefined (nothing relevant)"
    assert negative_agreement(table(0, 0, 0, 5)).reason == "no_nonrelevant"
    assert kappa_maximum(nothing).reason == "one_category"
    assert (kappa_maximum(nothing).observed, kappa_maximum(nothing).n) == (1, 5)
    crossed = cross_precision_recall(table(3, 0, 2, 0))
    assert (crossed.precision.value, crossed.recall.reason) == (0, "no_relevant")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[None], [None], [None]], "empty"),
        ([[1], [None], [None]], "one_assessor"),
        ([[1, None], [None, 1], [1, 1]], "no_overlap"),
        ([[0], [0], [0]], "no_relevant"),
    ],
)
def test_reasons_of_the_overlap_of_all(rows, reason):
    result = overlap(Ratings.from_matrix(rows, (0, 1), axis="assessors"))

    assert (result.value, result.reason) == (None, reason)


def test_ambiguous_or_unknown_arguments_are_refused():
    graded = Ratings.from_matrix([[0, 2], [1, 2], [0, 0]], (0, 1, 2), ("ann", "bob", "eve"), axis="assessors")

    for view in (overlap, positive_agreement, prevalence_index):
        with pytest.raises(ValueError, match="rel, the lowest relevant grade, is required: one of 0, 1, 2"):
            view(graded, "ann", "bob")
        with pytest.raises(ValueError, match="rel must be a grade of the scale 0, 1, 2, not 5"):
            view(graded, "ann", "bob", rel=5)
    for view in (positive_agreement, cross_precision_recall, kappa_maximum):
        with pytest.raises(ValueError, match="Name two of the assessors ann, bob, eve"):
            view(graded, rel=1)
    with pytest.raises(ValueError, match="Name two"):
        overlap(graded, "ann", rel=1)
    with pytest.raises(ValueError, match="chance must be one of unpooled, pooled, not 'none'"):
        kappa_maximum(graded, "ann", "bob", chance="none")
    with pytest.raises(ValueError, match="one row and one column for each grade"):
        overlap([[1, 2]])


# every pair


def test_all_pairs_in_one_table():
    rows = [[2, 1, 0, None], [2, 2, 0, 0], [0, 0, 0, 0]]
    ratings = Ratings.from_matrix(rows, (0, 1, 2), ("ann", "bob", "eve"), axis="assessors")

    frame = pairwise_relevance(ratings, rel=2).set_index(["assessor_a", "assessor_b"])

    assert frame.index.tolist() == [("ann", "bob"), ("ann", "eve"), ("bob", "eve")]
    assert frame.loc[("ann", "bob"), ["n", "both", "only_a", "only_b", "neither"]].tolist() == [3, 1, 0, 1, 1]
    assert frame["overlap"].tolist() == [1 / 2, 0, 0]
    assert frame["kappa_maximum"].tolist() == pytest.approx([0.4, 0, 0])
    assert frame["overlap_reason"].isna().all()
    assert len(pairwise_relevance(Ratings.from_matrix([[0, 1]], (0, 1), axis="assessors"))) == 0


@pytest.mark.parametrize("rel", [1, 2])
@given(rows=matrices)
def test_each_pair_equals_the_single_functions(rows, rel):
    ratings = Ratings.from_matrix(rows, (0, 1, 2), axis="assessors")

    for row in pairwise_relevance(ratings, rel).to_dict("records"):
        for view in PAIR_VIEWS:
            result = view(ratings, row["assessor_a"], row["assessor_b"], rel=rel)
            value, reason = row[view.__name__], row[f"{view.__name__}_reason"]
            assert (None if value is pd.NA else value, None if pd.isna(reason) else reason, row["n"]) == (
                *(result.value, result.reason),
                result.n,
            )


def test_anonymous_counts_have_no_relevant_sets():
    counts = Ratings.from_counts([[1, 1], [0, 2]], (0, 1))

    assert {view(counts).reason for view in PAIR_VIEWS} == {"no_identities"}
    assert len(pairwise_relevance(counts)) == 0
