"""The agreement of a model judge with itself: by hand, another implementation, properties, few answers, refusals."""

from itertools import permutations

import krippendorff
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.trust import repeat_agreement
from pooling.models import Answer, answers_frame
from tests.examples import examples

SCALE = (0, 1, 2, 3)
COLUMNS = ["query_id", "doc_id", "repeat", "relevance"]


def asked(*repeats, n_topics=1):
    """A table of the grades of each asking; None cannot judge. The documents are dealt out to the topics in turn."""
    rows = [
        (f"t{number % n_topics}", f"d{number}", repeat, grade)
        for repeat, grades in enumerate(repeats)
        for number, grade in enumerate(grades)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


# Two topics, three askings, one of them without a grade for d3.
THREE = asked([0, 1, 2, 3], [0, 1, 3, 0], [0, 2, 2, None], n_topics=2)


def test_by_hand():
    found = repeat_agreement(THREE, SCALE)
    # d0 3 of 3 pairs of answers, d1 1 of 3, d2 1 of 3, d3 0 of 1
    assert found.identical.value == pytest.approx((1 + 1 / 3 + 1 / 3 + 0) / 4)
    assert found.spreads["n"].tolist() == [1, 2, 0, 1]
    assert found.spreads["share"].tolist() == [0.25, 0.5, 0, 0.25]
    grades = found.by_grade.set_index("grade")
    assert grades["n"].to_dict() == {0: 4, 1: 2, 2: 3, 3: 2}
    # 0: three answers of d0 with all others, one of d3 with none; 1: two of d1, each with one of two others;
    # 2: two of d2 with one of two, one of d1 with none; 3: none again
    assert grades["same"].tolist() == pytest.approx([3 / 4, 1 / 2, (2 * 1 / 2) / 3, 0])
    assert (found.n_compared, found.n_unsteady, found.n_cannot_judge) == (4, 1, 1)
    assert found.pairs.iloc[0].tolist() == ["t1", "d3", 3, 2, 0, 3, 3, 0]
    assert found.pairs["identical"].mean() == pytest.approx(found.identical.value)
    assert found.identical.method.startswith("jackknife")
    assert found.summary().endswith(
        "(4 pairs asked 3 times, 4 with two grades or more). 1 pair has grades more than one step apart. 1 answer"
        " without a grade; 1 pair with a grade in one answer and none in another."
    )
    assert found.summary().startswith("Two answers to the same pair have the same grade in 41.7% of cases (95% inter")


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_another_implementation(seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 4, 60)
    grades = np.where(rng.random((3, 60)) < 0.7, truth, rng.integers(0, 4, (3, 60))).astype(float)
    grades[rng.random(grades.shape) < 0.1] = np.nan
    found = repeat_agreement(asked(*grades, n_topics=6), SCALE)
    expected = krippendorff.alpha(grades, level_of_measurement="ordinal", value_domain=list(SCALE))
    assert found.alpha.value == pytest.approx(expected)
    pairs = [
        np.mean([a == b for a, b in permutations(column[~np.isnan(column)], 2)])
        for column in grades.T
        if (~np.isnan(column)).sum() > 1
    ]
    assert found.identical.value == pytest.approx(np.mean(pairs))
    assert found.identical.low < found.identical.value < found.identical.high


@pytest.mark.slow
@examples(30)
@given(st.lists(st.tuples(*[st.sampled_from([0, 1, 2, 3, None])] * 3), min_size=2, max_size=20))
def test_the_order_of_the_askings_does_not_count(rows):
    first, second, third = zip(*rows, strict=True)
    found, other = (
        repeat_agreement(asked(*each, n_topics=2), SCALE) for each in ((first, second, third), (third, first, second))
    )
    assert found.identical.value == pytest.approx(other.identical.value)
    pd.testing.assert_frame_equal(found.by_grade, other.by_grade)
    pd.testing.assert_frame_equal(found.pairs, other.pairs)
    assert found.spreads["n"].sum() == found.n_compared
    assert found.by_grade["n"].sum() == found.pairs.loc[found.pairs["grades"] > 1, "grades"].sum()


@pytest.mark.parametrize("n_topics", [1, 4])
def test_full_agreement_has_an_interval(n_topics):
    found = repeat_agreement(asked([0, 1, 2, 3] * 3, [0, 1, 2, 3] * 3, n_topics=n_topics), SCALE)
    assert (found.identical.value, found.alpha.value) == (1, 1)
    assert found.identical.low < 1
    assert found.identical.high == 1


@pytest.mark.parametrize("n_topics", [1, 4])
def test_no_agreement_has_an_interval(n_topics):
    found = repeat_agreement(asked([0, 1, 2, 3] * 3, [1, 2, 3, 0] * 3, n_topics=n_topics), SCALE)
    assert (found.identical.value, found.identical.low) == (0, 0)
    # Wilson's upper limit without a success of 12: z² / (n + z²)
    assert found.identical.high == pytest.approx(1.959964**2 / (12 + 1.959964**2))


def test_two_grades_have_the_nominal_alpha():
    assert repeat_agreement(asked([0, 1, 1], [0, 1, 0]), (0, 1)).alpha.convention.startswith("nominal")


@pytest.mark.parametrize(
    ("table", "reason"),
    [
        (asked([0, 1]), "one_assessor"),
        (asked([None, -1], [None, -1]), "empty"),
        (asked([0, None], [None, 1]), "no_overlap"),
        (asked([0], [0])[:0], "empty"),
    ],
)
def test_what_cannot_be_compared_is_undefined(table, reason):
    found = repeat_agreement(table, SCALE)
    assert (found.identical.reason, found.alpha.reason) == (reason, reason)
    assert found.spreads["n"].sum() == found.by_grade["n"].sum() == 0
    assert found.spreads["share"].isna().all()
    assert found.by_grade["same"].isna().all()
    assert found.summary().startswith("Self-agreement is undefined")


def test_one_grade_alone_has_agreement_and_no_alpha():
    found = repeat_agreement(asked([1, 1], [1, 1]), SCALE)
    assert found.identical.value == 1
    assert found.alpha.reason == "one_category"


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (THREE.drop(columns="repeat"), "need the columns query_id, doc_id, repeat and relevance; missing: repeat"),
        (THREE.assign(repeat=0.5), "repeat must be a whole number of at least 0, not 0.5"),
        (THREE.assign(repeat=-1), "repeat must be a whole number of at least 0, not -1"),
        (THREE.assign(repeat="x"), "repeat must be a whole number of at least 0, not 'x'"),
        (THREE.assign(relevance=7), "A grade is not on the scale 0, 1, 2, 3"),
        (pd.concat([THREE, THREE]), "has two answers with repeat 0"),
    ],
)
def test_refusals(table, message):
    with pytest.raises(ValueError, match=message):
        repeat_agreement(table, SCALE)


def test_the_confidence_is_a_level():
    with pytest.raises(ValueError, match="confidence must be between 0 and 1"):
        repeat_agreement(THREE, SCALE, confidence=95)


def test_ten_askings_sort_by_number():
    assert repeat_agreement(asked(*[[0, 1]] * 11), SCALE).repeats[:3] == ("00", "01", "02")


def test_answers_of_a_model_are_such_a_table():
    answers = [Answer(f"k{n}", "1", f"d{n // 2}", repeat=n % 2, grade=[2, 2, 1, None][n]) for n in range(4)]
    found = repeat_agreement(answers_frame(answers), SCALE)
    assert (found.identical.value, found.n_unsteady) == (1, 1)
    assert answers_frame([])["relevance"].tolist() == []
