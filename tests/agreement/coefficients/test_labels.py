"""Two lists of labels, one for each item, as in scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from agreement import Ratings, brennan_prediger, cohen_kappa, gwet_ac, percent_agreement, pooled_kappa


def test_by_hand():
    # The first gives 0 once and 1 twice, the second 0 twice and 1 once; they agree on two of three.
    # P(A) = 2/3, P(E) = 1/3 * 2/3 + 2/3 * 1/3 = 4/9
    kappa = cohen_kappa([0, 1, 1], [0, 1, 0])
    assert kappa.observed == pytest.approx(2 / 3)
    assert kappa.expected == pytest.approx(1 / 3 * 2 / 3 + 2 / 3 * 1 / 3)
    assert kappa.value == pytest.approx((2 / 3 - 4 / 9) / (5 / 9))


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=30))
def test_equals_scikit_learn(pairs):
    first, second = map(list, zip(*pairs, strict=True))
    kappa = cohen_kappa(first, second)
    if kappa.defined:
        assert kappa.value == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
    else:
        assert kappa.reason == "one_category"
        assert len({*first, *second}) == 1


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pd.Categorical])
def test_any_sequence_of_labels(kind):
    first, second = ["no", "yes", "yes", "no"], ["no", "yes", "no", "no"]
    assert cohen_kappa(kind(first), kind(second)).value == pytest.approx(cohen_kappa_score(first, second))


def test_items_that_one_did_not_judge_are_left_out():
    kappa = pooled_kappa([0, 1, 1, None, 1], [0, 1, 0, 1, -2])
    assert (kappa.n, kappa.value) == (3, pooled_kappa([0, 1, 1], [0, 1, 0]).value)


def test_nothing_to_compare_is_undefined():
    assert cohen_kappa([], []).reason == "empty"
    assert cohen_kappa([None, 0], [1, None]).reason == "no_overlap"


def test_figures_that_depend_on_the_scale_need_it():
    for function, options in ((cohen_kappa, {"weights": "linear"}), (gwet_ac, {}), (brennan_prediger, {})):
        with pytest.raises(ValueError, match=r"from_matrix\(\[first, second\], scale=..., axis='assessors'\)"):
            function([0, 1, 1], [0, 1, 0], **options)


def test_lists_of_different_length_are_refused():
    with pytest.raises(ValueError, match="a label for each item, not 3 and 2 labels"):
        percent_agreement([0, 1, 1], [0, 1])


def test_series_with_different_indexes_are_refused():
    first = pd.Series([0, 1, 1, 0], index=list("abcd"))
    with pytest.raises(ValueError, match=r"indexes of the two Series differ\. Align them"):
        cohen_kappa(first, first.iloc[::-1])
    with pytest.raises(ValueError, match=r"indexes of the two Series differ\. Align them"):
        percent_agreement(first, first.head(3))
    assert cohen_kappa(*first.align(first.iloc[::-1])).value == 1
    assert cohen_kappa(first, first.tolist()).value == 1


def test_ratings_need_names():
    ratings = Ratings.from_matrix([[0, 1], [0, 1]], (0, 1), axis="assessors")
    with pytest.raises(ValueError, match="Name two assessors of the ratings"):
        cohen_kappa(ratings, [0, 1])
