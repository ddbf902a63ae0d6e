"""Intraclass correlation: by hand, published, another implementation, properties and degenerate cases."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f as f_distribution
from statsmodels.formula.api import ols
from statsmodels.stats.anova import anova_lm

from agreement import Ratings, icc
from agreement.coefficients.intraclass import KINDS

# Six targets and four judges: Shrout and Fleiss (1979), table 2.
SHROUT_FLEISS = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
matrices = st.tuples(st.integers(2, 4), st.integers(2, 8)).flatmap(
    lambda size: st.lists(
        st.lists(st.integers(0, 4), min_size=size[1], max_size=size[1]), min_size=size[0], max_size=size[0]
    )
)


def of_judges(rows, scale=range(5)):
    return Ratings.from_matrix(rows, scale=tuple(scale), axis="assessors")


def published():
    return of_judges(np.array(SHROUT_FLEISS).T.tolist(), range(1, 11))


def random_rows(n=200):
    rng = np.random.default_rng(79)
    for _ in range(n):
        k, items = int(rng.integers(2, 6)), int(rng.integers(4, 15))
        truth = rng.integers(0, 5, size=items)
        yield np.clip(truth + rng.integers(-1, 2, size=(k, items)), 0, 6)


def mean_squares(rows):
    """B, W, J, E from the analysis of variance of statsmodels."""
    k, n = rows.shape
    frame = pd.DataFrame({"y": rows.ravel(), "judge": np.repeat(range(k), n), "item": np.tile(range(n), k)})
    two_way = anova_lm(ols("y ~ C(item) + C(judge)", frame).fit())["mean_sq"]
    one_way = anova_lm(ols("y ~ C(item)", frame).fit())["mean_sq"]
    return two_way["C(item)"], one_way["Residual"], two_way["C(judge)"], two_way["Residual"]


def other_icc(rows, confidence=0.95):
    """Value and limits of each kind, written from McGraw and Wong (1996), tables 4 and 7, with numpy and scipy."""
    k, n = rows.shape
    b, w, j, e = mean_squares(rows)
    q, df = (1 + confidence) / 2, (n - 1) * (k - 1)
    values = {
        "ICC(1,1)": (b - w) / (b + (k - 1) * w),
        "ICC(2,1)": (b - e) / (b + (k - 1) * e + k / n * (j - e)),
        "ICC(3,1)": (b - e) / (b + (k - 1) * e),
        "ICC(1,k)": (b - w) / b,
        "ICC(2,k)": (b - e) / (b + (j - e) / n),
        "ICC(3,k)": (b - e) / b,
    }
    limits = {}
    for kind, ratio, below in (("1", b / w, n * (k - 1)), ("3", b / e, df)):
        low, high = ratio / f_distribution.ppf(q, n - 1, below), ratio * f_distribution.ppf(q, below, n - 1)
        limits[f"ICC({kind},1)"] = (low - 1) / (low + k - 1), (high - 1) / (high + k - 1)
        limits[f"ICC({kind},k)"] = 1 - 1 / low, 1 - 1 / high
    r = values["ICC(2,1)"]
    first, second = k * r / (n * (1 - r)), 1 + k * r * (n - 1) / (n * (1 - r))
    v = (first * j + second * e) ** 2 / ((first * j) ** 2 / (k - 1) + (second * e) ** 2 / df)
    upper, lower = f_distribution.ppf(q, n - 1, v), f_distribution.ppf(q, v, n - 1)
    rest = k * j + (k * n - k - n) * e
    limits["ICC(2,1)"] = n * (b - upper * e) / (upper * rest + n * b), n * (lower * b - e) / (rest + n * lower * b)
    limits["ICC(2,k)"] = tuple(k * limit / (1 + (k - 1) * limit) for limit in limits["ICC(2,1)"])
    return values, limits


def test_by_hand():
    ratings = of_judges([[0, 1, 4], [1, 2, 4]])
    # items 1/2, 3/2, 4 with mean 2: 2 (9/4 + 1/4 + 4) = 13 between, 1/2 + 1/2 = 1 within, 2/3 between judges
    b, w, j, e = 13 / 2, 1 / 3, 2 / 3, 1 / 6
    assert icc(ratings, "ICC(1,1)").value == pytest.approx((b - w) / (b + w))
    assert icc(ratings, "ICC(2,1)").value == pytest.approx((b - e) / (b + e + 2 * (j - e) / 3))
    assert icc(ratings, "ICC(3,1)").value == pytest.approx((b - e) / (b + e))
    assert icc(ratings, "ICC(1,k)").value == pytest.approx((b - w) / b)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [*zip(KINDS, [0.17, 0.29, 0.71, 0.44, 0.62, 0.91], strict=True)],  # Shrout and Fleiss (1979), table 4
)
def test_published_values(kind, expected):
    assert round(icc(published(), kind).value, 2) == expected


def test_published_intervals():
    # W. Revelle's R package psych, documentation of ICC, for the data of Shrout and Fleiss
    limits = [icc(published(), kind) for kind in KINDS]
    assert [round(one.low, 2) for one in limits] == [-0.13, 0.02, 0.34, -0.88, 0.07, 0.68]
    assert [round(one.high, 2) for one in limits] == [0.72, 0.76, 0.95, 0.91, 0.93, 0.99]


@pytest.mark.slow
def test_values_and_limits_equal_those_of_another_implementation():
    without = 0
    for rows in random_rows():
        values, limits = other_icc(rows)
        ratings = of_judges(rows.tolist(), range(7))
        for kind in KINDS:
            mine = icc(ratings, kind)
            assert mine.value == pytest.approx(values[kind], rel=1e-9, abs=1e-9), kind
            if mine.low is None:  # the formula of Spearman and Brown turns the limits of ICC(2,1) round
                assert limits[kind][0] > limits[kind][1]
                without += 1
            else:
                assert (mine.low, mine.high) == pytest.approx(limits[kind], rel=1e-9, abs=1e-9), kind
    assert without < 10


@given(matrices)
def test_values_are_at_most_one_and_inside_their_interval(rows):
    for kind in KINDS:
        one = icc(of_judges(rows), kind)
        if one.defined:
            assert one.value <= 1
        if one.low is not None and kind[4] != "2":
            assert one.low <= one.value + 1e-12
            assert one.value <= one.high + 1e-12


@pytest.mark.in_ci
@given(matrices, st.permutations(range(4)))
def test_the_order_of_judges_does_not_matter(rows, order):
    shuffled = [rows[judge] for judge in order if judge < len(rows)]
    for kind in KINDS:
        assert icc(of_judges(rows), kind).value == icc(of_judges(shuffled), kind).value


@pytest.mark.in_ci
@given(matrices)
def test_unit_and_origin_of_the_grades_do_not_matter(rows):
    scaled = [[3.5 + 0.1 * grade for grade in row] for row in rows]
    scale = [3.5 + 0.1 * grade for grade in range(5)]
    for kind in KINDS:
        one, other = icc(of_judges(rows), kind), icc(of_judges(scaled, scale), kind)
        assert one.reason == other.reason
        if one.defined:
            assert other.value == pytest.approx(one.value, abs=1e-9)


@given(matrices)
def test_the_mean_of_judges_follows_spearman_and_brown(rows):
    for kind in "123":
        one, mean, k = icc(of_judges(rows), f"ICC({kind},1)"), icc(of_judges(rows), f"ICC({kind},k)"), len(rows)
        if mean.defined:
            assert mean.value == pytest.approx(k * one.value / (1 + (k - 1) * one.value))


def test_a_constant_difference_lowers_icc_2_but_not_icc_3():
    ratings = of_judges([[0, 1, 2, 3], [1, 2, 3, 4]])
    assert icc(ratings, "ICC(3,1)").value == 1
    assert icc(ratings, "ICC(2,1)").value < 1


def test_items_that_not_all_judged_are_left_out_and_counted():
    full = of_judges([[0, 1, 4], [1, 2, 4]])
    rows = [[0, 1, 4, 3, None, None], [1, 2, 4, None, 2, None], [None] * 6]
    partial = of_judges(rows)
    assert icc(partial).value == icc(full).value
    assert (icc(partial).n, icc(partial).n_dropped, icc(partial).n_values) == (3, 2, 6)
    assert icc(partial).assessors == ("1", "2")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([[1, 2, 3]], "one_assessor"),
        ([[None, None]], "empty"),
        ([[1, None], [None, 1]], "no_overlap"),
        ([[1, 2], [1, None]], "one_item"),
        ([[2, 2, 2], [2, 2, 2]], "no_variance"),
    ],
)
def test_undefined(kind, rows, reason):
    one = icc(of_judges(rows), kind)
    assert (one.status, one.reason, one.value, one.low) == ("undefined", reason, None, None)


def test_anonymous_counts_have_no_judges():
    assert icc(Ratings.from_counts([[1, 1], [0, 2]], (0, 1))).reason == "no_identities"


def test_full_agreement_has_no_interval_of_width_zero():
    one = icc(of_judges([[0, 1, 4], [0, 1, 4]]))
    assert (one.value, one.low, one.warnings) == (1, None, ("no interval, because F gives no finite limits",))


def test_a_variance_below_zero_is_undefined():
    assert icc(of_judges([[1, 2, 3], [3, 2, 1]]), "ICC(2,k)").reason == "no_variance"
    assert icc(of_judges([[1, 2], [2, 1]]), "ICC(2,k)").reason == "no_variance"


def test_invalid_arguments_are_refused():
    with pytest.raises(ValueError, match=r"kind must be one of ICC\(1,1\), .* not 'ICC2'"):
        icc(published(), "ICC2")
    with pytest.raises(ValueError, match="icc needs numbers as grades, not low, high"):
        icc(Ratings([[0, 1], [1, 1]], ("low", "high")))
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        icc(published(), confidence=95)
