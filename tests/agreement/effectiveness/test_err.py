"""Expected reciprocal rank: by hand, against the Web track's gdeval and a slow twin, properties, nothing there."""

from fractions import Fraction

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.err import err
from tests.agreement.graded_rankings import (
    fewer,
    gold_of,
    matrix_of,
    random_run_and_gold,
    ranked,
    scored_matrix,
    scored_run_of,
    scores_of,
    some_gold,
    some_run,
)

SCALE = (0, 1, 2, 3)


def slow_err(scores, grades, highest, cutoff=None):
    """The cascade in fractions, document by document."""
    still_reading, total = Fraction(1), Fraction(0)
    for rank, doc in enumerate(ranked(scores)[:cutoff], start=1):
        stop = Fraction(2 ** max(grades.get(doc, 0), 0) - 1, 2**highest)
        total += still_reading * stop / rank
        still_reading *= 1 - stop
    return total


def test_by_hand():
    # scale to 2: R = 3/4 for grade 2, 1/4 for grade 1. Ranks: grade 1, unjudged, grade 2:
    # 1/4 + (1/3)(3/4)(3/4) = 1/4 + 3/16
    matrix = matrix_of({"q": "abc"}, {"q": {"a": 1, "c": 2, "z": 2}}, scale=(0, 1, 2))

    assert err(matrix).tolist() == [[1 / 4 + 3 / 16]]
    assert err(matrix, cutoff=2).tolist() == [[1 / 4]]


def test_the_top_of_the_scale_counts_not_the_top_of_the_gold():
    grades = {"q": {"a": 1}}

    assert err(matrix_of({"q": "a"}, grades, scale=(0, 1))).item() == 1 / 2
    assert err(matrix_of({"q": "a"}, grades, scale=(0, 1, 2, 3, 4))).item() == 1 / 16


def test_against_gdeval():
    # gdeval has the scale 0 to 4 built in, prints 5 decimals, and orders ties as trec_eval does
    run, grades = random_run_and_gold(1, lowest=0)
    runs, gold = scored_run_of(run), gold_of(grades)

    ours = scores_of(lambda m: err(m, cutoff=20), run, grades, scale=(0, 1, 2, 3, 4))

    peer = ir_measures.providers.registry["gdeval"].iter_calc([ir_measures.ERR @ 20], gold, runs)
    wanted = {row.query_id: row.value for row in peer}
    assert ours == pytest.approx(wanted, abs=0.6e-5)


@fewer
@given(some_run, some_gold, st.sampled_from([None, 1, 3]))
def test_against_fractions(run, grades, cutoff):
    ours = scores_of(lambda m: err(m, cutoff), run, grades, scale=SCALE)
    slow = {topic: float(slow_err(run.get(topic, {}), docs, 3, cutoff)) for topic, docs in grades.items()}

    assert ours == pytest.approx(slow, abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_below_one_and_not_decreasing_with_the_cutoff(run, grades):
    matrix = scored_matrix(run, grades, scale=SCALE)
    shallow, deep = err(matrix, cutoff=2), err(matrix, cutoff=5)

    assert ((shallow >= 0) & (shallow <= deep) & (deep < 1)).all()


def test_degenerate_input():
    matrix = matrix_of({"q": "ab"}, {"p": {"a": 1}, "q": {"a": 0, "b": -2}}, scale=SCALE)

    assert err(matrix).tolist() == [[0, 0]]


def test_a_missing_scale_is_refused():
    with pytest.raises(
        ValueError, match="ERR needs a declared scale with a grade above 0, but its highest grade is None"
    ):
        err(matrix_of({"q": "a"}, {"q": {"a": 1}}))
