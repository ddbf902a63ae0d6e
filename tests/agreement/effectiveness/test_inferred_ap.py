"""Inferred AP: by hand, the worked cases, against pytrec_eval and fractions, what it becomes when all is judged."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agreement.measures.average_precision import average_precision
from agreement.measures.inferred_ap import inferred_ap
from tests.agreement.graded_rankings import (
    by_pytrec_eval,
    fewer,
    matrix_of,
    random_run_and_gold,
    ranked,
    scores_of,
    some_gold,
    some_run,
)
from tests.oracles import oracle

E = Fraction(1, 100_000)


def slow_inferred_ap(scores, grades, rel):
    """The formula in fractions, document by document."""
    relevant = [doc for doc, grade in grades.items() if grade >= rel]
    total = Fraction(0)
    for rank, doc in enumerate(ranked(scores), start=1):
        if doc in relevant:
            above = [grades[other] for other in ranked(scores)[: rank - 1] if other in grades]
            r, n = sum(grade >= rel for grade in above), sum(0 <= grade < rel for grade in above)
            total += Fraction(1, rank) + Fraction(len(above), rank) * (r + E) / (r + n + 2 * E)
    return total / len(relevant) if relevant else Fraction(0)


def test_by_hand():
    # pooled, not judged: a; outside the pool: x.  b at rank 2: 1/2 + (1/2) e / (2 e) = 3/4
    # d at rank 5: above are b relevant, c not, a pooled: 1/5 + (3/5) (1 + e) / (2 + 2 e) = 1/5 + 3/10 = 1/2
    matrix = matrix_of({"q": "abxcd"}, {"q": {"a": -1, "b": 1, "c": 0, "d": 1}})

    assert inferred_ap(matrix).tolist() == [[pytest.approx((3 / 4 + 1 / 2) / 2, abs=1e-15)]]


def test_the_worked_case_of_negative_labels():
    case = next(case for case in oracle("measures")["cases"] if case["id"] == "negative-label")
    wanted = case["hand"]["1/infAP"]["value"]
    grades = {"q": {"a": -1, "b": 1, "c": 0, "d": 1}}

    assert inferred_ap(matrix_of({"q": "abxcd"}, grades)).item() == pytest.approx(wanted, abs=1e-15)


@fewer
@given(some_run, some_gold, st.integers(1, 3))
def test_against_pytrec_eval_and_fractions(run, grades, rel):
    ours = scores_of(lambda m: inferred_ap(m, rel), run, grades)
    slow = {topic: float(slow_inferred_ap(run.get(topic, {}), docs, rel)) for topic, docs in grades.items()}

    assert ours == pytest.approx(by_pytrec_eval(run, grades, "infAP", rel), abs=1e-12)
    assert ours == pytest.approx(slow, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_against_pytrec_eval_on_longer_rankings(seed):
    run, grades = random_run_and_gold(seed)

    assert scores_of(inferred_ap, run, grades) == pytest.approx(by_pytrec_eval(run, grades, "infAP"), abs=1e-12)


@fewer
@given(some_run, some_gold)
def test_with_all_of_the_pool_judged_it_is_average_precision(run, grades):
    judged = {topic: {doc: max(grade, 0) for doc, grade in docs.items()} for topic, docs in grades.items()}

    assert scores_of(inferred_ap, run, judged) == pytest.approx(scores_of(average_precision, run, judged), abs=1e-5)


def test_degenerate_input():
    assert inferred_ap(matrix_of({"q": "ab"}, {"q": {"a": 0}})).tolist() == [[0]]
    assert inferred_ap(matrix_of({"q": "ab"}, {"q": {"a": -1, "b": -2}})).tolist() == [[0]]
    assert inferred_ap(matrix_of({"q": "ab"}, {"p": {"a": 1}})).tolist() == [[0]]
    assert inferred_ap(matrix_of({"q": "a"}, {"q": {"a": 1}})).tolist() == [[1]]
